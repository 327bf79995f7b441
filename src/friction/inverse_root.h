/* Computes a square root C of the inverse matrix A^-1 of a body that provides no matrix, only a function that solves linear
 * systems with A. The square root C of the inverse matrix is lower triangular:
 *
 *     `A^-1 = C*C^T`.
 *     `Z_i = C^T*H_i^T`.
 *     `W_ij = Z_i^T*Z_j`.
 *
 * Here H_i is the Jacobian of contact i, and W is the Delassus matrix. For a body with a Cholesky factor L, the solvers use the
 * half solve L^-1 H_i^T of contact i instead of the product Z_i = C^T H_i^T (friction/half.h). Newton's method for cloth
 * (nodal_newton.h) uses the square root of A^-1 for a fiber that is solved in linear time, and for a group of bodies joined by
 * constraints. For a body with n dofs, computing the square root of A^-1 takes n solves and n^3 / 3 flops: 0.1 ms for a rope of
 * 60 dofs. For a group of bodies joined by constraints, the solve function applies a singular matrix in place of A^-1; the
 * square root C then has a column of zeros for each direction that the constraints block. */
#ifndef CST_FRICTION_INVERSE_ROOT_H
#define CST_FRICTION_INVERSE_ROOT_H

#include "friction/bodies.h"

typedef struct cst_inverse_root {
    int size;
    double
        *c; /* array (size x size): square root C of A^-1, row-major, lower triangle; NULL if it was not computed for this body */
} cst_inverse_root;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if the callback failed. */
cst_status cst_inverse_root_find(const cst_bodies *bodies, int body, cst_arena *arena, cst_inverse_root *out);

/* Returns entry j of the product of one row of the contact Jacobian with C, the square root of the inverse matrix of the body.
 * The row of the Jacobian is sparse: its `count` entries `h` are at the dofs `dof`. */
double cst_inverse_root_entry(const cst_inverse_root *root, int count, const int32_t *dof, const double *h, int j);

#endif
