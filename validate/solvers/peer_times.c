#include "solvers/peer_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv_read.h"
#include "solvers/timed_run.h"

int cst_peer_problem(const cst_peer_times *times, const char *name)
{
    for (int i = 0; i < times->problems; i++)
        if (strcmp(times->problem[i], name) == 0)
            return i;
    return -1;
}

int cst_peer_solver(const cst_peer_times *times, const char *name)
{
    for (int i = 0; i < times->solvers; i++)
        if (strcmp(times->solver[i], name) == 0)
            return i;
    return -1;
}

static bool add_row(cst_peer_times *times, const cst_csv_file *file, int row)
{
    static const char *const seconds[] = {"cpu_1e-6", "cpu_1e-8"}, *const iterations[] = {"it_1e-6", "it_1e-8"};
    const char *problem = cst_csv_field(file, row, "problem"), *solver = cst_csv_field(file, row, "solver");
    int p = cst_peer_problem(times, problem), s = cst_peer_solver(times, solver);
    if (p < 0 && times->problems < CST_PEER_PROBLEMS) {
        p = times->problems++;
        snprintf(times->problem[p], sizeof times->problem[p], "%s", problem);
    }
    if (s < 0 && times->solvers < CST_PEER_SOLVERS) {
        s = times->solvers++;
        snprintf(times->solver[s], sizeof times->solver[s], "%s", solver);
    }
    if (p < 0 || s < 0)
        return false;
    bool idle = strncmp(cst_csv_field(file, row, "timing"), "idle_best", 9) == 0;
    cst_peer_cell *cell = &times->cell[p][s];
    if (cell->there && cell->idle && !idle)
        return true; /* the clean row stays */
    *cell = (cst_peer_cell){.there = true, .idle = idle};
    for (int level = 0; level < CST_PEER_LEVELS; level++) {
        cell->seconds[level] = cst_csv_number(file, row, seconds[level]);
        cell->iterations[level] = cst_csv_number(file, row, iterations[level]);
    }
    times->idle[p] |= idle;
    return true;
}

cst_peer_times *cst_peer_times_read(const char *path, char *message, size_t message_size)
{
    cst_csv_file file;
    cst_peer_times *times = NULL;
    if (cst_csv_file_read(&file, path, message, message_size)) {
        times = calloc(1, sizeof *times);
        snprintf(message, message_size, "%s: too many problems or solvers, or out of memory", path);
        for (int row = 0; times && row < file.rows; row++) {
            if (!add_row(times, &file, row)) {
                free(times);
                times = NULL;
            }
        }
    }
    cst_csv_file_free(&file);
    return times;
}

double cst_peer_virtual_best(const cst_peer_times *times, int problem, cst_peer_level level, bool idle_only, int *who)
{
    double best = NAN;
    *who = -1;
    for (int s = 0; s < times->solvers; s++) {
        const cst_peer_cell *cell = &times->cell[problem][s];
        if (!cell->there || (idle_only && !cell->idle) || isnan(cell->seconds[level]))
            continue;
        if (!(cell->seconds[level] >= best)) {
            best = cell->seconds[level];
            *who = s;
        }
    }
    return best;
}

cst_peer_mean cst_peer_solver_mean(const cst_peer_times *times, int solver, cst_peer_level level, bool idle_only)
{
    cst_peer_mean result = {.solver = solver};
    cst_geometric_mean mean = {0};
    for (int p = 0; p < times->problems; p++) {
        const cst_peer_cell *cell = &times->cell[p][solver];
        if (!cell->there || (idle_only && !cell->idle))
            continue;
        bool missed = isnan(cell->seconds[level]);
        result.solved += !missed;
        cst_geometric_add(&mean, missed ? CST_PEER_LIMIT : cell->seconds[level]);
    }
    result.problems = mean.count;
    result.seconds = cst_geometric_value(&mean);
    return result;
}

cst_peer_mean cst_peer_best_single(const cst_peer_times *times, cst_peer_level level, bool idle_only)
{
    int wanted = 0;
    for (int p = 0; p < times->problems; p++)
        wanted += !idle_only || times->idle[p];
    cst_peer_mean best = {.solver = -1, .seconds = NAN};
    for (int s = 0; s < times->solvers; s++) {
        cst_peer_mean own = cst_peer_solver_mean(times, s, level, idle_only);
        if (own.problems == wanted && wanted > 0 && !(own.seconds >= best.seconds))
            best = own;
    }
    return best;
}
