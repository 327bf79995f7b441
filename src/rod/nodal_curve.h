/* The centreline of a closed nodal rod: a smooth curve through its nodes.
 *
 * The nodes lie on the centreline, and the edges are its chords. Between the two nodes of an edge, the centreline is the cubic of
 * Catmull and Rom (1974), whose tangent at a node is half the vector from the previous node to the next node. A blending factor b
 * moves the curve from the straight edge (b = 0) to the full cubic (b = 1). Symbols:
 *     `x_i`: position of node i.
 *     `u`: parameter, 0 to 1, edge.
 *     `v = 1-u`.
 *     `D_i`: second difference at node i.
 *
 * A point of the centreline between nodes i and i + 1 has the position x:
 *     `x = v*x_i + u*x_(i+1)-c`.
 *     `c = b*u*v*(v*D_i+u*D_(i+1))/2`.
 *     `D_i = x_(i+1)-2*x_i+x_(i-1)`.
 *
 * With a constant blending factor between straight edge and full curve, a point of the curve is a weighted sum of the positions
 * of four nodes. An impulse on a point of the curve is distributed to the four nodes with the weights of the point. The
 * distributed impulses have the same sum, moment and work as the impulse on the point.
 *
 * In two cases the blending factor is below 1, so that the curve is nearer to the straight edge:
 * * The curve is almost straight. The blending factor is 0 if the full curve (blending factor 1) deviates from the straight
 *   edge by less than a thousandth of the rod's radius, and 1 if it deviates by more than two thousandths of the radius.
 * * The blending factor between straight edge (0) and full curve (1) is also below 1 if neighbouring edges form a corner or have
 *   very different lengths, because the full curve through their nodes would overshoot and run backwards. Between edges of equal
 *   length, the blending factor between straight edge (0) and full curve (1) is below 1 if the angle between the edges is above
 *   60 degrees, and 0 if this angle is 90 degrees or more.
 *
 * The corner measure w of a node tells how sharply the centreline bends there; it depends on the edge vectors e and f before and
 * after the node, and on the angle between them:
 *     `w = (|e|/|f|+|f|/|e|)/2-cos(angle)`.
 *
 * For edges of equal length, the corner measure of their common node is 1/2 at an angle of 60 degrees and 1 at 90 degrees. For
 * two edges on a straight line, the corner measure of their common node is 1/2 if one edge is 2.6 times as long as the other.
 * Second differences of node positions, divided by the initial edge length, would not detect corners between strongly compressed
 * or stretched edges, even corners of more than 90 degrees (capstan-bench random, seeds 479 and 965).
 *
 * Only closed rods are smooth curves, because rings roll and must be round. Edges of open rods stay straight, which is cheaper: a
 * contact acts on two nodes instead of four, and contact detection computes distances of capsules. If open rods were smooth
 * curves too, limp rods with natural curvature could crumple and pass through themselves. With smooth curves, a rod passes
 * through itself in six of 2,000 random worlds; with straight edges, in none (capstan-bench random; seeds 459, 659, 725, 1235,
 * 1237, 1307).
 *
 * The curve through n nodes on a circle of radius R deviates from the circle by at most 0.023 R (2 pi / n)^4, and the straight
 * edges deviate by at most R (2 pi / n)^2 / 8. A rolling polygon hops from corner to corner. A spinning ring that lands on the
 * ground reaches 0.82 of the speed of a rigid ring as a polygon of 24 edges, 0.92 as a polygon of 128 edges, and 0.999 as a
 * smooth curve (tests/test_world_ring.c). */
#ifndef CST_ROD_NODAL_CURVE_H
#define CST_ROD_NODAL_CURVE_H

#include "rod/nodal_rod.h"

/* Returns true if the centreline of the rod is a smooth curve: the rod is closed and has enough nodes. */
bool cst_nodal_is_smooth(const cst_nodal_rod *rod);

/* Computes shape->bend from the nodes. */
void cst_nodal_find_bends(const cst_nodal_rod *rod, cst_nodal_shape *shape);

/* Returns an upper bound of the curvature (1/m) of the centreline on an edge. */
double cst_nodal_most_bent(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge);

/* Computes a point on the curve. `tangent`, `curvature`: first and second derivatives of the position of the point with respect
 * to the arc length s; both may be NULL. */
void cst_nodal_curve_at(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at, double *x,
                        double *tangent, double *curvature);

/* Expresses the displacement of a point of the centreline as a linear function of the displacements of the nodes on which it
 * depends. The displacement of the point is the sum of the nodes' displacements times `weight`, minus `off` times the change of
 * the blending factor. The vector `off` goes from the full curve (blending factor 1) to the straight edge (blending factor 0).
 * `fades`: gradient of the blending factor between straight edge and curve, with respect to the position of each node. */
typedef struct cst_nodal_weights {
    int nodes;
    /* Indices of the nodes on which the position of the point depends, in increasing order. The node indices of a closed rod are
     * cyclic: node -1 is the last node, and node 0 follows after the last node. */
    int node[4];
    double weight[4];
    double off[3];
    double fades[4][3];
} cst_nodal_weights;

void cst_nodal_find_weights(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at,
                            cst_nodal_weights *out);

#endif
