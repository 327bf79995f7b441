/* CORDE rods in space: nodes, and a material frame on every edge (a body of body/body.h).
 *
 * An edge has a unit quaternion q of its own; t(q) is the tangent of its frame, e / |e| the direction in which its nodes are.
 * Strains (Spillmann and Teschner 2007, in the form of docs/maths_rods.md, 4.3):
 *
 *     of an edge    e / |e| - t(q)                          c = K l,  K = 100 EI / l^2: edge and frame are nearly parallel
 *     of a joint    2 Im(q_a^* q_b) - natural, in (t, d1, d2)   c = GJ / l, EI_1 / l, EI_2 / l: length times twist and curvatures
 *
 * K makes the rod a little soft in shear, by 1 / K: an error of second order in l, as others.
 *
 * Turning. The dofs of an edge are the turning rate w of its frame, in space: q <- exp(dt w) q, and |q| = 1 needs no constraint.
 * With p = q_a^* q_b and R_a the frame of a, the rate of the joint's strains is (p_0 I - hat(p)) R_a^T (w_b - w_a), that of an
 * edge's t x w besides what its nodes do. The inertia of a frame is that of its spin, rho A l r^2 / 2, about every axis: so it
 * is a number in any frame, there is no gyroscopic moment, and angular momentum is kept. Across the rod it should be half of
 * that, but this counts only as (r / wave length)^2.
 *
 * Of a joint and its natural shape only what differs by less than half a turn is told apart: a rod twisted by more than that
 * from edge to edge needs more edges.
 *
 * dofs: x_0, w_0, x_1, w_1, ..., x_n. Half-bandwidth 8. State: q, velocities, then the quaternion of each edge. q of edges are
 * the turns that were made, summed: only their differences mean anything.
 *
 * Explicit step (explicit_step): corde_explicit.h. */
#ifndef CST_ROD_CORDE_H
#define CST_ROD_CORDE_H

#include "body/body.h"

/* A rod as defined, in *out; false with a message that says which value is wrong and why. destroy gives all memory back. */
bool cst_corde_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

#endif
