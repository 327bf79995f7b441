/* Nodal bodies as their contacts see them: the nodes that nothing touches eliminated (sparse/schur.h),
 *
 *     S v_k = S v*_k + H^T r,      v* the free motion,
 *
 * so that Newton's steps, their products and their compliances work on the nodes that are touched alone. A cloth of 3,025 nodes with 1,000 contacts on a ball has
 * 460 of these. What the others do follows from the impulses, at the end, by the factor of A. */
#ifndef CST_FRICTION_NODAL_CONDENSE_H
#define CST_FRICTION_NODAL_CONDENSE_H

#include "friction/mixed_state.h"
#include "sparse/schur.h"

typedef struct cst_nodal_condensed {
    cst_nodes nodes;   /* those touched, with S for A; touches of all contacts. No places, inverses, right-hand sides */
    int32_t *node;     /* (nodes.count) which of all nodes each is */
    cst_schur *of;     /* (bodies) of nodal ones */
} cst_nodal_condensed;

/* Is it worth it? All nodal bodies lend their factors, and a good part of their nodes is not touched. */
bool cst_nodal_condense_pays(const cst_mixed *mixed);

/* CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message: A is not positive definite. */
cst_status cst_nodal_condense(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_condensed *out, char *message,
                              size_t message_size);

#endif
