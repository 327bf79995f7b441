/* One element of a super-circle rod: a circular arc. Vectors of the plane are complex numbers; the factor i turns a vector by 90
 * degrees. Symbols:
 *     `X = (x,y,theta)`: position and direction angle of the element's start.
 *     `kappa`, `l`: curvature and length.
 *     `Q = (x,y,theta,kappa)`: coordinates.
 *     `R = e^{i*theta}`: direction at the element's start.
 *     `phi = kappa*l`: arc angle.
 *     `w`, `k'`: rates of the direction angle theta and of the curvature kappa.
 *     `E`, `P`, `a`, `b`, `c`: special functions of the arc angle phi (super_circle_functions.h).
 *     `E'`, `P'`, `a'`, `b'`, `c'`: derivatives of the special functions E, P, a, b and c with respect to the arc angle phi.
 *     `rhoA`: mass per length.
 *
 * The joint matrix F maps changes of the coordinates of an element to the displacement and rotation of the end of the element:
 *     `dX_end = F dQ`.
 *     `F = [1,0,iRlE,Rl^2*E'; 0,0,1,l]`.
 *
 * The symmetric mass matrix M of an element has the following blocks, with the 2 x 2 identity I2:
 *     `M_xy,xy = rhoA*l*I2`.
 *     `M_xy,theta = rhoA*iRl^2*P`.
 *     `M_xy,kappa = rhoA*Rl^3*P'`.
 *     `M_theta,theta = rhoA*l^3*a`.
 *     `M_theta,kappa = rhoA*l^4*b`.
 *     `M_kappa,kappa = rhoA*l^5*c`.
 *
 * The bias beta of an element is the acceleration that its start has if all generalised accelerations vanish. From the root,
 * where beta is zero, a sweep computes the bias at the end of each element:
 *     `beta_end = beta-w^2*RlE+2*w*k'*iRl^2*E'+k'^2*Rl^3*E''`.
 *
 * An element with constant rates, whose start is not accelerated, has the inertial forces h:
 *     `h_xy = rhoA*(-w^2*Rl^2*P+2*w*k'*iRl^3*P'+k'^2*Rl^4*P'')`.
 *     `h_theta = rhoA*(w*k'*l^4*a'+k'^2*l^5*b')`.
 *     `h_kappa = rhoA*(-w^2*l^4*a'+k'^2*l^6*c')/2`.
 *
 * A uniform acceleration field g, for example gravity, exerts the generalised forces f on an element:
 *     `f_xy = rhoA*l*g`.
 *     `f_theta = rhoA*(iRl^2*P).g`.
 *     `f_kappa = rhoA*(Rl^3*P').g`.
 *
 * The equations of motion of the rod with the generalised coordinates q contain the gyroscopic forces G, which are a sum over all
 * elements:
 *     `M q''+G = f-K(kappa-kappa_0)-D kappa'`.
 *     `G = sum J^T (h+M(beta,0,0))`.
 *     `K`, `D`: bending stiffness and damping.
 *     `kappa_0`: natural curvatures.
 *     `J`: Jacobian of the element's coordinates.
 *
 * A bias acceleration beta loads an element like a gravitational acceleration of -beta. */
#ifndef CST_ROD_SUPER_CIRCLE_ELEMENT_H
#define CST_ROD_SUPER_CIRCLE_ELEMENT_H

#include "rod/super_circle_functions.h"

/* Place and motion of one element. A sweep along the rod computes places and motions of all elements (super_circle_trace.c)
 * and evaluates the special functions once per element. */
typedef struct cst_circle_element {
    double kappa, theta;
    cst_plane start;     /* position of the start */
    cst_plane direction; /* R, direction at the start */
    cst_plane velocity;  /* of the start */
    double turn;         /* angular velocity of the start */
    cst_plane bias;      /* bias acceleration beta of the start */
    double f[CST_CIRCLE_SERIES];
} cst_circle_element;

/* Constant properties of an element. */
typedef struct cst_circle_material {
    double length;
    double stiffness; /* EI times length */
    double damping;   /* viscosity times length */
    double natural;   /* natural curvature */
} cst_circle_material;

/* Two columns of the 3 x 4 joint matrix F of an element, without the entries of the last row. In the last row of F, the entry for
 * theta is 1, and the entry for kappa is the element length l.
 * `turn`: column of the joint matrix F for the direction angle theta of the element's start.
 * `bend`: column of the joint matrix F for the curvature kappa of the element. */
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

/* The symmetric mass matrix M of an element; `m` is the mass (kg) of the element. */
typedef struct cst_circle_mass {
    double m;
    cst_plane turn, bend; /* columns of theta and kappa */
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

/* Velocities of one element in its coordinates (x, y, theta, kappa), or the corresponding impulses. */
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

/* Returns the velocity and the angular velocity of the end of an element with the velocities v. */
static inline cst_circle_quad cst_circle_joint_times(const cst_circle_joint *F, double l, cst_circle_quad v)
{
    return (cst_circle_quad){
        .xy = {v.xy.x + F->turn.x * v.theta + F->bend.x * v.kappa, v.xy.y + F->turn.y * v.theta + F->bend.y * v.kappa},
        .theta = v.theta + l * v.kappa};
}

/* Computes the inertial forces h of an element. `rate`: rate of curvature. */
static inline cst_circle_quad cst_circle_inertia_of(const cst_circle_element *e, double l, double mass_per_length, double rate)
{
    double phi = e->kappa * l, l2 = l * l, l4 = l2 * l2;
    double w = e->turn, lr = l * rate; /* lr: angular velocity of the element's end minus that of its start */
    cst_plane P = cst_circle_P(phi, e->f), P1 = cst_circle_P1(phi, e->f), P2 = cst_circle_P2(phi, e->f);
    cst_plane local = {lr * lr * P2.x - w * w * P.x - 2.0 * w * lr * P1.y, lr * lr * P2.y - w * w * P.y + 2.0 * w * lr * P1.x};
    double a1 = cst_circle_a1(phi, e->f), b1 = cst_circle_b1(phi, e->f), c1 = cst_circle_c1(phi, e->f);
    return (cst_circle_quad){.xy = cst_plane_scaled(mass_per_length * l2, cst_plane_product(e->direction, local)),
                             .theta = mass_per_length * l2 * l * (w * a1 + lr * b1) * lr,
                             .kappa = 0.5 * mass_per_length * l4 * (lr * lr * c1 - w * w * a1)};
}

/* Computes the generalised forces f of a uniform acceleration field g on an element. */
static inline cst_circle_quad cst_circle_weight_of(const cst_circle_mass *M, cst_plane g)
{
    return (cst_circle_quad){
        .xy = cst_plane_scaled(M->m, g), .theta = cst_plane_dot(M->turn, g), .kappa = cst_plane_dot(M->bend, g)};
}

/* A point of an element at the arc length s, with the angular velocity theta' + s kappa'.
 * `turn`: derivative of the point's velocity with respect to the angular velocity of the element's start.
 * `bend`: derivative of the point's velocity with respect to the rate of curvature.
 * `angle`: direction angle of the arc at the point. */
typedef struct cst_circle_point {
    cst_plane position, turn, bend;
    cst_plane bend_twice; /* second derivative of the point's position with respect to the element's curvature, for statics */
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
