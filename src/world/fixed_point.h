/* Anderson acceleration of a fixed-point iteration v = f(v) (Anderson, Journal of the ACM 12, 1965; Walker and Ni, SIAM
 * Journal on Numerical Analysis 49, 2011):
 *     `v_{k+1} = f_k - sum_j a_j*(f_{k-j+1}-f_{k-j})`.
 *     `|d_k - sum_j a_j*(d_{k-j+1}-d_{k-j})| = min`.
 *
 *     `v_k`: iterate of iteration k.
 *     `f_k`: result f(v_k).
 *     `d_k`: change f_k - v_k.
 *     `a_j`: coefficients found by least squares, j = 1 to CST_FIXED_POINT_DEPTH.
 *
 * Anderson acceleration helps an iteration that converges slowly or oscillates along a few directions, for example with a rod
 * that is about to snap or a ring that can roll. */
#ifndef CST_WORLD_FIXED_POINT_H
#define CST_WORLD_FIXED_POINT_H

#include "base/arena.h"

enum { CST_FIXED_POINT_DEPTH = 3 };

typedef struct cst_fixed_point {
    int size;
    int kept;                /* number of differences stored */
    double *answer, *change; /* arrays (size): last result f_k = f(v_k) and last change d_k = f_k - v_k */
    /* arrays (size): differences of successive results f_k; index 0 is the latest difference */
    double *answers[CST_FIXED_POINT_DEPTH];
    double *changes[CST_FIXED_POINT_DEPTH]; /* arrays (size): differences of successive changes d_k */
    bool begun;
} cst_fixed_point;

/* Returns false if memory ran out. */
bool cst_fixed_point_begin(cst_fixed_point *iteration, int size, cst_arena *arena);

/* Stores the result v = f(guess) of an iteration that starts from the iterate `guess`; if `accelerate` is true, replaces v by the
 * next iterate of Anderson acceleration. */
void cst_fixed_point_next(cst_fixed_point *iteration, bool accelerate, const double *guess, double *v);

#endif
