/* Steps to an equilibrium (time_step.quasi_static).
 *
 * The step computes the end position q+ at which all forces balance, with friction along the displacement from q to q+:
 *
 *     f(q+) + H^T F = 0,      Coulomb's law for F and the displacement H (q+ - q) + gaps.
 *
 * Loads and motions are taken at the end of the step; the duration of the step has no other effect. The equations are solved
 * like those of a dynamic step, with the unknowns v = (q+ - q) / tau; each iteration linearises at the previous v_k, and a
 * proximal term replaces inertia. The method is Newton's method with the regularisation of Levenberg and Marquardt, or
 * pseudo-transient continuation (Kelley and Keyes, SIAM Journal on Numerical Analysis 35, 1998). Each iteration solves
 *
 *     (P + tau^2 K) v = tau^2 K v_k + tau f(q + tau v_k) + H^T r + P v_k,      F = r / tau.
 *
 * P contains mass, drag and viscosity; the terms with P cancel where v = v_k. In each iteration, the error of a vibration mode
 * with the angular frequency omega shrinks by the factor 1 / (1 + (tau omega)^2). So tau must be long compared with the period
 * of the slowest mode, which is due to bending stiffness or weight. The slowest period is estimated as if the softest body
 * (stiffness k) carried the total mass M; tau is at least the dt of the world:
 *
 *     tau = PERIODS sqrt(M / k),      k = min (EI / L^3 + (m g + loads) / L).
 *
 * A body whose rigid motion no clamp, constraint or contact holds has no equilibrium; the step fails and reports the body. */
#ifndef CST_WORLD_QUASI_STATIC_H
#define CST_WORLD_QUASI_STATIC_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* How far the forces of a step to an equilibrium are from balance. */
typedef struct cst_imbalance {
    double force; /* N: unbalanced force, see cst_imbalance_find */
    /* N: largest single force in the world (weight, load, contact or constraint); a moment is divided by the length of the
     * longest body */
    double forces;
    int body; /* body with the unbalanced force */
    /* largest displacement of a point in the step, relative to the length of the longest body; 0: no body has a length */
    double way;
} cst_imbalance;

/* Changes the frame of a dynamic step to the frame of a step to an equilibrium: sets tau and the time that passes (`passes` = 0:
 * none). Returns false if the model of a body does not support steps to an equilibrium; *failure names this body. */
bool cst_quasi_static_frame(const cst_objects *objects, const cst_load *load, int loads, const cst_user_force *user,
                            double passes, cst_step_frame *frame, cst_failure *failure);

/* Adds the proximal term P v_k of each body to its right-hand side. Call this function after the bodies are assembled at v_k
 * and before the groups are assembled. Returns v_k^T P v_k, the work of the proximal term, which counts as work of the
 * scheme. */
double cst_quasi_static_hold(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *guess);

/* Measures the unbalanced force of a step to an equilibrium. The last solve corrected the velocities by d = v -
 * velocities->last, so at velocities->last, with the impulses of this solve, the forces R = A d / tau are unbalanced. The
 * unbalanced force of a body is the work of R on d divided by the largest displacement of a point in d; the largest value of
 * all bodies is written to `force`. `scratch`: (4 dofs). */
void cst_imbalance_find(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                        const cst_contact_set *contacts, const cst_constraint *constraint, int constraints,
                        cst_point_motion *room, double *scratch, cst_imbalance *out);

/* Returns the first body that no clamp, constraint or contact holds and that the last correction moved farther than `way`; -1
 * if there is none. */
int cst_quasi_static_loose(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                           const cst_contact_set *contacts, const cst_constraint *constraint, int constraints, double way,
                           double *scratch);

#endif
