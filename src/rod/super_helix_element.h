/* One element of a super helix: a helix with constant curvatures u and length l, which starts at the position r with the frame R
 * (columns tangent, d1, d2).
 *
 * The coordinates of an element are (v, omega, u'): the velocity v and the angular velocity omega of its start, in the world's
 * frame, and the rates u' of its curvatures. The file super_helix_maps.h defines:
 *     `p`: position at the arc length.
 *     `G`: derivative of p.
 *     `V`: map of the rotation.
 *     `p''`, `V'u'`: second time derivatives.
 *
 * The joint matrix F of an element maps its coordinates (v, omega, u') to the velocity and the angular velocity of its end:
 *     `F = [I,-hat(Rp),RG; 0,I,RV]`.
 *
 * The mass matrix M of an element is a sum over Gauss points:
 *     `M = sum (m_g*J^T*J+j_g*K^T*K)`.
 *     `J = [I,-hat(Rp),RG]`: point's velocity.
 *     `K = (0,t,p)`: spin about t.
 *     `m_g`, `j_g`: mass and spin inertia.
 *
 * The bias (a, alpha) is the acceleration and the angular acceleration of the element's start when all generalised
 * accelerations vanish. At the root of the rod, the bias accelerations are zero, and a sweep along the rod computes the bias
 * accelerations at the end of each element from those at its start. Let b be the acceleration that a point has relative to the
 * element's start if alpha is zero and the rates of curvature are constant:
 *     `a_end = a+hat(alpha)*Rp+b`.
 *     `b = hat(omega)*(hat(omega)*Rp+2*RG*u')+R*p''`.
 *     `alpha_end = alpha+hat(omega)*RV*u'+R*V'u'`.
 *
 * The inertial forces of an element are the sum of three parts: the mass matrix M times the bias (a, alpha) of the element's
 * start, the forces due to the accelerations b of the Gauss points relative to this start, and the forces due to the spin. The
 * sum of the last two parts is:
 *     `h = sum m_g*J^T*b+spin`.
 *
 * A Gauss point with the mass m_g has the spin inertia j_g = m_g r^2/2 of a round section of radius r. Without spin inertia, a
 * straight free rod would have no inertia against spinning about its axis. The rotational inertia of the section about its
 * diameters is neglected; its relative contribution is (r/l)^2, with the radius r of the section and the length l of the element.
 *
 * Masses at any number of Gauss points form a mechanical system that conserves energy; their number only affects the accuracy of
 * the mass matrix. The relative error of the mass matrix with 3 Gauss points is 1e-8 if the element turns by 0.3 rad, 3e-7 for 1
 * rad and 3e-5 for 3 rad. The model follows Bertails et al. 2006, with the spin of the section as in Kirchhoff's rod. */
#ifndef CST_ROD_SUPER_HELIX_ELEMENT_H
#define CST_ROD_SUPER_HELIX_ELEMENT_H

#include "rod/super_helix_maps.h"

enum { CST_HELIX_GAUSS = 3, CST_HELIX_GAUSS_MAX = 4 };

/* Columns of the joint matrix F. */
typedef struct cst_helix_joint {
    double chord[3];   /* R p */
    double bend[9];    /* R G */
    double turning[9]; /* R V */
} cst_helix_joint;

/* Position and motion of one helical element of a rod, computed by super_helix_trace.c. In a step, contact detection reads the
 * members `start`, `frame` and `u` of all elements several times, and no other member. The members for start, frame and
 * curvatures of an element are adjacent in memory, so that they lie in few cache lines. */
typedef struct cst_helix_element {
    double start[3];
    double frame[9], u[3];
    cst_helix_joint joint;
    double velocity[3], turn[3];  /* velocity and angular velocity of the element's start */
    double inertia_turn[3];       /* angular velocity for the inertial terms */
    double bias[3], bias_turn[3]; /* bias of the start */
} cst_helix_element;

/* Returns the bending curvature of the centreline. Contact detection calls cst_helix_bending thousands of times per step, so the
 * function uses sqrt instead of the slower hypot, which is only needed for values near overflow. */
static inline double cst_helix_bending(const double *u)
{
    return sqrt(u[1] * u[1] + u[2] * u[2]);
}

/* Constant properties of an element. */
typedef struct cst_helix_material {
    double length;
    double mass;         /* kg */
    double spin;         /* r^2/2 (m2) */
    double stiffness[3]; /* (GJ, EI1, EI2) l */
    double damping[3];   /* viscosity times stiffness */
    double natural[3];
} cst_helix_material;

/* The symmetric mass matrix of one element; a second use of this struct is the element's contribution to the matrix of the time
 * step. The blocks of the mass matrix are named after velocity (v), angular velocity (w) and rates of curvature (u). Blocks not
 * stored: `vv = m*I`, `vw = -hat(first)`. */
typedef struct cst_helix_mass {
    double m;
    double first[3];
    double vu[9], wu[9];
    double ww[9], uu[9]; /* symmetric, both triangles */
} cst_helix_mass;

/* Generalised velocities or impulses of one element: velocity, angular velocity and rates of curvature. */
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

/* Replaces the velocity and the angular velocity of an element's start by those of its end; the rates of curvature stay
 * unchanged. */
static inline void cst_helix_joint_times(const cst_helix_joint *F, cst_helix_nonad *x)
{
    double moved[3], turned[3];
    cst_apply3(F->bend, x->u, moved);
    cst_add_cross3(x->w, F->chord, moved);
    cst_apply3(F->turning, x->u, turned);
    cst_add3(1.0, moved, x->v);
    cst_add3(1.0, turned, x->w);
}

/* Computes the mass matrix M of an element, unless the pointer M is NULL. If `inertia` is not NULL, also computes the inertial
 * forces of the element from the given rates of curvature and the angular velocity e->inertia_turn of its start. The argument
 * `share` is a factor on the inertial forces due to the accelerations of the masses and of the spins; it does not multiply the
 * forces that change the direction of the spin axes. */
void cst_helix_mass_of(const cst_helix_element *e, const cst_helix_material *material, int gauss, const double *rate,
                       double share, cst_helix_mass *M, cst_helix_nonad *inertia);

/* Velocities of the point masses of one element, and the spin of the cross-section at each point mass, as a vector along the
 * tangent. */
typedef struct cst_helix_field {
    double velocity[CST_HELIX_GAUSS_MAX][3], spin[CST_HELIX_GAUSS_MAX][3];
} cst_helix_field;

/* Computes M and J^T m field. */
void cst_helix_momentum_of(const cst_helix_element *e, const cst_helix_material *material, int gauss,
                           const cst_helix_field *field, cst_helix_mass *M, cst_helix_nonad *momentum);

/* Gauss-Legendre points in (0, 1) and weights that sum to 1. */
const double *cst_helix_gauss_points(int gauss);
const double *cst_helix_gauss_weights(int gauss);

/* A point of an element at the arc length s: its position and its frame. The member `joint` is the Jacobian that maps the motion
 * of the element's start and the rates of curvature to the motion of the point at the arc length s. */
typedef struct cst_helix_point {
    double position[3], frame[9];
    cst_helix_joint joint;
} cst_helix_point;

/* Computes the position and the frame of the point at the arc length m->s of an element, and the vector `chord` from the
 * element's start to this point. */
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

/* Computes the derivatives of the position and the rotation of a point, at the arc length m->s of an element, with respect to the
 * element's curvatures. */
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
