/* The centreline of a closed nodal rod: a smooth curve through its nodes.
 *
 * Nodes are on the rod that they stand for, and edges are chords of it. Between the nodes of edge i, u from 0 to 1 and v = 1 - u, the
 * centreline is the cubic of Catmull and Rom (1974), whose tangent at a node is half the way from the node before to the node behind:
 *
 *     x = v x_i + u x_i+1 - b u v (v D_i + u D_i+1) / 2,       D_i = x_i+1 - 2 x_i + x_i-1
 *
 * It is linear in nodes: a point moves as four nodes do, with constant weights; impulses on a point are shared by the same weights, and
 * have the same sum, moment and work as at the point.
 *
 * b fades the curve to the chord
 *   - where it is hardly off the chord, by less than a thousandth of the radius (all of it is there from two thousandths on);
 *   - at corners, where edges turn by more than 60 degrees: from 90 degrees on it is a corner, not a curve; and where one edge is so much longer than
 *     its neighbour that a curve through their nodes would turn back. Both are
 *
 *         w = (|a| / |b| + |b| / |a|) / 2 - cos(angle),      a, b the edges before and behind,
 *
 *     which is 1/2 at 60 degrees and 1 at 90 degrees between edges of one length; along a line 1/2 where one is 2.6 times as long as the other.
 *     (Told by |D| over the length that edges had at first, a chain pressed to a quarter of it here and stretched to twice it there had curves round
 *     corners of more than 90 degrees, with bends of a hundred turns: capstan-bench random, seeds 479, 965.)
 *
 * Only closed rods are smooth: rings roll. Edges of the others stay straight, which makes them cheap: a contact acts on two nodes and not
 * on four, and detection knows capsules. Limp rods that are bent by nature and crumple go through themselves as curves: six of 2,000
 * random worlds, none with straight edges (capstan-bench random; seeds 459, 659, 725, 1235, 1237, 1307). (All smooth: heap_of_10 with discrete rods takes 25 % longer and has 13 % more
 * contacts, spaghetti_31 needs twice the iterations of friction; the clove hitch takes half the time.)
 *
 * A ring of n nodes is off its circle by 0.023 R (2 pi / n)^4 between nodes, its edges by R (2 pi / n)^2 / 8. Rolling, a polygon hops
 * from corner to corner: it lands with 0.82 of the right speed with 24 edges, 0.92 with 128; the curve with 0.999
 * (tests/test_world_ring.c). */
#ifndef CST_ROD_NODAL_CURVE_H
#define CST_ROD_NODAL_CURVE_H

#include "rod/nodal_rod.h"

/* Is the rod closed, with nodes enough for a curve? */
bool cst_nodal_is_smooth(const cst_nodal_rod *rod);

/* shape->bend from its nodes. */
void cst_nodal_find_bends(const cst_nodal_rod *rod, cst_nodal_shape *shape);

/* 1/m: no point of the edge is bent more. */
double cst_nodal_most_bent(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge);

/* A point on the curve, and what may be NULL: its derivatives by s. */
void cst_nodal_curve_at(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at, double *x,
                        double *tangent, double *curvature);

/* How a point of the curve moves with its nodes,
 *
 *     dx = sum w_k dx_k - off (sum fades_k . dx_k)
 *
 * The second part is how b changes, and is zero where b is 1 or 0. */
typedef struct cst_nodal_weights {
    int nodes;
    int node[4]; /* in the order of the rod, the first one -1 and the last one beyond the end where a closed rod comes around */
    double weight[4];
    double off[3];
    double fades[4][3];
} cst_nodal_weights;

void cst_nodal_find_weights(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at,
                            cst_nodal_weights *out);

#endif
