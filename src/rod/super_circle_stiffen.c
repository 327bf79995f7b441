/* The geometric stiffness of a super-circle rod, for a step that is linearised several times. Symbols:
 *     `A`, `rhs`: matrix and right-hand side of the step.
 *     `v`: final velocities.
 *     `H`: Jacobian of the contact velocities.
 *     `r`: contact impulses.
 *     `v_k`: guess of the velocities.
 *     `N`: geometric stiffness at the guess.
 *     `h = theta*dt`.
 *
 * The final velocities solve an equation whose matrix, right-hand side and contact Jacobian depend on the final velocities:
 *     `A(v)*v = rhs(v)+H(v)^T*r`.
 *
 * The simplest iteration evaluates matrix, right-hand side and contact Jacobian at the guessed velocities. The simplest iteration
 * neglects the geometric stiffness, that is, the change of the forces when the shape of the rod changes. Without the geometric
 * stiffness, the iteration over guesses of the velocities converges slowly for a rod in compression. For a rod in tension, the
 * iteration diverges if the geometric stiffness of the tension exceeds the bending stiffness. The convergence without geometric
 * stiffness is slowest in quasi-static steps, whose matrix contains hardly any mass. Newton's method adds terms with the
 * geometric stiffness N of all forces (super_circle_stiffness.h) to both sides of the equation for the final velocities v:
 *     `(A+h^2*N)*v = rhs+h^2*N*v_k+H^T*r`.
 *
 * The geometric stiffness of an element is computed from the impulses of contacts, constraints and loads, and from the impulse of
 * weight and inertia. The impulse of weight and inertia on the elements is the residual of the equation of the step at the
 * guessed velocities. The inertial forces on an element are approximated by those of a uniform acceleration, because the
 * geometric stiffness need not be exact. The force on the end of an element is the sum of the forces on all following
 * elements. */
#include <math.h>

#include "rod/super_circle_rod.h"

/* Adds to the geometric stiffness of an element a rotational spring of stiffness `hold` at a point of the element. This
 * rotational spring represents a contact that rolls along the rod (world/hold_plane.h). */
void cst_circle_roll(void *self, const cst_material_point *at, double hold)
{
    cst_super_circle *rod = self;
    if (!rod->iterated)
        return;
    cst_circle_block *given = &rod->bearing[at->feature].given;
    given->turn_turn += hold;
    given->turn_bend += hold * at->s;
    given->bend_bend += hold * at->s * at->s;
}

/* Stores the guessed angular velocity and the guessed rate of curvature of each element. Adds the impulse of weight and inertia
 * on each element to the sum of all impulses on the element (`pushed`). */
static void find_forces(cst_super_circle *rod, const cst_circle_step *step, const double *guess)
{
    cst_circle_quad node = {{0.0, 0.0}, 0.0, 0.0};
    if (!rod->clamped)
        node = (cst_circle_quad){.xy = {guess[0], guess[1]}, .theta = guess[2]};
    for (int i = 0; i < rod->elements; ++i) {
        cst_circle_bearing *bearing = &rod->bearing[i];
        const double l = rod->material[i].length;
        const cst_circle_dynamics d = cst_circle_dynamics_of(rod, step, i);
        const cst_circle_mass M = cst_circle_mass_of(&rod->linear[i], l, rod->mass_per_length);
        node.kappa = guess[rod->rate_first + i * rod->rate_stride];
        const cst_plane taken = cst_circle_mass_times(&d.A, node).xy, rest = cst_plane_difference(d.rhs.xy, taken);
        bearing->turn = node.theta;
        bearing->bend = node.kappa;
        bearing->block = bearing->given;
        cst_circle_block_add_field(&bearing->block, &rod->linear[i], &M, l, cst_plane_scaled(1.0 / M.m, rest));
        bearing->pushed = cst_plane_sum(bearing->pushed, rest);
        node = cst_circle_joint_times(&d.joint, l, node);
    }
}

void cst_circle_stiffen(cst_super_circle *rod, const cst_step_frame *frame, const double *guess)
{
    const cst_circle_step step = cst_circle_step_of(rod, frame);
    const double scale = frame->theta * frame->theta * frame->dt;
    cst_plane pull = {0.0, 0.0};
    find_forces(rod, &step, guess);
    for (int i = rod->elements - 1; i >= 0; --i) {
        cst_circle_bearing *bearing = &rod->bearing[i];
        const double l = rod->material[i].length;
        const cst_circle_joint joint = cst_circle_joint_of(&rod->linear[i], l);
        cst_circle_block_add_pull(&bearing->block, &rod->linear[i], &joint, l, pull);
        pull = cst_plane_sum(pull, bearing->pushed);
        bearing->block.turn_turn *= scale;
        bearing->block.turn_bend *= scale;
        bearing->block.bend_bend *= scale;
        bearing->pushed = (cst_plane){0.0, 0.0};
        bearing->given = (cst_circle_block){0.0, 0.0, 0.0};
    }
    rod->stiffening = CST_CIRCLE_STIFFENED;
}

/* Returns the positive semi-definite part of the 2 x 2 geometric stiffness N of an element, which acts on its rotation and its
 * curvature. The entries of the geometric stiffness are first scaled with the element length l, so that both unknowns are
 * angles. */
static cst_circle_block positive_part(cst_circle_block N, double l)
{
    const double a = N.turn_turn, b = N.turn_bend / l, c = N.bend_bend / (l * l);
    const double mean = 0.5 * (a + c), half = 0.5 * (a - c), radius = hypot(half, b), low = mean - radius, high = mean + radius;
    if (low >= 0.0)
        return N;
    if (!(high > 0.0))
        return (cst_circle_block){0.0, 0.0, 0.0};
    /* N has one negative eigenvalue `low`: its positive semi-definite part is the positive eigenvalue `high` times the projector
     * on the eigenvector of `high` */
    const double scale = high / (high - low);
    return (cst_circle_block){scale * (a - low), scale * b * l, scale * (c - low) * l * l};
}

bool cst_circle_stiffen_only(cst_super_circle *rod)
{
    if (rod->stiffening != CST_CIRCLE_STIFFENED)
        return false;
    for (int i = 0; i < rod->elements; ++i)
        rod->bearing[i].block = positive_part(rod->bearing[i].block, rod->material[i].length);
    rod->stiffening = CST_CIRCLE_STIFFENED_ONLY;
    return true;
}

void cst_circle_forget_stiffness(cst_super_circle *rod)
{
    for (int i = 0; i < rod->elements && rod->stiffening != CST_CIRCLE_NOT_STIFFENED; ++i) {
        const cst_circle_bearing *bearing = &rod->bearing[i];
        rod->root_rhs[2] -= bearing->block.turn_turn * bearing->turn + bearing->block.turn_bend * bearing->bend;
    }
    rod->stiffened = rod->stiffening != CST_CIRCLE_NOT_STIFFENED;
    rod->stiffening = CST_CIRCLE_NOT_STIFFENED;
}
