/* Proximal Newton (friction/proximal_newton.h) on an island with nodal bodies, in the form of friction/nodal_system.h.
 *
 * The free nodes of a sheet are a linear elliptic problem, on which sweeps are slow: a high-tension belt of 758 nodes and 649 contacts takes
 * the mixed sweep hundreds of sweeps, a stiff house of cards a thousand. Newton's method solves them with everything else:
 * 9 and 18 steps from zero impulses to E <= 1e-8, a few from those of the last step, each a factorisation of a matrix that is as sparse as A. */
#ifndef CST_FRICTION_NODAL_NEWTON_H
#define CST_FRICTION_NODAL_NEWTON_H

#include "friction/method.h"
#include "friction/nodal_system.h"

typedef struct cst_nodal_newton {
    cst_system system;
    cst_arena *arena;
    double flops; /* of one factorisation */
} cst_nodal_newton;

/* CST_SOLVED: ready. CST_TOLERANCE_MISSED: not for this island, which has large bodies that are solved by callbacks. CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM
 * with a message. */
cst_status cst_nodal_newton_begin(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_newton *out, char *message,
                                  size_t message_size);

/* From mixed->r, which gets the best answer; mixed->v the velocities that follow from it. warm: r is the answer of a problem like this one.
 * Stalled without a step if a factorisation takes too many operations. arena->failed: out of memory. */
cst_method_result cst_nodal_newton_run(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings,
                                       bool warm);

/* The same by the interior point method (friction/interior_point.h). */
cst_method_result cst_nodal_newton_interior(cst_nodal_newton *newton, cst_mixed *mixed, const cst_method_settings *settings);

#endif
