/* Symbolic part: elimination tree, column structures, fronts. Numeric part: fronts assembled, eliminated, passed on. */
#include "sparse/block_lu.h"

#include <string.h>

#include "sparse/dense_lu.h"
#include "sparse/ordering.h"

/* -------------------------------------------------------------------------------------------------------------- symbolic */

/* The pattern in elimination order, and what is derived from it. */
typedef struct analysis {
    int n;
    const int64_t *row_start;
    const int32_t *column;
    int32_t *order, *place; /* place[order[k]] = k */
    int32_t *parent;        /* of the elimination tree; -1: a root */
    int64_t *below_start;   /* (n + 1) */
    int32_t *below;         /* structure of each column below the diagonal, increasing */
    int32_t *mark;
} analysis;

/* Elimination tree (Liu 1990): the parent of j is the first row below j of column j of L. `mark` holds the ancestors found so
 * far, compressed. */
static void elimination_tree(const analysis *a)
{
    for (int k = 0; k < a->n; k++) {
        a->parent[k] = a->mark[k] = -1;
        const int vertex = a->order[k];
        for (int64_t e = a->row_start[vertex]; e < a->row_start[vertex + 1]; e++) {
            int j = a->place[a->column[e]];
            while (j < k && j != -1) {
                const int next = a->mark[j];
                a->mark[j] = k;
                if (next == -1)
                    a->parent[j] = k;
                j = next;
            }
        }
    }
}

/* Renumber so that every subtree is contiguous. child, sibling, work: (n) each. */
static void postorder(const analysis *a, int32_t *child, int32_t *sibling, int32_t *work)
{
    const int n = a->n;
    int32_t root = -1;
    for (int k = 0; k < n; k++)
        child[k] = -1;
    for (int k = n - 1; k >= 0; k--) {
        int32_t *head = a->parent[k] == -1 ? &root : child + a->parent[k];
        sibling[k] = *head;
        *head = k;
    }
    int count = 0;
    for (int32_t k = root; k != -1;) {
        while (child[k] != -1) { /* down to a leaf; a visited child is unlinked below */
            k = child[k];
        }
        work[count++] = a->order[k];
        const int32_t up = a->parent[k];
        if (up == -1) {
            k = sibling[k];
        } else {
            child[up] = sibling[k];
            k = up;
        }
    }
    memcpy(a->order, work, (size_t)n * sizeof *work);
    for (int k = 0; k < n; k++)
        a->place[a->order[k]] = k;
}

/* Row k of L is the part of the tree between the entries left of the diagonal and k: visit it for every k, either counting or
 * listing. Rows come in increasing order, so that every column's list is sorted. */
static void column_structures(const analysis *a, bool list)
{
    for (int k = 0; k < a->n; k++) {
        a->mark[k] = k;
        const int vertex = a->order[k];
        for (int64_t e = a->row_start[vertex]; e < a->row_start[vertex + 1]; e++) {
            for (int j = a->place[a->column[e]]; j < k && a->mark[j] != k; j = a->parent[j]) {
                if (list)
                    a->below[a->below_start[j]] = k;
                a->below_start[j]++;
                a->mark[j] = k;
            }
        }
    }
}

static bool analyse(cst_arena *arena, analysis *a)
{
    const size_t n = (size_t)a->n;
    int32_t *work = CST_TAKE(arena, int32_t, 3 * n);
    if (arena->failed)
        return false;
    for (int k = 0; k < a->n; k++)
        a->place[a->order[k]] = k;
    elimination_tree(a);
    postorder(a, work, work + n, work + 2 * n);
    elimination_tree(a);
    column_structures(a, false);
    int64_t total = 0;
    for (int k = 0; k < a->n; k++) {
        const int64_t count = a->below_start[k];
        a->below_start[k] = total;
        total += count;
    }
    a->below = CST_TAKE(arena, int32_t, total);
    if (arena->failed)
        return false;
    column_structures(a, true); /* leaves below_start[k] at the end of column k */
    for (int k = a->n; k > 0; k--)
        a->below_start[k] = a->below_start[k - 1];
    a->below_start[0] = 0;
    return true;
}

/* Cut the tree into fronts: runs of vertices, each the child of a later one of its run. A vertex joins the run before it as long
 * as few zeros become explicit: those cost less than one more front. first[s] is where front s begins; returns their number.
 * The border of a front is the structure of its last vertex, an ancestor of all of its others. */
static int cut_fronts(const analysis *a, int32_t *first)
{
    enum { SMALL = 4, LITTLE = 12 };
    int fronts = 0;
    for (int k = 0; k < a->n; k++) {
        first[fronts++] = k;
        while (fronts > 1) {
            const int begin = first[fronts - 1], child = first[fronts - 2];
            if (a->parent[begin - 1] == -1 || a->parent[begin - 1] > k)
                break;
            const int64_t pivots = k + 1 - child, border = a->below_start[k + 1] - a->below_start[k];
            const int64_t filled = a->below_start[k + 1] - a->below_start[child] + pivots;
            const int64_t dense = pivots * (pivots + 1) / 2 + pivots * border, empty = dense - filled;
            if (empty * 8 > dense && !(pivots <= SMALL && empty * 3 <= dense) &&
                !(pivots + border <= LITTLE && empty * 2 <= dense))
                break;
            fronts--;
        }
    }
    return fronts;
}

/* Where position `k` is in front s. */
static int32_t local_vertex(const cst_block_lu *lu, const cst_front *front, int32_t k)
{
    if (k < front->first + front->pivots)
        return k - front->first;
    const int32_t *border = lu->border_vertex + front->border_start;
    int32_t low = 0, high = front->border - 1;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (border[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return front->pivots + low;
}

/* Entries of the pattern that front s takes: rows and columns of its own vertices that are not in an earlier front. Counts them,
 * or lists them. */
static int64_t front_entries(const cst_block_lu *lu, const analysis *a, const int64_t *mirror, const cst_front *front,
                             cst_front_entry *list)
{
    int64_t count = 0;
    const int32_t end = front->first + front->pivots;
    for (int32_t k = front->first; k < end; k++) {
        const int vertex = a->order[k];
        for (int64_t e = a->row_start[vertex]; e < a->row_start[vertex + 1]; e++) {
            const int32_t j = a->place[a->column[e]];
            if (j < front->first)
                continue;
            if (list)
                list[count] = (cst_front_entry){e, k - front->first, local_vertex(lu, front, j)};
            count++;
            if (j >= end) {
                if (list)
                    list[count] = (cst_front_entry){mirror[e], local_vertex(lu, front, j), k - front->first};
                count++;
            }
        }
    }
    return count;
}

/* mirror[e]: the entry (j, i) of entry e = (i, j). Row i read by increasing column j meets the same j, in the same order, as
 * column i read by increasing row. */
static bool find_mirrors(cst_arena *arena, const analysis *a, int64_t *mirror)
{
    const size_t n = (size_t)a->n, entries = (size_t)a->row_start[n];
    int32_t *row = CST_TAKE(arena, int32_t, entries);
    int64_t *by_column = CST_TAKE(arena, int64_t, entries); /* the entries of column j by increasing row, from row_start[j] */
    int64_t *next = CST_TAKE(arena, int64_t, n);
    if (arena->failed)
        return false;
    memcpy(next, a->row_start, n * sizeof *next);
    for (int i = 0; i < a->n; i++)
        for (int64_t e = a->row_start[i]; e < a->row_start[i + 1]; e++) {
            row[e] = i;
            by_column[next[a->column[e]]++] = e;
        }
    memcpy(next, a->row_start, n * sizeof *next);
    for (int64_t t = 0; t < a->row_start[n]; t++) {
        const int64_t e = by_column[t];
        mirror[e] = by_column[next[row[e]]++];
    }
    return true;
}

/* Doubles of a front's factor: pivot rows whole, then the columns below them. */
static int64_t factor_size(int64_t pivots, int64_t border)
{
    return pivots * cst_dense_stride((int)(pivots + border)) + border * cst_dense_stride((int)pivots);
}

/* Fill in the fronts: borders, parents, entries, sizes. first: where each begins. */
static bool build_fronts(cst_arena *arena, cst_arena *scratch, const analysis *a, const int32_t *first, cst_block_lu *lu)
{
    const int dim = lu->dim;
    int64_t *mirror = CST_TAKE(scratch, int64_t, a->row_start[a->n]);
    int32_t *front_of = CST_TAKE(scratch, int32_t, a->n);
    lu->front = CST_TAKE(arena, cst_front, lu->fronts);
    if (scratch->failed || arena->failed || !find_mirrors(scratch, a, mirror))
        return false;
    int64_t borders = 0;
    for (int s = 0; s < lu->fronts; s++) {
        const int32_t end = s + 1 < lu->fronts ? first[s + 1] : a->n;
        for (int32_t k = first[s]; k < end; k++)
            front_of[k] = s;
        lu->front[s].first = first[s];
        lu->front[s].pivots = end - first[s];
        lu->front[s].border = (int32_t)(a->below_start[end] - a->below_start[end - 1]);
        lu->front[s].border_start = borders;
        borders += lu->front[s].border;
    }
    lu->border_vertex = CST_TAKE(arena, int32_t, borders);
    lu->border_place = CST_TAKE(arena, int32_t, borders);
    if (arena->failed)
        return false;
    int64_t entries = 0, factors = 0;
    for (int s = 0; s < lu->fronts; s++) {
        cst_front *front = lu->front + s;
        const int32_t last = front->first + front->pivots - 1;
        memcpy(lu->border_vertex + front->border_start, a->below + a->below_start[last], (size_t)front->border * sizeof(int32_t));
        front->parent = a->parent[last] == -1 ? -1 : front_of[a->parent[last]];
        if (front->parent != -1)
            lu->front[front->parent].children++;
        front->entry_start = entries;
        entries += front->entries = front_entries(lu, a, mirror, front, NULL);
        front->factor_start = factors;
        factors += factor_size((int64_t)front->pivots * dim, (int64_t)front->border * dim);
    }
    lu->entry = CST_TAKE(arena, cst_front_entry, entries);
    lu->factor = CST_TAKE(arena, double, factors);
    if (arena->failed)
        return false;
    for (int s = 0; s < lu->fronts; s++) {
        cst_front *front = lu->front + s;
        front_entries(lu, a, mirror, front, lu->entry + front->entry_start);
        if (front->parent == -1)
            continue;
        for (int32_t k = 0; k < front->border; k++)
            lu->border_place[front->border_start + k] =
                local_vertex(lu, lu->front + front->parent, lu->border_vertex[front->border_start + k]);
    }
    return true;
}

/* Memory of the numeric part, at full rank: the fronts at work plus the updates that wait for their parents. */
static bool take_work(cst_arena *arena, cst_arena *scratch, cst_block_lu *lu)
{
    const int64_t dim = lu->dim;
    int64_t *waiting = CST_TAKE(scratch, int64_t, (size_t)lu->fronts + 1);
    if (scratch->failed)
        return false;
    int64_t used = 0, most = 0, largest_border = 0, largest = 0;
    int count = 0;
    for (int s = 0; s < lu->fronts; s++) {
        const cst_front *front = lu->front + s;
        const int64_t pivots = front->pivots * dim, border = front->border * dim, size = pivots + border;
        const int64_t work = size * cst_dense_stride((int)size);
        if (used + work > most)
            most = used + work;
        for (int c = 0; c < front->children; c++)
            used -= waiting[--count];
        if (border > 0)
            used += waiting[count++] = border * border;
        if (border > largest_border)
            largest_border = border;
        if (size > largest)
            largest = size;
        const double p = (double)pivots, b = (double)border;
        lu->flops += p * p * p * (2.0 / 3.0) + 2.0 * p * p * b + 2.0 * p * b * b;
    }
    lu->stack = CST_TAKE(arena, double, most);
    lu->waiting = CST_TAKE(arena, int32_t, (size_t)lu->fronts + 1);
    lu->scalar = CST_TAKE(arena, int32_t, 2 * (size_t)largest + 2);
    lu->border_work = CST_TAKE(arena, double, (size_t)largest_border + 1);
    lu->work = CST_TAKE(arena, double, (size_t)lu->vertices *(size_t)dim);
    lu->exchange = CST_TAKE(arena, int32_t, (size_t)lu->vertices * (size_t)dim);
    lu->offset = CST_TAKE(arena, int32_t, (size_t)lu->vertices + 1);
    return !arena->failed;
}

bool cst_block_lu_begin(cst_arena *arena, int vertices, int dim, const int64_t *row_start, const int32_t *column,
                        cst_block_lu *lu)
{
    const size_t n = (size_t)vertices;
    cst_arena scratch;
    cst_arena_begin(&scratch, &arena->allocator);
    *lu = (cst_block_lu){.vertices = vertices, .dim = dim, .order = CST_TAKE(arena, int32_t, n)};
    analysis a = {.n = vertices, .row_start = row_start, .column = column, .order = lu->order};
    a.place = CST_TAKE(&scratch, int32_t, n);
    a.parent = CST_TAKE(&scratch, int32_t, n);
    a.mark = CST_TAKE(&scratch, int32_t, n);
    a.below_start = CST_TAKE(&scratch, int64_t, n + 1);
    int32_t *first = CST_TAKE(&scratch, int32_t, n);
    bool done = !arena->failed && !scratch.failed && cst_order_minimum_degree(&scratch, vertices, row_start, column, lu->order) &&
                analyse(&scratch, &a);
    if (done) {
        lu->fronts = cut_fronts(&a, first);
        done = build_fronts(arena, &scratch, &a, first, lu) && take_work(arena, &scratch, lu);
    }
    if (!done)
        arena->failed = true;
    cst_arena_end(&scratch);
    return done;
}

/* --------------------------------------------------------------------------------------------------------------- numeric */

static int rank_at(const cst_block_lu *lu, int32_t position)
{
    return lu->offset[position + 1] - lu->offset[position];
}

/* First scalar of each vertex of a front; returns the front's size. */
static int local_scalars(const cst_block_lu *lu, const cst_front *front, int32_t *scalar)
{
    int32_t at = 0;
    for (int32_t k = 0; k < front->pivots; k++) {
        scalar[k] = at;
        at += rank_at(lu, front->first + k);
    }
    const int32_t *border = lu->border_vertex + front->border_start;
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
    const cst_front_entry *entry = lu->entry + front->entry_start;
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

/* Add a child's update (size x size, packed) to its parent's front. index: room for `size`. */
static void add_update(const cst_block_lu *lu, const cst_front *child, const double *update, const int32_t *scalar,
                       int32_t *index, double *matrix, int stride)
{
    const int32_t *place = lu->border_place + child->border_start;
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

/* Keep the pivot rows and the columns below them. */
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
    for (int k = 0; k < lu->vertices; k++)
        lu->offset[k + 1] = lu->offset[k] + (rank ? rank[lu->order[k]] : lu->dim);
    int replaced = 0, waiting = 0;
    int64_t used = 0;
    int32_t *scalar = lu->scalar;
    for (int s = 0; s < lu->fronts; s++) {
        cst_front *front = lu->front + s;
        const int vertices = front->pivots + front->border, size = local_scalars(lu, front, scalar);
        scalar[vertices] = size;
        const int pivots = scalar[front->pivots], border = size - pivots, stride = cst_dense_stride(size);
        double *matrix = lu->stack + used;
        memset(matrix, 0, (size_t)size * (size_t)stride * sizeof *matrix);
        add_entries(lu, front, block, scalar, matrix, stride);
        for (int c = 0; c < front->children; c++) {
            const cst_front *child = lu->front + lu->waiting[--waiting];
            add_update(lu, child, lu->stack + child->update, scalar, scalar + vertices + 1, matrix, stride);
            used = child->update;
        }
        replaced += cst_dense_lu_eliminate(matrix, size, stride, pivots, floor, lu->exchange + lu->offset[front->first]);
        keep_factor(matrix, size, stride, pivots, lu->factor + front->factor_start);
        if (front->parent == -1)
            continue;
        front->update = used;
        lu->waiting[waiting++] = s;
        for (int i = 0; i < border; i++) /* over the children's updates and the front itself, never ahead of the reading */
            memmove(lu->stack + used + (int64_t)i * border, matrix + (int64_t)(pivots + i) * stride + pivots,
                    (size_t)border * sizeof *matrix);
        used += (int64_t)border * border;
    }
    return replaced;
}

/* A front's part of the last factorisation. */
typedef struct front_view {
    const double *rows, *below; /* pivot rows; columns below them */
    int pivots, border, stride, below_stride;
    double *x; /* its own unknowns in work */
} front_view;

static front_view view_front(const cst_block_lu *lu, const cst_front *front)
{
    front_view view = {.rows = lu->factor + front->factor_start, .x = lu->work + lu->offset[front->first]};
    view.pivots = lu->offset[front->first + front->pivots] - lu->offset[front->first];
    for (int32_t k = 0; k < front->border; k++)
        view.border += rank_at(lu, lu->border_vertex[front->border_start + k]);
    view.stride = cst_dense_stride(view.pivots + view.border);
    view.below_stride = cst_dense_stride(view.pivots);
    view.below = view.rows + (int64_t)view.pivots * view.stride;
    return view;
}

/* border_work <- the border's unknowns, or the other way. */
static void copy_border(const cst_block_lu *lu, const cst_front *front, bool gather)
{
    const int32_t *border = lu->border_vertex + front->border_start;
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
    for (int k = 0; k < lu->vertices; k++)
        memcpy(lu->work + lu->offset[k], x + (int64_t)lu->order[k] * lu->dim, (size_t)rank_at(lu, k) * sizeof *x);
    for (int s = 0; s < lu->fronts; s++) {
        const cst_front *front = lu->front + s;
        const front_view view = view_front(lu, front);
        cst_dense_lu_forward(view.rows, view.stride, view.pivots, lu->exchange + lu->offset[front->first], view.x);
        copy_border(lu, front, true);
        cst_dense_subtract_product(view.below, view.border, view.pivots, view.below_stride, view.x, lu->border_work);
        copy_border(lu, front, false);
    }
    for (int s = lu->fronts - 1; s >= 0; s--) {
        const cst_front *front = lu->front + s;
        const front_view view = view_front(lu, front);
        copy_border(lu, front, true);
        cst_dense_subtract_product(view.rows + view.pivots, view.pivots, view.border, view.stride, lu->border_work, view.x);
        cst_dense_lu_backward(view.rows, view.stride, view.pivots, view.x);
    }
    for (int k = 0; k < lu->vertices; k++)
        memcpy(x + (int64_t)lu->order[k] * lu->dim, lu->work + lu->offset[k], (size_t)rank_at(lu, k) * sizeof *x);
}
