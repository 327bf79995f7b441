/* A root of the inverse of a body that is known by its solve alone:
 *
 *     A^-1 = C C^T,  C lower triangular,       Z = C^T H^T  so that  W_ij = Z_i^T Z_j
 *
 * as if A = L L^T were known (friction/half.h): what Newton's method on nodes needs of a fiber whose A is solved in linear time, or of a group that
 * constraints join. n solves and n^3 / 3 multiplications: 60 dofs of a rope take 0.1 ms. Constraints make A^-1 singular; such directions have a column of
 * zeros. */
#ifndef CST_FRICTION_INVERSE_ROOT_H
#define CST_FRICTION_INVERSE_ROOT_H

#include "friction/bodies.h"

typedef struct cst_inverse_root {
    int size;
    double *c; /* (size x size) row-major, lower triangle; NULL: none */
} cst_inverse_root;

/* CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM: the callback failed. */
cst_status cst_inverse_root_find(const cst_bodies *bodies, int body, cst_arena *arena, cst_inverse_root *out);

/* Entry j of row h of H times C: sum over the dofs touched of h C_dof,j. */
double cst_inverse_root_entry(const cst_inverse_root *root, int count, const int32_t *dof, const double *h, int j);

#endif
