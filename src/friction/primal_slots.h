/* Data of the primal form of a friction problem, whose unknowns are node velocities (primal_gauss_seidel.h). Symbols:
 *     `A`: system matrix of all nodes.
 *     `G`: orthogonal matrix that transforms the velocities of the nodes' copies to the contact frames.
 *     `What = G*A*G^T`: matrix A, divided among the copies of the nodes and transformed to the contact frames.
 *     `v_a`, `v_b`: velocities of the copies of the two nodes a and b of one contact.
 *     `h_a`, `h_b`: blocks of the contact Jacobian for the nodes a and b of a contact; h_b includes a minus sign, so that h_a v_a
 *     + h_b v_b is the relative velocity.
 *
 * A node with p contacts is represented by p copies, one for each contact; a node without contacts has one copy. A contact
 * between two nodes acts on one copy of each node; these two copies are called mates. The dim unknowns of one copy of a node are
 * called a slot. If a node has no contact, the unknowns of its copy are its velocity. If a contact acts on one node only, the
 * unknowns of the node's copy are its velocity in the contact frame. A contact between two nodes a and b has two slots of dim
 * unknowns, computed from the velocities v_a, v_b of the nodes' copies and the blocks h_a, h_b of the contact Jacobian:
 *
 *     `(h_a*v_a+h_b*v_b)/sqrt(2)`: first slot of a contact between two nodes: the relative velocity of the nodes, divided by
 *     sqrt(2). The Coulomb law applies to the relative velocity of the two nodes.
 *     `(h_a*v_a-h_b*v_b)/sqrt(2)`: second slot of a contact between two nodes: the sum of the node velocities (h_b contains a
 *     minus sign), divided by sqrt(2). The contact impulse does not act on the sum of the node velocities. */
#ifndef CST_FRICTION_PRIMAL_SLOTS_H
#define CST_FRICTION_PRIMAL_SLOTS_H

#include "friction/nodes.h"

typedef struct cst_primal_slots {
    int dim;
    int count;
    const cst_nodes *nodes;
    int32_t *first_copy; /* array (nodes + 1) */
    int32_t *node;       /* array (count): node of a copy */
    int32_t *mate;       /* array (count): -1: none */
    int32_t *contact;    /* array (count): contact, or -1 */
    double *own;         /* blocks of G for the copy */
    double *other;       /* blocks of G for the mate */
    /* array (count + 1): row starts */
    int64_t *row_start;
    int32_t *column;
    double *block;
    double *diagonal; /* array (count x dim x dim): diagonal block of the matrix What = G A G^T for each slot */
    double *inverse;  /* array (count x dim x dim): inverse of each diagonal block of the matrix What = G A G^T */
    double *rhs;      /* array (count x dim): G rhs */
    /* array (count x dim): the velocity offset (constant part of the relative velocity) of each contact, stored in the entry of
     * the copy of the contact's first node. If the contact acts on two nodes, the stored velocity offset is divided by
     * sqrt(2). */
    double *offset;
} cst_primal_slots;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. Each contact must act on exactly one node of each of
 * its bodies. The blocks of the contact Jacobian must be orthogonal, and the diagonal blocks of What must not be singular. */
cst_status cst_primal_slots_build(const cst_body_problem *problem, const cst_nodes *nodes, cst_arena *arena,
                                  cst_primal_slots *out, char *message, size_t message_size);

/* Rotates the velocities v of all copies of nodes (count x dim) to the velocities u in the contact frames;
 * cst_primal_rotate_back rotates u to v. */
void cst_primal_rotate(const cst_primal_slots *slots, const double *v, double *u);
void cst_primal_rotate_back(const cst_primal_slots *slots, const double *u, double *v);

#endif
