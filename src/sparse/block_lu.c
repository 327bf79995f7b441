#include "sparse/block_lu.h"

#include <string.h>

#include "sparse/dense_lu.h"

static int64_t factor_size(int64_t pivots, int64_t border)
{
    return pivots * cst_dense_stride((int)(pivots + border)) + border * cst_dense_stride((int)pivots);
}

static int64_t front_size(int64_t scalars)
{
    return scalars * cst_dense_stride((int)scalars);
}

static int64_t update_size(int64_t scalars)
{
    return scalars * scalars;
}

static bool take_work(cst_arena *arena, cst_block_lu *lu)
{
    const int64_t dim = lu->dim;
    int64_t factors = 0;
    for (int s = 0; s < lu->fronts.count; s++) {
        cst_front *front = lu->fronts.front + s;
        const double p = (double)(front->pivots * dim), b = (double)(front->border * dim);
        front->factor_start = factors;
        factors += factor_size(front->pivots * dim, front->border * dim);
        lu->flops += p * p * p * (2.0 / 3.0) + 2.0 * p * p * b + 2.0 * p * b * b;
    }
    const int64_t stack = cst_fronts_stack(&lu->fronts, lu->dim, front_size, update_size, arena);
    lu->factor = CST_TAKE_RAW(arena, double, factors);
    lu->stack = CST_TAKE_RAW(arena, double, stack);
    lu->waiting = CST_TAKE(arena, int32_t, (size_t)lu->fronts.count + 1);
    lu->scalar = CST_TAKE(arena, int32_t, 2 * (size_t)lu->fronts.largest * (size_t)dim + 2);
    lu->border_work = CST_TAKE(arena, double, (size_t)lu->fronts.largest_border *(size_t)dim + 1);
    lu->work = CST_TAKE(arena, double, (size_t)lu->fronts.vertices *(size_t)dim);
    lu->exchange = CST_TAKE(arena, int32_t, (size_t)lu->fronts.vertices * (size_t)dim);
    lu->offset = CST_TAKE(arena, int32_t, (size_t)lu->fronts.vertices + 1);
    return !arena->failed;
}

bool cst_block_lu_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                        const int32_t *order, cst_block_lu *lu)
{
    *lu = (cst_block_lu){.dim = dim};
    return cst_fronts_begin(arena, vertices, row_start, column, order, NULL, false, CST_FRONTS_WHOLE, &lu->fronts) &&
           take_work(arena, lu);
}

static int rank_at(const cst_block_lu *lu, int32_t position)
{
    return lu->offset[position + 1] - lu->offset[position];
}

/* Writes, for each vertex of a front, the index of its first unknown in the front; returns the number of unknowns of the
 * front. */
static int local_scalars(const cst_block_lu *lu, const cst_front *front, int32_t *scalar)
{
    int32_t at = 0;
    for (int32_t k = 0; k < front->pivots; k++) {
        scalar[k] = at;
        at += rank_at(lu, front->first + k);
    }
    const int32_t *border = lu->fronts.border_vertex + front->border_start;
    for (int32_t k = 0; k < front->border; k++) {
        scalar[front->pivots + k] = at;
        at += rank_at(lu, border[k]);
    }
    return at;
}

static void add_entries(const cst_block_lu *lu, const cst_front *front, const double *block, const int32_t *scalar,
                        double *matrix, int stride)
{
    const int dim = lu->dim;
    const cst_front_entry *entry = lu->fronts.entry + front->entry_start;
    for (int64_t e = 0; e < front->entries; e++) {
        const int32_t row = scalar[entry[e].row], column = scalar[entry[e].column];
        const int rows = scalar[entry[e].row + 1] - row, columns = scalar[entry[e].column + 1] - column;
        const double *from = block + entry[e].entry * dim * dim;
        double *to = matrix + (int64_t)row * stride + column;
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++)
                to[(int64_t)r * stride + c] += from[r * dim + c];
    }
}

/* Adds the update matrix of a child front (size x size, packed) to the matrix of its parent front. `index`: scratch, `size`
 * entries. */
static void add_update(const cst_block_lu *lu, const cst_front *child, const double *update, const int32_t *scalar,
                       int32_t *index, double *matrix, int stride)
{
    const int32_t *place = lu->fronts.border_place + child->border_start;
    int size = 0;
    for (int32_t k = 0; k < child->border; k++)
        for (int32_t at = scalar[place[k]]; at < scalar[place[k] + 1]; at++)
            index[size++] = at;
    for (int i = 0; i < size; i++) {
        double *row = matrix + (int64_t)index[i] * stride;
        const double *from = update + (int64_t)i * size;
        for (int j = 0; j < size; j++)
            row[index[j]] += from[j];
    }
}

static void keep_factor(const double *matrix, int size, int stride, int pivots, double *factor)
{
    const int below = cst_dense_stride(pivots);
    memcpy(factor, matrix, (size_t)pivots * (size_t)stride * sizeof *factor);
    factor += (int64_t)pivots * stride;
    for (int i = pivots; i < size; i++)
        memcpy(factor + (int64_t)(i - pivots) * below, matrix + (int64_t)i * stride, (size_t)pivots * sizeof *factor);
}

int cst_block_lu_factor(cst_block_lu *lu, const double *block, const uint8_t *rank, double floor)
{
    for (int k = 0; k < lu->fronts.vertices; k++)
        lu->offset[k + 1] = lu->offset[k] + (rank ? rank[lu->fronts.order[k]] : lu->dim);
    int replaced = 0, waiting = 0;
    int64_t used = 0;
    int32_t *scalar = lu->scalar;
    for (int s = 0; s < lu->fronts.count; s++) {
        cst_front *front = lu->fronts.front + s;
        const int vertices = front->pivots + front->border, size = local_scalars(lu, front, scalar);
        scalar[vertices] = size;
        const int pivots = scalar[front->pivots], border = size - pivots, stride = cst_dense_stride(size);
        double *matrix = lu->stack + used;
        memset(matrix, 0, (size_t)size * (size_t)stride * sizeof *matrix);
        add_entries(lu, front, block, scalar, matrix, stride);
        for (int c = 0; c < front->children; c++) {
            const cst_front *child = lu->fronts.front + lu->waiting[--waiting];
            add_update(lu, child, lu->stack + child->update, scalar, scalar + vertices + 1, matrix, stride);
            used = child->update;
        }
        replaced += cst_dense_lu_eliminate(matrix, size, stride, pivots, floor, lu->exchange + lu->offset[front->first]);
        keep_factor(matrix, size, stride, pivots, lu->factor + front->factor_start);
        if (front->parent == -1)
            continue;
        front->update = used;
        lu->waiting[waiting++] = s;
        /* on the stack, the update matrix of the front overwrites the update matrices of its child fronts and the pivot rows of
         * the front, which are no longer needed */
        for (int i = 0; i < border; i++)
            memmove(lu->stack + used + (int64_t)i * border, matrix + (int64_t)(pivots + i) * stride + pivots,
                    (size_t)border * sizeof *matrix);
        used += (int64_t)border * border;
    }
    return replaced;
}

/* The LU factors of one front. */
typedef struct front_view {
    const double *rows, *below; /* pivot rows; columns below the pivots */
    int pivots, border, stride, below_stride;
    double *x; /* part of lu->work that holds the unknowns that the front eliminates */
} front_view;

static front_view view_front(const cst_block_lu *lu, const cst_front *front)
{
    front_view view = {.rows = lu->factor + front->factor_start, .x = lu->work + lu->offset[front->first]};
    view.pivots = lu->offset[front->first + front->pivots] - lu->offset[front->first];
    for (int32_t k = 0; k < front->border; k++)
        view.border += rank_at(lu, lu->fronts.border_vertex[front->border_start + k]);
    view.stride = cst_dense_stride(view.pivots + view.border);
    view.below_stride = cst_dense_stride(view.pivots);
    view.below = view.rows + (int64_t)view.pivots * view.stride;
    return view;
}

/* Copies the unknowns on the border of a front from lu->work to lu->border_work if `gather` is true, otherwise from
 * lu->border_work to lu->work. */
static void copy_border(const cst_block_lu *lu, const cst_front *front, bool gather)
{
    const int32_t *border = lu->fronts.border_vertex + front->border_start;
    double *packed = lu->border_work;
    for (int32_t k = 0; k < front->border; k++)
        for (int32_t at = lu->offset[border[k]]; at < lu->offset[border[k] + 1]; at++) {
            if (gather)
                *packed++ = lu->work[at];
            else
                lu->work[at] = *packed++;
        }
}

void cst_block_lu_solve(cst_block_lu *lu, double *x)
{
    for (int k = 0; k < lu->fronts.vertices; k++)
        memcpy(lu->work + lu->offset[k], x + (int64_t)lu->fronts.order[k] * lu->dim, (size_t)rank_at(lu, k) * sizeof *x);
    for (int s = 0; s < lu->fronts.count; s++) {
        const cst_front *front = lu->fronts.front + s;
        const front_view view = view_front(lu, front);
        cst_dense_lu_forward(view.rows, view.stride, view.pivots, lu->exchange + lu->offset[front->first], view.x);
        copy_border(lu, front, true);
        cst_dense_subtract_product(view.below, view.border, view.pivots, view.below_stride, view.x, lu->border_work);
        copy_border(lu, front, false);
    }
    for (int s = lu->fronts.count - 1; s >= 0; s--) {
        const cst_front *front = lu->fronts.front + s;
        const front_view view = view_front(lu, front);
        copy_border(lu, front, true);
        cst_dense_subtract_product(view.rows + view.pivots, view.pivots, view.border, view.stride, lu->border_work, view.x);
        cst_dense_lu_backward(view.rows, view.stride, view.pivots, view.x);
    }
    for (int k = 0; k < lu->fronts.vertices; k++)
        memcpy(x + (int64_t)lu->fronts.order[k] * lu->dim, lu->work + lu->offset[k], (size_t)rank_at(lu, k) * sizeof *x);
}
