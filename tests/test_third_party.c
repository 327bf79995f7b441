/* Problems of other people (FCLIB files in $CAPSTAN_PROBLEMS), W as given, `auto`, judged here and not by the library.
 * Skipped where the files are absent. */
#include "exchange/problem_file.h"
#include "tests/friction_fixture.h"

#include <dirent.h>

static const double REQUIRED = 1e-6, AIMED = 1e-8;

static const char *problems_directory(void)
{
    static char path[512];
    const char *root = getenv("CAPSTAN_PROBLEMS");
    if (root)
        snprintf(path, sizeof path, "%s/hdf5", root);
    else
        snprintf(path, sizeof path, "%s/problems/hdf5", CAPSTAN_SHARED);
    return path;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

enum { FILES_MAX = 200, NAME_MAX_LENGTH = 128 };

/* Names without ".hdf5", sorted; 0 if there is no such directory. */
static int list_problems(char (*names)[NAME_MAX_LENGTH])
{
    DIR *directory = opendir(problems_directory());
    int count = 0;
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *end = strstr(entry->d_name, ".hdf5");
        if (!end || end[5] != '\0' || count == FILES_MAX)
            continue;
        snprintf(names[count++], NAME_MAX_LENGTH, "%.*s", (int)(end - entry->d_name), entry->d_name);
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof names[0], by_name);
    return count;
}

static cst_problem_file *open_problem(const char *name)
{
    char path[1024], message[512];
    snprintf(path, sizeof path, "%s/%.127s.hdf5", problems_directory(), name);
    cst_problem_file *file = cst_problem_file_read(path, NULL, message, sizeof message);
    if (!file || !cst_problem_file_condense(file, message, sizeof message))
        fail_msg("%s", message);
    return file;
}

static void test_auto(void **state)
{
    (void)state;
    static char names[FILES_MAX][NAME_MAX_LENGTH];
    const int count = list_problems(names);
    if (count == 0) {
        print_message("third-party problems are absent (set CAPSTAN_PROBLEMS): skipped\n");
        skip();
    }
    int wrong = 0, required = 0, aimed = 0;
    double seconds = 0.0;
    for (int k = 0; k < count; k++) {
        cst_problem_file *file = open_problem(names[k]);
        const cst_friction_problem *problem = &file->local;
        outcome out = solve_with(problem, CST_SOLVER_AUTO, AIMED, 20000);
        const verdict seen = judge(problem, out.r, 0.0);
        const char *fault = NULL;
        if (!(seen.alart_curnier <= REQUIRED))
            fault = "1e-6 not reached";
        else if ((out.report.status == CST_SOLVED) != (seen.alart_curnier <= AIMED * (1.0 + 1e-6)))
            fault = "the report disagrees with the judge";
        else if (fabs(out.report.residual.error - seen.alart_curnier) > 1e-10 + 1e-6 * seen.alart_curnier)
            fault = "the error reported is not the error";
        print_message("%s %-52s %5d contacts  E %.1e  %6d iterations  %.3f s  %s\n", fault ? "**" : "  ", names[k],
                      problem->contacts, seen.alart_curnier, out.report.iterations, out.report.seconds,
                      cst_status_name(out.report.status));
        if (fault) {
            print_error("%s: %s (%s, E %.2e, reported %.2e) %s\n", names[k], fault, cst_status_name(out.report.status),
                        seen.alart_curnier, out.report.residual.error, out.report.message);
            wrong++;
        }
        required += seen.alart_curnier <= REQUIRED;
        aimed += seen.alart_curnier <= AIMED * (1.0 + 1e-6);
        seconds += out.report.seconds + out.report.setup_seconds;
        outcome_free(&out);
        cst_problem_file_free(file);
    }
    print_message("%d files: %d to 1e-6, %d to 1e-8, in %.2f s\n", count, required, aimed, seconds);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_auto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
