/* Coupling of contacts through nodal bodies with factorised matrices and through reduced bodies, for Newton's method on sheets in
 * contact. Symbols:
 *     `s`: node velocities and body states.
 *     `A'`: their scaled matrix.
 *     `x_i`: scaled impulse of contact i.
 *     `y_i`, `b_i`: velocity, free velocity.
 *     `G_i`: couples contact i with s.
 *
 * The impulses determine the states of nodes and reduced bodies (friction/half.h), and the states determine the contact
 * velocities:
 *
 *     `A' s = sum_i G_i^T*x_i`.
 *     `y_i = G_i*s + b_i`.
 *
 * Each node velocity is measured in a unit for which the mean diagonal entry of the node's block of the scaled matrix A' is one.
 * The states of reduced bodies are split into chunks of dim numbers, and their part of the scaled matrix A' is the identity.
 * Nodes and chunks are called *vertices*. A contact acts on few vertices: on the nodes for which it has barycentric weights, and
 * on the chunks of states of its reduced bodies. A product with the Delassus matrix W needs one solve with the factorised
 * matrices of the bodies and is exact to rounding. The Delassus matrix W is not formed, so a Gauss-Seidel sweep over the contacts
 * is not possible, but the momentum balance of the bodies always holds. The scaled impulse of a contact is its impulse times the
 * square root of its compliance, the trace of its diagonal block W_ii divided by dim. With few nodes, the diagonal blocks of the
 * Delassus matrix are computed from blocks of the inverse matrix of the nodes (sparse/block_inverse.h); with many nodes, the
 * approximate compliances of the residual are used instead. */
#ifndef CST_FRICTION_NODAL_SYSTEM_H
#define CST_FRICTION_NODAL_SYSTEM_H

#include "friction/mixed_state.h"
#include "friction/nodal_condense.h"
#include "friction/system.h"
#include "sparse/block_cholesky.h"

/* The matrix (dim x dim, row-major) that couples a contact with a vertex, which is a node or a chunk of dim states of a reduced
 * body. */
typedef struct cst_nodal_touch {
    int32_t vertex;
    double g[9];
} cst_nodal_touch;

typedef struct cst_nodal_form {
    const cst_nodes *nodes;         /* the list of nodes; without the eliminated nodes if `condensed` is set */
    cst_nodal_condensed *condensed; /* NULL: no nodes are eliminated */
    /* number of vertices, which are the nodes, followed by the chunks of states of reduced bodies */
    int vertices;
    /* array (vertices): number of unknowns of each vertex: dim, or less for the last chunk of states of a reduced body */
    uint8_t *rank;
    double *unit;         /* array (nodes): v = unit s */
    int64_t *touch_start; /* (contacts + 1) */
    cst_nodal_touch *touch;
    int factors; /* number of nodal bodies */
    const cst_block_cholesky **factor;
    /* array (factors): the Schur complement that the nodal body itself provides, or NULL. If the body provides no Schur
     * complement, the Cholesky factor in `factor` contains only the nodes of the body that are in the array `nodes`. If the
     * body provides a Schur complement, the Cholesky factor in `factor` contains all nodes of the body, and the factor of the
     * Schur complement is a part of it. */
    const cst_schur **part;
    int32_t *first_node; /* (factors + 1) */
    int32_t *factor_of;  /* (nodes) */
    double *s;           /* s of the last product */
    double *work;        /* for a solve with a factor */
} cst_nodal_form;

/* Returns true if cst_nodal_pack is possible: every body that is solved by callbacks must have at most CST_NODAL_FACTOR_MAX dofs
 * (friction/inverse_root.h). */
bool cst_nodal_applies(const cst_mixed *mixed);

/* Makes the scaled friction problem `out`, with the velocity scale and all settings of `mixed`. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the matrix of a body is not positive definite. */
cst_status cst_nodal_pack(const cst_mixed *mixed, int threads, cst_arena *arena, cst_system *out, char *message,
                          size_t message_size);

/* Returns the cst_nodal_form of a system that was made by cst_nodal_pack, or NULL for any other system. */
const cst_nodal_form *cst_nodal_form_of(const cst_system *system);

/* Solves a linear system with the matrix of all nodes: replaces the right-hand side `v` (all nodes x dim, including eliminated
 * nodes) by the solution. If `form` is NULL, the function uses the matrix factors that the caller of the solver provides. Returns
 * false if memory ran out. */
bool cst_nodal_form_solve_all(const cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena, double *v);

#endif
