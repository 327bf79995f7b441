/* Construction of a super-circle rod. */
#include "rod/super_circle.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "rod/super_circle_rod.h"
#include "rod/value_check.h"

/* -------------------------------------------------------------------------------------------------------------- checking */

static bool check_in_plane(const char *name, const double *value, const cst_complaint *to)
{
    for (int k = 0; k < 3; ++k) {
        if (!isfinite(value[k]))
            return cst_complain(to, "%s must be finite, not (%g, %g, %g)", name, value[0], value[1], value[2]);
    }
    return value[2] == 0.0 || cst_complain(to, "%s must lie in the plane, but its third component is %g", name, value[2]);
}

static bool check_root(const cst_rod_def *def, const cst_complaint *to)
{
    const cst_motion *motion = &def->root_motion;
    if (motion->keys > 0 && !def->clamped)
        return cst_complain(to, "root_motion moves a clamped root, but the root is free");
    if (!cst_motion_check(motion, "root_motion", to->message, to->size))
        return false;
    for (int i = 0; i < motion->keys; ++i) {
        if (motion->key[i].translation[2] != 0.0 || motion->key[i].rotation[0] != 0.0 || motion->key[i].rotation[1] != 0.0)
            return cst_complain(to, "root_motion: key %d leaves the plane", i);
    }
    if (def->clamped && (def->velocity[0] != 0.0 || def->velocity[1] != 0.0 || def->angular_velocity != 0.0))
        return cst_complain(
            to, "the start of a clamped rod has the velocity of root_motion: velocity and angular_velocity must be 0");
    return true;
}

static bool check(const cst_rod_def *def, const cst_complaint *to)
{
    int n = def->elements;
    if (n < 1 || n > INT_MAX / 16)
        return cst_complain(to, "elements must be from 1 to %d, not %d", INT_MAX / 16, n);
    if ((unsigned)def->formulation > CST_ROD_MIXED)
        return cst_complain(to, "formulation %d does not exist", (int)def->formulation);
    if ((unsigned)def->contour > CST_ROD_CHORDS)
        return cst_complain(to, "contour %d does not exist", (int)def->contour);
    return (def->element_length || cst_check_value("length", def->length, CST_RANGE_POSITIVE, to)) &&
           (def->element_radius || cst_check_value("radius", def->radius, CST_RANGE_NOT_NEGATIVE, to)) &&
           cst_check_value("mass_per_length", def->mass_per_length, CST_RANGE_POSITIVE, to) &&
           (def->element_bending_stiffness ||
            cst_check_value("bending_stiffness", def->bending_stiffness, CST_RANGE_POSITIVE, to)) &&
           (def->element_natural_curvature || cst_check_value("natural_curvature", def->natural_curvature, CST_RANGE_ANY, to)) &&
           cst_check_value("viscosity", def->viscosity, CST_RANGE_NOT_NEGATIVE, to) &&
           cst_check_value("drag", def->drag, CST_RANGE_NOT_NEGATIVE, to) &&
           cst_check_value("angle", def->angle, CST_RANGE_ANY, to) &&
           cst_check_value("angular_velocity", def->angular_velocity, CST_RANGE_ANY, to) &&
           check_in_plane("load", def->load, to) && check_in_plane("position", def->position, to) &&
           check_in_plane("velocity", def->velocity, to) &&
           cst_check_list("element_length", def->element_length, n, 1, CST_RANGE_POSITIVE, to) &&
           cst_check_list("element_radius", def->element_radius, n, 1, CST_RANGE_NOT_NEGATIVE, to) &&
           cst_check_list("element_bending_stiffness", def->element_bending_stiffness, n, 1, CST_RANGE_POSITIVE, to) &&
           cst_check_list("element_natural_curvature", def->element_natural_curvature, n, 1, CST_RANGE_ANY, to) &&
           cst_check_list("curvature", def->curvature, n, 1, CST_RANGE_ANY, to) &&
           cst_check_list("curvature_rate", def->curvature_rate, n, 1, CST_RANGE_ANY, to) &&
           cst_check_element_friction(def->element_friction, def->elements, to) && check_root(def, to);
}

/* -------------------------------------------------------------------------------------------------------------- building */

static bool take(cst_super_circle *rod, const cst_rod_def *def)
{
    cst_arena *arena = &rod->arena;
    int n = rod->elements = def->elements;
    rod->material = CST_TAKE(arena, cst_circle_material, n);
    rod->radius = CST_TAKE(arena, double, n);
    rod->arc = CST_TAKE(arena, double, n + 1);
    rod->state = CST_TAKE(arena, double, 2 * (n + 3));
    rod->now = CST_TAKE(arena, cst_circle_element, n + 1);
    rod->placed_buffer = CST_TAKE(arena, cst_circle_element, n + 1);
    rod->linear_buffer = CST_TAKE(arena, cst_circle_element, n + 1);
    rod->trial_kappa = CST_TAKE(arena, double, n);
    rod->trial_rate = CST_TAKE(arena, double, n);
    rod->bearing = CST_TAKE(arena, cst_circle_bearing, n);
    rod->end_buffer = CST_TAKE(arena, cst_circle_element, n + 1);
    rod->mass = CST_TAKE(arena, cst_circle_mass, n);
    rod->masses = CST_TAKE(arena, cst_circle_masses, n);
    rod->guess_rate = CST_TAKE(arena, double, n);
    rod->momentum = CST_TAKE(arena, cst_circle_quad, n);
    rod->field = CST_TAKE(arena, cst_circle_field, n);
    rod->start = CST_TAKE(arena, cst_circle_start, n);
    rod->factor = CST_TAKE(arena, cst_circle_factor, n);
    rod->correction = CST_TAKE(arena, double, n);
    return !arena->failed && cst_motion_copy(arena, &def->root_motion, &rod->root_motion);
}

static void fill(cst_super_circle *rod, const cst_rod_def *def)
{
    int n = def->elements;
    rod->clamped = def->clamped;
    rod->closed = def->closed;
    rod->chords = def->contour == CST_ROD_CHORDS;
    rod->mass_per_length = def->mass_per_length;
    rod->drag = def->drag;
    rod->load = (cst_plane){def->load[0], def->load[1]};
    rod->root = rod->state;
    rod->kappa = rod->root + 3;
    rod->root_rate = rod->kappa + n;
    rod->rate = rod->root_rate + 3;
    for (int i = 0; i < n; ++i) {
        double l = def->element_length ? def->element_length[i] : def->length / n;
        double bending = def->element_bending_stiffness ? def->element_bending_stiffness[i] : def->bending_stiffness;
        double natural = def->element_natural_curvature ? def->element_natural_curvature[i] : def->natural_curvature;
        rod->material[i] = (cst_circle_material){l, bending * l, def->viscosity * l, natural};
        rod->radius[i] = def->element_radius ? def->element_radius[i] : def->radius;
        rod->arc[i + 1] = def->element_length ? rod->arc[i] + l : (i + 1) * def->length / n;
        rod->kappa[i] = def->curvature ? def->curvature[i] : natural;
        rod->rate[i] = def->curvature_rate ? def->curvature_rate[i] : 0.0;
    }
    double rest[3] = {def->position[0], def->position[1], def->angle};
    double rate[3] = {def->velocity[0], def->velocity[1], def->angular_velocity};
    memcpy(rod->rest_root, rest, sizeof rest);
    memcpy(rod->root, rest, sizeof rest);
    memcpy(rod->root_rate, rate, sizeof rate);
    if (def->clamped) {
        double translation[3], rotation[3], velocity[3], turn[3];
        cst_motion_sample(&rod->root_motion, 0.0, translation, rotation, velocity, turn);
        rod->root[0] += translation[0];
        rod->root[1] += translation[1];
        rod->root[2] += rotation[2];
        rod->root_rate[0] = velocity[0];
        rod->root_rate[1] = velocity[1];
        rod->root_rate[2] = turn[2];
    }
}

static bool check_shape(const cst_super_circle *rod, const cst_complaint *to)
{
    cst_plane end = rod->now[rod->elements].start;
    double gap = hypot(end.x - rod->now[0].start.x, end.y - rod->now[0].start.y);
    if (!isfinite(gap))
        return cst_complain(to, "the rod is not finite: its curvatures or lengths are too large");
    if (rod->closed && gap > 1e-6 * rod->arc[rod->elements])
        return cst_complain(to, "the rod is closed, but its first shape leaves a gap of %g m between end and start", gap);
    return true;
}

bool cst_super_circle_create(const cst_rod_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size)
{
    cst_complaint to = {message, message_size};
    *out = (cst_body_model){NULL, NULL};
    if (!check(def, &to))
        return false;
    bool mixed =
        def->formulation == CST_ROD_MIXED || (def->formulation == CST_ROD_AUTO && def->elements >= CST_SUPER_CIRCLE_CROSSING);
    const size_t bytes = mixed ? cst_circle_mixed_bytes() : cst_circle_chained_bytes();
    cst_super_circle *rod = cst_arena_begin_within(allocator, bytes, offsetof(cst_super_circle, arena));
    bool built = rod && take(rod, def);
    if (built) {
        fill(rod, def);
        cst_circle_settle(rod);
        built = mixed ? cst_circle_mixed_begin(rod, out) : cst_circle_chained_begin(rod, out);
    }
    if (!built)
        cst_complain(&to, "out of memory for a rod of %d elements", def->elements);
    else
        built = check_shape(rod, &to);
    if (!built) {
        cst_circle_destroy(rod);
        *out = (cst_body_model){NULL, NULL};
    }
    return built;
}
