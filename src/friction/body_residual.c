#include "friction/body_residual.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lock.h"
#include "base/threads.h"
#include "friction/body_audit.h"
#include "friction/body_check.h"
#include "friction/body_defect.h"
#include "friction/half.h"
#include "friction/residual.h"
#include "math/small_matrix.h"

/* FREE_MOTION: relative tolerance for the free velocities of cloth, which cloth would have if all impulses were zero.
 * FREE_MOTION_USABLE: largest accepted relative error of the free velocities of cloth; with a larger error, the problem is
 * rejected. */
static const double FREE_MOTION = 1e-8, FREE_MOTION_USABLE = 1e-4;

enum { PARALLEL_MIN = 512, PARALLEL_BODIES = 32, CORRECTIONS_MAX = 4 };

/* ----------------------------------------------------------------------------------------------------------- compliances */

/* A contact without a positive compliance gets the largest compliance of all contacts, or 1 if no contact has a positive
 * compliance. */
static void replace_zeros(const cst_body_judge *judge)
{
    const int n = judge->bodies->problem->contacts;
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, judge->w[i]);
    for (int i = 0; i < n; i++)
        if (!(judge->w[i] > 0.0))
            judge->w[i] = largest > 0.0 ? largest : 1.0;
}

static double nodal_compliance(const cst_body_judge *judge, int contact)
{
    const int dim = judge->nodes->dim;
    double block[9] = {0}, trace = 0.0;
    cst_nodes_add_compliance(judge->nodes, contact, block);
    for (int c = 0; c < dim; c++)
        trace += block[c * (dim + 1)] / dim;
    return trace;
}

/* Computes the compliances of all Coulomb contacts. A bilateral contact needs no compliance, because its error is its velocity
 * divided by the velocity scale. */
static cst_status find_compliance(const cst_body_judge *judge, double *scratch, char *message, size_t message_size)
{
    const cst_body_problem *problem = judge->bodies->problem;
    const int dim = problem->dim;
    for (int i = 0; i < problem->contacts; i++) {
        double block[9], trace = 0.0;
        judge->w[i] = 0.0;
        if (problem->law && problem->law[i] == CST_LAW_BILATERAL)
            continue;
        if (!cst_half_compliance_alone(judge->bodies, i, scratch, block)) {
            snprintf(message, message_size, "contact %d: the solve function of a body failed", i);
            return CST_BAD_PROBLEM;
        }
        cst_nodes_add_compliance(judge->nodes, i, block);
        for (int c = 0; c < dim; c++)
            trace += block[c * (dim + 1)] / dim;
        judge->w[i] = trace;
    }
    return CST_SOLVED;
}

/* Marks every body that has at least one Coulomb contact. */
static void mark_weighed(const cst_body_problem *problem, bool *weighed)
{
    memset(weighed, 0, sizeof *weighed * (size_t)problem->bodies);
    for (int i = 0; i < problem->contacts; i++) {
        const int32_t end[2] = {problem->side_a[i].body, problem->side_b[i].body};
        const bool bilateral = problem->law && problem->law[i] == CST_LAW_BILATERAL;
        for (int s = 0; s < 2 && !bilateral; s++)
            if (end[s] >= 0)
                weighed[end[s]] = true;
    }
}

/* Returns true if the factors and free velocities lent by the solver agree with the given matrices, and the lent compliances are
 * finite. The factor of a body without Coulomb contacts is not checked, because the residual needs no compliances of bilateral
 * contacts. A wrong factor of a body without Coulomb contacts cannot make the residual too small, because find_expected checks
 * the velocities that it computes with this factor. */
static bool look_through(cst_body_judge *judge, const double *w_lent, bool *weighed)
{
    const cst_bodies *bodies = judge->bodies;
    const cst_body_problem *problem = bodies->problem;
    const int threads = cst_threads_for(bodies->threads, problem->bodies, PARALLEL_BODIES);
    int wrong = problem->bodies;
    mark_weighed(problem, weighed);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : wrong)
    for (int at = 0; at < problem->bodies; at++) {
        double *scratch = judge->scratch + 4 * bodies->offset[at];
        cst_bodies_fetch(bodies, at + 1, true);
        if (at < wrong && problem->body[at].kind != CST_BODY_NODAL &&
            !((!weighed[at] || cst_audit_factor(bodies, at, scratch)) && cst_audit_free_motion(bodies, at, scratch)))
            wrong = at;
    }
    judge->distrusted = wrong < problem->bodies ? wrong : -1;
    bool sound = wrong == problem->bodies;
    for (int i = 0; i < problem->contacts && sound; i++)
        sound = isfinite(w_lent[i]);
    return sound;
}

static void take_compliances(const cst_body_judge *judge, const double *w_lent)
{
    const int n = judge->bodies->problem->contacts, threads = cst_threads_for(judge->bodies->threads, n, PARALLEL_MIN);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < n; i++)
        judge->w[i] = w_lent[i] + (judge->nodes->count > 0 ? nodal_compliance(judge, i) : 0.0);
}

/* ---------------------------------------------------------------------------------------------------------------- scale */

/* Adds the contribution of one body to the component `row` of a contact velocity, *u, and adds the absolute values of the
 * summands to *size. */
static void add_terms(const cst_contact_side *side, const int64_t *offset, const double *v, int row, double *u, double *size)
{
    const double *h = side->h + (int64_t)row * side->dofs, *of_body = v + offset[side->body];
    for (int k = 0; k < side->dofs; k++) {
        const double term = h[k] * of_body[side->dof[k]];
        *u += term;
        *size += fabs(term);
    }
}

double cst_body_velocity_scale(const cst_body_problem *problem, const int64_t *offset, int threads, const double *v)
{
    double approach = 0.0, largest = 0.0;
    const int used = cst_threads_for(threads, problem->contacts, PARALLEL_MIN);
    (void)used; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(used) reduction(max : approach, largest)
    for (int i = 0; i < problem->contacts; i++) {
        const cst_contact_side *a = problem->side_a + i, *b = problem->side_b + i;
        double w[3] = {0.0}, terms = 0.0, size = 0.0;
        for (int row = 0; row < problem->dim; row++) {
            double sum = fabs(w[row] = problem->velocity_offset[(int64_t)i * problem->dim + row]);
            if (a->body >= 0)
                add_terms(a, offset, v, row, w + row, &sum);
            if (b->body >= 0)
                add_terms(b, offset, v, row, w + row, &sum);
            terms += sum * sum;
            size += w[row] * w[row];
        }
        cst_keep_largest(&largest, sqrt(terms));
        cst_keep_largest(&approach, problem->law && problem->law[i] == CST_LAW_BILATERAL ? sqrt(size) : -w[0]);
    }
    const double scale = fmax(approach, 1e-6 * largest);
    return scale > 0.0 ? scale : 1.0;
}

cst_status cst_body_free_scale(const cst_bodies *bodies, const cst_nodes *nodes, cst_arena *arena, double *scale, char *message,
                               size_t message_size)
{
    const cst_body_problem *problem = bodies->problem;
    const int64_t dofs = bodies->offset[problem->bodies];
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *of_nodes = CST_TAKE(arena, double, (size_t)nodes->count *(size_t)problem->dim);
    double *v = CST_TAKE_RAW(arena, double, (size_t)dofs);
    const bool guessed =
        !arena->failed && (!cst_nodes_lent(problem) || cst_nodes_guess(problem, nodes, nodes->rhs, arena, of_nodes));
    const double left = guessed ? cst_nodes_solve(nodes, nodes->rhs, FREE_MOTION, arena, of_nodes) : 0.0;
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    if (!(left <= FREE_MOTION_USABLE)) {
        snprintf(message, message_size, "the free motion of the nodal bodies was not found (defect %g): is A positive definite?",
                 left);
        return CST_BAD_PROBLEM;
    }
    memcpy(v, bodies->free_velocity, sizeof(double) * (size_t)dofs);
    cst_nodes_scatter(nodes, of_nodes, v);
    *scale = cst_body_velocity_scale(problem, bodies->offset, bodies->threads, v);
    cst_arena_release(arena, mark);
    return CST_SOLVED;
}

/* Computes the compliances of the contacts; if `factor` is true, first factorises the matrices of the bodies again. */
static cst_status make_own(cst_body_judge *judge, bool factor, cst_arena *arena, char *message, size_t message_size)
{
    const cst_bodies *lent = judge->bodies;
    if (factor) {
        const cst_status status =
            cst_bodies_factor(lent->problem, CST_BODIES_OWN_FACTORS, lent->threads, arena, &judge->own, message, message_size);
        if (status != CST_SOLVED)
            return status;
        judge->bodies = &judge->own;
    }
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *scratch = CST_TAKE_RAW(arena, double, (size_t)cst_half_scratch(judge->bodies));
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    const cst_status status = find_compliance(judge, scratch, message, message_size);
    cst_arena_release(arena, mark);
    return status;
}

cst_status cst_body_judge_begin(const cst_bodies *bodies, const cst_nodes *nodes, const double *w_lent, double scale,
                                double floor, cst_arena *arena, cst_body_judge *judge, char *message, size_t message_size)
{
    const size_t of_nodes = (size_t)nodes->count * (size_t)nodes->dim, dofs = (size_t)bodies->offset[bodies->problem->bodies];
    *judge = (cst_body_judge){.bodies = bodies,
                              .nodes = nodes,
                              .distrusted = -1,
                              .scale = scale,
                              .w = CST_TAKE_RAW(arena, double, (size_t)bodies->problem->contacts),
                              .expected = CST_TAKE_RAW(arena, double, dofs),
                              .scratch = CST_TAKE_RAW(arena, double, 4 * dofs),
                              .of_nodes = CST_TAKE_RAW(arena, double, of_nodes),
                              .impulse = CST_TAKE_RAW(arena, double, of_nodes)};
    bool *weighed = CST_TAKE_RAW(arena, bool, (size_t)bodies->problem->bodies);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    cst_status status = CST_SOLVED;
    if (w_lent && look_through(judge, w_lent, weighed))
        take_compliances(judge, w_lent);
    else
        status = make_own(judge, w_lent != NULL, arena, message, message_size);
    replace_zeros(judge);
    if (status == CST_SOLVED && !(scale > 0.0))
        status = cst_body_free_scale(judge->bodies, nodes, arena, &judge->scale, message, message_size);
    if (!(scale > 0.0))
        judge->scale = fmax(judge->scale, floor);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- momentum */

/* Returns |A_jj^-1 d_j|, the velocity change of node j alone that would make its momentum defect d_j zero (A_jj: diagonal block
 * of the node). */
static double velocity_of(const cst_nodes *nodes, int node, const double *defect)
{
    double change[3] = {0};
    cst_small_apply(nodes->dim, nodes->inverse + (int64_t)node * nodes->dim * nodes->dim, defect, change);
    return sqrt(cst_small_dot(nodes->dim, change, change));
}

/* Returns the momentum defect of the cloth nodes (body_residual.h). A momentum defect that is larger than the defects of all
 * earlier nodes is computed again with nearly twice double precision. */
static double nodal_defect(const cst_body_judge *judge, const double *v, const double *r)
{
    const cst_nodes *nodes = judge->nodes;
    const int dim = nodes->dim;
    double largest = 0.0;
    cst_nodes_gather(nodes, v, judge->of_nodes);
    memset(judge->impulse, 0, sizeof(double) * (size_t)nodes->count * (size_t)dim);
    cst_nodes_add_impulses(nodes, judge->bodies->problem->contacts, r, judge->impulse);
    for (int j = 0; j < nodes->count; j++) {
        const int64_t at = (int64_t)j * dim;
        double force[3] = {0}, own[3] = {0};
        cst_nodes_off_diagonal(nodes, j, judge->of_nodes, force);
        cst_small_apply(dim, nodes->diagonal + at * dim, judge->of_nodes + at, own);
        for (int c = 0; c < dim; c++)
            force[c] += own[c] - nodes->rhs[at + c] - judge->impulse[at + c];
        if (velocity_of(nodes, j, force) <= largest)
            continue;
        cst_nodes_defect(nodes, j, judge->of_nodes, judge->impulse, force);
        cst_keep_largest(&largest, velocity_of(nodes, j, force));
    }
    return largest;
}

/* Computes v*, the velocities of one body that follow from the impulses r, by iterative refinement of the given velocities v. If
 * no defect can be computed for the body (cst_body_has_defect returns false), one solve of the linear system of the body computes
 * v*. Sets `differs` to false if v* is known to be equal to v. Sets `lost` if the iterative refinement did not converge, for
 * example because the solve callback failed. Returns false if the callback `defect` failed, or if a body has no callback `defect`
 * and its solve callback failed. */
static bool find_expected(const cst_body_judge *judge, int at, const double *v, const double *r, bool *differs, bool *lost)
{
    const cst_bodies *bodies = judge->bodies;
    const cst_body *body = bodies->problem->body + at;
    const int n = body->size;
    double *x = judge->expected + bodies->offset[at];
    double *f = judge->scratch + 4 * bodies->offset[at], *defect = f + n, *terms = f + 2 * n;
    cst_bodies_force(bodies, at, r, f);
    if (!cst_body_has_defect(body)) {
        memcpy(x, f, sizeof(double) * (size_t)n);
        *differs = true;
        return cst_bodies_solve(bodies, at, x);
    }
    memcpy(x, v + bodies->offset[at], sizeof(double) * (size_t)n);
    if (!cst_body_defect(body, x, f, defect, terms))
        return false;
    double share = cst_body_defect_share(body, defect, terms);
    *differs = body->kind == CST_BODY_SOLVE || !(share <= cst_body_rounding(body));
    for (int k = 0; k < CORRECTIONS_MAX && !(share <= cst_body_rounding(body)); k++) {
        if (!cst_bodies_solve(bodies, at, defect))
            break;
        for (int i = 0; i < n; i++)
            x[i] -= defect[i];
        if (!cst_body_defect(body, x, f, defect, terms))
            return false;
        share = cst_body_defect_share(body, defect, terms);
    }
    *lost = !(share <= cst_body_rounding_usable(body));
    return true;
}

static bool all_finite(const double *v, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(v[k]))
            return false;
    return true;
}

/* Computes v*, the velocities that follow from the impulses r, for all bodies except cloth. For cloth, the function copies the
 * given velocities v to v*. Returns 0 if the computed velocities v* are the given velocities v, 1 if v* can differ from v, 2 if
 * v* could not be computed, and -1 if a callback failed. */
static int find_all_expected(const cst_body_judge *judge, const double *v, const double *r)
{
    const cst_bodies *bodies = judge->bodies;
    const cst_body_problem *problem = bodies->problem;
    const int threads = cst_threads_for(bodies->threads, problem->bodies, PARALLEL_BODIES);
    int failed = 0, found = 0;
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : failed, found)
    for (int at = 0; at < problem->bodies; at++) {
        const double *of_body = v + bodies->offset[at];
        bool differs = false, lost = !all_finite(of_body, problem->body[at].size);
        cst_bodies_fetch(bodies, at + 1, true);
        if (problem->body[at].kind == CST_BODY_NODAL)
            memcpy(judge->expected + bodies->offset[at], of_body, sizeof(double) * (size_t)problem->body[at].size);
        else if (!lost && !find_expected(judge, at, v, r, &differs, &lost))
            failed = 1;
        found = found > (lost ? 2 : differs) ? found : (lost ? 2 : differs);
    }
    return failed ? -1 : found;
}

/* Computes the momentum defect of all bodies except cloth, as defined in body_residual.h. Returns false if a callback failed. */
static bool reduced_defect(const cst_body_judge *judge, const double *v, const double *r, double *largest)
{
    const cst_bodies *bodies = judge->bodies;
    const cst_body_problem *problem = bodies->problem;
    const int found = find_all_expected(judge, v, r);
    const int threads = cst_threads_for(bodies->threads, problem->contacts, PARALLEL_MIN);
    (void)threads; /* unused in a build without OpenMP */
    if (found == 2)
        *largest = HUGE_VAL;
    if (found != 1)
        return found >= 0;
    double seen = 0.0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : seen)
    for (int i = 0; i < problem->contacts; i++) {
        double given[3], expected[3], sum = 0.0;
        cst_contact_velocity(problem, bodies->offset, i, v, given);
        cst_contact_velocity(problem, bodies->offset, i, judge->expected, expected);
        for (int c = 0; c < problem->dim; c++)
            sum += (given[c] - expected[c]) * (given[c] - expected[c]);
        cst_keep_largest(&seen, sqrt(sum));
    }
    cst_keep_largest(largest, seen);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------- asking */

static void judge_contacts(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out, double *share)
{
    const cst_body_problem *problem = judge->bodies->problem;
    const int dim = problem->dim, threads = cst_threads_for(judge->bodies->threads, problem->contacts, PARALLEL_MIN);
    (void)threads; /* unused in a build without OpenMP */
    cst_lock lock;
    cst_lock_begin(&lock);
#pragma omp parallel num_threads(threads)
    {
        cst_residual part;
        cst_residual_begin(&part, judge->scale);
#pragma omp for schedule(static) nowait
        for (int i = 0; i < problem->contacts; i++) {
            double u[3];
            const bool bilateral = problem->law && problem->law[i] == CST_LAW_BILATERAL;
            cst_contact_velocity(problem, judge->bodies->offset, i, v, u);
            const double error = cst_residual_add(&part, dim, i, problem->mu[i], bilateral, judge->w[i], r + (int64_t)i * dim, u);
            if (share)
                share[i] = error;
        }
        cst_lock_take(&lock);
        cst_residual_merge(out, &part);
        cst_lock_give(&lock);
    }
}

bool cst_body_judge_ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out, double *share)
{
    double defect = nodal_defect(judge, v, r);
    if (!reduced_defect(judge, v, r, &defect))
        return false;
    cst_residual_begin(out, judge->scale);
    judge_contacts(judge, v, r, out, share);
    out->momentum = defect / judge->scale;
    cst_keep_largest(&out->error, out->momentum);
    cst_keep_largest(&out->fischer_burmeister, out->momentum);
    return true;
}

cst_status cst_body_judge_once(const cst_body_problem *problem, const cst_loan *loan, int threads, double scale, double floor,
                               cst_arena *arena, const double *v, const double *r, cst_residual *out, double *share,
                               char *message, size_t message_size)
{
    cst_bodies own;
    cst_nodes nodes;
    cst_body_judge judge;
    const bool lent = loan && loan->bodies.problem && loan->w;
    cst_status status = CST_SOLVED;
    if (!lent)
        status = cst_bodies_factor(problem, CST_BODIES_OWN_FACTORS, threads, arena, &own, message, message_size);
    if (status == CST_SOLVED)
        status = cst_nodes_build(problem, arena, &nodes, message, message_size);
    if (status == CST_SOLVED)
        status = cst_body_judge_begin(lent ? &loan->bodies : &own, &nodes, lent ? loan->w : NULL, scale, floor, arena, &judge,
                                      message, message_size);
    if (status != CST_SOLVED)
        return status;
    if (judge.distrusted >= 0)
        snprintf(message, message_size, "body %d: its factor or its free motion is not that of its matrix", judge.distrusted);
    if (cst_body_judge_ask(&judge, v, r, out, share))
        return CST_SOLVED;
    snprintf(message, message_size, "a body's callback failed");
    return CST_BAD_PROBLEM;
}

bool cst_body_residual(const cst_body_problem *problem, const double *v, const double *r, double scale,
                       const cst_allocator *allocator, cst_residual *out)
{
    char message[256];
    cst_arena arena;
    cst_arena_begin(&arena, allocator);
    const bool judged =
        cst_body_problem_check(problem, 1, message, sizeof message) == CST_SOLVED &&
        cst_body_judge_once(problem, NULL, 1, scale, 0.0, &arena, v, r, out, NULL, message, sizeof message) == CST_SOLVED;
    cst_arena_end(&arena);
    return judged;
}
