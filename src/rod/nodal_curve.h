/* The centreline of a closed nodal rod: a smooth curve through its nodes, whose chords are the edges.
 *
 * Between two nodes, the Catmull-Rom curve is a cubic (Catmull and Rom 1974). The tangent of the Catmull-Rom curve at a node is
 * half the vector from the previous node to the next node. A blending factor b moves the centreline from the straight edge (b =
 * 0) to the Catmull-Rom curve (b = 1). Symbols:
 *     `x_i`: position of node i.
 *     `D_i`: second difference of the node positions at node i.
 *     `u`, `v`: curve parameter from 0 to 1 along the edge, and `v = 1-u`.
 *
 * The centreline between nodes i and i + 1 has the position x:
 *     `x = v*x_i+u*x_(i+1)-c`.
 *     `c = b*u*v*(v*D_i+u*D_(i+1))/2`.
 *     `D_i = x_(i+1)-2*x_i+x_(i-1)`.
 *
 * At a constant blending factor, a point of the centreline is a weighted sum of four node positions. An impulse on a point of the
 * centreline is distributed to the four nodes on which the point depends, with the same weights. The impulses on these four nodes
 * together have the same sum, moment and work as the impulse on the point of the centreline.
 *
 * The blending factor is below 1 on nearly straight curves and at corners.
 * * Nearly straight curves: the blending factor is 0 if the Catmull-Rom curve deviates from the straight edge by at most 0.001
 *   times the radius of the rod. If the curve deviates from the edge by at least 0.002 times the radius, only corners lower the
 *   blending factor. As the deviation of the Catmull-Rom curve, the code uses its upper bound: 1/8 of the longer second
 *   difference of the node positions at the two ends of the edge.
 * * Corners: at a corner, or between edges of very different lengths, the Catmull-Rom curve would overshoot and run backwards.
 *   The corner measure w of a node detects corners and unequal lengths, where e and f are the edge vectors before and after the
 *   node:
 *     `w = (|e|/|f|+|f|/|e|)/2-cos(angle)`.
 *
 * The blending factor falls from 1 at the corner measure w = 1/2 to 0 at w = 1. Between edges of equal length, the corner measure
 * is 1/2 if the rod turns by 60 degrees at the node, and 1 if it turns by 90 degrees. On a straight line, the corner measure is
 * 1/2 if one edge is 2.6 times as long as its neighbour. The second difference of the node positions, divided by the initial edge
 * length, is not used as corner measure: it misses corners of more than 90 degrees between strongly compressed or stretched edges
 * (found with the seeds 479 and 965 of the benchmark `capstan-bench random`).
 *
 * Only closed rods have a smooth centreline, because rings roll and must be round. Straight edges of open rods are cheaper: a
 * contact acts on two nodes instead of four, and contact detection computes distances of capsules. Very flexible open rods with
 * natural curvature can crumple, and smooth curves can then pass through themselves: in the benchmark `capstan-bench random`,
 * this happened in six of 2,000 random worlds with smooth curves (seeds 459, 659, 725, 1235, 1237, 1307), and in none with
 * straight edges.
 *
 * If n nodes lie evenly on a circle of radius R, the smooth curve through them deviates from the circle by at most 0.0235 R (2
 * pi/n)^4, and the straight edges between them deviate by up to R (2 pi/n)^2 / 8. A ring with straight edges rolls as a polygon
 * and loses speed, because it hops from corner to corner. When a spinning ring lands on the ground and rolls away, its speed
 * divided by the speed of a rigid ring is 0.82 with 24 straight edges, 0.92 with 128 straight edges, and 0.999 with a smooth
 * curve (tests/test_world_ring.c). */
#ifndef CST_ROD_NODAL_CURVE_H
#define CST_ROD_NODAL_CURVE_H

#include "rod/nodal_rod.h"

/* Returns true if the centreline is a smooth curve: the rod is closed and has at least four nodes. */
bool cst_nodal_is_smooth(const cst_nodal_rod *rod);

/* Computes the array shape->bend from the node positions. For each edge, the array contains the blending factor with its
 * gradient, and the bending vectors (second differences of the node positions times the blending factor). */
void cst_nodal_find_bends(const cst_nodal_rod *rod, cst_nodal_shape *shape);

/* Returns an upper bound of the curvature (1/m) of the centreline on an edge. */
double cst_nodal_most_bent(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge);

/* Computes the position x of a point of the centreline.
 * `tangent`: derivative of the position with respect to the material coordinate s, which grows by rod->edge_length along every
 * edge; on a straight edge, the unit vector along the edge.
 * `curvature`: second derivative of the position with respect to the material coordinate s; 0 on a straight edge. `tangent` and
 * `curvature` may be NULL. */
void cst_nodal_curve_at(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at, double *x,
                        double *tangent, double *curvature);

/* Linear map from the displacements of nodes to the displacement of one point of the centreline. The displacement of the point is
 * the weighted sum of the node displacements, minus the vector `off` (from the Catmull-Rom curve to the straight edge) times the
 * change of the blending factor.
 * `off`: vector from the Catmull-Rom curve (blending factor 1) to the straight edge (blending factor 0) at the point.
 * `fades`: gradient (1/m) of the edge's blending factor (0: straight edge, 1: Catmull-Rom curve) with respect to the position of
 * each node. */
typedef struct cst_nodal_weights {
    int nodes;
    /* Indices of the nodes on which the point depends, in increasing order. The indices are cyclic: -1 is the last node, and the
     * number of nodes stands for node 0. */
    int node[4];
    double weight[4];
    double off[3];
    double fades[4][3];
} cst_nodal_weights;

void cst_nodal_find_weights(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at,
                            cst_nodal_weights *out);

#endif
