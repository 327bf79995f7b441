/* How far the nodes and edges of a nodal rod go in a step with given velocities. */
#include <math.h>

#include "math/vector3.h"
#include "rod/nodal_rod.h"

/* Where a node goes. */
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
    double largest = 0.0; /* between nodes the velocity is linear */
    for (int i = 0; i < rod->nodes; ++i) {
        double way[3];
        node_way(rod, frame, v, i, way);
        largest = fmax(largest, cst_dot3(way, way));
    }
    return sqrt(largest);
}

void cst_nodal_ways(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out)
{
    const cst_nodal_rod *rod = self;
    for (int i = 0; i < rod->edges; ++i) {
        node_way(rod, frame, v, i, out[i].way[0]);
        node_way(rod, frame, v, (i + 1) % rod->nodes, out[i].way[1]);
        out[i].spread = 0.0;
    }
    if (rod->clamped) /* from the middle of its edge on */
        for (int c = 0; c < 3; ++c)
            out[0].way[0][c] = 0.5 * (out[0].way[0][c] + out[0].way[1][c]);
}
