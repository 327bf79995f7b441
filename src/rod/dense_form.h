/* The matrix of the time step of a small rod, stored as one dense matrix, with its Cholesky factor. Super-circle rods in chained
 * formulation and super helices in dense formulation use a dense matrix. */
#ifndef CST_ROD_DENSE_FORM_H
#define CST_ROD_DENSE_FORM_H

#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

typedef struct cst_dense_form {
    int dofs;
    double *matrix; /* lower triangle (dofs x dofs) */
    cst_envelope factor;
    bool factored; /* A is positive definite */
} cst_dense_form;

bool cst_dense_form_begin(cst_dense_form *form, int dofs, cst_arena *arena); /* false: out of memory */

/* Factors the matrix A. */
void cst_dense_form_factor(cst_dense_form *form);

/* Computes x <- A^-1 x. Returns false if the matrix A of the body's time step is not positive definite. */
bool cst_dense_form_solve(const cst_dense_form *form, double *x);

/* Returns the description of a body for the friction solver, with pointers to the dense matrix of the body and its Cholesky
 * factor. */
cst_body cst_dense_form_body(const cst_dense_form *form, const double *rhs);

#endif
