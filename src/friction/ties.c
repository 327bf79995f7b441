#include "friction/ties.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/threads.h"

enum { PARALLEL_LEAVES = 64, ROUNDS = 3 };

/* A row whose pivot is less than this share of its diagonal depends on those before it (as in world/joined.c). */
static const double DEPENDENT = 1e-11;
/* The same for a column of A^-1 of a hub that holds itself together by constraints. */
static const double FLAT = 1e-13;
/* Of the terms of G v: what rounding leaves. */
static const double MET = 8.0 * DBL_EPSILON;

static int32_t padded(int32_t count)
{
    return (count + CST_STATE_LANES - 1) / CST_STATE_LANES * CST_STATE_LANES;
}

/* The half of a tie on a body; NULL: none. */
static const cst_half *half_on(const cst_halves *halves, int32_t contact, int32_t body)
{
    const cst_half *half = halves->half + 2 * (int64_t)contact;
    return half[0].body == body ? half : half[1].body == body ? half + 1 : NULL;
}

/* rows <- L^-1 rows, L the factor; rows (size x width). */
static void forward_rows(const cst_envelope *factor, int width, double *rows)
{
    for (int i = 0; i < factor->size; i++) {
        const double *row = cst_envelope_row(factor, i);
        double *to = rows + (int64_t)i * width;
        for (int j = factor->first[i]; j < i; j++) {
            const double *from = rows + (int64_t)j * width;
            for (int k = 0; k < width; k++)
                to[k] -= row[j] * from[k];
        }
        for (int k = 0; k < width; k++)
            to[k] *= row[i];
    }
}

/* ------------------------------------------------------------------------------------------------------- hubs by callbacks */

/* A^-1 = F F^T of a body that a callback solves; F is left in `inverse`, 1 / F_ii on its diagonal. */
static bool factor_inverse(const cst_body *body, double *x, cst_envelope *inverse)
{
    for (int j = 0; j < body->size; j++) {
        memset(x, 0, sizeof(double) * (size_t)body->size);
        x[j] = 1.0;
        if (!body->solve(body->user, x))
            return false;
        for (int i = j; i < body->size; i++)
            cst_envelope_row(inverse, i)[j] = x[i];
    }
    cst_envelope_factor_semidefinite(inverse, FLAT);
    return true;
}

/* z = F^T H^T: then z^T z = H A^-1 H^T as for the other bodies. */
static void rewrite_half(int dim, const cst_envelope *F, cst_half *half)
{
    const cst_touched_dofs *touch = half->touch;
    for (int row = 0; row < dim; row++) {
        double *z = half->z + (int64_t)row * half->length;
        memset(z, 0, sizeof(double) * (size_t)half->length);
        for (int k = 0; k < touch->count; k++) {
            const int i = touch->dof[k];
            const double h = touch->h[row * touch->count + k], *of_F = cst_envelope_row(F, i);
            for (int j = 0; j < i; j++)
                z[j] += of_F[j] * h;
            z[i] += of_F[i] > 0.0 ? h / of_F[i] : 0.0;
        }
    }
    half->touch = NULL;
}

/* Hubs without a factor get halves of the same kind as the others. */
static cst_status rewrite_hubs(const cst_ties *ties, cst_halves *halves, cst_arena *arena)
{
    const cst_body_problem *problem = ties->bodies->problem;
    for (int32_t b = 0; b < problem->bodies; b++) {
        if (ties->plan.role[b] != CST_TIE_HUB || problem->body[b].kind != CST_BODY_SOLVE)
            continue;
        const cst_arena_mark mark = cst_arena_mark_now(arena);
        cst_envelope F;
        double *x = CST_TAKE_RAW(arena, double, problem->body[b].size);
        if (arena->failed || !cst_envelope_begin(arena, problem->body[b].size, &F) || !cst_envelope_open(arena, &F))
            return CST_OUT_OF_MEMORY;
        if (!factor_inverse(problem->body + b, x, &F))
            return CST_BAD_PROBLEM;
        for (int64_t t = ties->bodies->touch_start[b]; t < ties->bodies->touch_start[b + 1]; t++) {
            cst_half *half = (cst_half *)half_on(halves, ties->bodies->touching[t] / 2, b);
            if (half->touch)
                rewrite_half(ties->dim, &F, half);
        }
        cst_arena_release(arena, mark);
    }
    return CST_SOLVED;
}

/* --------------------------------------------------------------------------------------------------------------- lay out */

/* The leaf that a tie belongs to, or -1: it belongs to a core. *core: that core or, of a leaf, where the other end is; -1: nowhere. */
static int32_t owner_of(const cst_ties *ties, int32_t tie, int32_t *core)
{
    const cst_body_problem *problem = ties->bodies->problem;
    const int32_t end[2] = {problem->side_a[ties->contact[tie]].body, problem->side_b[ties->contact[tie]].body};
    *core = -1;
    for (int s = 0; s < 2; s++)
        if (end[s] >= 0 && ties->plan.role[end[s]] == CST_TIE_HUB)
            *core = ties->plan.core_of[end[s]];
    for (int s = 0; s < 2; s++)
        if (end[s] >= 0 && ties->plan.role[end[s]] == CST_TIE_LEAF)
            return ties->leaf_of[end[s]];
    assert(*core >= 0);
    return -1;
}

/* Leaves and cores counted and numbered, and the states of the cores. */
static bool open_all(cst_ties *ties, cst_arena *arena)
{
    const cst_body_problem *problem = ties->bodies->problem;
    ties->leaf_of = CST_TAKE_RAW(arena, int32_t, problem->bodies);
    ties->hub_at = CST_TAKE_RAW(arena, int32_t, problem->bodies);
    ties->core = CST_TAKE(arena, cst_tie_core, ties->plan.cores);
    if (arena->failed)
        return false;
    for (int32_t b = 0; b < problem->bodies; b++) {
        ties->leaf_of[b] = ties->plan.role[b] == CST_TIE_LEAF ? ties->leaves++ : -1;
        ties->hub_at[b] = -1;
        if (ties->plan.role[b] != CST_TIE_HUB)
            continue;
        cst_tie_core *core = ties->core + ties->plan.core_of[b];
        if (core->size == 0)
            core->body = b;
        ties->hub_at[b] = core->size;
        core->size += padded(problem->body[b].size);
    }
    ties->leaf = CST_TAKE(arena, cst_tie_leaf, ties->leaves);
    if (arena->failed)
        return false;
    for (int32_t b = 0; b < problem->bodies; b++)
        if (ties->leaf_of[b] >= 0)
            ties->leaf[ties->leaf_of[b]] = (cst_tie_leaf){.body = b, .core = ties->plan.core_of[b]};
    return true;
}

/* Which ties each leaf and each core has. */
static bool list_ties(cst_ties *ties, cst_arena *arena)
{
    int32_t core;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t t = 0; t < ties->ties; t++) {
            const int32_t leaf = owner_of(ties, t, &core);
            int *count = leaf >= 0 ? &ties->leaf[leaf].ties : &ties->core[core].ties;
            if (pass == 1)
                (leaf >= 0 ? ties->leaf[leaf].tie : ties->core[core].tie)[*count] = t;
            (*count)++;
        }
        for (int k = 0; k < ties->leaves && pass == 0; k++) {
            ties->leaf[k].tie = CST_TAKE_RAW(arena, int32_t, ties->leaf[k].ties);
            ties->leaf[k].rows = ties->dim * ties->leaf[k].ties;
            ties->leaf[k].ties = 0;
        }
        for (int k = 0; k < ties->plan.cores && pass == 0; k++) {
            ties->core[k].tie = CST_TAKE_RAW(arena, int32_t, ties->core[k].ties);
            ties->core[k].rows = ties->dim * ties->core[k].ties;
            ties->core[k].ties = 0;
        }
        if (arena->failed)
            return false;
    }
    return true;
}

/* The hub at the other end of a tie of a leaf, or -1. */
static int32_t hub_of(const cst_ties *ties, const cst_tie_leaf *leaf, int t)
{
    const cst_body_problem *problem = ties->bodies->problem;
    const int32_t contact = ties->contact[leaf->tie[t]];
    const int32_t a = problem->side_a[contact].body, b = problem->side_b[contact].body;
    return a == leaf->body ? (b == leaf->body ? -1 : b) : a;
}

/* The hubs of a leaf in the order of their states, each once. hub (ties) */
static int list_hubs(const cst_ties *ties, const cst_tie_leaf *leaf, int32_t *hub)
{
    int count = 0;
    for (int t = 0; t < leaf->ties; t++) {
        const int32_t next = hub_of(ties, leaf, t);
        int at = count;
        while (at > 0 && hub[at - 1] > next)
            at--;
        if (next < 0 || (at > 0 && hub[at - 1] == next))
            continue;
        memmove(hub + at + 1, hub + at, sizeof *hub * (size_t)(count++ - at));
        hub[at] = next;
    }
    return count;
}

static bool take_leaf(const cst_ties *ties, const cst_halves *halves, int32_t *hub, cst_arena *arena, cst_tie_leaf *leaf)
{
    const cst_body_problem *problem = ties->bodies->problem;
    const int32_t end = padded(problem->body[leaf->body].size);
    const int hubs = list_hubs(ties, leaf, hub);
    leaf->first = end;
    for (int t = 0; t < leaf->ties; t++) {
        const cst_half *half = half_on(halves, ties->contact[leaf->tie[t]], leaf->body);
        leaf->first = half->first < leaf->first ? half->first : leaf->first;
        assert(half->first + half->length == end);
    }
    leaf->length = end - leaf->first;
    for (int k = 0; k < hubs; k++)
        leaf->width += padded(problem->body[hub[k]].size);
    leaf->q = CST_TAKE(arena, double, (size_t)leaf->rows *(size_t)leaf->length);
    leaf->column = CST_TAKE_RAW(arena, int32_t, leaf->width);
    leaf->y = CST_TAKE(arena, double, (size_t)leaf->rows *(size_t)leaf->width);
    leaf->e = CST_TAKE_RAW(arena, double, leaf->rows);
    if (arena->failed || !cst_envelope_begin(arena, leaf->rows, &leaf->S))
        return false;
    for (int k = 0, at = 0; k < hubs; k++)
        for (int32_t i = 0; i < padded(problem->body[hub[k]].size); i++)
            leaf->column[at++] = ties->hub_at[hub[k]] + i;
    return cst_envelope_open(arena, &leaf->S);
}

static bool take_core(cst_arena *arena, cst_tie_core *core)
{
    core->c = CST_TAKE(arena, double, (size_t)core->rows *(size_t)core->size);
    core->p = CST_TAKE_RAW(arena, double, (size_t)core->rows *(size_t)core->size);
    core->state = CST_TAKE_RAW(arena, double, core->size);
    core->e = CST_TAKE_RAW(arena, double, core->rows);
    return !arena->failed && cst_envelope_begin(arena, core->size, &core->M) && cst_envelope_open(arena, &core->M) &&
           cst_envelope_begin(arena, core->rows, &core->S) && cst_envelope_open(arena, &core->S);
}

static bool lay_out(cst_ties *ties, const cst_halves *halves, cst_arena *arena)
{
    if (!open_all(ties, arena) || !list_ties(ties, arena))
        return false;
    int most = 0;
    for (int k = 0; k < ties->leaves; k++)
        most = ties->leaf[k].ties > most ? ties->leaf[k].ties : most;
    int32_t *hub = CST_TAKE_RAW(arena, int32_t, most + 1);
    for (int k = 0; k < ties->leaves && !arena->failed; k++)
        take_leaf(ties, halves, hub, arena, ties->leaf + k);
    for (int k = 0; k < ties->plan.cores && !arena->failed; k++)
        take_core(arena, ties->core + k);
    return !arena->failed;
}

/* --------------------------------------------------------------------------------------------------------------- factors */

/* S, Q and Y of a leaf. */
static void factor_leaf(const cst_ties *ties, const cst_halves *halves, cst_tie_leaf *leaf)
{
    const int dim = ties->dim;
    for (int p = 0; p < leaf->ties; p++) {
        const cst_half *own = half_on(halves, ties->contact[leaf->tie[p]], leaf->body);
        for (int q = 0; q <= p; q++) {
            double block[9] = {0};
            cst_half_couple(dim, own, half_on(halves, ties->contact[leaf->tie[q]], leaf->body), block);
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < (p == q ? row + 1 : dim); c++)
                    cst_envelope_row(&leaf->S, p * dim + row)[q * dim + c] = block[row * dim + c];
        }
        for (int row = 0; row < dim; row++)
            memcpy(leaf->q + (int64_t)(p * dim + row) * leaf->length + (own->first - leaf->first),
                   own->z + (int64_t)row * own->length, sizeof(double) * (size_t)own->length);
        const int32_t hub = hub_of(ties, leaf, p);
        if (hub < 0)
            continue;
        const cst_half *far = half_on(halves, ties->contact[leaf->tie[p]], hub);
        int at = 0;
        while (leaf->column[at] != ties->hub_at[hub] + far->first)
            at++;
        for (int row = 0; row < dim; row++)
            memcpy(leaf->y + (int64_t)(p * dim + row) * leaf->width + at, far->z + (int64_t)row * far->length,
                   sizeof(double) * (size_t)far->length);
    }
    cst_envelope_factor_semidefinite(&leaf->S, DEPENDENT);
    forward_rows(&leaf->S, leaf->length, leaf->q);
    forward_rows(&leaf->S, leaf->width, leaf->y);
}

/* M of all cores, summed in the order of the leaves. */
static void add_inertia(cst_ties *ties)
{
    for (int k = 0; k < ties->plan.cores; k++)
        for (int32_t i = 0; i < ties->core[k].size; i++)
            cst_envelope_row(&ties->core[k].M, i)[i] = 1.0;
    for (int k = 0; k < ties->leaves; k++) {
        const cst_tie_leaf *leaf = ties->leaf + k;
        for (int r = 0; r < leaf->rows; r++) {
            const double *y = leaf->y + (int64_t)r * leaf->width;
            for (int i = 0; i < leaf->width; i++) {
                double *row = cst_envelope_row(&ties->core[leaf->core].M, leaf->column[i]);
                for (int j = 0; j <= i; j++)
                    row[leaf->column[j]] += y[i] * y[j];
            }
        }
    }
}

/* K, C and P of a core. False: M is not finite. */
static bool factor_core(const cst_ties *ties, const cst_halves *halves, cst_tie_core *core)
{
    const int dim = ties->dim;
    const int32_t n = core->size;
    if (cst_envelope_factor(&core->M) >= 0)
        return false;
    for (int t = 0; t < core->ties; t++) {
        const cst_half *half = halves->half + 2 * (int64_t)ties->contact[core->tie[t]];
        for (int row = 0; row < dim; row++) {
            double *c = core->c + (int64_t)(t * dim + row) * n;
            for (int s = 0; s < 2; s++)
                for (int32_t k = 0; half[s].body >= 0 && k < half[s].length; k++)
                    c[ties->hub_at[half[s].body] + half[s].first + k] += half[s].z[(int64_t)row * half[s].length + k];
            cst_envelope_forward(&core->M, 1, 0, 0, c);
        }
    }
    for (int i = 0; i < core->rows; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < n; k++)
                sum += core->c[(int64_t)i * n + k] * core->c[(int64_t)j * n + k];
            cst_envelope_row(&core->S, i)[j] = sum;
        }
    cst_envelope_factor_semidefinite(&core->S, DEPENDENT);
    memcpy(core->p, core->c, sizeof(double) * (size_t)core->rows * (size_t)n);
    forward_rows(&core->S, n, core->p);
    return true;
}

cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, int threads, cst_arena *arena, cst_ties *out)
{
    *out = (cst_ties){.bodies = bodies, .dim = bodies->problem->dim, .ties = ties, .contact = contact, .plan = *plan};
    const cst_status rewritten = rewrite_hubs(out, halves, arena);
    if (rewritten != CST_SOLVED)
        return rewritten;
    if (!lay_out(out, halves, arena))
        return CST_OUT_OF_MEMORY;
    const int used = cst_threads_for(threads, out->leaves, PARALLEL_LEAVES);
    (void)used; /* nobody reads it in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(used)
    for (int k = 0; k < out->leaves; k++)
        factor_leaf(out, halves, out->leaf + k);
    add_inertia(out);
    for (int k = 0; k < out->plan.cores; k++)
        if (!factor_core(out, halves, out->core + k))
            return CST_BAD_PROBLEM;
    return CST_SOLVED;
}

/* --------------------------------------------------------------------------------------------------------------- solving */

/* out (ties x dim) at the places of a list, from x, or the other way. */
static void copy_rows(int dim, const int32_t *tie, int ties, const double *from, double *to, bool gather)
{
    for (int t = 0; t < ties; t++)
        memcpy(gather ? to + t * dim : to + tie[t] * dim, gather ? from + tie[t] * dim : from + t * dim,
               sizeof(double) * (size_t)dim);
}

/* What is left of the impulses to find once the hubs' part Y^T L^-1 e is in the state of the core. */
static void reduce_leaf(const cst_ties *ties, cst_tie_leaf *leaf, const double *e)
{
    copy_rows(ties->dim, leaf->tie, leaf->ties, e, leaf->e, true);
    cst_envelope_forward(&leaf->S, 1, 0, 0, leaf->e);
    if (leaf->core < 0)
        return;
    double *state = ties->core[leaf->core].state;
    for (int r = 0; r < leaf->rows; r++)
        for (int k = 0; k < leaf->width; k++)
            state[leaf->column[k]] += leaf->y[(int64_t)r * leaf->width + k] * leaf->e[r];
}

/* The state of the core, and the impulses of its own ties. */
static void solve_core(const cst_ties *ties, cst_tie_core *core, const double *e, double *r)
{
    const int32_t n = core->size;
    cst_envelope_forward(&core->M, 1, 0, 0, core->state);
    copy_rows(ties->dim, core->tie, core->ties, e, core->e, true);
    for (int i = 0; i < core->rows; i++)
        for (int32_t k = 0; k < n; k++)
            core->e[i] -= core->c[(int64_t)i * n + k] * core->state[k];
    cst_envelope_forward(&core->S, 1, 0, 0, core->e);
    cst_envelope_backward(&core->S, core->e);
    for (int i = 0; i < core->rows; i++)
        for (int32_t k = 0; k < n; k++)
            core->state[k] += core->c[(int64_t)i * n + k] * core->e[i];
    cst_envelope_backward(&core->M, core->state);
    copy_rows(ties->dim, core->tie, core->ties, core->e, r, false);
}

static void solve_leaf(const cst_ties *ties, cst_tie_leaf *leaf, double *r)
{
    const double *state = leaf->core >= 0 ? ties->core[leaf->core].state : NULL;
    for (int i = 0; i < leaf->rows; i++)
        for (int k = 0; k < leaf->width; k++)
            leaf->e[i] -= leaf->y[(int64_t)i * leaf->width + k] * state[leaf->column[k]];
    cst_envelope_backward(&leaf->S, leaf->e);
    copy_rows(ties->dim, leaf->tie, leaf->ties, leaf->e, r, false);
}

void cst_ties_solve(const cst_ties *ties, const double *e, double *r)
{
    for (int k = 0; k < ties->plan.cores; k++)
        memset(ties->core[k].state, 0, sizeof(double) * (size_t)ties->core[k].size);
    for (int k = 0; k < ties->leaves; k++)
        reduce_leaf(ties, ties->leaf + k, e);
    for (int k = 0; k < ties->plan.cores; k++)
        solve_core(ties, ties->core + k, e, r);
    for (int k = 0; k < ties->leaves; k++)
        solve_leaf(ties, ties->leaf + k, r);
}

/* -(G v + u_f) of all ties into `error`; whether it is more than rounding. */
static bool is_missed(const cst_ties *ties, const double *v, double *error)
{
    const cst_body_problem *problem = ties->bodies->problem;
    const int dim = ties->dim;
    double largest = 0.0, terms = 0.0;
    for (int t = 0; t < ties->ties; t++) {
        const cst_contact_side *side[2] = {problem->side_a + ties->contact[t], problem->side_b + ties->contact[t]};
        cst_contact_velocity(problem, ties->bodies->offset, ties->contact[t], v, error + t * dim);
        for (int row = 0; row < dim; row++) {
            double size = fabs(problem->velocity_offset[(int64_t)ties->contact[t] * dim + row]);
            for (int s = 0; s < 2; s++)
                for (int k = 0; side[s]->body >= 0 && k < side[s]->dofs; k++)
                    size += fabs(side[s]->h[row * side[s]->dofs + k] * v[ties->bodies->offset[side[s]->body] + side[s]->dof[k]]);
            error[t * dim + row] = -error[t * dim + row];
            largest = fmax(largest, fabs(error[t * dim + row]));
            terms = fmax(terms, size);
        }
    }
    return largest > MET * terms;
}

bool cst_ties_meet(const cst_ties *ties, bool known, double *r, double *v, double *scratch)
{
    double *error = scratch, *change = scratch + (int64_t)ties->ties * ties->dim;
    for (int round = 0;; round++) {
        if (!(known && round == 0) && !cst_bodies_velocities(ties->bodies, r, v))
            return false;
        if (round == ROUNDS || !is_missed(ties, v, error))
            return true;
        cst_ties_solve(ties, error, change);
        for (int t = 0; t < ties->ties; t++)
            for (int c = 0; c < ties->dim; c++)
                r[(int64_t)ties->contact[t] * ties->dim + c] += change[t * ties->dim + c];
    }
}
