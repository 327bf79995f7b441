/* Displacements of the nodes and edges of a nodal rod in a step that ends with given velocities. */
#include <math.h>

#include "math/vector3.h"
#include "rod/nodal_curve.h"

static void node_way(const cst_nodal_rod *rod, const cst_step_frame *frame, const double *v, int node, double *way)
{
    const double old = cst_nodal_old_share(frame);
    for (int c = 0; c < 3; ++c) {
        const int k = node * rod->stride + c;
        const double end = k < rod->held ? rod->imposed[k] : v[k - rod->held];
        way[c] = frame->dt * (frame->theta * end + old * rod->v[k]);
    }
}

double cst_nodal_motion(const void *self, const cst_step_frame *frame, const double *v)
{
    const cst_nodal_rod *rod = self;
    double largest = 0.0; /* points between nodes move less */
    for (int i = 0; i < rod->nodes; ++i) {
        double way[3];
        node_way(rod, frame, v, i, way);
        largest = fmax(largest, cst_dot3(way, way));
    }
    return sqrt(largest);
}

/* Returns an upper bound (m) for the motion of points of the smooth centreline relative to the straight edge in the step, at a
 * constant blending factor. The bound is 1/8 of the blending factor times the larger change, in the step, of the second
 * differences of the node positions at the two ends of the edge. */
static double spread_of(const cst_nodal_rod *rod, const cst_step_frame *frame, const double *v, int edge)
{
    double way[4][3], largest = 0.0;
    const bool joint[2] = {rod->closed || edge > 0, rod->closed || edge + 1 < rod->edges};
    for (int k = joint[0] ? 0 : 1; k < (joint[1] ? 4 : 3); ++k)
        node_way(rod, frame, v, (edge - 1 + k + rod->nodes) % rod->nodes, way[k]);
    for (int end = 0; end < 2; ++end) {
        double off[3];
        for (int c = 0; c < 3 && joint[end]; ++c)
            off[c] = way[end + 2][c] - 2.0 * way[end + 1][c] + way[end][c];
        if (joint[end])
            largest = fmax(largest, cst_dot3(off, off));
    }
    return 0.125 * rod->now.bend[edge].share * sqrt(largest);
}

void cst_nodal_ways(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out)
{
    const cst_nodal_rod *rod = self;
    for (int i = 0; i < rod->edges; ++i) {
        node_way(rod, frame, v, i, out[i].way[0]);
        node_way(rod, frame, v, (i + 1) % rod->nodes, out[i].way[1]);
        out[i].spread = rod->now.bend[i].share > 0.0 ? spread_of(rod, frame, v, i) : 0.0;
    }
    if (rod->clamped) /* a clamped rod begins at its clamp, in the middle of edge 0, and not at node 0 */
        for (int c = 0; c < 3; ++c)
            out[0].way[0][c] = 0.5 * (out[0].way[0][c] + out[0].way[1][c]);
}
