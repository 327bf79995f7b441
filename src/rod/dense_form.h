/* A of a small rod as one dense matrix, and its Cholesky factor: what super-circles in chained form and super-helices in dense form
 * hold of a step. */
#ifndef CST_ROD_DENSE_FORM_H
#define CST_ROD_DENSE_FORM_H

#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

typedef struct cst_dense_form {
    int dofs;
    double *matrix; /* (dofs x dofs) lower triangle and diagonal of A */
    cst_envelope factor;
    bool factored; /* A is positive definite */
} cst_dense_form;

bool cst_dense_form_begin(cst_dense_form *form, int dofs, cst_arena *arena); /* false: out of memory */

/* A is in the matrix: factors it. */
void cst_dense_form_factor(cst_dense_form *form);

/* x <- A^-1 x; false: A is not positive definite. */
bool cst_dense_form_solve(const cst_dense_form *form, double *x);

/* As a body of a friction problem. */
cst_body cst_dense_form_body(const cst_dense_form *form, const double *rhs);

#endif
