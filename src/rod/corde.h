/* CORDE rods in 3D: a chain of nodes with a material frame on every edge, given by a unit quaternion. The strains are those of
 * Spillmann and Teschner 2007, in the form of docs/maths_rods.md, 4.3.
 *
 * The strain of an edge is the difference between the unit vector along the edge and the tangent of its frame. The stiffness of
 * an edge's strain keeps the edge and its frame nearly parallel. This stiffness is 100 EI / l (EI: larger bending stiffness of
 * the rod, l: edge length). Because the stiffness of the edge strain is finite, the rod has a small shear compliance. The error
 * due to the shear compliance is of second order in the edge length, as is the discretisation error.
 *
 * A joint between two edges represents the part of the rod from the middle of one edge to the middle of the next; l is the length
 * of this part. A joint has three strains: the twist and the two curvatures, each multiplied by the length l that the joint
 * represents. The three strains of a joint have the stiffnesses GJ / l, EI_1 / l and EI_2 / l. Let the quaternion p of a joint
 * rotate the frame of its first edge to the frame of its second edge. The strains of a joint are twice the vector part of its
 * quaternion p, minus twice the vector part of p in the natural shape.
 *
 * The dofs of an edge are the angular velocity of its frame in the world's axes, so the unit length of its quaternion needs no
 * constraint. The rates r_e of an edge's strains and r_j of a joint's strains are:
 *     `r_e = (I-e*e^T)*(v_b-v_a)/l+t x w`.
 *     `r_j = (p_0*I-hat(p))*R_a^T*(w_b-w_a)`.
 *
 * Symbols:
 *     `e`, `l`: direction, length of the edge.
 *     `v_a`, `v_b`: velocities of its nodes.
 *     `t`, `w`: tangent and angular velocity of the frame of the edge.
 *     `w_a`, `w_b`: angular velocities of the frames of the edges a and b.
 *     `p_0`, `p`: scalar part and vector part of the quaternion of the joint.
 *     `R_a`: frame of edge a.
 *
 * The frame of an edge has the same rotational inertia about every axis: half the mass of the edge times the squared radius. With
 * equal inertia about all axes there is no gyroscopic moment, and angular momentum is conserved. The true inertia of a
 * cross-section about its diameter is half of its inertia about the axis of the rod. The inertia about a diameter is therefore
 * too large, which changes the frequency of bending waves only by a relative amount of the order of (radius / wave length)^2.
 *
 * The rotation of a joint is unique only below half a turn: a rod that is twisted by more than half a turn from edge to edge
 * needs more edges.
 *
 * The order of dofs is x_0, w_0, x_1, w_1, ..., x_n, with the node positions x and the rotations w of the edges; the
 * half-bandwidth is 8. The state consists of the vector q of all dofs, the velocities, and the quaternion of each edge. In the
 * vector q, the three entries of an edge are the sums of its rotation vectors over all steps; only differences of these entries
 * have a meaning.
 *
 * The explicit time step of a CORDE rod (option explicit_step) is described in corde_explicit.h. */
#ifndef CST_ROD_CORDE_H
#define CST_ROD_CORDE_H

#include "body/body.h"

/* Creates a rod in *out. Returns false with a message if a value of the rod's definition is not valid or memory ran out. The
 * function `destroy` of the rod's body class frees all memory of the rod. */
bool cst_corde_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

#endif
