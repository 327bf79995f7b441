/* capstan-bench stones: card houses, arches, walls and stacks of rigid blocks step by step: steps missed, iterations, time of a step. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "generate/stones.h"
#include "harness/cpu_clock.h"
#include "write/table.h"

static const double DROP = 1e-4; /* m, of every contact at first */

typedef struct settings {
    cst_friction_options options;
    double seconds, time_limit;
} settings;

typedef struct tally {
    int steps, missed, contacts;
    double worst_error, iterations, total, longest, fall;
} tally;

typedef cst_stones *(*maker)(void);

static cst_stones *stack_5(void)
{
    return cst_box_stack(5, 0.5, 1.0, DROP);
}

static cst_stones *stack_20(void)
{
    return cst_box_stack(20, 0.5, 1.0, DROP);
}

static cst_stones *wall_6(void)
{
    return cst_brick_wall(6, 6, 0.6, DROP);
}

static cst_stones *wall_12(void)
{
    return cst_brick_wall(12, 12, 0.6, DROP);
}

static cst_stones *arch_25(void)
{
    return cst_stone_arch(25, 0.7, DROP);
}

static cst_stones *arch_101(void)
{
    return cst_stone_arch(101, 0.7, DROP);
}

static cst_stones *house_4(void)
{
    return cst_card_house(4, 0.6, DROP);
}

static cst_stones *house_5(void)
{
    return cst_card_house(5, 0.6, DROP);
}

static cst_stones *house_10(void)
{
    return cst_card_house(10, 0.6, DROP);
}

static cst_stones *falling_arch(void)
{
    return cst_stone_arch(25, 0.2, DROP);
}

static cst_stones *falling_house(void)
{
    return cst_card_house(5, 0.2, DROP);
}

static const maker ASSEMBLIES[] = {stack_5, stack_20, wall_6,   wall_12,      arch_25,      arch_101,
                                   house_4, house_5,  house_10, falling_arch, falling_house};

static double lowest_change(const cst_stones *stones, const double *height)
{
    double fall = 0.0;
    for (int i = 0; i < stones->stones; i++)
        fall = fmax(fall, height[i] - stones->stone[i].x[2]);
    return fall;
}

static bool take_step(cst_stones *stones, const settings *how, double *v, tally *sum)
{
    cst_body_problem problem;
    cst_friction_report report;
    double *r;
    if (!cst_stones_problem(stones, &problem, &r))
        return false;
    const double before = cst_cpu_seconds();
    cst_friction_solve_bodies(&problem, &how->options, r, NULL, v, &report);
    const double took = cst_cpu_seconds() - before;
    sum->steps++;
    sum->missed += report.status != CST_SOLVED;
    sum->contacts = problem.contacts > sum->contacts ? problem.contacts : sum->contacts;
    sum->worst_error = fmax(sum->worst_error, report.residual.error);
    sum->iterations += report.iterations;
    sum->total += took;
    sum->longest = fmax(sum->longest, took);
    cst_stones_advance(stones, &problem, v, r);
    return true;
}

static bool run(cst_stones *stones, const settings *how, tally *sum)
{
    const int steps = (int)ceil(how->seconds / stones->dt);
    double *v = calloc(6 * (size_t)stones->stones, sizeof *v), *height = calloc((size_t)stones->stones, sizeof *height);
    bool sound = v && height;
    for (int i = 0; sound && i < stones->stones; i++)
        height[i] = stones->stone[i].x[2];
    for (int k = 0; sound && k < steps && sum->total < how->time_limit && !cst_interrupted(); k++)
        sound = take_step(stones, how, v, sum);
    if (sound)
        sum->fall = lowest_change(stones, height);
    free(v);
    free(height);
    return sound;
}

static void add_row(cst_table *table, const char *name, const tally *sum)
{
    const int steps = sum->steps > 0 ? sum->steps : 1;
    cst_table_cell(table, "%s", name);
    cst_table_cell(table, "%d", sum->contacts);
    cst_table_cell(table, "%d", sum->steps);
    cst_table_cell(table, "%d", sum->missed);
    cst_table_tone(table, sum->missed == 0 ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
    cst_table_cell(table, "%.1e", sum->worst_error);
    cst_table_cell(table, "%.2f", sum->iterations / steps);
    cst_table_seconds(table, sum->total / steps);
    cst_table_seconds(table, sum->longest);
    cst_table_cell(table, "%.2g m", sum->fall);
}

static const cst_command command = {.name = "capstan-bench stones",
                                    .usage = "[options]",
                                    .about = "Card houses, arches, walls and stacks step by step: steps missed, and time.",
                                    .more = "They land from 0.1 mm and stand; the last two have too little friction and fall."};

int cst_bench_stones(int argc, char **argv)
{
    settings how = {.options = cst_friction_options_default(), .seconds = 10, .time_limit = 60};
    how.options.tolerance = 1e-8;
    cst_choices choices;
    cst_choices_fill(&choices);
    int solver = CST_SOLVER_AUTO;
    const cst_option options[] = {
        cst_option_real("seconds", &how.seconds, "T", 1e-3, 1e6, "simulated, of each (10)"),
        cst_option_choice("solver", &solver, "S", choices.solver, "global solver"),
        cst_option_real("tol", &how.options.tolerance, "T", 0, 1, "tolerance on E (1e-8)"),
        cst_option_integer("max-iterations", &how.options.max_iterations, "N", 1, INT_MAX, "per step (100000)"),
        cst_option_real("time-limit", &how.time_limit, "S", 1e-3, HUGE_VAL, "seconds of solving per assembly (60)"),
    };
    int code;
    if (cst_arguments_parse(&command, options, CST_OPTION_COUNT_OF(options), argc, argv, &code) < 0)
        return code;
    how.options.solver = (cst_solver)solver;
    static const char *const headings[] = {"assembly",   "contacts", "steps",   "missed", "worst E",
                                           "iterations", "a step",   "longest", "fall"};
    cst_table *table = cst_table_new();
    for (int i = 0; i < 9; i++)
        cst_table_column(table, headings[i], i == 0 ? CST_ALIGN_LEFT : CST_ALIGN_RIGHT);
    bool sound = true;
    for (size_t i = 0; sound && i < sizeof ASSEMBLIES / sizeof *ASSEMBLIES && !cst_interrupted(); i++) {
        cst_stones *stones = ASSEMBLIES[i]();
        tally sum = {0};
        sound = stones && run(stones, &how, &sum);
        if (sound)
            add_row(table, stones->name, &sum);
        cst_stones_free(stones);
    }
    printf("E <= %g in every step, %s, dt 5 ms; processor time of one thread.\n\n", how.options.tolerance,
           cst_solver_name(how.options.solver));
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    return sound ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}
