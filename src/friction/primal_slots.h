/* Slots of the primal form: copies of nodes, the rotation G, and What = G A G^T. The equations are in primal_gauss_seidel.h.
 *
 * A node with p contacts has p copies; a free node has one copy. A copy and its slot have the same number. The slot of a free
 * copy is its velocity. The slot of a copy in contact with an obstacle is its velocity in the contact frame. The two copies of
 * a contact between two nodes are mates: their slots are (h_a v_a + h_b v_b)/sqrt(2), to which the law applies, and (h_a v_a -
 * h_b v_b)/sqrt(2). */
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
    int32_t *contact;    /* (count) contact whose law applies to this slot, -1: free */
    double *own;         /* (count x dim x dim) G of the slot on its own copy */
    double *other;       /* (count x dim x dim) G of the slot on its mate */
    int64_t *row_start;  /* (count + 1) rows of the off-diagonal blocks of What */
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

/* Compute u = G v and v = G^T u; both vectors are (count x dim), over slots and over copies. */
void cst_primal_rotate(const cst_primal_slots *slots, const double *v, double *u);
void cst_primal_rotate_back(const cst_primal_slots *slots, const double *u, double *v);

#endif
