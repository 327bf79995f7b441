/* Steps to an equilibrium (time_step.quasi_static). A step to an equilibrium ends at the position at which all forces balance;
 * friction acts against the displacement of the step.
 *
 *     `q`, `q+`: positions of all bodies at the start and at the end of the step.
 *     `f`: internal forces, weight and loads.
 *     `H`: contact Jacobian.
 *     `F`: contact forces.
 *     `w`: relative displacements at the contacts.
 *
 * The contact forces F and the displacements w satisfy Coulomb's law. All forces balance at the end of the step:
 *
 *     `f(q+) + H^T*F = 0`.
 *     `w = H*(q+ - q)+gaps`.
 *
 * Loads and prescribed motions are taken at the end of the step. The unknown v is the displacement of the step divided by a time
 * scale tau, so that the code of a dynamic step can be used. The forces are linearised repeatedly, and a proximal term replaces
 * inertia: Newton's method with the regularisation of Levenberg and Marquardt, or pseudo-transient continuation (Kelley and
 * Keyes, SIAM Journal on Numerical Analysis 35, 1998).
 *
 *     `v_k`: solution of the previous iteration.
 *     `P`: proximal matrix of the bodies (mass, drag and viscosity).
 *     `K`: stiffness matrix of the bodies at the previous solution.
 *     `r`: contact impulses.
 *
 * Each iteration solves:
 *
 *     `b_k = tau^2*K*v_k+tau*f(q+tau*v_k)`.
 *     `(P+tau^2*K)*v = b_k+H^T*r+P*v_k`.
 *     `F = r/tau`.
 *
 * After convergence, the new solution v equals the previous solution v_k, and the two proximal terms P v and P v_k cancel. Each
 * iteration multiplies the error of a vibration mode with the angular frequency omega by 1 / (1 + (tau omega)^2). The time scale
 * tau should therefore be long compared with the period of the slowest vibration mode. The slowest mode is estimated with the
 * stiffness k of the softest body and the mass M of all bodies. The stiffness k and the time scale tau follow from the bending
 * stiffness EI, the length L, the weight m g and the loads of each body:
 *
 *     `k = min (EI/L^3 + (m*g+loads)/L)`.
 *     `tau = max(dt, PERIODS*sqrt(M/k))`.
 *
 * A body that can move rigidly, and that no clamp, constraint or contact holds, has no equilibrium. If a step to an equilibrium
 * does not converge because such a body moves away, the step fails and reports the body. */
#ifndef CST_WORLD_QUASI_STATIC_H
#define CST_WORLD_QUASI_STATIC_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* Unbalanced force and displacement of a step to an equilibrium. */
typedef struct cst_imbalance {
    double force; /* largest unbalanced force (N) of any body, see cst_imbalance_find */
    /* largest force (N) in the world (weight, load, contact or constraint); moments are divided by the length of the longest
     * body */
    double forces;
    int body; /* body with the largest unbalanced force */
    /* largest displacement of any point of a body in the step, divided by the length of the longest deformable body; 0 if all
     * bodies are rigid */
    double way;
} cst_imbalance;

/* Changes the settings `frame` of a dynamic step to those of a step to an equilibrium: the time scale tau, and the time `passes`
 * (s) by which loads and prescribed motions advance. Returns false if the model of a body does not support steps to an
 * equilibrium; *failure then contains the index of this body. */
bool cst_quasi_static_frame(const cst_objects *objects, const cst_load *load, int loads, const cst_user_force *user,
                            double passes, cst_step_frame *frame, cst_failure *failure);

/* Adds the proximal term P v_k, with the proximal matrix P, to the right-hand side of each body; `guess` is the previous solution
 * v_k. Call cst_quasi_static_hold after the bodies are assembled, and before the groups of joined bodies are assembled. Returns
 * the work of the proximal term, which counts as work of the time-stepping scheme. */
double cst_quasi_static_hold(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *guess);

/* Measures the unbalanced forces on the bodies at the velocities from which the last solve started. The unbalanced forces include
 * the contact impulses found by the last solve.
 *
 *     `A`: matrix of a body.
 *     `d`: change of the velocities of the body in the solve.
 *     `tau`: time scale of the step.
 *
 * The unbalanced forces of a body are A d / tau, with its matrix A, its velocity change d and the time scale tau. All unbalanced
 * forces of a body are measured by one number (N): their power at the velocity change d of the body, divided by the largest speed
 * that d gives to a point of the body. `scratch`: array (4 dofs). */
void cst_imbalance_find(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                        const cst_contact_set *contacts, const cst_constraint *constraint, int constraints,
                        cst_point_motion *room, double *scratch, cst_imbalance *out);

/* Returns the first body that no clamp, constraint or contact holds, and that the last solve moved by more than `way` (m); -1 if
 * there is none. */
int cst_quasi_static_loose(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                           const cst_contact_set *contacts, const cst_constraint *constraint, int constraints, double way,
                           double *scratch);

#endif
