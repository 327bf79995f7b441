/* Data of the primal form (equations: primal_gauss_seidel.h): copies of nodes, their transformed velocities (slots), the
 * rotation G, and the matrix What = G A G^T.
 *
 * A node with p contacts has p copies; a free node has one copy. Each copy of a node has a slot of the same index. The slot of a
 * copy without a contact is the velocity of the copy. The slot of a copy in contact with an obstacle is the velocity of the copy
 * in the contact frame. The two copies of a contact between two nodes a and b are called mates. With the velocities v_a, v_b and
 * the blocks h_a, h_b of H of the two nodes, the slot of one mate is (h_a v_a + h_b v_b)/sqrt(2), to which the Coulomb law
 * applies; the slot of the other mate is (h_a v_a - h_b v_b)/sqrt(2). */
#ifndef CST_FRICTION_PRIMAL_SLOTS_H
#define CST_FRICTION_PRIMAL_SLOTS_H

#include "friction/nodes.h"

typedef struct cst_primal_slots {
    int dim;
    int count;
    const cst_nodes *nodes;
    int32_t *first_copy; /* (nodes + 1) */
    int32_t *node;       /* (count) node of a copy */
    int32_t *mate;       /* (count) -1: none */
    int32_t *contact;    /* (count) contact whose Coulomb law applies to the copy, or -1 if the copy is free */
    double *own;         /* blocks of G for the copy */
    double *other;       /* blocks of G for the mate */
    int64_t *row_start;  /* (count + 1) rows of What */
    int32_t *column;
    double *block;
    double *diagonal; /* (count x dim x dim) What_ii */
    double *inverse;  /* (count x dim x dim) What_ii^-1 */
    double *rhs;      /* (count x dim) G rhs */
    double *offset;   /* (count x dim) u_f */
} cst_primal_slots;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a contact does not act on one node per side with
 * an orthogonal block. */
cst_status cst_primal_slots_build(const cst_body_problem *problem, const cst_nodes *nodes, cst_arena *arena,
                                  cst_primal_slots *out, char *message, size_t message_size);

/* Compute u = G v and v = G^T u, where v are the velocities of all copies and u are their transformed velocities (count x
 * dim). */
void cst_primal_rotate(const cst_primal_slots *slots, const double *v, double *u);
void cst_primal_rotate_back(const cst_primal_slots *slots, const double *u, double *v);

#endif
