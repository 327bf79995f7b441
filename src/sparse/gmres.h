/* The GMRES method (Saad and Schultz, SIAM Journal on Scientific and Statistical Computing 7, 1986) for
 * K x = b, with a right preconditioner P and without restarts.
 *
 * The method finds z in the Krylov space of K P^-1 with the smallest |b - K P^-1 z|, and x = P^-1 z. If P is the exact
 * factorisation of a matrix near K, a few iterations suffice. */
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
    double *basis;      /* ((most + 1) x size) */
    double *hessenberg; /* (most x (most+1)) by columns */
    double *turn;       /* cosines and sines of the rotations */
    double *rhs;        /* (most + 1) */
    double *work;       /* (size) */
} cst_gmres;

/* Takes the memory of the method from the arena, for gmres->size and gmres->most. Returns false if memory ran out. */
bool cst_gmres_begin(cst_arena *arena, cst_gmres *gmres);

/* Replaces the right-hand side x by the solution. Returns the number of iterations, or -1 (and x unchanged) if the residual |b
 * - K x| falls so slowly that it would not reach tolerance |b| in `most` iterations. */
int cst_gmres_solve(cst_gmres *gmres, double tolerance, double *x);

#endif
