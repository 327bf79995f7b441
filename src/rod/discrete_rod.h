/* Discrete elastic rods in 3D (Bergou and others, 2008 and 2010). The dofs are the positions of the nodes and, for each edge, the
 * angle of its material frame about the edge.
 *
 * Every edge has a reference frame, which is transported in time without twist. The angle theta of an edge turns the reference
 * frame into the material frame, so the rate of theta is the spin of the edge about its tangent. Symbols of a joint between two
 * edges e and f:
 *     `t_e`, `t_f`: unit vectors along the edges e and f.
 *     `m1_e`, `m2_e`: material directions of edge e, across the edge (likewise `m1_f`, `m2_f`).
 *     `theta_e`, `theta_f`: angles of the two material frames from the reference frames.
 *     `m_ref`: twist angle from the reference frame of edge e to the reference frame of edge f.
 *     `kb`: curvature vector of the joint.
 *
 * A joint has three strains, the bending strains kappa_1 and kappa_2 and the twist m. The bending strains follow from the
 * curvature vector kb:
 *     `kb = 2 t_e x t_f/(1+t_e.t_f)`.
 *     `kappa_1 = kb.(m2_e + m2_f)/2`.
 *     `kappa_2 = -kb.(m1_e + m1_f)/2`.
 *     `m = theta_f-theta_e+m_ref`.
 *
 * A joint represents the part of the rod from the middle of one edge to the middle of the next; l is the length of this part.
 * Each strain of a joint has the energy:
 *     `E = c*(strain-natural)^2/2`.
 *     `c = EI/l` or `c = GJ/l`: stiffness of bending or twist.
 *
 * With the curvatures k1 and k2 of fiber.h, the bending strains of a joint are approximately kappa_1 = l k2 and kappa_2 = -l k1.
 * The twist angle m_ref between neighbouring reference frames changes continuously in time and can become larger than a whole
 * turn. The code computes the derivatives of the strains analytically, without approximation.
 *
 * The order of dofs is x_0, theta_0, x_1, theta_1, ..., x_n, with the node positions x and the edge angles theta. The saved state
 * consists of the dofs, the velocities and, for each edge, the direction d1 of the reference frame (3 numbers) and the angle
 * m_ref to the next edge. */
#ifndef CST_ROD_DISCRETE_ROD_H
#define CST_ROD_DISCRETE_ROD_H

#include "body/body.h"

/* Creates a rod in *out. Returns false with a message if a value of the definition is not valid or memory ran out. The function
 * `destroy` of the body class frees the rod. */
bool cst_discrete_rod_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

/* One edge: its unit direction t, the material directions m1 and m2 across the edge, and its length (m). */
typedef struct cst_discrete_edge {
    double t[3], m1[3], m2[3];
    double length;
} cst_discrete_edge;

/* Computes the two bending strains of the joint between the edges e and f.
 * `gradient`: array (3 x 11), derivatives of the two bending strains and of the twist with respect to the 11 dofs of the joint;
 * NULL if not needed. The dofs are three node positions x and two edge angles theta, in the order x, theta, x, theta, x. */
void cst_discrete_joint_strains(const cst_discrete_edge *e, const cst_discrete_edge *f, double kappa[2], double *gradient);

#endif
