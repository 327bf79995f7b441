/* capstan-bench threads: one thread against several. The answers must have the same bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "solvers/timed_run.h"
#include "write/table.h"

typedef struct settings {
    cst_friction_options options;
    int most;
    int repeat;
    bool published;
} settings;

/* Rows of one problem; false if some bits differ. */
static bool compare(cst_set_problem *problem, const settings *how, cst_table *table)
{
    size_t bytes = (size_t)problem->explicit_form.dim * (size_t)problem->explicit_form.contacts * sizeof(double);
    double *first = malloc(bytes + 1);
    if (!first) {
        fputs("capstan-bench threads: out of memory\n", stderr);
        return false;
    }
    bool same = true;
    double alone = NAN;
    cst_table_rule(table);
    for (int threads = 1; threads <= how->most && !cst_interrupted(); threads *= 2) {
        cst_friction_options options = how->options;
        options.threads = threads;
        options.judge_by_fischer_burmeister = how->published;
        if (how->published)
            options.velocity_scale = cst_friction_largest_velocity(&problem->explicit_form);
        char label[32];
        snprintf(label, sizeof label, "%d threads", threads);
        cst_timed_run run;
        cst_timed_solve(problem, options.form == CST_FORM_AUTO ? CST_FORM_EXPLICIT : options.form, &options, 0, how->repeat,
                        label, &run);
        if (threads == 1) {
            alone = run.report.seconds;
            memcpy(first, problem->guess, bytes);
        }
        bool equal = memcmp(first, problem->guess, bytes) == 0;
        same = same && equal;
        cst_table_cell(table, "%s", problem->name);
        cst_table_cell(table, "%d", problem->explicit_form.contacts);
        cst_table_cell(table, "%s", cst_form_name(run.report.form));
        cst_table_cell(table, "%d", threads);
        cst_table_cell(table, "%s", cst_status_name(run.report.status));
        cst_table_tone(table, run.solved ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
        cst_table_cell(table, "%.1e", how->published ? run.report.residual.fischer_burmeister : run.report.residual.error);
        cst_table_cell(table, "%d", run.report.iterations);
        cst_table_cell(table, "%d", run.report.colours);
        cst_table_seconds(table, run.report.setup_seconds);
        cst_table_seconds(table, run.report.seconds);
        cst_table_cell(table, "%.2f", 1e-3 * (double)run.report.memory_bytes / problem->explicit_form.contacts);
        cst_table_cell(table, "%.2f", alone / run.report.seconds);
        cst_table_cell(table, "%s", equal ? "same" : "DIFFERENT");
        cst_table_tone(table, equal ? CST_TONE_GOOD : CST_TONE_BAD);
    }
    free(first);
    return same;
}

static const cst_command command = {
    .name = "capstan-bench threads",
    .usage = "[FILE...] [options]",
    .about = "One thread against several: wall-clock speed-up, memory, and whether the bits are the same.",
    .more = "Without FILES on hair-like strands made here."};

int cst_bench_threads(int argc, char **argv)
{
    static const char *const measures[] = {"error", "fb", NULL};
    settings how = {.options = cst_friction_options_default(), .most = 2, .repeat = 3};
    cst_choices choices;
    cst_choices_fill(&choices);
    int solver = CST_SOLVER_AUTO, form = CST_FORM_AUTO, measure = 0, strands = 12000;
    const cst_option table_of_options[] = {
        cst_option_integer("threads", &how.most, "N", 1, 1024, "1, 2, 4, ... up to N (2)"),
        cst_option_choice("solver", &solver, "S", choices.solver, "global solver"),
        cst_option_choice("form", &form, "F", choices.form, "of problems with bodies; auto is explicit here"),
        cst_option_choice("measure", &measure, "M", measures, "as in capstan solve"),
        cst_option_real("tol", &how.options.tolerance, "T", 0, 1, "tolerance (1e-6)"),
        cst_option_integer("repeat", &how.repeat, "K", 1, 100, "best time of K; once if it takes more than 1 s (3)"),
        cst_option_integer("contacts", &strands, "N", 1, 10000000, "size of the strands made here, without FILES (12000)"),
    };
    int code;
    const int operands =
        cst_arguments_parse(&command, table_of_options, CST_OPTION_COUNT_OF(table_of_options), argc, argv, &code);
    if (operands < 0)
        return code;
    how.options.solver = (cst_solver)solver;
    how.options.form = (cst_form)form;
    how.published = measure == 1;

    char message[512];
    cst_inputs inputs;
    cst_problem_set set = {0};
    bool ready = cst_inputs_gather(&inputs, operands, argv, message, sizeof message);
    for (int i = 0; ready && i < inputs.count; i++)
        ready = cst_problem_set_add_file(&set, &inputs.file[i], form != CST_FORM_EXPLICIT, message, sizeof message);
    if (ready && operands == 0) {
        cst_family_parameters parameters = cst_family_parameters_default();
        parameters.contacts = strands;
        ready = cst_problem_set_add_generated(&set, "strands", 1, &parameters, message, sizeof message) &&
                cst_problem_set_add_generated(&set, "strands-rest", 1, &parameters, message, sizeof message);
    }
    cst_inputs_free(&inputs);

    static const char *const headings[] = {"problem", "contacts", "form", "threads", "status",   "E or FB", "its",
                                           "colours", "set-up",   "time", "MB/1000", "speed-up", "bits"};
    static const char alignment[] = "lrlrlrrrrrrrl";
    cst_table *table = cst_table_new();
    for (int i = 0; i < 13; i++)
        cst_table_column(table, headings[i], alignment[i] == 'l' ? CST_ALIGN_LEFT : CST_ALIGN_RIGHT);
    bool same = true;
    for (int i = 0; ready && i < set.count; i++) {
        bool possible = form == CST_FORM_AUTO || form == CST_FORM_EXPLICIT || set.list[i]->bodies;
        if (possible)
            same = compare(set.list[i], &how, table) && same;
        else
            fprintf(stderr, "capstan-bench threads: %s has W only: it can only be solved in the explicit form\n",
                    set.list[i]->name);
    }
    cst_look look = cst_terminal_look(stdout);
    if (ready)
        cst_table_print(table, stdout, &look);
    else
        fprintf(stderr, "capstan-bench threads: %s\n", message);
    cst_table_free(table);
    cst_problem_set_free(&set);
    return !ready ? CST_EXIT_BAD : same ? CST_EXIT_SOLVED : CST_EXIT_MISSED;
}
