/* The judge of (v, r) for a body problem, made ready once and asked as often as one likes. It sees the problem and the
 * answer, and no solver; see friction/residual.c for what is measured.
 *
 * The compliance w_i of a contact is the mean diagonal of H A^-1 H^T over reduced bodies plus that of H_j A_jj^-1 H_j^T over
 * the nodes it touches. V is that of the free motion, A v = rhs, its floor 1e-6 of the largest sum of terms |H| |v| + |u_f|
 * rather than of what is left of them: u cannot be known better than these are rounded. u = H v + u_f is computed from v, so v must
 * be the motion that r makes; how far it is from that is the momentum defect, a velocity over V:
 *     nodal bodies    max_j |A_jj^-1 (A v - rhs - H^T r)_j|
 *     reduced bodies  max_i |H_i (v - v*)|,  A v* = rhs + H^T r, as contacts see it: dofs may have any unit
 * and it counts in E.
 *
 * v* is found without a factor of the judge's own. g = A v - rhs - H^T r is a product with A; if it is within rounding
 * (friction/body_defect.h), v* = v. Otherwise v is corrected, v* <- v* - A^-1 g, with the factor that is at hand, until g is within
 * rounding. What decides is the product: a wrong factor does not get there. A body where it does not counts as an infinite defect.
 *
 * Factors, free motions and compliances may be lent by whoever solved the problem. All are multiplied back first
 * (friction/body_audit.h); if anything is not what A and H make of it, nothing that was lent is used: bodies are factored here. */
#ifndef CST_FRICTION_BODY_RESIDUAL_H
#define CST_FRICTION_BODY_RESIDUAL_H

#include "friction/bodies.h"
#include "friction/nodes.h"

typedef struct cst_body_judge {
    const cst_bodies *bodies; /* reduced ones factored; nodal ones are not looked at there */
    const cst_nodes *nodes;
    cst_bodies own;   /* factored here: what was lent is not what it was said to be */
    int distrusted;   /* first body whose factor or free motion was not what it was said to be, or -1 */
    double scale;     /* V */
    double *w;        /* (contacts) */
    double *expected; /* (dofs) v* */
    double *scratch;  /* (4 dofs) body by body */
    double *of_nodes; /* (nodes x dim) scratch */
    double *impulse;  /* (nodes x dim) scratch */
} cst_body_judge;

/* What a solver lends the judge of its answer. */
typedef struct cst_loan {
    cst_bodies bodies; /* problem NULL: nothing is lent */
    double *w;         /* (contacts) compliances by cst_audit_halves; NULL: nothing is lent */
} cst_loan;

/* V for the free motion v (all bodies, each from its offset). */
double cst_body_velocity_scale(const cst_body_problem *problem, const int64_t *offset, int threads, const double *v);

/* The same for the free motion A v = rhs, which is solved for on the nodes. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a
 * message if it was not found. */
cst_status cst_body_free_scale(const cst_bodies *bodies, const cst_nodes *nodes, cst_arena *arena, double *scale, char *message,
                               size_t message_size);

/* w_lent (contacts): compliances by cst_audit_halves, and `bodies` were made for the solver; NULL: `bodies` were made for the judge,
 * which finds the compliances. scale > 0 overrides V, which is at least `floor` otherwise. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a body
 * could not be solved. The judge must stay where it is: it may point into itself. */
cst_status cst_body_judge_begin(const cst_bodies *bodies, const cst_nodes *nodes, const double *w_lent, double scale,
                                double floor, cst_arena *arena, cst_body_judge *judge, char *message, size_t message_size);

/* share (contacts): what each contact has of the error; NULL: not wanted. False: a callback failed. */
bool cst_body_judge_ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out, double *share);

/* Both at once, for a problem that has been checked. CST_SOLVED, whatever the residual is; otherwise as cst_body_judge_begin. The
 * message is also set if something lent was not used. */
cst_status cst_body_judge_once(const cst_body_problem *problem, const cst_loan *loan, int threads, double scale, double floor,
                               cst_arena *arena, const double *v, const double *r, cst_residual *out, double *share,
                               char *message, size_t message_size);

#endif
