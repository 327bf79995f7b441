/* Proximal Newton method (friction/proximal_newton.h) on an island of contacts with cloth. An island is a set of contacts that
 * share bodies; nodal_system.h describes how cloth couples the contacts.
 *
 * The free nodes of a sheet form a linear elliptic problem, on which sweeps converge slowly. Newton's method solves for all
 * unknowns together, and factorises a matrix that is as sparse as the matrices of the bodies. Iterations from zero impulses to
 * the residual E <= 1e-8: a belt under high tension (758 nodes, 649 contacts) takes hundreds of sweeps or 9 Newton steps. A stiff
 * house of cards takes a thousand sweeps or 18 Newton steps. */
#ifndef CST_FRICTION_NODAL_NEWTON_H
#define CST_FRICTION_NODAL_NEWTON_H

#include "friction/method.h"
#include "friction/nodal_system.h"

typedef struct cst_nodal_newton {
    cst_system system;
    cst_arena *arena;
    double flops; /* floating-point operations of one factorisation */
} cst_nodal_newton;

/* Prepares Newton's method. Returns CST_SOLVED, CST_OUT_OF_MEMORY, CST_BAD_PROBLEM with a message, or CST_TOLERANCE_MISSED if a
 * body that is solved by a callback is too large (cst_nodal_applies). */
cst_status cst_nodal_newton_begin(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_newton *out, char *message,
                                  size_t message_size);

/* Computes the node velocities mixed->v from the impulses mixed->r by the momentum balance, with one step of iterative
 * refinement. `form`: as in cst_nodal_form_solve_all. Returns false if memory ran out. */
bool cst_nodal_newton_velocities(cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena);

/* Runs Newton's method from the initial guess mixed->r. The function stores the best impulses in mixed->r and the node velocities
 * in mixed->v. `warm`: true if the initial guess is the answer of a similar problem, for example of the previous time step. If a
 * factorisation is too expensive, the function does no Newton step and returns the result `stalled`. arena->failed is set if
 * memory ran out. */
cst_method_result cst_nodal_newton_run(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings,
                                       bool warm);

/* Like cst_nodal_newton_run, but with the interior point method (friction/interior_point.h). */
cst_method_result cst_nodal_newton_interior(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings);

#endif
