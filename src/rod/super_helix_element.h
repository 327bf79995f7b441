/* One element of a super helix: a helix with constant curvatures (Bertails and others 2006), with the spin of the cross-section
 * as in Kirchhoff's rod. Symbols:
 *     `r`, `R`: start of the element and its frame (columns tangent, d1, d2).
 *     `u`, `l`: curvatures and length of the element.
 *     `v`, `omega`: velocity and angular velocity of the start, in world axes.
 *     `p`: vector from the start to a point of the element, in the frame R.
 *     `G`: derivative of the vector p with respect to the curvatures u.
 *     `V`: matrix from the rates of curvature to the angular velocity at a point, in the frame R.
 *     `p''`, `V'u'`: acceleration and angular acceleration of a point at constant rates of curvature.
 *
 * The formulas of the vector p and of the matrices G and V are in super_helix_maps.h. The joint matrix F maps the generalised
 * velocities (v, omega, u') of an element to the velocity and the angular velocity of its end:
 *     `F = [I,-hat(Rp),RG; 0,I,RV]`.
 *
 * The mass matrix M of an element is a sum over Gauss points:
 *     `M = sum (m_g*J^T*J+j_g*K^T*K)`.
 *     `J = [I,-hat(Rp),RG]`: Jacobian of the velocity of the Gauss point.
 *     `K = (0,t,p)`: Jacobian of the spin of the Gauss point about the tangent t.
 *     `m_g`, `j_g = m_g*r^2/2`: mass and spin inertia of the Gauss point, for a round cross-section of radius r.
 *
 * The bias (a, alpha) of an element is the acceleration and the angular acceleration that its start has if all generalised
 * accelerations vanish. From the root, where the bias is zero, a sweep computes the bias at the end of each element:
 *     `a_end = a+hat(alpha)*Rp+b`.
 *     `b = hat(omega)*(hat(omega)*Rp+2*RG*u')+R*p''`.
 *     `alpha_end = alpha+hat(omega)*RV*u'+R*V'u'`.
 *     `b`: acceleration of a point relative to the element's start, for alpha = 0 and constant rates of curvature.
 *
 * The inertial forces of an element are the mass matrix M times its bias, plus the forces h of the accelerations b of all Gauss
 * points and of the spin:
 *     `h = sum m_g*J^T*b+spin`.
 *
 * Without spin inertia, a straight free rod would have no inertia against a rotation about its own axis. The inertia of a
 * cross-section about its diameters is neglected; its relative contribution is (r/l)^2 (r: radius of the cross-section, l: length
 * of the element).
 *
 * The mass matrix and the inertial forces belong to the same point masses at the Gauss points, so the equations of motion
 * conserve energy with any number of Gauss points. With 3 Gauss points, the relative error of the mass matrix is 1e-8 if the
 * frame turns by 0.3 rad along the element, 3e-7 for 1 rad and 3e-5 for 3 rad. */
#ifndef CST_ROD_SUPER_HELIX_ELEMENT_H
#define CST_ROD_SUPER_HELIX_ELEMENT_H

#include "rod/super_helix_maps.h"

enum { CST_HELIX_GAUSS = 3, CST_HELIX_GAUSS_MAX = 4 };

/* Blocks of the joint matrix F of an element. */
typedef struct cst_helix_joint {
    double chord[3];   /* R p */
    double bend[9];    /* R G */
    double turning[9]; /* R V */
} cst_helix_joint;

/* Place and motion of one element, computed by super_helix_trace.c. The members start, frame and u are adjacent, so that contact
 * detection, which reads only these three, loads few cache lines. */
typedef struct cst_helix_element {
    double start[3];
    double frame[9], u[3];
    cst_helix_joint joint;
    double velocity[3], turn[3];  /* velocity and angular velocity of the element's start */
    double inertia_turn[3];       /* angular velocity of the element's start with which the inertial forces are computed */
    double bias[3], bias_turn[3]; /* bias (a, alpha) of the element's start */
} cst_helix_element;

/* Returns the bending curvature (1/m) of the centreline. The bending curvature is computed with sqrt, because hypot is slower and
 * contact detection needs this curvature thousands of times per step. */
static inline double cst_helix_bending(const double *u)
{
    return sqrt(u[1] * u[1] + u[2] * u[2]);
}

/* Constant properties of an element. */
typedef struct cst_helix_material {
    double length;
    double mass;         /* kg */
    double spin;         /* spin inertia per mass, r^2/2 (m2) */
    double stiffness[3]; /* (GJ, EI1, EI2) l */
    double damping[3];   /* viscosity times stiffness */
    double natural[3];
} cst_helix_material;

/* The symmetric mass matrix of one element, or the contribution of one element to the system matrix of a time step. The names of
 * the blocks contain v for velocity, w for angular velocity and u for rates of curvature. Two blocks of the matrix are not
 * stored, because they follow from the mass m and the first moment of mass `first`: `vv = m*I`, `vw = -hat(first)`. */
typedef struct cst_helix_mass {
    double m;
    double first[3];
    double vu[9], wu[9];
    double ww[9], uu[9]; /* symmetric, both triangles */
} cst_helix_mass;

/* Generalised velocities of one element, or generalised impulses: parts for velocity (v), angular velocity (w) and rates of
 * curvature (u). */
typedef struct cst_helix_nonad {
    double v[3], w[3], u[3];
} cst_helix_nonad;

static inline void cst_helix_mass_times(const cst_helix_mass *M, const cst_helix_nonad *x, cst_helix_nonad *out)
{
    for (int i = 0; i < 3; ++i) {
        out->v[i] = M->m * x->v[i] + M->vu[3 * i] * x->u[0] + M->vu[3 * i + 1] * x->u[1] + M->vu[3 * i + 2] * x->u[2];
        out->w[i] = M->ww[3 * i] * x->w[0] + M->ww[3 * i + 1] * x->w[1] + M->ww[3 * i + 2] * x->w[2] + M->wu[3 * i] * x->u[0] +
                    M->wu[3 * i + 1] * x->u[1] + M->wu[3 * i + 2] * x->u[2];
        out->u[i] = M->vu[i] * x->v[0] + M->vu[3 + i] * x->v[1] + M->vu[6 + i] * x->v[2] + M->wu[i] * x->w[0] +
                    M->wu[3 + i] * x->w[1] + M->wu[6 + i] * x->w[2] + M->uu[3 * i] * x->u[0] + M->uu[3 * i + 1] * x->u[1] +
                    M->uu[3 * i + 2] * x->u[2];
    }
    cst_add_cross3(x->w, M->first, out->v);
    cst_add_cross3(M->first, x->v, out->w);
}

static inline double cst_helix_nonad_dot(const cst_helix_nonad *a, const cst_helix_nonad *b)
{
    return cst_dot3(a->v, b->v) + cst_dot3(a->w, b->w) + cst_dot3(a->u, b->u);
}

/* Replaces the velocity and the angular velocity of the start of an element by those of its end. */
static inline void cst_helix_joint_times(const cst_helix_joint *F, cst_helix_nonad *x)
{
    double moved[3], turned[3];
    cst_apply3(F->bend, x->u, moved);
    cst_add_cross3(x->w, F->chord, moved);
    cst_apply3(F->turning, x->u, turned);
    cst_add3(1.0, moved, x->v);
    cst_add3(1.0, turned, x->w);
}

/* Computes the mass matrix M and the inertial forces `inertia` of an element at the angular velocity e->inertia_turn; either
 * pointer is allowed to be NULL.
 * `rate`: rates of curvature of the element.
 * `share`: factor of the inertial forces of the masses, and of the forces that change the magnitude of the spins. The forces that
 * turn the spin axes are not multiplied by `share`. */
void cst_helix_mass_of(const cst_helix_element *e, const cst_helix_material *material, int gauss, const double *rate,
                       double share, cst_helix_mass *M, cst_helix_nonad *inertia);

/* Velocity of the point mass at each Gauss point of an element, and spin of the cross-section there as a vector along the
 * tangent. */
typedef struct cst_helix_field {
    double velocity[CST_HELIX_GAUSS_MAX][3], spin[CST_HELIX_GAUSS_MAX][3];
} cst_helix_field;

/* Computes the mass matrix M of an element and the generalised momentum of the velocities and spins in `field`. */
void cst_helix_momentum_of(const cst_helix_element *e, const cst_helix_material *material, int gauss,
                           const cst_helix_field *field, cst_helix_mass *M, cst_helix_nonad *momentum);

/* Gauss-Legendre points in (0, 1), and their weights, which sum to 1. */
const double *cst_helix_gauss_points(int gauss);
const double *cst_helix_gauss_weights(int gauss);

/* A point of an element at the arc length s. `joint` maps the generalised velocities of the element to the velocity and the
 * angular velocity of the point. */
typedef struct cst_helix_point {
    double position[3], frame[9];
    cst_helix_joint joint;
} cst_helix_point;

/* Computes position and frame of the point at the arc length m->s, and the vector `chord` from the start of the element to the
 * point. */
static inline void cst_helix_end_at(const cst_helix_element *e, const cst_helix_maps *m, double *chord, double *position,
                                    double *frame)
{
    double local[9];
    cst_helix_place(m, local);
    cst_apply3(e->frame, local, chord);
    for (int k = 0; k < 3; ++k)
        position[k] = e->start[k] + chord[k];
    cst_helix_frame(m, local);
    cst_product3(e->frame, local, frame);
}

/* Computes the derivatives of position and rotation of the point at the arc length m->s with respect to the curvatures of the
 * element. */
static inline void cst_helix_bend_at(const cst_helix_element *e, const cst_helix_maps *m, cst_helix_joint *joint)
{
    double local[9];
    cst_helix_bend(m, local);
    cst_product3(e->frame, local, joint->bend);
    cst_helix_turning(m, local);
    cst_product3(e->frame, local, joint->turning);
}

static inline void cst_helix_point_at(const cst_helix_element *e, double s, cst_helix_point *out)
{
    const cst_helix_maps m = cst_helix_maps_at(e->u, s);
    cst_helix_end_at(e, &m, out->joint.chord, out->position, out->frame);
    cst_helix_bend_at(e, &m, &out->joint);
}

#endif
