/* Ties: bilateral rows G v + u_f = 0 that hold bodies together, eliminated directly.
 *
 * Sweeps pass on the force of a tie from contact to contact, which takes for ever where a light hub carries a lot (225 fibers on one
 * ball: docs/solvers.md). Here ties are eliminated before the sweeps, in two levels, leaf by leaf and then the hubs (tie_plan.h), and
 * W is never formed. In the states of half.h, where A = I, with Z the halves of a leaf's ties on the leaf and X those on its hubs:
 *
 *     leaf   S = Z^T Z = L L^T                              Q = L^-1 Z^T,   Y = L^-1 X^T
 *     core   M = I + sum over leaves of Y^T Y = K K^T       what its leaves add to the inertia of the hubs
 *     ties between hubs, or of a hub with the world:        C = K^-1 X, P = L_c^-1 C^T, C^T C = L_c L_c^T (Gram and Schmidt)
 *
 * A contact with the half z on a leaf has, once ties are eliminated, two halves: on the leaf what its ties leave, and on the core what
 * they pass on,
 *
 *     z <- z - Q^T Q z,      zeta = -K^-1 Y^T Q z,      zeta <- zeta - P^T P zeta
 *
 * and W_ij = z_i . z_j + zeta_i . zeta_j as ever: the solvers see contacts with up to four halves, and no ties. It is the Schur complement
 * of a saddle point (Benzi, Golub and Liesen, Acta Numerica 14 (2005), section 5), its inner system a bordered block
 * diagonal one. A row of a leaf that depends on those before it is left out there; what it asks of the hubs alone (a rigid leaf tied to two
 * of them holds them to each other) is a row of the core. A row of the core that depends on those before it is left out, its impulse
 * is zero. Cost and memory are linear in leaves, ties and
 * contacts; cubic in the dofs of a core. */
#ifndef CST_FRICTION_TIES_H
#define CST_FRICTION_TIES_H

#include "friction/half.h"
#include "friction/tie_plan.h"

typedef struct cst_tie_leaf {
    int32_t body, core; /* core -1: tied to the world only */
    int ties;
    int32_t *tie; /* (ties) which of the ties, increasing */
    int rows;     /* ties x dim */
    cst_envelope S;
    int32_t first, length; /* of Q, as in cst_half */
    double *q;             /* (rows x length) Q */
    int width;
    int32_t *column; /* (width) the states of its hubs in that of the core, increasing */
    double *y;       /* (rows x width) Y; of a row that is left out: what it asks of the hubs alone, X - L Y */
    bool *passed_on; /* (rows) left out here, but it asks something of the hubs */
    double *e;       /* (rows) scratch */
} cst_tie_leaf;

/* Whether a row depends on those before it on the leaf. */
static inline bool cst_tie_is_left_out(const cst_tie_leaf *leaf, int row)
{
    return cst_envelope_row(&leaf->S, row)[row] == 0.0;
}

typedef struct cst_tie_core {
    int32_t body; /* its first hub, which stands for the core in halves */
    int32_t size; /* of its state */
    cst_envelope M;
    int ties;
    int32_t *tie;            /* (ties) with both ends in the core or the world */
    int rows;                /* at most `size`: those that depend on others are left out */
    int32_t *leaf, *row;     /* (rows) which row of which leaf passed it on; leaf -1: of the ties of the core */
    double *c, *p;           /* (rows x size) C^T and P */
    cst_envelope S;          /* L_c, as a factor */
    double *state, *scratch; /* (size) */
    double *e;               /* (rows) scratch */
} cst_tie_core;

typedef struct cst_ties {
    const cst_bodies *bodies;
    const cst_halves *halves; /* of all contacts; those of ties are not scaled */
    int dim;
    int ties;
    const int32_t *contact; /* (ties) which contact of the problem each is */
    cst_tie_plan plan;
    int leaves;
    cst_tie_leaf *leaf;
    int32_t *leaf_of; /* (bodies) or -1 */
    cst_tie_core *core;
    int32_t *hub_at; /* (bodies) of a hub: where its state begins in that of the core */
    int32_t *tie_of; /* (contacts) which of the ties each is, or -1 */
    double *impulse; /* (state of the largest body) scratch */
} cst_ties;

/* Numbers in the state of a body with so many dofs. */
static inline int32_t cst_tie_padded(int32_t dofs)
{
    return (dofs + CST_STATE_LANES - 1) / CST_STATE_LANES * CST_STATE_LANES;
}

/* The half of a contact on a body; NULL: none. */
static inline const cst_half *cst_tie_half(const cst_halves *halves, int32_t contact, int32_t body)
{
    const cst_half *half = halves->half + 2 * (int64_t)contact;
    return half[0].body == body ? half : half[1].body == body ? half + 1 : NULL;
}

/* contact (ties): bilateral contacts, increasing, each with a body. halves: of all contacts in natural order, not scaled; those on
 * hubs that callbacks solve are changed. All are kept as pointers. lent (bodies): leaves of another elimination of the same ties, whose
 * hubs come in the same order; their S, Q and Y are used as they are. NULL: none. CST_BAD_PROBLEM: a body cannot be solved. */
cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, const cst_tie_leaf *const *lent, int threads, cst_arena *arena, cst_ties *out);

/* The tied problem of the contacts `chosen` (count), none of them a tie: what halves (of all contacts, as above) become. out->half is
 * (count x out->sides); a core is the body core.body, other hubs have no state. Halves on bodies that are not tied are shared with
 * those given. False: out of memory. */
bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out);

/* W r = e for the ties alone, nothing else: r (ties x dim) out. */
void cst_ties_solve(const cst_ties *ties, const double *e, double *r);

/* The impulses of ties are changed in r (contacts x dim) until G v + u_f = 0 but for rounding, v = A^-1 (rhs + H^T r) out. v is that
 * of r already if `known`. v is corrected by what the changes do: made afresh from r, G v is rounded as the velocities
 * that the ties hold back are. scratch (2 x ties x dim). False: a callback failed. */
bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch);

#endif
