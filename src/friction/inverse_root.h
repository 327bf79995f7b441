/* Computes a square root C of the inverse matrix A^-1 of a body that has no matrix, only a callback that applies A^-1. Symbols:
 *     `C`: lower triangular.
 *     `H_i`: Jacobian of contact i.
 *     `W_ij`: Delassus block.
 *
 * The equations are:
 *
 *     `A^-1 = C*C^T`.
 *     `Z_i = C^T*H_i^T`.
 *     `W_ij = Z_i^T*Z_j`.
 *
 * Newton's method for cloth (nodal_newton.h) uses the root C for fibers whose linear systems a callback solves in linear time,
 * and for bodies joined by constraints. For a body with n dofs, the computation of the root C takes n calls of the callback and
 * n^3 / 3 flops; for a rope of 60 dofs, it takes 0.1 ms. For bodies joined by constraints, the callback applies a singular matrix
 * in place of A^-1. The root C has a zero column for each direction of motion that the constraints block. */
#ifndef CST_FRICTION_INVERSE_ROOT_H
#define CST_FRICTION_INVERSE_ROOT_H

#include "friction/bodies.h"

typedef struct cst_inverse_root {
    int size;
    /* array (size x size): lower triangular square root C of the inverse matrix of the body, row-major; NULL: not computed */
    double *c;
} cst_inverse_root;

cst_status cst_inverse_root_find(const cst_bodies *bodies, int body, cst_arena *arena, cst_inverse_root *out);

/* Returns entry j of the product h C of one row h of the contact Jacobian with the root C of A^-1. The row h is sparse: its
 * `count` entries are in the array `h`, and their dofs in the array `dof`. */
double cst_inverse_root_entry(const cst_inverse_root *root, int count, const int32_t *dof, const double *h, int j);

#endif
