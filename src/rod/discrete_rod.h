/* Discrete elastic rods in 3D: nodes, and the angle of a material frame on every edge (a body of body/body.h).
 *
 * The strains of the joint between two edges e and f are those of Bergou and others (2008 and 2010). Symbols:
 *     `t_e`, `t_f`: unit vectors, both edges.
 *     `m1`, `m2`: material directions, each edge.
 *     `theta`: angle, reference to material frame.
 *     `m_ref`: angle between the reference frames.
 *     `kb`: curvature vector.
 *
 * A joint has two bending strains kappa_1 and kappa_2; the third strain is the twist m:
 *     `kb = 2 t_e x t_f/(1+t_e.t_f)`.
 *     `kappa_1 = kb.(m2_e + m2_f)/2`.
 *     `kappa_2 = -kb.(m1_e + m1_f)/2`.
 *     `m = theta_f-theta_e+m_ref`.
 *
 * The two bending strains of a joint of length l are l k2 and -l k1, where k1 and k2 are the curvatures of fiber.h. The energy
 * of a strain is 1/2 c (strain - natural)^2, with the stiffness c = EI / l for bending and c = GJ / l for twist, where l is the
 * length of the joint. The reference frame of an edge is transported in time without twist, so the rate of the angle theta is
 * the spin of the edge about its tangent. The angle between the reference frames of neighbouring edges changes continuously and
 * can become larger than a whole turn. The derivatives of the strains are exact at the present state; they are taken with
 * reference frames that are transported from this state without twist.
 *
 * The order of dofs is x_0, theta_0, x_1, theta_1, ..., x_n, with the node positions x and the angles theta of the edges; the
 * half-bandwidth is 10. The state consists of the vector q of all dofs, the velocities and, for each edge, the direction d1 of
 * its reference frame (3) and the angle to the reference frame of the next edge. A clamped rod has its clamp in the middle of its
 * first edge. The last edge of a closed rod ends at node 0, so the rod needs no constraint to stay closed. */
#ifndef CST_ROD_DISCRETE_ROD_H
#define CST_ROD_DISCRETE_ROD_H

#include "body/body.h"

/* Creates a rod in *out. Returns false with a message if a value of the rod's definition is not valid. The function `destroy` of
 * the rod's body class frees all memory of the rod. */
bool cst_discrete_rod_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

/* One edge with its material frame: unit direction, length, and the material directions m1, m2. */
typedef struct cst_discrete_edge {
    double t[3], m1[3], m2[3];
    double length;
} cst_discrete_edge;

/* Computes the two bending strains `kappa`. If `gradient` is not NULL, also writes the derivatives of the two bending strains and
 * of the twist with respect to the 11 dofs of the joint (3 x 11). The dofs of a joint are the positions of its three nodes and
 * the angles of its two edges, in their order along the rod. */
void cst_discrete_joint_strains(const cst_discrete_edge *e, const cst_discrete_edge *f, double kappa[2], double *gradient);

#endif
