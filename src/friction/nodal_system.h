/* The friction problem of cloth and other bodies for Newton's method, with factorised cloth matrices. Symbols:
 *     `s`: velocity changes of the cloth nodes, and states L^-1 H^T r of other bodies.
 *     `A'`: scaled matrix of the bodies.
 *     `x_i`: scaled impulse of contact i.
 *     `y_i`, `b_i`: scaled velocity and free velocity of contact i.
 *     `G_i`: couples contact i with s.
 *
 * The contact impulses determine the vector s, which contains the velocity changes of the cloth nodes and the states L^-1 H^T r
 * of other bodies (friction/half.h). The vector s determines the contact velocities:
 *
 *     `A' s = sum_i G_i^T*x_i`.
 *     `y_i = G_i*s + b_i`.
 *
 * A vertex is a cloth node, or a group (chunk) of dim unknowns of another body. A contact is coupled only with the cloth nodes
 * and with the other bodies on which it acts.
 *
 * The velocity of each cloth node is divided by a unit, chosen such that the node's diagonal block in the scaled matrix A' has
 * the mean diagonal entry one. For bodies that are not cloth, the scaled matrix A' is the identity. The impulse of contact i is
 * multiplied by the square root of the compliance trace(W_ii) / dim, where W_ii is the diagonal block of the contact in the
 * Delassus matrix.
 *
 * The Delassus matrix W is not formed, so Gauss-Seidel sweeps over the contacts are not possible. A product with the Delassus
 * matrix takes one solve with the factorised matrices of the bodies. */
#ifndef CST_FRICTION_NODAL_SYSTEM_H
#define CST_FRICTION_NODAL_SYSTEM_H

#include "friction/mixed_state.h"
#include "friction/nodal_condense.h"
#include "friction/system.h"
#include "sparse/block_cholesky.h"

/* The matrix (dim x dim, row-major) that couples a contact with one cloth node, or with one group of dim unknowns of another
 * body. */
typedef struct cst_nodal_touch {
    int32_t vertex;
    double g[9];
} cst_nodal_touch;

typedef struct cst_nodal_form {
    /* cloth nodes that are not eliminated */
    const cst_nodes *nodes;
    cst_nodal_condensed *condensed; /* NULL: no nodes are eliminated */
    /* number of vertices; cloth nodes first */
    int vertices;
    /* array (vertices): number of unknowns of each vertex (cloth node or group of unknowns): dim, or fewer for the last group of
     * a body that is not cloth */
    uint8_t *rank;
    double *unit;         /* array (nodes): velocity units */
    int64_t *touch_start; /* array (contacts + 1): coupling starts */
    cst_nodal_touch *touch;
    int factors; /* number of cloth bodies */
    const cst_block_cholesky **factor;
    /* array (factors): for each cloth body, the caller's Schur complement if it is used unchanged (nodal_condense.h), otherwise
     * NULL. If the caller's Schur complement is used, `factor` holds the Cholesky factor of the whole matrix of the body. If the
     * caller's Schur complement is not used, `factor` holds the Cholesky factor of the computed Schur complement, or of the whole
     * matrix if no nodes are eliminated. */
    const cst_schur **part;
    int32_t *first_node; /* array (factors + 1): first nodes */
    int32_t *factor_of;  /* array (nodes): index in `factor` */
    double *s;           /* s of the last product */
    double *work;        /* scratch of a solve */
} cst_nodal_form;

/* Returns true if cst_nodal_pack is applicable: every body that has contacts and is solved by a caller's function has at most
 * CST_NODAL_FACTOR_MAX dofs (friction/inverse_root.h). */
bool cst_nodal_applies(const cst_mixed *mixed);

/* Makes the scaled friction problem `out` from `mixed`, the data of Gauss-Seidel sweeps. Returns CST_SOLVED, CST_OUT_OF_MEMORY,
 * or CST_BAD_PROBLEM with a message. */
cst_status cst_nodal_pack(const cst_mixed *mixed, int threads, cst_arena *arena, cst_system *out, char *message,
                          size_t message_size);

/* Returns the data of a friction problem made by cst_nodal_pack, or NULL for any other problem. */
const cst_nodal_form *cst_nodal_form_of(const cst_system *system);

/* Solves a linear system with the matrix of all cloth nodes, eliminated nodes included: replaces the right-hand side `v` by the
 * solution. The function cst_nodal_form_solve_all uses the factors of `form` if `form` contains all cloth nodes; otherwise, or if
 * `form` is NULL, it uses the factors that the caller of the friction solver provides. Returns false if memory ran out. */
bool cst_nodal_form_solve_all(const cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena, double *v);

#endif
