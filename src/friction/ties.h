/* Ties are bilateral constraints G v + u_f = 0 between bodies, with the constraint Jacobian G, the velocities v of the bodies and
 * the velocity offset u_f.
 *
 * Sweeps propagate forces from contact to contact, so they would converge very slowly for ties if a light body carries many other
 * bodies (225 fibers on one ball: docs/solvers.md). Ties are eliminated before the sweeps, in two levels: first the ties of each
 * leaf body, then the ties between hub bodies (tie_plan.h). W is never formed. The equations of this file use the body states of
 * half.h as coordinates, in which the matrix of every body is the identity. A half solve is the inverse Cholesky factor of a body
 * times the transposed Jacobian of a tie or contact on this body. Symbols:
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
 * After the elimination of the ties, a contact on a leaf body also has a half solve on the core (group of connected hub bodies)
 * that the leaf body is tied to:
 *
 *     `z <- z - Q^T*Q*z`.
 *     `zeta <- -K^-1*Y^T*Q*z`.
 *     `zeta <- zeta - P^T*P*zeta`.
 *
 * After the elimination of the ties, the Delassus matrix is a sum of products of half solves, as without ties, and the solvers
 * get only contacts with up to four half solves. The elimination is the Schur complement of a saddle point problem (Benzi, Golub
 * and Liesen, Acta Numerica 14 (2005), section 5), whose inner system is bordered block diagonal. If a row (scalar equation) of
 * the ties of a leaf body depends linearly on earlier rows, it is not eliminated with the leaf body. If a linearly dependent tie
 * row of a leaf body still constrains the hub bodies, it is added to the ties between the hub bodies. For example, a rigid leaf
 * body that is tied to two hub bodies constrains the relative motion of these hub bodies. A tie row of hub bodies that depends
 * linearly on earlier rows is dropped, and its impulse is zero. Cost and memory are linear in leaf bodies, ties and contacts, and
 * cubic in the dofs of a core of hub bodies. */
#ifndef CST_FRICTION_TIES_H
#define CST_FRICTION_TIES_H

#include "friction/half.h"
#include "friction/tie_plan.h"

typedef struct cst_tie_leaf {
    int32_t body, core; /* indices of the leaf body and its core of hub bodies (-1: tied to the world only) */
    int ties;
    int32_t *tie; /* array (ties): indices of the ties of the leaf body, increasing */
    int rows;     /* ties x dim */
    cst_envelope S;
    int32_t first, length; /* stored columns, as in cst_half */
    double *q;             /* array (rows x length): Q */
    int width;
    /* array (width): positions of the states of the leaf body's hub bodies in the state of the core of hub bodies, increasing */
    int32_t *column;
    /* array (rows x width): the factor Y, which couples the ties of the leaf body with hub bodies. If a row of the ties
     * depends linearly on earlier rows, the same row of Y holds the constraint that remains for the hub bodies. */
    double *y;
    /* array (rows): true for a row (scalar equation) of the ties that depends linearly on other rows but still constrains the hub
     * bodies */
    bool *passed_on;
    double *e; /* array (rows): scratch */
} cst_tie_leaf;

/* Returns true if a row (scalar equation) of the ties of a leaf body depends linearly on earlier rows. */
static inline bool cst_tie_is_left_out(const cst_tie_leaf *leaf, int row)
{
    return cst_envelope_row(&leaf->S, row)[row] == 0.0;
}

typedef struct cst_tie_core {
    int32_t body; /* index of the first hub body of the core, which is a group of connected hub bodies */
    int32_t size; /* size of its state */
    cst_envelope M;
    int ties;
    int32_t *tie; /* array (ties): indices of the ties of the connected hub bodies with each other and with the world */
    int rows;     /* number of linearly independent rows (scalar equations) of the ties, at most `size` */
    /* array (rows): for each row (scalar equation) that comes from a tie of a leaf body, the index of the leaf body and the index
     * of the row among its tie rows. For a tie between hub bodies, the entry of the array `leaf` is -1. */
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
    const int32_t *contact; /* array (ties): index of each tie among the contacts of the problem */
    cst_tie_plan plan;
    int leaves;
    cst_tie_leaf *leaf;
    int32_t *leaf_of; /* array (bodies); -1: none */
    cst_tie_core *core;
    int32_t *hub_at; /* array (bodies): position of the state of each hub body in the state of its core of hub bodies */
    int32_t *tie_of; /* array (contacts): index of each contact among the ties, or -1 */
    double *impulse; /* (state of the largest body) scratch */
} cst_ties;

/* Returns the length of the state of a body with `dofs` dofs, padded to a multiple of CST_STATE_LANES. */
static inline int32_t cst_tie_padded(int32_t dofs)
{
    return (dofs + CST_STATE_LANES - 1) / CST_STATE_LANES * CST_STATE_LANES;
}

/* Returns the half solve L^-1 H^T (half.h) of a contact on a body, or NULL. */
static inline const cst_half *cst_tie_half(const cst_halves *halves, int32_t contact, int32_t body)
{
    const cst_half *half = halves->half + 2 * (int64_t)contact;
    return half[0].body == body ? half : half[1].body == body ? half + 1 : NULL;
}

/* Eliminates the ties. `contact` (ties): indices of the bilateral contacts, in increasing order; each acts on at least one body.
 * `halves`: half solves L^-1 H^T of all contacts in natural order, not scaled. If the linear system of a hub body is solved by a
 * callback, the function replaces the half solves A^-1 H^T on this body by half solves Z with Z^T Z = H A^-1 H^T. `out` keeps
 * pointers to all arguments. `lent` (bodies): for each leaf body, its factors L, Q and Y from another elimination of the same
 * ties, to be reused; `lent` may be NULL. The elimination from which the factors `lent` are taken must have the same hub bodies
 * as this elimination, in the same order. Returns CST_BAD_PROBLEM if a body's solve callback fails. */
cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, const cst_tie_leaf *const *lent, int threads, cst_arena *arena, cst_ties *out);

/* Computes the half solves (factors Z of the Delassus matrix W = Z^T Z) of the contacts `chosen` (count) after the elimination of
 * the ties; none of the contacts `chosen` is a tie. `halves`: as passed to cst_ties_build. The array out->half has out->sides
 * entries for each of the `count` contacts. The entries of out->half refer to a core of hub bodies by the index of its first hub
 * body, core.body; the other hub bodies of the core have no state. On bodies without ties, the entries of out->half point to the
 * values of `halves`. Returns false if memory ran out. */
bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out);

/* Computes the impulses `r` (ties x dim) of the ties that change the tie velocities by `e`, without impulses of other
 * contacts. */
void cst_ties_solve(const cst_ties *ties, const double *e, double *r);

/* Changes the impulses of ties in `r` (contacts x dim) until the tie velocities are zero up to rounding, and computes the
 * velocities v of the bodies that follow from all impulses. `known`: true if the given velocities v already follow from the given
 * impulses r. The velocities v are updated by the effect of each impulse change. If the velocities v were recomputed from the
 * impulses r, the tie velocities would get the rounding error of the much larger velocities that the ties cancel. `scratch`: (2 x
 * ties x dim). Returns false if a callback failed. */
bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch);

#endif
