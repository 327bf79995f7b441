/* Fronts of a symmetric block pattern: the symbolic part of the multifrontal method (Duff and Reid 1983; Liu 1992).
 *
 * The elimination order of the pattern is found by the minimum degree method or given by the caller. The elimination tree of
 * the pattern is divided into fronts, which are runs of vertices whose columns have (nearly) the same structure. A front is a
 * small dense matrix: the entries of the sparse matrix for its vertices, plus the Schur complements of its children. The
 * front's own vertices are eliminated, and the rest of the front is passed to its parent. Because fronts are dense, nearly all
 * the work is in dense kernels, and the last, dense part of the elimination needs no special case. LU (block_lu.h) and Cholesky
 * (block_cholesky.h) use the same fronts. */
#ifndef CST_SPARSE_FRONTS_H
#define CST_SPARSE_FRONTS_H

#include "base/arena.h"

typedef struct cst_front_entry {
    int64_t entry;       /* index in the pattern */
    int32_t row, column; /* vertices local to the front */
} cst_front_entry;

typedef struct cst_front {
    /* vertices eliminated in this front: positions first .. first + pivots - 1 of the elimination order */
    int32_t first, pivots;
    int32_t border;               /* number of vertices passed to the parent front */
    int32_t parent;               /* -1: a root */
    int64_t border_start;         /* index into border_vertex and border_place */
    int64_t entry_start, entries; /* index into entry */
    int64_t factor_start;         /* index into the array of factors */
    int32_t children;             /* number of child fronts */
    int64_t update;               /* start of its update matrix */
} cst_front;

typedef enum cst_fronts_entries {
    CST_FRONTS_WHOLE, /* full rows and columns */
    CST_FRONTS_LOWER  /* lower triangle, for a symmetric matrix */
} cst_fronts_entries;

typedef struct cst_fronts {
    int vertices;
    int count;
    int32_t *order;         /* array (vertices): order[k] is the vertex eliminated k-th */
    cst_front *front;       /* array (count): children before parents */
    int32_t *border_vertex; /* vertices that each front passes to its parent, as increasing positions in the elimination order */
    int32_t *border_place;  /* index of each border vertex of a front (border_vertex) in the parent front */
    cst_front_entry *entry;
    int32_t largest;        /* vertices of the largest front */
    int32_t largest_border; /* vertices of the largest border */
} cst_fronts;

/* Analyses the pattern of a matrix, which is symmetric and includes the diagonal; the columns may be in any order. Returns
 * false if memory ran out (arena->failed is set).
 *
 * `order`: order of elimination; NULL: an order found by the minimum degree method. The vertices are eliminated in an equivalent
 * order, a postorder of the elimination tree, which has the same fill.
 *
 * The array `kept` (vertices) may be NULL; if it is given, the elimination order `order` must be given too. Vertices that are
 * marked in the array `kept` are eliminated after all other vertices. The vertices of a front (a set of vertices eliminated
 * together) are either all marked in `kept` or all not marked. If the flag `bare` is true, the vertices marked in `kept` are
 * not eliminated: their fronts have no border, no entries and no parent. */
bool cst_fronts_begin(cst_arena *arena, int vertices, const int64_t *row_start, const int32_t *column, const int32_t *order,
                      const bool *kept, bool bare, cst_fronts_entries entries, cst_fronts *out);

/* Returns the largest memory, in doubles, that the elimination needs at one time for the current front and for the update
 * matrices not yet added to their parents. A vertex has `scalars` unknowns. The function front_size returns the number of
 * doubles of a front with n unknowns, and update_size that of an update matrix with n unknowns. */
int64_t cst_fronts_stack(const cst_fronts *fronts, int scalars, int64_t (*front_size)(int64_t scalars),
                         int64_t (*update_size)(int64_t scalars), cst_arena *scratch);

#endif
