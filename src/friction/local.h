/* One contact, for sweeps: the direct solver with everything that depends on W alone worked out once.
 *
 * Same answers as cst_local_solve(CST_LOCAL_DIRECT, ...) to rounding, ten times cheaper: take-off costs a comparison, sticking
 * a few products, sliding a few Newton steps from the alpha of the last call. Anything out of the ordinary (W singular or
 * indefinite, extreme magnitudes, no convergence) goes to cst_local_solve. */
#ifndef CST_FRICTION_LOCAL_H
#define CST_FRICTION_LOCAL_H

#include "capstan/friction.h"
#include "friction/local_secular.h"

/* How a prepared contact is solved. */
typedef enum cst_local_mode { CST_MODE_FAST, CST_MODE_FRICTIONLESS, CST_MODE_CAREFUL } cst_local_mode;

/* 3D. The first 120 bytes are all that a fast solve reads: two cache lines if the array is aligned. */
typedef struct cst_local_direct3 {
    cst_local_reduction reduction;
    double alpha;         /* of the last sliding answer, the next one's first guess; 0: none. Any value is safe */
    double stick;         /* 1 / det Wbar */
    double impulse_limit; /* of |r|^2 / |b|^2: beyond it the contact is ill-posed */
    uint8_t mode;         /* cst_local_mode */
    uint8_t on_cone;      /* see cst_sliding_impulse */
    double W[9];
} cst_local_direct3;

void cst_local_direct3_prepare(const double W[9], double mu, cst_local_direct3 *out);

/* r: warm start in, answer out. Not CST_LOCAL_SOLVED: r is the best known, see cst_local_solve. */
cst_local_status cst_local_direct3_solve(cst_local_direct3 *prepared, const double b[3], double r[3]);

/* 2D: a closed form. */
typedef struct cst_local_direct2 {
    double mu;
    double inverse_normal; /* 1 / w_N */
    double stick;          /* 1 / (w_TT - w_TN w_NT / w_N) */
    double row, column;    /* w_NT / w_N and w_TN / w_N */
    double slide_up;       /* 1 / (w_N + mu w_NT): sliding with r_T > 0 */
    double slide_down;     /* 1 / (w_N - mu w_NT) */
    double impulse_limit;
    uint8_t mode;
    double W[4];
} cst_local_direct2;

void cst_local_direct2_prepare(const double W[4], double mu, cst_local_direct2 *out);
cst_local_status cst_local_direct2_solve(const cst_local_direct2 *prepared, const double b[2], double r[2]);

/* A bilateral contact: u = W r + b = 0, whatever r was. W singular: one of the solutions, or NO_SOLUTION if b is not in its
 * range. */
cst_local_status cst_local_bilateral(int dim, const double *W, const double *b, double *r);

#endif
