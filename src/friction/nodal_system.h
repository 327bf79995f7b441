/* The friction problem of Newton's method for cloth: contacts are coupled through cloth with factorised matrices and through
 * other bodies. Symbols:
 *     `s`: node velocities and body states.
 *     `A'`: their scaled matrix.
 *     `x_i`: scaled impulse of contact i.
 *     `y_i`, `b_i`: velocity, free velocity.
 *     `G_i`: couples contact i with s.
 *
 * The impulses determine the velocities of the cloth nodes and the states of other bodies (friction/half.h), and the contact
 * velocities follow:
 *
 *     `A' s = sum_i G_i^T*x_i`.
 *     `y_i = G_i*s + b_i`.
 *
 * The unknowns are called vertices: a vertex is a cloth node, or a chunk of dim states of another body. A contact acts only on
 * the cloth nodes for which it has barycentric weights, and on the chunks of its other bodies.
 *
 * Node velocities have units in which the mean diagonal entry of each node's block of the scaled matrix A' is one. For the
 * states of other bodies, the scaled matrix A' is the identity. The scaled impulse of a contact is its impulse times the square
 * root of its compliance, the trace of its diagonal block W_ii divided by dim.
 *
 * The Delassus matrix W is not formed, so Gauss-Seidel sweeps over the contacts are not possible. A product with W takes one
 * solve with the factorised matrices and is exact to rounding. */
#ifndef CST_FRICTION_NODAL_SYSTEM_H
#define CST_FRICTION_NODAL_SYSTEM_H

#include "friction/mixed_state.h"
#include "friction/nodal_condense.h"
#include "friction/system.h"
#include "sparse/block_cholesky.h"

/* The matrix (dim x dim, row-major) that couples a contact with a vertex: a cloth node, or a chunk of dim states of another
 * body. */
typedef struct cst_nodal_touch {
    int32_t vertex;
    double g[9];
} cst_nodal_touch;

typedef struct cst_nodal_form {
    /* cloth nodes; only the remaining nodes if nodes were eliminated */
    const cst_nodes *nodes;
    cst_nodal_condensed *condensed; /* NULL: no nodes are eliminated */
    /* number of vertices; the cloth nodes come first */
    int vertices;
    /* array (vertices): number of unknowns of each vertex: dim, or less for the last chunk of a body */
    uint8_t *rank;
    double *unit;         /* array (nodes): velocity unit; v = unit s */
    int64_t *touch_start; /* array (contacts + 1): start of the couplings of each contact */
    cst_nodal_touch *touch;
    int factors; /* number of cloth bodies */
    const cst_block_cholesky **factor;
    /* array (factors): the Schur complement that a cloth body itself provides, or NULL. If it is not NULL, `factor` holds the
     * Cholesky factor of the whole matrix of the cloth, which contains the factor of the Schur complement. If it is NULL,
     * `factor` holds the Cholesky factor of the matrix in `nodes`. */
    const cst_schur **part;
    int32_t *first_node; /* array (factors + 1): first node of each cloth */
    int32_t *factor_of;  /* array (nodes): index of the cloth of each node */
    double *s;           /* s of the last product with the Delassus matrix */
    double *work;        /* scratch, for a solve with a factor */
} cst_nodal_form;

/* Returns true if cst_nodal_pack is applicable: every body that is solved by a caller's function has at most
 * CST_NODAL_FACTOR_MAX dofs (friction/inverse_root.h). */
bool cst_nodal_applies(const cst_mixed *mixed);

/* Makes the scaled friction problem `out` from `mixed`, the data of the Gauss-Seidel sweep. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the matrix of a body is not positive definite. */
cst_status cst_nodal_pack(const cst_mixed *mixed, int threads, cst_arena *arena, cst_system *out, char *message,
                          size_t message_size);

/* Returns the data of a friction problem that cst_nodal_pack made, or NULL for any other problem. */
const cst_nodal_form *cst_nodal_form_of(const cst_system *system);

/* Solves a linear system with the matrix of all cloth nodes, including eliminated nodes: replaces the right-hand side `v` by
 * the solution. If `form` is NULL, the function uses the factorised matrices that the caller of the solver provides. Returns
 * false if memory ran out. */
bool cst_nodal_form_solve_all(const cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena, double *v);

#endif
