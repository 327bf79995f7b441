/* Eliminates the cloth nodes on which no contact acts. What remains is the Schur complement of the cloth's matrix on the nodes
 * with contacts (sparse/schur.h). Symbols:
 *     `S`: Schur complement.
 *     `v_k`: velocities of the nodes with contacts.
 *     `v*_k`: velocities of these nodes without contact impulses.
 *     `H`: contact Jacobian.
 *     `r`: contact impulses.
 *
 * The Schur complement determines the velocities of the nodes with contacts:
 *
 *     `S*v_k = S*v*_k+H^T*r`.
 *
 * Newton steps, products with the Delassus matrix and compliances then use only the remaining nodes. For example, a cloth of
 * 3,025 nodes with 1,000 contacts on a ball keeps only 460 nodes. At the end, the factorised matrix of the cloth gives the
 * velocities of the eliminated nodes.
 *
 * A cloth body may provide a Schur complement of its own. The solver uses it without further elimination if at least half of its
 * nodes have contacts. */
#ifndef CST_FRICTION_NODAL_CONDENSE_H
#define CST_FRICTION_NODAL_CONDENSE_H

#include "friction/mixed_state.h"
#include "sparse/schur.h"

typedef struct cst_nodal_condensed {
    /* the nodes that are not eliminated, with the Schur complement as matrix; the fields `place`, `inverse` and `rhs` are not
     * set */
    cst_nodes nodes;
    int32_t *node;  /* array (nodes.count): index of each remaining node among all nodes */
    int32_t *order; /* array (nodes.count): order in which Newton's method eliminates the remaining nodes */
    /* array (bodies): Schur complement of each cloth body; not set for other bodies */
    cst_schur *of;
    /* array (bodies): true if the cloth body itself provided the Schur complement, which may then contain nodes without
     * contacts */
    bool *lent;
} cst_nodal_condensed;

/* Returns true if the nodes without contacts should be eliminated: the caller provides Cholesky factors of all cloth, and less
 * than the share CST_CONDENSE_MOST of the nodes have contacts. */
bool cst_nodal_condense_pays(const cst_mixed *mixed);

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the matrix of a body is not positive definite. */
cst_status cst_nodal_condense(const cst_mixed *mixed, int threads, cst_arena *arena, cst_nodal_condensed *out, char *message,
                              size_t message_size);

#endif
