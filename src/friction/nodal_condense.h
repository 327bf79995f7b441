/* Eliminates those nodes of nodal bodies on which no contact acts. The remaining matrix is the Schur complement S of the matrix A
 * of the bodies (sparse/schur.h):
 *
 *     The velocities v_k of the nodes with contacts satisfy S v_k = S v*_k + H^T r, with the Schur complement S, the free
 *     velocities v*_k of these nodes, the contact Jacobian H and the impulses r.
 *
 * After the elimination of the nodes without contacts, Newton steps, products with the Delassus matrix and compliances need only
 * the nodes with contacts. For example, the 1,000 contacts of a cloth of 3,025 nodes on a ball act on only 460 nodes. At the end,
 * the velocities of the eliminated nodes are computed from the impulses with the factorised matrix A of the bodies. */
#ifndef CST_FRICTION_NODAL_CONDENSE_H
#define CST_FRICTION_NODAL_CONDENSE_H

#include "friction/mixed_state.h"
#include "sparse/schur.h"

typedef struct cst_nodal_condensed {
    /* the nodes with contacts; their matrix is the Schur complement, and the fields `place`, `inverse` and `rhs` are not set */
    cst_nodes nodes;
    int32_t *node;  /* (nodes.count) index of each node with contacts among all nodes */
    int32_t *order; /* (nodes.count) order of elimination, body by body */
    cst_schur *of;  /* (bodies) set for nodal bodies only */
} cst_nodal_condensed;

/* Returns true if the elimination of the nodes without contacts is worthwhile: the caller provides the factorised matrices of all
 * nodal bodies, and enough of their nodes have no contact. */
bool cst_nodal_condense_pays(const cst_mixed *mixed);

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the matrix of a body is not positive definite. */
cst_status cst_nodal_condense(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_condensed *out, char *message,
                              size_t message_size);

#endif
