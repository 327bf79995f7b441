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
#include "cli/progress.h"
#include "cli/terminal.h"
#include "solvers/assembly.h"
#include "solvers/compare.h"
#include "write/file_write.h"

typedef struct settings {
    cst_comparison solve;
    int problems;
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
    const bool read = cst_problem_set_add_files(set, operands, argv, false, message, sizeof message);
    if (!read)
        fprintf(stderr, "capstan-bench solvers: %s\n", message);
    return read;
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

static bool write_results(const cst_bench_rows *rows, const settings *how, const cst_chart *assembly)
{
    bool written = !how->csv || cst_bench_rows_csv(rows, how->csv);
    if (how->plots) {
        written = cst_chart_local(rows, &how->solve, how->plots) && written;
        written = cst_chart_global(rows, &how->solve, false, how->plots) && written;
        written = cst_chart_global(rows, &how->solve, true, how->plots) && written;
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
           contacts, how->solve.tolerance);
    cst_bench_rows rows = {.set = set};
    cst_compare_local(&rows, &how->solve);
    printf("Local solvers within Gauss-Seidel, at most %d sweeps. %% fail-safe: share of local solves that called the direct "
           "solver;\n"
           "%% failed: share that stayed unsolved. Means over all problems.\n\n",
           how->solve.sweeps);
    print_local(&rows);

    cst_compare_global(&rows, &how->solve);
    char message[256] = "";
    if (!how->no_siconos && !cst_interrupted())
        cst_bench_rows_siconos(&rows, how->solve.tolerance, 4 * how->solve.time_limit, message, sizeof message);
    printf("\nGlobal solvers, at most %d iterations or %g s per problem. Siconos: the fewest iterations that reach the "
           "tolerance, found\n"
           "by bisection; a miss counts as its time limit. All are judged by the same residual.\n\n",
           how->solve.max_iterations, how->solve.time_limit);
    print_global(&rows);
    if (*message)
        printf("Siconos is not in the table: %s\n", message);

    cst_chart *assembly = NULL;
    bool same = true;
    if (how->assembly_contacts > 0 && !cst_interrupted()) {
        printf("\nAssembly of W on hair-like strands.\n\n");
        same = cst_bench_assembly(how->solve.time_limit, how->assembly_contacts, &assembly);
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
    settings how = {.solve = {.tolerance = 1e-6, .time_limit = 2, .sweeps = 600, .max_iterations = 20000},
                    .problems = 80,
                    .assembly_contacts = 12800};
    const cst_option table[] = {
        cst_option_text("csv", &how.csv, "FILE", "write every solve as a row of a CSV file"),
        cst_option_text("plots", &how.plots, "DIR", "write the charts (SVG) and their numbers (CSV) there"),
        cst_option_real("tol", &how.solve.tolerance, "T", 0, 1, "tolerance on E (1e-6)"),
        cst_option_real("time-limit", &how.solve.time_limit, "S", 1e-3, HUGE_VAL, "seconds per problem and solver (2)"),
        cst_option_integer("problems", &how.problems, "N", 1, 100000, "how many to make, without FILES (80)"),
        cst_option_integer("sweeps", &how.solve.sweeps, "N", 1, INT_MAX, "at most, for the local solvers (600)"),
        cst_option_integer("max-iterations", &how.solve.max_iterations, "N", 1, INT_MAX,
                           "at most, for the global solvers (20000)"),
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
