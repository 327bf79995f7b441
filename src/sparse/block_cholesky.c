#include "sparse/block_cholesky.h"

#include <string.h>

#include "base/simd.h"
#include "sparse/dense_cholesky.h"

static int64_t front_size(int64_t scalars)
{
    return scalars * cst_cholesky_stride((int)scalars);
}

/* Update matrices are packed lower triangles. */
static int64_t update_size(int64_t scalars)
{
    return scalars * (scalars + 1) / 2;
}

static bool is_kept(const cst_block_cholesky *c, int front)
{
    return c->kept && front >= 0 && c->kept[c->fronts.order[c->fronts.front[front].first]];
}

/* Returns true if the vertices of the front are not eliminated, because they belong to the Schur complement. */
static bool is_left(const cst_block_cholesky *c, int front)
{
    return c->only_condensed && is_kept(c, front);
}

static bool take(cst_arena *arena, cst_block_cholesky *out)
{
    cst_fronts *fronts = &out->fronts;
    const int dim = out->dim;
    for (int s = 0; s < fronts->count; s++) {
        cst_front *front = fronts->front + s;
        if (is_left(out, s))
            continue;
        const int pivots = front->pivots * dim, size = pivots + front->border * dim;
        const double p = pivots, b = size - pivots;
        front->factor_start = out->entries;
        out->entries += out->only_condensed ? 0 : (int64_t)size * cst_cholesky_stride(pivots);
        out->flops += p * p * p / 3.0 + p * p * b + p * b * b;
    }
    out->work_size = (int64_t)(fronts->vertices + fronts->largest_border) * dim;
    const int64_t stack = cst_fronts_stack(fronts, dim, front_size, update_size, arena);
    out->factor = CST_TAKE_RAW(arena, double, out->entries);
    out->stack = CST_TAKE_RAW(arena, double, stack);
    out->waiting = CST_TAKE_RAW(arena, int32_t, fronts->count);
    out->run = CST_TAKE_RAW(arena, cst_cholesky_run, (size_t)fronts->largest_border + 1);
    out->panel = CST_TAKE_RAW(arena, double, cst_cholesky_scratch(fronts->largest * dim));
    return !arena->failed;
}

bool cst_block_cholesky_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                              const int32_t *order, cst_block_cholesky *out)
{
    return cst_block_cholesky_begin_kept(arena, vertices, dim, row_start, column, order, NULL, false, out);
}

bool cst_block_cholesky_begin_kept(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                                   const int32_t *order, const bool *kept, bool only_condensed, cst_block_cholesky *out)
{
    *out = (cst_block_cholesky){.dim = dim, .kept = kept, .only_condensed = only_condensed};
    return cst_fronts_begin(arena, vertices, row_start, column, order, kept, only_condensed, CST_FRONTS_LOWER, &out->fronts) &&
           take(arena, out);
}

/* --------------------------------------------------------------------------------------------------------------- factoring */

static void add_entries(const cst_block_cholesky *c, const cst_front *front, const double *block, double *matrix, int stride)
{
    const int dim = c->dim;
    const cst_front_entry *entry = c->fronts.entry + front->entry_start;
    for (int64_t e = 0; e < front->entries; e++) {
        const double *from = block + entry[e].entry * dim * dim;
        double *to = matrix + (int64_t)entry[e].row * dim * stride + (int64_t)entry[e].column * dim;
        for (int row = 0; row < dim; row++)
            for (int column = 0; column < dim; column++)
                to[(int64_t)row * stride + column] += from[row * dim + column];
    }
}

/* Divides the border of a child front (its unknowns that other fronts eliminate later) into runs: unknowns that are consecutive
 * both in the child front and in the parent front. An empty run marks the end of the list of runs. Returns the number of runs. */
static int find_runs(const cst_block_cholesky *c, const cst_front *child)
{
    const int32_t *place = c->fronts.border_place + child->border_start;
    int count = 0;
    for (int32_t k = 0; k < child->border; k++)
        if (k == 0 || place[k] != place[k - 1] + 1)
            c->run[count++] = (cst_cholesky_run){k * c->dim, place[k] * c->dim};
    c->run[count].first = child->border * c->dim;
    return count;
}

/* Adds the update matrix of a child front to the matrix of its parent front, one run of consecutive unknowns (cst_cholesky_run)
 * after the other. The border vertices have the same order in child and parent, so the lower triangle of the update matrix goes
 * to the lower triangle of the parent front. */
CST_MULTIVERSION
static void add_update(const cst_cholesky_run *run, int runs, const double *from, double *matrix, int stride)
{
    for (int r = 0; r < runs; r++)
        for (int i = run[r].first; i < run[r + 1].first; i++) {
            double *row = matrix + (int64_t)(run[r].to + i - run[r].first) * stride;
            for (int q = 0; q <= r; q++) {
                const int count = (q < r ? run[q + 1].first : i + 1) - run[q].first;
                double *to = row + run[q].to;
                for (int j = 0; j < count; j++)
                    to[j] += from[j];
                from += count;
            }
        }
}

/* Copies the eliminated columns of a front to the Cholesky factor, unless only the Schur complement is wanted. Copies the rows
 * and columns of the border, which form the update matrix for the parent front, to the stack in packed form. On the stack, the
 * update matrix overwrites the update matrices of the child fronts. Returns the new stack size. */
static int64_t keep(cst_block_cholesky *c, cst_front *front, const double *matrix, int stride, int64_t used)
{
    const int dim = c->dim, pivots = front->pivots * dim, size = pivots + front->border * dim;
    const int kept = cst_cholesky_stride(pivots);
    double *to = c->factor + front->factor_start;
    for (int i = 0; i < size && !c->only_condensed; i++)
        memcpy(to + (int64_t)i * kept, matrix + (int64_t)i * stride, sizeof(double) * (size_t)(i < pivots ? i + 1 : pivots));
    front->update = used;
    for (int i = pivots; i < size; i++) { /* overwrites only rows already copied */
        memmove(c->stack + used, matrix + (int64_t)i * stride + pivots, sizeof(double) * (size_t)(i - pivots + 1));
        used += i - pivots + 1;
    }
    return used;
}

int cst_block_cholesky_condense(cst_block_cholesky *c, const double *block, int threads, cst_schur_piece *deliver, void *user)
{
    const cst_fronts *fronts = &c->fronts;
    int64_t used = 0;
    int waiting = 0;
    for (int s = 0; s < fronts->count; s++) {
        cst_front *front = fronts->front + s;
        if (is_left(c, s))
            continue;
        const int pivots = front->pivots * c->dim, size = pivots + front->border * c->dim, stride = cst_cholesky_stride(size);
        double *matrix = c->stack + used;
        memset(matrix, 0, sizeof(double) * (size_t)size * (size_t)stride);
        add_entries(c, front, block, matrix, stride);
        for (int child = 0; child < front->children; child++) {
            const cst_front *of = fronts->front + c->waiting[--waiting];
            add_update(c->run, find_runs(c, of), c->stack + of->update, matrix, stride);
            used = of->update;
        }
        const int fault = cst_dense_cholesky_eliminate(matrix, size, stride, pivots, c->panel, threads);
        if (fault >= 0)
            return fronts->order[front->first + fault / c->dim];
        used = keep(c, front, matrix, stride, used);
        if (deliver && is_kept(c, front->parent) && !is_kept(c, s))
            deliver(user, front->border, fronts->border_vertex + front->border_start, c->stack + front->update);
        if (is_left(c, front->parent))
            used = front->update;
        else if (front->parent != -1)
            c->waiting[waiting++] = s;
    }
    return -1;
}

int cst_block_cholesky_factor(cst_block_cholesky *c, const double *block, int threads)
{
    return cst_block_cholesky_condense(c, block, threads, NULL, NULL);
}

/* ----------------------------------------------------------------------------------------------------------------- solving */

/* Copies the unknowns of a front's border from x to `border` if `gather` is true, otherwise from `border` to x. The entries of
 * the vector x are in the elimination order of the vertices. */
static void copy_border(const cst_block_cholesky *c, const cst_front *front, double *x, double *border, bool gather)
{
    const int32_t *vertex = c->fronts.border_vertex + front->border_start;
    const size_t bytes = sizeof(double) * (size_t)c->dim;
    for (int32_t k = 0; k < front->border; k++) {
        double *of_x = x + (int64_t)vertex[k] * c->dim, *of_border = border + (int64_t)k * c->dim;
        memcpy(gather ? of_border : of_x, gather ? of_x : of_border, bytes);
    }
}

/* Columns of the Cholesky factor that one front computes: a triangle for the eliminated unknowns, and below it the rows of the
 * border. */
typedef struct front_factor {
    const double *triangle, *below;
    int pivots, rows, stride;
} front_factor;

static front_factor factor_of(const cst_block_cholesky *c, const cst_front *front)
{
    const int pivots = front->pivots * c->dim, stride = cst_cholesky_stride(pivots);
    const double *triangle = c->factor + front->factor_start;
    return (front_factor){triangle, triangle + (int64_t)pivots * stride, pivots, front->border * c->dim, stride};
}

/* Forward and back substitution, front by front. If `only_kept` is true, the substitutions use only the fronts that eliminate the
 * vertices of the Schur complement (those marked in `kept`). The first part of `work` (vertices x dim) is the right-hand side on
 * input and the solution on output, in elimination order. */
static void solve_fronts(const cst_block_cholesky *c, bool only_kept, double *work)
{
    const cst_fronts *fronts = &c->fronts;
    const int dim = c->dim;
    double *border = work + (int64_t)fronts->vertices * dim;
    for (int s = 0; s < fronts->count; s++) {
        if (only_kept && !is_kept(c, s))
            continue;
        const cst_front *front = fronts->front + s;
        const front_factor f = factor_of(c, front);
        double *own = work + (int64_t)front->first * dim;
        cst_dense_cholesky_forward(f.triangle, f.stride, f.pivots, own);
        copy_border(c, front, work, border, true);
        cst_dense_cholesky_pass_on(f.below, f.rows, f.pivots, f.stride, own, border);
        copy_border(c, front, work, border, false);
    }
    for (int s = fronts->count - 1; s >= 0; s--) {
        if (only_kept && !is_kept(c, s))
            continue;
        const cst_front *front = fronts->front + s;
        const front_factor f = factor_of(c, front);
        double *own = work + (int64_t)front->first * dim;
        copy_border(c, front, work, border, true);
        cst_dense_cholesky_take_back(f.below, f.rows, f.pivots, f.stride, border, own);
        cst_dense_cholesky_backward(f.triangle, f.stride, f.pivots, own);
    }
}

void cst_block_cholesky_solve(const cst_block_cholesky *c, double *work, double *x)
{
    const cst_fronts *fronts = &c->fronts;
    const size_t bytes = sizeof(double) * (size_t)c->dim;
    for (int k = 0; k < fronts->vertices; k++)
        memcpy(work + (int64_t)k * c->dim, x + (int64_t)fronts->order[k] * c->dim, bytes);
    solve_fronts(c, false, work);
    for (int k = 0; k < fronts->vertices; k++)
        memcpy(x + (int64_t)fronts->order[k] * c->dim, work + (int64_t)k * c->dim, bytes);
}

void cst_block_cholesky_solve_kept(const cst_block_cholesky *c, const int32_t *index, double *work, double *x)
{
    const cst_fronts *fronts = &c->fronts;
    const size_t bytes = sizeof(double) * (size_t)c->dim;
    for (int k = 0; k < fronts->vertices; k++)
        if (index[fronts->order[k]] >= 0)
            memcpy(work + (int64_t)k * c->dim, x + (int64_t)index[fronts->order[k]] * c->dim, bytes);
    solve_fronts(c, true, work);
    for (int k = 0; k < fronts->vertices; k++)
        if (index[fronts->order[k]] >= 0)
            memcpy(x + (int64_t)index[fronts->order[k]] * c->dim, work + (int64_t)k * c->dim, bytes);
}
