#include "world/dynamics.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "world/quasi_static.h"

/* PARALLEL_BODIES: number of bodies below which a loop over bodies uses one thread, because a second thread would cost more
 * time than it saves. */
enum { PARALLEL_BODIES = 16 };

int cst_dynamics_threads(const cst_dynamics *dynamics)
{
    return cst_threads_for(dynamics->threads, dynamics->objects.bodies, PARALLEL_BODIES);
}

static bool all_finite(const double *x, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

bool cst_dynamics_check_finite(const cst_dynamics *dynamics, const double *v, cst_failure *failure)
{
    const cst_objects *objects = &dynamics->objects;
    const int threads = cst_dynamics_threads(dynamics);
    (void)threads; /* unused in a build without OpenMP */
    int failed = objects->bodies;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : failed)
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        if (k < failed && !all_finite(v + dynamics->layout.start_of[k], model->class->dynamics->dofs(model->self)))
            failed = k;
    }
    return failed == objects->bodies || cst_fail(failure, CST_BAD_PROBLEM, failed, "its motion is not finite");
}

double cst_dynamics_travel(const cst_objects *objects, const cst_layout *layout, const cst_step_frame *frame, int body,
                           const double *v)
{
    const cst_body_model *model = objects->model + body;
    return model->class->dynamics->motion(model->self, frame, v + layout->start_of[body]);
}

/* ---------------------------------------------------------------------------------------------------------------- place */

/* Returns true if an element of a fiber is bent by many turns, which means that the iteration of the step has diverged. A step in
 * which an element is bent by many turns fails at once, because a search for self-contacts of the fiber would take minutes. */
static bool is_wound_up(const cst_body_model *model)
{
    static const double WOUND = 100.0; /* rad per element */
    for (int i = model->class->surface->pieces ? model->class->surface->pieces(model->self) : 0; i-- > 0;) {
        cst_curve_piece piece = {0};
        model->class->surface->piece(model->self, i, &piece);
        if (!(piece.curvature * piece.length <= WOUND))
            return true;
    }
    return false;
}

/* Places one body; returns NULL on success and an error message on failure. */
static const char *place_body(const cst_dynamics *dynamics, const cst_step_frame *frame, int body, const double *v)
{
    const cst_body_model *model = dynamics->objects.model + body;
    if (!model->class->dynamics->place(model->self, frame, v ? v + dynamics->layout.start_of[body] : NULL))
        return v ? "it moved to a place that is not finite" : "its state is not finite";
    return v && is_wound_up(model) ? "an element has wound up by many turns: the step is too long" : NULL;
}

bool cst_dynamics_place(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v, cst_failure *failure)
{
    const int bodies = dynamics->objects.bodies, threads = cst_dynamics_threads(dynamics);
    (void)threads; /* unused in a build without OpenMP */
    int failed = bodies;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : failed)
    for (int k = 0; k < bodies; k++)
        if (k < failed && place_body(dynamics, frame, k, v))
            failed = k;
    return failed == bodies || cst_fail(failure, CST_BAD_PROBLEM, failed, place_body(dynamics, frame, failed, v));
}

double cst_dynamics_largest_travel(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v)
{
    const int threads = cst_dynamics_threads(dynamics);
    (void)threads; /* unused in a build without OpenMP */
    double largest = 0.0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : largest)
    for (int k = 0; k < dynamics->objects.bodies; k++)
        largest = fmax(largest, cst_dynamics_travel(&dynamics->objects, &dynamics->layout, frame, k, v));
    return largest;
}

/* ------------------------------------------------------------------------------------------------------------- assemble */

typedef struct assembly {
    const cst_step_frame *frame;
    const double *guess; /* velocities at which the bodies are linearised; NULL: they are linearised at the start of the step */
    cst_velocities *velocities;
} assembly;

/* Assembles the matrix and the right-hand side of one body, or of one group of joined bodies. */
typedef bool assemble_one(cst_dynamics *dynamics, const assembly *to, int index, char *message, size_t message_size);

/* Solves the linear system A x = rhs of one body. Returns false if the matrix A of the body is not positive definite. */
static bool solve_body(const cst_body_model *model, int dofs, double *x)
{
    memcpy(x, model->class->dynamics->rhs(model->self), sizeof(double) * (size_t)dofs);
    return model->class->dynamics->solve(model->self, x);
}

/* Assembles a body. Unless loads or other terms are added to its right-hand side later, also computes the free motion of the body
 * (its motion without contacts) at once, while its matrix is in the cache. With 30,000 hairs, the free motion takes 0.15 us per
 * hair in this way, but 0.73 us per hair if it is computed only after all bodies have been assembled. */
static bool assemble_body(cst_dynamics *dynamics, const assembly *to, int body, char *message, size_t message_size)
{
    const cst_body_model *model = dynamics->objects.model + body;
    const int32_t start = dynamics->layout.start_of[body];
    const double *guess = to->guess ? to->guess + start : NULL;
    if (!model->class->dynamics->assemble(model->self, to->frame, guess, message, message_size))
        return false;
    if (!to->frame->quasi_static)
        model->class->dynamics->velocities(model->self, to->velocities->before + start);
    if (dynamics->ready[body] != CST_FREE_LATER)
        dynamics->ready[body] = solve_body(model, model->class->dynamics->dofs(model->self), to->velocities->scratch + start)
                                    ? CST_FREE_KNOWN
                                    : CST_FREE_FAILED;
    return true;
}

static bool assemble_group(cst_dynamics *dynamics, const assembly *to, int group, char *message, size_t message_size)
{
    const double *guess = to->guess;
    const cst_step_frame *frame = to->frame;
    return cst_joined_assemble(dynamics->joined.group + group, frame, guess ? guess + dynamics->layout.group_start[group] : NULL,
                               message, message_size);
}

/* Assembles all bodies, or all groups of joined bodies. Returns the index of the first body or group whose assembly failed, or
 * their number if none failed. A failed assembly is repeated to get its error message. */
static int assemble_all(cst_dynamics *dynamics, assemble_one *one, int count, const assembly *to, char *message,
                        size_t message_size)
{
    const int threads = cst_dynamics_threads(dynamics);
    (void)threads; /* unused in a build without OpenMP */
    int failed = count;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : failed)
    for (int k = 0; k < count; k++) {
        char unread[160];
        if (one == assemble_body)
            cst_body_fetch_after(dynamics->objects.model, count, k);
        if (k < failed && !one(dynamics, to, k, unread, sizeof unread))
            failed = k;
    }
    if (failed < count)
        one(dynamics, to, failed, message, message_size);
    return failed;
}

/* Marks the bodies whose free motion is computed right after their assembly: all bodies except those with loads and the members
 * of groups whose constraints are eliminated. If the caller has set forces, or in a step to an equilibrium
 * (cst_quasi_static_hold), the right-hand sides of all bodies change after the assembly, and no body is marked. */
static void mark_ready(cst_dynamics *dynamics, const cst_step_frame *frame)
{
    const bool all_later = dynamics->user.force || frame->span > 0.0;
    for (int k = 0; k < dynamics->objects.bodies; k++)
        dynamics->ready[k] =
            all_later || dynamics->layout.unit[dynamics->layout.unit_of[k]].group >= 0 ? CST_FREE_LATER : CST_FREE_KNOWN;
    for (int k = 0; k < dynamics->loads; k++)
        dynamics->ready[dynamics->load[k].body] = CST_FREE_LATER;
}

bool cst_dynamics_assemble(cst_dynamics *dynamics, const cst_step_frame *frame, bool relinearised, cst_velocities *velocities,
                           cst_failure *failure)
{
    const assembly to = {.frame = frame, .guess = relinearised ? velocities->v : NULL, .velocities = velocities};
    const int bodies = dynamics->objects.bodies, groups = dynamics->joined.groups;
    char message[160] = "";
    mark_ready(dynamics, frame);
    const int body = assemble_all(dynamics, assemble_body, bodies, &to, message, sizeof message);
    if (body < bodies)
        return cst_fail(failure, CST_BAD_PROBLEM, body, message);
    for (int k = 0; k < dynamics->loads; k++)
        cst_load_apply(dynamics->load + k, dynamics->objects.model, frame);
    cst_user_force_apply(&dynamics->user, &dynamics->objects, &dynamics->layout, frame, cst_dynamics_threads(dynamics));
    if (frame->span > 0.0)
        dynamics->hold = to.guess ? cst_quasi_static_hold(dynamics, frame, to.guess) : 0.0;
    const int group = assemble_all(dynamics, assemble_group, groups, &to, message, sizeof message);
    if (group < groups)
        return cst_fail(failure, CST_BAD_PROBLEM, dynamics->joined.group[group].member[0], message);
    return cst_tied_make(&dynamics->joined, &dynamics->objects, &dynamics->layout, frame->dim, dynamics->arena,
                         &dynamics->tied) ||
           cst_fail_memory(failure);
}

/* ---------------------------------------------------------------------------------------------------------- free motion */

/* Computes the free motion v of a body or of a group of joined bodies. `known`: free motions that were already computed during
 * the assembly of the bodies. */
static bool solve_unit(cst_dynamics *dynamics, const cst_unit *unit, const double *known, double *v)
{
    if (unit->group < 0 && dynamics->ready[unit->body] == CST_FREE_LATER)
        return solve_body(dynamics->objects.model + unit->body, unit->size, v);
    if (unit->group < 0) {
        memcpy(v, known + unit->start, sizeof(double) * (size_t)unit->size);
        return dynamics->ready[unit->body] == CST_FREE_KNOWN;
    }
    cst_joined_group *group = dynamics->joined.group + unit->group;
    cst_body joined;
    cst_joined_describe(group, &joined);
    memcpy(v, joined.rhs, sizeof(double) * (size_t)unit->size);
    const bool solved = joined.solve(joined.user, v);
    for (int i = 0; i < unit->size; i++)
        v[i] += group->shift[i];
    return solved;
}

bool cst_dynamics_free_motion(cst_dynamics *dynamics, int dim, cst_velocities *velocities, cst_failure *failure)
{
    const cst_layout *layout = &dynamics->layout;
    const int threads = cst_dynamics_threads(dynamics);
    (void)threads; /* unused in a build without OpenMP */
    int failed = layout->units;
    double speed = velocities->free_speed;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : failed) reduction(max : speed)
    for (int k = 0; k < layout->units; k++) {
        double *v = velocities->v + layout->unit[k].start;
        if (k < failed && !solve_unit(dynamics, layout->unit + k, velocities->scratch, v))
            failed = k;
        for (int i = 0; i < layout->unit[k].size; i++)
            speed = fmax(speed, fabs(v[i]));
    }
    velocities->free_speed = speed;
    if (failed < layout->units)
        return cst_fail(failure, CST_BAD_PROBLEM, layout->unit[failed].body, "its motion could not be solved for");
    const cst_status tied =
        cst_tied_free_motion(&dynamics->tied, &dynamics->objects, layout, threads, dim, dynamics->ties, velocities->v);
    if (tied == CST_OUT_OF_MEMORY)
        return cst_fail_memory(failure);
    if (tied != CST_SOLVED)
        return cst_fail(failure, tied, -1, "the motion of tied bodies could not be solved for");
    memcpy(velocities->free, velocities->v, sizeof(double) * (size_t)velocities->dofs);
    return cst_dynamics_check_finite(dynamics, velocities->v, failure);
}

void cst_dynamics_finish(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v)
{
    const int threads = cst_dynamics_threads(dynamics);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < dynamics->objects.bodies; k++) {
        const cst_body_model *model = dynamics->objects.model + k;
        cst_body_fetch_after(dynamics->objects.model, dynamics->objects.bodies, k);
        model->class->dynamics->finish(model->self, frame, v + dynamics->layout.start_of[k]);
    }
}
