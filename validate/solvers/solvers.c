/* capstan-bench solvers: the comparison of Daviet et al. 2011 (table 2: local solvers within Gauss-Seidel; figure 11: share
 * unsolved against iterations; figure 6: assembly of W), the global solvers, and Siconos where it is installed. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/chart_files.h"
#include "cli/choices.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "solvers/assembly.h"
#include "solvers/rows.h"
#include "write/file_write.h"

/* The four-sided pyramid is another law: it is asked for no more than the paper asks of it. */
#define PYRAMID_TOLERANCE 5e-2

typedef struct settings {
    double tolerance;
    double time_limit;
    int problems;
    int sweeps;
    int max_iterations;
    int assembly_contacts;
    const char *csv;
    const char *plots;
    bool no_siconos;
} settings;

static bool gather(const settings *how, int operands, char **argv, cst_problem_set *set)
{
    char message[512];
    if (operands == 0) {
        if (cst_problem_set_add_mixture(set, how->problems, message, sizeof message))
            return true;
        fprintf(stderr, "capstan-bench solvers: %s\n", message);
        return false;
    }
    cst_inputs inputs;
    bool read = cst_inputs_gather(&inputs, operands, argv, message, sizeof message);
    for (int i = 0; read && i < inputs.count; i++)
        read = cst_problem_set_add_file(set, &inputs.file[i], false, message, sizeof message);
    cst_inputs_free(&inputs);
    if (!read)
        fprintf(stderr, "capstan-bench solvers: %s\n", message);
    return read;
}

static void run_local_rows(cst_bench_rows *rows, const settings *how)
{
    cst_choices choices;
    cst_choices_fill(&choices);
    for (int i = 0; i < CST_LOCAL_CHOICES && !cst_interrupted(); i++) {
        cst_bench_row *row = cst_bench_rows_add(rows, CST_ROW_LOCAL, choices.local[i]);
        if (!row)
            return;
        cst_choices_set_local(i, &row->options);
        bool other_law = row->options.local == CST_LOCAL_PYRAMID && !row->options.local_failsafe;
        row->options.solver = CST_SOLVER_GAUSS_SEIDEL;
        row->options.tolerance = other_law ? PYRAMID_TOLERANCE : how->tolerance;
        row->options.max_iterations = how->sweeps;
        row->time_limit = how->time_limit;
        if (other_law)
            snprintf(row->label, sizeof row->label, "%s (to %g)", choices.local[i], PYRAMID_TOLERANCE);
        cst_bench_row_run(row, rows->set);
    }
}

static void run_global_rows(cst_bench_rows *rows, const settings *how)
{
    for (int i = 0; i < CST_SOLVER_COUNT && !cst_interrupted(); i++) {
        cst_bench_row *row = cst_bench_rows_add(rows, CST_ROW_GLOBAL, cst_solver_name((cst_solver)i));
        if (!row)
            return;
        row->options.solver = (cst_solver)i;
        row->options.tolerance = how->tolerance;
        row->options.max_iterations = how->max_iterations;
        row->time_limit = how->time_limit;
        cst_bench_row_run(row, rows->set);
    }
}

static void cell_share(cst_table *table, double part, double whole, bool known)
{
    if (!known || whole <= 0)
        cst_table_cell(table, "%s", "-");
    else
        cst_table_cell(table, "%.3g", 100 * part / whole);
}

static void cell_unsolved(cst_table *table, const cst_row_summary *sum)
{
    double share = 100.0 * (sum->known - sum->solved) / (sum->known ? sum->known : 1);
    cst_table_cell(table, "%.3g", share);
    cst_table_tone(table, share == 0 ? CST_TONE_GOOD : share < 10 ? CST_TONE_DOUBTFUL : CST_TONE_BAD);
}

static void print_local(const cst_bench_rows *rows)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "local solver", CST_ALIGN_LEFT);
    cst_table_column(table, "% fail-safe", CST_ALIGN_RIGHT);
    cst_table_column(table, "% failed", CST_ALIGN_RIGHT);
    cst_table_column(table, "% unsolved", CST_ALIGN_RIGHT);
    cst_table_column(table, "sweeps", CST_ALIGN_RIGHT);
    cst_table_column(table, "time", CST_ALIGN_RIGHT);
    cst_table_column(table, "median E", CST_ALIGN_RIGHT);
    cst_table_column(table, "worst E", CST_ALIGN_RIGHT);
    bool hybrids = false;
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind != CST_ROW_LOCAL)
            continue;
        if (row->options.local_failsafe && !hybrids) {
            cst_table_rule(table);
            hybrids = true;
        }
        cst_row_summary sum = cst_bench_row_summary(row, rows->set);
        cst_table_cell(table, "%s", row->label);
        cell_share(table, (double)row->local_failures, (double)row->local_solves, row->options.local_failsafe);
        cell_share(table, (double)(row->local_failures - row->fallbacks), (double)row->local_solves, true);
        cell_unsolved(table, &sum);
        cst_table_cell(table, "%.0f", sum.iterations);
        cst_table_seconds(table, sum.seconds);
        cst_table_cell(table, "%.1e", sum.median_error);
        cst_table_cell(table, "%.1e", sum.worst_error);
    }
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

static void print_global(const cst_bench_rows *rows)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "solver", CST_ALIGN_LEFT);
    cst_table_column(table, "problems", CST_ALIGN_RIGHT);
    cst_table_column(table, "% unsolved", CST_ALIGN_RIGHT);
    cst_table_column(table, "iterations", CST_ALIGN_RIGHT);
    cst_table_column(table, "time", CST_ALIGN_RIGHT);
    cst_table_column(table, "median E", CST_ALIGN_RIGHT);
    cst_table_column(table, "worst E", CST_ALIGN_RIGHT);
    bool peers = false;
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind == CST_ROW_LOCAL)
            continue;
        if (row->kind == CST_ROW_PEER && !peers) {
            cst_table_rule(table);
            peers = true;
        }
        cst_row_summary sum = cst_bench_row_summary(row, rows->set);
        cst_table_cell(table, "%s", row->label);
        cst_table_tone(table,
                       row->options.solver == CST_SOLVER_AUTO && row->kind == CST_ROW_GLOBAL ? CST_TONE_STRONG : CST_TONE_PLAIN);
        cst_table_cell(table, "%d", sum.known);
        cell_unsolved(table, &sum);
        cst_table_cell(table, "%.0f", sum.iterations);
        cst_table_seconds(table, sum.seconds);
        cst_table_cell(table, "%.1e", sum.median_error);
        cst_table_cell(table, "%.1e", sum.worst_error);
    }
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

/* Figure 11: a hybrid and its primary share a colour, the primary alone is dashed. */
static bool chart_local(const cst_bench_rows *rows, const settings *how)
{
    char subtitle[128];
    snprintf(subtitle, sizeof subtitle, "%d one-step problems, Gauss-Seidel to E <= %g with each local solver", rows->set->count,
             how->tolerance);
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = "Problems not solved within so many sweeps",
                                              .subtitle = subtitle,
                                              .x = {.label = "sweeps", .logarithmic = true},
                                              .y = {.label = "share unsolved", .percent = true, .low = 0, .high = 1}});
    double from = cst_bench_rows_least(rows, true, false);
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind != CST_ROW_LOCAL)
            continue;
        bool alone = row->options.local != CST_LOCAL_DIRECT && !row->options.local_failsafe;
        cst_bench_row_curve(row, rows->set, false, from, chart,
                            &(cst_series_style){.name = row->label,
                                                .line = alone ? CST_LINE_DASHED : CST_LINE_SOLID,
                                                .step = true,
                                                .colour = 1 + (int)row->options.local,
                                                .thick = row->options.local == CST_LOCAL_DIRECT});
    }
    bool written = cst_chart_files_write(chart, how->plots, "unsolved_local");
    cst_chart_free(chart);
    return written;
}

static bool chart_global(const cst_bench_rows *rows, const settings *how, bool by_time)
{
    char subtitle[128];
    snprintf(subtitle, sizeof subtitle, "%d one-step problems, to E <= %g", rows->set->count, how->tolerance);
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = by_time ? "Problems not solved within so much processor time" : "Problems not solved within so many iterations",
        .subtitle = subtitle,
        .x = {.label = by_time ? "processor time, s" : "iterations", .logarithmic = true},
        .y = {.label = "share unsolved", .percent = true, .low = 0, .high = 1}});
    double from = cst_bench_rows_least(rows, false, by_time);
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind == CST_ROW_LOCAL)
            continue;
        bool peer = row->kind == CST_ROW_PEER;
        cst_bench_row_curve(row, rows->set, by_time, from, chart,
                            &(cst_series_style){.name = row->label,
                                                .line = peer ? CST_LINE_DASHED : CST_LINE_SOLID,
                                                .step = true,
                                                .thick = !peer && row->options.solver == CST_SOLVER_AUTO});
    }
    bool written = cst_chart_files_write(chart, how->plots, by_time ? "unsolved_by_time" : "unsolved_by_iterations");
    cst_chart_free(chart);
    return written;
}

static bool write_results(const cst_bench_rows *rows, const settings *how, const cst_chart *assembly)
{
    bool written = true;
    char message[512];
    if (how->csv) {
        cst_file_write file;
        written = cst_file_write_begin(&file, how->csv, message, sizeof message);
        if (written) {
            cst_bench_rows_csv(rows, file.to);
            written = cst_file_write_commit(&file, message, sizeof message);
        }
        if (written)
            printf("wrote %s\n", how->csv);
        else
            fprintf(stderr, "capstan-bench solvers: %s\n", message);
    }
    if (how->plots) {
        written = chart_local(rows, how) && written;
        written = chart_global(rows, how, false) && written;
        written = chart_global(rows, how, true) && written;
        if (assembly)
            written = cst_chart_files_write(assembly, how->plots, "assembly") && written;
    }
    return written;
}

static int compare(cst_problem_set *set, const settings *how)
{
    int contacts = 0;
    for (int i = 0; i < set->count; i++)
        contacts += set->list[i]->explicit_form.contacts;
    printf("%d problems, %d contacts in all; E <= %g; processor time of one thread, set-up not counted.\n\n", set->count,
           contacts, how->tolerance);
    cst_bench_rows rows = {.set = set};
    run_local_rows(&rows, how);
    printf("Local solvers within Gauss-Seidel, at most %d sweeps. %% fail-safe: share of local solves that called the direct "
           "solver;\n"
           "%% failed: share that stayed unsolved. Means over all problems.\n\n",
           how->sweeps);
    print_local(&rows);

    run_global_rows(&rows, how);
    char message[256] = "";
    if (!how->no_siconos && !cst_interrupted())
        cst_bench_rows_siconos(&rows, how->tolerance, 4 * how->time_limit, message, sizeof message);
    printf("\nGlobal solvers, at most %d iterations or %g s per problem. Siconos: the fewest iterations that reach the "
           "tolerance, found\n"
           "by bisection; a miss counts as its time limit. All are judged by the same residual.\n\n",
           how->max_iterations, how->time_limit);
    print_global(&rows);
    if (*message)
        printf("Siconos is not in the table: %s\n", message);

    cst_chart *assembly = NULL;
    bool same = true;
    if (how->assembly_contacts > 0 && !cst_interrupted()) {
        printf("\nAssembly of W on hair-like strands.\n\n");
        same = cst_bench_assembly(how->time_limit, how->assembly_contacts, &assembly);
    }
    if (!same)
        fputs("capstan-bench solvers: the ways of assembling W do not agree\n", stderr);
    putchar('\n');
    bool written = write_results(&rows, how, assembly);
    cst_chart_free(assembly);
    cst_bench_rows_free(&rows);
    return same && written ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}

static const cst_command command = {
    .name = "capstan-bench solvers",
    .usage = "[FILE...] [options]",
    .about = "Compares local solvers, global solvers and the assembly of W.",
    .more = "Without FILES on problems made here: rods (20 to 60 contacts, mu 0.1 to 0.8) and grains with a known solution.\n"
            "If python3-siconos is installed, its NSGS, nonsmooth Newton and PROX are timed in the same run."};

int cst_bench_solvers(int argc, char **argv)
{
    settings how = {
        .tolerance = 1e-6, .time_limit = 2, .problems = 80, .sweeps = 600, .max_iterations = 20000, .assembly_contacts = 12800};
    const cst_option table[] = {
        cst_option_text("csv", &how.csv, "FILE", "write every solve as a row of a CSV file"),
        cst_option_text("plots", &how.plots, "DIR", "write the charts (SVG) and their numbers (CSV) there"),
        cst_option_real("tol", &how.tolerance, "T", 0, 1, "tolerance on E (1e-6)"),
        cst_option_real("time-limit", &how.time_limit, "S", 1e-3, HUGE_VAL, "seconds per problem and solver (2)"),
        cst_option_integer("problems", &how.problems, "N", 1, 100000, "how many to make, without FILES (80)"),
        cst_option_integer("sweeps", &how.sweeps, "N", 1, INT_MAX, "at most, for the local solvers (600)"),
        cst_option_integer("max-iterations", &how.max_iterations, "N", 1, INT_MAX, "at most, for the global solvers (20000)"),
        cst_option_integer("assembly", &how.assembly_contacts, "N", 0, 1000000,
                           "largest problem of the assembly table, 0: none (12800)"),
        cst_option_flag("no-siconos", &how.no_siconos, "leave Siconos out although it is installed"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    char message[512];
    if (how.plots && !cst_directory_make(how.plots, message, sizeof message)) {
        fprintf(stderr, "capstan-bench solvers: %s\n", message);
        return CST_EXIT_BAD;
    }
    cst_problem_set set = {0};
    code = gather(&how, operands, argv, &set) ? compare(&set, &how) : CST_EXIT_BAD;
    cst_problem_set_free(&set);
    return code;
}
