/* Projected steps in a metric adapted to each contact:
 *
 *     The new impulse is p = argmin over the cone K of |p - (x - step D^-1 v)|_D, where v is the contact velocity at x.
 *     The metric is D = (1 + c) diag(a_N, a_T I) for a contact with the diagonal block A_ii = [a_N w^T; w A_T].
 *
 * The tangential stiffness a_T is the largest eigenvalue of the tangential block A_T. The number c = |w| / sqrt(a_N a_T), where
 * w couples the normal and tangential directions, makes the metric D at least as large as the diagonal block A_ii, so that a
 * single contact cannot overshoot with step 1. Hohnadel's scale sqrt(sum_k a_kk^2) (2026), one number per contact, also prevents
 * overshooting. With the two numbers a_N and a_T, the normal and the tangential direction have different step sizes, which suits
 * contacts that are stiff in one direction and soft in the other. With the two stiffnesses a_N and a_T per contact, the test
 * problems take up to six times fewer sweeps than with one number, at no cost. In the variables (p_N, ratio p_T), with ratio =
 * sqrt(a_T / a_N), the metric is a multiple of the identity, and the friction coefficient of the cone is mu times this ratio. */
#ifndef CST_FRICTION_CONTACT_METRIC_H
#define CST_FRICTION_CONTACT_METRIC_H

#include "friction/system.h"

typedef struct cst_contact_metric {
    double normal, tangential; /* D */
    double ratio;
    /* friction coefficient of the scaled cone, mu_i times `ratio`; negative for a bilateral contact, which has no cone */
    double mu;
} cst_contact_metric;

/* metric (n). */
void cst_contact_metrics(const cst_system *system, cst_contact_metric *metric);

/* Computes the projected step of one contact from x to p; `p` may be `x`. */
void cst_contact_metric_step(int dim, const cst_contact_metric *metric, const double *x, const double *v, double step, double *p);

/* Returns |D (p - x)|, which has the unit of a velocity; for step 1 this is the residual of the natural map in the metric D. */
double cst_contact_metric_length(int dim, const cst_contact_metric *metric, const double *x, const double *p);

/* Returns mu |y_T|, De Saxce's correction of y_N; 0 for a bilateral contact. */
double cst_contact_correction(const cst_system *system, int contact, const double *y);

#endif
