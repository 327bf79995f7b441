/* Proximal Newton method (friction/proximal_newton.h) on an island of contacts (contacts that share bodies) with cloth. How cloth
 * couples the contacts: nodal_system.h.
 *
 * The velocities of the nodes without contacts solve a linear elliptic problem, on which sweeps converge slowly. Newton's method
 * solves for all unknowns together, and factorises a sparse matrix. A belt under high tension (758 nodes, 649 contacts) needs
 * hundreds of sweeps or 9 Newton steps, from zero impulses to the residual E <= 1e-8. The friction problem of a stiff house of
 * cards needs a thousand sweeps or 18 Newton steps. */
#ifndef CST_FRICTION_NODAL_NEWTON_H
#define CST_FRICTION_NODAL_NEWTON_H

#include "friction/method.h"
#include "friction/nodal_system.h"

typedef struct cst_nodal_newton {
    cst_system system;
    cst_arena *arena;
    double flops; /* of one factorisation */
} cst_nodal_newton;

/* Prepares Newton's method. Returns CST_TOLERANCE_MISSED if a body that is solved by a callback is too large for the method
 * (cst_nodal_applies); otherwise CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. */
cst_status cst_nodal_newton_begin(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_newton *out, char *message,
                                  size_t message_size);

/* Computes the node velocities mixed->v from the impulses mixed->r, with one step of iterative refinement. `form`: as in
 * cst_nodal_form_solve_all. Returns false if memory ran out. */
bool cst_nodal_newton_velocities(cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena);

/* Solves for the impulses mixed->r, from their values on input, and computes the node velocities mixed->v. `warm`: true if the
 * impulses on input solve a similar problem, for example the previous time step. If a factorisation is too expensive, the result
 * is `stalled` without a Newton step. arena->failed is set if memory ran out. */
cst_method_result cst_nodal_newton_run(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings,
                                       bool warm);

/* Does the same as cst_nodal_newton_run, but with the interior point method (friction/interior_point.h) instead of Newton's
 * method. */
cst_method_result cst_nodal_newton_interior(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings);

#endif
