/* Eliminates those nodes of cloth on which no contact acts. The elimination leaves the Schur complement S of the matrix A of the
 * bodies (sparse/schur.h). Symbols:
 *     `v_k`: velocities, nodes with contacts.
 *     `v*_k`: their free velocities.
 *     `H`: contact Jacobian.
 *     `r`: impulses.
 *
 * The Schur complement determines the velocities of the nodes with contacts:
 *
 *     `S*v_k = S*v*_k+H^T*r`.
 *
 * After the elimination of the nodes without contacts, Newton steps, products with the Delassus matrix and compliances use only
 * the remaining nodes. A Schur complement that a body itself provides is used without further elimination if at least half of
 * the nodes in this Schur complement have contacts. The Cholesky factor of a Schur complement that the body provides is a part
 * of the body's Cholesky factor. For example, a cloth of 3,025 nodes with 1,000 contacts on a ball keeps only 460 nodes after
 * the elimination of the nodes without contacts. At the end, the velocities of the eliminated nodes are computed from the
 * impulses with the factorised matrix A of the bodies. */
#ifndef CST_FRICTION_NODAL_CONDENSE_H
#define CST_FRICTION_NODAL_CONDENSE_H

#include "friction/mixed_state.h"
#include "sparse/schur.h"

typedef struct cst_nodal_condensed {
    /* the nodes that are not eliminated, with the Schur complement as their matrix; the fields `place`, `inverse` and `rhs` are
     * not set */
    cst_nodes nodes;
    int32_t *node;  /* array (nodes.count): index of each node that is not eliminated, counted among all nodes of the bodies */
    int32_t *order; /* array (nodes.count): order in which Newton's method eliminates the remaining nodes, body by body */
    /* array (bodies): Schur complement of the matrix of each nodal body (cloth); not set for other bodies */
    cst_schur *of;
    /* array (bodies): true if the Schur complement of this body in the array `of` was provided by the body itself; it may then
     * contain nodes without contacts */
    bool *lent;
} cst_nodal_condensed;

/* Returns true if it is worthwhile to eliminate the nodes without contacts: the caller provides the factorised matrices of all
 * cloth, and enough nodes have no contact. */
bool cst_nodal_condense_pays(const cst_mixed *mixed);

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the matrix of a body is not positive definite. */
cst_status cst_nodal_condense(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_condensed *out, char *message,
                              size_t message_size);

#endif
