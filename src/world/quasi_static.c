#include "world/quasi_static.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "world/point_motion.h"

/* PERIODS: time scale tau of a step to an equilibrium, divided by the estimate sqrt(M / k) of the period of the slowest vibration
 * mode (M: mass of all bodies, k: stiffness of the softest body, quasi_static.h). Depending on its rod model, a cantilever
 * converges to 1e-10 in 12 to 13 iterations if PERIODS is 1, in 8 to 11 if PERIODS is 3, and in 6 to 10 if PERIODS is 10. A
 * longer time scale weakens the proximal term, which replaces inertia, so that bodies that can roll almost freely converge more
 * slowly. A ring between smooth plates (tests/test_world_quasi_static.c) needs 21 iterations if PERIODS is 3 and 25 if PERIODS is
 * 10, and does not converge if PERIODS is 30. */
static const double PERIODS = 3.0;

/* NO_TIME: duration (s) of the step to the initial equilibrium of a world; loads and prescribed motions do not change in so short
 * a time. NO_TIME is not zero, because a duration of zero stands for a dynamic step, and because velocities of obstacles are
 * displacements divided by the duration of the step. */
static const double NO_TIME = 1e-60;

static double length_of(const double *x)
{
    return sqrt(cst_dot3(x, x));
}

bool cst_quasi_static_frame(const cst_objects *objects, const cst_load *load, int loads, const cst_user_force *user,
                            double passes, cst_step_frame *frame, cst_failure *failure)
{
    const double g = length_of(frame->gravity);
    double mass = 0.0, softest = HUGE_VAL;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        cst_body_scale scale = {0};
        if (!model->class->statics)
            return cst_fail(failure, CST_BAD_PROBLEM, k, "its model has no quasi-static steps");
        model->class->statics->scale(model->self, &scale);
        mass += scale.mass;
        double pulls = scale.mass * g + cst_user_force_pull(user, k);
        for (int i = 0; i < loads; i++)
            pulls += load[i].body == k ? length_of(load[i].force) : 0.0;
        if (scale.length > 0.0)
            softest = fmin(softest, scale.stiffness + pulls / scale.length);
    }
    frame->span = passes > 0.0 ? passes : NO_TIME;
    frame->theta = 1.0;
    frame->quasi_static = frame->iterated = true;
    if (isfinite(softest))
        frame->dt = fmax(frame->dt, PERIODS * sqrt(mass / softest));
    return true;
}

double cst_quasi_static_hold(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *guess)
{
    double work = 0.0;
    for (int k = 0; k < dynamics->objects.bodies; k++) {
        const cst_body_model *model = dynamics->objects.model + k;
        work += model->class->statics->hold(model->self, frame, guess + dynamics->layout.start_of[k]);
    }
    return work;
}

/* --------------------------------------------------------------------------------------------------------- what is left */

/* Computes the product `out` of the matrix of a body with the vector x. If joints couple the elements of the body, some
 * components of the vector x depend on its other components; the function may overwrite these dependent components. */
static void multiply(const cst_body_model *model, double *x, double *zero, double *out, double *terms)
{
    cst_body body;
    model->class->dynamics->describe(model->self, &body);
    const int n = body.size, below = body.kind == CST_BODY_BAND ? body.bandwidth : n - 1;
    memset(out, 0, sizeof(double) * (size_t)n);
    if (body.kind == CST_BODY_SOLVE) {
        memset(zero, 0, sizeof(double) * (size_t)n);
        body.defect(body.user, x, zero, out, terms);
        return;
    }
    for (int i = 0; i < n; i++)
        for (int j = i > below ? i - below : 0; j <= i; j++) {
            const double entry = body.kind == CST_BODY_BAND ? body.matrix[(int64_t)i * (below + 1) + below + j - i]
                                                            : body.matrix[(int64_t)i * n + j];
            out[i] += entry * x[j];
            if (j < i)
                out[j] += entry * x[i];
        }
}

/* Returns the largest speed of any point of a body with the generalised velocities d. For a curve, only the speeds of the ends of
 * its elements are compared; for a body that does not bend, the speeds of all its points. */
static double fastest(const cst_body_model *model, const cst_step_frame *frame, const double *d, cst_point_motion *room)
{
    const cst_body_surface *surface = model->class->surface;
    const int pieces = surface->arcs ? surface->arcs(model->self) : surface->pieces ? surface->pieces(model->self) : 0;
    cst_body_scale scale;
    double largest = 0.0;
    model->class->statics->scale(model->self, &scale);
    if (scale.length == 0.0)
        return model->class->dynamics->motion(model->self, frame, d) / frame->dt;
    for (int i = 0; i <= pieces; i++) {
        cst_material_point at = {.feature = i};
        double velocity[3], turn[3];
        if (i == pieces) {
            const cst_place end = {.at_end = true};
            if (!model->class->places->locate(model->self, &end, &at))
                break;
        }
        model->class->places->point(model->self, &at, room);
        memset(room->drift, 0, sizeof room->drift);
        memset(room->drift_turn, 0, sizeof room->drift_turn);
        cst_point_motion_velocity(room, frame->dim, d, velocity, turn);
        largest = fmax(largest, length_of(velocity));
    }
    return largest;
}

static double longest_body(const cst_dynamics *dynamics)
{
    double longest = 0.0;
    for (int k = 0; k < dynamics->objects.bodies; k++) {
        const cst_body_model *model = dynamics->objects.model + k;
        cst_body_scale scale;
        model->class->statics->scale(model->self, &scale);
        longest = fmax(longest, scale.length);
    }
    return longest;
}

static double largest_force(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_contact_set *contacts,
                            const cst_constraint *constraint, int constraints, double longest)
{
    double largest = dynamics->user.largest, moment = 0.0;
    for (int k = 0; k < dynamics->objects.bodies; k++) {
        const cst_body_model *model = dynamics->objects.model + k;
        cst_body_scale scale;
        model->class->statics->scale(model->self, &scale);
        largest = fmax(largest, scale.mass * length_of(frame->gravity));
    }
    for (int k = 0; k < dynamics->loads; k++) {
        largest = fmax(largest, length_of(dynamics->load[k].force_now));
        moment = fmax(moment, length_of(dynamics->load[k].moment_now));
    }
    for (int k = 0; k < constraints; k++) {
        largest = fmax(largest, length_of(constraint[k].force));
        moment = fmax(moment, length_of(constraint[k].moment));
    }
    for (int i = 0; i < contacts->contacts; i++)
        largest = fmax(largest, length_of(contacts->contact[i].impulse) / frame->dt);
    return longest > 0.0 ? fmax(largest, moment / longest) : largest;
}

static void find_correction(const cst_velocities *velocities, int start, int count, double *d)
{
    for (int i = 0; i < count; i++)
        d[i] = velocities->v[start + i] - velocities->last[start + i];
}

void cst_imbalance_find(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                        const cst_contact_set *contacts, const cst_constraint *constraint, int constraints,
                        cst_point_motion *room, double *scratch, cst_imbalance *out)
{
    const int dofs = dynamics->layout.dofs;
    double *d = scratch, *zero = d + dofs, *product = zero + dofs, *terms = product + dofs;
    const double longest = longest_body(dynamics);
    *out = (cst_imbalance){.body = -1, .forces = largest_force(dynamics, frame, contacts, constraint, constraints, longest)};
    for (int k = 0; k < dynamics->objects.bodies; k++) {
        const cst_body_model *model = dynamics->objects.model + k;
        const int size = model->class->dynamics->dofs(model->self);
        double work = 0.0;
        const double travel = cst_dynamics_travel(&dynamics->objects, &dynamics->layout, frame, k, velocities->v);
        find_correction(velocities, dynamics->layout.start_of[k], size, d);
        const double speed = fastest(model, frame, d, room);
        multiply(model, d, zero, product, terms);
        for (int i = 0; i < size; i++)
            work += d[i] * product[i];
        if (longest > 0.0)
            out->way = fmax(out->way, travel / longest);
        if (speed > 0.0 && work / (frame->dt * speed) > out->force) {
            out->force = work / (frame->dt * speed);
            out->body = k;
        }
    }
}

int cst_quasi_static_loose(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                           const cst_contact_set *contacts, const cst_constraint *constraint, int constraints, double way,
                           double *scratch)
{
    const cst_layout *layout = &dynamics->layout;
    for (int k = 0; k < dynamics->objects.bodies; k++) {
        const cst_body_model *model = dynamics->objects.model + k;
        cst_body_scale scale;
        bool touched = false;
        model->class->statics->scale(model->self, &scale);
        for (int i = 0; i < constraints && !touched; i++)
            touched = (constraint[i].body[0] == k || constraint[i].body[1] == k) &&
                      cst_constraint_active(constraint + i, frame->time, cst_frame_span(frame));
        for (int i = 0; i < contacts->contacts && !touched && !scale.clamped; i++)
            touched = contacts->row[i].a.body == layout->unit_of[k] || contacts->row[i].b.body == layout->unit_of[k];
        if (touched || scale.clamped)
            continue;
        find_correction(velocities, layout->start_of[k], model->class->dynamics->dofs(model->self), scratch);
        if (model->class->dynamics->motion(model->self, frame, scratch) > way)
            return k;
    }
    return -1;
}
