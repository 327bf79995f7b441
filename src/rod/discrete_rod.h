/* Discrete elastic rods in space: nodes, and the angle of a material frame on every edge (a body of body/body.h).
 *
 * Strains of a joint between the edges e and f, unit vectors t_e, t_f, material frames m1, m2 (Bergou et al. 2008, 2010):
 *
 *     kb = 2 t_e x t_f / (1 + t_e . t_f),    kappa_1 = kb . (m2_e + m2_f) / 2,    kappa_2 = -kb . (m1_e + m1_f) / 2,
 *     twist m = theta_f - theta_e + angle of the reference frames
 *
 * (kappa_1 is k2 of fiber.h times the length of the joint, kappa_2 is -k1), energy 1/2 c (strain - natural)^2 with c = EI / l,
 * GJ / l. Reference frames are carried through time without twist, so that theta' is the spin about the tangent; the angle between
 * neighbouring ones keeps its branch. In-between derivatives are those of frames so carried, which is exact at the state.
 *
 * dofs: x_0, theta_0, x_1, theta_1, ..., x_n. Half-bandwidth 10. State: q, velocities, then per edge the reference d1 (3) and the
 * reference angle to the next edge. A clamped rod has its clamp in the middle of its first edge; a closed rod is closed by itself. */
#ifndef CST_ROD_DISCRETE_ROD_H
#define CST_ROD_DISCRETE_ROD_H

#include "body/body.h"

/* A rod as defined, in *out; false with a message that says which value is wrong and why. destroy gives all memory back. */
bool cst_discrete_rod_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

/* The material frame of one edge: its direction, its length, and m1, m2. */
typedef struct cst_discrete_edge {
    double t[3], m1[3], m2[3];
    double length;
} cst_discrete_edge;

/* kappa_1, kappa_2 and, if gradient is not NULL, its derivatives (3 x 11, rows kappa_1, kappa_2, m) by
 * (x_a, theta_e, x_b, theta_f, x_c). */
void cst_discrete_joint_strains(const cst_discrete_edge *e, const cst_discrete_edge *f, double kappa[2], double *gradient);

#endif
