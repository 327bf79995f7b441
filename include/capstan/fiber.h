/* Fibers: thin elastic rods in space, of four models behind one definition (docs/space_fibers.md). Part of capstan.h; SI units.
 *
 * The material frame of a fiber is (tangent t, d1, d2), a rotation. Its curvatures (twist, k1, k2) are the rate at which the
 * frame turns along the arc length, in the frame itself: R' = R hat(twist, k1, k2). k1 bends about d1, k2 about d2.
 *
 * | model                | unknowns                                    | length           |
 * |----------------------|---------------------------------------------|------------------|
 * | super helix          | root and curvatures, constant per element   | exact            |
 * | discrete elastic rod | nodes and angles of the edges' frames       | stiff            |
 * | CORDE                | nodes and a frame per edge                  | stiff            |
 * | mass-spring chain    | nodes; no twist                             | stiff            |
 *
 * A clamp of a nodal model sits in the middle of its first edge, which keeps second order: the first node is half an edge before
 * the clamp, the last node at the end of the length (docs/maths_rods.md, 4.1). */
#ifndef CAPSTAN_FIBER_H
#define CAPSTAN_FIBER_H

typedef enum cst_fiber_model {
    CST_FIBER_SUPER_HELIX = 0,
    CST_FIBER_DISCRETE_ROD,
    CST_FIBER_CORDE,
    CST_FIBER_SPRINGS
} cst_fiber_model;

/* How a super helix is solved. */
typedef enum cst_fiber_formulation {
    CST_FIBER_AUTO = 0, /* dense for up to 8 elements, the sweep above */
    CST_FIBER_DENSE,
    CST_FIBER_SWEEP /* a step costs O(n) */
} cst_fiber_formulation;

typedef struct cst_fiber_def {
    uint32_t cookie;
    const char *name; /* or NULL */
    cst_fiber_model model;
    cst_fiber_formulation formulation;
    int elements;                            /* n >= 1: elements of a super helix, edges of a nodal model (at least 2) */
    double length;                           /* m, of the whole fiber; equal elements */
    double radius;                           /* m, of contact */
    double mass_per_length;                  /* kg/m */
    double bending_stiffness[2];             /* N m2: EI about d1, about d2 */
    double twisting_stiffness;               /* N m2: GJ */
    double stretching_stiffness;             /* N: EA, nodal models; 0: stretched by less than 1e-4 (explicit CORDE: 1e-2) */
    double natural_curvature[3];             /* 1/m: (twist, k1, k2) of all elements */
    double viscosity;                        /* s: damping time of bending and twist (moment = viscosity x stiffness x rate) */
    double drag;                             /* kg/(m s): force per length and velocity */
    const double *element_natural_curvature; /* (elements x 3) or NULL */
    const double *element_radius;            /* (elements) or NULL */
    const double *element_friction;          /* (elements) or NULL; CST_UNSET entries: the body's */
    double position[3];                      /* m: of the start */
    double frame[9];                         /* (3 x 3) row-major; columns t, d1, d2 at the start. The identity: along x */
    const double *curvature;                 /* (elements x 3) at first, or NULL: the natural ones */
    /* ((elements + 1) x 3) m or NULL: the centreline at first goes through these points instead of following position, frame and
     * curvature; frame's d1 is carried along it without twist. */
    const double *point;
    double velocity[3], angular_velocity[3]; /* m/s, rad/s: of the start, with which all of it turns */
    bool clamped;                            /* the start is held in place and direction, or moved by root_motion */
    cst_motion root_motion;
    /* A clamped super helix: its natural curvatures are those with which it is at rest in its first shape under the world's gravity, contacts
     * left out; natural_curvature then only says what the first shape is if nothing else does. */
    bool sag_free;
    bool closed;        /* end joined to the start */
    bool explicit_step; /* CORDE only: explicit, as in its paper; needs steps of 0.1 ms */
    cst_surface surface;
} cst_fiber_def;

cst_fiber_def cst_fiber_def_default(void);
cst_body_id cst_world_add_fiber(cst_world *world, const cst_fiber_def *def, char *message, size_t message_size); /* 0: message */

/* Stiffnesses and mass of a round or elliptic section with half axes a along d1 and b along d2, homogeneous: bending_stiffness =
 * (E pi a b^3 / 4, E pi a^3 b / 4), twisting_stiffness = G pi a^3 b^3 / (a^2 + b^2), stretching_stiffness = E pi a b,
 * mass_per_length = density pi a b. radius, of contact, becomes the larger half axis: sections touch as if they were round. */
void cst_fiber_section(cst_fiber_def *def, double along_d1, double along_d2, double density, double youngs_modulus,
                       double shear_modulus);

#endif
