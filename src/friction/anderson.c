#include "friction/anderson.h"

#include <math.h>
#include <string.h>

static const double REGULARISATION = 1e-10;
/* PARALLEL_CARRIED: smallest length of an array for which a second thread saves time in Anderson acceleration. */
enum { PARALLEL_CARRIED = 1536 };

bool cst_anderson_begin(cst_anderson *anderson, const cst_system *system, int memory, long carried, cst_arena *arena)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    *anderson =
        (cst_anderson){.system = system, .memory = memory < CST_ANDERSON_MAX ? memory : CST_ANDERSON_MAX, .carried = carried};
    anderson->f = CST_TAKE_RAW(arena, double, size);
    anderson->f_previous = CST_TAKE_RAW(arena, double, size);
    anderson->g_previous = CST_TAKE_RAW(arena, double, size);
    anderson->carried_previous = CST_TAKE_RAW(arena, double, (size_t)carried);
    for (int m = 0; m < anderson->memory; m++) {
        anderson->df[m] = CST_TAKE_RAW(arena, double, size);
        anderson->dg[m] = CST_TAKE_RAW(arena, double, size);
        anderson->dc[m] = CST_TAKE_RAW(arena, double, (size_t)carried);
    }
    return !arena->failed;
}

void cst_anderson_forget(cst_anderson *anderson)
{
    anderson->count = anderson->newest = 0;
    anderson->has_previous = false;
}

double cst_anderson_measure(cst_anderson *anderson, const double *x, const double *g)
{
    const long size = (long)anderson->system->contacts * anderson->system->dim;
    double *f = anderson->f;
#pragma omp parallel for schedule(static) num_threads(anderson->system->threads) if (anderson->system->contacts >= 2048)
    for (long k = 0; k < size; k++)
        f[k] = g[k] - x[k];
    return sqrt(cst_system_dot(anderson->system, f, f));
}

static void remember(cst_anderson *anderson, const double *g, const double *s)
{
    const long size = (long)anderson->system->contacts * anderson->system->dim;
    const int slot = anderson->newest;
    double *df = anderson->df[slot], *dg = anderson->dg[slot];
#pragma omp parallel for schedule(static) num_threads(anderson->system->threads) if (anderson->system->contacts >= 2048)
    for (long k = 0; k < size; k++) {
        df[k] = anderson->f[k] - anderson->f_previous[k];
        dg[k] = g[k] - anderson->g_previous[k];
    }
    double *dc = anderson->dc[slot];
#pragma omp parallel for schedule(static) num_threads(anderson->system->threads) if (anderson->carried >= PARALLEL_CARRIED)
    for (long k = 0; k < anderson->carried; k++)
        dc[k] = s[k] - anderson->carried_previous[k];
    if (anderson->count < anderson->memory)
        anderson->count++;
    for (int m = 0; m < anderson->count; m++)
        anderson->gram[m][slot] = anderson->gram[slot][m] = cst_system_dot(anderson->system, anderson->df[m], df);
    anderson->newest = (slot + 1) % anderson->memory;
}

/* Solves a small symmetric linear system by Gaussian elimination with partial pivoting. */
static void solve_small(int size, double matrix[CST_ANDERSON_MAX][CST_ANDERSON_MAX + 1], double *solution)
{
    for (int k = 0; k < size; k++) {
        int pivot = k;
        for (int row = k + 1; row < size; row++)
            if (fabs(matrix[row][k]) > fabs(matrix[pivot][k]))
                pivot = row;
        for (int c = 0; c <= size; c++) {
            const double swapped = matrix[k][c];
            matrix[k][c] = matrix[pivot][c];
            matrix[pivot][c] = swapped;
        }
        for (int row = k + 1; row < size; row++) {
            const double factor = matrix[row][k] / matrix[k][k];
            for (int c = k; c <= size; c++)
                matrix[row][c] -= factor * matrix[k][c];
        }
    }
    for (int k = size - 1; k >= 0; k--) {
        double sum = matrix[k][size];
        for (int c = k + 1; c < size; c++)
            sum -= matrix[k][c] * solution[c];
        solution[k] = sum / matrix[k][k];
    }
}

/* For every stored difference m of Anderson acceleration, subtracts gamma[m] times the array column[m] from the array `sum`.
 * `size`: length of the arrays. */
static void combine(const cst_anderson *anderson, double *const *column, const double *gamma, long size, double *sum)
{
#pragma omp parallel for schedule(static) num_threads(anderson->system->threads) if (size >= PARALLEL_CARRIED)
    for (long k = 0; k < size; k++) {
        double value = sum[k];
        for (int m = 0; m < anderson->count; m++)
            value -= gamma[m] * column[m][k];
        sum[k] = value;
    }
}

void cst_anderson_advance(cst_anderson *anderson, const double *g, double *x_next, double *s)
{
    const cst_system *system = anderson->system;
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    if (anderson->has_previous)
        remember(anderson, g, s);
    double *f = anderson->f, *g_previous = anderson->g_previous;
    anderson->f = anderson->f_previous; /* overwritten by the next cst_anderson_measure */
    anderson->f_previous = f;
    anderson->has_previous = true;
    const long last = (long)size;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (system->contacts >= 2048)
    for (long k = 0; k < last; k++)
        g_previous[k] = x_next[k] = g[k];
    if (anderson->carried > 0)
        memcpy(anderson->carried_previous, s, (size_t)anderson->carried * sizeof *s);
    const int count = anderson->count;
    double matrix[CST_ANDERSON_MAX][CST_ANDERSON_MAX + 1], gamma[CST_ANDERSON_MAX], trace = 0.0;
    for (int m = 0; m < count; m++)
        trace += anderson->gram[m][m];
    if (!(trace > 0.0) || !isfinite(trace))
        return;
    for (int m = 0; m < count; m++) {
        for (int c = 0; c < count; c++)
            matrix[m][c] = anderson->gram[m][c];
        matrix[m][m] += REGULARISATION * trace;
        matrix[m][count] = cst_system_dot(system, anderson->df[m], f);
    }
    solve_small(count, matrix, gamma);
    for (int m = 0; m < count; m++)
        if (!isfinite(gamma[m]))
            return;
    combine(anderson, anderson->dg, gamma, last, x_next);
    combine(anderson, anderson->dc, gamma, anderson->carried, s);
}
