/* Residual of velocities v and impulses r for a body problem. The residual is prepared once and evaluated any number of times.
 * The residual depends only on the problem and the answer, not on the solver; friction/residual.c has the definition.
 *
 * The compliance w_i of a contact is the mean diagonal of H A^-1 H^T over reduced bodies, plus the mean diagonal of H_j A_jj^-1
 * H_j^T over the nodes j of the contact. V is the velocity scale of the free motion, A v = rhs. The lower bound of V is 1e-6 of
 * the largest |H| |v| + |u_f|, the sum of the absolute terms of u, because rounding of these terms limits the accuracy of u. The
 * contact velocity u = H v + u_f is computed from v, so v must be the motion that follows from r. The momentum defect measures
 * the difference between the given velocities v and the motion that follows from the impulses r, as a velocity divided by the
 * velocity scale V:
 *     The defect of nodal bodies is the largest |A_jj^-1 (A v - rhs - H^T r)_j| over all nodes j.
 *     The defect of reduced bodies is the largest |H_i (v - v*)| over all contacts i, where A v* = rhs + H^T r.
 * The defect of reduced bodies is measured in contact velocities, because their dofs may have any unit. E includes the momentum
 * defect.
 *
 * The motion v*, with A v* = rhs + H^T r, is computed without a second factorisation of A. The defect g = A v - rhs - H^T r of
 * the given velocities v needs only a product with A; if g is within rounding (friction/body_defect.h), the motion v* is v. If
 * the defect g = A v* - rhs - H^T r is larger than rounding, the motion v* is corrected by v* <- v* - A^-1 g, with the available
 * factor, until g is within rounding. Only the product with A decides whether the motion v* is accepted: with a wrong factor the
 * corrections do not converge, and the defect of that body counts as infinite.
 *
 * The solver may provide factors, free motions and compliances. Data from the solver are first checked by multiplication
 * (friction/body_audit.h). If any data from the solver do not agree with the given matrices A and H, none of the solver's data
 * are used, and the residual factorises the bodies itself. */
#ifndef CST_FRICTION_BODY_RESIDUAL_H
#define CST_FRICTION_BODY_RESIDUAL_H

#include "friction/bodies.h"
#include "friction/nodes.h"

typedef struct cst_body_judge {
    const cst_bodies *bodies; /* bodies of the problem; the nodal bodies among them are not used */
    const cst_nodes *nodes;
    cst_bodies own;   /* bodies with factors of the residual's own, used if the data from the solver were wrong */
    int distrusted;   /* first body whose factor or free motion from the solver was wrong, or -1 */
    double scale;     /* V */
    double *w;        /* (contacts) */
    double *expected; /* (dofs) v* */
    double *scratch;  /* (4 dofs) body by body */
    double *of_nodes; /* (nodes x dim) scratch */
    double *impulse;  /* (nodes x dim) scratch */
} cst_body_judge;

/* Data that a solver provides for the residual of its answer. */
typedef struct cst_loan {
    cst_bodies bodies; /* problem NULL: nothing is provided */
    double *w;         /* (contacts) compliances from cst_audit_halves, or NULL */
} cst_loan;

/* Returns the velocity scale V of the free motion v of all bodies; `offset` gives the position of each body in `v`. */
double cst_body_velocity_scale(const cst_body_problem *problem, const int64_t *offset, int threads, const double *v);

/* Computes the velocity scale V of the free motion A v = rhs; the function computes the free motion of the nodes itself. Returns
 * CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the free motion was not found. */
cst_status cst_body_free_scale(const cst_bodies *bodies, const cst_nodes *nodes, cst_arena *arena, double *scale, char *message,
                               size_t message_size);

/* Prepares the residual. `w_lent` (contacts): compliances from cst_audit_halves, if `bodies` come from the solver. If `w_lent`
 * is NULL, `bodies` were prepared for the residual, which computes the compliances itself. If `scale` > 0, the velocity scale V
 * is `scale`; if `scale` is 0, V is computed and is at least `floor`. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM
 * with a message if a body could not be solved. `judge` must not be moved in memory: it may point into itself. */
cst_status cst_body_judge_begin(const cst_bodies *bodies, const cst_nodes *nodes, const double *w_lent, double scale,
                                double floor, cst_arena *arena, cst_body_judge *judge, char *message, size_t message_size);

/* Computes the residual of (v, r). `share` (contacts): the error of each contact; may be NULL. Returns false if a callback
 * failed. */
bool cst_body_judge_ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out, double *share);

/* Prepares and evaluates the residual of a checked problem. Returns CST_SOLVED if the residual was computed, whatever its
 * value; otherwise returns the status of cst_body_judge_begin. The message is also set if data from the solver were rejected. */
cst_status cst_body_judge_once(const cst_body_problem *problem, const cst_loan *loan, int threads, double scale, double floor,
                               cst_arena *arena, const double *v, const double *r, cst_residual *out, double *share,
                               char *message, size_t message_size);

#endif
