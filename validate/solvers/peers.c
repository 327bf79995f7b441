/* capstan-bench peers: the published problems with `auto`, next to what other solvers did on them.
 *
 *   (a) W as given, E <= 1e-6 and 1e-8, every problem;
 *   (b) W symmetrised, in the peers' own measure (Fischer-Burmeister with the velocity scale max |w_i|), to 1e-6 and 1e-8, against
 *       the best single peer and against the virtual best, the fastest on each problem.
 *
 * Peers' times are processor seconds on another machine. The anchor says how that clock compares with this one: Siconos' NSGS is
 * run here for exactly the iterations it needed there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "solvers/peer_times.h"
#include "solvers/problem_set.h"
#include "solvers/siconos_peer.h"
#include "solvers/timed_run.h"
#include "write/csv.h"
#include "write/file_write.h"
#include "write/table.h"

static const double levels[CST_PEER_LEVELS] = {1e-6, 1e-8};

enum { AS_GIVEN = 0, PUBLISHED = 1, MODES = 2, ANCHOR_ITERATIONS_MAX = 20000 };

typedef struct settings {
    double time_limit;
    int repeat;
    const char *csv;
    bool no_siconos;
} settings;

typedef struct outcome {
    cst_timed_run run[MODES][CST_PEER_LEVELS];
    int peer; /* index in the peers' problems, or -1 */
} outcome;

static void solve_all(cst_problem_set *set, const settings *how, outcome *all)
{
    for (int i = 0; i < set->count; i++) {
        for (int mode = 0; mode < MODES; mode++) {
            for (int level = 0; level < CST_PEER_LEVELS && !cst_interrupted(); level++) {
                cst_friction_options options = cst_friction_options_default();
                options.tolerance = levels[level];
                options.symmetrise = mode == PUBLISHED;
                options.judge_by_fischer_burmeister = mode == PUBLISHED;
                if (mode == PUBLISHED)
                    options.velocity_scale = cst_friction_largest_velocity(&set->list[i]->explicit_form);
                char label[64];
                snprintf(label, sizeof label, "[%d/%d] %s %g", i + 1, set->count, mode == PUBLISHED ? "FB" : "E", levels[level]);
                cst_timed_solve(set->list[i], CST_FORM_EXPLICIT, &options, how->time_limit, how->repeat, label,
                                &all[i].run[mode][level]);
            }
        }
    }
}

static void cell_status(cst_table *table, const cst_timed_run *run)
{
    cst_table_cell(table, "%s", cst_status_name(run->report.status));
    cst_table_tone(table, run->solved ? CST_TONE_GOOD : CST_TONE_DOUBTFUL);
}

static void print_as_given(const cst_problem_set *set, const outcome *all)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "problem", CST_ALIGN_LEFT);
    cst_table_column_shrinks(table);
    cst_table_column(table, "dim", CST_ALIGN_RIGHT);
    cst_table_column(table, "contacts", CST_ALIGN_RIGHT);
    cst_table_column(table, "asymmetry", CST_ALIGN_RIGHT);
    for (int level = 0; level < CST_PEER_LEVELS; level++) {
        char heading[32];
        snprintf(heading, sizeof heading, "to %g", levels[level]);
        cst_table_column(table, heading, CST_ALIGN_LEFT);
        cst_table_column(table, "E", CST_ALIGN_RIGHT);
        cst_table_column(table, "its", CST_ALIGN_RIGHT);
        cst_table_column(table, "time", CST_ALIGN_RIGHT);
    }
    int solved[CST_PEER_LEVELS] = {0};
    for (int i = 0; i < set->count; i++) {
        cst_table_cell(table, "%s", set->list[i]->name);
        cst_table_cell(table, "%d", set->list[i]->explicit_form.dim);
        cst_table_cell(table, "%d", set->list[i]->explicit_form.contacts);
        cst_table_cell(table, "%.1e", all[i].run[AS_GIVEN][0].report.asymmetry);
        for (int level = 0; level < CST_PEER_LEVELS; level++) {
            const cst_timed_run *run = &all[i].run[AS_GIVEN][level];
            solved[level] += run->solved;
            cell_status(table, run);
            cst_table_cell(table, "%.1e", run->report.residual.error);
            cst_table_cell(table, "%d", run->report.iterations);
            cst_table_seconds(table, run->cpu);
        }
    }
    cst_look look = cst_terminal_look(stdout);
    printf("(a) W as given, judged by E.\n\n");
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    printf("%d of %d to E <= %g, %d of %d to E <= %g\n\n", solved[0], set->count, levels[0], solved[1], set->count, levels[1]);
    for (int i = 0; i < set->count; i++) {
        const cst_timed_run *run = &all[i].run[AS_GIVEN][CST_PEER_1E8];
        if (!run->solved && *run->report.message)
            printf("%s: %s\n", set->list[i]->name, run->report.message);
    }
}

static void print_published(const cst_problem_set *set, const outcome *all, const cst_peer_times *times, cst_peer_level level)
{
    cst_peer_mean single = cst_peer_best_single(times, level, true);
    cst_table *table = cst_table_new();
    cst_table_column(table, "problem", CST_ALIGN_LEFT);
    cst_table_column_shrinks(table);
    cst_table_column(table, "contacts", CST_ALIGN_RIGHT);
    cst_table_column(table, "status", CST_ALIGN_LEFT);
    cst_table_column(table, "FB", CST_ALIGN_RIGHT);
    cst_table_column(table, "its", CST_ALIGN_RIGHT);
    cst_table_column(table, "ours", CST_ALIGN_RIGHT);
    cst_table_column(table, "set-up", CST_ALIGN_RIGHT);
    cst_table_column(table, single.solver >= 0 ? times->solver[single.solver] : "single", CST_ALIGN_RIGHT);
    cst_table_column(table, "fastest peer", CST_ALIGN_RIGHT);
    cst_table_column(table, "which", CST_ALIGN_LEFT);
    cst_table_column(table, "ours / fastest", CST_ALIGN_RIGHT);
    cst_table_column(table, "rows", CST_ALIGN_LEFT);
    for (int i = 0; i < set->count; i++) {
        int peer = all[i].peer, who;
        if (peer < 0)
            continue;
        const cst_timed_run *run = &all[i].run[PUBLISHED][level];
        double fastest = cst_peer_virtual_best(times, peer, level, times->idle[peer], &who);
        cst_table_cell(table, "%s", set->list[i]->name);
        cst_table_cell(table, "%d", set->list[i]->explicit_form.contacts);
        cell_status(table, run);
        cst_table_cell(table, "%.1e", run->report.residual.fischer_burmeister);
        cst_table_cell(table, "%d", run->report.iterations);
        cst_table_seconds(table, run->cpu);
        cst_table_seconds(table, run->cpu_setup);
        cst_table_seconds(table, single.solver >= 0 ? times->cell[peer][single.solver].seconds[level] : NAN);
        cst_table_seconds(table, fastest);
        cst_table_cell(table, "%s", who >= 0 ? times->solver[who] : "nobody");
        if (isnan(fastest) || !run->solved)
            cst_table_cell(table, "%s", "-");
        else
            cst_table_cell(table, "%.2f", run->cpu / fastest);
        cst_table_tone(table, run->cpu <= fastest ? CST_TONE_GOOD : CST_TONE_PLAIN);
        cst_table_cell(table, "%s", times->idle[peer] ? "idle" : "loaded");
    }
    cst_look look = cst_terminal_look(stdout);
    printf("(b) W symmetrised, FB <= %g.\n\n", levels[level]);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

/* Geometric means over the problems with clean rows, or over all: ours next to the best single peer and the virtual best. */
static void print_means(const cst_problem_set *set, const outcome *all, const cst_peer_times *times, cst_peer_level level,
                        bool idle_only, double clock)
{
    cst_peer_mean single = cst_peer_best_single(times, level, idle_only);
    cst_geometric_mean ours = {0}, setup = {0}, paired = {0}, virtual_best = {0};
    int solved = 0, most = 0, most_solver = -1;
    for (int i = 0; i < set->count; i++) {
        int peer = all[i].peer, who;
        if (peer < 0 || (idle_only && !times->idle[peer]))
            continue;
        const cst_timed_run *run = &all[i].run[PUBLISHED][level];
        double seconds = run->solved ? run->cpu : fmax(run->cpu, CST_PEER_LIMIT);
        solved += run->solved;
        cst_geometric_add(&ours, seconds);
        cst_geometric_add(&setup, seconds + run->cpu_setup);
        double theirs = single.solver >= 0 ? times->cell[peer][single.solver].seconds[level] : NAN;
        if (!isnan(theirs))
            cst_geometric_add(&paired, seconds / theirs);
        double fastest = cst_peer_virtual_best(times, peer, level, idle_only, &who);
        if (!isnan(fastest))
            cst_geometric_add(&virtual_best, seconds / fastest);
    }
    for (int s = 0; s < times->solvers; s++) {
        cst_peer_mean own = cst_peer_solver_mean(times, s, level, idle_only);
        if (own.solved > most) {
            most = own.solved;
            most_solver = s;
        }
    }
    if (single.solver < 0 || ours.count == 0)
        return;
    double mean = cst_geometric_value(&ours);
    printf("FB <= %g, %s (%d problems): ours %d solved, %.4g ms (%.4g with set-up); best single peer %s: %d solved, %.4g ms; "
           "most solved "
           "by one peer: %d (%s)\n",
           levels[level], idle_only ? "clean rows only" : "all rows", ours.count, solved, 1e3 * mean,
           1e3 * cst_geometric_value(&setup), times->solver[single.solver], single.solved, 1e3 * single.seconds, most,
           most_solver >= 0 ? times->solver[most_solver] : "nobody");
    printf("    ours / best single  %.3f (a miss counted as %g s), %.3f on the %d it solved\n", mean / single.seconds,
           CST_PEER_LIMIT, cst_geometric_value(&paired), paired.count);
    printf("    ours / virtual best %.3f (the %d problems that some peer solved)\n", cst_geometric_value(&virtual_best),
           virtual_best.count);
    if (!isnan(clock))
        printf("    by the anchor's clock: %.3f, %.3f and %.3f\n", mean / single.seconds / clock,
               cst_geometric_value(&paired) / clock, cst_geometric_value(&virtual_best) / clock);
}

/* How long this machine takes over what took the peers' machine one second; NaN if it cannot be said. */
static double measure_clock(const cst_problem_set *set, const outcome *all, const cst_peer_times *times)
{
    int nsgs = cst_peer_solver(times, "sic_nsgs");
    char message[256] = "";
    cst_siconos_job job[CST_PEER_PROBLEMS];
    double there[CST_PEER_PROBLEMS];
    int count = 0;
    for (int i = 0; i < set->count && nsgs >= 0 && count < CST_PEER_PROBLEMS; i++) {
        const cst_peer_cell *cell = all[i].peer >= 0 ? &times->cell[all[i].peer][nsgs] : NULL;
        if (!cell || !cell->idle || !(cell->iterations[CST_PEER_1E6] <= ANCHOR_ITERATIONS_MAX))
            continue;
        there[count] = cell->seconds[CST_PEER_1E6];
        job[count++] = (cst_siconos_job){.problem = &set->list[i]->explicit_form,
                                         .solver = "nsgs",
                                         .goal = CST_SICONOS_ITERATIONS,
                                         .value = cell->iterations[CST_PEER_1E6],
                                         .scaled = true,
                                         .limit = 60};
    }
    if (count == 0 || !cst_siconos_available(message, sizeof message) || !cst_siconos_run(job, count, message, sizeof message)) {
        printf("No anchor for the clock: %s\n\n", *message ? message : "no clean rows of sic_nsgs");
        return NAN;
    }
    cst_geometric_mean ratio = {0};
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < count; i++) {
        if (!job[i].r)
            continue;
        cst_geometric_add(&ratio, job[i].seconds / there[i]);
        least = fmin(least, job[i].seconds / there[i]);
        most = fmax(most, job[i].seconds / there[i]);
    }
    cst_siconos_free(job, count);
    double clock = cst_geometric_value(&ratio);
    printf("Anchor: Siconos NSGS takes %.2f times as long here as on the peers' machine (%d problems, %.2f to %.2f).\n\n", clock,
           ratio.count, least, most);
    return clock;
}

static bool write_csv(const cst_problem_set *set, const outcome *all, const cst_peer_times *times, double clock, const char *path)
{
    static const char *const modes[] = {"as given", "symmetrised, FB"};
    char message[512];
    cst_file_write file;
    if (!cst_file_write_begin(&file, path, message, sizeof message)) {
        fprintf(stderr, "capstan-bench peers: %s\n", message);
        return false;
    }
    cst_csv csv = cst_csv_begin(file.to);
    cst_csv_header(&csv, (const char *const[]){"problem", "dim", "contacts", "mode", "tolerance", "status", "solver", "error",
                                               "fischer_burmeister", "iterations", "seconds", "setup_seconds", "cpu_seconds",
                                               "cpu_setup_seconds", "fastest_peer", "fastest_peer_seconds", "peer_rows", "clock",
                                               NULL});
    for (int i = 0; i < set->count; i++) {
        for (int mode = 0; mode < MODES; mode++) {
            for (int level = 0; level < CST_PEER_LEVELS; level++) {
                const cst_timed_run *run = &all[i].run[mode][level];
                int who = -1, peer = mode == PUBLISHED ? all[i].peer : -1;
                double fastest =
                    peer >= 0 ? cst_peer_virtual_best(times, peer, (cst_peer_level)level, times->idle[peer], &who) : NAN;
                cst_csv_text(&csv, set->list[i]->name);
                cst_csv_integer(&csv, set->list[i]->explicit_form.dim);
                cst_csv_integer(&csv, set->list[i]->explicit_form.contacts);
                cst_csv_text(&csv, modes[mode]);
                cst_csv_real(&csv, levels[level]);
                cst_csv_text(&csv, cst_status_name(run->report.status));
                cst_csv_text(&csv, cst_solver_name(run->report.solver));
                cst_csv_real(&csv, run->report.residual.error);
                cst_csv_real(&csv, run->report.residual.fischer_burmeister);
                cst_csv_integer(&csv, run->report.iterations);
                cst_csv_real(&csv, run->report.seconds);
                cst_csv_real(&csv, run->report.setup_seconds);
                cst_csv_real(&csv, run->cpu);
                cst_csv_real(&csv, run->cpu_setup);
                cst_csv_text(&csv, who >= 0 ? times->solver[who] : "");
                cst_csv_real(&csv, fastest);
                cst_csv_text(&csv, peer < 0 ? "" : times->idle[peer] ? "idle" : "loaded");
                cst_csv_real(&csv, clock);
                cst_csv_row_end(&csv);
            }
        }
    }
    bool written = cst_file_write_commit(&file, message, sizeof message);
    if (written)
        printf("wrote %s\n", path);
    else
        fprintf(stderr, "capstan-bench peers: %s\n", message);
    return written;
}

static int compare(cst_problem_set *set, const cst_peer_times *times, const settings *how)
{
    outcome *all = calloc((size_t)set->count + 1, sizeof *all);
    if (!all) {
        fputs("capstan-bench peers: out of memory\n", stderr);
        return CST_EXIT_BAD;
    }
    for (int i = 0; i < set->count; i++)
        all[i].peer = cst_peer_problem(times, set->list[i]->name);
    solve_all(set, how, all);
    print_as_given(set, all);
    bool solved = true, written = true;
    double clock = how->no_siconos || cst_interrupted() ? NAN : measure_clock(set, all, times);
    for (int level = 0; level < CST_PEER_LEVELS; level++) {
        print_published(set, all, times, (cst_peer_level)level);
        print_means(set, all, times, (cst_peer_level)level, true, clock);
        print_means(set, all, times, (cst_peer_level)level, false, clock);
        putchar('\n');
    }
    for (int i = 0; i < set->count; i++)
        solved = solved && all[i].run[AS_GIVEN][CST_PEER_1E6].solved;
    if (how->csv)
        written = write_csv(set, all, times, clock, how->csv);
    free(all);
    return !written ? CST_EXIT_BAD : solved ? CST_EXIT_SOLVED : CST_EXIT_MISSED;
}

static const cst_command command = {.name = "capstan-bench peers",
                                    .usage = "[DIR] [options]",
                                    .about = "The published problems with auto, next to what other solvers did on them.",
                                    .more =
                                        "DIR has hdf5/*.hdf5 and PEERS.csv; without it $CAPSTAN_PROBLEMS or ../shared/problems."};

int cst_bench_peers(int argc, char **argv)
{
    settings how = {.time_limit = 60, .repeat = 3};
    const cst_option table[] = {
        cst_option_text("csv", &how.csv, "FILE", "write every solve as a row of a CSV file"),
        cst_option_real("time-limit", &how.time_limit, "S", 1e-3, HUGE_VAL, "seconds per solve (60)"),
        cst_option_integer("repeat", &how.repeat, "K", 1, 100, "best time of K (3)"),
        cst_option_flag("no-siconos", &how.no_siconos, "no anchor for the clock"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    const char *said = getenv("CAPSTAN_PROBLEMS");
    const char *directory = operands > 0 ? argv[0] : said && *said ? said : "../shared/problems";

    char message[512] = "out of memory";
    char *files = cst_path_join(directory, "hdf5", ""), *peers = cst_path_join(directory, "PEERS.csv", "");
    cst_inputs inputs = {0};
    cst_problem_set set = {0};
    cst_peer_times *times = peers ? cst_peer_times_read(peers, message, sizeof message) : NULL;
    bool ready = times && files && cst_inputs_gather(&inputs, 1, &files, message, sizeof message);
    for (int i = 0; ready && i < inputs.count; i++)
        ready = cst_problem_set_add_file(&set, &inputs.file[i], false, message, sizeof message);
    code = CST_EXIT_BAD;
    if (ready)
        code = compare(&set, times, &how);
    else
        fprintf(stderr, "capstan-bench peers: %s\n", message);
    cst_problem_set_free(&set);
    cst_inputs_free(&inputs);
    free(times);
    free(files);
    free(peers);
    return code;
}
