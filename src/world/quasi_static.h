/* Steps to an equilibrium (time_step.quasi_static).
 *
 * A step to an equilibrium computes the end position q+ at which all forces balance, with friction along the displacement from
 * the start position q to q+:
 *
 *     The internal forces, weight and loads f and the contact forces F are in equilibrium, f(q+) + H^T F = 0, where H are the
 *     contact rows.
 *     The contact forces F and the relative displacements H (q+ - q) + gaps of the contacts satisfy Coulomb's law.
 *
 * Loads and prescribed motions are taken at the end of the step; the duration of the step has no other effect. The equations are
 * solved like those of a dynamic step, with the displacement divided by a time scale tau as unknowns, v = (q+ - q) / tau. Each
 * iteration linearises the forces at the previous solution v_k, and a proximal term replaces inertia. The method is Newton's
 * method with the regularisation of Levenberg and Marquardt, or pseudo-transient continuation (Kelley and Keyes, SIAM Journal on
 * Numerical Analysis 35, 1998):
 *
 *     An iteration solves (P + tau^2 K) v = tau^2 K v_k + tau f(q + tau v_k) + H^T r + P v_k, with the proximal matrix P, the
 *     stiffness matrix K, the previous solution v_k and the contact impulses r. The contact forces of the equilibrium are F = r
 *     / tau, with the contact impulses r and the time scale tau.
 *
 * The proximal matrix P contains mass, drag and viscosity. The proximal terms with P cancel when the iteration has converged (v
 * = v_k). In each iteration, the error of a vibration mode with the angular frequency omega shrinks by the factor 1 / (1 + (tau
 * omega)^2). So the time scale tau must be long compared with the period of the slowest mode, which is due to bending stiffness
 * or weight. The slowest period is estimated as if the softest body carried the mass of all bodies:
 *
 *     The time scale is tau = PERIODS sqrt(M / k), with the mass M of all bodies, and at least the dt of the world.
 *     The stiffness k is the smallest EI / L^3 + (m g + loads) / L of all bodies, with the bending stiffness EI, length L and
 *     weight m g of a body.
 *
 * A body whose rigid motion no clamp, constraint or contact holds has no equilibrium; the step fails and reports the body. */
#ifndef CST_WORLD_QUASI_STATIC_H
#define CST_WORLD_QUASI_STATIC_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* Measures how far a step to an equilibrium is from the balance of forces. */
typedef struct cst_imbalance {
    double force; /* N: unbalanced force, see cst_imbalance_find */
    /* N: largest single force in the world (weight, load, contact or constraint force); moments are divided by the length of
     * the longest body */
    double forces;
    int body; /* body with the unbalanced force */
    /* largest displacement of any point in the step, divided by the length of the longest body; 0 if no body has a length */
    double way;
} cst_imbalance;

/* Changes the frame of a dynamic step to that of a step to an equilibrium: sets the time scale tau and the time that passes in
 * the step (`passes`; 0: none). Returns false if a body's model does not support steps to an equilibrium; *failure then
 * contains this body. */
bool cst_quasi_static_frame(const cst_objects *objects, const cst_load *load, int loads, const cst_user_force *user,
                            double passes, cst_step_frame *frame, cst_failure *failure);

/* Adds the proximal term P v_k to the right-hand side of each body, where v_k is the previous solution. Call this function
 * after the bodies are assembled at the previous solution v_k, and before the groups of joined bodies are assembled. Returns
 * the work v_k^T P v_k of the proximal term, which counts as work of the time-stepping scheme. */
double cst_quasi_static_hold(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *guess);

/* Measures the unbalanced force after a solve of a step to an equilibrium. The solve has changed the velocities by d, the
 * difference between v and velocities->last. At the velocities before this solve, and with the impulses of this solve, the
 * unbalanced forces are A d / tau, where A is the matrix of the body and tau the time scale. The unbalanced force of a body is
 * the work of its unbalanced forces on the change d, divided by the largest displacement of a point in d. The largest
 * unbalanced force of all bodies is written to `force`. `scratch`: (4 dofs). */
void cst_imbalance_find(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                        const cst_contact_set *contacts, const cst_constraint *constraint, int constraints,
                        cst_point_motion *room, double *scratch, cst_imbalance *out);

/* Returns the first body that is held by no clamp, constraint or contact and that moved farther than `way` in the last
 * correction; -1 if there is no such body. */
int cst_quasi_static_loose(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                           const cst_contact_set *contacts, const cst_constraint *constraint, int constraints, double way,
                           double *scratch);

#endif
