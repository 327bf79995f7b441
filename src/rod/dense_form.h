/* The dense matrix of the linear system that a time step of a small rod solves, and its Cholesky factor. A dense matrix is used
 * in the chained formulation of planar rods made of arcs (super_circle_chained.c) and in the dense formulation of rods made of
 * helices (super_helix_dense.c). */
#ifndef CST_ROD_DENSE_FORM_H
#define CST_ROD_DENSE_FORM_H

#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

typedef struct cst_dense_form {
    int dofs;
    double *matrix; /* array (dofs x dofs): matrix A of the time step; only its lower triangle is used */
    cst_envelope factor;
    bool factored; /* true if the matrix of the time step is positive definite, so that `factor` is valid */
} cst_dense_form;

bool cst_dense_form_begin(cst_dense_form *form, int dofs, cst_arena *arena); /* false: memory ran out */

void cst_dense_form_factor(cst_dense_form *form);

/* Solves a linear system with the matrix A of the time step: `x` contains the right-hand side on input and the solution on
 * return. Returns false if A is not positive definite. */
bool cst_dense_form_solve(const cst_dense_form *form, double *x);

/* Describes the rod to the friction solver, with pointers to the matrix of the time step and to its Cholesky factor. */
cst_body cst_dense_form_body(const cst_dense_form *form, const double *rhs);

#endif
