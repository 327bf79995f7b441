/* capstan-bench rodpile: hair-like assemblies (rodpile.py) next to so-bogus' figures.
 *
 * auto on one thread, to 1e-4, 1e-6 and 1e-8 in the peers' measure (Fischer-Burmeister, velocity scale max |w_i|), with W formed
 * and through the bodies; the cost of a sweep next to the cost of reading W; Siconos' NSGS as the anchor of the clock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/csv_read.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "harness/bench_data.h"
#include "solvers/rows.h"
#include "solvers/siconos_peer.h"
#include "solvers/sweep_cost.h"
#include "solvers/timed_run.h"
#include "write/csv.h"
#include "write/file_write.h"
#include "write/table.h"

enum { LEVELS = 3, FORMS = 2, PAIRS_MAX = 64 };

static const double levels[LEVELS] = {1e-4, 1e-6, 1e-8};
static const char *const level_columns[LEVELS] = {"cpu_1e-4", "cpu_1e-6", "cpu_1e-8"};
static const cst_form forms[FORMS] = {CST_FORM_EXPLICIT, CST_FORM_PRODUCT};

/* Seconds that Siconos' NSGS took to 1e-6 on so-bogus' machine. */
static const struct {
    const char *problem;
    double seconds;
} anchors[] = {{"rpm144", 0.0206}, {"rpr144", 0.632}};

typedef struct settings {
    double time_limit;
    int repeat;
    const char *csv;
    bool no_siconos, all_solvers, no_sweeps;
} settings;

/* One problem in its two files. `with_bodies` is NULL where the global file is not there. */
typedef struct pair {
    char name[96];
    int contacts;
    cst_set_problem *with_matrix, *with_bodies;
    cst_timed_run run[FORMS][LEVELS];
} pair;

static void print_recipe(const char *directory)
{
    printf("No rp*_local.hdf5 in %s. To make them (rodpile.py is among the shared problems; numpy, scipy, h5py):\n\n"
           "    mkdir -p %s && cd %s\n"
           "    for n in 144 576 2304; do\n"
           "        python3 rodpile.py --rods $n --seed 1 --out rpm$n\n"
           "        python3 rodpile.py --rods $n --seed 1 --rest 1 --vel 0.005 --jit 0 --out rpr$n\n"
           "    done\n\n"
           "Harder ones, for --all-solvers:\n\n"
           "    for s in 1 2 3 4 5; do\n"
           "        python3 rodpile.py --rods 144 --seed $s --ea 880 --out rpm144-stiff-$s\n"
           "        python3 rodpile.py --rods 144 --seed $s --slack 0 --out rpm144-tight-$s\n"
           "        python3 rodpile.py --rods 144 --seed $s --nodes 6 --out rpm144-coarse-$s\n"
           "        python3 rodpile.py --rods 144 --seed $s --ea 880 --rest 1 --vel 0.005 --jit 0 --out rpr144-stiff-$s\n"
           "    done\n",
           directory, directory, directory);
}

/* The best single-thread row of so-bogus; NaN and "" if the problem is not one of theirs. */
static double best_published(const cst_csv_file *rows, const char *problem, int level, const char **who)
{
    double best = NAN;
    *who = "";
    for (int i = 0; i < rows->rows; i++) {
        double seconds = cst_csv_number(rows, i, level_columns[level]);
        if (strcmp(cst_csv_field(rows, i, "problem"), problem) != 0 || strcmp(cst_csv_field(rows, i, "threads"), "1") != 0 ||
            isnan(seconds) || seconds >= best)
            continue;
        best = seconds;
        *who = cst_csv_field(rows, i, "solver");
    }
    return best;
}

static void solve_pair(pair *p, const settings *how)
{
    double scale = cst_friction_largest_velocity(&p->with_matrix->explicit_form);
    for (int f = 0; f < FORMS; f++) {
        cst_set_problem *problem = f == 0 ? p->with_matrix : p->with_bodies;
        for (int level = 0; problem && level < LEVELS && !cst_interrupted(); level++) {
            cst_friction_options options = cst_friction_options_default();
            options.tolerance = levels[level];
            options.judge_by_fischer_burmeister = true;
            options.velocity_scale = scale;
            cst_timed_solve(problem, forms[f], &options, how->time_limit, how->repeat, cst_form_name(forms[f]),
                            &p->run[f][level]);
        }
    }
}

static void print_times(const pair *all, int count, const cst_csv_file *rows, double clock)
{
    static const char *const headings[] = {"problem", "contacts", "form",     "FB <=", "status", "FB",       "its",
                                           "time",    "set-up",   "so-bogus", "with",  "faster", "by anchor"};
    static const char alignment[] = "lrlrlrrrrrlrr";
    cst_table *table = cst_table_new();
    for (int i = 0; i < 13; i++)
        cst_table_column(table, headings[i], alignment[i] == 'l' ? CST_ALIGN_LEFT : CST_ALIGN_RIGHT);
    for (int i = 0; i < count; i++) {
        cst_table_rule(table);
        for (int f = 0; f < FORMS; f++) {
            for (int level = 0; level < LEVELS && (f == 0 || all[i].with_bodies); level++) {
                const cst_timed_run *run = &all[i].run[f][level];
                const char *who;
                double theirs = best_published(rows, all[i].name, level, &who);
                cst_table_cell(table, "%s", all[i].name);
                cst_table_cell(table, "%d", all[i].contacts);
                cst_table_cell(table, "%s", cst_form_name(run->report.form));
                cst_table_cell(table, "%g", levels[level]);
                cst_table_cell(table, "%s", cst_status_name(run->report.status));
                cst_table_tone(table, run->solved ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
                cst_table_cell(table, "%.1e", run->report.residual.fischer_burmeister);
                cst_table_cell(table, "%d", run->report.iterations);
                cst_table_seconds(table, run->cpu);
                cst_table_seconds(table, run->cpu_setup);
                cst_table_seconds(table, theirs);
                cst_table_cell(table, "%s", who);
                bool comparable = !isnan(theirs) && run->solved;
                if (comparable)
                    cst_table_cell(table, "%.2fx", theirs / run->cpu);
                else
                    cst_table_cell(table, "%s", "");
                cst_table_tone(table, comparable && theirs / run->cpu >= 3 ? CST_TONE_GOOD : CST_TONE_PLAIN);
                if (comparable && !isnan(clock))
                    cst_table_cell(table, "%.2fx", theirs * clock / run->cpu);
                else
                    cst_table_cell(table, "%s", "");
            }
        }
    }
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

static void print_sweeps(pair *all, int count)
{
    static const char *const headings[] = {"problem",   "contacts", "W",      "reading W",       "form", "sweep", "ns/contact",
                                           "GB/s of W", "of floor", "memory", "MB/1000 contacts"};
    static const char alignment[] = "lrrrlrrrrrr";
    cst_table *table = cst_table_new();
    for (int i = 0; i < 11; i++)
        cst_table_column(table, headings[i], alignment[i] == 'l' ? CST_ALIGN_LEFT : CST_ALIGN_RIGHT);
    for (int i = 0; i < count && !cst_interrupted(); i++) {
        const cst_friction_problem *w = &all[i].with_matrix->explicit_form;
        size_t bytes = cst_explicit_bytes(w);
        double floor_seconds = cst_streaming_seconds(bytes);
        for (int f = 0; f < FORMS; f++) {
            cst_set_problem *problem = f == 0 ? all[i].with_matrix : all[i].with_bodies;
            cst_sweep_cost cost;
            if (!problem || !cst_sweep_cost_measure(problem, forms[f], &cost))
                continue;
            cst_table_cell(table, "%s", all[i].name);
            cst_table_cell(table, "%d", w->contacts);
            cst_table_cell(table, "%.1f MB", 1e-6 * (double)bytes);
            cst_table_seconds(table, floor_seconds);
            cst_table_cell(table, "%s", cst_form_name(forms[f]));
            cst_table_seconds(table, cost.seconds);
            cst_table_cell(table, "%.0f", 1e9 * cost.seconds / w->contacts);
            if (f == 0) {
                cst_table_cell(table, "%.1f", 1e-9 * (double)bytes / cost.seconds);
                cst_table_cell(table, "%.0f%%", 100 * floor_seconds / cost.seconds);
            } else {
                cst_table_cell(table, "%s", "");
                cst_table_cell(table, "%s", "");
            }
            cst_table_cell(table, "%.1f MB", 1e-6 * (double)cost.memory_bytes);
            cst_table_cell(table, "%.2f", 1e-3 * (double)cost.memory_bytes / w->contacts);
        }
    }
    printf("\nOne sweep of Gauss-Seidel over all contacts, nothing frozen, one thread. Reading W: summing as many bytes in this "
           "run.\n\n");
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

/* Every solver on every problem: time where solved, what was reached where not. */
static void print_all_solvers(pair *all, int count, const settings *how)
{
    cst_set_problem *list[PAIRS_MAX];
    for (int i = 0; i < count; i++)
        list[i] = all[i].with_matrix;
    const cst_problem_set set = {.list = list, .count = count};
    cst_bench_rows rows = {.set = &set};
    cst_table *table = cst_table_new();
    cst_table_column(table, "problem", CST_ALIGN_LEFT);
    cst_table_column(table, "contacts", CST_ALIGN_RIGHT);
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        cst_bench_row *row = cst_bench_rows_add(&rows, CST_ROW_GLOBAL, cst_solver_name((cst_solver)solver));
        if (!row)
            break;
        row->options.solver = (cst_solver)solver;
        row->options.tolerance = 1e-6;
        row->options.judge_by_fischer_burmeister = true;
        row->time_limit = how->time_limit;
        cst_bench_row_run(row, &set);
        cst_table_column(table, row->label, CST_ALIGN_RIGHT);
    }
    for (int i = 0; i < count; i++) {
        cst_table_cell(table, "%s", list[i]->name);
        cst_table_cell(table, "%d", list[i]->explicit_form.contacts);
        for (int k = 0; k < rows.count; k++) {
            const cst_bench_cell *cell = &rows.row[k].cell[i];
            if (cell->solved)
                cst_table_seconds(table, cell->seconds);
            else
                cst_table_cell(table, "%s %.0e", cell->known ? "at" : "not run", cell->error);
            cst_table_tone(table, cell->solved ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
        }
    }
    printf("\nEvery solver to FB <= 1e-6 within %g s: processor time, or the value it was at.\n\n", how->time_limit);
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    cst_bench_rows_free(&rows);
}

static double measure_clock(const pair *all, int count)
{
    cst_siconos_job job[2];
    double there[2];
    int jobs = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            if (strcmp(all[i].name, anchors[k].problem) != 0 || jobs == 2)
                continue;
            there[jobs] = anchors[k].seconds;
            job[jobs++] = (cst_siconos_job){.problem = &all[i].with_matrix->explicit_form,
                                            .solver = "nsgs",
                                            .goal = CST_SICONOS_FB,
                                            .value = 1e-6,
                                            .scaled = true,
                                            .limit = 120};
        }
    }
    char message[256] = "rpm144 and rpr144 are not here";
    if (jobs == 0 || !cst_siconos_available(message, sizeof message) || !cst_siconos_run(job, jobs, message, sizeof message)) {
        printf("No anchor for the clock: %s\n\n", message);
        return NAN;
    }
    double clock = NAN, longest = 0;
    for (int i = 0; i < jobs; i++) {
        if (!job[i].r)
            continue;
        printf("Anchor: Siconos NSGS to FB <= 1e-6 took %.4g s here (%d iterations) and %.4g s on so-bogus' machine.\n",
               job[i].seconds, job[i].iterations, there[i]);
        /* Their count of iterations is not known, and was rounded up: the longer run says more about the clock. */
        if (there[i] > longest) {
            longest = there[i];
            clock = job[i].seconds / there[i];
        }
    }
    cst_siconos_free(job, jobs);
    putchar('\n');
    return clock;
}

static bool write_csv(const pair *all, int count, const cst_csv_file *rows, double clock, const char *path)
{
    char message[512];
    cst_file_write file;
    if (!cst_file_write_begin(&file, path, message, sizeof message)) {
        fprintf(stderr, "capstan-bench rodpile: %s\n", message);
        return false;
    }
    cst_csv csv = cst_csv_begin(file.to);
    cst_csv_header(&csv,
                   (const char *const[]){"problem", "contacts", "form", "tolerance", "status", "solver", "fischer_burmeister",
                                         "iterations", "seconds", "setup_seconds", "cpu_seconds", "cpu_setup_seconds",
                                         "memory_bytes", "sobogus_solver", "sobogus_seconds", "clock", NULL});
    for (int i = 0; i < count; i++) {
        for (int f = 0; f < FORMS; f++) {
            for (int level = 0; level < LEVELS && (f == 0 || all[i].with_bodies); level++) {
                const cst_timed_run *run = &all[i].run[f][level];
                const char *who;
                double theirs = best_published(rows, all[i].name, level, &who);
                cst_csv_text(&csv, all[i].name);
                cst_csv_integer(&csv, all[i].contacts);
                cst_csv_text(&csv, cst_form_name(forms[f]));
                cst_csv_real(&csv, levels[level]);
                cst_csv_text(&csv, cst_status_name(run->report.status));
                cst_csv_text(&csv, cst_solver_name(run->report.solver));
                cst_csv_real(&csv, run->report.residual.fischer_burmeister);
                cst_csv_integer(&csv, run->report.iterations);
                cst_csv_real(&csv, run->report.seconds);
                cst_csv_real(&csv, run->report.setup_seconds);
                cst_csv_real(&csv, run->cpu);
                cst_csv_real(&csv, run->cpu_setup);
                cst_csv_integer(&csv, (int64_t)run->report.memory_bytes);
                cst_csv_text(&csv, who);
                cst_csv_real(&csv, theirs);
                cst_csv_real(&csv, clock);
                cst_csv_row_end(&csv);
            }
        }
    }
    bool written = cst_file_write_commit(&file, message, sizeof message);
    if (!written)
        fprintf(stderr, "capstan-bench rodpile: %s\n", message);
    return written;
}

/* NAME_local.hdf5, and NAME_global.hdf5 where it is. */
static bool read_pairs(const cst_inputs *inputs, cst_problem_set *set, pair *all, int *count, char *message, size_t message_size)
{
    static const char local[] = "_local", global[] = "_global";
    for (int i = 0; i < inputs->count && *count < PAIRS_MAX; i++) {
        const char *name = inputs->file[i].name;
        size_t length = strlen(name);
        if (strncmp(name, "rp", 2) != 0 || length < sizeof local || strcmp(name + length - strlen(local), local) != 0)
            continue;
        size_t stem = length - strlen(local);
        if (stem >= sizeof all->name)
            continue;
        if (!cst_problem_set_add_file(set, &inputs->file[i], false, message, message_size))
            return false;
        pair *p = &all[(*count)++];
        p->with_matrix = set->list[set->count - 1];
        p->with_matrix->name[stem] = '\0';
        memcpy(p->name, p->with_matrix->name, sizeof p->name);
        p->contacts = p->with_matrix->explicit_form.contacts;
        for (int k = 0; k < inputs->count; k++) {
            const char *other = inputs->file[k].name;
            if (strncmp(other, name, stem) != 0 || strcmp(other + stem, global) != 0)
                continue;
            if (!cst_problem_set_add_file(set, &inputs->file[k], true, message, message_size))
                return false;
            p->with_bodies = set->list[set->count - 1];
            p->with_bodies->name[stem] = '\0';
        }
        if (p->with_bodies && !p->with_bodies->bodies)
            p->with_bodies = NULL;
    }
    return true;
}

/* Moving before settled, small before large. */
static int by_kind_and_size(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    int kind = strncmp(x->name, y->name, 3);
    int size = (x->contacts > y->contacts) - (x->contacts < y->contacts);
    return kind ? kind : size ? size : strcmp(x->name, y->name);
}

static int compare(pair *all, int count, const settings *how)
{
    qsort(all, (size_t)count, sizeof *all, by_kind_and_size);
    char message[512], path[2048];
    cst_csv_file rows = {0};
    if (!cst_bench_data_find("solvers/sobogus_rodpile.csv", path, sizeof path) ||
        !cst_csv_file_read(&rows, path, message, sizeof message))
        fputs("capstan-bench rodpile: sobogus_rodpile.csv was not found: set CAPSTAN_BENCH_DATA to the directory validate\n",
              stderr);
    for (int i = 0; i < count; i++)
        solve_pair(&all[i], how);
    double clock = how->no_siconos || cst_interrupted() ? NAN : measure_clock(all, count);
    print_times(all, count, &rows, clock);
    if (!how->no_sweeps)
        print_sweeps(all, count);
    if (how->all_solvers)
        print_all_solvers(all, count, how);
    bool written = !how->csv || write_csv(all, count, &rows, clock, how->csv);
    cst_csv_file_free(&rows);
    bool solved = true;
    for (int i = 0; i < count; i++)
        solved = solved && all[i].run[0][1].solved;
    return !written ? CST_EXIT_BAD : solved ? CST_EXIT_SOLVED : CST_EXIT_MISSED;
}

static const cst_command command = {
    .name = "capstan-bench rodpile",
    .usage = "[DIR] [options]",
    .about = "Hair-like assemblies made by rodpile.py, next to so-bogus' figures.",
    .more = "DIR (rodpile) has rp*_local.hdf5 and rp*_global.hdf5; if not, the lines that make them are printed."};

int cst_bench_rodpile(int argc, char **argv)
{
    settings how = {.time_limit = 60, .repeat = 3};
    const cst_option table[] = {
        cst_option_text("csv", &how.csv, "FILE", "write every solve as a row of a CSV file"),
        cst_option_real("time-limit", &how.time_limit, "S", 1e-3, HUGE_VAL, "seconds per solve (60)"),
        cst_option_integer("repeat", &how.repeat, "K", 1, 100, "best time of K; once if it takes more than 1 s (3)"),
        cst_option_flag("all-solvers", &how.all_solvers, "also every solver on every problem, to FB <= 1e-6"),
        cst_option_flag("no-sweeps", &how.no_sweeps, "leave out the cost of a sweep"),
        cst_option_flag("no-siconos", &how.no_siconos, "no anchor for the clock"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    char usual[] = "rodpile", *directory = operands > 0 ? argv[0] : usual;
    char message[512] = "out of memory";
    cst_inputs inputs;
    cst_problem_set set = {0};
    int count = 0;
    code = CST_EXIT_BAD;
    pair *all = calloc(PAIRS_MAX, sizeof *all);
    bool listed = cst_inputs_gather(&inputs, 1, &directory, message, sizeof message);
    bool read = all && listed && read_pairs(&inputs, &set, all, &count, message, sizeof message);
    if (all && (!listed || (read && count == 0)))
        print_recipe(directory);
    else if (read)
        code = compare(all, count, &how);
    else
        fprintf(stderr, "capstan-bench rodpile: %s\n", message);
    cst_inputs_free(&inputs);
    cst_problem_set_free(&set);
    free(all);
    return code;
}
