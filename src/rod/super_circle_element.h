/* One element of a super-circle rod: a circular arc. Vectors of the plane are complex numbers. Symbols:
 *     `X = (x,y,theta)`: the start.
 *     `kappa`, `l`: curvature and length.
 *     `Q = (x,y,theta,kappa)`: its coordinates.
 *     `R = e^{i*theta}`: initial direction.
 *     `phi = kappa*l`: arc angle.
 *     `w`, `k'`: rates of theta, kappa.
 *     `E`, `P`, `a`, `b`, `c`: super_circle_functions.h.
 *     `E'`, `P'`, ...: derivatives by phi.
 *     `rhoA`: mass per length.
 *
 * The joint matrix F maps changes of the coordinates of an element to the displacement and rotation of its end:
 *     `dX_end = F dQ`.
 *     `F = [1,0,iRlE,Rl^2*E'; 0,0,1,l]`.
 *
 * The symmetric mass matrix M of an element has the following blocks, where I2 is the 2 x 2 identity:
 *     `M_xy,xy = rhoA*l*I2`.
 *     `M_xy,theta = rhoA*iRl^2*P`.
 *     `M_xy,kappa = rhoA*Rl^3*P'`.
 *     `M_theta,theta = rhoA*l^3*a`.
 *     `M_theta,kappa = rhoA*l^4*b`.
 *     `M_kappa,kappa = rhoA*l^5*c`.
 *
 * The bias beta is the acceleration of the start of an element when all generalised accelerations vanish. The bias accelerations
 * of the elements are computed from the root, where the bias is zero, to the free end:
 *     `beta_end = beta-w^2*RlE+2*w*k'*iRl^2*E'+k'^2*Rl^3*E''`.
 *
 * The inertial forces h of an element with constant rates, if its start is not accelerated, are:
 *     `h_xy = rhoA*(-w^2*Rl^2*P+2*w*k'*iRl^3*P'+k'^2*Rl^4*P'')`.
 *     `h_theta = rhoA*(w*k'*l^4*a'+k'^2*l^5*b')`.
 *     `h_kappa = rhoA*(-w^2*l^4*a'+k'^2*l^6*c')/2`.
 *
 * The generalised forces f of a uniform acceleration field g (for example gravity) on an element are:
 *     `f_xy = rhoA*l*g`.
 *     `f_theta = rhoA*(iRl^2*P).g`.
 *     `f_kappa = rhoA*(Rl^3*P').g`.
 *
 * The equations of motion of the rod contain the stiffness K, the damping D and the gyroscopic forces c. Each element contributes
 * to the gyroscopic forces c the sum of its inertial forces h and of the product of its mass matrix and its bias acceleration:
 *     `M q''+c = f-K(kappa-kappa_0)-D kappa'`.
 *     `c = sum J^T (h+M(beta,0,0))`.
 *
 * A bias acceleration beta loads an element like a gravitational acceleration of -beta. */
#ifndef CST_ROD_SUPER_CIRCLE_ELEMENT_H
#define CST_ROD_SUPER_CIRCLE_ELEMENT_H

#include "rod/super_circle_functions.h"

/* Position, curvature and motion of one element; the struct takes 152 bytes. Position and motion of all elements are computed in
 * one sweep along the rod (super_circle_trace.c). All later computations read the stored positions and motions, so the special
 * functions are evaluated once per element and step. */
typedef struct cst_circle_element {
    double kappa, theta;
    cst_plane start;     /* z */
    cst_plane direction; /* R */
    cst_plane velocity;  /* of the start */
    double turn;         /* theta' */
    cst_plane bias;      /* beta */
    double f[CST_CIRCLE_SERIES];
} cst_circle_element;

/* Constant properties of an element. */
typedef struct cst_circle_material {
    double length;
    double stiffness; /* EI l */
    double damping;   /* viscosity times l */
    double natural;   /* kappa_0 */
} cst_circle_material;

/* Two columns of the joint matrix F of an element: `turn` belongs to the angle theta of its start, `bend` to its curvature kappa.
 * The last entries of the columns, 1 and the length l, are not stored. */
typedef struct cst_circle_joint {
    cst_plane turn, bend;
} cst_circle_joint;

static inline cst_circle_joint cst_circle_joint_of(const cst_circle_element *e, double l)
{
    double phi = e->kappa * l;
    cst_plane chord = cst_plane_product(e->direction, cst_circle_E(phi, e->f));
    cst_plane bend = cst_plane_product(e->direction, cst_circle_E1(phi, e->f));
    return (cst_circle_joint){cst_plane_scaled(l, cst_plane_left(chord)), cst_plane_scaled(l * l, bend)};
}

/* The symmetric mass matrix M of an element; the member m is the mass of the element. */
typedef struct cst_circle_mass {
    double m;
    cst_plane turn, bend; /* x, y rows of two columns */
    double turn_turn, turn_bend, bend_bend;
} cst_circle_mass;

static inline cst_circle_mass cst_circle_mass_of(const cst_circle_element *e, double l, double mass_per_length)
{
    double phi = e->kappa * l, m1 = mass_per_length * l, m2 = m1 * l, m3 = m2 * l, m4 = m3 * l, m5 = m4 * l;
    cst_plane first = cst_plane_product(e->direction, cst_circle_P(phi, e->f));
    cst_plane bend = cst_plane_product(e->direction, cst_circle_P1(phi, e->f));
    return (cst_circle_mass){.m = m1,
                             .turn = cst_plane_scaled(m2, cst_plane_left(first)),
                             .bend = cst_plane_scaled(m3, bend),
                             .turn_turn = m3 * cst_circle_a(e->f),
                             .turn_bend = m4 * cst_circle_b(e->f),
                             .bend_bend = m5 * cst_circle_c(e->f)};
}

/* A vector in the coordinates of one element: velocities (x', y', theta', kappa') or the corresponding impulses. */
typedef struct cst_circle_quad {
    cst_plane xy;
    double theta, kappa;
} cst_circle_quad;

static inline cst_circle_quad cst_circle_mass_times(const cst_circle_mass *M, cst_circle_quad v)
{
    return (cst_circle_quad){.xy = {M->m * v.xy.x + M->turn.x * v.theta + M->bend.x * v.kappa,
                                    M->m * v.xy.y + M->turn.y * v.theta + M->bend.y * v.kappa},
                             .theta = cst_plane_dot(M->turn, v.xy) + M->turn_turn * v.theta + M->turn_bend * v.kappa,
                             .kappa = cst_plane_dot(M->bend, v.xy) + M->turn_bend * v.theta + M->bend_bend * v.kappa};
}

static inline double cst_circle_quad_dot(cst_circle_quad a, cst_circle_quad b)
{
    return cst_plane_dot(a.xy, b.xy) + a.theta * b.theta + a.kappa * b.kappa;
}

/* Returns the velocity and the angular velocity of the end of an element, computed from the velocities v of the element; the rate
 * of curvature in the returned vector is zero. */
static inline cst_circle_quad cst_circle_joint_times(const cst_circle_joint *F, double l, cst_circle_quad v)
{
    return (cst_circle_quad){
        .xy = {v.xy.x + F->turn.x * v.theta + F->bend.x * v.kappa, v.xy.y + F->turn.y * v.theta + F->bend.y * v.kappa},
        .theta = v.theta + l * v.kappa};
}

/* Computes the inertial terms h. `rate`: rate of the element's curvature; the angular velocity of the element is stored in the
 * element itself. */
static inline cst_circle_quad cst_circle_inertia_of(const cst_circle_element *e, double l, double mass_per_length, double rate)
{
    double phi = e->kappa * l, l2 = l * l, l4 = l2 * l2;
    double w = e->turn, lr = l * rate; /* lr: change of w */
    cst_plane P = cst_circle_P(phi, e->f), P1 = cst_circle_P1(phi, e->f), P2 = cst_circle_P2(phi, e->f);
    cst_plane local = {lr * lr * P2.x - w * w * P.x - 2.0 * w * lr * P1.y, lr * lr * P2.y - w * w * P.y + 2.0 * w * lr * P1.x};
    double a1 = cst_circle_a1(phi, e->f), b1 = cst_circle_b1(phi, e->f), c1 = cst_circle_c1(phi, e->f);
    return (cst_circle_quad){.xy = cst_plane_scaled(mass_per_length * l2, cst_plane_product(e->direction, local)),
                             .theta = mass_per_length * l2 * l * (w * a1 + lr * b1) * lr,
                             .kappa = 0.5 * mass_per_length * l4 * (lr * lr * c1 - w * w * a1)};
}

/* Computes the generalised forces of a uniform acceleration field g, such as gravity, on an element. */
static inline cst_circle_quad cst_circle_weight_of(const cst_circle_mass *M, cst_plane g)
{
    return (cst_circle_quad){
        .xy = cst_plane_scaled(M->m, g), .theta = cst_plane_dot(M->turn, g), .kappa = cst_plane_dot(M->bend, g)};
}

/* A point of an element at the arc length s, with its position and angle. The velocity of the point is a sum of three terms: the
 * velocity of the element's start, `turn` times the angular velocity of the start, and `bend` times the rate of the element's
 * curvature. Angular velocity: theta' + s kappa'. */
typedef struct cst_circle_point {
    cst_plane position, turn, bend;
    cst_plane bend_twice; /* d2z/dkappa2; used by statics */
    double angle;
} cst_circle_point;

static inline cst_circle_point cst_circle_point_at(const cst_circle_element *e, double s)
{
    double phi = e->kappa * s, f[CST_CIRCLE_SERIES];
    cst_circle_series(phi, f);
    cst_plane chord = cst_plane_scaled(s, cst_plane_product(e->direction, cst_circle_E(phi, f)));
    return (cst_circle_point){.position = cst_plane_sum(e->start, chord),
                              .turn = cst_plane_left(chord),
                              .bend = cst_plane_scaled(s * s, cst_plane_product(e->direction, cst_circle_E1(phi, f))),
                              .bend_twice = cst_plane_scaled(s * s * s, cst_plane_product(e->direction, cst_circle_E2(phi, f))),
                              .angle = e->theta + phi};
}

#endif
