/* Every scene of tests/data/scenes/physics against the warnings about it, in full; and all of scenes/ against none.
 *
 * NAME.expected has a line per warning as `capstan check` prints it. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "examine/examine.h"
#include "sanitized.h"

enum { FILES_MAX = 256, NAMES_MAX = 128, TEXT_MAX = 1 << 16, LEAST_KINDS = 25 };

/* Always the same machine: expected texts must not depend on the one at hand. */
static const cst_machine machine = {.memory = 0.8e9, .disk = 50e9};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_scenes(const char *directory, char **path)
{
    int count = 0;
    DIR *folder = opendir(directory);
    if (!folder)
        fail_msg("%s is missing", directory);
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *ending = strstr(entry->d_name, ".json");
        if (!ending || ending[5] != '\0' || strstr(entry->d_name, "schema"))
            continue;
        assert_true(count < FILES_MAX);
        const size_t length = strlen(directory) + strlen(entry->d_name) + 2;
        path[count] = calloc(length, 1);
        assert_non_null(path[count]);
        snprintf(path[count++], length, "%s/%s", directory, entry->d_name);
    }
    closedir(folder);
    qsort(path, (size_t)count, sizeof *path, by_text);
    return count;
}

/* Reads a scene. If its generator "hair" would lay thousands of hairs, it lays 160: 100,000 take a minute. */
static cst_scene *read_scene(const char *path)
{
    static const char *const fewer[] = {"generators.hair.count=160"};
    const bool many = strstr(path, "curly") || strstr(path, "free_") || strstr(path, "head_") || strstr(path, "pony");
    return cst_scene_read_file(path, fewer, strncmp(path, "hair/", 5) == 0 && many ? 1 : 0, NULL);
}

static cst_examination *examine(const char *path, cst_scene **scene)
{
    char message[512] = "";
    *scene = read_scene(path);
    assert_non_null(*scene);
    const cst_scene_fault *fault;
    if (cst_scene_faults(*scene, &fault) > 0)
        fail_msg("%s: %s: %s", path, fault->key, fault->message);
    cst_examination *out = cst_examine(*scene, &machine, message, sizeof message);
    if (!out)
        fail_msg("%s: %s", path, message);
    return out;
}

static void print_findings(const cst_examination *examination, char *to, size_t size)
{
    size_t length = 0;
    to[0] = '\0';
    for (int i = 0; i < examination->findings; i++) {
        const cst_finding *finding = examination->finding + i;
        char place[32] = "";
        if (finding->line > 0)
            snprintf(place, sizeof place, "%d:%d:", finding->line, finding->column);
        length += (size_t)snprintf(to + length, size - length, "%s:%s warning: %s\n", finding->file, place, finding->text);
        assert_true(length < size);
    }
}

static bool says(const char *path, const char *said)
{
    static char expected[TEXT_MAX];
    char name[512];
    snprintf(name, sizeof name, "%.*s.expected", (int)(strlen(path) - strlen(".json")), path);
    FILE *file = fopen(name, "rb");
    const size_t size = file ? fread(expected, 1, sizeof expected - 1, file) : 0;
    expected[size] = '\0';
    if (file)
        fclose(file);
    if (file && strcmp(said, expected) == 0)
        return true;
    print_error("%s: expected\n%sbut it said\n%s", path, expected, said);
    return false;
}

static void each_mistake_is_warned_of(void **state)
{
    (void)state;
    static char *path[FILES_MAX], said[TEXT_MAX];
    static const char *kind[NAMES_MAX];
    int kinds = 0, differing = 0;
    assert_int_equal(chdir(CAPSTAN_TEST_DATA "/scenes"), 0);
    const int count = list_scenes("physics", path);
    for (int i = 0; i < count; i++) {
        cst_scene *scene;
        cst_examination *examination = examine(path[i], &scene);
        print_findings(examination, said, sizeof said);
        differing += !says(path[i], said);
        if (examination->findings == 0) {
            print_error("%s: no warning\n", path[i]);
            differing++;
        }
        for (int k = 0; k < examination->findings; k++) {
            int known = 0;
            while (known < kinds && strcmp(kind[known], examination->finding[k].name) != 0)
                known++;
            assert_true(known < NAMES_MAX);
            kind[known] = examination->finding[k].name; /* a literal: it lasts */
            kinds = known == kinds ? kinds + 1 : kinds;
            assert_true(examination->finding[k].remedy[0] != '\0');
        }
        cst_examination_free(examination);
        cst_scene_free(scene);
        free(path[i]);
    }
    print_message("%d scenes, %d kinds of warnings\n", count, kinds);
    assert_int_equal(differing, 0);
    assert_true(kinds >= LEAST_KINDS);
}

static void no_false_alarm(void **state)
{
    (void)state;
    static const char *const folders[] = {"planar", "fibers", "rigid", "cloth", "hair"};
    static char *path[FILES_MAX], said[TEXT_MAX];
    int all = 0, alarms = 0;
    assert_int_equal(chdir(CAPSTAN_TEST_DATA "/../../scenes"), 0);
    for (int f = 0; f < 5; f++) {
        const int count = list_scenes(folders[f], path);
        for (int i = 0; i < count; i++, all++) {
            if (SANITIZED && i % 4 != 0) {
                free(path[i]);
                continue;
            }
            cst_scene *scene;
            cst_examination *examination = examine(path[i], &scene);
            print_findings(examination, said, sizeof said);
            if (examination->findings > 0) {
                print_error("%s", said);
                alarms++;
            }
            assert_true(strstr(examination->summary, "  bodies ") != NULL);
            cst_examination_free(examination);
            cst_scene_free(scene);
            free(path[i]);
        }
    }
    print_message("%d scenes without a warning\n", all - alarms);
    assert_int_equal(alarms, 0);
    assert_true(all >= 50);
}

/* Every allocation of an examination failed in turn: no result and a message, or all of it. Nothing is left behind. */
typedef struct meter {
    long requests, fail_at, held;
} meter;

static void *acquire(void *user, size_t size)
{
    meter *m = user;
    if (m->fail_at >= 0 && m->requests++ >= m->fail_at)
        return NULL;
    m->held++;
    return malloc(size);
}

static void release(void *user, void *block, size_t size)
{
    (void)size;
    ((meter *)user)->held -= block != NULL;
    free(block);
}

static void memory_runs_out(void **state)
{
    (void)state;
    static const char *const paths[] = {"physics/mesh_in_mm.json", "physics/after_the_end.json", "physics/inside_chain.json"};
    assert_int_equal(chdir(CAPSTAN_TEST_DATA "/scenes"), 0);
    long failures = 0;
    for (int i = 0; i < 3; i++) {
        meter m = {.fail_at = -1};
        const cst_allocator allocator = {acquire, release, &m};
        cst_scene *scene = cst_scene_read_file(paths[i], NULL, 0, &allocator);
        const long held = m.held;
        cst_examination *examination = NULL;
        for (long k = 0; !examination; k++, failures++) {
            char message[512] = "";
            m.fail_at = k;
            m.requests = 0;
            examination = cst_examine(scene, &machine, message, sizeof message);
            assert_true(examination || (message[0] != '\0' && m.held == held));
        }
        assert_true(examination->findings > 0);
        m.fail_at = -1;
        cst_examination_free(examination);
        assert_int_equal(m.held, held);
        cst_scene_free(scene);
        assert_int_equal(m.held, 0);
    }
    print_message("%ld failed allocations\n", failures);
    assert_true(failures > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_mistake_is_warned_of), cmocka_unit_test(no_false_alarm),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
