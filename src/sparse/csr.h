/* Matrices in compressed sparse row format, into which problem files are read.
 *
 * The columns of a row are strictly increasing. Duplicate entries are summed in the given order. Entries that are exactly zero
 * after this sum are dropped, because a stored zero would couple a body to a contact that does not act on it. */
#ifndef CST_SPARSE_CSR_H
#define CST_SPARSE_CSR_H

#include "base/arena.h"

typedef struct cst_csr {
    int32_t rows, columns;
    const int64_t *row_start; /* array (rows + 1) */
    const int32_t *column;    /* array (row_start[rows]) */
    const double *value;      /* array (row_start[rows]) */
} cst_csr;

/* Matrix entries in any order; the caller owns the arrays. */
typedef struct cst_triplets {
    int32_t rows, columns;
    int64_t count;
    /* arrays (count): indices from 0; the caller ensures that they are less than `rows` and `columns` */
    const int32_t *row, *column;
    const double *value; /* array (count) */
} cst_triplets;

/* A square matrix of dim x dim blocks (row-major), as in cst_friction_problem: the columns of a row are sorted, and every
 * diagonal block is stored. */
typedef struct cst_block_csr {
    int32_t rows; /* number of block rows */
    const int64_t *row_start;
    const int32_t *column;
    const double *block;
} cst_block_csr;

/* Builds a matrix in `arena` from triplets, with working memory from `scratch`, which must be a different arena. Returns false
 * if memory ran out. */
bool cst_csr_from_triplets(cst_arena *arena, cst_arena *scratch, const cst_triplets *triplets, cst_csr *out);

bool cst_csr_transpose(cst_arena *arena, const cst_csr *matrix, cst_csr *out);

/* Permutes rows and columns: entry (i, j) moves to (row_position[i], column_position[j]). If `row_position` or
 * `column_position` is NULL, the row or column indices do not change. */
bool cst_csr_permute(cst_arena *arena, cst_arena *scratch, const cst_csr *matrix, const int32_t *row_position,
                     const int32_t *column_position, cst_csr *out);

/* Returns an array with the row index of each stored entry, or NULL if memory ran out. */
int32_t *cst_csr_entry_rows(cst_arena *arena, const cst_csr *matrix);

/* Converts a square matrix, whose size must be a multiple of dim, to a matrix of dim x dim blocks. */
bool cst_csr_to_blocks(cst_arena *arena, const cst_csr *matrix, int dim, cst_block_csr *out);

/* Returns |A - A^T|_F / |A|_F of a square matrix; 0 for a zero matrix. */
double cst_csr_asymmetry(const cst_csr *matrix, const cst_csr *transpose);

#endif
