/* capstan-bench demo: what `make demo` shows. Every global solver on a few problems of each family, in seconds. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "benches.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "solvers/rows.h"

enum { BAR_LENGTH = 20 };

/* Easy and hard, two and three dimensions. */
static const struct {
    const char *family;
    int seeds;
} menu[] = {{"rods", 4},  {"rods-nu1", 4}, {"mu2", 4},          {"frictionless", 2}, {"bilateral", 2}, {"grains", 4},
            {"boxes", 2}, {"cards", 2},    {"boxes-pushed", 4}, {"rods-nu2", 4},     {"arch", 2},      {"discs", 2}};

static void print_rows(const cst_bench_rows *rows, FILE *to)
{
    cst_look look = cst_terminal_look(to);
    cst_table *table = cst_table_new();
    cst_table_column(table, "solver", CST_ALIGN_LEFT);
    cst_table_column(table, "solved", CST_ALIGN_RIGHT);
    cst_table_column(table, "", CST_ALIGN_LEFT);
    cst_table_column(table, "median E", CST_ALIGN_RIGHT);
    cst_table_column(table, "worst E", CST_ALIGN_RIGHT);
    cst_table_column(table, "iterations", CST_ALIGN_RIGHT);
    cst_table_column(table, "time each", CST_ALIGN_RIGHT);
    for (int i = 0; i < rows->count; i++) {
        cst_row_summary sum = cst_bench_row_summary(&rows->row[i], rows->set);
        if (sum.known == 0)
            continue;
        const char *block = look.unicode ? "█" : "#";
        char bar[BAR_LENGTH * 4 + 1] = "";
        for (int k = 0; k < BAR_LENGTH * sum.solved / sum.known; k++)
            snprintf(bar + (size_t)k * strlen(block), sizeof bar - (size_t)k * strlen(block), "%s", block);
        bool all = sum.solved == sum.known;
        cst_table_cell(table, "%s", rows->row[i].label);
        cst_table_tone(table, i == 0 ? CST_TONE_STRONG : CST_TONE_PLAIN);
        cst_table_cell(table, "%d/%d", sum.solved, sum.known);
        cst_table_tone(table, all ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
        cst_table_cell(table, "%s", bar);
        cst_table_tone(table, all ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
        cst_table_cell(table, "%.1e", sum.median_error);
        cst_table_cell(table, "%.1e", sum.worst_error);
        cst_table_cell(table, "%.0f", sum.iterations);
        cst_table_seconds(table, sum.seconds);
    }
    cst_table_print(table, to, &look);
    cst_table_free(table);
}

static const cst_command command = {.name = "capstan-bench demo",
                                    .usage = "[options]",
                                    .about = "Every solver on a few problems of each generated family, in a few seconds."};

int cst_bench_demo(int argc, char **argv)
{
    double tolerance = 1e-8;
    const cst_option table[] = {cst_option_real("tol", &tolerance, "T", 0, 1, "tolerance on E (1e-8)")};
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;

    double started = cst_clock_seconds();
    char message[256];
    cst_problem_set set = {0};
    int contacts = 0;
    for (size_t i = 0; i < sizeof menu / sizeof menu[0]; i++) {
        for (int seed = 1; seed <= menu[i].seeds; seed++) {
            if (!cst_problem_set_add_generated(&set, menu[i].family, (uint64_t)seed, NULL, message, sizeof message)) {
                fprintf(stderr, "capstan-bench demo: %s\n", message);
                cst_problem_set_free(&set);
                return CST_EXIT_BAD;
            }
            contacts += set.list[set.count - 1]->explicit_form.contacts;
        }
    }
    printf(
        "%d problems of %zu families made here (rods, grains, stacked and pushed boxes, cards, an arch): %d contacts in all.\n\n",
        set.count, sizeof menu / sizeof menu[0], contacts);

    cst_bench_rows rows = {.set = &set};
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        cst_bench_row *row = cst_bench_rows_add(&rows, CST_ROW_GLOBAL, cst_solver_name((cst_solver)solver));
        if (!row)
            break;
        row->options.solver = (cst_solver)solver;
        row->options.tolerance = tolerance;
        row->options.max_iterations = 3000;
        row->time_limit = 0.5;
        cst_bench_row_run(row, &set);
    }
    print_rows(&rows, stdout);
    printf(
        "\nHow to read it: E is the largest violation of the Coulomb law at any contact, divided by the largest approach speed "
        "in\n"
        "the problem (E = 1: nothing was done). Solved means E <= %g, computed from the problem and the answer alone, by code\n"
        "that no solver shares. Each solver had 3000 iterations per problem; auto picks among them and switches.\n"
        "This took %.1f s.\n\n"
        "Next: capstan solve FILE         a problem of yours (FCLIB HDF5, Siconos text)\n"
        "      capstan-bench solvers      the full comparison, with charts\n"
        "      include/capstan/friction.h the library\n",
        tolerance, cst_clock_seconds() - started);
    cst_bench_rows_free(&rows);
    cst_problem_set_free(&set);
    return CST_EXIT_SOLVED; /* it shows, misses included; tests are where a miss is a fault */
}
