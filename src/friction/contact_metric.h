/* Projected steps in a metric adapted to each contact. A projected step leads from the impulse x to the point p of the friction
 * cone K nearest to x - t D^-1 v, with the step length t, the contact velocity v and the metric D:
 *
 *     `p = argmin_K |p-(x-t*D^-1*v)|_D`.
 *     `D = (1+c)*diag(a_N, a_T*I)`.
 *
 * The metric follows from the diagonal block of the contact in the matrix from impulses to velocities:
 *
 *     `[a_N,w^T;w,A_T]`: diagonal block.
 *     `a_T`: largest eigenvalue of A_T.
 *     `c = |w|/sqrt(a_N*a_T)`: coupling.
 *
 * The metric D is at least as large as the diagonal block of the contact, so that a single contact cannot overshoot with step
 * length 1. The metric D has separate step sizes for the normal and the tangential direction, which suits contacts that are stiff
 * in one direction and soft in the other. With the metric D, the test problems take up to six times fewer sweeps than with
 * Hohnadel's metric (2026), which is a multiple of the identity for each contact. Multiplying tangential impulses and friction
 * coefficients by sqrt(a_T / a_N) turns the metric, with its normal entry a_N and tangential entry a_T, into a multiple of the
 * identity. */
#ifndef CST_FRICTION_CONTACT_METRIC_H
#define CST_FRICTION_CONTACT_METRIC_H

#include "friction/system.h"

typedef struct cst_contact_metric {
    double normal, tangential; /* D */
    double ratio;
    /* friction coefficient of the scaled friction cone; negative for a bilateral contact, which has no cone */
    double mu;
} cst_contact_metric;

/* metric (n). */
void cst_contact_metrics(const cst_system *system, cst_contact_metric *metric);

/* Computes the impulse p after a projected step of length `step` from the impulse x with the contact velocity v; `p` may be
 * `x`. */
void cst_contact_metric_step(int dim, const cst_contact_metric *metric, const double *x, const double *v, double step, double *p);

/* Returns |D (p - x)|, the length in the metric D of a projected step from the impulse x to the impulse p; it has the unit of a
 * velocity. If the step length t of the projected step is 1, the length |D (p - x)| is the residual of the natural map. */
double cst_contact_metric_length(int dim, const cst_contact_metric *metric, const double *x, const double *p);

/* Returns De Saxce's correction of the normal velocity, mu times the tangential speed of the contact velocity y; 0 for a
 * bilateral contact. */
double cst_contact_correction(const cst_system *system, int contact, const double *y);

#endif
