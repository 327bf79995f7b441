/* Computes a square root C of A^-1 for a body that provides only a solve function:
 *
 *     The root C is lower triangular and satisfies A^-1 = C C^T.
 *     The half solve of a contact is Z = C^T H^T, so that W_ij = Z_i^T Z_j.
 *
 * The root C of A^-1 replaces the Cholesky factor L of A = L L^T (friction/half.h). Newton's method on nodes uses the root C for
 * a fiber whose A is solved in linear time, and for a group of bodies that constraints join. For a body with n dofs, the root
 * takes n solves and n^3 / 3 multiplications: 0.1 ms for a rope of 60 dofs. Constraints make A^-1 singular; its root C then has
 * a column of zeros for each singular direction. */
#ifndef CST_FRICTION_INVERSE_ROOT_H
#define CST_FRICTION_INVERSE_ROOT_H

#include "friction/bodies.h"

typedef struct cst_inverse_root {
    int size;
    double *c; /* (size x size) the root C, row-major, lower triangle; NULL: the body has no root */
} cst_inverse_root;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if the callback failed. */
cst_status cst_inverse_root_find(const cst_bodies *bodies, int body, cst_arena *arena, cst_inverse_root *out);

/* Returns entry j of the product of one row of H with the root C; the row has `count` entries `h` at the dofs `dof`. */
double cst_inverse_root_entry(const cst_inverse_root *root, int count, const int32_t *dof, const double *h, int j);

#endif
