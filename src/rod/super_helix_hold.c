/* Functions of a super helix for steps to an equilibrium (world/quasi_static.h); super_circle_hold.c explains the same functions
 * for planar rods. */
#include "rod/super_helix_rod.h"

#include <assert.h>
#include <string.h>

static void element_hold(const cst_super_helix *rod, const cst_helix_step *step, int i, const cst_helix_nonad *w,
                         cst_helix_nonad *held)
{
    const cst_helix_material *material = &rod->material[i];
    cst_helix_mass M;
    cst_helix_mass_of(&rod->linear[i], material, rod->gauss, rod->rate + 3 * i, step->scheme.gyration, &M, NULL);
    cst_helix_mass_times(&M, w, held);
    for (int k = 0; k < 3; ++k) {
        held->v[k] *= step->scheme.mass_new;
        held->w[k] *= step->scheme.mass_new;
        held->u[k] = step->scheme.mass_new * held->u[k] + step->scheme.damping_new * material->damping[k] * w->u[k];
    }
}

static double dot(const cst_helix_nonad *x, const cst_helix_nonad *y)
{
    return cst_dot3(x->v, y->v) + cst_dot3(x->w, y->w) + cst_dot3(x->u, y->u);
}

/* Adds the impulse `held` on element i to the right-hand side of the step: the sum of the mass, drag and damping matrices of the
 * element, times its guessed velocities. For each element, the right-hand side has nine entries in the sweep formulation
 * (velocities of the element's start and rates of curvature), and three in the dense formulation (rates of curvature). */
static void add_to_rhs(cst_super_helix *rod, int i, const cst_helix_nonad *held, const double *push, const double *moment)
{
    double *u = rod->rhs + rod->rate_first + (ptrdiff_t)i * rod->rate_stride;
    cst_add3(1.0, held->u, u);
    if (rod->rate_stride == 9) {
        cst_add3(1.0, held->v, u - 6);
        cst_add3(1.0, held->w, u - 3);
        return;
    }
    const cst_helix_joint *F = &rod->linear[i].joint;
    double force[3], couple[3];
    cst_apply_transposed3(F->bend, push, force);
    cst_apply_transposed3(F->turning, moment, couple);
    cst_add3(1.0, force, u);
    cst_add3(1.0, couple, u);
}

static double hold(void *self, const cst_step_frame *frame, const double *guess)
{
    cst_super_helix *rod = self;
    const cst_helix_step step = cst_helix_step_of(rod, frame);
    cst_helix_nonad w = cst_helix_node_of(rod->clamped ? rod->imposed_rate : guess + rod->root_first);
    double work = 0.0, push[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0};
    double small[9 * CST_HELIX_SMALL], *of_elements = rod->correction ? rod->correction : small; /* a nonad each */
    cst_helix_nonad held;
    static_assert(sizeof held == 9 * sizeof *of_elements, "a nonad is nine numbers");
    assert(rod->elements <= CST_HELIX_SMALL || rod->correction);
    for (int i = 0; i < rod->elements; ++i) {
        memcpy(w.u, cst_helix_end_rate(rod, guess, i), sizeof w.u);
        element_hold(rod, &step, i, &w, &held);
        memcpy(of_elements + 9 * i, &held, sizeof held);
        work += dot(&w, &held);
        cst_helix_joint_times(&rod->linear[i].joint, &w);
    }
    for (int i = rod->elements - 1; i >= 0; --i) {
        memcpy(&held, of_elements + 9 * i, sizeof held);
        add_to_rhs(rod, i, &held, push, moment);
        cst_add_cross3(rod->linear[i].joint.chord, push, moment);
        cst_add3(1.0, held.w, moment);
        cst_add3(1.0, held.v, push);
    }
    if (rod->rate_stride != 9 && !rod->clamped) {
        cst_add3(1.0, push, rod->rhs + rod->root_first);
        cst_add3(1.0, moment, rod->rhs + rod->root_first + 3);
    }
    cst_add3(1.0, push, rod->root_hold);
    cst_add3(1.0, moment, rod->root_hold + 3);
    return work;
}

static void scale(const void *self, cst_body_scale *out)
{
    const cst_super_helix *rod = self;
    const double length = rod->arc[rod->elements];
    double bend = 0.0; /* flexibilities add up */
    for (int i = 0; i < rod->elements; ++i) {
        const cst_helix_material *material = &rod->material[i];
        const double softer = material->stiffness[1] < material->stiffness[2] ? material->stiffness[1] : material->stiffness[2];
        bend += material->length * material->length / softer;
    }
    *out = (cst_body_scale){.mass = rod->mass_per_length * length,
                            .length = length,
                            .stiffness = 1.0 / (bend * length * length),
                            .clamped = rod->clamped};
}

static void root_force(const void *self, double *force, double *moment)
{
    const cst_super_helix *rod = self;
    memcpy(force, rod->root_force, 3 * sizeof *force);
    memcpy(moment, rod->root_force + 3, 3 * sizeof *moment);
}

static cst_motion *root_motion(void *self)
{
    cst_super_helix *rod = self;
    return rod->clamped ? &rod->root_motion : NULL;
}

const cst_body_statics cst_helix_statics = {.scale = scale, .hold = hold, .root_force = root_force, .root_motion = root_motion};
