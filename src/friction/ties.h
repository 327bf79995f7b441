/* Eliminates the bilateral constraints (ties) between bodies before the sweeps over the contacts.
 *
 * Sweeps converge very slowly on bilateral constraints if a light body carries many others (225 fibers on one ball:
 * docs/solvers.md). A hub body is a body that carries others; a leaf body is joined only to hub bodies and to the world
 * (tie_plan.h). The elimination first treats each leaf body by itself, and then each group of connected hub bodies (core). A half
 * solve is the product L^-1 H^T, with the Cholesky factor L of a body's matrix and the Jacobian H of a constraint or a contact
 * (half.h). Symbols:
 *     `Z`: half solves L^-1 H^T of all constraints of a leaf body (L: Cholesky factor of the leaf body).
 *     `X`: half solves L^-1 H^T of constraints on hub bodies (L: Cholesky factors of the hub bodies). In the formula Y = L_s^-1
 *     X^T, X contains the half solves of the constraints that join one leaf body to hub bodies. In the formula C = K^-1 X, X
 *     contains the half solves of all other constraints of the group of hub bodies.
 *     `z`: half solve L^-1 H^T of a contact on a leaf body (L: Cholesky factor of the leaf body).
 *     `zeta`: half solve L^-1 H^T of a contact on a group of hub bodies (L: Cholesky factors of the hub bodies).
 *
 * Factors of a leaf body:
 *
 *     `S = Z^T*Z = L_s*L_s^T`.
 *     `Q = L_s^-1*Z^T`.
 *     `Y = L_s^-1*X^T`.
 *
 * Factors of a group of hub bodies; the factor P is found by Gram-Schmidt orthogonalisation:
 *
 *     `M = I+sum_leaves(Y^T*Y) = K*K^T`.
 *     `C = K^-1*X`.
 *     `C^T*C = L_c*L_c^T`.
 *     `P = L_c^-1*C^T`.
 *
 * After the elimination, a contact on a leaf body also acts on the group of hub bodies:
 *
 *     `z <- z-Q^T*Q*z`.
 *     `zeta <- -K^-1*Y^T*Q*z`.
 *     `zeta <- zeta-P^T*P*zeta`.
 *
 * The Delassus matrix is never formed: its blocks are sums of products of half solves. After the elimination, a contact has at
 * most four half solves: for each of its two bodies, one for the body itself and one for the group of hub bodies to which it is
 * joined. The elimination is the Schur complement of a saddle point problem (Benzi, Golub and Liesen, Acta Numerica 14 (2005),
 * section 5). The cost of the elimination is linear in the numbers of bodies, constraints and contacts, and cubic in the dofs of
 * a group of hub bodies.
 *
 * A constraint equation of a leaf body may depend linearly on earlier equations but still constrain the hub bodies. A dependent
 * equation of a leaf body that still constrains the hub bodies is passed on to them: it becomes an equation of their group. For
 * example, the constraints that join a rigid leaf body to two hub bodies may prevent a relative motion of the two hub bodies. A
 * linearly dependent constraint equation between hub bodies is dropped, and its impulse is zero. */
#ifndef CST_FRICTION_TIES_H
#define CST_FRICTION_TIES_H

#include "friction/half.h"
#include "friction/tie_plan.h"

typedef struct cst_tie_leaf {
    /* indices of the leaf body and of the group of hub bodies to which it is joined; core = -1: joined only to the world */
    int32_t body, core;
    int ties;
    int32_t *tie; /* array (ties): constraint indices, increasing */
    int rows;     /* number of scalar constraint equations: ties x dim */
    cst_envelope S;
    int32_t first, length; /* stored columns, as in cst_half */
    double *q;             /* array (rows x length): Q */
    int width;
    /* array (width), increasing: for each column of the factor Y, the index of its hub-body dof in the vector core->state */
    int32_t *column;
    /* array (rows x width): the factor Y = L_s^-1 X^T, with one row for each scalar constraint equation of the leaf body. If an
     * equation depends linearly on the equations before it, its row of Y holds the constraint that it still imposes on the hub
     * bodies. */
    double *y;
    /* array (rows): true for a linearly dependent constraint equation that still constrains the hub bodies */
    bool *passed_on;
    double *e; /* array (rows): scratch */
} cst_tie_leaf;

/* Returns true if a constraint equation of a leaf body depends linearly on the equations before it. */
static inline bool cst_tie_is_left_out(const cst_tie_leaf *leaf, int row)
{
    return cst_envelope_row(&leaf->S, row)[row] == 0.0;
}

typedef struct cst_tie_core {
    int32_t body; /* first hub body of the group */
    int32_t size; /* size of its state vector */
    cst_envelope M;
    int ties;
    /* array (ties): constraints of hub bodies with each other or with the world */
    int32_t *tie;
    int rows; /* independent constraint equations, at most `size` */
    /* arrays (rows): where each scalar constraint equation of the group of hub bodies comes from. For an equation passed on by a
     * leaf body, `leaf` is the index of the leaf body in cst_ties.leaf, and `row` is the row of the equation in the factors of
     * the leaf body. For an equation of the constraint tie[k] of the hub bodies, `leaf` is -1, and `row` is dim * k + c (c:
     * component of the equation, from 0). */
    int32_t *leaf, *row;
    double *c, *p;           /* arrays (rows x size): C^T, P */
    cst_envelope S;          /* L_c, as a factor */
    double *state, *scratch; /* arrays (size) */
    double *e;               /* array (rows): scratch */
} cst_tie_core;

typedef struct cst_ties {
    const cst_bodies *bodies;
    const cst_halves *halves; /* half solves, not scaled */
    int dim;
    int ties;
    const int32_t *contact; /* array (ties): index among the contacts */
    cst_tie_plan plan;
    int leaves;
    cst_tie_leaf *leaf;
    int32_t *leaf_of; /* array (bodies): -1: none */
    cst_tie_core *core;
    /* array (bodies): index of the first dof of each hub body in core->state, a vector over all dofs of its group of hub bodies;
     * -1: not a hub body */
    int32_t *hub_at;
    int32_t *tie_of; /* array (contacts): constraint index, or -1 */
    double *impulse; /* scratch, state of one body */
} cst_ties;

/* Returns `dofs`, rounded up to a multiple of CST_STATE_LANES. */
static inline int32_t cst_tie_padded(int32_t dofs)
{
    return (dofs + CST_STATE_LANES - 1) / CST_STATE_LANES * CST_STATE_LANES;
}

/* Returns the half solve L^-1 H^T of a contact on a body (half.h), or NULL if there is none. */
static inline const cst_half *cst_tie_half(const cst_halves *halves, int32_t contact, int32_t body)
{
    const cst_half *half = halves->half + 2 * (int64_t)contact;
    return half[0].body == body ? half : half[1].body == body ? half + 1 : NULL;
}

/* Eliminates the bilateral constraints. `contact` (ties): indices of the bilateral constraints in the list of contacts,
 * increasing. Each constraint acts on at least one body. `halves`: half solves L^-1 H^T of all contacts (half.h), for unscaled
 * impulses (system.h). If the inverse A^-1 of a hub body's matrix is applied by a callback, the function replaces A^-1 H^T in
 * `halves` by a matrix Z with Z^T Z = H A^-1 H^T (H: contact Jacobian). `lent` (bodies): factors of each leaf body from an
 * earlier elimination with the same constraints and the same hub bodies in the same order, or NULL. `out` keeps pointers to
 * `bodies`, `halves` and `contact`, and to arrays of `plan` and `lent`. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM
 * if a callback failed or the matrix of a group of hub bodies is not positive definite. */
cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, const cst_tie_leaf *const *lent, int threads, cst_arena *arena, cst_ties *out);

/* Computes the half solves L^-1 H^T (half.h) that contacts have after the elimination of the bilateral constraints. `halves`:
 * half solves before the elimination, as passed to cst_ties_build. `chosen` (count): indices of the contacts for which half
 * solves are computed; none of them is a bilateral constraint. `out`: output, with out->sides half solves for each chosen
 * contact. For a half solve on a group of hub bodies, the field `body` is the index of the group's first hub body. A half solve
 * on a body without bilateral constraints is not copied: its entry in `out` points to the numbers in `halves`. Returns false if
 * memory ran out. */
bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out);

/* Computes the impulses r of the bilateral constraints (ties x dim) that change the constraint velocities by `e`. */
void cst_ties_solve(const cst_ties *ties, const double *e, double *r);

/* Corrects the impulses of the bilateral constraints, at most three times, so that all constraint velocities become zero up to
 * rounding. `r` (contacts x dim): impulses of all contacts and constraints. `v` (dofs): velocities of the bodies. If `known` is
 * true, the input v must be the velocities that the impulses r cause; otherwise the function first computes v from r. After each
 * correction of the constraint impulses, only the resulting change of the body velocities is added to v. Recomputing v from all
 * impulses would give a larger rounding error, because v is a sum of much larger terms that nearly cancel. `scratch`: 2 x ties x
 * dim. Returns false if a callback failed. */
bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch);

#endif
