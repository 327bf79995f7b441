#include "sparse/block_inverse.h"

#include <string.h>

#include "base/simd.h"
#include "base/sorted.h"
#include "sparse/dense_cholesky.h"
#include "sparse/dense_tile.h"

typedef struct visit {
    const cst_block_cholesky *of;
    int32_t *place;    /* array (vertices): position of each vertex in the elimination order */
    int32_t *front_of; /* array (vertices): front of the k-th eliminated vertex */
    /* array (fronts + 1): index at which the requested pairs of each front begin in `asked` */
    int32_t *asked_start;
    int32_t *asked; /* array (pairs): requested pairs of vertices, sorted by front */
    bool *needed;   /* array (fronts): true if a block is requested in the front or in a descendant */
    int32_t *left;  /* array (fronts): number of child fronts that are needed and not yet closed (close_front) */
    int32_t *open;  /* fronts on the stack, oldest first */
    /* array (fronts): index in `stack` at which each front's part of the inverse begins; a row of this part has
     * cst_cholesky_stride(unknowns of the front) doubles */
    int64_t *start;
    double *stack;   /* inverse in the open fronts */
    double *y;       /* three arrays for one front: the matrices Y = L21 L11^-1, Y^T and L11^-1 (block_inverse.h) */
    int64_t y_size;  /* doubles of each array */
    int64_t highest; /* largest stack size, in doubles */
    int count;       /* length of `open` */
    int64_t used;
} visit;

static int size_of(const visit *v, int front)
{
    return (v->of->fronts.front[front].pivots + v->of->fronts.front[front].border) * v->of->dim;
}

/* ------------------------------------------------------------------------------------------------------- requested blocks */

static int earlier(const visit *v, const cst_vertex_pair *pair)
{
    const int32_t a = v->place[pair->row], b = v->place[pair->column];
    return v->front_of[a < b ? a : b];
}

static void sort_pairs(visit *v, int pairs, const cst_vertex_pair *pair)
{
    const int fronts = v->of->fronts.count;
    for (int k = 0; k < pairs; k++)
        v->asked_start[earlier(v, pair + k) + 1]++;
    for (int s = 0; s < fronts; s++)
        v->asked_start[s + 1] += v->asked_start[s];
    for (int k = pairs - 1; k >= 0; k--)
        v->asked[--v->asked_start[earlier(v, pair + k) + 1]] = k;
    for (int s = 0; s < fronts; s++)
        v->asked_start[s] = v->asked_start[s + 1];
    v->asked_start[fronts] = pairs;
}

/* Children come before parents. */
static void mark_needed(visit *v)
{
    const cst_fronts *fronts = &v->of->fronts;
    for (int s = 0; s < fronts->count; s++) {
        v->needed[s] = v->needed[s] || v->asked_start[s + 1] > v->asked_start[s];
        if (v->needed[s] && fronts->front[s].parent >= 0) {
            v->needed[fronts->front[s].parent] = true;
            v->left[fronts->front[s].parent]++;
        }
    }
}

static bool begin(visit *v, const cst_block_cholesky *cholesky, int pairs, const cst_vertex_pair *pair, cst_arena *arena)
{
    const cst_fronts *fronts = &cholesky->fronts;
    *v = (visit){.of = cholesky,
                 .place = CST_TAKE_RAW(arena, int32_t, fronts->vertices),
                 .front_of = CST_TAKE_RAW(arena, int32_t, fronts->vertices),
                 .asked_start = CST_TAKE(arena, int32_t, fronts->count + 2),
                 .asked = CST_TAKE_RAW(arena, int32_t, pairs),
                 .needed = CST_TAKE(arena, bool, fronts->count),
                 .left = CST_TAKE(arena, int32_t, fronts->count),
                 .open = CST_TAKE_RAW(arena, int32_t, fronts->count),
                 .start = CST_TAKE_RAW(arena, int64_t, fronts->count)};
    if (arena->failed)
        return false;
    for (int s = 0; s < fronts->count; s++)
        for (int32_t k = 0; k < fronts->front[s].pivots; k++)
            v->front_of[fronts->front[s].first + k] = s;
    for (int k = 0; k < fronts->vertices; k++)
        v->place[fronts->order[k]] = k;
    sort_pairs(v, pairs, pair);
    mark_needed(v);
    return true;
}

/* ------------------------------------------------------------------------------------------------ the stack of open fronts */

static void open_front(visit *v, int front)
{
    const int size = size_of(v, front);
    v->open[v->count++] = front;
    v->start[front] = v->used;
    v->used += (int64_t)size * cst_cholesky_stride(size);
    v->highest = v->used > v->highest ? v->used : v->highest;
}

/* Closes a front: removes it from the stack, unless one of its needed child fronts is not yet closed. If the front was removed,
 * does the same with its parent front. */
static void close_front(visit *v, int front)
{
    while (front >= 0 && v->left[front] == 0) {
        v->count--;
        v->used = v->start[front];
        front = v->of->fronts.front[front].parent;
        if (front >= 0 && --v->left[front] > 0)
            return;
    }
}

/* Finds the largest memory that the stack of fronts needs, by stepping through all fronts that the requested blocks need, without
 * computing the inverse. Restores `left`. */
static void measure(visit *v)
{
    const cst_fronts *fronts = &v->of->fronts;
    int64_t widest = 0;
    for (int s = fronts->count - 1; s >= 0; s--) {
        if (!v->needed[s])
            continue;
        const int64_t size = size_of(v, s);
        widest = size > widest ? size : widest;
        open_front(v, s);
        close_front(v, s);
    }
    v->y_size = widest * cst_cholesky_stride((int)widest);
    memset(v->left, 0, sizeof *v->left * (size_t)fronts->count);
    for (int s = 0; s < fronts->count; s++)
        if (v->needed[s] && fronts->front[s].parent >= 0)
            v->left[fronts->front[s].parent]++;
}

/* ------------------------------------------------------------------------------------------------------------- one front */

/* Inverts a lower triangular matrix in bands of rows. Each band first gets the contribution of the rows above it; then its own
 * triangle is inverted. */
CST_MULTIVERSION
static void invert_lower(const double *factor, int pivots, int stride, double *inverse)
{
    for (int first = 0; first < pivots; first += CST_TILE_ROWS) {
        const int rows = pivots - first < CST_TILE_ROWS ? pivots - first : CST_TILE_ROWS;
        double *band = inverse + (size_t)first * (size_t)stride;
        const double *l = factor + (size_t)first * (size_t)stride;
        memset(band, 0, sizeof(double) * (size_t)rows * (size_t)stride);
        if (rows == CST_TILE_ROWS)
            cst_tile_update_band(band, (size_t)stride, l, (size_t)stride, inverse, (size_t)stride, first, CST_TILE_ROWS, first);
        else
            for (int r = 0; r < rows; r++)
                cst_tile_update_band(band + (size_t)r * (size_t)stride, (size_t)stride, l + (size_t)r * (size_t)stride,
                                     (size_t)stride, inverse, (size_t)stride, first, 1, first);
        for (int r = 0; r < rows; r++) {
            double *row = band + (size_t)r * (size_t)stride;
            const double *own = l + (size_t)r * (size_t)stride;
            for (int k = 0; k < r; k++)
                cst_tile_subtract_scaled(row, band + (size_t)k * (size_t)stride, own[first + k], first + k + 1);
            for (int c = 0; c < first + r; c++)
                row[c] *= own[first + r];
            row[first + r] = own[first + r];
        }
    }
}

CST_MULTIVERSION
static void subtract_product(double *c, const double *l, int stride, const double *u, int u_stride, int rows, int depth,
                             int columns)
{
    int i = 0;
    for (; i + CST_TILE_ROWS <= rows; i += CST_TILE_ROWS)
        cst_tile_update_band(c + (size_t)i * (size_t)stride, (size_t)stride, l + (size_t)i * (size_t)stride, (size_t)stride, u,
                             (size_t)u_stride, depth, CST_TILE_ROWS, columns);
    for (; i < rows; i++)
        cst_tile_update_band(c + (size_t)i * (size_t)stride, (size_t)stride, l + (size_t)i * (size_t)stride, (size_t)stride, u,
                             (size_t)u_stride, depth, 1, columns);
}

/* Subtracts the product L U from the lower triangle of a symmetric matrix C (size x size); tiles on the diagonal are updated
 * completely. `upper`: L is upper triangular. */
CST_MULTIVERSION
static void subtract_symmetric(double *c, const double *l, int stride, const double *u, int u_stride, int size, int depth,
                               bool upper)
{
    int i = 0;
    for (; i + CST_TILE_ROWS <= size; i += CST_TILE_ROWS) {
        const size_t at = (size_t)i * (size_t)stride;
        const int skip = upper ? i : 0;
        cst_tile_update_band(c + at, (size_t)stride, l + at + skip, (size_t)stride, u + (size_t)skip * (size_t)u_stride,
                             (size_t)u_stride, depth - skip, CST_TILE_ROWS, i + CST_TILE_ROWS);
    }
    for (; i < size; i++) {
        const size_t at = (size_t)i * (size_t)stride;
        const int skip = upper ? i : 0;
        cst_tile_update_band(c + at, (size_t)stride, l + at + skip, (size_t)stride, u + (size_t)skip * (size_t)u_stride,
                             (size_t)u_stride, depth - skip, 1, i + 1);
    }
}

/* Copies the block Z_BB of the inverse on a front's border B from the parent front, which contains all border vertices. */
static void gather_border(const visit *v, const cst_front *front, int pivots, double *z, int stride)
{
    const int dim = v->of->dim, border = front->border * dim;
    if (border == 0)
        return;
    const int32_t *at = v->of->fronts.border_place + front->border_start;
    const double *from = v->stack + v->start[front->parent];
    const int from_stride = cst_cholesky_stride(size_of(v, front->parent));
    for (int i = 0; i < border; i++) {
        double *row = z + (int64_t)(pivots + i) * stride + pivots;
        const double *other = from + (int64_t)(at[i / dim] * dim + i % dim) * from_stride;
        for (int j = 0; j < border; j++)
            row[j] = other[at[j / dim] * dim + j % dim];
    }
}

static void transpose(const double *from, int rows, int columns, int stride, double *to, int to_stride)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[(int64_t)j * to_stride + i] = from[(int64_t)i * stride + j];
}

static void find_z(visit *v, int s)
{
    const cst_front *front = v->of->fronts.front + s;
    const int dim = v->of->dim, pivots = front->pivots * dim, border = front->border * dim, size = pivots + border;
    const int stride = cst_cholesky_stride(size), kept = cst_cholesky_stride(pivots);
    const double *factor = v->of->factor + front->factor_start;
    double *z = v->stack + v->start[s], *y = v->y, *turned = v->y + v->y_size, *inverse = turned + v->y_size;
    memset(z, 0, sizeof(double) * (size_t)size * (size_t)stride);
    gather_border(v, front, pivots, z, stride);
    invert_lower(factor, pivots, kept, inverse);
    memset(y, 0, sizeof(double) * (size_t)border * (size_t)kept); /* the kernel subtracts: result -Y */
    subtract_product(y, factor + (int64_t)pivots * kept, kept, inverse, kept, border, pivots, pivots);
    for (int64_t k = 0; k < (int64_t)border * kept; k++)
        y[k] = -y[k];
    subtract_product(z + (int64_t)pivots * stride, z + (int64_t)pivots * stride + pivots, stride, y, kept, border, border,
                     pivots);
    /* the product L11^-T L11^-1 must be added to Z_PP (block_inverse.h), but subtract_symmetric can only subtract, so L11^-T is
     * negated */
    transpose(inverse, pivots, pivots, kept, turned, stride);
    for (int i = 0; i < pivots; i++)
        for (int j = i; j < pivots; j++)
            turned[(int64_t)i * stride + j] = -turned[(int64_t)i * stride + j];
    subtract_symmetric(z, turned, stride, inverse, kept, pivots, pivots, true);
    transpose(y, border, pivots, kept, turned, stride);
    subtract_symmetric(z, turned, stride, z + (int64_t)pivots * stride, stride, pivots, border, false);
    for (int i = 0; i < pivots; i++)
        for (int j = 0; j < i; j++)
            z[(int64_t)j * stride + i] = z[(int64_t)i * stride + j];
    for (int i = 0; i < border; i++) /* Z_PB, for the children */
        for (int j = 0; j < pivots; j++)
            z[(int64_t)j * stride + pivots + i] = z[(int64_t)(pivots + i) * stride + j];
}

/* Returns the index of a vertex in a front, from its position in the elimination order; -1: not in the front. */
static int local_vertex(const visit *v, const cst_front *front, int32_t place)
{
    if (place < front->first + front->pivots)
        return place - front->first;
    const int32_t *border = v->of->fronts.border_vertex + front->border_start;
    const int at = (int)cst_sorted_place(border, front->border, place);
    return at < front->border && border[at] == place ? front->pivots + at : -1;
}

static void answer(const visit *v, int s, const cst_vertex_pair *pair, double *block)
{
    const cst_front *front = v->of->fronts.front + s;
    const int dim = v->of->dim, stride = cst_cholesky_stride(size_of(v, s));
    const double *z = v->stack + v->start[s];
    for (int32_t t = v->asked_start[s]; t < v->asked_start[s + 1]; t++) {
        const int32_t k = v->asked[t];
        const int row = local_vertex(v, front, v->place[pair[k].row]), column = local_vertex(v, front, v->place[pair[k].column]);
        double *to = block + (int64_t)k * dim * dim;
        if (row < 0 || column < 0) {
            memset(to, 0, sizeof(double) * (size_t)(dim * dim));
            continue;
        }
        for (int i = 0; i < dim; i++)
            memcpy(to + i * dim, z + (int64_t)(row * dim + i) * stride + (int64_t)column * dim, sizeof(double) * (size_t)dim);
    }
}

bool cst_block_inverse(const cst_block_cholesky *cholesky, int pairs, const cst_vertex_pair *pair, cst_arena *arena,
                       double *block)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    visit v;
    if (!begin(&v, cholesky, pairs, pair, arena))
        return false;
    measure(&v);
    v.stack = CST_TAKE_RAW(arena, double, v.highest);
    v.y = CST_TAKE_RAW(arena, double, 3 * v.y_size);
    if (arena->failed)
        return false;
    for (int s = cholesky->fronts.count - 1; s >= 0; s--) {
        if (!v.needed[s])
            continue;
        open_front(&v, s);
        find_z(&v, s);
        answer(&v, s, pair, block);
        close_front(&v, s);
    }
    cst_arena_release(arena, mark);
    return true;
}
