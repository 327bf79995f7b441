/* Steps to an equilibrium (time_step.quasi_static).
 *
 * A step to an equilibrium computes the end position at which all forces balance, with friction along the displacement from the
 * start position to the end position. Let q and q+ be the start and end positions, f the internal forces, weight and loads, and H
 * the contact Jacobian. The contact forces F and the relative displacements w at the contacts satisfy:
 *
 *     `f(q+) + H^T*F = 0`.
 *     `w = H*(q+ - q)+gaps`.
 *
 * The contact forces and the relative displacements at the contacts satisfy Coulomb's law. Loads and prescribed motions are taken
 * at the end of the step; the duration of the step has no other effect. The equations of equilibrium are solved like those of a
 * dynamic step; the unknown v is the displacement of the step divided by a time scale tau. Each iteration linearises the forces
 * at the previous solution, and a proximal term replaces inertia. The iteration is Newton's method with the regularisation of
 * Levenberg and Marquardt; it is also called pseudo-transient continuation (Kelley and Keyes, SIAM Journal on Numerical Analysis
 * 35, 1998). With the proximal matrix P (mass, drag and viscosity), the stiffness matrix K and the previous solution v_k, each
 * iteration solves a linear system for v and the contact impulses r:
 *
 *     `b_k = tau^2*K*v_k+tau*f(q+tau*v_k)`.
 *     `(P+tau^2*K)*v = b_k+H^T*r+P*v_k`.
 *     `F = r/tau`.
 *
 * When the iteration has converged, the velocities v equal the previous iterate v_k, and the proximal terms P v and P v_k cancel.
 * Each iteration multiplies the error of a vibration mode with the angular frequency omega by 1 / (1 + (tau omega)^2), where tau
 * is the time scale. For fast convergence, the time scale tau must be long compared with the period of the slowest mode, which is
 * due to bending stiffness or weight. The period of the slowest mode is estimated as if the body with the lowest stiffness
 * carried the mass of all bodies. With the mass M of all bodies, and the bending stiffness EI, the length L and the weight m g of
 * one body, the lowest stiffness k and the time scale tau are:
 *
 *     `k = min (EI/L^3 + (m*g+loads)/L)`.
 *     `tau = max(dt, PERIODS*sqrt(M/k))`.
 *
 * A body that can move rigidly, without a clamp, constraint or contact that prevents it, has no equilibrium; the step fails
 * and reports this body. */
#ifndef CST_WORLD_QUASI_STATIC_H
#define CST_WORLD_QUASI_STATIC_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* Quantities that tell how far a step to an equilibrium is from the balance of forces. */
typedef struct cst_imbalance {
    double force; /* unbalanced force (N), see cst_imbalance_find */
    /* largest single force (N) in the world (weight, load, contact or constraint force); moments are divided by the length of
     * the longest body */
    double forces;
    int body; /* body with the unbalanced force */
    /* largest displacement of any point in the step, divided by the length of the longest body; 0 if no body has a length */
    double way;
} cst_imbalance;

/* Changes the settings `frame` of a dynamic step to those of a step to an equilibrium: sets the time scale tau and the time
 * that passes in the step (`passes`; 0: none). Returns false if a body's model does not support steps to an equilibrium;
 * *failure then contains this body. */
bool cst_quasi_static_frame(const cst_objects *objects, const cst_load *load, int loads, const cst_user_force *user,
                            double passes, cst_step_frame *frame, cst_failure *failure);

/* Adds the proximal term P v_k to the right-hand side of each body, where P is its proximal matrix and v_k its velocities in
 * the previous solution (`guess`). Call cst_quasi_static_hold after the bodies are assembled at the previous solution, and
 * before the groups of joined bodies are assembled. Returns the work of the proximal term, which counts as work of the
 * time-stepping scheme. */
double cst_quasi_static_hold(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *guess);

/* Measures the unbalanced force after a solve of a step to an equilibrium. Before the solve, the unbalanced forces of a body are
 * A d / tau, with the matrix A of the body, its velocity change d in the solve and the time scale tau. The unbalanced forces
 * include the contact impulses that the solve has found. The unbalanced forces of a body are measured by one force: their power
 * at the velocity change d of the body in the solve, divided by the largest velocity that d gives to a point of the body. Writes
 * the largest unbalanced force of any body to out->force. `scratch`: (4 dofs). */
void cst_imbalance_find(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                        const cst_contact_set *contacts, const cst_constraint *constraint, int constraints,
                        cst_point_motion *room, double *scratch, cst_imbalance *out);

/* Returns the first body that is held by no clamp, constraint or contact and that the last solve moved farther than the
 * distance `way`; -1 if there is no such body. */
int cst_quasi_static_loose(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                           const cst_contact_set *contacts, const cst_constraint *constraint, int constraints, double way,
                           double *scratch);

#endif
