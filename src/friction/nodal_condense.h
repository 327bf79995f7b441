/* Eliminates the cloth nodes on which no contact acts; the result is the Schur complement of the cloth's matrix on the nodes with
 * contacts (sparse/schur.h). Symbols:
 *     `S`: Schur complement.
 *     `v_k`: velocities of the nodes with contacts.
 *     `v*_k`: `v_k` without contact impulses.
 *     `H`, `r`: contact Jacobian, contact impulses.
 *
 * The Schur complement determines the velocities of the nodes with contacts:
 *
 *     `S*v_k = S*v*_k+H^T*r`.
 *
 * Newton's method works only on the nodes with contacts: of a cloth of 3,025 nodes with 1,000 contacts on a ball, 460 nodes
 * remain. After Newton's method, the factorised matrix of the cloth gives the velocities of the eliminated nodes. The caller of
 * the friction solver may provide a Schur complement of a cloth body. The caller's Schur complement is used unchanged if it
 * contains all nodes with contacts, and if at least half of its nodes have contacts. */
#ifndef CST_FRICTION_NODAL_CONDENSE_H
#define CST_FRICTION_NODAL_CONDENSE_H

#include "friction/mixed_state.h"
#include "sparse/schur.h"

typedef struct cst_nodal_condensed {
    /* the cloth nodes that are not eliminated; their matrix is the Schur complement; the fields `place`, `inverse` and `rhs` are
     * unused */
    cst_nodes nodes;
    int32_t *node;  /* array (nodes.count): index among all nodes */
    int32_t *order; /* array (nodes.count): elimination order */
    /* array (bodies): only for cloth */
    cst_schur *of;
    /* array (bodies): true if the caller's Schur complement of the body is used unchanged */
    bool *lent;
} cst_nodal_condensed;

/* Returns true if the caller provides Cholesky factors of all cloth, and less than the share CST_CONDENSE_MOST of the nodes have
 * contacts. */
bool cst_nodal_condense_pays(const cst_mixed *mixed);

/* Returns CST_BAD_PROBLEM with a message if the matrix of a cloth body is not positive definite. */
cst_status cst_nodal_condense(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_condensed *out, char *message,
                              size_t message_size);

#endif
