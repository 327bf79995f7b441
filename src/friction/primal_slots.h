/* Data of the primal form of a friction problem, whose unknowns are node velocities (primal_gauss_seidel.h). Symbols:
 *     `A`: matrix of the nodes.
 *     `G`: orthogonal, rotates the velocities of the copies to the contact frames.
 *     `What = G*A*G^T`: matrix in the contact frames.
 *     `v_a`, `v_b`: velocities of two copies that are mates.
 *     `h_a`, `h_b`: contact Jacobian of the two copies.
 *
 * A node with p contacts is represented by p copies, one for each contact; a node without contacts has one copy. A slot is the
 * velocity of one copy in the contact frame, and has the same index as the copy. The velocity of a copy without a contact is not
 * rotated. A contact between two nodes acts on one copy of each node; these two copies are mates. The slots of two mates are:
 *
 *     `(h_a*v_a+h_b*v_b)/sqrt(2)`: the Coulomb law applies.
 *     `(h_a*v_a-h_b*v_b)/sqrt(2)`: no contact acts on it. */
#ifndef CST_FRICTION_PRIMAL_SLOTS_H
#define CST_FRICTION_PRIMAL_SLOTS_H

#include "friction/nodes.h"

typedef struct cst_primal_slots {
    int dim;
    int count;
    const cst_nodes *nodes;
    int32_t *first_copy; /* array (nodes + 1): index of the first copy of each node */
    int32_t *node;       /* array (count): node that each copy represents */
    int32_t *mate;       /* array (count): index of the mate of each copy, or -1 */
    int32_t *contact;    /* array (count): index of the contact whose Coulomb law applies to each slot, or -1 */
    double *own;         /* array (count x dim x dim): block of G in the row of each slot, for its own copy */
    double *other;       /* array (count x dim x dim): block of G in the row of each slot, for the mate */
    /* array (count + 1): position in `column` and `block` of the first block of each row of What */
    int64_t *row_start;
    int32_t *column;
    double *block;
    double *diagonal; /* array (count x dim x dim): diagonal blocks of What */
    double *inverse;  /* array (count x dim x dim): inverses of the diagonal blocks of What */
    double *rhs;      /* array (count x dim): G times the right-hand side */
    double *offset;   /* array (count x dim): velocity offset u_f of the contact; divided by sqrt(2) for a contact of two nodes */
} cst_primal_slots;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. Each contact must act on exactly one node of each of
 * its bodies, with an orthogonal block of the contact Jacobian. */
cst_status cst_primal_slots_build(const cst_body_problem *problem, const cst_nodes *nodes, cst_arena *arena,
                                  cst_primal_slots *out, char *message, size_t message_size);

/* Rotates the velocities v of all copies (count x dim) to the velocities u in the contact frames, or back. */
void cst_primal_rotate(const cst_primal_slots *slots, const double *v, double *u);
void cst_primal_rotate_back(const cst_primal_slots *slots, const double *u, double *v);

#endif
