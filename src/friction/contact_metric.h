/* Projected steps in a metric adapted to each contact:
 *
 *     p = argmin over K of |p - (x - step D^-1 v)|_D,   D = (1 + c) diag(a_N, a_T I),   A_ii = [a_N w^T; w A_T].
 *
 * The stiffness a_T is the largest eigenvalue of A_T, and c = |w| / sqrt(a_N a_T), so that A_ii <= D: with step 1 a single
 * contact cannot overshoot. Hohnadel's scale sqrt(sum_k a_kk^2) (2026) also prevents overshooting, with one number per contact.
 * With the two numbers a_N and a_T, the normal and the tangential direction have different step sizes, which suits contacts
 * that are stiff in one direction and soft in the other: up to six times fewer sweeps on the test problems than with one
 * number, at no cost. In the variables (p_N, ratio p_T), ratio = sqrt(a_T / a_N), the metric is a multiple of the identity, and
 * the cone has the friction coefficient mu ratio. */
#ifndef CST_FRICTION_CONTACT_METRIC_H
#define CST_FRICTION_CONTACT_METRIC_H

#include "friction/system.h"

typedef struct cst_contact_metric {
    double normal, tangential; /* D */
    double ratio;
    double mu; /* friction coefficient mu_i ratio of the scaled cone; negative for a bilateral contact, which has no cone */
} cst_contact_metric;

/* metric (n). */
void cst_contact_metrics(const cst_system *system, cst_contact_metric *metric);

/* Computes p of one contact; p may be x. */
void cst_contact_metric_step(int dim, const cst_contact_metric *metric, const double *x, const double *v, double step, double *p);

/* Returns |D (p - x)|: for step 1 the natural map in this metric, with the unit of a velocity. */
double cst_contact_metric_length(int dim, const cst_contact_metric *metric, const double *x, const double *p);

/* Returns mu |y_T|, De Saxce's correction of y_N; 0 for a bilateral contact. */
double cst_contact_correction(const cst_system *system, int contact, const double *y);

#endif
