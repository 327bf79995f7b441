#include "sparse/fronts.h"

#include <string.h>

#include "base/sorted.h"
#include "sparse/ordering.h"

/* Pattern of a matrix, its elimination order, and the structure of its factor L. */
typedef struct analysis {
    int n;
    const int64_t *row_start;
    const int32_t *column;
    const bool *kept;       /* (n) or NULL */
    bool bare;              /* true: the vertices marked in `kept` get no columns of L */
    int32_t *order, *place; /* place[order[k]] = k */
    int32_t *parent;        /* parent of each vertex in the elimination tree; -1: a root */
    int64_t *below_start;   /* (n + 1) */
    int32_t *below;         /* row indices of each column of the factor L below the diagonal, increasing */
    int32_t *mark;
} analysis;

static bool is_kept(const analysis *a, int position)
{
    return a->kept && a->kept[a->order[position]];
}

static bool is_bare(const analysis *a, int position)
{
    return a->bare && is_kept(a, position);
}

/* Computes the elimination tree (Liu 1990): the parent of vertex j is the first row below the diagonal in column j of the factor
 * L. `mark`: for each vertex, its highest ancestor in the elimination tree found so far (path compression). */
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

/* Renumbers the vertices in a postorder of the elimination tree, so that the vertices of each subtree have consecutive numbers.
 * `child`, `sibling`, `work` (n): scratch. */
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
        while (child[k] != -1) { /* go down to a leaf */
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

/* Lists the row indices of the nonzero entries below the diagonal in all columns of the factor L or, if `list` is false, only
 * counts them. A nonzero entry (k, i) of the matrix below the diagonal makes row k of L nonzero in every column on the path from
 * i up to k in the elimination tree. If `bare` is true, the columns of the vertices kept for the Schur complement are left out,
 * because they can be nearly full, for example in a sheet with 9,600 nodes in contact. */
static void column_structures(const analysis *a, bool list)
{
    for (int k = 0; k < a->n; k++) {
        a->mark[k] = k;
        const int vertex = a->order[k];
        for (int64_t e = a->row_start[vertex]; e < a->row_start[vertex + 1]; e++) {
            for (int j = a->place[a->column[e]]; j < k && a->mark[j] != k && !is_bare(a, j); j = a->parent[j]) {
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
    column_structures(a, true); /* column_structures moves below_start[k] to the end of column k; the next loop moves it back */
    for (int k = a->n; k > 0; k--)
        a->below_start[k] = a->below_start[k - 1];
    a->below_start[0] = 0;
    return true;
}

/* Divides the elimination tree into fronts and returns the number of fronts. `first`: output, the first vertex of each front.
 * Successive vertices are put in the same front if this stores few additional zeros, because a few zeros cost less than another
 * front. The last vertex of a front is an ancestor of all other vertices that the front eliminates. The border of a front is
 * therefore the set of nonzero rows below the diagonal in one column of L, the column of the front's last vertex. */
static int cut_fronts(const analysis *a, int32_t *first)
{
    enum { SMALL = 4, LITTLE = 12 };
    int fronts = 0;
    for (int k = 0; k < a->n; k++) {
        first[fronts++] = k;
        while (fronts > 1) {
            const int begin = first[fronts - 1], child = first[fronts - 2];
            if (a->parent[begin - 1] == -1 || a->parent[begin - 1] > k || is_kept(a, begin - 1) != is_kept(a, k))
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

/* Returns the index, in a front, of the vertex that is eliminated k-th. */
static int32_t local_vertex(const cst_fronts *fronts, const cst_front *front, int32_t k)
{
    if (k < front->first + front->pivots)
        return k - front->first;
    return front->pivots + (int32_t)cst_sorted_place(fronts->border_vertex + front->border_start, front->border, k);
}

static void add_entry(cst_front_entry *list, int64_t *count, int64_t entry, int32_t row, int32_t column)
{
    if (list)
        list[*count] = (cst_front_entry){entry, row, column};
    ++*count;
}

/* Counts the entries of the matrix pattern that belong to a front, and writes them to `list` unless it is NULL. A matrix entry
 * belongs to the first front that eliminates its row or its column. */
static int64_t front_entries(const cst_fronts *fronts, const analysis *a, const int64_t *mirror, const cst_front *front,
                             cst_fronts_entries wanted, cst_front_entry *list)
{
    int64_t count = 0;
    const int32_t end = front->first + front->pivots;
    for (int32_t k = front->first; k < end && !is_bare(a, k); k++) {
        const int vertex = a->order[k];
        for (int64_t e = a->row_start[vertex]; e < a->row_start[vertex + 1]; e++) {
            const int32_t j = a->place[a->column[e]];
            if (j < front->first)
                continue;
            if (wanted == CST_FRONTS_WHOLE || j <= k)
                add_entry(list, &count, e, k - front->first, local_vertex(fronts, front, j));
            if (j >= end)
                add_entry(list, &count, mirror[e], local_vertex(fronts, front, j), k - front->first);
        }
    }
    return count;
}

/* Finds the mirrored entries: mirror[e] is the index of entry (j, i) of the pattern if e is the index of entry (i, j). */
static bool find_mirrors(cst_arena *arena, const analysis *a, int64_t *mirror)
{
    const size_t n = (size_t)a->n, entries = (size_t)a->row_start[n];
    int32_t *row = CST_TAKE(arena, int32_t, entries);
    int64_t *by_column = CST_TAKE(arena, int64_t, entries); /* entries sorted by column, then row */
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

static bool build_fronts(cst_arena *arena, cst_arena *scratch, const analysis *a, const int32_t *first, cst_fronts_entries wanted,
                         cst_fronts *fronts)
{
    int64_t *mirror = CST_TAKE(scratch, int64_t, a->row_start[a->n]);
    int32_t *front_of = CST_TAKE(scratch, int32_t, a->n);
    fronts->front = CST_TAKE(arena, cst_front, fronts->count);
    if (scratch->failed || arena->failed || !find_mirrors(scratch, a, mirror))
        return false;
    int64_t borders = 0;
    for (int s = 0; s < fronts->count; s++) {
        const int32_t end = s + 1 < fronts->count ? first[s + 1] : a->n;
        cst_front *front = fronts->front + s;
        for (int32_t k = first[s]; k < end; k++)
            front_of[k] = s;
        front->first = first[s];
        front->pivots = end - first[s];
        front->border = (int32_t)(a->below_start[end] - a->below_start[end - 1]);
        front->border_start = borders;
        borders += front->border;
        fronts->largest_border = front->border > fronts->largest_border ? front->border : fronts->largest_border;
        fronts->largest = front->pivots + front->border > fronts->largest ? front->pivots + front->border : fronts->largest;
    }
    fronts->border_vertex = CST_TAKE(arena, int32_t, borders);
    fronts->border_place = CST_TAKE(arena, int32_t, borders);
    if (arena->failed)
        return false;
    int64_t entries = 0;
    for (int s = 0; s < fronts->count; s++) {
        cst_front *front = fronts->front + s;
        const int32_t last = front->first + front->pivots - 1;
        memcpy(fronts->border_vertex + front->border_start, a->below + a->below_start[last],
               (size_t)front->border * sizeof(int32_t));
        front->parent = a->parent[last] == -1 || is_bare(a, last) ? -1 : front_of[a->parent[last]];
        if (front->parent != -1)
            fronts->front[front->parent].children++;
        front->entry_start = entries;
        entries += front->entries = front_entries(fronts, a, mirror, front, wanted, NULL);
    }
    fronts->entry = CST_TAKE(arena, cst_front_entry, entries);
    if (arena->failed)
        return false;
    for (int s = 0; s < fronts->count; s++) {
        cst_front *front = fronts->front + s;
        front_entries(fronts, a, mirror, front, wanted, fronts->entry + front->entry_start);
        if (front->parent == -1)
            continue;
        for (int32_t k = 0; k < front->border; k++)
            fronts->border_place[front->border_start + k] =
                local_vertex(fronts, fronts->front + front->parent, fronts->border_vertex[front->border_start + k]);
    }
    return true;
}

bool cst_fronts_begin(cst_arena *arena, int vertices, const int64_t *row_start, const int32_t *column, const int32_t *order,
                      const bool *kept, bool bare, cst_fronts_entries entries, cst_fronts *out)
{
    const size_t n = (size_t)vertices;
    cst_arena scratch;
    cst_arena_begin(&scratch, &arena->allocator);
    *out = (cst_fronts){.vertices = vertices, .order = CST_TAKE(arena, int32_t, n)};
    analysis a = {.n = vertices, .row_start = row_start, .column = column, .kept = kept, .bare = bare, .order = out->order};
    a.place = CST_TAKE(&scratch, int32_t, n);
    a.parent = CST_TAKE(&scratch, int32_t, n);
    a.mark = CST_TAKE(&scratch, int32_t, n);
    a.below_start = CST_TAKE(&scratch, int64_t, n + 1);
    int32_t *first = CST_TAKE(&scratch, int32_t, n);
    bool done = !arena->failed && !scratch.failed;
    if (done && order) {
        int at = 0;
        for (int last = 0; last < 2; last++)
            for (int k = 0; k < vertices; k++)
                if ((kept && kept[order[k]]) == (last == 1))
                    out->order[at++] = order[k];
    } else if (done) {
        done = cst_order_minimum_degree(&scratch, vertices, row_start, column, out->order);
    }
    done = done && analyse(&scratch, &a);
    if (done) {
        out->count = cut_fronts(&a, first);
        done = build_fronts(arena, &scratch, &a, first, entries, out);
    }
    if (!done)
        arena->failed = true;
    cst_arena_end(&scratch);
    return done;
}

int64_t cst_fronts_stack(const cst_fronts *fronts, int scalars, int64_t (*front_size)(int64_t scalars),
                         int64_t (*update_size)(int64_t scalars), cst_arena *scratch)
{
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    int64_t *waiting = CST_TAKE(scratch, int64_t, (size_t)fronts->count + 1);
    if (scratch->failed)
        return 0;
    int64_t used = 0, most = 0;
    int count = 0;
    for (int s = 0; s < fronts->count; s++) {
        const cst_front *front = fronts->front + s;
        const int64_t work = front_size((int64_t)(front->pivots + front->border) * scalars);
        most = used + work > most ? used + work : most;
        for (int c = 0; c < front->children; c++)
            used -= waiting[--count];
        if (front->border > 0)
            used += waiting[count++] = update_size((int64_t)front->border * scalars);
    }
    cst_arena_release(scratch, mark);
    return most;
}
