/* Scalar compressed sparse rows: what problem files are made of before they become block matrices or bodies.
 *
 * Columns of a row are strictly increasing and no stored value is zero, whatever the source looked like: equal entries are
 * summed in the order they were given (so the result does not depend on the sort), and what is exactly zero is dropped, because
 * a stored zero would tie together bodies and contacts that do not touch. */
#ifndef CST_SPARSE_CSR_H
#define CST_SPARSE_CSR_H

#include "base/arena.h"

typedef struct cst_csr {
    int32_t rows, columns;
    const int64_t *row_start; /* (rows + 1) */
    const int32_t *column;    /* (row_start[rows]) */
    const double *value;      /* (row_start[rows]) */
} cst_csr;

/* Entries in any order; the arrays belong to the caller and are only read. */
typedef struct cst_triplets {
    int32_t rows, columns;
    int64_t count;
    const int32_t *row, *column; /* (count), in range: the caller's business */
    const double *value;         /* (count) */
} cst_triplets;

/* Blocks of dim x dim, row-major, in the layout of cst_friction_problem: columns sorted, the diagonal always there. */
typedef struct cst_block_csr {
    int32_t rows; /* block rows */
    const int64_t *row_start;
    const int32_t *column;
    const double *block;
} cst_block_csr;

/* Result from `arena`, working memory from `scratch` (given back). false: out of memory. The two arenas differ. */
bool cst_csr_from_triplets(cst_arena *arena, cst_arena *scratch, const cst_triplets *triplets, cst_csr *out);

bool cst_csr_transpose(cst_arena *arena, const cst_csr *matrix, cst_csr *out);

/* B = P A Q: entry (i, j) goes to (row_position[i], column_position[j]); NULL leaves that index alone. */
bool cst_csr_permute(cst_arena *arena, cst_arena *scratch, const cst_csr *matrix, const int32_t *row_position,
                     const int32_t *column_position, cst_csr *out);

/* Row of each stored entry (row_start[rows] of them), for those who want triplets back. NULL: out of memory. */
int32_t *cst_csr_entry_rows(cst_arena *arena, const cst_csr *matrix);

/* rows = columns = a multiple of dim. */
bool cst_csr_to_blocks(cst_arena *arena, const cst_csr *matrix, int dim, cst_block_csr *out);

/* |A - A^T|_F / |A|_F of a square matrix, `transpose` its transpose; 0 for a zero matrix. */
double cst_csr_asymmetry(const cst_csr *matrix, const cst_csr *transpose);

#endif
