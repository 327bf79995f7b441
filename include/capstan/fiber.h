/* Fibers: thin elastic rods in 3D (docs/space_fibers.md). The struct cst_fiber_def defines a fiber of any of the four fiber
 * models. Part of capstan.h; SI units.
 *
 * The material frame of a fiber is a rotation R whose columns are the tangent t and the directors d1 and d2 of the
 * cross-section. The curvatures (twist, k1, k2) of a fiber are the components, in the material frame, of the rotation rate of
 * this frame per arc length. The twist is the rotation rate of the material frame about the tangent; k1 and k2 are the bending
 * curvatures about the directors d1 and d2.
 *
 * In the fiber models whose unknowns are node positions, the clamp is in the middle of the first edge, which keeps the models
 * second-order accurate. If the unknowns are node positions, the first node of a clamped fiber is half an edge before the clamp,
 * and the last node is at the end of the fiber (docs/maths_rods.md, 4.1).
 *
 * There are four models. The unknowns of a super helix are the position and the orientation of its start, and the twist and two
 * curvatures of each element. A super helix is exactly inextensible. The unknowns of a discrete elastic rod are the positions of
 * its nodes and, for each edge, the angle of the material frame about the edge. The unknowns of a CORDE rod are the positions of
 * its nodes and the rotation of the material frame of each edge. The unknowns of a mass-spring chain are the positions of its
 * nodes; a mass-spring chain has no twist. Discrete elastic rods, CORDE rods and mass-spring chains are kept nearly inextensible
 * by a high stretching stiffness. */
#ifndef CAPSTAN_FIBER_H
#define CAPSTAN_FIBER_H

typedef enum cst_fiber_model {
    CST_FIBER_SUPER_HELIX = 0,
    CST_FIBER_DISCRETE_ROD,
    CST_FIBER_CORDE,
    CST_FIBER_SPRINGS
} cst_fiber_model;

/* Solution method of a super helix. */
typedef enum cst_fiber_formulation {
    CST_FIBER_AUTO = 0, /* selects CST_FIBER_DENSE for super helices of at most 8 elements, otherwise CST_FIBER_SWEEP */
    CST_FIBER_DENSE,
    CST_FIBER_SWEEP /* elimination element by element along the fiber: the computing time of a step is O(elements) */
} cst_fiber_formulation;

typedef struct cst_fiber_def {
    uint32_t cookie;
    const char *name; /* or NULL */
    cst_fiber_model model;
    cst_fiber_formulation formulation;
    /* number of elements of a super helix (at least 1), or of edges between the nodes of another fiber model (at least 2, or at
     * least 3 if the fiber is closed) */
    int elements;
    double length;               /* length of the whole fiber (m); all elements have the same length */
    double radius;               /* contact radius (m) */
    double mass_per_length;      /* kg/m */
    double bending_stiffness[2]; /* bending stiffness EI (N m2) about the director d1, then about d2 */
    double twisting_stiffness;   /* N m2: GJ */
    /* Stretching stiffness EA (N) of fiber models whose unknowns are nodes. If EA is 0, the library chooses EA so that a force of
     * ten times the fiber's weight stretches the fiber by at most 1e-4 of its length (1e-2 for CORDE with explicit steps). */
    double stretching_stiffness;
    double natural_curvature[3]; /* natural twist and curvatures k1, k2 (1/m) of all elements */
    /* damping time of bending and twist (s); the damping moment is damping time x stiffness x rate of curvature */
    double viscosity;
    double drag;                             /* drag coefficient (kg/(m s)): drag force per length and velocity */
    const double *element_natural_curvature; /* (elements x 3) or NULL */
    const double *element_radius;            /* (elements) or NULL */
    /* array (elements): friction coefficient of each element (CST_UNSET: that of the body), or NULL */
    const double *element_friction;
    double position[3]; /* of the start (m) */
    /* array (3 x 3): row-major rotation whose columns are the tangent and the directors d1, d2 at the start. With the identity
     * matrix as `frame`, the fiber starts along x. */
    double frame[9];
    const double *curvature; /* array (elements x 3): initial curvatures; NULL: the natural curvatures */
    /* array ((elements + 1) x 3): points of the initial centreline (m), or NULL. If `point` is given, the initial centreline goes
     * through the points; the element ends of a super helix are only as near to the points as possible. If `point` is given, the
     * field `position` is ignored, and `curvature` must be NULL. If `point` is given, the fiber starts without twist, and only
     * the director d1 at the start is taken from `frame`. */
    const double *point;
    /* initial rigid motion of the fiber: velocity of its start (m/s) and angular velocity (rad/s) */
    double velocity[3], angular_velocity[3];
    /* true: position and direction of the fiber's start are fixed, or prescribed by root_motion */
    bool clamped;
    cst_motion root_motion;
    /* Only for a clamped super helix. If sag_free is true, the library computes natural curvatures for which the initial shape is
     * an equilibrium under the world's gravity, without contacts. If sag_free is true, the fields natural_curvature and
     * element_natural_curvature only set the initial shape, and only if the fields `curvature` and `point` are NULL. */
    bool sag_free;
    bool closed; /* true: the end of the fiber is joined to its start */
    /* CORDE only: true selects explicit time steps, as in the paper on CORDE; explicit steps must be about 0.1 ms long */
    bool explicit_step;
    cst_surface surface;
} cst_fiber_def;

cst_fiber_def cst_fiber_def_default(void);
cst_body_id cst_world_add_fiber(cst_world *world, const cst_fiber_def *def, char *message, size_t message_size); /* 0: message */

/* Sets the stiffnesses of a fiber with a homogeneous elliptic cross-section. The elliptic cross-section has the half axes a along
 * the director d1 and b along the director d2. Young's modulus E and the shear modulus G give the bending stiffnesses B1 about d1
 * and B2 about d2, and the twisting stiffness C:
 *
 *     `B1 = E*pi*a*b^3/4`.
 *     `B2 = E*pi*a^3*b/4`.
 *     `C = G*pi*a^3*b^3/(a^2+b^2)`.
 *
 * The area pi a b of the cross-section gives the stretching stiffness and the mass per length. The contact radius of the fiber
 * is set to the larger half axis of the ellipse, because contacts treat the cross-section as round. */
void cst_fiber_section(cst_fiber_def *def, double along_d1, double along_d2, double density, double youngs_modulus,
                       double shear_modulus);

#endif
