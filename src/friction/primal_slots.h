/* Data of the primal form of a friction problem (equations: primal_gauss_seidel.h). The data of the primal form are the copies of
 * nodes, the orthogonal matrix G that transforms their velocities to the contact frames, and the transformed matrix What = G A
 * G^T.
 *
 * A node with p contacts has p copies; a node without a contact has one copy. A slot is the transformed velocity of a node copy,
 * and has the same index as the copy. If no contact acts on a copy of a node, its transformed velocity is its velocity. If a copy
 * of a node is in contact with an obstacle, its transformed velocity is its velocity in the contact frame. A contact between two
 * nodes acts on one copy of each node; these two copies are called mates. The two transformed velocities of a contact between two
 * nodes follow from the velocities v_a and v_b of the two copies, and from their blocks h_a and h_b of the contact Jacobian:
 *
 *     `(h_a*v_a+h_b*v_b)/sqrt(2)`: Coulomb law applies.
 *     `(h_a*v_a-h_b*v_b)/sqrt(2)`: free. */
#ifndef CST_FRICTION_PRIMAL_SLOTS_H
#define CST_FRICTION_PRIMAL_SLOTS_H

#include "friction/nodes.h"

typedef struct cst_primal_slots {
    int dim;
    int count;
    const cst_nodes *nodes;
    int32_t *first_copy; /* (nodes + 1) */
    int32_t *node;       /* array (count): node of a copy */
    int32_t *mate;       /* (count) -1: none */
    int32_t *contact;    /* array (count): contact that acts on each copy of a node, or -1 */
    double *own;         /* blocks of G for the copy */
    double *other;       /* blocks of G for the mate */
    int64_t *row_start;  /* array (count + 1): start of each row of the transformed matrix What in `column` and `block` */
    int32_t *column;
    double *block;
    double *diagonal; /* array (count x dim x dim): What_ii */
    double *inverse;  /* array (count x dim x dim): What_ii^-1 */
    double *rhs;      /* array (count x dim): G rhs */
    double *offset;   /* array (count x dim): u_f */
} cst_primal_slots;

/* Returns CST_SOLVED or CST_OUT_OF_MEMORY. Returns CST_BAD_PROBLEM with a message if a contact does not act on exactly one node
 * of each of its bodies, or if a block of its Jacobian is not orthogonal. */
cst_status cst_primal_slots_build(const cst_body_problem *problem, const cst_nodes *nodes, cst_arena *arena,
                                  cst_primal_slots *out, char *message, size_t message_size);

/* Transforms the velocities v of all node copies to the velocities u in the contact frames, or back (arrays count x dim). */
void cst_primal_rotate(const cst_primal_slots *slots, const double *v, double *u);
void cst_primal_rotate_back(const cst_primal_slots *slots, const double *u, double *v);

#endif
