/* Equilibrium of a nodal rod by long quasi-static steps. Symbols:
 *     `H`: Gauss-Newton matrix of the elastic energy.
 *     `M`: mass matrix.
 *     `f`: external forces.
 *     `E`: elastic energy.
 *
 * Without drag and viscosity, a quasi-static step of length dt is a Levenberg-Marquardt step for the displacement du of all dofs:
 *     `(H+M/dt^2) du = f-grad E`.
 *
 * A quasi-static step is accepted if it does not raise the potential, which is the elastic energy minus the work of the external
 * forces. The step length dt is doubled after an accepted step and divided by four after a rejected step. Because accepted
 * quasi-static steps do not raise the potential, the rod comes to a stable equilibrium near its initial shape. A moment has no
 * potential, so if a moment acts on the rod, every step is accepted. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "rod/nodal_curve.h"
#include "rod/rod_rest.h"

enum { STEPS_MAX = 20000 };

static void add_loads(cst_nodal_rod *rod, const cst_point_load *load, int loads, double dt)
{
    double j[3 * CST_NODAL_POINT_DOFS], j_turn[3 * CST_NODAL_POINT_DOFS];
    int32_t dof[CST_NODAL_POINT_DOFS];
    cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
    for (int i = 0; i < loads; ++i) {
        cst_nodal_point(rod, &load[i].at, &motion);
        for (int k = 0; k < motion.dofs; ++k) {
            for (int r = 0; r < 3; ++r)
                rod->rhs[dof[k]] +=
                    dt * (j[r * motion.dofs + k] * load[i].force[r] + j_turn[r * motion.dofs + k] * load[i].moment[r]);
        }
    }
}

static double potential(const cst_nodal_rod *rod, const double *gravity, const cst_point_load *load, int loads)
{
    cst_body_energy energy;
    cst_nodal_energy(rod, gravity, &energy);
    double sum = energy.elastic + energy.gravity;
    for (int i = 0; i < loads; ++i) {
        double x[3];
        cst_nodal_curve_at(rod, &rod->now, &load[i].at, x, NULL, NULL);
        sum -= cst_dot3(load[i].force, x);
    }
    return sum;
}

/* Returns the largest unbalanced force (N) on a dof of the rod. For a rotational dof of an edge, the unbalanced moment divided by
 * the edge length counts as the force. */
static double largest_force(const cst_nodal_rod *rod, double dt)
{
    double largest = 0.0;
    for (int i = rod->held; i < rod->total; ++i) {
        const double arm = i % rod->stride < 3 ? 1.0 : rod->edge_length;
        largest = fmax(largest, fabs(rod->full_rhs[i]) / (dt * arm));
    }
    return largest;
}

bool cst_nodal_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance,
                           int *iterations, char *message, size_t message_size)
{
    cst_nodal_rod *rod = self;
    *iterations = 0;
    if (!cst_rod_may_rest("fiber", rod->clamped, tolerance, message, message_size))
        return false;
    cst_arena arena;
    cst_arena_begin(&arena, &rod->arena.allocator);
    double *kept = CST_TAKE(&arena, double, cst_nodal_state_size(rod)), *x = CST_TAKE(&arena, double, rod->total);
    if (arena.failed) {
        cst_arena_end(&arena);
        snprintf(message, message_size, "out of memory for the equilibrium of a fiber of %d elements", rod->edges);
        return false;
    }
    cst_step_frame step = {.dim = 3, .time = frame->time, .theta = 1.0, .quasi_static = true};
    memcpy(step.gravity, frame->gravity, sizeof step.gravity);
    bool with_moment = false, found = false, fine = true;
    double scale = rod->mass_per_length * rod->length * sqrt(cst_dot3(frame->gravity, frame->gravity));
    for (int i = 0; i < loads; ++i) {
        const double moment = sqrt(cst_dot3(load[i].moment, load[i].moment));
        with_moment = with_moment || moment > 0.0;
        scale += sqrt(cst_dot3(load[i].force, load[i].force)) + moment / rod->length;
    }
    /* Rounding errors of node positions, times the stretching stiffness, limit the accuracy of the forces. */
    double farthest = rod->length;
    for (int i = 0; i < rod->total; ++i)
        farthest = fmax(farthest, i % rod->stride < 3 ? fabs(rod->now.q[i]) : 0.0);
    const double enough = tolerance * scale + 8.0 * DBL_EPSILON * rod->stretching * farthest / rod->edge_length;
    memset(rod->v, 0, (size_t)rod->total * sizeof *rod->v);
    const double stiff = rod->joint_stiffness[0], node = rod->mass_per_length * rod->edge_length;
    /* The first quasi-static step has the length sqrt(m/k), the time in which a single bent edge straightens, with the mass m of
     * the edge and its stiffness k (N/m) against bending displacements. For a CORDE rod, k is computed with the twisting
     * stiffness in place of the bending stiffness. */
    step.dt = rod->model->stride == 3 && rod->model->joint.rows == 3 ? sqrt(node / stiff) : rod->edge_length * sqrt(node / stiff);
    double least = potential(rod, step.gravity, load, loads);
    while (!found && fine && *iterations < STEPS_MAX) {
        /* every quasi-static step ends at the time frame->time, so that the clamp always has its final position */
        step.time = frame->time - step.dt;
        cst_nodal_save(rod, kept);
        fine = cst_nodal_assemble(rod, &step, NULL, message, message_size);
        if (!fine)
            break;
        add_loads(rod, load, loads, step.dt);
        found = largest_force(rod, step.dt) <= enough;
        memcpy(x, rod->rhs, (size_t)(rod->total - rod->held) * sizeof *x);
        fine = cst_nodal_solve(rod, x);
        if (found || !fine)
            break;
        cst_nodal_finish(rod, &step, x);
        const double now = potential(rod, step.gravity, load, loads);
        memset(rod->v, 0, (size_t)rod->total * sizeof *rod->v);
        ++*iterations;
        if (with_moment || now <= least + 4.0 * DBL_EPSILON * fabs(least)) {
            least = fmin(now, least);
            step.dt = fmin(2.0 * step.dt, 1e6);
        } else {
            cst_nodal_load(rod, kept);
            memset(rod->v, 0, (size_t)rod->total * sizeof *rod->v);
            step.dt *= 0.25;
        }
    }
    cst_nodal_settle(rod);
    cst_arena_end(&arena);
    if (!found && fine)
        snprintf(message, message_size, "no equilibrium of a fiber of %d elements was found in %d steps", rod->edges, STEPS_MAX);
    return found;
}
