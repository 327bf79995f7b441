/* Ties are bilateral constraints G v + u_f = 0 between bodies, with the constraint Jacobian G, the velocities v of the bodies and
 * the velocity offset u_f.
 *
 * Sweeps over the contacts propagate forces from contact to contact, so they would converge very slowly for bilateral constraints
 * if a light body carries many others (225 fibers on one ball: docs/solvers.md). Bilateral constraints (ties) are eliminated
 * before the sweeps over the contacts. The constraints on bodies that are eliminated first (leaf bodies) are removed first, then
 * those between the remaining hub bodies (eliminated last, tie_plan.h). The Delassus matrix W is never formed. The equations of
 * this file use transformed velocities of the bodies as coordinates (half.h), in which the mass matrix of every body is the
 * identity. A half solve is a product L^-1 H^T, where L is the Cholesky factor of a body's matrix, and H is the Jacobian of a
 * constraint or contact on this body. Symbols:
 *     `Z`: half solves, ties, leaf body.
 *     `X`: half solves, ties, hub bodies.
 *     `z`: half solve, contact, leaf body.
 *     `zeta`: half solve of contact, core.
 *
 * The elimination computes these factors:
 *
 *     Leaf body:
 *     `S = Z^T*Z = L*L^T`.
 *     `Q = L^-1*Z^T`.
 *     `Y = L^-1*X^T`.
 *     Core of hub bodies:
 *     `M = I+sum_leaves(Y^T*Y) = K*K^T`.
 *     Ties between hub bodies (by Gram-Schmidt):
 *     `C = K^-1*X`.
 *     `C^T*C = L_c*L_c^T`.
 *     `P = L_c^-1*C^T`.
 *
 * After the elimination of the bilateral constraints (ties), a contact on a leaf body (eliminated first) also acts on the group
 * (core) of hub bodies (eliminated last) tied to it, with the factor `zeta`:
 *
 *     `z <- z - Q^T*Q*z`.
 *     `zeta <- -K^-1*Y^T*Q*z`.
 *     `zeta <- zeta - P^T*P*zeta`.
 *
 * After the elimination of the bilateral constraints, the Delassus matrix is still a sum of products of half solves L^-1 H^T, and
 * each contact has at most four of them. The elimination of the bilateral constraints is the Schur complement of a saddle point
 * problem (Benzi, Golub and Liesen, Acta Numerica 14 (2005), section 5), whose inner system is bordered block diagonal. A scalar
 * equation of the bilateral constraints on a leaf body (eliminated first) is not eliminated with this body if it depends linearly
 * on the equations before it. If a linearly dependent constraint equation still constrains the hub bodies (eliminated last), it
 * is added to the constraints between the hub bodies. For example, a rigid body joined by bilateral constraints to two other
 * bodies constrains the relative motion of these two bodies. A scalar constraint equation between hub bodies (eliminated last)
 * that depends linearly on the equations before it is dropped, and its impulse is zero. Cost and memory of the elimination are
 * linear in the numbers of bodies, bilateral constraints and contacts, and cubic in the dofs of a group of connected hub bodies
 * (eliminated last). */
#ifndef CST_FRICTION_TIES_H
#define CST_FRICTION_TIES_H

#include "friction/half.h"
#include "friction/tie_plan.h"

typedef struct cst_tie_leaf {
    /* indices of the leaf body (eliminated first) and of the group of hub bodies (core, eliminated last) it is tied to; -1: world
     * only */
    int32_t body, core;
    int ties;
    int32_t *tie; /* array (ties): increasing indices of the bilateral constraints on the leaf body */
    int rows;     /* ties x dim */
    cst_envelope S;
    int32_t first, length; /* stored columns, as in cst_half */
    double *q;             /* array (rows x length): Q */
    int width;
    /* array (width): for each entry of the states of the hub bodies (eliminated last) tied to this leaf body, its position in the
     * state vector of the group (core) of hub bodies, increasing */
    int32_t *column;
    /* array (rows x width): the factor Y, which couples the bilateral constraints on the leaf body (eliminated first) with the
     * hub bodies (eliminated last). If a scalar constraint equation on the leaf body depends linearly on the equations before it,
     * its row of the factor Y holds what remains of it: an equation for the hub bodies (eliminated last) alone. */
    double *y;
    /* array (rows): true for a scalar equation of the bilateral constraints that depends linearly on other equations but still
     * constrains the hub bodies (eliminated last) */
    bool *passed_on;
    double *e; /* array (rows): scratch */
} cst_tie_leaf;

/* Returns true if a scalar equation of the bilateral constraints on a leaf body (eliminated first) depends linearly on the
 * equations before it. */
static inline bool cst_tie_is_left_out(const cst_tie_leaf *leaf, int row)
{
    return cst_envelope_row(&leaf->S, row)[row] == 0.0;
}

typedef struct cst_tie_core {
    int32_t body; /* index of the first body in this group of connected hub bodies (bodies eliminated last) */
    int32_t size; /* size of its state */
    cst_envelope M;
    int ties;
    /* array (ties): indices of the bilateral constraints that join hub bodies of this group with each other or with the world */
    int32_t *tie;
    int rows; /* number of linearly independent scalar equations of the bilateral constraints, at most `size` */
    /* array (rows): for each scalar equation that comes from a bilateral constraint on a leaf body (eliminated first), the index
     * of this body and the index of the equation among those of this body. For an equation that comes from a constraint between
     * two hub bodies (eliminated last), the entry of the array `leaf` is -1. */
    int32_t *leaf, *row;
    double *c, *p;           /* array (rows x size): C^T and P */
    cst_envelope S;          /* L_c, as a factor */
    double *state, *scratch; /* (size) */
    double *e;               /* array (rows): scratch */
} cst_tie_core;

typedef struct cst_ties {
    const cst_bodies *bodies;
    const cst_halves *halves; /* half solves; not scaled for ties */
    int dim;
    int ties;
    const int32_t *contact; /* array (ties): index of each bilateral constraint among the contacts of the problem */
    cst_tie_plan plan;
    int leaves;
    cst_tie_leaf *leaf;
    int32_t *leaf_of; /* array (bodies); -1: none */
    cst_tie_core *core;
    /* array (bodies): position of the state of each hub body (eliminated last) in the state vector of its group (core) of hub
     * bodies */
    int32_t *hub_at;
    int32_t *tie_of; /* array (contacts): index among the bilateral constraints; -1 for a contact that is none */
    double *impulse; /* (state of the largest body) scratch */
} cst_ties;

/* Returns the number of dofs of a body, `dofs`, rounded up to a multiple of the vector length CST_STATE_LANES. */
static inline int32_t cst_tie_padded(int32_t dofs)
{
    return (dofs + CST_STATE_LANES - 1) / CST_STATE_LANES * CST_STATE_LANES;
}

/* Returns the half solve L^-1 H^T of a contact with the Jacobian H on a body with the Cholesky factor L (half.h), or NULL. */
static inline const cst_half *cst_tie_half(const cst_halves *halves, int32_t contact, int32_t body)
{
    const cst_half *half = halves->half + 2 * (int64_t)contact;
    return half[0].body == body ? half : half[1].body == body ? half + 1 : NULL;
}

/* Eliminates the ties. `contact` (ties): indices of the bilateral constraints among the contacts, in increasing order; each acts
 * on at least one body.
 * `halves`: the products L^-1 H^T (half.h) of all contacts in the order of the problem, not scaled. If a callback solves the
 * linear system of a hub body (eliminated last), the function replaces the products A^-1 H^T on this body by matrices Z with Z^T
 * Z = H A^-1 H^T. `out` keeps pointers to all arguments. `lent` (bodies): for each leaf body (eliminated first), its factors L, Q
 * and Y from another elimination of the same bilateral constraints, to be reused; `lent` may be NULL. The elimination whose
 * factors `lent` are reused must have the same hub bodies (bodies eliminated last) as the new elimination, in the same order.
 * Returns CST_BAD_PROBLEM if the callback that solves the linear system of a body fails. */
cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, const cst_tie_leaf *const *lent, int threads, cst_arena *arena, cst_ties *out);

/* Computes the factors Z of the Delassus matrix W = Z^T Z of the contacts `chosen` (count) after the elimination of the bilateral
 * constraints; none of these contacts is a bilateral constraint. `halves`: as passed to cst_ties_build. The output array
 * out->half has out->sides factors Z for each of the `count` contacts. The factors in out->half refer to a group of connected hub
 * bodies (eliminated last) by the index core.body of its first body; the other bodies of the group have no state. On bodies
 * without bilateral constraints, the factors in out->half point to the values of the input `halves`. Returns false if memory ran
 * out. */
bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out);

/* Computes the constraint impulses `r` (ties x dim) that change the velocities of the bilateral constraints by `e`. */
void cst_ties_solve(const cst_ties *ties, const double *e, double *r);

/* Changes the impulses of the bilateral constraints in `r` (contacts x dim) until the constraint velocities are zero up to
 * rounding. The function also computes the velocities v of the bodies that follow from the impulses of all contacts and
 * constraints. The flag `known` is true if the given velocities v already follow from the given impulses r. The function adds the
 * effect of each change of a constraint impulse to the velocities v of the bodies. If the velocities v were recomputed from the
 * impulses r, the constraint velocities would get the rounding error of the much larger velocities that the constraints cancel.
 * `scratch`: (2 x ties x dim). Returns false if a callback failed. */
bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch);

#endif
