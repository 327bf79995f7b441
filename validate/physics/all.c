/* capstan-bench physics: every check of this directory in one go; what each found beside its reference and tolerance, in one table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "harness/validation.h"
#include "write/directory.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} studies[] = {
    {"scenes", cst_bench_scenes},         {"cantilever", cst_bench_cantilever},
    {"vibration", cst_bench_vibration},   {"slide", cst_bench_slide},
    {"stick-slip", cst_bench_stick_slip}, {"three-point", cst_bench_three_point},
    {"capstan", cst_bench_capstan},       {"snap-fit", cst_bench_snap_fit},
    {"confined", cst_bench_confined},     {"high-order", cst_bench_high_order},
    {"models", cst_bench_models},         {"fibers", cst_bench_fibers},
    {"sheets", cst_bench_sheets},         {"spin", cst_bench_spin},
};

enum { STUDIES = sizeof studies / sizeof *studies };

static const cst_command command = {
    .name = "capstan-bench physics",
    .usage = "[options]",
    .about = "Every check of the physics: ours, the reference, the error, the tolerance, pass or not.",
    .more = "Exits with 1 if a figure misses its tolerance.",
};

/* A study that could not be done at all is a miss that names it. */
static void note_failure(cst_findings *found, const char *name)
{
    cst_checked_figure item = {.ours = NAN, .reference = NAN, .error = NAN, .least = -HUGE_VAL, .largest = 0, .met = false};
    snprintf(item.check, sizeof item.check, "%s", name);
    snprintf(item.figure, sizeof item.figure, "could not be done");
    cst_findings_add(found, &item);
}

static bool write_all(const cst_findings *found, const char *directory)
{
    char message[512] = "out of memory";
    char *path = cst_directory_make(directory, message, sizeof message) ? cst_path_join(directory, "physics", ".csv") : NULL;
    const bool ok = path && cst_findings_write(found, path, message, sizeof message);
    free(path);
    if (!ok)
        fprintf(stderr, "capstan-bench physics: %s\n", message);
    return ok;
}

int cst_bench_physics(int argc, char **argv)
{
    bool quick = false;
    const char *out = NULL;
    const cst_option options[] = {
        cst_option_flag("quick", &quick, "a minute or two: fewer and coarser cases"),
        cst_option_text("out", &out, "DIR", "write DIR/physics.csv"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, options, CST_OPTION_COUNT_OF(options), argc, argv, &code);
    if (operands < 0)
        return code;
    if (operands > 0) {
        fputs("capstan-bench physics: it takes no arguments but options\n", stderr);
        return CST_EXIT_BAD;
    }
    cst_findings found = {0};
    cst_validation_listen(&found);
    for (int i = 0; i < STUDIES && !cst_interrupted(); i++) {
        char option[] = "--quick";
        char *arguments[] = {option};
        cst_progress progress;
        cst_progress_begin(&progress, 0, "[%d/%d] %s", i + 1, STUDIES, studies[i].name);
        cst_progress_note(&progress, "[%d/%d] %s", i + 1, STUDIES, studies[i].name);
        if (studies[i].run(quick ? 1 : 0, arguments) == CST_EXIT_BAD)
            note_failure(&found, studies[i].name);
        cst_progress_end(&progress);
    }
    cst_validation_listen(NULL);
    const int missed = cst_findings_print(&found);
    printf("%d checks, %d missed\n", found.count, missed);
    const bool written = !out || write_all(&found, out);
    const bool complete = !found.failed;
    cst_findings_free(&found);
    return !written || !complete ? CST_EXIT_BAD : missed ? CST_EXIT_MISSED : CST_EXIT_SOLVED;
}
