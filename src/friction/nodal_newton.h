/* Proximal Newton method (friction/proximal_newton.h) on a group of coupled contacts and bodies with cloth;
 * friction/nodal_system.h describes the coupling of the contacts.
 *
 * The free nodes of a sheet form a linear elliptic problem, on which sweeps converge slowly. Newton's method solves for all
 * unknowns together. From zero impulses to the residual E <= 1e-8, a belt under high tension (758 nodes, 649 contacts) takes
 * hundreds of sweeps or 9 Newton steps. To reach the residual E <= 1e-8, a stiff house of cards takes a thousand sweeps or 18
 * Newton steps. Started from the impulses of the previous time step, Newton's method needs only a few steps. Each Newton step
 * factorises a matrix that is as sparse as the matrices of the bodies. */
#ifndef CST_FRICTION_NODAL_NEWTON_H
#define CST_FRICTION_NODAL_NEWTON_H

#include "friction/method.h"
#include "friction/nodal_system.h"

typedef struct cst_nodal_newton {
    cst_system system;
    cst_arena *arena;
    double flops; /* flops of one factorisation */
} cst_nodal_newton;

/* Returns CST_SOLVED if Newton's method is ready, or CST_TOLERANCE_MISSED if the method does not apply, because large bodies are
 * solved by callbacks. On failure the function returns CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. */
cst_status cst_nodal_newton_begin(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_newton *out, char *message,
                                  size_t message_size);

/* Computes the node velocities mixed->v from the impulses mixed->r by the momentum balance, with one step of iterative
 * refinement. `form`: as in cst_nodal_form_solve_all. Returns false if memory ran out. */
bool cst_nodal_newton_velocities(cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena);

/* The impulses in mixed->r are the initial guess; the function replaces them by the best impulses found, and writes the resulting
 * velocities to mixed->v. `warm`: true if the initial impulses mixed->r are the answer of a similar problem, for example of the
 * previous time step. If a factorisation needs too many operations, the function does no Newton step, and its result is
 * "stalled". The flag arena->failed is set if memory ran out. */
cst_method_result cst_nodal_newton_run(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings,
                                       bool warm);

/* Like cst_nodal_newton_run, but uses the interior point method (friction/interior_point.h) instead of the proximal Newton
 * method. */
cst_method_result cst_nodal_newton_interior(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings);

#endif
