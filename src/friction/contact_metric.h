/* Projected steps onto the friction cone, in a metric adapted to each contact. Symbols:
 *     `K`: friction cone.
 *     `x`, `v`: impulse and velocity.
 *     `t`: step length.
 *     `D`: metric.
 *     `p`: impulse after the step.
 *     `[a_N,w^T;w,A_T]`: diagonal block of the Delassus matrix.
 *     `a_T`: largest eigenvalue of A_T.
 *     `c = |w|/sqrt(a_N*a_T)`: coupling.
 *
 * A projected step of length t from the impulse x leads to the impulse p, the point of the friction cone that is nearest, in the
 * metric D, to x - t D^-1 v (v: contact velocity):
 *
 *     `p = argmin_K |p-(x-t*D^-1*v)|_D`.
 *     `D = (1+c)*diag(a_N, a_T*I)`.
 *
 * The metric D is at least as large as the diagonal block of the contact, so a single contact does not overshoot with step length
 * 1. The metric D has one entry for the normal direction and one for the tangential directions, because the compliances of a
 * contact in these directions can differ much. Hohnadel's metric (2026), a multiple of the identity for each contact, needs up to
 * six times as many sweeps as the metric D on the test problems. A change of scale turns the projection in the metric D into a
 * Euclidean projection: the tangential impulses and the friction coefficient are multiplied by the square root of the ratio of
 * tangential to normal compliance. */
#ifndef CST_FRICTION_CONTACT_METRIC_H
#define CST_FRICTION_CONTACT_METRIC_H

#include "friction/system.h"

typedef struct cst_contact_metric {
    double normal, tangential; /* diagonal entries of D */
    double ratio;
    /* friction coefficient of the scaled friction cone; negative for a bilateral contact */
    double mu;
} cst_contact_metric;

/* `metric`: array (contacts). */
void cst_contact_metrics(const cst_system *system, cst_contact_metric *metric);

/* Computes the impulse p after a projected step of length `step` from the impulse x with the contact velocity v; p = x is
 * allowed. */
void cst_contact_metric_step(int dim, const cst_contact_metric *metric, const double *x, const double *v, double step, double *p);

/* Returns |D (p - x)|, the length of a projected step from the impulse x to the impulse p, in the unit of a velocity. If the step
 * length is 1, the returned length |D (p - x)| is the residual of the natural map in the metric D. */
double cst_contact_metric_length(int dim, const cst_contact_metric *metric, const double *x, const double *p);

/* De Saxce's correction of the normal velocity: the friction coefficient times the tangential speed of the contact velocity y,
 * or 0 for a bilateral contact. */
double cst_contact_correction(const cst_system *system, int contact, const double *y);

#endif
