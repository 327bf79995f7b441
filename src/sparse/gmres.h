/* The GMRES method (Saad and Schultz, SIAM Journal on Scientific and Statistical Computing 7, 1986) for a linear system K x =
 * b, with a right preconditioner P and without restarts. GMRES minimises the residual over vectors z in the Krylov space of K
 * P^-1:
 *
 *     `min |b-K*P^-1*z|`.
 *     `x = P^-1*z`.
 *
 * If the preconditioner P is the factorisation of a matrix close to the matrix K of the linear system, a few iterations
 * suffice. */
#ifndef CST_SPARSE_GMRES_H
#define CST_SPARSE_GMRES_H

#include "base/arena.h"

typedef struct cst_gmres {
    int size;
    int most; /* largest number of iterations */
    void *user;
    void (*apply)(void *user, const double *x, double *out); /* out = K x */
    void (*precondition)(void *user, double *x);             /* x = P^-1 x */
    /* memory of the method */
    double *basis;      /* array ((most + 1) x size): vectors of the Krylov space */
    double *hessenberg; /* array (most x (most + 1)): Hessenberg matrix, column by column */
    double *turn;       /* cosines and sines of the rotations */
    double *rhs;        /* array (most + 1): right-hand side of the least-squares problem, after the Givens rotations */
    double *work;       /* array (size) */
} cst_gmres;

/* Allocates the arrays of the method for gmres->size unknowns and gmres->most iterations. Returns false if memory ran out. */
bool cst_gmres_begin(cst_arena *arena, cst_gmres *gmres);

/* Replaces the right-hand side x by the solution, and returns the number of iterations. The iteration stops when the norm of
 * the residual is at most `tolerance` times the norm of the right-hand side. Returns -1, with x unchanged, if gmres->most
 * iterations do not suffice, the residual falls too slowly, or the right-hand side or the solution is not finite. */
int cst_gmres_solve(cst_gmres *gmres, double tolerance, double *x);

#endif
