#include "friction/ties.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "base/threads.h"

enum { PARALLEL_LEAVES = 64 };

/* DEPENDENT: a constraint equation counts as linearly dependent on the equations before it if its pivot is at most DEPENDENT
 * times its diagonal entry (as in world/joined.c). */
static const double DEPENDENT = 1e-11;
/* FLAT: a column of the inverse A^-1 of a hub body's system matrix counts as linearly dependent on other columns if its pivot is
 * at most FLAT times its diagonal entry. If a body has internal constraints, the inverse A^-1 of its system matrix has linearly
 * dependent columns. */
static const double FLAT = 1e-13;

/* CST_STATE_LANES numbers; rows are padded */
typedef double vec4 __attribute__((vector_size(32), aligned(8)));

/* to -= weight * from */
static inline __attribute__((always_inline)) void subtract_row(int width, double weight, const double *from, double *to)
{
    for (int k = 0; k < width; k += CST_STATE_LANES)
        *(vec4 *)(to + k) -= weight * *(const vec4 *)(from + k);
}

static inline __attribute__((always_inline)) void scale_row(int width, double factor, double *row)
{
    for (int k = 0; k < width; k += CST_STATE_LANES)
        *(vec4 *)(row + k) *= factor;
}

static inline __attribute__((always_inline)) double square_of(const double *x, int count)
{
    vec4 sum = {0};
    for (int k = 0; k < count; k += CST_STATE_LANES)
        sum += *(const vec4 *)(x + k) * *(const vec4 *)(x + k);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Replaces each of the `width` columns of `rows` by L^-1 times the column, with the lower triangular matrix L = `factor`. */
CST_MULTIVERSION
static void forward_rows(const cst_envelope *factor, int width, double *rows)
{
    for (int i = 0; i < factor->size; i++) {
        const double *row = cst_envelope_row(factor, i);
        double *to = rows + (int64_t)i * width;
        for (int j = factor->first[i]; j < i; j++)
            subtract_row(width, row[j], rows + (int64_t)j * width, to);
        scale_row(width, row[i], to);
    }
}

/* ------------------------------------------------------------------------------------------------------- hubs by callbacks */

/* For a body with the system matrix A, whose callback `solve` multiplies by A^-1, computes the lower triangular matrix F with
 * A^-1 = F F^T. `inverse`: output, F with each diagonal entry replaced by its reciprocal. */
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

/* Replaces the stored product A^-1 H^T of one contact by F^T H^T, with the contact Jacobian H and the inverse A^-1 = F F^T of the
 * body's system matrix. */
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

/* For all contacts on hub bodies whose callback multiplies by the inverse A^-1 = F F^T of the system matrix, replaces the stored
 * product A^-1 H^T by F^T H^T (H: contact Jacobian). */
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
            cst_half *half = (cst_half *)cst_tie_half(halves, ties->bodies->touching[t] / 2, b);
            if (half->touch)
                rewrite_half(ties->dim, &F, half);
        }
        cst_arena_release(arena, mark);
    }
    return CST_SOLVED;
}

/* --------------------------------------------------------------------------------------------------------------- lay out */

/* Returns the index of the leaf body on which a bilateral constraint acts, or -1. Sets *core to the index of the group of hub
 * bodies on which the constraint acts, or -1. */
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

/* Numbers the leaf bodies. Assigns to each hub body a range of entries in the state vector of its group of hub bodies. */
static bool open_all(cst_ties *ties, cst_arena *arena)
{
    const cst_body_problem *problem = ties->bodies->problem;
    ties->leaf_of = CST_TAKE_RAW(arena, int32_t, problem->bodies);
    ties->hub_at = CST_TAKE_RAW(arena, int32_t, problem->bodies);
    ties->core = CST_TAKE(arena, cst_tie_core, ties->plan.cores);
    ties->tie_of = CST_TAKE_RAW(arena, int32_t, problem->contacts);
    int largest = 0;
    for (int32_t b = 0; b < problem->bodies; b++)
        largest = problem->body[b].size > largest ? problem->body[b].size : largest;
    ties->impulse = CST_TAKE_RAW(arena, double, cst_tie_padded(largest));
    if (arena->failed)
        return false;
    for (int i = 0; i < problem->contacts; i++)
        ties->tie_of[i] = -1;
    for (int32_t t = 0; t < ties->ties; t++)
        ties->tie_of[ties->contact[t]] = t;
    for (int32_t b = 0; b < problem->bodies; b++) {
        ties->leaf_of[b] = ties->plan.role[b] == CST_TIE_LEAF ? ties->leaves++ : -1;
        ties->hub_at[b] = -1;
        if (ties->plan.role[b] != CST_TIE_HUB)
            continue;
        cst_tie_core *core = ties->core + ties->plan.core_of[b];
        if (core->size == 0)
            core->body = b;
        ties->hub_at[b] = core->size;
        core->size += cst_tie_padded(problem->body[b].size);
    }
    ties->leaf = CST_TAKE(arena, cst_tie_leaf, ties->leaves);
    if (arena->failed)
        return false;
    for (int32_t b = 0; b < problem->bodies; b++)
        if (ties->leaf_of[b] >= 0)
            ties->leaf[ties->leaf_of[b]] = (cst_tie_leaf){.body = b, .core = ties->plan.core_of[b]};
    return true;
}

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
            ties->core[k].ties = 0;
        }
        if (arena->failed)
            return false;
    }
    return true;
}

/* Returns the hub body that the constraint t joins to a leaf body, or -1. */
static int32_t hub_of(const cst_ties *ties, const cst_tie_leaf *leaf, int t)
{
    const cst_body_problem *problem = ties->bodies->problem;
    const int32_t contact = ties->contact[leaf->tie[t]];
    const int32_t a = problem->side_a[contact].body, b = problem->side_b[contact].body;
    return a == leaf->body ? (b == leaf->body ? -1 : b) : a;
}

/* Lists the hub bodies to which a leaf body is joined: each once, with increasing index. */
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
    const int32_t end = cst_tie_padded(problem->body[leaf->body].size);
    const int hubs = list_hubs(ties, leaf, hub);
    leaf->first = end;
    for (int t = 0; t < leaf->ties; t++) {
        const cst_half *half = cst_tie_half(halves, ties->contact[leaf->tie[t]], leaf->body);
        leaf->first = half->first < leaf->first ? half->first : leaf->first;
        assert(half->first + half->length == end);
    }
    leaf->length = end - leaf->first;
    for (int k = 0; k < hubs; k++)
        leaf->width += cst_tie_padded(problem->body[hub[k]].size);
    leaf->q = CST_TAKE(arena, double, (size_t)leaf->rows *(size_t)leaf->length);
    leaf->column = CST_TAKE_RAW(arena, int32_t, leaf->width);
    leaf->y = CST_TAKE(arena, double, (size_t)leaf->rows *(size_t)leaf->width);
    leaf->e = CST_TAKE_RAW(arena, double, leaf->rows);
    leaf->passed_on = CST_TAKE(arena, bool, leaf->rows);
    if (arena->failed || !cst_envelope_begin(arena, leaf->rows, &leaf->S))
        return false;
    for (int k = 0, at = 0; k < hubs; k++)
        for (int32_t i = 0; i < cst_tie_padded(problem->body[hub[k]].size); i++)
            leaf->column[at++] = ties->hub_at[hub[k]] + i;
    return cst_envelope_open(arena, &leaf->S);
}

/* A group of hub bodies has at most as many independent constraint equations as dofs. */
static bool take_core(cst_arena *arena, cst_tie_core *core)
{
    const size_t n = (size_t)core->size;
    core->leaf = CST_TAKE_RAW(arena, int32_t, n);
    core->row = CST_TAKE_RAW(arena, int32_t, n);
    core->c = CST_TAKE_RAW(arena, double, n *n);
    core->p = CST_TAKE_RAW(arena, double, n *n);
    core->state = CST_TAKE_RAW(arena, double, n);
    core->scratch = CST_TAKE_RAW(arena, double, n);
    core->e = CST_TAKE_RAW(arena, double, n);
    return !arena->failed && cst_envelope_begin(arena, core->size, &core->M) && cst_envelope_open(arena, &core->M) &&
           cst_envelope_begin(arena, core->size, &core->S) && cst_envelope_open(arena, &core->S);
}

/* Makes a leaf body share the arrays of its factors L_s, Q and Y (ties.h) with an earlier elimination. The indices of the body,
 * the group and the constraints remain those of the new elimination. */
static void borrow_leaf(const cst_tie_leaf *lent, cst_tie_leaf *leaf)
{
    const cst_tie_leaf own = *leaf;
    assert(lent->ties == own.ties && (lent->core < 0) == (own.core < 0));
    *leaf = *lent;
    leaf->body = own.body;
    leaf->core = own.core;
    leaf->tie = own.tie;
}

static bool lay_out(cst_ties *ties, const cst_halves *halves, const cst_tie_leaf *const *lent, cst_arena *arena)
{
    if (!open_all(ties, arena) || !list_ties(ties, arena))
        return false;
    int most = 0;
    for (int k = 0; k < ties->leaves; k++)
        most = ties->leaf[k].ties > most ? ties->leaf[k].ties : most;
    int32_t *hub = CST_TAKE_RAW(arena, int32_t, most + 1);
    for (int k = 0; k < ties->leaves && !arena->failed; k++)
        if (lent)
            borrow_leaf(lent[ties->leaf[k].body], ties->leaf + k);
        else
            take_leaf(ties, halves, hub, arena, ties->leaf + k);
    for (int k = 0; k < ties->plan.cores && !arena->failed; k++)
        take_core(arena, ties->core + k);
    return !arena->failed;
}

/* --------------------------------------------------------------------------------------------------------------- factors */

/* Computes row i of the factor Y of a leaf body (ties.h) by forward substitution. Returns true if the constraint equation i of a
 * leaf body depends linearly on the equations before it but still constrains the hub bodies. */
static inline __attribute__((always_inline)) bool forward_hub_row(const cst_tie_leaf *leaf, int i)
{
    const int width = leaf->width;
    const double *row = cst_envelope_row(&leaf->S, i);
    double *to = leaf->y + (int64_t)i * width;
    const double own = row[i] == 0.0 ? square_of(to, width) : 0.0;
    double weights = 0.0, others = 0.0;
    for (int j = leaf->S.first[i]; j < i; j++) {
        const double *before = leaf->y + (int64_t)j * width;
        if (cst_tie_is_left_out(leaf, j))
            continue;
        if (row[i] == 0.0) {
            weights += row[j] * row[j];
            others += square_of(before, width);
        }
        subtract_row(width, row[j], before, to);
    }
    if (row[i] == 0.0)
        /* more than rounding error is left */
        return square_of(to, width) > DEPENDENT * (own + weights * others);
    scale_row(width, row[i], to);
    return false;
}

CST_MULTIVERSION
static void forward_hub_rows(const cst_tie_leaf *leaf)
{
    for (int i = 0; i < leaf->rows; i++)
        leaf->passed_on[i] = forward_hub_row(leaf, i);
}

static void factor_leaf(const cst_ties *ties, const cst_halves *halves, cst_tie_leaf *leaf)
{
    const int dim = ties->dim;
    for (int p = 0; p < leaf->ties; p++) {
        const cst_half *own = cst_tie_half(halves, ties->contact[leaf->tie[p]], leaf->body);
        for (int q = 0; q <= p; q++) {
            double block[9] = {0};
            cst_half_couple(dim, own, cst_tie_half(halves, ties->contact[leaf->tie[q]], leaf->body), block);
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
        const cst_half *far = cst_tie_half(halves, ties->contact[leaf->tie[p]], hub);
        int at = 0;
        while (leaf->column[at] != ties->hub_at[hub] + far->first)
            at++;
        for (int row = 0; row < dim; row++)
            memcpy(leaf->y + (int64_t)(p * dim + row) * leaf->width + at, far->z + (int64_t)row * far->length,
                   sizeof(double) * (size_t)far->length);
    }
    cst_envelope_factor_semidefinite(&leaf->S, DEPENDENT);
    forward_rows(&leaf->S, leaf->length, leaf->q);
    forward_hub_rows(leaf);
}

/* Adds the inertia Y^T Y of one leaf body (ties.h) to the lower triangle of M, the matrix of a group of hub bodies. */
CST_MULTIVERSION
static void add_leaf_inertia(const cst_tie_leaf *leaf, cst_envelope *M)
{
    for (int i = 0; i < leaf->width; i++) {
        double *row = cst_envelope_row(M, leaf->column[i]);
        for (int j = 0; j <= i; j += CST_STATE_LANES) {
            vec4 sum = {0};
            for (int r = 0; r < leaf->rows; r++) {
                const double *y = leaf->y + (int64_t)r * leaf->width;
                if (!cst_tie_is_left_out(leaf, r))
                    sum += y[i] * *(const vec4 *)(y + j);
            }
            for (int k = j; k <= i && k < j + CST_STATE_LANES; k++)
                row[leaf->column[k]] += sum[k - j];
        }
    }
}

/* Computes the matrix M of each group of hub bodies: the identity plus the inertia of the leaf bodies joined to the group. */
static void add_inertia(cst_ties *ties)
{
    for (int k = 0; k < ties->plan.cores; k++)
        for (int32_t i = 0; i < ties->core[k].size; i++)
            cst_envelope_row(&ties->core[k].M, i)[i] = 1.0;
    for (int k = 0; k < ties->leaves; k++)
        if (ties->leaf[k].core >= 0)
            add_leaf_inertia(ties->leaf + k, &ties->core[ties->leaf[k].core].M);
}

/* Orthonormalises a constraint equation of a group of hub bodies and appends it to the group's matrix P as a new row (ties.h),
 * unless the equation depends linearly on the rows of P. The input core->scratch is the vector L^-1 H^T of the new equation (L:
 * Cholesky factors of the hub bodies, H: Jacobian of the equation). For an equation that a leaf body passes on, core->scratch is
 * its row of Y. */
static void add_core_row(cst_tie_core *core, int32_t leaf, int32_t row)
{
    const int32_t n = core->size;
    if (core->rows == n)
        return;
    double *c = core->c + (int64_t)core->rows * n, *p = core->p + (int64_t)core->rows * n;
    double *l = cst_envelope_row(&core->S, core->rows);
    memcpy(c, core->scratch, sizeof(double) * (size_t)n);
    cst_envelope_forward(&core->M, 1, 0, 0, c);
    memcpy(p, c, sizeof(double) * (size_t)n);
    for (int j = 0; j < core->rows; j++)
        l[j] = 0.0;
    /* two passes of Gram-Schmidt orthogonalisation are enough (Giraud, Langou and Rozloznik 2005, Computers and Mathematics with
     * Applications 50) */
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < core->rows; j++) {
            const double *before = core->p + (int64_t)j * n;
            double sum = 0.0;
            for (int32_t k = 0; k < n; k++)
                sum += before[k] * p[k];
            for (int32_t k = 0; k < n; k++)
                p[k] -= sum * before[k];
            l[j] += sum;
        }
    const double rest = square_of(p, n);
    if (!(rest > DEPENDENT * square_of(c, n)))
        return;
    l[core->rows] = 1.0 / sqrt(rest);
    for (int32_t k = 0; k < n; k++)
        p[k] *= l[core->rows];
    core->leaf[core->rows] = leaf;
    core->row[core->rows++] = row;
}

/* Factorises the matrix of a group of hub bodies, and orthonormalises the constraints of its hub bodies with each other and with
 * the world. Returns false if the group's matrix is not positive definite, for example because its entries are not finite. */
static bool factor_core(const cst_ties *ties, const cst_halves *halves, cst_tie_core *core)
{
    const int dim = ties->dim;
    if (cst_envelope_factor(&core->M) >= 0)
        return false;
    for (int t = 0; t < core->ties; t++) {
        const cst_half *half = halves->half + 2 * (int64_t)ties->contact[core->tie[t]];
        for (int row = 0; row < dim; row++) {
            memset(core->scratch, 0, sizeof(double) * (size_t)core->size);
            for (int s = 0; s < 2; s++)
                for (int32_t k = 0; half[s].body >= 0 && k < half[s].length; k++)
                    core->scratch[ties->hub_at[half[s].body] + half[s].first + k] += half[s].z[(int64_t)row * half[s].length + k];
            add_core_row(core, -1, t * dim + row);
        }
    }
    return true;
}

static void pass_on_rows(const cst_ties *ties)
{
    for (int32_t k = 0; k < ties->leaves; k++) {
        const cst_tie_leaf *leaf = ties->leaf + k;
        for (int32_t r = 0; r < leaf->rows; r++) {
            if (!leaf->passed_on[r])
                continue;
            cst_tie_core *core = ties->core + leaf->core;
            memset(core->scratch, 0, sizeof(double) * (size_t)core->size);
            for (int i = 0; i < leaf->width; i++)
                core->scratch[leaf->column[i]] = leaf->y[(int64_t)r * leaf->width + i];
            add_core_row(core, k, r);
        }
    }
}

cst_status cst_ties_build(const cst_bodies *bodies, const cst_tie_plan *plan, const int32_t *contact, int ties,
                          cst_halves *halves, const cst_tie_leaf *const *lent, int threads, cst_arena *arena, cst_ties *out)
{
    *out = (cst_ties){
        .bodies = bodies, .dim = bodies->problem->dim, .halves = halves, .ties = ties, .contact = contact, .plan = *plan};
    const cst_status rewritten = rewrite_hubs(out, halves, arena);
    if (rewritten != CST_SOLVED)
        return rewritten;
    if (!lay_out(out, halves, lent, arena))
        return CST_OUT_OF_MEMORY;
    const int used = cst_threads_for(threads, out->leaves, PARALLEL_LEAVES);
    (void)used; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(used)
    for (int k = 0; k < (lent ? 0 : out->leaves); k++)
        factor_leaf(out, halves, out->leaf + k);
    add_inertia(out);
    for (int k = 0; k < out->plan.cores; k++)
        if (!factor_core(out, halves, out->core + k))
            return CST_BAD_PROBLEM;
    pass_on_rows(out);
    for (int k = 0; k < out->plan.cores; k++)
        out->core[k].S.size = out->core[k].rows;
    return CST_SOLVED;
}
