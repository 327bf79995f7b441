/* Data of the primal form of a friction problem, whose unknowns are node velocities (primal_gauss_seidel.h). Symbols:
 *     `A`: matrix of the nodes.
 *     `G`: orthogonal matrix, transforms node velocities to the contact frames.
 *     `What = G*A*G^T`: matrix A in the contact frames.
 *     `v_a`, `v_b`: velocities of two mates.
 *     `h_a`, `h_b`: blocks of the contact Jacobian for the two mates.
 *
 * A node with p contacts is represented by p copies, one for each contact; a node without contacts has one copy. A contact
 * between two nodes acts on one copy of each node; these two copies are called mates. A slot is the velocity of one copy in the
 * frame of its contact; the velocity of a copy without a contact is not rotated. The slots of the two mates of a contact
 * between two nodes are:
 *
 *     `(h_a*v_a+h_b*v_b)/sqrt(2)`: relative velocity of the two nodes, divided by sqrt(2); the Coulomb law applies to it.
 *     `(h_a*v_a-h_b*v_b)/sqrt(2)`: sum of the two node velocities, divided by sqrt(2); no contact acts on it. */
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
    double *inverse;  /* array (count x dim x dim): inverse of the diagonal block of the matrix What for each slot */
    double *rhs;      /* array (count x dim): G rhs */
    double *offset;   /* array (count x dim): velocity offset of the contact, divided by sqrt(2) if the copy has a mate */
} cst_primal_slots;

/* Returns CST_BAD_PROBLEM with a message if a contact does not act on exactly one node of each of its bodies, or a block of its
 * Jacobian is not orthogonal. */
cst_status cst_primal_slots_build(const cst_body_problem *problem, const cst_nodes *nodes, cst_arena *arena,
                                  cst_primal_slots *out, char *message, size_t message_size);

/* Rotates the velocities v of all copies (count x dim) to the velocities u in the contact frames, or back. */
void cst_primal_rotate(const cst_primal_slots *slots, const double *v, double *u);
void cst_primal_rotate_back(const cst_primal_slots *slots, const double *u, double *v);

#endif
