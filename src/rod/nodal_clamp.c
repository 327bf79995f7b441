/* The clamp of a nodal rod, in the middle of edge 0: the motion of the clamped dofs, and the force of the clamp. The impulse of
 * the clamp on a dof is the residual of the equation of this dof in the step. The residual is the row of the matrix times the
 * final velocities, minus the right-hand side, and minus the impulses of contacts, constraints and loads on the dof. */
#include "rod/nodal_rod.h"

#include <string.h>

#include "math/rotation_vector.h"
#include "math/vector3.h"

/* Computes the values and velocities of the clamped dofs at the end of the step from the prescribed motion of the clamp. With
 * theta = 1 (implicit Euler), the velocity of a clamped dof is its displacement over the step divided by dt, so the dof stays on
 * its prescribed path. */
void cst_nodal_impose(cst_nodal_rod *rod, const cst_step_frame *frame)
{
    if (!rod->clamped)
        return;
    double translation[3], rotation[3], velocity[3], rate[3], turn[3], about[9], R[9];
    cst_motion_sample(&rod->root_motion, cst_frame_end(frame), translation, rotation, velocity, rate);
    cst_rotation_vector_exp(rotation, about);
    cst_rotation_vector_mean(rotation, rate, turn);
    cst_product3(about, rod->root_frame, R);
    const bool secant = frame->theta == 1.0;
    double nodes[6];
    for (int k = 0; k < 2; ++k) {
        double arm[3], speed[3] = {velocity[0], velocity[1], velocity[2]};
        const int at = k * rod->stride;
        cst_apply3(R, rod->root_node + 3 * k, arm);
        cst_add_cross3(turn, arm, speed);
        for (int c = 0; c < 3; ++c) {
            nodes[3 * k + c] = rod->reached[at + c] = rod->root_position[c] + translation[c] + arm[c];
            rod->imposed[at + c] = secant ? (rod->reached[at + c] - rod->now.q[at + c]) / frame->dt : speed[c];
        }
    }
    if (rod->model->hold)
        rod->model->hold(rod, &rod->now, nodes, R, turn, frame->dt, secant, rod->reached + 3, rod->imposed + 3);
}

/* Computes the force of the clamp, and its moment about the middle of edge 0, from the impulses on the clamped dofs. If edge 0
 * also has rotational dofs, the column of such a dof in the Jacobian j_turn is the unit vector of its axis of rotation. */
static void find_root_force(cst_nodal_rod *rod, double dt, const double *impulse)
{
    double middle[3], j_turn[3 * CST_NODAL_EDGE_DOFS] = {0}, *force = rod->root_force, *moment = force + 3;
    const double *q = rod->linear.q;
    const int width = rod->stride + 3;
    memset(rod->root_force, 0, sizeof rod->root_force);
    for (int c = 0; c < 3; ++c)
        middle[c] = 0.5 * (q[c] + q[rod->stride + c]);
    if (rod->model->turn)
        rod->model->turn(rod, &rod->linear, 0, j_turn);
    for (int at = 0; at <= rod->stride; at += rod->stride) {
        double arm[3];
        cst_subtract3(q + at, middle, arm);
        cst_add3(1.0 / dt, impulse + at, force);
        cst_add_cross3(arm, impulse + at, moment);
    }
    for (int c = 0; c < 3; ++c) {
        for (int k = 3; k < rod->stride; ++k)
            moment[c] += j_turn[c * width + k] * impulse[k];
        moment[c] /= dt;
    }
}

double cst_nodal_clamp_work(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v)
{
    double work = 0.0, impulse[CST_NODAL_EDGE_DOFS];
    for (int i = 0; i < rod->held; ++i) {
        double reaction = -rod->held_rhs[i] - rod->pushed[i];
        for (int j = 0; j < rod->held; ++j) {
            const int row = i > j ? i : j, column = i > j ? j : i;
            if (column >= rod->whole.first[row])
                reaction += cst_envelope_row(&rod->whole, row)[column] * rod->imposed[j];
        }
        for (int row = rod->held; row < rod->total && rod->whole.first[row] < rod->held; ++row) {
            if (i >= rod->whole.first[row])
                reaction += cst_envelope_row(&rod->whole, row)[i] * v[row - rod->held];
        }
        impulse[i] = reaction;
        work += reaction * rod->mean[i];
    }
    if (rod->held > 0)
        find_root_force(rod, frame->dt, impulse);
    return work;
}
