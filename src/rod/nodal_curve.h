/* The centreline of a closed nodal rod: a smooth curve through its nodes.
 *
 * The nodes lie on the rod that they represent, and edges are chords of the rod. Between the nodes of edge i, with u from 0 to 1
 * and v = 1 - u, the centreline is the cubic of Catmull and Rom (1974), whose tangent at a node is half the vector from the
 * previous node to the next node:
 *
 *     x = v x_i + u x_i+1 - b u v (v D_i + u D_i+1) / 2,       D_i = x_i+1 - 2 x_i + x_i-1.
 *
 * The curve is linear in the nodes: a point moves with four nodes and constant weights. Impulses on a point are distributed with
 * the same weights, and have the same sum, moment and work as at the point.
 *
 * The factor b reduces the curve to the chord in two cases:
 *   * The curve is off the chord by less than a thousandth of the radius (from two thousandths on, b = 1).
 *   * The edges turn by more than 60 degrees (from 90 degrees on there is a corner, and b = 0), or an edge is so much longer than
 *     its neighbour that a curve through their nodes would turn back. Both cases are measured by
 *
 *         w = (|a| / |b| + |b| / |a|) / 2 - cos(angle),      a, b the edges before and after the node,
 *
 *     which is 1/2 at 60 degrees and 1 at 90 degrees between edges of equal length. On a straight line w = 1/2 if one edge is 2.6
 *     times as long as the other. Measuring |D| relative to the initial edge length fails: a chain that was compressed to a
 *     quarter at one place and stretched to twice its length at another had curves around corners of more than 90 degrees, with
 *     bends of a hundred turns (capstan-bench random, seeds 479 and 965).
 *
 * Only closed rods are smooth, because rings roll. Edges of open rods stay straight, which is cheaper: a contact acts on two
 * nodes instead of four, and detection handles capsules. Limp rods with natural curvature that crumple pass through themselves if
 * they are curves: this happens in six of 2,000 random worlds, and in none with straight edges (capstan-bench random; seeds 459,
 * 659, 725, 1235, 1237, 1307). If all rods were smooth, heap_of_10 with discrete rods would take 25 % longer and have 13 % more
 * contacts, spaghetti_31 would need twice the friction iterations, and the clove hitch would take half the time.
 *
 * Between its nodes, the curve of a ring of n nodes is off the circle by 0.023 R (2 pi / n)^4, and its edges are off by R (2 pi /
 * n)^2 / 8. A rolling polygon hops from corner to corner: after landing, its speed is 0.82 of the right speed with 24 edges and
 * 0.92 with 128 edges; for the curve the ratio is 0.999 (tests/test_world_ring.c). */
#ifndef CST_ROD_NODAL_CURVE_H
#define CST_ROD_NODAL_CURVE_H

#include "rod/nodal_rod.h"

/* Returns true if the rod is closed and has enough nodes for a curve. */
bool cst_nodal_is_smooth(const cst_nodal_rod *rod);

/* Computes shape->bend from the nodes. */
void cst_nodal_find_bends(const cst_nodal_rod *rod, cst_nodal_shape *shape);

/* Returns an upper bound of the curvature (1/m) of an edge. */
double cst_nodal_most_bent(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge);

/* Computes a point on the curve. `tangent`, `curvature`: derivatives with respect to s; both may be NULL. */
void cst_nodal_curve_at(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at, double *x,
                        double *tangent, double *curvature);

/* Motion of a point of the curve with its nodes:
 *
 *     dx = sum w_k dx_k - off (sum fades_k . dx_k).
 *
 * The part of dx with `off` is due to the change of b, and is zero where b is 1 or 0. */
typedef struct cst_nodal_weights {
    int nodes;
    /* indices of the nodes in the order of the rod; near the end of a closed rod an index may be -1 or beyond the last node */
    int node[4];
    double weight[4];
    double off[3];
    double fades[4][3];
} cst_nodal_weights;

void cst_nodal_find_weights(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at,
                            cst_nodal_weights *out);

#endif
