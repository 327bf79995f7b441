/* Direct solver of one contact for sweeps: all quantities that depend only on the contact's matrix W are computed once.
 *
 * The prepared solver gives the same answers as cst_local_solve(CST_LOCAL_DIRECT, ...) to rounding, at a tenth of the cost. An
 * open contact costs a comparison, a sticking contact a few products, and a sliding contact a few Newton steps. The Newton
 * steps of a sliding contact start from the ratio alpha = |u_T| / |r_T| of tangential speed to tangential impulse that the last
 * call found. A contact is passed to cst_local_solve if its matrix W is singular or indefinite, if powers of the given numbers
 * can overflow or underflow, or if the Newton steps do not converge. */
#ifndef CST_FRICTION_LOCAL_H
#define CST_FRICTION_LOCAL_H

#include "capstan/friction.h"
#include "friction/local_secular.h"

/* How a prepared contact is solved. */
typedef enum cst_local_mode { CST_MODE_FAST, CST_MODE_FRICTIONLESS, CST_MODE_CAREFUL } cst_local_mode;

/* 3D. Usually, a solve reads only the first 120 bytes of the struct cst_local_direct3, which are two cache lines if the array
 * is aligned. */
typedef struct cst_local_direct3 {
    cst_local_reduction reduction;
    /* ratio |u_T| / |r_T| of tangential speed to tangential impulse in the last sliding answer, which is the initial guess for
     * the next solve; 0 if there is none. Any value is safe */
    double alpha;
    double stick;         /* 1 / det Wbar */
    double impulse_limit; /* largest |r|^2 / |b|^2 of a well-posed contact, with its impulse r and its velocity b without
                           * impulse */
    uint8_t mode;         /* cst_local_mode */
    uint8_t on_cone;      /* see cst_sliding_impulse */
    double W[9];
} cst_local_direct3;

void cst_local_direct3_prepare(const double W[9], double mu, cst_local_direct3 *out);

/* `r`: warm start in, answer out. If the result is not CST_LOCAL_SOLVED, `r` holds the best impulse found. */
cst_local_status cst_local_direct3_solve(cst_local_direct3 *prepared, const double b[3], double r[3]);

/* 2D (symbols: local_direct_2d.c). */
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

/* Solves a bilateral contact: finds the impulse r for which the velocity u = W r + b is zero. If the contact's matrix W is
 * singular, the function returns one of the solutions, or NO_SOLUTION if the free velocity b is not in the range of W. */
cst_local_status cst_local_bilateral(int dim, const double *W, const double *b, double *r);

#endif
