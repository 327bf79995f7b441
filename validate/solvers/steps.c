/* capstan-bench steps: one-step problems of capstan dump, solved as a simulation solves them, from the impulses of the step before. Time to a moving and to a
 * resting tolerance by solver and form, what an iteration costs per contact, and what a sweep costs beside reading its data once. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "solvers/rows.h"
#include "solvers/sweep_cost.h"

typedef struct settings {
    double moving, resting; /* tolerances on E */
    double time_limit;
    int max_iterations;
    bool cold;
    const char *csv;
} settings;

static const cst_solver SOLVERS[] = {CST_SOLVER_AUTO, CST_SOLVER_ACCELERATED, CST_SOLVER_GAUSS_SEIDEL,
                                     CST_SOLVER_PROJECTED_GAUSS_SEIDEL};
static const cst_form FORMS[] = {CST_FORM_AUTO, CST_FORM_EXPLICIT, CST_FORM_PRODUCT};
enum { SOLVER_ROWS = sizeof SOLVERS / sizeof *SOLVERS, FORM_ROWS = sizeof FORMS / sizeof *FORMS };

static double contacts_of(const cst_problem_set *set)
{
    double sum = 0;
    for (int i = 0; i < set->count; i++)
        sum += set->list[i]->explicit_form.contacts;
    return sum;
}

static void tell_row(cst_table *table, const cst_bench_row *row, const cst_problem_set *set)
{
    double iterations = 0, seconds = 0, setup = 0, visits = 0;
    int known = 0, solved = 0, most = 0;
    for (int i = 0; i < set->count; i++) {
        const cst_bench_cell *cell = &row->cell[i];
        if (!cell->known)
            continue;
        known++;
        solved += cell->solved;
        iterations += cell->iterations;
        most = cell->iterations > most ? cell->iterations : most;
        seconds += cell->seconds;
        setup += cell->setup;
        visits += (double)cell->iterations * set->list[i]->explicit_form.contacts;
    }
    if (known == 0)
        return;
    cst_table_cell(table, "%s", row->label);
    cst_table_cell(table, "%.0e", row->options.tolerance);
    cst_table_cell(table, "%d", known - solved);
    cst_table_tone(table, solved == known ? CST_TONE_GOOD : CST_TONE_BAD);
    cst_table_cell(table, "%.1f", iterations / known);
    cst_table_cell(table, "%d", most);
    cst_table_cell(table, "%.3g", 1e3 * setup / known);
    cst_table_cell(table, "%.3g", 1e3 * seconds / known);
    cst_table_cell(table, "%.3g", 1e6 * seconds / contacts_of(set));
    if (visits > 0)
        cst_table_cell(table, "%.3g", 1e6 * seconds / visits);
    else
        cst_table_cell(table, "-");
}

static void run_rows(cst_bench_rows *rows, const settings *how, bool bodies, cst_table *table)
{
    for (int t = 0; t < 2; t++) {
        for (int s = 0; s < SOLVER_ROWS; s++)
            for (int f = bodies ? 0 : 1; f < (bodies ? FORM_ROWS : 2) && !cst_interrupted(); f++) {
                char label[48];
                snprintf(label, sizeof label, "%s, %s", cst_solver_name(SOLVERS[s]), cst_form_name(FORMS[f]));
                cst_bench_row *row = cst_bench_rows_add(rows, CST_ROW_GLOBAL, label);
                if (!row)
                    return;
                row->form = FORMS[f];
                row->options.solver = SOLVERS[s];
                row->options.tolerance = t == 0 ? how->moving : how->resting;
                row->options.max_iterations = how->max_iterations;
                row->time_limit = how->time_limit;
                cst_bench_row_run(row, rows->set);
                tell_row(table, row, rows->set);
            }
        if (t == 0)
            cst_table_rule(table);
    }
}

/* Bytes of Z = L^-1 H^T that a sweep in product form reads, at most: rows above the first dof touched are not kept. */
static size_t product_bytes(const cst_body_problem *bodies)
{
    size_t doubles = 0;
    for (int i = 0; i < bodies->contacts; i++) {
        const int32_t body[2] = {bodies->side_a[i].body, bodies->side_b[i].body};
        for (int side = 0; side < 2; side++)
            if (body[side] >= 0 && (side == 0 || body[1] != body[0]))
                doubles += (size_t)bodies->dim * (size_t)bodies->body[body[side]].size;
    }
    return doubles * sizeof(double);
}

/* What a sweep costs on the largest problem. */
static void tell_sweeps(const cst_problem_set *set, bool bodies)
{
    cst_set_problem *largest = set->list[0];
    for (int i = 1; i < set->count; i++)
        if (set->list[i]->explicit_form.contacts > largest->explicit_form.contacts)
            largest = set->list[i];
    const int n = largest->explicit_form.contacts;
    printf("\nA sweep of gauss-seidel over all contacts of %s (%d contacts), one thread:\n", largest->name, n);
    for (int f = 0; f < (bodies ? 2 : 1) && n > 0; f++) {
        const size_t bytes = f == 0 ? cst_explicit_bytes(&largest->explicit_form) : product_bytes(largest->bodies);
        cst_sweep_cost cost;
        if (!cst_sweep_cost_measure(largest, f == 0 ? CST_FORM_EXPLICIT : CST_FORM_PRODUCT, &cost))
            return;
        printf("  %-8s  %6.0f ns and %5.0f bytes per contact; reading that many bytes once takes %.0f %% of it\n",
               f == 0 ? "explicit" : "product", 1e9 * cost.seconds / n, (double)bytes / n,
               100 * cst_streaming_seconds(bytes) / cost.seconds);
    }
}

static int measure(cst_problem_set *set, const settings *how)
{
    const int warm = how->cold ? 0 : cst_problem_set_start_warm(set);
    bool bodies = true;
    for (int i = 0; i < set->count; i++) {
        bodies = bodies && set->list[i]->bodies;
        set->list[i]->assembles = true;
    }
    printf("%d problems, %.0f contacts in the mean, %d of them from the impulses of the step before; processor time of one "
           "thread.%s\n\n",
           set->count, contacts_of(set) / set->count, warm,
           bodies ? "" : "\nNot all have bodies (capstan dump --form global writes them): explicit form only.");
    static const char *const headings[] = {"E <=",       "unsolved",  "iterations",     "most",
                                           "set-up, ms", "solve, ms", "us per contact", "us per contact and iteration"};
    cst_bench_rows rows = {.set = set};
    cst_table *table = cst_table_new();
    cst_table_column(table, "solver, form", CST_ALIGN_LEFT);
    for (size_t k = 0; k < sizeof headings / sizeof *headings; k++)
        cst_table_column(table, headings[k], CST_ALIGN_RIGHT);
    run_rows(&rows, how, bodies, table);
    const cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    if (!cst_interrupted())
        tell_sweeps(set, bodies);
    const bool written = !how->csv || cst_bench_rows_csv(&rows, how->csv);
    cst_bench_rows_free(&rows);
    return cst_interrupted() ? CST_EXIT_INTERRUPTED : written ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}

static const cst_command command = {
    .name = "capstan-bench steps",
    .usage = "FILE... [options]",
    .about = "Solves one-step problems as a simulation does: from the impulses of the step before, by solver and form.",
    .more = "Each FILE is a problem or a directory of them: capstan dump scenes/hair/wisp.json --every 20 --out wisp.\n"
            "The form is chosen by the solver (auto), explicit or product; problems without bodies are solved in explicit form."};

int cst_bench_steps(int argc, char **argv)
{
    settings how = {.moving = 1e-4, .resting = 1e-6, .time_limit = 30, .max_iterations = 20000};
    const cst_option table[] = {
        cst_option_text("csv", &how.csv, "FILE", "write every solve as a row of a CSV file"),
        cst_option_real("moving", &how.moving, "T", 0, 1, "tolerance on E of the first half of the table (1e-4)"),
        cst_option_real("resting", &how.resting, "T", 0, 1, "and of the second (1e-6)"),
        cst_option_real("time-limit", &how.time_limit, "S", 1e-3, HUGE_VAL, "seconds per problem and solver (30)"),
        cst_option_integer("max-iterations", &how.max_iterations, "N", 1, INT_MAX, "at most (20000)"),
        cst_option_flag("cold", &how.cold, "start from zero, not from the impulses in the files"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    char message[512] = "no problems: name files or directories of them (capstan dump makes some)";
    cst_problem_set set = {0};
    const bool read =
        operands > 0 && cst_problem_set_add_files(&set, operands, argv, true, message, sizeof message) && set.count > 0;
    if (!read)
        fprintf(stderr, "capstan-bench steps: %s\n", message);
    code = read ? measure(&set, &how) : CST_EXIT_BAD;
    cst_problem_set_free(&set);
    return code;
}
