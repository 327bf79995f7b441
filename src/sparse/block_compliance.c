#include "sparse/block_compliance.h"

#include <string.h>

#include "base/simd.h"
#include "sparse/dense_cholesky.h"
#include "sparse/dense_tile.h"

/* number of columns of the right-hand side that are processed together, so that the part in use stays in the cache */
enum { CHUNK = 64 };

/* Rows of the right-hand side that a front passes on to its parent front. */
typedef struct passed {
    int groups;
    /* array (groups): increasing indices of the row groups (dim rows each) of the matrix H that are nonzero in the right-hand
     * side of the front. Row group group[k] of the matrix H has the columns k dim to (k + 1) dim - 1 of the array `border`. */
    int32_t *group;
    /* array (border x dim rows, each of cst_cholesky_stride(groups x dim) doubles): right-hand side on the border */
    double *border;
} passed;

typedef struct walk {
    const cst_block_cholesky *of;
    const cst_block_rows *rows;
    cst_arena *arena;
    int32_t *place; /* array (vertices): position of each vertex in the elimination order */
    /* array (fronts + 1): index in `own` at which the blocks of H for the vertices of each front begin */
    int64_t *own_start;
    /* indices of the blocks of the matrix H, sorted by the front that eliminates the block's vertex */
    int64_t *own;
    int32_t *group_of; /* row group of each block */
    passed *from;      /* array (fronts) */
    int32_t *waiting;  /* computed fronts whose parent front is not yet computed */
    /* array (groups): position of each row group of the matrix H in the list of row groups that are nonzero in the present front;
     * -1: not in this list */
    int32_t *at;
    double *y; /* right-hand side in the present front */
    /* minus the transpose of the rows of the matrix X (block_compliance.h) that the present front computes */
    double *turned;
    double *product; /* contribution to X^T X */
} walk;

/* ----------------------------------------------------------------------------------------------------------------- set-up */

static void sort_blocks(walk *w, const int32_t *front_of)
{
    const cst_fronts *fronts = &w->of->fronts;
    const cst_block_rows *rows = w->rows;
    for (int fill = 0; fill < 2; fill++) {
        for (int i = 0; i < rows->groups; i++)
            for (int64_t t = rows->start[i]; t < rows->start[i + 1]; t++) {
                const int32_t vertex = rows->vertex[t] - rows->first;
                w->group_of[t] = i;
                if (vertex < 0 || vertex >= fronts->vertices)
                    continue;
                int64_t *start = w->own_start + front_of[w->place[vertex]] + 1;
                if (fill)
                    w->own[(*start)++] = t;
                else
                    start[1]++;
            }
        for (int s = 0; s < fronts->count && !fill; s++)
            w->own_start[s + 1] += w->own_start[s];
    }
}

static bool begin(walk *w, cst_arena *arena)
{
    const cst_fronts *fronts = &w->of->fronts;
    const size_t blocks = (size_t)w->rows->start[w->rows->groups], columns = (size_t)(w->rows->groups * w->of->dim);
    const size_t stride = (size_t)cst_cholesky_stride((int)columns), largest = (size_t)(fronts->largest * w->of->dim);
    int32_t *front_of = CST_TAKE_RAW(arena, int32_t, (size_t)fronts->vertices);
    w->arena = arena;
    w->place = CST_TAKE_RAW(arena, int32_t, (size_t)fronts->vertices);
    w->own_start = CST_TAKE(arena, int64_t, (size_t)fronts->count + 2);
    w->own = CST_TAKE_RAW(arena, int64_t, blocks);
    w->group_of = CST_TAKE_RAW(arena, int32_t, blocks);
    w->from = CST_TAKE(arena, passed, (size_t)fronts->count);
    w->waiting = CST_TAKE_RAW(arena, int32_t, (size_t)fronts->count);
    w->at = CST_TAKE_RAW(arena, int32_t, (size_t)w->rows->groups);
    w->y = CST_TAKE_RAW(arena, double, largest *stride);
    w->turned = CST_TAKE_RAW(arena, double, columns *(size_t)cst_cholesky_stride((int)largest));
    w->product = CST_TAKE_RAW(arena, double, columns *stride);
    if (arena->failed)
        return false;
    for (int s = 0; s < fronts->count; s++)
        for (int32_t k = 0; k < fronts->front[s].pivots; k++)
            front_of[fronts->front[s].first + k] = s;
    for (int k = 0; k < fronts->vertices; k++)
        w->place[fronts->order[k]] = k;
    sort_blocks(w, front_of);
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- one front */

/* Lists the row groups (dim rows each) of the matrix H that a front has to process: those with a block on a vertex that the front
 * eliminates, and those that its child fronts pass on. Returns false if memory ran out. */
static bool list_groups(walk *w, int s, const int32_t *child, int children)
{
    passed *to = w->from + s;
    memset(w->at, -1, sizeof *w->at * (size_t)w->rows->groups);
    for (int64_t t = w->own_start[s]; t < w->own_start[s + 1]; t++)
        w->at[w->group_of[w->own[t]]] = 0;
    for (int c = 0; c < children; c++)
        for (int k = 0; k < w->from[child[c]].groups; k++)
            w->at[w->from[child[c]].group[k]] = 0;
    for (int i = 0; i < w->rows->groups; i++)
        to->groups += w->at[i] == 0;
    to->group = CST_TAKE_RAW(w->arena, int32_t, (size_t)to->groups);
    if (w->arena->failed)
        return false;
    for (int i = 0, k = 0; i < w->rows->groups; i++)
        if (w->at[i] == 0) {
            to->group[k] = i;
            w->at[i] = k++;
        }
    return true;
}

/* Adds to the right-hand side of a front those blocks of H^T whose vertices the front eliminates. */
static void add_own(const walk *w, int s, int stride)
{
    const int dim = w->of->dim;
    for (int64_t e = w->own_start[s]; e < w->own_start[s + 1]; e++) {
        const int64_t t = w->own[e];
        const int row = w->place[w->rows->vertex[t] - w->rows->first] - w->of->fronts.front[s].first;
        const int column = w->at[w->group_of[t]];
        for (int c = 0; c < dim * dim; c++)
            w->y[(int64_t)(row * dim + c % dim) * stride + column * dim + c / dim] += w->rows->block[t * dim * dim + c];
    }
}

/* Adds the rows that a child front passes to its parent front, entry by entry, to the right-hand side of the parent front. */
static void add_child(const walk *w, int child, int stride)
{
    const cst_front *front = w->of->fronts.front + child;
    const passed *from = w->from + child;
    const int dim = w->of->dim, from_stride = cst_cholesky_stride(from->groups * dim);
    const int32_t *place = w->of->fronts.border_place + front->border_start;
    for (int i = 0; i < front->border * dim && from->groups > 0; i++) {
        double *to = w->y + (int64_t)(place[i / dim] * dim + i % dim) * stride;
        const double *row = from->border + (int64_t)i * from_stride;
        for (int k = 0; k < from->groups; k++)
            for (int c = 0; c < dim; c++)
                to[w->at[from->group[k]] * dim + c] += row[k * dim + c];
    }
}

/* Forward substitution in one front: turns the pivot rows of the right-hand side y into rows of the matrix X
 * (block_compliance.h). Then subtracts the product L_b X_p from those rows of y that belong to the border of the front, with the
 * border rows L_b of the Cholesky factor L and the rows X_p of X that were just computed. `factor`: the front's part of the
 * Cholesky factor L, with the reciprocals 1 / L_kk on the diagonal. */
CST_MULTIVERSION
static void solve_front(const double *factor, int pivots, int size, double *y, int stride, int columns)
{
    const size_t step = (size_t)stride, kept = (size_t)cst_cholesky_stride(pivots);
    for (int chunk = 0; chunk < columns; chunk += CHUNK) {
        const int count = columns - chunk < CHUNK ? columns - chunk : CHUNK;
        double *top = y + chunk;
        for (int k = 0, end; k < size; k = end) {
            const int limit = k < pivots ? pivots : size;
            end = limit - k < CST_TILE_ROWS ? limit : k + CST_TILE_ROWS;
            const int depth = k < pivots ? k : pivots, rows = end - k;
            double *band = top + (size_t)k * step;
            const double *l = factor + (size_t)k * kept;
            if (rows == CST_TILE_ROWS)
                cst_tile_update_band(band, step, l, kept, top, step, depth, CST_TILE_ROWS, count);
            else
                for (int r = 0; r < rows; r++)
                    cst_tile_update_band(band + (size_t)r * step, step, l + (size_t)r * kept, kept, top, step, depth, 1, count);
            for (int r = 0; r < rows && k < pivots; r++) {
                double *own = band + (size_t)r * step;
                for (int c = 0; c < r; c++)
                    cst_tile_subtract_scaled(own, band + (size_t)c * step, l[(size_t)r * kept + (size_t)(k + c)], count);
                for (int i = 0; i < count; i++)
                    own[i] *= l[(size_t)r * kept + (size_t)(k + r)];
            }
        }
    }
}

/* Computes the lower triangle of x^T x, with the rows x of the matrix X that one front computes. A tile on the diagonal is
 * computed as a full square. */
CST_MULTIVERSION
static void square(const double *x, int pivots, int stride, int columns, double *turned, double *product)
{
    const size_t step = (size_t)stride, turned_step = (size_t)cst_cholesky_stride(pivots);
    cst_tile_turn(x, step, pivots, columns, turned, turned_step);
    for (size_t k = 0; k < (size_t)columns * turned_step; k++)
        turned[k] = -turned[k]; /* the kernel subtracts */
    memset(product, 0, sizeof *product * (size_t)columns * step);
    for (int chunk = 0; chunk < columns; chunk += CHUNK)
        for (int i = chunk; i < columns; i += CST_TILE_ROWS) {
            const int rows = columns - i < CST_TILE_ROWS ? columns - i : CST_TILE_ROWS, reach = i + rows - chunk;
            const int count = reach < CHUNK ? reach : CHUNK;
            double *to = product + (size_t)i * step + chunk;
            const double *left = turned + (size_t)i * turned_step;
            if (rows == CST_TILE_ROWS)
                cst_tile_update_band(to, step, left, turned_step, x + chunk, step, pivots, CST_TILE_ROWS, count);
            else
                for (int r = 0; r < rows; r++)
                    cst_tile_update_band(to + (size_t)r * step, step, left + (size_t)r * turned_step, turned_step, x + chunk,
                                         step, pivots, 1, count);
        }
}

/* Adds the contribution x^T x of one front, which has computed the rows x of the matrix X, to the lower triangle of the result W
 * = H A^-1 H^T (block_compliance.h). */
static void add_product(const walk *w, const passed *of, int stride, double *W, int W_stride)
{
    const int dim = w->of->dim;
    for (int i = 0; i < of->groups * dim; i++) {
        double *to = W + (int64_t)(of->group[i / dim] * dim + i % dim) * W_stride;
        const double *row = w->product + (int64_t)i * stride;
        for (int k = 0; k * dim <= i; k++)
            for (int c = 0; c < dim && k * dim + c <= i; c++)
                to[of->group[k] * dim + c] += row[k * dim + c];
    }
}

static bool do_front(walk *w, int s, const int32_t *child, int children, double *W, int W_stride)
{
    const cst_front *front = w->of->fronts.front + s;
    passed *to = w->from + s;
    if (!list_groups(w, s, child, children))
        return false;
    const int dim = w->of->dim, columns = to->groups * dim, stride = cst_cholesky_stride(columns);
    const int pivots = front->pivots * dim, size = pivots + front->border * dim;
    if (columns == 0)
        return true;
    memset(w->y, 0, sizeof *w->y * (size_t)size * (size_t)stride);
    add_own(w, s, stride);
    for (int c = 0; c < children; c++)
        add_child(w, child[c], stride);
    solve_front(w->of->factor + front->factor_start, pivots, size, w->y, stride, columns);
    square(w->y, pivots, stride, columns, w->turned, w->product);
    add_product(w, to, stride, W, W_stride);
    to->border = CST_TAKE_RAW(w->arena, double, (size_t)(size - pivots) * (size_t)stride);
    if (w->arena->failed)
        return false;
    memcpy(to->border, w->y + (int64_t)pivots * stride, sizeof *w->y * (size_t)(size - pivots) * (size_t)stride);
    return true;
}

bool cst_block_compliance_add(const cst_block_cholesky *cholesky, const cst_block_rows *rows, cst_arena *arena, double *W,
                              int stride)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    walk w = {.of = cholesky, .rows = rows};
    if (!begin(&w, arena))
        return false;
    int waiting = 0;
    for (int s = 0; s < cholesky->fronts.count; s++) {
        waiting -= cholesky->fronts.front[s].children;
        if (!do_front(&w, s, w.waiting + waiting, cholesky->fronts.front[s].children, W, stride))
            return false;
        if (cholesky->fronts.front[s].parent >= 0)
            w.waiting[waiting++] = s;
    }
    cst_arena_release(arena, mark);
    return true;
}
