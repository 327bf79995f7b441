/* Functions of a nodal rod for a step to an equilibrium (world/quasi_static.h). The matrix of a step is the sum of the mass,
 * drag, viscosity and stiffness matrices. The function `hold` adds a proximal term to the right-hand side of the step: the sum of
 * the mass, drag and viscosity matrices, times the velocities of the previous iteration (`guess`). Drag multiplies the masses of
 * the nodes by 1 + dt nu/rhoA, with the drag nu per length and the mass rhoA per length. Drag does not change the rotational
 * inertia of the edges. The viscosity matrix is the viscosity times the stiffness matrix of all strains except the stretch of
 * edges. */
#include "rod/nodal_rod.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

/* Adds an impulse on one dof to the right-hand side of the step. The right-hand side of a clamped dof is stored in held_rhs; the
 * solver does not use its entry in full_rhs. */
static void add(cst_nodal_rod *rod, int dof, double impulse)
{
    if (dof < rod->held)
        rod->held_rhs[dof] += impulse;
    else
        rod->full_rhs[dof] += impulse;
}

/* Adds viscous impulses to the right-hand side of the step: the viscosity matrix times dt and the guessed velocities (rod->mean).
 * Returns the sum, over all dofs, of the viscous impulse on the dof times the guessed velocity of the dof.
 * `damping`: viscosity (s) times the length dt of the step.
 * `of_joints`: true for the strains of the joints, false for the strains of the edges. */
static double hold_strains(cst_nodal_rod *rod, double damping, bool of_joints)
{
    const cst_nodal_model *model = rod->model;
    const int rows = of_joints ? model->joint.rows : model->edge.rows, count = of_joints ? rod->joints : rod->edges;
    const int width = of_joints ? cst_nodal_joint_width(rod) : rod->stride + 3;
    const double *stiffness = of_joints ? rod->joint_stiffness : rod->edge_stiffness;
    const double *gradient = of_joints ? rod->joint_gradient : rod->edge_gradient;
    double work = 0.0;
    for (int r = 0; r < rows * count; ++r) {
        const double *g = gradient + (size_t)r * (size_t)width;
        const int first = of_joints ? cst_nodal_joint_first(rod, r / rows) : r / rows * rod->stride;
        double rate = 0.0;
        for (int k = 0; k < width; ++k)
            rate += g[k] * rod->mean[cst_nodal_dof(rod, first, k)];
        const double impulse = damping * stiffness[r] * rate;
        for (int k = 0; k < width; ++k)
            add(rod, cst_nodal_dof(rod, first, k), impulse * g[k]);
        work += impulse * rate;
    }
    return work;
}

static double hold(void *self, const cst_step_frame *frame, const double *guess)
{
    cst_nodal_rod *rod = self;
    const double drag = 1.0 + frame->dt * rod->drag / rod->mass_per_length, damping = frame->dt * rod->viscosity;
    double work = 0.0;
    memcpy(rod->mean, rod->imposed, (size_t)rod->held * sizeof *rod->mean);
    memcpy(rod->mean + rod->held, guess, (size_t)(rod->total - rod->held) * sizeof *rod->mean);
    for (int i = 0; i < rod->total; ++i) {
        const double impulse = (i % rod->stride < 3 ? drag : 1.0) * rod->mass[i] * rod->mean[i];
        add(rod, i, impulse);
        work += impulse * rod->mean[i];
    }
    if (damping > 0.0)
        work += hold_strains(rod, damping, true) + hold_strains(rod, damping, false);
    return work;
}

static void scale(const void *self, cst_body_scale *out)
{
    const cst_nodal_rod *rod = self;
    *out = (cst_body_scale){.mass = rod->mass_per_length * rod->length,
                            .length = rod->length,
                            .stiffness = rod->softest_bending / (rod->length * rod->length * rod->length),
                            .clamped = rod->clamped};
}

static void root_force(const void *self, double *force, double *moment)
{
    const cst_nodal_rod *rod = self;
    memcpy(force, rod->root_force, 3 * sizeof *force);
    memcpy(moment, rod->root_force + 3, 3 * sizeof *moment);
}

static cst_motion *root_motion(void *self)
{
    cst_nodal_rod *rod = self;
    return rod->clamped ? &rod->root_motion : NULL;
}

const cst_body_statics cst_nodal_statics = {.scale = scale, .hold = hold, .root_force = root_force, .root_motion = root_motion};
