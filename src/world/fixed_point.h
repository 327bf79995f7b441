/* Anderson acceleration of a fixed-point iteration v = f(v) (Anderson, Journal of the ACM 12, 1965; Walker and Ni, SIAM
 * Journal on Numerical Analysis 49, 2011).
 *
 * In iteration k, f_k = f(v_k) is the result for the iterate v_k, and d_k = f_k - v_k is its change. Anderson acceleration
 * computes the next iterate as the last result f_k minus a linear combination of the differences between successive results.
 * The coefficients a_j minimise the norm of the last change d_k minus the combination of the differences of successive changes
 * with the same coefficients a_j:
 *     `v_{k+1} = f_k - sum_j a_j*(f_{k-j+1}-f_{k-j})`.
 *     `|d_k - sum_j a_j*(d_{k-j+1}-d_{k-j})| = min`.
 * Anderson acceleration helps an iteration that converges slowly or oscillates along a few directions (a rod about to snap, a
 * ring that can roll) to converge in a few more iterations. */
#ifndef CST_WORLD_FIXED_POINT_H
#define CST_WORLD_FIXED_POINT_H

#include "base/arena.h"

enum { CST_FIXED_POINT_DEPTH = 3 };

typedef struct cst_fixed_point {
    int size;
    int kept;                /* number of differences stored */
    double *answer, *change; /* array (size): the last ones */
    /* each an array (size): differences between the results of successive iterations; index 0 is the latest difference */
    double *answers[CST_FIXED_POINT_DEPTH];
    double *changes[CST_FIXED_POINT_DEPTH]; /* (size) */
    bool begun;
} cst_fixed_point;

/* Returns false if memory ran out. */
bool cst_fixed_point_begin(cst_fixed_point *iteration, int size, cst_arena *arena);

/* Stores the result v = f(guess) of an iteration that started from `guess`; if `accelerate` is true, also replaces v by the
 * next iterate of Anderson acceleration. */
void cst_fixed_point_next(cst_fixed_point *iteration, bool accelerate, const double *guess, double *v);

#endif
