/* Direct solver of one contact, used by Gauss-Seidel sweeps. Quantities that depend only on the contact's matrix W are computed
 * before the sweeps.
 *
 * Up to rounding, the solver of this header gives the same impulses as cst_local_solve(CST_LOCAL_DIRECT, ...), at a tenth of the
 * cost. An open contact costs a comparison, a sticking contact a few products, a sliding contact a few Newton steps. A contact
 * with friction is passed on to cst_local_solve if its matrix W is singular or indefinite, if the Newton steps do not converge,
 * or if its impulse is too large. A contact is also passed on to cst_local_solve if its matrix W, its free velocity b or its
 * friction coefficient is so large or so small that squares or cubes may overflow or underflow. */
#ifndef CST_FRICTION_LOCAL_H
#define CST_FRICTION_LOCAL_H

#include "capstan/friction.h"
#include "friction/local_secular.h"

typedef enum cst_local_mode { CST_MODE_FAST, CST_MODE_FRICTIONLESS, CST_MODE_CAREFUL } cst_local_mode;

/* Prepared contact in 3D. Most solves do not read W, the last field of cst_local_direct3. The fields before W fill 120 bytes,
 * which lie in two cache lines of 64 bytes if the array of these structs is aligned. */
typedef struct cst_local_direct3 {
    cst_local_reduction reduction;
    /* ratio |u_T| / |r_T| of tangential speed to tangential impulse when the contact slid last, or 0 if not known; the next solve
     * starts Newton's method from this ratio */
    double alpha;
    double stick;         /* 1 / det Wbar */
    double impulse_limit; /* largest |r|^2 / |b|^2 that the solver accepts (r: impulse, b: free velocity) */
    uint8_t mode;         /* cst_local_mode */
    uint8_t on_cone;      /* see cst_sliding_impulse */
    double W[9];
} cst_local_direct3;

void cst_local_direct3_prepare(const double W[9], double mu, cst_local_direct3 *out);

/* `r`: the impulse; on input the initial guess, on output the solution, or the best impulse found if the solver fails. */
cst_local_status cst_local_direct3_solve(cst_local_direct3 *prepared, const double b[3], double r[3]);

/* Prepared contact in 2D (symbols: local_direct_2d.c). */
typedef struct cst_local_direct2 {
    double mu;
    double inverse_normal; /* 1 / w_N */
    double stick;          /* 1 / wbar */
    double row, column;    /* w_NT / w_N, w_TN / w_N */
    double slide_up;       /* 1 / (w_N + mu w_NT) */
    double slide_down;     /* 1 / (w_N - mu w_NT) */
    double impulse_limit;
    uint8_t mode;
    double W[4];
} cst_local_direct2;

void cst_local_direct2_prepare(const double W[4], double mu, cst_local_direct2 *out);
cst_local_status cst_local_direct2_solve(const cst_local_direct2 *prepared, const double b[2], double r[2]);

/* Finds the impulse r of a bilateral contact, for which the velocity W r + b is zero. If the contact's matrix W is singular, the
 * function returns one of the solutions, or NO_SOLUTION if the free velocity b is not in the range of W. */
cst_local_status cst_local_bilateral(int dim, const double *W, const double *b, double *r);

#endif
