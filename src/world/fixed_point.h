/* Anderson's acceleration of a fixed point v = f(v) (J. ACM 12 (1965); Walker and Ni, SIAM J. Numer. Anal. 49 (2011)).
 *
 * From the last answers f_k and changes d_k = f_k - v_k, the next guess is f_k - sum_j a_j (f_{k-j+1} - f_{k-j}), with the a_j that
 * make |d_k - sum_j a_j (d_{k-j+1} - d_{k-j})| least. What converges slowly along a few directions (a rod about to snap, a ring
 * that may roll) or goes to and fro across them then converges in a few more iterations. */
#ifndef CST_WORLD_FIXED_POINT_H
#define CST_WORLD_FIXED_POINT_H

#include "base/arena.h"

enum { CST_FIXED_POINT_DEPTH = 3 };

typedef struct cst_fixed_point {
    int size;
    int kept;                               /* differences that there are */
    double *answer, *change;                /* (size) the last ones */
    double *answers[CST_FIXED_POINT_DEPTH]; /* (size) differences of answers, the latest first */
    double *changes[CST_FIXED_POINT_DEPTH]; /* (size) */
    bool begun;
} cst_fixed_point;

/* False: out of memory. */
bool cst_fixed_point_begin(cst_fixed_point *iteration, int size, cst_arena *arena);

/* The guess that gave the answer v; v becomes the next guess if it is to be accelerated, otherwise it is only remembered. */
void cst_fixed_point_next(cst_fixed_point *iteration, bool accelerate, const double *guess, double *v);

#endif
