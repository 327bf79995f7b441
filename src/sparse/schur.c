#include "sparse/schur.h"

#include <string.h>

#include "base/merge_sort.h"

typedef struct work {
    const cst_block_cholesky *cholesky;
    const int64_t *row_start;
    const int32_t *column;
    cst_schur *out;
} work;

/* ----------------------------------------------------------------------------------------------------------------- pattern */

/* Returns true if the update matrix of a front is a summand of the Schur complement: the front eliminates vertices, and its
 * parent front consists of vertices kept for the Schur complement. */
static bool leaves_a_piece(const work *w, const cst_front *front)
{
    const cst_fronts *fronts = &w->cholesky->fronts;
    return !w->cholesky->kept[fronts->order[front->first]] && front->parent >= 0 &&
           w->cholesky->kept[fronts->order[fronts->front[front->parent].first]];
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Lists, for each vertex of the Schur complement, the fronts whose update matrix contributes to the row of the vertex in the
 * Schur complement. `start`: (kept + 1). */
static bool list_pieces(const work *w, cst_arena *scratch, int64_t **start, int32_t **list)
{
    const cst_fronts *fronts = &w->cholesky->fronts;
    int64_t *first = CST_TAKE(scratch, int64_t, (size_t)w->out->kept + 2);
    if (scratch->failed)
        return false;
    for (int fill = 0; fill < 2; fill++) {
        for (int s = 0; s < fronts->count; s++) {
            const cst_front *front = fronts->front + s;
            for (int32_t k = 0; k < front->border && leaves_a_piece(w, front); k++) {
                const int32_t row = w->out->index[fronts->order[fronts->border_vertex[front->border_start + k]]];
                if (fill)
                    (*list)[first[row + 1]++] = s;
                else
                    first[row + 2]++;
            }
        }
        if (fill)
            break;
        for (int j = 0; j <= w->out->kept; j++)
            first[j + 1] += first[j];
        *list = CST_TAKE_RAW(scratch, int32_t, (size_t)first[w->out->kept + 1]);
        if (scratch->failed)
            return false;
    }
    *start = first;
    return true;
}

/* Collects the columns of row j of the Schur complement, without duplicates, from the matrix and from the borders of fronts; if
 * `to` is NULL, only counts them. `mark`: for each column, the last row in which the column was found. */
static int64_t row_of(const work *w, int j, const int64_t *start, const int32_t *list, int32_t *mark, int32_t *to)
{
    const cst_fronts *fronts = &w->cholesky->fronts;
    const int32_t vertex = w->out->vertex[j];
    int64_t count = 0;
    for (int64_t e = w->row_start[vertex]; e < w->row_start[vertex + 1]; e++) {
        const int32_t k = w->out->index[w->column[e]];
        if (k < 0 || mark[k] == j)
            continue;
        mark[k] = j;
        if (to)
            to[count] = k;
        count++;
    }
    for (int64_t p = start[j]; p < start[j + 1]; p++) {
        const cst_front *front = fronts->front + list[p];
        for (int32_t b = 0; b < front->border; b++) {
            const int32_t k = w->out->index[fronts->order[fronts->border_vertex[front->border_start + b]]];
            if (mark[k] == j)
                continue;
            mark[k] = j;
            if (to)
                to[count] = k;
            count++;
        }
    }
    return count;
}

static bool take_pattern(work *w, cst_arena *arena, cst_arena *scratch)
{
    cst_schur *out = w->out;
    int64_t *start;
    int32_t *list;
    int32_t *mark = CST_TAKE_RAW(scratch, int32_t, (size_t)out->kept), *room = CST_TAKE_RAW(scratch, int32_t, (size_t)out->kept);
    out->row_start = CST_TAKE(arena, int64_t, (size_t)out->kept + 1);
    if (arena->failed || scratch->failed || !list_pieces(w, scratch, &start, &list))
        return false;
    for (int fill = 0; fill < 2; fill++) {
        for (int j = 0; j < out->kept; j++)
            mark[j] = -1;
        for (int j = 0; j < out->kept; j++) {
            int32_t *to = fill ? out->column + out->row_start[j] : NULL;
            const int64_t count = row_of(w, j, start, list, mark, to);
            if (fill)
                cst_merge_sort(to, room, (size_t)count, sizeof *to, compare);
            else
                out->row_start[j + 1] = out->row_start[j] + count;
        }
        if (fill)
            break;
        out->column = CST_TAKE_RAW(arena, int32_t, (size_t)out->row_start[out->kept]);
        out->block = CST_TAKE_RAW(arena, double, (size_t)(out->row_start[out->kept] * w->cholesky->dim * w->cholesky->dim));
        if (arena->failed)
            return false;
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- numbers */

static double *block_of(const work *w, int32_t row, int32_t column)
{
    const cst_schur *s = w->out;
    int64_t low = s->row_start[row], high = s->row_start[row + 1] - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (s->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return s->block + low * w->cholesky->dim * w->cholesky->dim;
}

static void add_given(const work *w, const double *block)
{
    const int square = w->cholesky->dim * w->cholesky->dim;
    for (int j = 0; j < w->out->kept; j++) {
        const int32_t vertex = w->out->vertex[j];
        for (int64_t e = w->row_start[vertex]; e < w->row_start[vertex + 1]; e++) {
            const int32_t k = w->out->index[w->column[e]];
            double *to = k < 0 ? NULL : block_of(w, j, k);
            for (int c = 0; to && c < square; c++)
                to[c] += block[e * square + c];
        }
    }
}

static void add_piece(void *user, int vertices, const int32_t *position, const double *lower)
{
    const work *w = user;
    const int dim = w->cholesky->dim;
    const int32_t *order = w->cholesky->fronts.order;
    for (int i = 0; i < vertices; i++)
        for (int j = 0; j <= i; j++) {
            const int32_t row = w->out->index[order[position[i]]], column = w->out->index[order[position[j]]];
            double *below = block_of(w, row, column), *above = block_of(w, column, row);
            for (int c = 0; c < dim * dim; c++) {
                const int r = c / dim, k = c % dim;
                const int64_t x = (int64_t)i * dim + r, y = (int64_t)j * dim + k;
                const double value = x >= y ? lower[x * (x + 1) / 2 + y] : lower[y * (y + 1) / 2 + x];
                below[c] += value;
                if (i != j)
                    above[k * dim + r] += value;
            }
        }
}

bool cst_schur_begin(cst_arena *arena, const cst_block_cholesky *factor, const int64_t *row_start, const int32_t *column,
                     cst_schur *out)
{
    const int vertices = factor->fronts.vertices;
    cst_arena scratch;
    work w = {.cholesky = factor, .row_start = row_start, .column = column, .out = out};
    *out = (cst_schur){.index = CST_TAKE_RAW(arena, int32_t, (size_t)vertices)};
    for (int i = 0; i < vertices; i++)
        out->kept += factor->kept[i];
    out->vertex = CST_TAKE_RAW(arena, int32_t, (size_t)out->kept);
    if (arena->failed)
        return false;
    for (int i = 0, k = 0; i < vertices; i++) {
        out->index[i] = factor->kept[i] ? k : -1;
        if (factor->kept[i])
            out->vertex[k++] = i;
    }
    cst_arena_begin(&scratch, &arena->allocator);
    const bool taken = take_pattern(&w, arena, &scratch);
    cst_arena_end(&scratch);
    return taken;
}

int cst_schur_factor(cst_block_cholesky *factor, const int64_t *row_start, const int32_t *column, const double *block,
                     int threads, cst_schur *schur)
{
    work w = {.cholesky = factor, .row_start = row_start, .column = column, .out = schur};
    memset(schur->block, 0, sizeof(double) * (size_t)(schur->row_start[schur->kept] * factor->dim * factor->dim));
    add_given(&w, block);
    return cst_block_cholesky_condense(factor, block, threads, add_piece, &w);
}

int cst_schur_find(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column, const double *block,
                   const int32_t *order, const bool *kept, int threads, cst_schur *out)
{
    cst_arena scratch;
    cst_block_cholesky cholesky;
    int fault = vertices;
    cst_arena_begin(&scratch, &arena->allocator);
    if (cst_block_cholesky_begin_kept(&scratch, vertices, dim, row_start, column, order, kept, true, &cholesky) &&
        cst_schur_begin(arena, &cholesky, row_start, column, out))
        fault = cst_schur_factor(&cholesky, row_start, column, block, threads, out);
    cst_arena_end(&scratch);
    return fault;
}
