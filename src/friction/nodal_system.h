/* Coupling through nodal bodies whose A is factored, and reduced bodies beside them: what Newton's method needs of a sheet in contact.
 *
 *     y = G s + b,      A' s = sum_i G_i^T x_i
 *
 * s holds velocities of nodes, each in a unit that makes the mean diagonal of its block of A' one, and states of reduced bodies
 * (friction/half.h), for which A' = I, in chunks of dim. Nodes and chunks are the *vertices*. A contact touches few of them: the nodes of its
 * barycentric weights, and the chunks of the reduced bodies on its other side. One product takes one solve with A and is exact to
 * rounding: W is not formed, and momentum always holds. There are no rows of W, so that the contacts cannot be swept one by one.
 *
 * x_i = sqrt(w_i) r_i with w_i the trace of W_ii / dim, from blocks of A^-1 (sparse/block_inverse.h). */
#ifndef CST_FRICTION_NODAL_SYSTEM_H
#define CST_FRICTION_NODAL_SYSTEM_H

#include "friction/mixed_state.h"
#include "friction/nodal_condense.h"
#include "friction/system.h"
#include "sparse/block_cholesky.h"

/* What a contact sees of a vertex: G, (dim x dim) row-major. */
typedef struct cst_nodal_touch {
    int32_t vertex;
    double g[9];
} cst_nodal_touch;

typedef struct cst_nodal_form {
    const cst_nodes *nodes;         /* of the bodies, or those that are touched if the others are eliminated: */
    cst_nodal_condensed *condensed; /* NULL: they are not */
    int vertices;         /* nodes, then chunks of states of reduced bodies */
    uint8_t *rank;        /* (vertices) scalars of a vertex: dim, or less at the end of a reduced body */
    double *unit;         /* (nodes) v = unit s */
    int64_t *touch_start; /* (contacts + 1) */
    cst_nodal_touch *touch;
    int factors; /* nodal bodies */
    const cst_block_cholesky **factor;
    int32_t *first_node; /* (factors + 1) */
    int32_t *factor_of;  /* (nodes) */
    double *s;           /* (vertices x dim) of the last product */
    double *work;        /* of a solve with a factor */
} cst_nodal_form;

/* Whether all reduced bodies have a state: what is solved by callbacks has at most CST_NODAL_FACTOR_MAX dofs (friction/inverse_root.h). */
bool cst_nodal_applies(const cst_mixed *mixed);

/* Fill `out`. Velocity scale and everything else as in `mixed`. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if A is not
 * positive definite. */
cst_status cst_nodal_pack(const cst_mixed *mixed, int threads, cst_arena *arena, cst_system *out, char *message,
                          size_t message_size);

/* What a system of this kind is made of; NULL if it has another form. */
const cst_nodal_form *cst_nodal_form_of(const cst_system *system);

/* v (all nodes x dim) <- A^-1 f. False: out of memory. */
bool cst_nodal_form_solve_all(const cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena, double *v);

#endif
