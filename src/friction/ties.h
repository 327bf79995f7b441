/* Eliminates the bilateral constraints (ties) G v + u_f = 0 between bodies before the sweeps over the contacts. G is the
 * constraint Jacobian, v are the velocities of the bodies, and u_f is the given velocity offset.
 *
 * Sweeps converge very slowly on bilateral constraints if a light body carries many others (225 fibers on one ball:
 * docs/solvers.md). The elimination treats each leaf body by itself, and then each group of connected hub bodies, called a core
 * (tie_plan.h). The coordinates of a body are L^T v, where L is the Cholesky factor of its matrix (half.h); in these coordinates
 * the matrix of every body is the identity. A half solve is the product L^-1 H^T, where H is the Jacobian of a constraint or of a
 * contact. Symbols:
 *     `Z`: half solves of the constraints of a leaf body on this leaf body.
 *     `X`: half solves of constraints on the hub bodies.
 *     `z`: half solve of a contact on a leaf body.
 *     `zeta`: half solve of a contact on a group of hub bodies.
 *
 * Factors of a leaf body:
 *
 *     `S = Z^T*Z = L*L^T`.
 *     `Q = L^-1*Z^T`.
 *     `Y = L^-1*X^T`.
 *
 * Factors of a group of hub bodies; P is computed by Gram-Schmidt orthogonalisation:
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
 * The Delassus matrix W is never formed: it stays a sum of products of half solves, at most four per contact. The elimination is
 * the Schur complement of a saddle point problem (Benzi, Golub and Liesen, Acta Numerica 14 (2005), section 5). Its cost and
 * memory are linear in the numbers of bodies, constraints and contacts, and cubic in the dofs of a group of hub bodies.
 *
 * A scalar constraint equation of a leaf body may depend linearly on the equations before it. If the dependent equation still
 * constrains the hub bodies, it is passed on to the group of hub bodies. For example, a rigid body joined to two hub bodies
 * constrains their relative motion. A dependent scalar equation between hub bodies is dropped, and its impulse is zero. */
#ifndef CST_FRICTION_TIES_H
#define CST_FRICTION_TIES_H

#include "friction/half.h"
#include "friction/tie_plan.h"

typedef struct cst_tie_leaf {
    /* index of the leaf body, and index of the group of hub bodies to which it is joined; -1: joined only to the world */
    int32_t body, core;
    int ties;
    int32_t *tie; /* array (ties): indices of the bilateral constraints of the leaf body, increasing */
    int rows;     /* number of scalar constraint equations: ties x dim */
    cst_envelope S;
    int32_t first, length; /* columns of q that are stored: from `first`, `length` of them (as in cst_half) */
    double *q;             /* array (rows x length): the factor Q */
    int width;
    /* array (width): for each column of the factor Y, its position in the state vector of the group of hub bodies, increasing */
    int32_t *column;
    /* array (rows x width): the factor Y, which couples the leaf body to its hub bodies. The row of an equation that depends
     * linearly on earlier equations holds what is left of the equation for the hub bodies. */
    double *y;
    /* array (rows): true for an equation that depends linearly on earlier equations but still constrains the hub bodies */
    bool *passed_on;
    double *e; /* array (rows): scratch */
} cst_tie_leaf;

/* Returns true if a scalar constraint equation of a leaf body depends linearly on the equations before it. */
static inline bool cst_tie_is_left_out(const cst_tie_leaf *leaf, int row)
{
    return cst_envelope_row(&leaf->S, row)[row] == 0.0;
}

typedef struct cst_tie_core {
    int32_t body; /* index of the first hub body of the group */
    int32_t size; /* length of the state vector of the group of hub bodies, including padding */
    cst_envelope M;
    int ties;
    /* array (ties): indices of the bilateral constraints that join hub bodies of the group to each other or to the world */
    int32_t *tie;
    int rows; /* number of linearly independent scalar constraint equations, at most `size` */
    /* arrays (rows): origin of each scalar constraint equation. An equation passed on by a leaf body has the index of the leaf
     * body in cst_ties.leaf and the row in the factors of this leaf body. An equation between hub bodies has leaf = -1 and row =
     * dim x position in `tie` + component. */
    int32_t *leaf, *row;
    double *c, *p;           /* arrays (rows x size): the factors C^T and P */
    cst_envelope S;          /* the factor L_c */
    double *state, *scratch; /* arrays (size): scratch */
    double *e;               /* array (rows): scratch */
} cst_tie_core;

typedef struct cst_ties {
    const cst_bodies *bodies;
    const cst_halves *halves; /* half solves of all contacts and constraints, not scaled */
    int dim;
    int ties;
    const int32_t *contact; /* array (ties): index of each bilateral constraint among the contacts */
    cst_tie_plan plan;
    int leaves;
    cst_tie_leaf *leaf;
    int32_t *leaf_of; /* array (bodies): index of each leaf body in `leaf`; -1 for all other bodies */
    cst_tie_core *core;
    /* array (bodies): position of the state of each hub body in the state vector of its group of hub bodies; -1 for all other
     * bodies */
    int32_t *hub_at;
    int32_t *tie_of; /* array (contacts): index of each contact among the bilateral constraints; -1 for a contact with friction */
    double *impulse; /* array (dofs of the largest body, padded): scratch */
} cst_ties;

/* Returns the number `dofs`, rounded up to a multiple of CST_STATE_LANES. */
static inline int32_t cst_tie_padded(int32_t dofs)
{
    return (dofs + CST_STATE_LANES - 1) / CST_STATE_LANES * CST_STATE_LANES;
}

/* Returns the half solve of a contact on a body (half.h), or NULL if the contact does not act on the body. */
static inline const cst_half *cst_tie_half(const cst_halves *halves, int32_t contact, int32_t body)
{
    const cst_half *half = halves->half + 2 * (int64_t)contact;
    return half[0].body == body ? half : half[1].body == body ? half + 1 : NULL;
}

/* Eliminates the bilateral constraints. `contact` (ties): index of each constraint among the contacts, increasing; each
 * constraint acts on at least one body. `halves`: half solves of all contacts in the order of the problem, not scaled. For a hub
 * body that is solved by a callback, the function replaces A^-1 H^T in `halves` by a half solve Z with Z^T Z = H A^-1 H^T. `lent`
 * (bodies): for each leaf body, its factors from an earlier elimination of the same constraints, or NULL. The earlier elimination
 * must have had the same hub bodies in the same order. `out` keeps pointers to all arguments. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a callback failed. */
cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, const cst_tie_leaf *const *lent, int threads, cst_arena *arena, cst_ties *out);

/* Computes the half solves of contacts after the elimination of the bilateral constraints. `halves`: as passed to cst_ties_build.
 * `chosen` (count): indices of the contacts; none of them is a bilateral constraint. `out`: out->sides half solves for each
 * chosen contact. A half solve on a group of hub bodies has the body index core.body, the first hub body of the group; all other
 * hub bodies have no state. On bodies without bilateral constraints, `out` points into `halves`. Returns false if memory ran
 * out. */
bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out);

/* Computes the impulses `r` (ties x dim) that change the velocities of the bilateral constraints by `e`. */
void cst_ties_solve(const cst_ties *ties, const double *e, double *r);

/* Changes the impulses of the bilateral constraints until all constraint velocities are zero up to rounding. `r` (contacts x
 * dim): impulses of all contacts and constraints. `v` (dofs): output, the velocities of the bodies that follow from the impulses.
 * `known`: true if the given velocities v already follow from the given impulses. The effect of each impulse change is added to
 * the velocities v. Velocities recomputed from the impulses would have a larger rounding error, because the constraints cancel
 * much larger velocities. `scratch`: 2 x ties x dim. Returns false if a callback failed. */
bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch);

#endif
