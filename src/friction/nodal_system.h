/* Coupling of contacts through nodal bodies with a factorised A and through reduced bodies. Newton's method uses this form of a
 * system for sheets in contact:
 *
 *     The contact velocities are y = G s + b, where the matrix G couples the contacts with the unknowns s of the bodies.
 *     The unknowns s solve A' s = sum_i G_i^T x_i, with the scaled matrix A' of the bodies and the scaled impulses x_i.
 *
 * The vector s holds the velocities of nodes and the states of reduced bodies (friction/half.h). Each node velocity is measured
 * in a unit for which the mean diagonal entry of its block of A' is one. The states of reduced bodies are split into chunks of
 * dim numbers, and their part of A' is the identity. Nodes and chunks are called *vertices*. A contact acts on few vertices: the
 * nodes of its barycentric weights, and the chunks of states of the reduced bodies on its other side. A product with W needs one
 * solve with A and is exact to rounding. The matrix W is not formed, and the momentum balance always holds. Without rows of W, a
 * Gauss-Seidel sweep over the contacts is not possible.
 *
 * The scaled unknowns are x_i = sqrt(w_i) r_i, where w_i is the trace of W_ii / dim. The diagonal blocks W_ii are computed from
 * blocks of A^-1 (sparse/block_inverse.h). */
#ifndef CST_FRICTION_NODAL_SYSTEM_H
#define CST_FRICTION_NODAL_SYSTEM_H

#include "friction/mixed_state.h"
#include "friction/nodal_condense.h"
#include "friction/system.h"
#include "sparse/block_cholesky.h"

/* The dim x dim matrix G (row-major) that couples a contact with a vertex, which is a node or a chunk of states of a reduced
 * body. */
typedef struct cst_nodal_touch {
    int32_t vertex;
    double g[9];
} cst_nodal_touch;

typedef struct cst_nodal_form {
    const cst_nodes *nodes;         /* all nodes of the bodies, or only the nodes with contacts if `condensed` is set */
    cst_nodal_condensed *condensed; /* NULL: no nodes are eliminated */
    /* number of vertices, which are the nodes, followed by the chunks of states of reduced bodies */
    int vertices;
    /* (vertices) number of unknowns of each vertex: dim, or less for the last states of a reduced body */
    uint8_t *rank;
    double *unit;         /* (nodes) v = unit s */
    int64_t *touch_start; /* (contacts + 1) */
    cst_nodal_touch *touch;
    int factors; /* number of nodal bodies */
    const cst_block_cholesky **factor;
    int32_t *first_node; /* (factors + 1) */
    int32_t *factor_of;  /* (nodes) */
    double *s;           /* s of the last product */
    double *work;        /* for a solve with a factor */
} cst_nodal_form;

/* Returns true if the nodal form is possible: bodies solved by callbacks must have at most CST_NODAL_FACTOR_MAX dofs
 * (friction/inverse_root.h). */
bool cst_nodal_applies(const cst_mixed *mixed);

/* Fills the system `out`, which gets the velocity scale and all settings of `mixed`. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or
 * CST_BAD_PROBLEM with a message if A is not positive definite. */
cst_status cst_nodal_pack(const cst_mixed *mixed, int threads, cst_arena *arena, cst_system *out, char *message,
                          size_t message_size);

/* Returns the nodal form of a system, or NULL if the system has another form. */
const cst_nodal_form *cst_nodal_form_of(const cst_system *system);

/* Computes v <- A^-1 v for the vector v of all nodes, including eliminated nodes (all nodes x dim). Returns false if memory ran
 * out. */
bool cst_nodal_form_solve_all(const cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena, double *v);

#endif
