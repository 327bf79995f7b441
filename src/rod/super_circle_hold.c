/* Functions of a super-circle rod for a step to an equilibrium (world/quasi_static.h).
 *
 * The function `hold` adds a proximal term to the right-hand side of the step: the matrices of mass, drag and damping times the
 * guessed velocities. The joint matrix gives the velocities of an element from those of the previous element. The unknowns of the
 * chained formulation are the motion of the root and the rates of curvature, so a sweep from the free end sums the impulses on
 * the elements (super_circle_chained.c). */
#include "rod/super_circle_rod.h"

static cst_circle_quad element_hold(const cst_super_circle *rod, const cst_circle_step *step, int i, const cst_circle_quad *w)
{
    const cst_circle_mass M = cst_circle_linear_mass(rod, i);
    cst_circle_quad held = cst_circle_mass_times(&M, *w);
    held.xy = cst_plane_scaled(step->scheme.mass_new, held.xy);
    held.theta *= step->scheme.mass_new;
    held.kappa = step->scheme.mass_new * held.kappa + step->scheme.damping_new * rod->material[i].damping * w->kappa;
    return held;
}

/* Adds the impulse `held` of element i to the right-hand side of the step. The impulse `held` is the product of the element's
 * matrices of mass, drag and damping with its guessed velocities. For each element, the right-hand side has four entries in the
 * mixed formulation (velocities of all elements), and one in the chained formulation (rates of curvature). `push`, `moment`: sum
 * of the impulses `held` on all elements after element i, and moment of these impulses about the end of element i. */
static void add_to_rhs(cst_super_circle *rod, int i, const cst_circle_quad *held, const cst_circle_joint *joint, cst_plane push,
                       double moment)
{
    const double l = rod->material[i].length;
    double *kappa = rod->rhs + rod->rate_first + i * rod->rate_stride;
    *kappa += held->kappa;
    if (rod->rate_stride == 1) {
        *kappa += cst_plane_dot(joint->bend, push) + l * moment;
        return;
    }
    kappa[-3] += held->xy.x;
    kappa[-2] += held->xy.y;
    kappa[-1] += held->theta;
}

static double hold(void *self, const cst_step_frame *frame, const double *guess)
{
    cst_super_circle *rod = self;
    const cst_circle_step step = cst_circle_step_of(rod, frame);
    const double *root = rod->clamped ? rod->imposed_rate : guess;
    cst_circle_quad w = {.xy = {root[0], root[1]}, .theta = root[2]};
    double work = 0.0, moment = 0.0;
    cst_plane push = {0.0, 0.0};
    for (int i = 0; i < rod->elements; ++i) {
        const double l = rod->material[i].length;
        const cst_circle_joint joint = cst_circle_joint_of(&rod->linear[i], l);
        w.kappa = guess[rod->rate_first + i * rod->rate_stride];
        rod->bearing[i].hold = element_hold(rod, &step, i, &w);
        work += cst_circle_quad_dot(w, rod->bearing[i].hold);
        w = cst_circle_joint_times(&joint, l, w);
    }
    for (int i = rod->elements - 1; i >= 0; --i) {
        const cst_circle_quad *held = &rod->bearing[i].hold;
        const cst_circle_joint joint = cst_circle_joint_of(&rod->linear[i], rod->material[i].length);
        add_to_rhs(rod, i, held, &joint, push, moment);
        moment += held->theta + cst_plane_dot(joint.turn, push);
        push = cst_plane_sum(push, held->xy);
    }
    const double seen[3] = {push.x, push.y, moment};
    for (int k = 0; k < 3; ++k) {
        rod->root_rhs[k] += seen[k];
        if (rod->rate_stride == 1 && !rod->clamped)
            rod->rhs[k] += seen[k];
    }
    return work;
}

static void scale(const void *self, cst_body_scale *out)
{
    const cst_super_circle *rod = self;
    const double length = rod->arc[rod->elements];
    double bend = 0.0; /* flexibilities add up */
    for (int i = 0; i < rod->elements; ++i)
        bend += rod->material[i].length * rod->material[i].length / rod->material[i].stiffness;
    *out = (cst_body_scale){.mass = rod->mass_per_length * length,
                            .length = length,
                            .stiffness = 1.0 / (bend * length * length),
                            .clamped = rod->clamped};
}

static void root_force(const void *self, double *force, double *moment)
{
    const cst_super_circle *rod = self;
    force[0] = rod->root_force[0];
    force[1] = rod->root_force[1];
    force[2] = moment[0] = moment[1] = 0.0;
    moment[2] = rod->root_force[2];
}

static cst_motion *root_motion(void *self)
{
    cst_super_circle *rod = self;
    return rod->clamped ? &rod->root_motion : NULL;
}

const cst_body_statics cst_circle_statics = {.scale = scale, .hold = hold, .root_force = root_force, .root_motion = root_motion};
