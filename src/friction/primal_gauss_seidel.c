#include "friction/primal_gauss_seidel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "friction/body_residual.h"
#include "friction/local_contact.h"
#include "friction/primal_slots.h"
#include "math/small_matrix.h"

enum { JUDGE_EVERY = 10 };
/* START: tolerance of the linear solve (cst_nodes_solve) that computes the node velocities from the initial guess of the
 * impulses */
static const double START = 1e-8;

typedef struct primal {
    const cst_body_problem *problem;
    const cst_nodes *nodes;
    cst_primal_slots slots;
    cst_local_contacts local;
    double *u, *r; /* (copies x dim) */
    /* (copies x dim), see primal_gauss_seidel.h */
    double *dhat, *c;
    double *copies, *scratch; /* (copies x dim) scratch */
    double *impulse;          /* array (contacts x dim): physical impulses */
    double *velocity;         /* array (nodes x dim): node velocities */
    double *trial;            /* array (dofs): velocities of the bodies */
} primal;

/* Returns the factor by which the solver multiplies the impulse of a contact: sqrt(2) for a contact of two nodes, otherwise 1.
 * For a contact of two nodes, the solver divides the relative velocity of the nodes by sqrt(2), and therefore multiplies the
 * impulse by sqrt(2). */
static double impulse_factor(const primal *p, int32_t slot)
{
    return p->slots.mate[slot] >= 0 ? sqrt(2.0) : 1.0;
}

static double copy_mean(const primal *p, int32_t node, int k)
{
    const int32_t first = p->slots.first_copy[node], last = p->slots.first_copy[node + 1];
    double mean = 0.0;
    for (int32_t a = first; a < last; a++)
        mean += p->copies[a * p->slots.dim + k] / (last - first);
    return mean;
}

/* Updates the vector c (primal_gauss_seidel.h), which contains the Lagrange multipliers that make all copies of a node move
 * together. */
static void update_pins(primal *p)
{
    const cst_primal_slots *s = &p->slots;
    const int dim = s->dim;
    cst_primal_rotate_back(s, p->r, p->copies);
    for (int32_t i = 0; i < p->nodes->count; i++) {
        for (int k = 0; k < dim; k++) {
            const double mean = copy_mean(p, i, k);
            for (int32_t a = s->first_copy[i]; a < s->first_copy[i + 1]; a++)
                p->copies[a * dim + k] -= mean;
        }
    }
    cst_primal_rotate(s, p->copies, p->scratch);
    for (int64_t k = 0; k < (int64_t)s->count * dim; k++)
        p->c[k] = p->dhat[k] + p->scratch[k];
}

/* Computes d = c_i + sum_(j!=i) What_ij u_j for copy i of a node, with the matrix What, the vector c (primal_gauss_seidel.h)
 * and the velocities u_j of all other copies. The vector d is the impulse for which the velocity u_i of copy i would be zero. */
static void others(const primal *p, int32_t slot, double *d)
{
    const cst_primal_slots *s = &p->slots;
    const int dim = s->dim, square = dim * dim;
    memcpy(d, p->c + slot * dim, (size_t)dim * sizeof(double));
    for (int64_t e = s->row_start[slot]; e < s->row_start[slot + 1]; e++)
        for (int row = 0; row < dim; row++)
            d[row] += cst_small_dot(dim, s->block + e * square + row * dim, p->u + s->column[e] * dim);
}

static void sweep(primal *p)
{
    const cst_primal_slots *s = &p->slots;
    const int dim = s->dim, square = dim * dim;
    for (int32_t slot = 0; slot < s->count; slot++) {
        double d[3] = {0}, beta[3] = {0};
        double *r = p->r + slot * dim, *u = p->u + slot * dim;
        const double *inverse = s->inverse + slot * square;
        others(p, slot, d);
        cst_small_apply(dim, inverse, d, beta);
        for (int k = 0; k < dim; k++)
            beta[k] = -beta[k];
        if (s->contact[slot] >= 0)
            cst_local_contact_solve(&p->local, s->contact[slot], beta, r);
        cst_small_apply(dim, inverse, r, u);
        for (int k = 0; k < dim; k++)
            u[k] += beta[k];
    }
    update_pins(p);
}

static bool take_memory(primal *p, cst_arena *arena)
{
    const size_t size = (size_t)p->slots.count * (size_t)p->slots.dim;
    CST_TAKE_VECTORS(arena, size, &p->u, &p->r, &p->dhat, &p->c, &p->copies, &p->scratch);
    p->impulse = CST_TAKE(arena, double, (size_t)p->problem->contacts *(size_t)p->slots.dim);
    p->velocity = CST_TAKE(arena, double, (size_t)p->nodes->count *(size_t)p->slots.dim);
    return !arena->failed;
}

static bool guess_velocity(primal *p, const double *r, cst_arena *arena)
{
    const cst_nodes *nodes = p->nodes;
    const int dim = nodes->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *force = CST_TAKE_RAW(arena, double, (size_t)nodes->count *(size_t)dim);
    if (arena->failed)
        return false;
    memcpy(force, nodes->rhs, (size_t)nodes->count * (size_t)dim * sizeof(double));
    cst_nodes_add_impulses(nodes, p->problem->contacts, r, force);
    const double left = cst_nodes_solve(nodes, force, START, arena, p->velocity);
    cst_arena_release(arena, mark);
    return left >= 0.0;
}

/* Starts the iteration from the node velocities p->velocity and the caller's impulses r. */
static void start(primal *p, const double *r)
{
    const cst_primal_slots *s = &p->slots;
    const int dim = s->dim, square = dim * dim;
    for (int32_t slot = 0; slot < s->count; slot++) {
        double sum[3] = {0};
        cst_small_apply(dim, s->diagonal + slot * square, s->offset + slot * dim, sum);
        for (int64_t e = s->row_start[slot]; e < s->row_start[slot + 1]; e++)
            for (int row = 0; row < dim; row++)
                sum[row] += cst_small_dot(dim, s->block + e * square + row * dim, s->offset + s->column[e] * dim);
        for (int k = 0; k < dim; k++)
            p->dhat[slot * dim + k] = -s->rhs[slot * dim + k] - sum[k];
        memcpy(p->copies + slot * dim, p->velocity + s->node[slot] * dim, (size_t)dim * sizeof(double));
        if (s->contact[slot] >= 0) {
            for (int k = 0; k < dim; k++)
                p->r[slot * dim + k] = impulse_factor(p, slot) * r[s->contact[slot] * dim + k];
            cst_local_contact_set(&p->local, s->contact[slot], s->inverse + slot * square);
        }
    }
    cst_primal_rotate(s, p->copies, p->u);
    for (int64_t k = 0; k < (int64_t)s->count * dim; k++)
        p->u[k] += s->offset[k];
    update_pins(p);
}

/* Computes the physical impulses and the node velocities; the velocity of a node is the mean over the copies of the node. Returns
 * the largest difference between a velocity component of a copy of a node and the mean of this component over the copies of the
 * node. */
static double finish(primal *p)
{
    const cst_primal_slots *s = &p->slots;
    const int dim = s->dim;
    double spread = 0.0;
    for (int64_t k = 0; k < (int64_t)s->count * dim; k++)
        p->scratch[k] = p->u[k] - s->offset[k];
    cst_primal_rotate_back(s, p->scratch, p->copies);
    for (int32_t i = 0; i < p->nodes->count; i++) {
        for (int k = 0; k < dim; k++) {
            const double mean = copy_mean(p, i, k);
            for (int32_t a = s->first_copy[i]; a < s->first_copy[i + 1]; a++)
                spread = fmax(spread, fabs(p->copies[a * dim + k] - mean));
            p->velocity[i * dim + k] = mean;
        }
    }
    for (int32_t slot = 0; slot < s->count; slot++)
        if (s->contact[slot] >= 0)
            for (int k = 0; k < dim; k++)
                p->impulse[s->contact[slot] * dim + k] = p->r[slot * dim + k] / impulse_factor(p, slot);
    return spread;
}

static bool told_to_stop(const cst_friction_options *options, const cst_friction_report *report, double error)
{
    const cst_friction_progress progress = {.iterations = report->iterations, .error = error, .phase = "primal gauss-seidel"};
    return options->progress && !options->progress(options->progress_user, &progress);
}

/* Does Gauss-Seidel sweeps over the copies of the nodes until the residual meets the tolerance, the iterations are used up or the
 * caller interrupts. Writes the impulses with the smallest error to `r` and the velocities of the bodies to `v`. */
static void iterate(primal *p, const cst_body_judge *judge, const cst_friction_options *options, double *r, double *v,
                    cst_friction_report *report)
{
    const size_t size = (size_t)p->problem->contacts * (size_t)p->slots.dim;
    double best = HUGE_VAL;
    report->status = CST_TOLERANCE_MISSED;
    for (;; report->iterations++) {
        if (report->iterations % JUDGE_EVERY == 0 || report->iterations >= options->max_iterations) {
            cst_residual residual;
            const double spread = finish(p);
            cst_nodes_scatter(p->nodes, p->velocity, p->trial);
            cst_body_judge_ask(judge, p->trial, p->impulse, &residual, NULL); /* cannot fail without callbacks */
            const double error =
                fmax(options->judge_by_fischer_burmeister ? residual.fischer_burmeister : residual.error, spread / judge->scale);
            if (error < best) {
                best = error;
                memcpy(r, p->impulse, size * sizeof(double));
                cst_nodes_scatter(p->nodes, p->velocity, v);
            }
            if (error <= options->tolerance)
                report->status = CST_SOLVED;
            else if (told_to_stop(options, report, best))
                report->status = CST_INTERRUPTED;
            if (report->status != CST_TOLERANCE_MISSED || report->iterations >= options->max_iterations)
                return;
        }
        sweep(p);
    }
}

void cst_bodies_solve_primal(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, cst_friction_report *report)
{
    const double began = cst_clock_seconds();
    const size_t message_size = sizeof report->message;
    cst_bodies bodies;
    cst_nodes nodes;
    cst_body_judge judge;
    primal p = {.problem = problem, .nodes = &nodes};
    for (int k = 0; k < problem->bodies; k++)
        if (problem->body[k].kind != CST_BODY_NODAL) {
            snprintf(report->message, message_size, "body %d is not nodal: the primal form needs all of them to be", k);
            report->status = CST_BAD_PROBLEM;
            return;
        }
    report->status = cst_bodies_factor(problem, CST_BODIES_REDUCED, 1, arena, &bodies, report->message, message_size);
    if (report->status == CST_SOLVED)
        report->status = cst_nodes_build(problem, arena, &nodes, report->message, message_size);
    if (report->status == CST_SOLVED)
        report->status = cst_body_judge_begin(&bodies, &nodes, NULL, options->velocity_scale, options->velocity_floor, arena,
                                              &judge, report->message, message_size);
    if (report->status == CST_SOLVED)
        report->status = cst_primal_slots_build(problem, &nodes, arena, &p.slots, report->message, message_size);
    if (report->status != CST_SOLVED)
        return;
    report->status = CST_OUT_OF_MEMORY;
    p.trial = CST_TAKE(arena, double, (size_t)bodies.offset[problem->bodies]);
    if (!take_memory(&p, arena) || !cst_local_contacts_begin(&p.local, problem, options, arena) || !guess_velocity(&p, r, arena))
        return;
    start(&p, r);
    const double ready = cst_clock_seconds();
    report->setup_seconds = ready - began;
    iterate(&p, &judge, options, r, v, report);
    report->seconds = cst_clock_seconds() - ready;
    report->local_solves = p.local.count.solves;
    report->local_failures = p.local.count.failures;
    report->fallbacks = p.local.count.fallbacks;
    report->solver = CST_SOLVER_GAUSS_SEIDEL;
}
