/* Data of the primal form of a friction problem, whose unknowns are node velocities (equations: primal_gauss_seidel.h). The
 * primal form stores copies of the nodes (one for each contact), the orthogonal matrix G that transforms their velocities to the
 * contact frames, and the transformed matrix What = G A G^T.
 *
 * A node with p contacts is represented by p copies, a node without contacts by one copy. A slot is the transformed velocity of
 * one copy of a node, and has the same index as this copy. If no contact acts on a copy of a node, the velocity of the copy is
 * not transformed. If a copy of a node is in contact with an obstacle, its velocity is transformed to the contact frame. A
 * contact between two nodes acts on one copy of each node; these two copies are called mates. For a contact between two nodes,
 * the two transformed velocities follow from the velocities v_a, v_b of the two copies and their blocks h_a, h_b of the contact
 * Jacobian:
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
    int32_t *contact;    /* array (count): index of the contact that acts on each copy of a node, or -1 */
    double *own;         /* blocks of G for the copy */
    double *other;       /* blocks of G for the mate */
    /* array (count + 1): start of each row of the matrix What = G A G^T in the arrays `column` and `block` */
    int64_t *row_start;
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

/* Transforms the velocities v of all copies of nodes to velocities u in the contact frames, or back (arrays count x dim). */
void cst_primal_rotate(const cst_primal_slots *slots, const double *v, double *u);
void cst_primal_rotate_back(const cst_primal_slots *slots, const double *u, double *v);

#endif
