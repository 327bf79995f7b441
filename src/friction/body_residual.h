/* Residual of the velocities and impulses of a body problem; friction/residual.c has the definition. The residual is prepared
 * once and evaluated any number of times. The residual depends only on the problem and its answer, not on the solver. Symbols:
 *     `A`: matrix of the bodies.
 *     `rhs`: right-hand side of the bodies.
 *     `H`: contact Jacobian.
 *     `v`: given velocities of the bodies.
 *     `r`: given impulses.
 *     `u = H*v+u_f`: contact velocities.
 *
 * The compliance of a contact is the mean diagonal entry of its block of the Delassus matrix H A^-1 H^T; for cloth, only the
 * diagonal blocks of the body matrix A are used. The velocity scale of the residual is computed from the velocities that the
 * bodies would have without impulses. A contact velocity is a sum of products with rounding errors, so the velocity scale is at
 * least 1e-6 times the largest sum of the absolute values of these products.
 *
 * Contact velocities are computed from the given velocities of the bodies, so these velocities must be the motion that follows
 * from the impulses. The momentum defect measures how far the given velocities are from the motion that follows from the
 * impulses, as a velocity divided by the velocity scale:
 *     For nodal bodies (cloth), the momentum defect is the largest velocity change with which a node alone would restore its
 *     momentum balance: `max_j |A_jj^-1*(A*v-rhs-H^T*r)_j|`.
 *     For all bodies except cloth, the momentum defect is the largest contact velocity caused by the difference between the given
 *     velocities and the motion that follows from the impulses.
 * The momentum defect of all bodies except cloth is measured as a contact velocity, because the dofs of these bodies may have any
 * unit. The residual includes the momentum defect.
 *
 * The motion v* that follows from the impulses is computed without a second factorisation of the body matrix A: `A*v* =
 * rhs+H^T*r`. If the given velocities satisfy the momentum balance up to rounding (friction/body_defect.h), they need no
 * correction. If the given velocities do not satisfy the momentum balance, iterative refinement with the available factor of the
 * body matrix corrects them. With a wrong factor of the body matrix, iterative refinement does not converge, and the momentum
 * defect of that body counts as infinite.
 *
 * The solver may provide Cholesky factors, velocities of the bodies without impulses, and compliances of contacts, which the
 * residual then uses. Before the residual uses data from the solver, such as Cholesky factors of body matrices, it checks the
 * equations that these data must satisfy (friction/body_audit.h). If any factor or velocity from the solver does not agree with
 * the given matrices, none of the solver's data are used, and the residual factorises the matrices of the bodies itself. */
#ifndef CST_FRICTION_BODY_RESIDUAL_H
#define CST_FRICTION_BODY_RESIDUAL_H

#include "friction/bodies.h"
#include "friction/nodes.h"

typedef struct cst_body_judge {
    const cst_bodies *bodies; /* prepared bodies of the problem; nodal bodies (cloth) in this list are ignored */
    const cst_nodes *nodes;
    cst_bodies own; /* bodies that the residual factorises itself, used if the data from the solver were wrong */
    /* index of the first body for which the solver gave a wrong matrix factor or a wrong velocity without impulses; -1: none */
    int distrusted;
    double scale;     /* V */
    double *w;        /* (contacts) */
    double *expected; /* array (dofs): v* */
    double *scratch;  /* (4 dofs) body by body */
    double *of_nodes; /* array (nodes x dim): scratch */
    double *impulse;  /* array (nodes x dim): scratch */
} cst_body_judge;

/* Data that a solver computed and passes on, so that the residual of its answer is cheaper. */
typedef struct cst_loan {
    cst_bodies bodies; /* problem NULL: nothing is provided */
    /* array (contacts): the compliances that the function cst_audit_halves computed for the contacts, or NULL */
    double *w;
} cst_loan;

/* Returns the velocity scale V of the velocities v that the bodies have without impulses; `offset` is the position of each body
 * in `v`. */
double cst_body_velocity_scale(const cst_body_problem *problem, const int64_t *offset, int threads, const double *v);

/* Computes the velocity scale V from the velocities that all bodies have without impulses; the function computes these velocities
 * of cloth nodes itself. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the velocities without
 * impulses could not be computed. */
cst_status cst_body_free_scale(const cst_bodies *bodies, const cst_nodes *nodes, cst_arena *arena, double *scale, char *message,
                               size_t message_size);

/* Prepares the residual. `w_lent` (contacts): the compliances of the contacts, computed by the solver with cst_audit_halves, or
 * NULL. If the solver passes its compliances `w_lent`, it also provides Cholesky factors of the bodies, and the function
 * cst_body_judge_begin checks these factors. If the solver passes no compliances (`w_lent` is NULL), cst_body_judge_begin
 * computes the compliances of the contacts itself. `scale`: velocity scale of the residual; if it is not positive, the function
 * computes the velocity scale, which is then at least `floor`. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a
 * message if the linear system of a body could not be solved. The struct `judge`, which evaluates the residual, must not be moved
 * in memory, because it may contain pointers to its own fields. */
cst_status cst_body_judge_begin(const cst_bodies *bodies, const cst_nodes *nodes, const double *w_lent, double scale,
                                double floor, cst_arena *arena, cst_body_judge *judge, char *message, size_t message_size);

/* Computes the residual of (v, r). `share` (contacts): output, the error of each contact; may be NULL. Returns false if a
 * callback failed. */
bool cst_body_judge_ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out, double *share);

/* Prepares and evaluates the residual of a checked problem. Returns CST_SOLVED if the residual was computed, whatever its
 * value; otherwise returns the status of cst_body_judge_begin. If data that the solver provided were rejected, `message` says
 * why. */
cst_status cst_body_judge_once(const cst_body_problem *problem, const cst_loan *loan, int threads, double scale, double floor,
                               cst_arena *arena, const double *v, const double *r, cst_residual *out, double *share,
                               char *message, size_t message_size);

#endif
