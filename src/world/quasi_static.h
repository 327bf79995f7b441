/* Steps to an equilibrium (time_step.quasi_static).
 *
 * The step asks for the end q+ at which all forces balance, friction acting along the way from q to q+:
 *
 *     f(q+) + H^T F = 0,      the law of Coulomb for F and the way H (q+ - q) + gaps
 *
 * Loads and motions are those of the end of the step; the time that passes in it does not enter otherwise. It is solved by the machinery of
 * a dynamic step, v = (q+ - q) / tau, relinearised at v_k with a proximal term in the place of inertia (Newton's method with the
 * regularisation of Levenberg and Marquardt; pseudo-transient continuation, Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998)):
 *
 *     (P + tau^2 K) v = tau^2 K v_k + tau f(q + tau v_k) + H^T r + P v_k,      F = r / tau
 *
 * P is mass, drag and viscosity: where v = v_k, none of them is left. Convergence is linear with the ratio 1 / (1 + (tau omega)^2) for
 * a motion of the frequency omega, so tau is long beside the slowest one that stiffness or weight knows (the dt of the world, if that is
 * longer): that of all the mass M on the softest body,
 *
 *     tau = PERIODS sqrt(M / k),      k = min (EI / L^3 + (m g + loads) / L)
 *
 * Rigid motions that nothing holds have no equilibrium: they are found and named. */
#ifndef CST_WORLD_QUASI_STATIC_H
#define CST_WORLD_QUASI_STATIC_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* What is out of balance. */
typedef struct cst_imbalance {
    double force; /* N: see cst_imbalance_find */
    /* N: largest force that acts: a weight, a load, a contact, a constraint; moments by the length of the longest body */
    double forces;
    int body;   /* of `force` */
    double way; /* largest of a point in the step, by the length of the longest body; 0: no body has a length */
} cst_imbalance;

/* The frame of a step to an equilibrium from that of a dynamic step as long: tau, and the time that passes (0: none). False: a body's model
 * has no such steps, and *failure names it. */
bool cst_quasi_static_frame(const cst_objects *objects, const cst_load *load, int loads, const cst_user_force *user,
                            double passes, cst_step_frame *frame, cst_failure *failure);

/* P v_k of all bodies into their right-hand sides: after they are assembled at v_k, before groups are. Returns v_k . P v_k: what it
 * works, which is the scheme's. */
double cst_quasi_static_hold(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *guess);

/* At the shape of velocities->last, with the impulses found there, the forces R = A d / tau are not balanced, d = v - last: the solution has
 * just corrected them by d. As one force: the work of R on the correction, by the largest way of a point in it. bodies: the largest.
 * scratch (4 dofs). */
void cst_imbalance_find(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                        const cst_contact_set *contacts, const cst_constraint *constraint, int constraints,
                        cst_point_motion *room, double *scratch, cst_imbalance *out);

/* The first body that nothing holds (no clamp, constraint or contact) and that the last correction moved farther than `way`; or -1. */
int cst_quasi_static_loose(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                           const cst_contact_set *contacts, const cst_constraint *constraint, int constraints, double way,
                           double *scratch);

#endif
