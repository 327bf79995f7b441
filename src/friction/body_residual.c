#include "friction/body_residual.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "friction/body_check.h"
#include "friction/half.h"
#include "friction/residual.h"
#include "math/small_matrix.h"

/* Free motion of nodal bodies: far tighter than any tolerance on E, which is relative to the V that follows from it. */
static const double FREE_MOTION = 1e-8, FREE_MOTION_USABLE = 1e-4;

static cst_status find_compliance(const cst_body_judge *judge, double *scratch, char *message, size_t message_size)
{
    const cst_body_problem *problem = judge->bodies->problem;
    const int dim = problem->dim;
    double largest = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        double block[9], trace = 0.0;
        if (!cst_half_compliance_alone(judge->bodies, i, scratch, block)) {
            snprintf(message, message_size, "contact %d: the solve function of a body failed", i);
            return CST_BAD_PROBLEM;
        }
        cst_nodes_add_compliance(judge->nodes, i, block);
        for (int c = 0; c < dim; c++)
            trace += block[c * (dim + 1)] / dim;
        judge->w[i] = trace;
        largest = fmax(largest, trace);
    }
    for (int i = 0; i < problem->contacts; i++)
        if (!(judge->w[i] > 0.0))
            judge->w[i] = largest > 0.0 ? largest : 1.0;
    return CST_SOLVED;
}

static void keep_largest(double *largest, double value)
{
    if (!(value <= *largest))
        *largest = isnan(value) ? HUGE_VAL : value;
}

static double size_of_terms(const cst_contact_side *side, const int64_t *offset, const double *v, int row)
{
    double sum = 0.0;
    if (side->body >= 0)
        for (int k = 0; k < side->dofs; k++)
            sum += fabs(side->h[row * side->dofs + k] * v[offset[side->body] + side->dof[k]]);
    return sum;
}

double cst_body_velocity_scale(const cst_body_problem *problem, const int64_t *offset, const double *v)
{
    double approach = 0.0, largest = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        double w[3] = {0.0}, terms = 0.0, size = 0.0;
        cst_contact_velocity(problem, offset, i, v, w);
        for (int row = 0; row < problem->dim; row++) {
            const double sum = fabs(problem->velocity_offset[(int64_t)i * problem->dim + row]) +
                               size_of_terms(&problem->side_a[i], offset, v, row) +
                               size_of_terms(&problem->side_b[i], offset, v, row);
            terms += sum * sum;
            size += w[row] * w[row];
        }
        keep_largest(&largest, sqrt(terms));
        keep_largest(&approach, problem->law && problem->law[i] == CST_LAW_BILATERAL ? sqrt(size) : -w[0]);
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
    const double left = arena->failed ? 0.0 : cst_nodes_solve(nodes, nodes->rhs, FREE_MOTION, arena, of_nodes);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    if (!(left <= FREE_MOTION_USABLE)) {
        snprintf(message, message_size, "the free motion of the nodal bodies was not found (defect %g): is A positive definite?",
                 left);
        return CST_BAD_PROBLEM;
    }
    memcpy(v, bodies->free_velocity, sizeof(double) * (size_t)dofs);
    cst_nodes_scatter(nodes, of_nodes, v);
    *scale = cst_body_velocity_scale(problem, bodies->offset, v);
    cst_arena_release(arena, mark);
    return CST_SOLVED;
}

cst_status cst_body_judge_begin(const cst_bodies *bodies, const cst_nodes *nodes, double scale, cst_arena *arena,
                                cst_body_judge *judge, char *message, size_t message_size)
{
    const size_t of_nodes = (size_t)nodes->count * (size_t)nodes->dim;
    *judge = (cst_body_judge){.bodies = bodies,
                              .nodes = nodes,
                              .scale = scale,
                              .w = CST_TAKE_RAW(arena, double, (size_t)bodies->problem->contacts),
                              .expected = CST_TAKE_RAW(arena, double, (size_t)bodies->offset[bodies->problem->bodies]),
                              .of_nodes = CST_TAKE_RAW(arena, double, of_nodes),
                              .impulse = CST_TAKE_RAW(arena, double, of_nodes)};
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *scratch = CST_TAKE_RAW(arena, double, (size_t)cst_half_scratch(bodies));
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    cst_status status = find_compliance(judge, scratch, message, message_size);
    cst_arena_release(arena, mark);
    if (status == CST_SOLVED && !(scale > 0.0))
        status = cst_body_free_scale(bodies, nodes, arena, &judge->scale, message, message_size);
    return status;
}

/* max_j |v_j - A_jj^-1 (rhs_j + impulse_j - sum_k A_jk v_k)| */
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
        double force[3] = {0}, own[3] = {0}, defect[3] = {0};
        cst_nodes_off_diagonal(nodes, j, judge->of_nodes, force);
        cst_small_apply(dim, nodes->diagonal + at * dim, judge->of_nodes + at, own);
        for (int c = 0; c < dim; c++)
            force[c] += own[c] - nodes->rhs[at + c] - judge->impulse[at + c];
        cst_small_apply(dim, nodes->inverse + at * dim, force, defect);
        keep_largest(&largest, sqrt(cst_small_dot(dim, defect, defect)));
    }
    return largest;
}

/* What contacts see of v - A^-1 (rhs + H^T r) on reduced bodies. */
static bool reduced_defect(const cst_body_judge *judge, const double *v, const double *r, double *largest)
{
    const cst_bodies *bodies = judge->bodies;
    const cst_body_problem *problem = bodies->problem;
    const int64_t dofs = bodies->offset[problem->bodies];
    for (int64_t k = 0; k < dofs; k++) /* also where no contact looks */
        if (!isfinite(v[k]))
            *largest = HUGE_VAL;
    memcpy(judge->expected, v, sizeof(double) * (size_t)dofs);
    if (!cst_bodies_velocities(bodies, r, judge->expected))
        return false;
    for (int i = 0; i < problem->contacts; i++) {
        double given[3], expected[3], sum = 0.0;
        cst_contact_velocity(problem, bodies->offset, i, v, given);
        cst_contact_velocity(problem, bodies->offset, i, judge->expected, expected);
        for (int c = 0; c < problem->dim; c++)
            sum += (given[c] - expected[c]) * (given[c] - expected[c]);
        keep_largest(largest, sqrt(sum));
    }
    return true;
}

/* share (contacts) or NULL. */
static bool ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out, double *share)
{
    const cst_body_problem *problem = judge->bodies->problem;
    const int dim = problem->dim;
    double defect = nodal_defect(judge, v, r);
    if (!reduced_defect(judge, v, r, &defect))
        return false;
    cst_residual_begin(out, judge->scale);
    for (int i = 0; i < problem->contacts; i++) {
        double u[3];
        const bool bilateral = problem->law && problem->law[i] == CST_LAW_BILATERAL;
        cst_contact_velocity(problem, judge->bodies->offset, i, v, u);
        const double error = cst_residual_add(out, dim, i, problem->mu[i], bilateral, judge->w[i], r + (int64_t)i * dim, u);
        if (share)
            share[i] = error;
    }
    out->momentum = defect / judge->scale;
    keep_largest(&out->error, out->momentum);
    keep_largest(&out->fischer_burmeister, out->momentum);
    return true;
}

bool cst_body_judge_ask(const cst_body_judge *judge, const double *v, const double *r, cst_residual *out)
{
    return ask(judge, v, r, out, NULL);
}

bool cst_body_residual_shares(const cst_body_problem *problem, const double *v, const double *r, double scale,
                              const cst_allocator *allocator, cst_residual *out, double *share)
{
    char message[256];
    cst_arena arena;
    cst_bodies bodies;
    cst_nodes nodes;
    cst_body_judge judge;
    cst_arena_begin(&arena, allocator);
    const bool judged = cst_body_problem_check(problem, message, sizeof message) == CST_SOLVED &&
                        cst_bodies_factor(problem, false, &arena, &bodies, message, sizeof message) == CST_SOLVED &&
                        cst_nodes_build(problem, &arena, &nodes, message, sizeof message) == CST_SOLVED &&
                        cst_body_judge_begin(&bodies, &nodes, scale, &arena, &judge, message, sizeof message) == CST_SOLVED &&
                        ask(&judge, v, r, out, share);
    cst_arena_end(&arena);
    return judged;
}

bool cst_body_residual(const cst_body_problem *problem, const double *v, const double *r, double scale,
                       const cst_allocator *allocator, cst_residual *out)
{
    return cst_body_residual_shares(problem, v, r, scale, allocator, out, NULL);
}
