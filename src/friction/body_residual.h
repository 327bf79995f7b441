/* The judge of (v, r) for a body problem, made ready once and asked as often as one likes. It sees the problem and the
 * answer, and no solver; see friction/residual.c for what is measured.
 *
 * The compliance w_i of a contact is the mean diagonal of H A^-1 H^T over reduced bodies plus that of H_j A_jj^-1 H_j^T over
 * the nodes it touches. V is that of the free motion, A v = rhs, its floor 1e-6 of the largest sum of terms |H| |v| + |u_f|
 * rather than of what is left of them: u cannot be known better than these are rounded. u = H v + u_f is computed from v, so v must be the motion
 * that r makes; how far it is from that is the momentum defect, a velocity over V:
 *     nodal bodies    max_j |A_jj^-1 (A v - rhs - H^T r)_j|
 *     reduced bodies  max_i |H_i (v - A^-1 (rhs + H^T r))|, as contacts see it: dofs may have any unit
 * and it counts in E. */
#ifndef CST_FRICTION_BODY_RESIDUAL_H
#define CST_FRICTION_BODY_RESIDUAL_H

#include "friction/bodies.h"
#include "friction/nodes.h"

typedef struct cst_body_judge {
    const cst_bodies *bodies; /* reduced ones factored, nodal ones left out */
    const cst_nodes *nodes;
    double scale;     /* V */
    double *w;        /* (contacts) */
    double *expected; /* (dofs) scratch */
    double *of_nodes; /* (nodes x dim) scratch */
    double *impulse;  /* (nodes x dim) scratch */
} cst_body_judge;

/* V for the free motion v (all bodies, each from its offset). */
double cst_body_velocity_scale(const cst_body_problem *problem, const int64_t *offset, const double *v);

/* The same for the free motion A v = rhs, which is solved for on the nodes. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a
 * message if it was not found. */
cst_status cst_body_free_scale(const cst_bodies *bodies, const cst_nodes *nodes, cst_arena *arena, double *scale, char *message,
                               size_t message_size);

/* scale > 0 overrides V. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a body could not be solved. */
cst_status cst_body_judge_begin(const cst_bodies *bodies, const cst_nodes *nodes, double scale, cst_arena *arena,
                                cst_body_judge *judge, char *message, size_t message_size);

/* False: a callback failed. */
bool cst_body_judge_ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out);

/* cst_body_residual, and the share of each contact in its error (contacts, or NULL). */
bool cst_body_residual_shares(const cst_body_problem *problem, const double *v, const double *r, double scale,
                              const cst_allocator *allocator, cst_residual *out, double *share);

#endif
