/* Symbolic part of the multifrontal method (Duff and Reid 1983; Liu 1992) for a symmetric block pattern.
 *
 * The elimination tree is divided into fronts. A front eliminates a run of vertices whose columns of the factor have nearly the
 * same structure. The border of a front consists of vertices that are eliminated later: those with nonzero rows in the columns of
 * the factor that the front computes. The matrix of a front is dense: it is the sum of entries of the sparse matrix and of the
 * update matrices (Schur complements) of the child fronts. After the elimination, the update matrix on the border is passed to
 * the parent front. LU (block_lu.h) and Cholesky (block_cholesky.h) use the same fronts. */
#ifndef CST_SPARSE_FRONTS_H
#define CST_SPARSE_FRONTS_H

#include "base/arena.h"

typedef struct cst_front_entry {
    int64_t entry;       /* index in the pattern */
    int32_t row, column; /* row and column of the matrix entry, as indices of vertices in the front */
} cst_front_entry;

typedef struct cst_front {
    /* the front eliminates the vertices at the positions first .. first + pivots - 1 of the elimination order */
    int32_t first, pivots;
    int32_t border;               /* number of vertices of the border */
    int32_t parent;               /* index of the parent front; -1: a root */
    int64_t border_start;         /* index into border_vertex and border_place */
    int64_t entry_start, entries; /* index of the first entry of the front in `entry`, and number of its entries */
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
    int32_t *border_vertex; /* vertices of the border of each front, as increasing positions in the elimination order */
    int32_t *border_place;  /* for each entry of border_vertex, the index of the vertex in the parent front */
    cst_front_entry *entry;
    int32_t largest;        /* vertices of the largest front */
    int32_t largest_border; /* vertices of the largest border */
} cst_fronts;

/* Analyses the pattern of a matrix, which must be symmetric and include the diagonal; the columns are in any order. `order`:
 * elimination order; NULL: minimum degree order. The fronts eliminate the vertices in a postorder of the elimination tree. The
 * factor has as many nonzero entries in this postorder as in the given order.
 *
 * `kept` (vertices): marks the vertices that are eliminated last; NULL: none. If `kept` is given, `order` must be given too. A
 * front eliminates either only marked or only unmarked vertices. If `bare` is true, the vertices marked in `kept` are not
 * eliminated: their fronts have no border, no entries and no parent. Returns false and sets arena->failed if memory ran out. */
bool cst_fronts_begin(cst_arena *arena, int vertices, const int64_t *row_start, const int32_t *column, const int32_t *order,
                      const bool *kept, bool bare, cst_fronts_entries entries, cst_fronts *out);

/* Returns the largest number of doubles that are needed at one time for the matrix of the current front and the update matrices
 * that wait for their parent front. A vertex has `scalars` unknowns. The functions front_size and update_size return the number
 * of doubles in the matrix of a front and in an update matrix with the given number of unknowns. */
int64_t cst_fronts_stack(const cst_fronts *fronts, int scalars, int64_t (*front_size)(int64_t scalars),
                         int64_t (*update_size)(int64_t scalars), cst_arena *scratch);

#endif
