/* Construction of a super helix. */
#include "rod/super_helix.h"

#include <math.h>
#include <string.h>

#include "base/complaint.h"
#include "math/rotation.h"
#include "rod/fiber_check.h"
#include "rod/super_helix_rod.h"

/* -------------------------------------------------------------------------------------------------------------- checking */

static bool check_spin(const cst_fiber_def *def, const cst_complaint *to)
{
    for (int i = 0; !def->clamped && i < def->elements; ++i) {
        if ((def->element_radius ? def->element_radius[i] : def->radius) == 0.0)
            return cst_complain(to, "a free fiber needs a radius: without thickness nothing resists its spinning");
    }
    return true;
}

static bool check_points(const cst_fiber_def *def, const cst_complaint *to)
{
    if (!def->point)
        return true;
    const double l = def->length / def->elements;
    double longest = 0.0, total = 0.0;
    for (int i = 0; i < def->elements; ++i) {
        double chord[3];
        cst_subtract3(def->point + 3 * (i + 1), def->point + 3 * i, chord);
        const double distance = sqrt(cst_dot3(chord, chord));
        if (!(distance > 0.0))
            return cst_complain(to, "points %d and %d are the same", i, i + 1);
        longest = fmax(longest, distance);
        total += distance;
    }
    return (longest <= 1.05 * l && total <= 1.01 * def->length) ||
           cst_complain(to, "the points are too far apart: %g m along them and up to %g m between two, for %d elements of %g m",
                        total, longest, def->elements, l);
}

static bool check(const cst_fiber_def *def, const cst_complaint *to)
{
    if ((unsigned)def->formulation > CST_FIBER_SWEEP)
        return cst_complain(to, "formulation %d does not exist", (int)def->formulation);
    return cst_fiber_check(def, 1, to->message, to->size) && check_spin(def, to) && check_points(def, to);
}

/* -------------------------------------------------------------------------------------------------------------- building */

static bool take(cst_super_helix *rod, const cst_fiber_def *def, bool sweep)
{
    cst_arena *arena = &rod->arena;
    const int n = rod->elements = def->elements;
    rod->material = CST_TAKE(arena, cst_helix_material, n);
    rod->radius = CST_TAKE(arena, double, n);
    rod->arc = CST_TAKE(arena, double, n + 1);
    rod->state = CST_TAKE(arena, double, 6 * n + 18);
    rod->now = CST_TAKE(arena, cst_helix_element, n + 1);
    rod->placed_buffer = CST_TAKE(arena, cst_helix_element, n + 1);
    rod->linear_buffer = CST_TAKE(arena, cst_helix_element, n + 1);
    rod->trial_u = CST_TAKE(arena, double, 3 * n);
    rod->trial_rate = CST_TAKE(arena, double, 3 * n);
    rod->linear_rate = CST_TAKE(arena, double, 3 * n);
    rod->field = CST_TAKE(arena, cst_helix_field, n);
    rod->mass = CST_TAKE(arena, cst_helix_mass, n);
    rod->start = CST_TAKE(arena, cst_helix_start, n);
    rod->bearing = CST_TAKE(arena, cst_helix_bearing, n);
    if (sweep || n > CST_HELIX_SMALL)
        rod->factor = CST_TAKE(arena, cst_helix_factor, n);
    if (n > CST_HELIX_SMALL) {
        rod->end_buffer = CST_TAKE(arena, cst_helix_element, n + 1);
        rod->correction = CST_TAKE(arena, double, 9 * n);
    }
    return !arena->failed && cst_motion_copy(arena, &def->root_motion, &rod->root_motion) &&
           (def->clamped || (cst_envelope_begin(arena, 6, &rod->root_factor) && cst_envelope_open(arena, &rod->root_factor)));
}

static void fill(cst_super_helix *rod, const cst_fiber_def *def)
{
    const int n = def->elements;
    const double l = def->length / n,
                 stiffness[3] = {def->twisting_stiffness, def->bending_stiffness[0], def->bending_stiffness[1]};
    rod->gauss = CST_HELIX_GAUSS;
    rod->clamped = def->clamped;
    rod->closed = def->closed;
    rod->mass_per_length = def->mass_per_length;
    rod->drag = def->drag;
    rod->root = (cst_helix_root *)rod->state;
    rod->u = rod->state + 12;
    rod->root_rate = rod->u + 3 * n;
    rod->rate = rod->root_rate + 6;
    for (int i = 0; i < n; ++i) {
        cst_helix_material *material = &rod->material[i];
        const double *natural = def->element_natural_curvature ? def->element_natural_curvature + 3 * i : def->natural_curvature;
        const double r = rod->radius[i] = def->element_radius ? def->element_radius[i] : def->radius;
        *material = (cst_helix_material){.length = l, .mass = def->mass_per_length * l, .spin = 0.5 * r * r};
        for (int k = 0; k < 3; ++k) {
            material->stiffness[k] = stiffness[k] * l;
            material->damping[k] = def->viscosity * stiffness[k] * l;
            material->natural[k] = natural[k];
            rod->u[3 * i + k] = def->curvature ? def->curvature[3 * i + k] : natural[k];
        }
        rod->arc[i + 1] = (i + 1) * def->length / n;
    }
    memcpy(rod->root->position, def->position, sizeof def->position);
    memcpy(rod->root->frame, def->frame, sizeof def->frame);
    cst_rotation_mend(rod->root->frame);
    memcpy(rod->root_rate, def->velocity, sizeof def->velocity);
    memcpy(rod->root_rate + 3, def->angular_velocity, sizeof def->angular_velocity);
}

static bool check_shape(const cst_super_helix *rod, const cst_complaint *to)
{
    double gap[3];
    cst_subtract3(rod->now[rod->elements].start, rod->now[0].start, gap);
    const double distance = sqrt(cst_dot3(gap, gap));
    if (!isfinite(distance))
        return cst_complain(to, "the fiber is not finite: its curvatures or lengths are too large");
    if (rod->closed && distance > 1e-6 * rod->arc[rod->elements])
        return cst_complain(to, "the fiber is closed, but its first shape leaves a gap of %g m between end and start", distance);
    return true;
}

bool cst_super_helix_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size)
{
    const cst_complaint to = {message, message_size};
    *out = (cst_body_model){NULL, NULL};
    if (!check(def, &to))
        return false;
    const bool sweep =
        def->formulation == CST_FIBER_SWEEP || (def->formulation == CST_FIBER_AUTO && def->elements > CST_SUPER_HELIX_DENSE_MAX);
    const size_t bytes = sweep ? cst_helix_sweep_bytes() : cst_helix_dense_bytes();
    cst_super_helix *rod = cst_arena_begin_within(allocator, bytes, offsetof(cst_super_helix, arena));
    bool built = rod && take(rod, def, sweep);
    if (built) {
        fill(rod, def);
        built = !def->point || cst_helix_fit_points(rod, def->point);
    }
    if (built) {
        rod->rest = *rod->root;
        if (rod->clamped)
            cst_helix_root_motion(rod, 0.0, rod->root, rod->root_rate);
        cst_helix_settle(rod);
        built = sweep ? cst_helix_sweep_begin(rod, out) : cst_helix_dense_begin(rod, out);
    }
    if (!built)
        cst_complain(&to, "out of memory for a fiber of %d elements", def->elements);
    else
        built = check_shape(rod, &to);
    if (!built) {
        cst_helix_destroy(rod);
        *out = (cst_body_model){NULL, NULL};
    }
    return built;
}

bool cst_super_helix_rest(const cst_body_model *fiber, const double gravity[3])
{
    return cst_helix_rest_here(fiber->self, gravity);
}

double cst_super_helix_fit(const cst_body_model *fiber)
{
    return ((const cst_super_helix *)fiber->self)->fit;
}
