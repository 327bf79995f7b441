/* capstan-bench families: the hardest families of the generators, many seeds each: share solved to a tight tolerance, and time. */
#include <limits.h>
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
#include "write/csv.h"
#include "write/file_write.h"
#include "write/table.h"

typedef struct settings {
    cst_friction_options options;
    int seeds;
    double time_limit;
    const char *csv;
} settings;

typedef struct tally {
    int made, solved, missed, hopeless, out_of_time;
    double total, longest, worst_error;
    double iterations;
} tally;

static const char *const hardest[] = {"mu2", "rods-nu2", "grains-nu2", "boxes-pushed"};

static void count(tally *sum, const cst_timed_run *run)
{
    sum->made++;
    sum->solved += run->solved;
    sum->missed += run->report.status == CST_TOLERANCE_MISSED;
    sum->hopeless += run->report.status == CST_NO_SOLUTION || run->report.status == CST_ILL_POSED;
    sum->out_of_time += run->report.status == CST_INTERRUPTED;
    sum->total += run->cpu;
    sum->longest = fmax(sum->longest, run->cpu);
    sum->worst_error = fmax(sum->worst_error, run->report.residual.error);
    sum->iterations += run->report.iterations;
}

static void write_row(cst_csv *csv, const char *family, int seed, const cst_set_problem *problem, const cst_timed_run *run)
{
    cst_csv_text(csv, family);
    cst_csv_integer(csv, seed);
    cst_csv_integer(csv, problem->explicit_form.contacts);
    cst_csv_text(csv, cst_status_name(run->report.status));
    cst_csv_text(csv, cst_solver_name(run->report.solver));
    cst_csv_real(csv, run->report.residual.error);
    cst_csv_integer(csv, run->report.iterations);
    cst_csv_integer(csv, run->report.newton_iterations);
    cst_csv_real(csv, run->cpu);
    cst_csv_row_end(csv);
}

static bool run_family(const char *family, const settings *how, tally *sum, cst_csv *csv)
{
    for (int seed = 1; seed <= how->seeds && !cst_interrupted(); seed++) {
        char message[256];
        cst_problem_set set = {0};
        if (!cst_problem_set_add_generated(&set, family, (uint64_t)seed, NULL, message, sizeof message)) {
            fprintf(stderr, "capstan-bench families: %s\n", message);
            return false;
        }
        char label[64];
        snprintf(label, sizeof label, "%s %d/%d", family, seed, how->seeds);
        cst_timed_run run;
        cst_timed_solve(set.list[0], CST_FORM_EXPLICIT, &how->options, how->time_limit, 1, label, &run);
        count(sum, &run);
        if (csv)
            write_row(csv, family, seed, set.list[0], &run);
        cst_problem_set_free(&set);
    }
    return true;
}

static void add_row(cst_table *table, const char *family, const tally *sum)
{
    int made = sum->made ? sum->made : 1;
    const cst_family_def *what = cst_family_find(family);
    cst_table_cell(table, "%s", family);
    cst_table_cell(table, "%d/%d", sum->solved, sum->made);
    cst_table_cell(table, "%.0f%%", 100.0 * sum->solved / made);
    cst_table_tone(table, sum->solved == sum->made ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
    cst_table_cell(table, "%d", sum->missed);
    cst_table_cell(table, "%d", sum->out_of_time);
    cst_table_cell(table, "%d", sum->hopeless);
    cst_table_cell(table, "%.1e", sum->worst_error);
    cst_table_cell(table, "%.0f", sum->iterations / made);
    cst_table_seconds(table, sum->total / made);
    cst_table_seconds(table, sum->longest);
    cst_table_cell(table, "%s", what ? what->what : "");
    cst_table_tone(table, CST_TONE_FAINT);
}

static int run_all(const char *const *family, int families, const settings *how)
{
    char message[512];
    cst_file_write file = {0};
    cst_csv csv = {0};
    if (how->csv) {
        if (!cst_file_write_begin(&file, how->csv, message, sizeof message)) {
            fprintf(stderr, "capstan-bench families: %s\n", message);
            return CST_EXIT_BAD;
        }
        csv = cst_csv_begin(file.to);
        cst_csv_header(&csv, (const char *const[]){"family", "seed", "contacts", "status", "solver", "error", "iterations",
                                                   "newton_iterations", "seconds", NULL});
    }
    static const char *const headings[] = {"family",  "solved",     "share", "missed",  "out of time", "no solution",
                                           "worst E", "iterations", "mean",  "longest", "what"};
    cst_table *table = cst_table_new();
    for (int i = 0; i < 11; i++)
        cst_table_column(table, headings[i], i == 0 || i == 10 ? CST_ALIGN_LEFT : CST_ALIGN_RIGHT);
    cst_table_column_shrinks(table);
    bool sound = true;
    for (int i = 0; sound && i < families && !cst_interrupted(); i++) {
        tally sum = {0};
        sound = run_family(family[i], how, &sum, how->csv ? &csv : NULL);
        if (sound)
            add_row(table, family[i], &sum);
    }
    printf("%d seeds of each family, E <= %g, %s, at most %g s each; processor time of one thread.\n\n", how->seeds,
           how->options.tolerance, cst_solver_name(how->options.solver), how->time_limit);
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    if (how->csv && !cst_file_write_commit(&file, message, sizeof message)) {
        fprintf(stderr, "capstan-bench families: %s\n", message);
        sound = false;
    }
    return sound ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}

static const cst_command command = {
    .name = "capstan-bench families",
    .usage = "[FAMILY...] [options]",
    .about = "Families of generated problems: share solved to a tight tolerance, and time.",
    .more = "Without names the four hardest: mu = 2; singular rods; grains of mass ratio 100; a pushed stack of boxes."};

int cst_bench_families(int argc, char **argv)
{
    settings how = {.options = cst_friction_options_default(), .seeds = 50, .time_limit = 20};
    how.options.tolerance = 1e-8;
    cst_choices choices;
    cst_choices_fill(&choices);
    int solver = CST_SOLVER_AUTO;
    bool all = false;
    const cst_option table[] = {
        cst_option_integer("seeds", &how.seeds, "N", 1, 1000000, "problems of each family (50)"),
        cst_option_choice("solver", &solver, "S", choices.solver, "global solver"),
        cst_option_real("tol", &how.options.tolerance, "T", 0, 1, "tolerance on E (1e-8)"),
        cst_option_integer("max-iterations", &how.options.max_iterations, "N", 1, INT_MAX, "per problem (100000)"),
        cst_option_real("time-limit", &how.time_limit, "S", 1e-3, HUGE_VAL, "seconds per problem (20)"),
        cst_option_flag("all", &all, "every family there is"),
        cst_option_text("csv", &how.csv, "FILE", "write every solve as a row of a CSV file"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    how.options.solver = (cst_solver)solver;
    if (operands > 0)
        return run_all((const char *const *)argv, operands, &how);
    if (!all)
        return run_all(hardest, (int)(sizeof hardest / sizeof hardest[0]), &how);
    const char **names = calloc((size_t)cst_family_count, sizeof *names);
    for (int i = 0; names && i < cst_family_count; i++)
        names[i] = cst_families[i].name;
    code = names ? run_all(names, cst_family_count, &how) : CST_EXIT_BAD;
    free(names);
    return code;
}
