/* Residual of an answer (velocities and impulses) of a friction problem given by bodies; friction/residual.c defines the
 * residual. Symbols:
 *     `A`: matrix of the linear system of all bodies, with one diagonal block per body.
 *     `rhs`: right-hand side of the linear system of all bodies.
 *     `H`: contact Jacobian.
 *     `v`: given velocities of the bodies.
 *     `r`: given impulses.
 *     `v*`: velocities that follow from the given impulses r.
 *     `u = H*v+u_f`: contact velocities, with the given offset u_f.
 *
 *     `A*v* = rhs+H^T*r`.
 *
 * The compliance of a contact is the mean diagonal entry of its block of the Delassus matrix H A^-1 H^T. For cloth, the
 * compliance is computed with only the diagonal blocks of the matrix A.
 *
 * The velocity scale is computed from the velocities that the bodies would have without impulses. The rounding error of a contact
 * velocity H v + u_f grows with the absolute values of its terms. The velocity scale is at least 1e-6 times the largest norm of
 * the vector |H| |v| + |u_f| over all contacts; the bars replace each entry by its absolute value.
 *
 * The residual includes the momentum defect, which measures how far the given velocities v are from the velocities v* that follow
 * from the impulses. The momentum defect is a velocity divided by the velocity scale. For cloth, the numerator of the momentum
 * defect is the largest velocity change with which one node alone would restore its momentum balance:
 *
 *     `max_j |A_jj^-1*(A*v-rhs-H^T*r)_j|`.
 *
 * For all other bodies, the numerator of the momentum defect is the largest change |H*(v-v*)| of a contact velocity.
 *
 * If the given velocities v satisfy the momentum balance up to rounding (friction/body_defect.h), they are used as v*. If the
 * given velocities v violate the momentum balance, iterative refinement computes v* from v, with the existing factor of the
 * matrix A. If the factor of the matrix of a body is wrong, iterative refinement does not converge, and the momentum defect
 * counts as infinite.
 *
 * The solver can lend its factors, free velocities and compliances to the computation of the residual, which saves time. The
 * solver's data are first checked against the equations of the problem (friction/body_audit.h), except the factor of a body on
 * which no Coulomb contact acts. If one of the checked values is wrong, the residual is computed without the solver's data, and
 * the matrices of the bodies are factorised again. */
#ifndef CST_FRICTION_BODY_RESIDUAL_H
#define CST_FRICTION_BODY_RESIDUAL_H

#include "friction/bodies.h"
#include "friction/nodes.h"

typedef struct cst_body_judge {
    const cst_bodies *bodies; /* bodies of the problem, factorised; cloth (nodal bodies) is ignored */
    const cst_nodes *nodes;
    cst_bodies own; /* bodies factorised again, if data lent by the solver were wrong */
    /* first body for which the solver lent a wrong matrix factor or a wrong free velocity; -1: none */
    int distrusted;
    double scale;     /* velocity scale V */
    double *w;        /* array (contacts): compliances */
    double *expected; /* array (dofs): velocities v* */
    double *scratch;  /* array (4 dofs): scratch */
    double *of_nodes; /* array (nodes x dim): scratch */
    double *impulse;  /* array (nodes x dim): scratch */
} cst_body_judge;

/* Results of the solver that the residual computation can use. */
typedef struct cst_loan {
    /* bodies of the problem with their matrix factors and free velocities; bodies.problem is NULL if the solver lends nothing */
    cst_bodies bodies;
    /* array (contacts): compliance of each contact, computed by cst_audit_halves; NULL: the residual is computed without any
     * results of the solver, so `bodies` is not used either */
    double *w;
} cst_loan;

/* Returns the velocity scale V, or 1 if it would be zero. `v`: velocities that the bodies would have if all impulses were zero.
 * `offset`: position of the first velocity of each body in `v`. */
double cst_body_velocity_scale(const cst_body_problem *problem, const int64_t *offset, int threads, const double *v);

/* Computes the velocity scale V from the velocities that the bodies would have if all impulses were zero; for cloth, the function
 * computes these velocities first. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the velocities of
 * cloth could not be computed. */
cst_status cst_body_free_scale(const cst_bodies *bodies, const cst_nodes *nodes, cst_arena *arena, double *scale, char *message,
                               size_t message_size);

/* Prepares the residual. `w_lent` (contacts): compliances that the solver computed with cst_audit_halves. If `w_lent` is given,
 * the factors in `bodies` also come from the solver and are checked; if `w_lent` is NULL, the function computes the compliances.
 * `scale`: velocity scale. If `scale` is not positive, the function computes the velocity scale itself, but takes at least the
 * value `floor`. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if the linear system of a body could
 * not be solved. The struct `judge` must not be moved in memory, because judge->bodies can point to judge->own. */
cst_status cst_body_judge_begin(const cst_bodies *bodies, const cst_nodes *nodes, const double *w_lent, double scale,
                                double floor, cst_arena *arena, cst_body_judge *judge, char *message, size_t message_size);

/* Computes the residual of the velocities v and the impulses r. `share` (contacts): output, the error of each contact; may be
 * NULL. Returns false if a callback failed. */
bool cst_body_judge_ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out, double *share);

/* Computes the residual of the velocities v and the impulses r in one call, which does the work of cst_body_judge_begin and
 * cst_body_judge_ask. The problem must have passed cst_body_problem_check. Returns CST_SOLVED if the residual was computed,
 * whatever its value; CST_BAD_PROBLEM if a callback failed; otherwise the status of the function that failed. If the solver lent
 * a wrong matrix factor or a wrong free velocity, `message` names the body. */
cst_status cst_body_judge_once(const cst_body_problem *problem, const cst_loan *loan, int threads, double scale, double floor,
                               cst_arena *arena, const double *v, const double *r, cst_residual *out, double *share,
                               char *message, size_t message_size);

#endif
