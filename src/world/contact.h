/* A contact between two bodies, or between a body and an obstacle. The contacts of a step are stored, so that the next step can
 * match its own contacts with them (world/contact_track.h). */
#ifndef CST_WORLD_CONTACT_H
#define CST_WORLD_CONTACT_H

#include "capstan/capstan.h"
#include "collide/feature.h"

/* An owner number identifies a body or an obstacle: 2 k for body k, and 2 k + 1 for obstacle k. Owner numbers stay the same when
 * bodies or obstacles are added. */
static inline int32_t cst_owner_of_body(int body)
{
    return 2 * (int32_t)body;
}

static inline int32_t cst_owner_of_obstacle(int obstacle)
{
    return 2 * (int32_t)obstacle + 1;
}

static inline bool cst_owner_is_body(int32_t owner)
{
    return owner % 2 == 0;
}

static inline int cst_owner_index(int32_t owner)
{
    return owner / 2;
}

static inline cst_party cst_owner_party(int32_t owner)
{
    const uint32_t id = (uint32_t)cst_owner_index(owner) + 1;
    return cst_owner_is_body(owner) ? (cst_party){.body = id} : (cst_party){.obstacle = id};
}

/* One of the two touching material points of a contact. The point is on an arc, an element of a centreline, or a vertex, an edge
 * or a face of a surface (collide/feature.h). */
typedef struct cst_contact_end {
    int32_t owner, feature;
    cst_feature_kind kind;
    double c[2]; /* edge, face: barycentric coordinates */
    /* vertex, edge, face: position (m) of the touching point in the body's frame; in a contact of a fiber with a sheet, the
     * coordinates of the touching point in the undeformed sheet */
    double at[3];
    double s;      /* arc length (m) of the touching point from the start of the body */
    double along;  /* arc length (m) of the touching point from the start of its arc or element */
    double period; /* length (m) of a closed curve, after which the arc length `s` starts again at 0; 0: not a closed curve */
    /* Distance limit (m) for contact tracking: a new contact can continue an old contact only if, on each body, their touching
     * points are at most `reach` apart. If the new and the old contact have different values of `reach`, the larger value is
     * used. */
    double reach;
    double radius; /* radius (m) of the touching body at the point: of a rod's cross-section, a disk, or a rounded edge */
    /* length (m) of the touching arc or element; 0: the touching point is not on an arc or an element of a centreline */
    double length;
    double material; /* unstretched arc length (m) from the start of the element to the touching point */
} cst_contact_end;

/* All vectors of a contact have three components; in 2D the third one is 0. In vectors given in the frame of a contact, the first
 * component is along the normal. */
typedef struct cst_contact {
    uint64_t id;
    /* The two touching points of a contact: the point `a` is always on a body. If a curve touches a solid, the point `a` is on
     * the curve; otherwise, if two bodies touch, the point `a` is on the body with the smaller index. */
    cst_contact_end a, b;
    int32_t shape[2]; /* contact shapes of a and b */
    uint32_t branch;
    /* true: the contact is new or had no impulse, so the friction solver starts from the impulse of an isolated impact. The first
     * linearisation of a step sets `fresh` to false for every contact that is not an impact (`strikes` in contact_rows.c). */
    bool fresh;
    /* true: `normal` makes an angle of 90 degrees or more with `before`, the normal of the old contact that this contact
     * continues */
    bool turned;
    bool soft; /* two surfaces touch, and one of them is a sheet; false if a fiber touches a sheet */
    /* True if one side is a sheet and the two bodies first meet during the step; the gap is then measured along the normal at the
     * time when they meet. */
    bool foreseen;
    /* true: a shallow penetration is not removed, and restitution is ignored, because the friction problem had no solution */
    bool jammed;
    double before[3];
    double normal[3]; /* unit vector from the second body to the first body */
    /* Contact normal and relative velocity (first minus second body) at the start of the step, in the world's frame; zero if the
     * contact was found only in a later linearisation. */
    double start[3], start_velocity[3];
    /* frame D of the contact (row-major matrix): the normal and two tangents; in 2D the second tangent is z */
    double frame[9];
    double center[3]; /* position (m) of the contact on the first body: a point of its centreline, if it has one */
    double position[3];
    double gap; /* gap (m) between the two surfaces at the start of the step */
    /* Unit of length (m) in which the penetration of two surfaces is measured: the smaller rounding radius, or half the thickness
     * of the thinner body if both bodies have sharp edges. The length `thickness` is 0 if one of the two bodies is a curve. */
    double thickness;
    /* second derivative (1/m) of the gap along the first body if it rolls on a half-plane; otherwise 0 */
    double bend;
    double mu, restitution;
    double impulse[3]; /* impulse (N s) on the first body, in the world's frame */
    /* impulse r (N s) and relative velocity u (m/s) that satisfy the friction law, in the contact frame */
    double r[3], u[3];
    double velocity[3]; /* velocity (m/s) of the first body relative to the second one, at the end of the step */
    double error;       /* contribution to the friction residual */
    cst_local_case contact_case;
} cst_contact;

/* Computes `frame` from `normal`. */
void cst_contact_set_frame(cst_contact *contact);

/* Returns the smaller of two positive lengths. A zero length (radius of a sharp edge) is ignored; returns 0 if both lengths are
 * zero. */
static inline double cst_smaller_length(double a, double b)
{
    const double smaller = a < b ? a : b, larger = a < b ? b : a;
    return smaller > 0.0 ? smaller : larger;
}

/* Returns the smaller of the radii of the two bodies at a contact; 0 if both bodies have sharp edges. */
static inline double cst_contact_radius(const cst_contact *contact)
{
    return cst_smaller_length(contact->a.radius, contact->b.radius);
}

/* Returns the unit of length (m) in which the penetration of a contact is measured: the smaller of the radii of the two bodies,
 * or half the thickness of the thinner body if both have sharp edges. */
static inline double cst_contact_length(const cst_contact *contact)
{
    const double radius = cst_contact_radius(contact);
    return radius > 0.0 ? radius : contact->thickness;
}

/* Returns true if two surfaces in 3D touch with vertices, edges or faces; otherwise at least one of the two bodies is a curve, or
 * the contact is in 2D. */
static inline bool cst_contact_on_features(const cst_contact *contact)
{
    return contact->a.kind >= CST_FEATURE_VERTEX;
}

#endif
