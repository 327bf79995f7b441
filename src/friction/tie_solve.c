/* Computes the impulses of bilateral constraints that make the constraint velocities zero, by the elimination of friction/ties.h.
 * A leaf body is joined only to the world and to hub bodies, which carry other bodies. Connected hub bodies form a group (core).
 * The constraints on leaf bodies are eliminated first, then the constraints between hub bodies are solved, group by group. Back
 * substitution then gives the impulses of the constraints on leaf bodies. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "friction/ties.h"

enum { ROUNDS = 3 };

/* A constraint velocity is a component of H v + c, with the constraint Jacobian H, the velocities v of the bodies and the
 * velocity offsets c. MET: all constraint velocities count as zero if their largest absolute value is at most MET times S. The
 * number S is the largest sum of the absolute values of the terms of one constraint velocity. */
static const double MET = 8.0 * DBL_EPSILON;
/* STANDSTILL: the velocity of a body with constraints is set to zero if it is at most STANDSTILL times the velocity that the
 * body would have without impulses. */
static const double STANDSTILL = 1e-20;

/* Copies row tie[k] of the matrix `from` to row k of the matrix `to` (rows of dim values) if `gather` is true. If `gather` is
 * false, copies row k of `from` to row tie[k] of `to`. */
static void copy_rows(int dim, const int32_t *tie, int ties, const double *from, double *to, bool gather)
{
    for (int t = 0; t < ties; t++)
        memcpy(gather ? to + t * dim : to + tie[t] * dim, gather ? from + tie[t] * dim : from + t * dim,
               sizeof(double) * (size_t)dim);
}

/* Eliminates the constraints on one leaf body by forward substitution: solves L_s x = e for x (e: velocity errors of the
 * constraints, L_s: Cholesky factor of the leaf body, ties.h). The function adds Y^T x, with the factor Y of the leaf body
 * (ties.h), to the right-hand side core->state of the group of hub bodies. On return, leaf->e holds the solution x of L_s x = e.
 * Exception: for a scalar constraint equation that depends linearly on earlier equations, leaf->e holds the velocity error that
 * remains, which only impulses on the hub bodies can remove. */
static void reduce_leaf(const cst_ties *ties, cst_tie_leaf *leaf, const double *e)
{
    double *state = leaf->core >= 0 ? ties->core[leaf->core].state : NULL;
    copy_rows(ties->dim, leaf->tie, leaf->ties, e, leaf->e, true);
    for (int i = 0; i < leaf->rows; i++) {
        const double *row = cst_envelope_row(&leaf->S, i);
        for (int j = leaf->S.first[i]; j < i; j++)
            leaf->e[i] -= cst_tie_is_left_out(leaf, j) ? 0.0 : row[j] * leaf->e[j];
        if (cst_tie_is_left_out(leaf, i))
            continue;
        leaf->e[i] *= row[i];
        for (int k = 0; k < leaf->width; k++)
            state[leaf->column[k]] += leaf->y[(int64_t)i * leaf->width + k] * leaf->e[i];
    }
}

/* Solves the constraint equations of one group of connected hub bodies (core). core->state: right-hand side on input, solution on
 * output. core->e: output, impulses of all scalar constraint equations of the group. `r`: output, impulses of the constraints
 * between hub bodies, or between a hub body and the world. */
static void solve_core(const cst_ties *ties, cst_tie_core *core, const double *e, double *r)
{
    const int32_t n = core->size;
    const int dim = ties->dim;
    cst_envelope_forward(&core->M, 1, 0, 0, core->state);
    for (int i = 0; i < core->rows; i++) {
        const int32_t row = core->row[i];
        core->e[i] = core->leaf[i] >= 0 ? ties->leaf[core->leaf[i]].e[row] : e[core->tie[row / dim] * dim + row % dim];
        for (int32_t k = 0; k < n; k++)
            core->e[i] -= core->c[(int64_t)i * n + k] * core->state[k];
    }
    cst_envelope_forward(&core->S, 1, 0, 0, core->e);
    cst_envelope_backward(&core->S, core->e);
    for (int i = 0; i < core->rows; i++) {
        const int32_t row = core->row[i];
        for (int32_t k = 0; k < n; k++)
            core->state[k] += core->c[(int64_t)i * n + k] * core->e[i];
        if (core->leaf[i] < 0)
            r[core->tie[row / dim] * dim + row % dim] = core->e[i];
    }
    cst_envelope_backward(&core->M, core->state);
}

/* Sets the impulses of those scalar constraint equations of leaf bodies that depend linearly on other equations. If a linearly
 * dependent equation of a leaf body still constrains hub bodies, its impulse is taken from the solution for the hub bodies.
 * Otherwise, its impulse is zero. */
static void take_passed_on(const cst_ties *ties)
{
    for (int k = 0; k < ties->leaves; k++)
        for (int i = 0; i < ties->leaf[k].rows; i++)
            if (cst_tie_is_left_out(ties->leaf + k, i))
                ties->leaf[k].e[i] = 0.0;
    for (int k = 0; k < ties->plan.cores; k++)
        for (int i = 0; i < ties->core[k].rows; i++)
            if (ties->core[k].leaf[i] >= 0)
                ties->leaf[ties->core[k].leaf[i]].e[ties->core[k].row[i]] = ties->core[k].e[i];
}

/* Back substitution for one leaf body: computes the impulses of its constraints from the solution for the hub bodies
 * (core->state). The function take_passed_on must have set the impulses of linearly dependent constraint equations before. */
static void solve_leaf(const cst_ties *ties, cst_tie_leaf *leaf, double *r)
{
    const double *state = leaf->core >= 0 ? ties->core[leaf->core].state : NULL;
    for (int i = 0; i < leaf->rows; i++)
        for (int k = 0; k < leaf->width && !cst_tie_is_left_out(leaf, i); k++)
            leaf->e[i] -= leaf->y[(int64_t)i * leaf->width + k] * state[leaf->column[k]];
    for (int i = leaf->rows - 1; i >= 0; i--) {
        const double *row = cst_envelope_row(&leaf->S, i);
        if (!cst_tie_is_left_out(leaf, i))
            leaf->e[i] *= row[i];
        for (int j = leaf->S.first[i]; j < i; j++)
            leaf->e[j] -= cst_tie_is_left_out(leaf, j) ? 0.0 : row[j] * leaf->e[i];
    }
    copy_rows(ties->dim, leaf->tie, leaf->ties, leaf->e, r, false);
}

void cst_ties_solve(const cst_ties *ties, const double *e, double *r)
{
    for (int k = 0; k < ties->plan.cores; k++)
        memset(ties->core[k].state, 0, sizeof(double) * (size_t)ties->core[k].size);
    for (int k = 0; k < ties->leaves; k++)
        reduce_leaf(ties, ties->leaf + k, e);
    memset(r, 0, sizeof(double) * (size_t)(ties->ties * ties->dim));
    for (int k = 0; k < ties->plan.cores; k++)
        solve_core(ties, ties->core + k, e, r);
    take_passed_on(ties);
    for (int k = 0; k < ties->leaves; k++)
        solve_leaf(ties, ties->leaf + k, r);
}

/* Adds the contribution of one body to the component `row` of a constraint velocity to *u, and the absolute values of its terms
 * to *size. */
static void add_row(const cst_contact_side *side, const int64_t *offset, int row, const double *v, double *u, double *size)
{
    const double *h = side->h + (int64_t)row * side->dofs, *of_body = side->body >= 0 ? v + offset[side->body] : NULL;
    for (int k = 0; of_body && k < side->dofs; k++) {
        const double term = h[k] * of_body[side->dof[k]];
        *u += term;
        *size += fabs(term);
    }
}

/* Writes the velocity errors of all constraints (negative constraint velocities) to `error`; returns true if the largest
 * velocity error exceeds the rounding error. */
static bool is_missed(const cst_ties *ties, const double *v, double *error)
{
    const cst_body_problem *problem = ties->bodies->problem;
    const int dim = ties->dim;
    double largest = 0.0, terms = 0.0;
    for (int t = 0; t < ties->ties; t++) {
        const int32_t contact = ties->contact[t];
        for (int row = 0; row < dim; row++) {
            double u = problem->velocity_offset[(int64_t)contact * dim + row], size = fabs(u);
            add_row(problem->side_a + contact, ties->bodies->offset, row, v, &u, &size);
            add_row(problem->side_b + contact, ties->bodies->offset, row, v, &u, &size);
            error[t * dim + row] = -u;
            largest = fabs(u) > largest ? fabs(u) : largest;
            terms = size > terms ? size : terms;
        }
    }
    return largest > MET * terms;
}

/* Adds the effect of a change of the constraint impulses to the velocities v of one body. If the body has a Cholesky factor L,
 * the velocity change is L^-T times the sum of L^-1 H^T dr over the constraints (H: Jacobian, dr: impulse change). `f`:
 * scratch. */
static bool correct_body(const cst_ties *ties, int32_t b, const double *change, double *f, double *v)
{
    const cst_bodies *bodies = ties->bodies;
    const cst_body_problem *problem = bodies->problem;
    const bool factored = bodies->factor[b].size > 0;
    const int n = problem->body[b].size;
    memset(f, 0, sizeof(double) * (size_t)cst_tie_padded(n));
    for (int64_t t = bodies->touch_start[b]; t < bodies->touch_start[b + 1]; t++) {
        const int32_t contact = bodies->touching[t] / 2, tie = ties->tie_of[contact];
        const cst_contact_side *side = (bodies->touching[t] % 2 ? problem->side_b : problem->side_a) + contact;
        if (tie < 0)
            continue;
        if (!factored)
            cst_side_impulse(ties->dim, side, change + tie * ties->dim, f);
        /* if a constraint joins two points of one body, the half solve L^-1 H^T stored for side A is the sum of those of both
         * sides */
        else if (!(bodies->touching[t] % 2 && problem->side_a[contact].body == b))
            cst_half_add(ties->dim, cst_tie_half(ties->halves, contact, b), change + tie * ties->dim, f);
    }
    if (factored)
        cst_envelope_backward(bodies->factor + b, f);
    else if (!cst_bodies_solve(bodies, b, f))
        return false;
    for (int k = 0; k < n; k++)
        v[bodies->offset[b] + k] += f[k];
    return true;
}

static bool correct(const cst_ties *ties, const double *change, double *v)
{
    for (int32_t b = 0; b < ties->bodies->problem->bodies; b++) {
        cst_bodies_fetch(ties->bodies, b + 1, false);
        if (ties->plan.role[b] != CST_TIE_FREE && !correct_body(ties, b, change, ties->impulse, v))
            return false;
    }
    return true;
}

static double largest_of(const double *x, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++)
        largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
    return largest;
}

/* Sets the velocity of a body to zero if constraints prevent all its motion. Because of rounding errors, the velocity of a body
 * without freedom of motion is about 1e-30 of its velocity without impulses. */
static void stop_held(const cst_ties *ties, double *v)
{
    const cst_bodies *bodies = ties->bodies;
    for (int32_t b = 0; b < bodies->problem->bodies; b++) {
        const int n = bodies->problem->body[b].size;
        double *of_body = v + bodies->offset[b];
        if (ties->plan.role[b] != CST_TIE_FREE &&
            largest_of(of_body, n) <= STANDSTILL * largest_of(bodies->free_velocity + bodies->offset[b], n))
            memset(of_body, 0, sizeof(double) * (size_t)n);
    }
}

bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch)
{
    double *error = scratch, *change = scratch + (int64_t)ties->ties * ties->dim;
    if (!known && !cst_bodies_velocities(ties->bodies, r, v))
        return false;
    for (int round = 0; round < ROUNDS && is_missed(ties, v, error); round++) {
        cst_ties_solve(ties, error, change);
        for (int t = 0; t < ties->ties; t++)
            for (int c = 0; c < ties->dim; c++)
                r[(int64_t)ties->contact[t] * ties->dim + c] += change[t * ties->dim + c];
        if (!correct(ties, change, v))
            return false;
    }
    stop_held(ties, v);
    return true;
}
