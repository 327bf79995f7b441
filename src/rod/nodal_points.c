/* The velocity of a point of a nodal rod as a function of the dofs of the rod; the point is on the curve through the nodes
 * (nodal_curve.h). The velocity of a point is a weighted sum of the velocities of the nearest nodes, plus a term for the change
 * of the blending factor, which moves the centreline between the straight edge and the smooth curve. The part of the rod between
 * two nodes rotates with the edge between these nodes. Symbols:
 *     `t`: unit vector along edge i.
 *     `|e_i|`: length of edge i.
 *     `v_i`, `v_(i+1)`: velocities of the two nodes of edge i.
 *
 * In CORDE rods, the angular velocity of an edge is itself a dof. In discrete rods and spring chains, the angular velocity of
 * edge i is its spin about its tangent (0 in spring chains) plus the term:
 *     `t x (v_(i+1)-v_i)/|e_i|`.
 *
 * If the whole rod moves rigidly, the velocity and the angular velocity of every point are exact, except that a spring chain has
 * no spin about its tangent. */
#include <string.h>

#include "math/vector3.h"
#include "rod/nodal_curve.h"

/* `dof`: index of a dof on which the motion of a point depends. `j`, `j_turn`: derivatives of the velocity and of the angular
 * velocity of the point with respect to the velocity of this dof. */
typedef struct point_column {
    int dof;
    double j[3], j_turn[3];
} point_column;

/* Computes the Jacobian of the angular velocity of an edge with respect to the dofs of the edge and of its two nodes. */
static void find_turn(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *j_turn)
{
    const int width = rod->stride + 3, last = rod->stride;
    double t[3];
    const double length = cst_nodal_direction(rod, shape, edge, t);
    const double hat[9] = {0.0, -t[2], t[1], t[2], 0.0, -t[0], -t[1], t[0], 0.0};
    memset(j_turn, 0, (size_t)(3 * width) * sizeof *j_turn);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            j_turn[r * width + c] = -hat[3 * r + c] / length;
            j_turn[r * width + last + c] = hat[3 * r + c] / length;
        }
    if (rod->model->turn)
        rod->model->turn(rod, shape, edge, j_turn);
}

/* Computes the derivative of a point's velocity with respect to component c of the velocity of the k-th node on which the point
 * depends. */
static void find_node_column(const cst_nodal_weights *weights, int k, int c, double *j)
{
    for (int r = 0; r < 3; ++r)
        j[r] = (r == c ? weights->weight[k] : 0.0) - weights->fades[k][c] * weights->off[r];
}

/* Finds all dofs on which the motion of a point depends, in increasing order, and returns their number. */
static int find_columns(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at, point_column *out)
{
    const int edge = at->feature, stride = rod->stride, width = stride + 3;
    double turn[3 * CST_NODAL_EDGE_DOFS];
    cst_nodal_weights weights;
    int count = 0;
    cst_nodal_find_weights(rod, shape, at, &weights);
    find_turn(rod, shape, edge, turn);
    for (int k = 0; k < weights.nodes; ++k) {
        const int node = weights.node[k], of_edge = node == edge ? 0 : node == edge + 1 ? stride : -1;
        const int around = rod->closed ? (node + rod->nodes) % rod->nodes : node;
        for (int c = 0; c < (of_edge == 0 ? stride : 3); ++c) { /* first node, then the edge itself */
            point_column *column = out + count++;
            *column = (point_column){.dof = around * stride + c};
            if (c < 3)
                find_node_column(&weights, k, c, column->j);
            for (int r = 0; r < 3 && of_edge >= 0; ++r)
                column->j_turn[r] = turn[r * width + of_edge + c];
        }
    }
    /* Insertion sort of the Jacobian columns by the index of their dof: the columns are unsorted only where a closed rod passes
     * from its last node to node 0. */
    for (int i = 1; i < count; ++i) {
        const point_column column = out[i];
        int to = i;
        for (; to > 0 && out[to - 1].dof > column.dof; --to)
            out[to] = out[to - 1];
        out[to] = column;
    }
    return count;
}

void cst_nodal_point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    const cst_nodal_rod *rod = self;
    point_column column[CST_NODAL_POINT_DOFS];
    const int columns = find_columns(rod, &rod->linear, at, column);
    int held = 0; /* held dofs come first */
    memset(out->drift, 0, sizeof out->drift);
    memset(out->drift_turn, 0, sizeof out->drift_turn);
    for (; held < columns && column[held].dof < rod->held; ++held) {
        cst_add3(rod->imposed[column[held].dof], column[held].j, out->drift);
        cst_add3(rod->imposed[column[held].dof], column[held].j_turn, out->drift_turn);
    }
    const int count = out->dofs = columns - held;
    for (int i = 0; i < count; ++i) {
        out->dof[i] = column[held + i].dof - rod->held;
        for (int r = 0; r < 3; ++r) {
            out->j[r * count + i] = column[held + i].j[r];
            out->j_turn[r * count + i] = column[held + i].j_turn[r];
        }
    }
    cst_nodal_curve_at(rod, &rod->placed, at, out->position, NULL, NULL);
    rod->model->frame(rod, &rod->placed, at->feature, out->frame);
    out->frame_angle = 0.0;
}

void cst_nodal_velocity(const void *self, const cst_material_point *at, double *velocity, double *turn)
{
    const cst_nodal_rod *rod = self;
    point_column column[CST_NODAL_POINT_DOFS];
    const int columns = find_columns(rod, &rod->now, at, column);
    memset(velocity, 0, 3 * sizeof *velocity);
    memset(turn, 0, 3 * sizeof *turn);
    for (int k = 0; k < columns; ++k) {
        cst_add3(rod->v[column[k].dof], column[k].j, velocity);
        cst_add3(rod->v[column[k].dof], column[k].j_turn, turn);
    }
}

void cst_nodal_push(void *self, const cst_material_point *at, const double *impulse, const double *moment)
{
    cst_nodal_rod *rod = self;
    if (rod->clamped && (at->feature - 1) * rod->stride >= rod->held) /* only held dofs need their impulses */
        return;
    point_column column[CST_NODAL_POINT_DOFS];
    const int columns = find_columns(rod, &rod->linear, at, column);
    double on_edge[CST_NODAL_STRIDE - 3] = {0.0};
    for (int k = 0; k < columns; ++k) {
        const int dof = column[k].dof, node = dof / rod->stride, c = dof % rod->stride;
        const double given = cst_dot3(column[k].j, impulse) + cst_dot3(column[k].j_turn, moment);
        if (dof < rod->held)
            rod->pushed[dof] += given;
        if (rod->clamped)
            continue;
        if (c >= 3) {
            on_edge[c - 3] = given;
            continue;
        }
        double force[3] = {0.0, 0.0, 0.0};
        force[c] = given;
        cst_add3(1.0, force, rod->outer_push);
        cst_add_cross3(rod->linear.q + node * rod->stride, force, rod->outer_moment);
    }
    if (!rod->clamped && rod->stride > 3)
        cst_nodal_add_edge_moment(rod, &rod->linear, at->feature, on_edge, 1.0, rod->outer_moment);
}

/* The code neglects the acceleration of a point due to a change of the blending factor between straight edge and smooth curve.
 * If the blending factor is constant, a point is a weighted sum of nodes, so it has no acceleration at constant node
 * velocities. */
void cst_nodal_acceleration(const void *self, const cst_material_point *at, double *acceleration, double *curvature)
{
    const cst_nodal_rod *rod = self;
    double x[3];
    memset(acceleration, 0, 3 * sizeof *acceleration);
    cst_nodal_curve_at(rod, &rod->now, at, x, NULL, curvature);
}
