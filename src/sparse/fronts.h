/* Fronts of a symmetric block pattern: what the multifrontal method (Duff and Reid 1983; Liu 1992) knows before it sees a number.
 *
 * The pattern is ordered by minimum degree, or by the caller, and its elimination tree cut into fronts: runs of vertices whose columns (nearly) agree. A front is a
 * small dense matrix: what the pattern gives for its vertices, plus the Schur complements of its children. Its own vertices are eliminated,
 * the rest is passed to its parent. So nearly all the work is in dense kernels, and the dense end that every such
 * elimination has needs no special case. LU (block_lu.h) and Cholesky (block_cholesky.h) are two numeric parts on it. */
#ifndef CST_SPARSE_FRONTS_H
#define CST_SPARSE_FRONTS_H

#include "base/arena.h"

typedef struct cst_front_entry {
    int64_t entry;       /* of the pattern */
    int32_t row, column; /* vertices local to the front */
} cst_front_entry;

typedef struct cst_front {
    int32_t first, pivots;        /* vertices eliminated here: positions first .. first + pivots - 1 of the order */
    int32_t border;               /* vertices passed on */
    int32_t parent;               /* -1: a root */
    int64_t border_start;         /* into border_vertex and border_place */
    int64_t entry_start, entries; /* into entry */
    int64_t factor_start;         /* where its factor begins: of the numeric part, at full size */
    int32_t children;             /* how many updates it takes from the stack */
    int64_t update;               /* where its update waits in the stack */
} cst_front;

typedef enum cst_fronts_entries {
    CST_FRONTS_WHOLE, /* rows and columns of a front's own vertices */
    CST_FRONTS_LOWER  /* of these, entries on and below the diagonal: for a symmetric matrix */
} cst_fronts_entries;

typedef struct cst_fronts {
    int vertices;
    int count;
    int32_t *order;         /* (vertices) order[k]: the vertex that is k-th */
    cst_front *front;       /* (count) children before parents */
    int32_t *border_vertex; /* positions in the order, increasing within a front */
    int32_t *border_place;  /* the same, local to the parent's front */
    cst_front_entry *entry;
    int32_t largest;        /* vertices of the largest front */
    int32_t largest_border; /* vertices of the largest border */
} cst_fronts;

/* Analyse a pattern: symmetric, diagonal included, columns in any order. False: out of memory (arena->failed is set). */
bool cst_fronts_begin(cst_arena *arena, int vertices, const int64_t *row_start, const int32_t *column, cst_fronts_entries entries,
                      cst_fronts *out);

/* The same in an order that is given, but for what does not change the factor. */
bool cst_fronts_begin_ordered(cst_arena *arena, int vertices, const int64_t *row_start, const int32_t *column,
                              const int32_t *order, cst_fronts_entries entries, cst_fronts *out);

/* The same, with those that are `kept` (vertices) after all others: no front has
 * both. */
bool cst_fronts_begin_kept(cst_arena *arena, int vertices, const int64_t *row_start, const int32_t *column, const int32_t *order,
                           const bool *kept, cst_fronts_entries entries, cst_fronts *out);

/* Scalars that the updates which wait and the front at work take at most, `scalars` to a vertex, a front of n scalars and an update of m
 * taking front_size(n) and update_size(m). */
int64_t cst_fronts_stack(const cst_fronts *fronts, int scalars, int64_t (*front_size)(int64_t scalars),
                         int64_t (*update_size)(int64_t scalars), cst_arena *scratch);

#endif
