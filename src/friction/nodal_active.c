#include "friction/nodal_active.h"

#include <math.h>
#include <string.h>

#include "friction/condense_limits.h"
#include "friction/nodal_newton.h"
#include "friction/proximal_newton.h"
#include "friction/rows.h"
#include "math/small_matrix.h"
#include "sparse/block_compliance.h"

/* ROUNDS: largest number of runs of Newton's method on the active contacts. GIVE_UP: a run of Newton's method stops if GIVE_UP
 * steps have not halved the smallest error (docs/constants.md). */
enum { ROUNDS = 6, GIVE_UP = 80 };

typedef struct active {
    cst_mixed *mixed;
    cst_arena *arena;
    bool *in;        /* array (contacts): true if active */
    int32_t *chosen; /* array (contacts): active contacts, increasing */
    int count;
    double *free_nodes;                   /* velocities without contact impulses */
    const cst_acceleration *acceleration; /* NULL: Newton's method */
} active;

/* -------------------------------------------------------------------------------------------------------------- the choice */

/* Returns the number of nodes that have a contact and a neighbour without contacts; the Schur complement of the cloth is nearly
 * full between such nodes. */
static int count_rim(const cst_mixed *m)
{
    const cst_nodes *nodes = &m->nodes;
    int count = 0;
    for (int j = 0; j < nodes->count; j++) {
        bool rim = false;
        for (int64_t e = nodes->row_start[j]; m->touched[j] && !rim && e < nodes->row_start[j + 1]; e++)
            rim = !m->touched[nodes->column[e]];
        count += rim;
    }
    return count;
}

/* Returns true if no contact acts on a moving body other than cloth. */
static bool is_nodal_only(const cst_mixed *m)
{
    for (int64_t h = 0; h < 2 * (int64_t)m->problem->contacts; h++)
        if (m->halves.half[h].body >= 0)
            return false;
    return true;
}

bool cst_nodal_active_is_small(const cst_mixed *m)
{
    return cst_nodes_lent(m->problem) && is_nodal_only(m) && m->problem->contacts <= 2 * CST_RIM_LEAST;
}

bool cst_nodal_active_pays(const cst_mixed *m)
{
    const cst_body_problem *problem = m->problem;
    int with_impulse = 0;
    if (!cst_nodal_condense_pays(m) || !is_nodal_only(m))
        return false;
    for (int i = 0; i < problem->contacts; i++)
        with_impulse += m->r[(int64_t)i * problem->dim] != 0.0;
    const int rim = count_rim(m);
    return rim >= CST_RIM_LEAST && with_impulse <= rim;
}

static void velocity_of(const cst_mixed *m, int contact, const double *v, double *u)
{
    const cst_nodes *nodes = &m->nodes;
    const int dim = nodes->dim;
    memcpy(u, m->offset + (int64_t)contact * dim, sizeof *u * (size_t)dim);
    for (int64_t t = nodes->touch_start[contact]; t < nodes->touch_start[contact + 1]; t++) {
        double part[3];
        cst_small_apply(dim, nodes->touch_h + t * dim * dim, v + (int64_t)nodes->touch_node[t] * dim, part);
        for (int c = 0; c < dim; c++)
            u[c] += part[c];
    }
}

/* Makes active all bilateral contacts, all contacts with an impulse, and all contacts whose normal velocity is below `least`.
 * Returns the number of contacts that have become active. */
static int choose(active *a, double least)
{
    const cst_mixed *m = a->mixed;
    const int dim = m->nodes.dim, before = a->count;
    a->count = 0;
    for (int i = 0; i < m->problem->contacts; i++) {
        double u[3];
        velocity_of(m, i, m->v, u);
        a->in[i] = a->in[i] || m->local.law[i] == CST_LAW_BILATERAL || m->r[(int64_t)i * dim] > 0.0 || u[0] < least;
        if (a->in[i])
            a->chosen[a->count++] = i;
    }
    return a->count - before;
}

/* -------------------------------------------------------------------------------------------------------------- the problem */

static bool gather_rows(const active *a, cst_block_rows *out)
{
    const cst_nodes *nodes = &a->mixed->nodes;
    const int square = nodes->dim * nodes->dim;
    int64_t *start = CST_TAKE(a->arena, int64_t, (size_t)a->count + 1);
    for (int k = 0; start && k < a->count; k++)
        start[k + 1] = start[k] + nodes->touch_start[a->chosen[k] + 1] - nodes->touch_start[a->chosen[k]];
    if (!start)
        return false;
    int32_t *vertex = CST_TAKE_RAW(a->arena, int32_t, start[a->count]);
    double *block = CST_TAKE_RAW(a->arena, double, start[a->count] * square);
    if (a->arena->failed)
        return false;
    for (int k = 0; k < a->count; k++) {
        const int64_t from = nodes->touch_start[a->chosen[k]], length = start[k + 1] - start[k];
        memcpy(vertex + start[k], nodes->touch_node + from, sizeof *vertex * (size_t)length);
        memcpy(block + start[k] * square, nodes->touch_h + from * square, sizeof *block * (size_t)(length * square));
    }
    *out = (cst_block_rows){.groups = a->count, .start = start, .vertex = vertex, .block = block};
    return true;
}

/* Computes the lower triangle of the Delassus matrix of the active contacts. */
static double *find_delassus(const active *a)
{
    const cst_body_problem *problem = a->mixed->problem;
    const size_t size = (size_t)a->count * (size_t)problem->dim;
    double *W = CST_TAKE(a->arena, double, size *size);
    cst_block_rows rows;
    if (a->arena->failed || !gather_rows(a, &rows))
        return NULL;
    for (int k = 0; k < problem->bodies; k++) {
        if (problem->body[k].kind != CST_BODY_NODAL)
            continue;
        if (!cst_block_compliance_add(problem->body[k].nodal_factor, &rows, a->arena, W, (int)size))
            return NULL;
        rows.first += problem->body[k].size / problem->dim;
    }
    return W;
}

static void fill_problem(const active *a, const double *W, int64_t *row_start, int32_t *column, double *block,
                         double *free_velocity, double *mu, uint8_t *law)
{
    const cst_mixed *m = a->mixed;
    const int dim = m->nodes.dim, square = dim * dim, n = a->count;
    for (int i = 0; i < n; i++) {
        row_start[i + 1] = (int64_t)(i + 1) * n;
        velocity_of(m, a->chosen[i], a->free_nodes, free_velocity + (int64_t)i * dim);
        mu[i] = m->problem->mu[a->chosen[i]];
        law[i] = (uint8_t)m->local.law[a->chosen[i]];
        for (int j = 0; j < n; j++) {
            double *to = block + ((int64_t)i * n + j) * square;
            column[(int64_t)i * n + j] = j;
            for (int c = 0; c < square; c++) {
                const int64_t row = (int64_t)i * dim + c / dim, other = (int64_t)j * dim + c % dim;
                to[c] = row >= other ? W[row * n * dim + other] : W[other * n * dim + row];
            }
        }
    }
}

/* Makes the friction problem of the active contacts, with an assembled Delassus matrix. Returns false if memory ran out. */
static bool pack(const active *a, int threads, cst_system *out)
{
    const size_t n = (size_t)a->count, dim = (size_t)a->mixed->nodes.dim;
    cst_coupling *coupling = CST_TAKE(a->arena, cst_coupling, 1);
    int64_t *row_start = CST_TAKE(a->arena, int64_t, n + 1);
    int32_t *column = CST_TAKE_RAW(a->arena, int32_t, n * n);
    double *block = CST_TAKE_RAW(a->arena, double, n *n *dim *dim), *free_velocity = CST_TAKE_RAW(a->arena, double, n *dim);
    double *mu = CST_TAKE_RAW(a->arena, double, n);
    uint8_t *law = CST_TAKE_RAW(a->arena, uint8_t, n);
    const double *W = find_delassus(a);
    if (!W || a->arena->failed)
        return false;
    fill_problem(a, W, row_start, column, block, free_velocity, mu, law);
    const cst_friction_problem problem = {.dim = (int)dim,
                                          .contacts = a->count,
                                          .row_start = row_start,
                                          .column = column,
                                          .block = block,
                                          .free_velocity = free_velocity,
                                          .mu = mu,
                                          .law = law};
    *out = (cst_system){.threads = threads};
    if (!cst_rows_pack(&problem, NULL, a->mixed->judge.scale, a->arena, out))
        return false;
    if (a->acceleration)
        return true;
    *coupling = *out->coupling;
    coupling->form = CST_FORM_MIXED; /* Newton's settings for cloth */
    out->coupling = coupling;
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- the solve */

static cst_accelerated_result solve(active *a, const cst_method_settings *settings, bool warm, int threads)
{
    cst_mixed *m = a->mixed;
    const int dim = m->nodes.dim;
    const cst_arena_mark mark = cst_arena_mark_now(a->arena);
    cst_proximal_state state = {.give_up = GIVE_UP, .warm = warm};
    cst_accelerated_result result = {.method = {.error = HUGE_VAL}};
    cst_system system;
    double *x = CST_TAKE_RAW(a->arena, double, (size_t)a->count *(size_t)dim);
    if (a->arena->failed || !pack(a, threads, &system))
        return result;
    for (int64_t k = 0; k < (int64_t)a->count * dim; k++)
        x[k] = m->r[(int64_t)a->chosen[k / dim] * dim + k % dim] * (system.weight[k / dim] * m->judge.scale);
    if (a->acceleration) {
        result = cst_accelerate(&system, settings, a->acceleration, a->arena, x);
    } else {
        result.method = cst_proximal_newton_within(&system, settings, HUGE_VAL, &state, a->arena, x);
        result.newton_iterations = result.method.iterations;
    }
    if (a->arena->failed)
        return result;
    memset(m->r, 0, sizeof *m->r * (size_t)m->problem->contacts * (size_t)dim);
    for (int64_t k = 0; k < (int64_t)a->count * dim; k++)
        m->r[(int64_t)a->chosen[k / dim] * dim + k % dim] = x[k] / (system.weight[k / dim] * m->judge.scale);
    cst_arena_release(a->arena, mark);
    return result;
}

cst_accelerated_result cst_nodal_active_run(cst_mixed *m, const cst_method_settings *settings, bool warm, int threads,
                                            const cst_acceleration *acceleration, cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const size_t of_nodes = (size_t)m->nodes.count * (size_t)m->nodes.dim, n = (size_t)m->problem->contacts;
    cst_method_settings inner = *settings;
    cst_accelerated_result result = {.method = {.error = HUGE_VAL}};
    active a = {.mixed = m,
                .arena = arena,
                .acceleration = acceleration,
                .in = CST_TAKE(arena, bool, n),
                .chosen = CST_TAKE_RAW(arena, int32_t, n),
                .free_nodes = CST_TAKE_RAW(arena, double, of_nodes)};
    /* if more than `most` contacts become active, cst_nodal_active_run ends, because Newton's method on the node velocities
     * then costs less */
    const int rim = count_rim(m), most = rim > 2 * CST_RIM_LEAST ? rim : 2 * CST_RIM_LEAST;
    int iterations = 0, newton_iterations = 0;
    if (arena->failed || !cst_nodes_guess(m->problem, &m->nodes, m->nodes.rhs, arena, a.free_nodes) ||
        !cst_nodal_newton_velocities(m, NULL, arena))
        return result;
    double least = 0.0;
    for (int round = 0; round < ROUNDS && choose(&a, least) > 0; round++) {
        if (a.count > most) {
            result.method.converged = false;
            break;
        }
        inner.max_iterations = settings->max_iterations - iterations;
        result = solve(&a, &inner, warm, threads);
        iterations += result.method.iterations;
        newton_iterations += result.newton_iterations;
        result.method.iterations = iterations;
        result.newton_iterations = newton_iterations;
        if (arena->failed || !cst_nodal_newton_velocities(m, NULL, arena))
            return result;
        if (!result.method.converged)
            break;
        warm = true;
        least = -0.5 * settings->tolerance * m->judge.scale;
    }
    cst_arena_release(arena, mark);
    return result;
}
