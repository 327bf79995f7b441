/* CORDE rods in 3D: nodes, and a material frame on every edge (a body of body/body.h).
 *
 * The material frame of an edge is given by a unit quaternion. The rod has the two kinds of strains of Spillmann and Teschner
 * 2007, in the form of docs/maths_rods.md, 4.3. The strain of an edge is the difference between the unit vector along the edge
 * and the tangent of its frame. The stiffness of an edge's strain, 100 EI / l for the edge length l, keeps the edge and its frame
 * nearly parallel. The strains of a joint are its length times the twist and the two curvatures: twice the vector part of the
 * quaternion that rotates the frame of the first edge to the frame of the second edge, minus its natural value. In the axes (t,
 * d1, d2) of the frame, the three strains of a joint of length l have the stiffnesses GJ / l, EI_1 / l and EI_2 / l.
 *
 * Because the stiffness of the edge strain is finite, the rod has a small shear compliance; the error due to this compliance is
 * of second order in the edge length, like the other errors.
 *
 * The dofs of an edge are the angular velocity of its frame in the world's axes, so the unit length of its quaternion needs no
 * constraint. Let p be the quaternion of the rotation from edge a to edge b, R_a the frame of edge a, and w_a and w_b the angular
 * velocities of the edges. The strains of the joint between the edges a and b have the rate r:
 *     `r = (p_0*I-hat(p))*R_a^T*(w_b-w_a)`.
 *
 * The rate of the strains of an edge is t x w, with its tangent t and the angular velocity w of its frame, plus the contribution
 * of the velocities of its nodes. The rotational inertia of the frame of an edge is the same about every axis: that of a cylinder
 * about its own axis, half the mass of the edge times the squared radius. An inertia that is equal about all axes is a scalar in
 * any frame: there is no gyroscopic moment, and angular momentum is conserved. The true inertia of a section about an axis across
 * the rod is half of its inertia about the axis of the rod, but the error in bending waves is only of the order of (radius / wave
 * length)^2.
 *
 * The rotation of a joint from its natural shape is only unique below half a turn. A rod that is twisted by more than half a
 * turn from edge to edge needs more edges.
 *
 * The order of dofs is x_0, w_0, x_1, w_1, ..., x_n, with the node positions x and the rotations w of the edges; the
 * half-bandwidth is 8. The state consists of the vector q of all dofs, the velocities, and the quaternion of each edge. In the
 * vector q, the entries of an edge are its accumulated rotations; only differences of these entries have a meaning.
 *
 * The header corde_explicit.h describes the explicit step (option explicit_step). */
#ifndef CST_ROD_CORDE_H
#define CST_ROD_CORDE_H

#include "body/body.h"

/* Creates a rod in *out. Returns false with a message that says which value is wrong and why. The function `destroy` of the class
 * frees all memory. */
bool cst_corde_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

#endif
