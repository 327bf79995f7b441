#include "physics/pushed_rod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "capstan/capstan.h"

static cst_world *make(const cst_pushed_rod *rod, const cst_key *key, int keys, char *message, size_t message_size)
{
    cst_world_def def = cst_world_def_default(2);
    def.gravity[1] = 0;
    def.time_step.dt = 1;
    def.time_step.quasi_static = true;
    def.time_step.iterations = 30;
    def.contact.self_contact = false;
    def.contact.at_centreline = true;
    /* Equilibria with gaps closed to rounding: nothing strikes here, and what the curvature of paths leaves is undone at once. */
    def.contact.stabilisation = 1;
    def.contact.recovery_speed = 1e3;
    def.friction_coefficient = rod->mu;
    cst_world *world = cst_world_new(&def, message, message_size);
    cst_rod_def half = cst_rod_def_default();
    half.elements = rod->elements;
    half.length = rod->length;
    half.natural_curvature = rod->natural_curvature;
    half.radius = rod->radius;
    half.bending_stiffness = 1;
    half.mass_per_length = 1e-9;
    half.position[1] = rod->height;
    half.clamped = true;
    half.root_motion = (cst_motion){.key = key, .keys = keys};
    cst_obstacle_def disk = cst_obstacle_def_default();
    disk.shape = CST_OBSTACLE_DISK;
    disk.position[0] = rod->disk[0];
    disk.position[1] = rod->disk[1];
    disk.radius = rod->disk_radius;
    if (world && cst_world_add_rod(world, &half, message, message_size) &&
        cst_world_add_obstacle(world, &disk, message, message_size))
        return world;
    cst_world_free(world);
    return NULL;
}

/* The one contact that pushes, if there is one. */
static void look_at_contact(const cst_world *world, cst_pushed_state *state)
{
    const cst_contact_view *contact;
    const int contacts = cst_world_contacts(world, &contact);
    state->ratio = state->s = state->slope = NAN;
    for (int i = 0; i < contacts; i++) {
        const double *e = contact[i].normal, *f = contact[i].force, n = e[0] * f[0] + e[1] * f[1];
        if (!(n > state->normal))
            continue;
        state->normal = n;
        state->ratio = (e[1] * f[0] - e[0] * f[1]) / n;
        state->s = contact[i].s_a;
        state->slope = atan2(-e[0], e[1]);
    }
}

bool cst_pushed_rod_run(const cst_pushed_rod *rod, const double *depth, int count, cst_pushed_state *state, char *message,
                        size_t message_size)
{
    cst_key *key = calloc((size_t)count + 1, sizeof *key);
    snprintf(message, message_size, "out of memory");
    if (!key)
        return false;
    for (int k = 0; k < count; k++)
        key[k + 1] = (cst_key){.time = k + 1, .translation = {0, -depth[k], 0}};
    cst_world *world = make(rod, key, count + 1, message, message_size);
    free(key);
    bool moved = world;
    for (int k = 0; moved && k < count; k++) {
        cst_step_report report;
        const cst_status status = cst_world_step(world, &report);
        moved = status <= CST_TOLERANCE_MISSED;
        state[k] = (cst_pushed_state){.depth = depth[k],
                                      .error = report.residual.error,
                                      .iterations = report.newton_iterations,
                                      .converged = status == CST_SOLVED};
        if (!moved) {
            snprintf(message, message_size, "depth %g: %s", depth[k], report.message);
            break;
        }
        double force[3];
        cst_world_obstacle_force(world, 1, force);
        state[k].force = -2 * force[1];
        look_at_contact(world, state + k);
    }
    cst_world_free(world);
    return moved;
}

/* ------------------------------------------------------------------------------------------------------------ between states */

static double cubic_through(const double *x, const double *y, double at)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double part = y[i];
        for (int j = 0; j < 4; j++)
            if (j != i)
                part *= (at - x[j]) / (x[i] - x[j]);
        sum += part;
    }
    return sum;
}

typedef double (*coordinate)(const cst_pushed_state *state);

static double depth_of(const cst_pushed_state *state)
{
    return state->depth;
}

static double slope_of(const cst_pushed_state *state)
{
    return state->slope;
}

static double force_at(const cst_pushed_state *state, int count, coordinate of, double at)
{
    for (int i = 0; count >= 4 && i + 1 < count; i++) {
        if (!((of(state + i) - at) * (of(state + i + 1) - at) <= 0))
            continue;
        const int first = i == 0 ? 0 : i + 2 < count ? i - 1 : count - 4;
        double x[4], y[4];
        for (int k = 0; k < 4; k++) {
            x[k] = of(state + first + k);
            y[k] = state[first + k].force;
        }
        return cubic_through(x, y, at);
    }
    return NAN;
}

double cst_pushed_force_at_depth(const cst_pushed_state *state, int count, double at)
{
    return force_at(state, count, depth_of, at);
}

double cst_pushed_force_at_slope(const cst_pushed_state *state, int count, double at)
{
    return force_at(state, count, slope_of, at);
}

double cst_pushed_peak(const cst_pushed_state *state, int count, double sign)
{
    int top = 0;
    for (int i = 1; i < count; i++)
        if (sign * state[i].force > sign * state[top].force)
            top = i;
    if (top == 0 || top + 1 == count || !(fabs(state[top - 1].ratio - state[top + 1].ratio) <= 1e-6))
        return sign * state[top].force;
    const cst_pushed_state *a = state + top - 1, *b = state + top, *c = state + top + 1;
    const double left = (b->force - a->force) / (b->depth - a->depth), right = (c->force - b->force) / (c->depth - b->depth);
    const double bend = (right - left) / (c->depth - a->depth), slope = left + bend * (b->depth - a->depth); /* at b */
    return sign * (bend * sign < 0 ? b->force - slope * slope / (4 * bend) : b->force);
}
