/* Ties are bilateral rows G v + u_f = 0 that hold bodies together. This module eliminates them directly.
 *
 * Sweeps propagate the force of a tie from contact to contact, which converges very slowly if a light hub carries many bodies
 * (225 fibers on one ball: docs/solvers.md). Ties are therefore eliminated before the sweeps, in two levels: first leaf by
 * leaf, then the hubs (tie_plan.h). W is never formed. The equations use the states of half.h, in which A = I. For the ties of
 * a leaf, Z are the half solves on the leaf, and X are the half solves on its hubs. The factors are
 *
 *     S = Z^T Z = L L^T,   Q = L^-1 Z^T,   Y = L^-1 X^T                           for a leaf,
 *     M = I + sum over leaves of Y^T Y = K K^T                                    for a core with the inertia of its leaves,
 *     C = K^-1 X,   P = L_c^-1 C^T,   C^T C = L_c L_c^T (Gram and Schmidt)        for other ties of hubs.
 *
 * A contact with the half solve z on a leaf has two half solves after the elimination: one on the leaf, and one on the core:
 *
 *     z <- z - Q^T Q z,      zeta = -K^-1 Y^T Q z,      zeta <- zeta - P^T P zeta.
 *
 * W_ij = z_i . z_j + zeta_i . zeta_j has the same form as without ties: the solvers get contacts with up to four half solves,
 * and no ties. The elimination is the Schur complement of a saddle point problem (Benzi, Golub and Liesen, Acta Numerica 14
 * (2005), section 5), whose inner system is bordered block diagonal. A row of a leaf that depends on earlier rows is left out
 * on the leaf. If a row that is left out on the leaf still constrains the hubs (a rigid leaf tied to two hubs holds them
 * together), it becomes a row of the core. A row of the core that depends on earlier rows is left out, and its impulse is zero.
 * Cost and memory are linear in leaves, ties and contacts, and cubic in the dofs of a core. */
#ifndef CST_FRICTION_TIES_H
#define CST_FRICTION_TIES_H

#include "friction/half.h"
#include "friction/tie_plan.h"

typedef struct cst_tie_leaf {
    int32_t body, core; /* core -1: the leaf is tied to the world only */
    int ties;
    int32_t *tie; /* (ties) indices of its ties, increasing */
    int rows;     /* ties x dim */
    cst_envelope S;
    int32_t first, length; /* rows of Q that are stored, as in cst_half */
    double *q;             /* (rows x length) Q */
    int width;
    int32_t *column; /* (width) indices of the states of the leaf's hubs in the state of the core, increasing */
    double *y;       /* (rows x width) Y; for a row that is left out: its constraint on the hubs, X - L Y */
    bool *passed_on; /* (rows) true if the row is left out on the leaf but constrains the hubs */
    double *e;       /* (rows) scratch */
} cst_tie_leaf;

/* Returns true if a row depends on earlier rows of the leaf. */
static inline bool cst_tie_is_left_out(const cst_tie_leaf *leaf, int row)
{
    return cst_envelope_row(&leaf->S, row)[row] == 0.0;
}

typedef struct cst_tie_core {
    int32_t body; /* the first hub, which represents the core in half solves */
    int32_t size; /* size of its state */
    cst_envelope M;
    int ties;
    int32_t *tie;            /* (ties) indices of ties with both ends in the core or the world */
    int rows;                /* number of rows, at most `size`, because dependent rows are left out */
    int32_t *leaf, *row;     /* (rows) leaf and row that passed this row on; leaf -1: a tie of the core itself */
    double *c, *p;           /* (rows x size) C^T and P */
    cst_envelope S;          /* L_c, as a factor */
    double *state, *scratch; /* (size) */
    double *e;               /* (rows) scratch */
} cst_tie_core;

typedef struct cst_ties {
    const cst_bodies *bodies;
    const cst_halves *halves; /* half solves of all contacts; the half solves of ties are not scaled */
    int dim;
    int ties;
    const int32_t *contact; /* (ties) index of each tie among the contacts of the problem */
    cst_tie_plan plan;
    int leaves;
    cst_tie_leaf *leaf;
    int32_t *leaf_of; /* (bodies) or -1 */
    cst_tie_core *core;
    int32_t *hub_at; /* (bodies) for a hub: where its state starts in the state of the core */
    int32_t *tie_of; /* (contacts) index of each contact among the ties, or -1 */
    double *impulse; /* (state of the largest body) scratch */
} cst_ties;

/* Returns the length of the state of a body with this number of dofs. */
static inline int32_t cst_tie_padded(int32_t dofs)
{
    return (dofs + CST_STATE_LANES - 1) / CST_STATE_LANES * CST_STATE_LANES;
}

/* Returns the half solve of a contact on a body, or NULL. */
static inline const cst_half *cst_tie_half(const cst_halves *halves, int32_t contact, int32_t body)
{
    const cst_half *half = halves->half + 2 * (int64_t)contact;
    return half[0].body == body ? half : half[1].body == body ? half + 1 : NULL;
}

/* Eliminates the ties. `contact` (ties): bilateral contacts, increasing, each with at least one body. `halves`: half solves of
 * all contacts in natural order, not scaled; the half solves on hubs that callbacks solve are changed. `out` keeps pointers to
 * all arguments. `lent` (bodies): leaves of another elimination of the same ties, with the hubs in the same order, whose S, Q
 * and Y are reused; NULL: none. Returns CST_BAD_PROBLEM if the solve of a body fails. */
cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, const cst_tie_leaf *const *lent, int threads, cst_arena *arena, cst_ties *out);

/* Computes the half solves of the contacts `chosen` (count) after the elimination; none of these contacts is a tie. `halves`:
 * half solves of all contacts, as passed to cst_ties_build. The array out->half is (count x out->sides). A core is represented
 * by the body core.body; the other hubs have no state. Half solves on bodies without ties are shared with `halves`. Returns
 * false if memory ran out. */
bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out);

/* Solves W r = e for the ties alone; writes `r` (ties x dim). */
void cst_ties_solve(const cst_ties *ties, const double *e, double *r);

/* Changes the impulses of ties in `r` (contacts x dim) until G v + u_f = 0 up to rounding, and computes v = A^-1 (rhs + H^T r).
 * `known`: true if the given v already belongs to the given r. The velocity v is updated by the effect of each impulse change:
 * recomputing v from r would give G v the rounding error of the much larger velocities that the ties cancel. `scratch`: (2 x
 * ties x dim). Returns false if a callback failed. */
bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch);

#endif
