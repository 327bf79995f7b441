/* Coupling of contacts through cloth with factorised matrices and through other bodies, for Newton's method on sheets in contact.
 * Symbols:
 *     `s`: node velocities and body states.
 *     `A'`: their scaled matrix.
 *     `x_i`: scaled impulse of contact i.
 *     `y_i`, `b_i`: velocity, free velocity.
 *     `G_i`: couples contact i with s.
 *
 * The impulses determine the velocities of cloth nodes and the states of other bodies (friction/half.h), and both determine the
 * contact velocities:
 *
 *     `A' s = sum_i G_i^T*x_i`.
 *     `y_i = G_i*s + b_i`.
 *
 * The unit of each node velocity is chosen so that the mean diagonal entry of the node's block of the scaled matrix A' is one.
 * The states of bodies other than cloth are split into groups (chunks) of dim numbers, and their part of the scaled matrix A' is
 * the identity. Nodes and chunks are called *vertices*. A contact acts on few vertices: on the cloth nodes for which it has
 * barycentric weights, and on the groups of dim states of its other bodies. A product with the Delassus matrix W needs one solve
 * with the factorised matrices of the bodies and is exact to rounding. The Delassus matrix W is not formed, so a Gauss-Seidel
 * sweep over the contacts is not possible, but the momentum balance of the bodies always holds. The scaled impulse of a contact
 * is its impulse times the square root of its compliance, the trace of its diagonal block W_ii divided by dim. With few nodes,
 * the diagonal blocks of the Delassus matrix are computed from blocks of the inverse of the nodal matrix
 * (sparse/block_inverse.h). With many nodes, the diagonal block of a contact is replaced by an approximate compliance, computed
 * as if all neighbours of the contact's nodes were fixed. */
#ifndef CST_FRICTION_NODAL_SYSTEM_H
#define CST_FRICTION_NODAL_SYSTEM_H

#include "friction/mixed_state.h"
#include "friction/nodal_condense.h"
#include "friction/system.h"
#include "sparse/block_cholesky.h"

/* The matrix (dim x dim, row-major) that couples a contact with a vertex, which is a cloth node or a group of dim states of
 * another body. */
typedef struct cst_nodal_touch {
    int32_t vertex;
    double g[9];
} cst_nodal_touch;

typedef struct cst_nodal_form {
    /* the list of cloth nodes; if nodes were eliminated (`condensed` is not NULL), only the remaining nodes */
    const cst_nodes *nodes;
    cst_nodal_condensed *condensed; /* NULL: no nodes are eliminated */
    /* number of vertices: each cloth node and each group of dim states of another body is a vertex; the cloth nodes come first */
    int vertices;
    /* array (vertices): number of unknowns of each vertex (cloth node, or group of dim states of another body): dim, or less for
     * the last group of a body */
    uint8_t *rank;
    double *unit;         /* array (nodes): v = unit s */
    int64_t *touch_start; /* (contacts + 1) */
    cst_nodal_touch *touch;
    int factors; /* number of nodal bodies */
    const cst_block_cholesky **factor;
    /* array (factors): the Schur complement that the nodal body (cloth) itself provides, or NULL. If a cloth body provides a
     * Schur complement, `factor` holds the Cholesky factor of the whole matrix of the body, which contains the factor of the
     * Schur complement. If the cloth body provides no Schur complement, `factor` holds the Cholesky factor of the matrix in
     * `nodes`, which is a Schur complement if nodes were eliminated. */
    const cst_schur **part;
    int32_t *first_node; /* (factors + 1) */
    int32_t *factor_of;  /* (nodes) */
    double *s;           /* s of the last product */
    double *work;        /* for a solve with a factor */
} cst_nodal_form;

/* Returns true if the function cst_nodal_pack is applicable: every body that is solved by callbacks must have at most
 * CST_NODAL_FACTOR_MAX dofs (friction/inverse_root.h). */
bool cst_nodal_applies(const cst_mixed *mixed);

/* Makes the scaled friction problem `out` from `mixed`, the data of the Gauss-Seidel sweep; velocity scale and settings are those
 * of `mixed`. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the matrix of a body is not positive
 * definite. */
cst_status cst_nodal_pack(const cst_mixed *mixed, int threads, cst_arena *arena, cst_system *out, char *message,
                          size_t message_size);

/* Returns the struct cst_nodal_form of a friction problem that was made by cst_nodal_pack, or NULL for any other problem. */
const cst_nodal_form *cst_nodal_form_of(const cst_system *system);

/* Solves a linear system with the matrix A of all cloth nodes: replaces the right-hand side `v` (all nodes x dim, including
 * eliminated nodes) by the solution. If the argument `form` is NULL, the function uses the factorised matrices that the caller of
 * the solver provides. Returns false if memory ran out. */
bool cst_nodal_form_solve_all(const cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena, double *v);

#endif
