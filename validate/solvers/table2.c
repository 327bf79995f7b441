/* capstan-bench table2: Table 2 and figure 11 of Daviet et al. 2011 on one-step problems of one's own (capstan dump), beside the paper's figures;
 * the global solvers on the same problems; and the exact law against a four-sided cone in equal time (figure 7, bottom). */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "solvers/compare.h"
#include "solvers/equal_time.h"
#include "write/directory.h"

typedef struct settings {
    cst_comparison solve;
    bool cold;
    int measure;
    const char *out;
} settings;

/* Table 2 of the paper: 306 problems of its Pony, on a processor of 2010. Its Enum is our quartic, its fail-safe too. */
static const struct {
    cst_local_solver local;
    bool failsafe;
    const char *name;
    double alt, failed, unsolved, sweeps, milliseconds;
} PAPER[] = {
    {CST_LOCAL_PYRAMID, false, "4sides", NAN, 0, 0, 575, 6497},
    {CST_LOCAL_DURIEZ08, false, "Duriez08", NAN, 2.45, 50, 267, 4336},
    {CST_LOCAL_ALART_CURNIER, false, "PAC", NAN, 0.43, 19.3, 163, 1265},
    {CST_LOCAL_ALART_CURNIER_DAMPED, false, "DAC", NAN, 0.26, 0.33, 60, 874},
    {CST_LOCAL_FISCHER_BURMEISTER, false, "MFB", NAN, 0.13, 4.9, 72, 484},
    {CST_LOCAL_QUARTIC, false, "Enum", NAN, 0.0005, 1, 67, 1044},
    {CST_LOCAL_PYRAMID, true, "4sides+Enum", 38.7, 0.001, 0, 47, 763},
    {CST_LOCAL_DURIEZ08, true, "Duriez08+Enum", 51, 0.0007, 0.33, 90, 1447},
    {CST_LOCAL_ALART_CURNIER, true, "PAC+Enum", 0.1, 1e-5, 0, 62, 543},
    {CST_LOCAL_ALART_CURNIER_DAMPED, true, "DAC+Enum", 0.09, 1e-6, 0, 57, 789},
    {CST_LOCAL_FISCHER_BURMEISTER, true, "MFB+Enum", 0.07, 1e-6, 0, 41, 312},
};
enum { PAPER_ROWS = sizeof PAPER / sizeof *PAPER };

static int paper_row(const cst_friction_options *options)
{
    for (int k = 0; k < PAPER_ROWS; k++)
        if (PAPER[k].local == options->local && PAPER[k].failsafe == options->local_failsafe)
            return k;
    return -1;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

/* Ours, and the paper's behind it. */
static void cell_both(cst_table *table, double ours, double paper)
{
    char text[2][24];
    for (int k = 0; k < 2; k++)
        snprintf(text[k], sizeof text[k], isnan(k ? paper : ours) ? "-" : "%.3g", k ? paper : ours);
    cst_table_cell(table, "%s", text[0]);
    cst_table_cell(table, "%s", text[1]);
    cst_table_tone(table, CST_TONE_FAINT);
}

static void print_local(const cst_bench_rows *rows)
{
    static const char *const headings[] = {"% fail-safe", "paper",  "% failed", "paper", "% > tol",
                                           "paper",       "sweeps", "paper",    "ms",    "paper"};
    cst_table *table = cst_table_new();
    cst_table_column(table, "local solver", CST_ALIGN_LEFT);
    cst_table_column(table, "in the paper", CST_ALIGN_LEFT);
    for (size_t k = 0; k < sizeof headings / sizeof *headings; k++)
        cst_table_column(table, headings[k], CST_ALIGN_RIGHT);
    bool hybrids = false;
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind != CST_ROW_LOCAL)
            continue;
        if (row->options.local_failsafe && !hybrids)
            cst_table_rule(table);
        hybrids = hybrids || row->options.local_failsafe;
        const cst_row_summary sum = cst_bench_row_summary(row, rows->set);
        const int k = paper_row(&row->options);
        const double solves = (double)row->local_solves;
        cst_table_cell(table, "%s", row->label);
        cst_table_cell(table, "%s", k < 0 ? "-" : PAPER[k].name);
        cell_both(table, row->options.local_failsafe ? percent((double)row->local_failures, solves) : NAN,
                  k < 0 ? NAN : PAPER[k].alt);
        cell_both(table, percent((double)(row->local_failures - row->fallbacks), solves), k < 0 ? NAN : PAPER[k].failed);
        cell_both(table, percent(sum.known - sum.solved, sum.known), k < 0 ? NAN : PAPER[k].unsolved);
        cell_both(table, sum.iterations, k < 0 ? NAN : PAPER[k].sweeps);
        cell_both(table, 1e3 * sum.seconds, k < 0 ? NAN : PAPER[k].milliseconds);
    }
    const cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

static void print_global(const cst_bench_rows *rows)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "solver", CST_ALIGN_LEFT);
    cst_table_column(table, "% > tol", CST_ALIGN_RIGHT);
    cst_table_column(table, "iterations", CST_ALIGN_RIGHT);
    cst_table_column(table, "ms", CST_ALIGN_RIGHT);
    cst_table_column(table, "median", CST_ALIGN_RIGHT);
    cst_table_column(table, "worst", CST_ALIGN_RIGHT);
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind != CST_ROW_GLOBAL)
            continue;
        const cst_row_summary sum = cst_bench_row_summary(row, rows->set);
        cst_table_cell(table, "%s", row->label);
        cst_table_cell(table, "%.3g", percent(sum.known - sum.solved, sum.known));
        cst_table_cell(table, "%.0f", sum.iterations);
        cst_table_cell(table, "%.3g", 1e3 * sum.seconds);
        cst_table_cell(table, "%.1e", sum.median_error);
        cst_table_cell(table, "%.1e", sum.worst_error);
    }
    const cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

/* ------------------------------------------------------------------------------------------------------------ equal time */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const double LEAST_SHOWN = 1e-16; /* E on a logarithmic axis */

/* One line of the table, and the share of problems with a larger E as a falling staircase. values: room for count. */
static void tell_answers(const cst_equal_pair *pair, int count, bool exact, double *values, cst_table *table, cst_chart *chart)
{
    double seconds = 0, sweeps = 0, angle = 0;
    int sliding = 0;
    for (int i = 0; i < count; i++) {
        const cst_equal_answer *of = exact ? &pair[i].exact : &pair[i].pyramid;
        values[i] = of->error;
        seconds += of->seconds;
        sweeps += of->sweeps;
        angle += isnan(of->angle) ? 0 : of->angle;
        sliding += !isnan(of->angle);
    }
    qsort(values, (size_t)count, sizeof *values, ascending);
    cst_table_cell(table, "%s", exact ? "exact (mfb+direct)" : "four-sided cone");
    cst_table_cell(table, "%.0f", sweeps / count);
    cst_table_cell(table, "%.3g", 1e3 * seconds / count);
    cst_table_cell(table, "%.1e", values[count / 2]);
    cst_table_cell(table, "%.1e", values[count - 1]);
    if (sliding)
        cst_table_cell(table, "%.3g", 180 / acos(-1) * angle / sliding);
    else
        cst_table_cell(table, "-");
    const int series = cst_chart_series(chart, &(cst_series_style){.name = exact ? "exact" : "four-sided cone",
                                                                   .line = exact ? CST_LINE_SOLID : CST_LINE_DASHED,
                                                                   .step = true,
                                                                   .thick = exact});
    for (int i = 0; i <= count; i++)
        cst_chart_point(chart, series, fmax(values[i > 0 ? i - 1 : 0], LEAST_SHOWN), (double)(count - i) / count);
}

static bool compare_laws(const cst_problem_set *set, const settings *how)
{
    cst_equal_pair *pair = calloc((size_t)set->count, sizeof *pair);
    double *values = calloc((size_t)set->count, sizeof *values);
    bool good = pair && values && cst_equal_time(set, how->solve.tolerance, how->solve.sweeps, pair);
    if (good) {
        cst_table *table = cst_table_new();
        static const char *const headings[] = {"sweeps", "ms", "median E", "worst E", "friction off by, degrees"};
        cst_table_column(table, "law", CST_ALIGN_LEFT);
        for (size_t k = 0; k < sizeof headings / sizeof *headings; k++)
            cst_table_column(table, headings[k], CST_ALIGN_RIGHT);
        cst_chart *chart =
            cst_chart_new(&(cst_chart_definition){.title = "What is left of the violation in equal time",
                                                  .subtitle = "Gauss-Seidel, judged by the exact law",
                                                  .x = {.label = "E", .logarithmic = true},
                                                  .y = {.label = "problems with more", .percent = true, .low = 0, .high = 1}});
        tell_answers(pair, set->count, true, values, table, chart);
        tell_answers(pair, set->count, false, values, table, chart);
        const cst_look look = cst_terminal_look(stdout);
        cst_table_print(table, stdout, &look);
        cst_table_free(table);
        good = !how->out || cst_chart_files_write(chart, how->out, "equal_time");
        cst_chart_free(chart);
    }
    free(pair);
    free(values);
    return good;
}

/* --------------------------------------------------------------------------------------------------------------- command */

static bool write_csv(const cst_bench_rows *rows, const char *directory)
{
    char *path = cst_path_join(directory, "table2", ".csv");
    const bool written = path && cst_bench_rows_csv(rows, path);
    free(path);
    return written;
}

static int compare(cst_problem_set *set, const settings *how)
{
    const int warm = how->cold ? 0 : cst_problem_set_start_warm(set);
    double contacts = 0;
    for (int i = 0; i < set->count; i++)
        contacts += set->list[i]->explicit_form.contacts;
    printf("%d one-step problems, %.0f contacts in the mean, %d started from the impulses of the step before; %s <= %g, the "
           "four-sided cone "
           "%g;\nprocessor time of one thread, set-up not counted. %% fail-safe, %% failed: of local solves. The paper: 306 "
           "problems of its "
           "own.\n\n",
           set->count, contacts / set->count, warm, how->solve.fischer_burmeister ? "FB" : "E", how->solve.tolerance,
           CST_PYRAMID_TOLERANCE);
    cst_bench_rows rows = {.set = set};
    cst_compare_local(&rows, &how->solve);
    print_local(&rows);
    bool good = !how->out || cst_chart_local(&rows, &how->solve, how->out);
    printf("\nGlobal solvers, at most %d iterations or %g s per problem.\n\n", how->solve.max_iterations, how->solve.time_limit);
    fflush(stdout); /* minutes may pass */
    cst_compare_global(&rows, &how->solve);
    print_global(&rows);
    if (how->out)
        good = cst_chart_global(&rows, &how->solve, false, how->out) && cst_chart_global(&rows, &how->solve, true, how->out) &&
               write_csv(&rows, how->out) && good;
    cst_bench_rows_free(&rows);
    printf("\nThe exact law to E <= %g, and a four-sided cone for the same processor time; both judged by the exact law.\n\n",
           how->solve.tolerance);
    fflush(stdout);
    good = good && !cst_interrupted() && compare_laws(set, how);
    return cst_interrupted() ? CST_EXIT_INTERRUPTED : good ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}

static const cst_command command = {
    .name = "capstan-bench table2",
    .usage = "FILE... [options]",
    .about = "Table 2 and figure 11 of Daviet et al. 2011 on one-step problems of one's own.",
    .more = "Each FILE is a problem or a directory of them: capstan dump scenes/hair/pony.json --every 10 --out pony."};

int cst_bench_table2(int argc, char **argv)
{
    static const char *const measures[] = {"fb", "error", NULL};
    settings how = {.solve = {.tolerance = 1e-6, .time_limit = 20, .sweeps = 2000, .max_iterations = 20000}};
    const cst_option table[] = {
        cst_option_text("out", &how.out, "DIR", "write table2.csv, the charts (SVG) and their numbers (CSV) there"),
        cst_option_choice("measure", &how.measure, "M", measures,
                          "what the tolerance is on: FB in the scale max |w|, as the paper has it, or E (fb)"),
        cst_option_real("tol", &how.solve.tolerance, "T", 0, 1, "tolerance (1e-6)"),
        cst_option_real("time-limit", &how.solve.time_limit, "S", 1e-3, HUGE_VAL, "seconds per problem and solver (20)"),
        cst_option_integer("sweeps", &how.solve.sweeps, "N", 1, INT_MAX, "at most, for the local solvers (2000)"),
        cst_option_integer("max-iterations", &how.solve.max_iterations, "N", 1, INT_MAX,
                           "at most, for the global solvers (20000)"),
        cst_option_flag("cold", &how.cold, "start from zero, not from the impulses in the files"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    how.solve.fischer_burmeister = how.measure == 0;
    char message[512] = "no problems: name files or directories of them (capstan dump makes some)";
    cst_problem_set set = {0};
    const bool read = operands > 0 && (!how.out || cst_directory_make(how.out, message, sizeof message)) &&
                      cst_problem_set_add_files(&set, operands, argv, false, message, sizeof message) && set.count > 0;
    if (!read)
        fprintf(stderr, "capstan-bench table2: %s\n", message);
    code = read ? compare(&set, &how) : CST_EXIT_BAD;
    cst_problem_set_free(&set);
    return code;
}
