/* A contact between two bodies, or between a body and an obstacle: the two material points that touch, and the contact
 * impulse. The contacts of a step are stored until the next step, in which each is matched with the contact that continues
 * it. */
#ifndef CST_WORLD_CONTACT_H
#define CST_WORLD_CONTACT_H

#include "capstan/capstan.h"
#include "collide/feature.h"

/* An owner number identifies a body or an obstacle by one integer. Bodies have even owner numbers (2 x index of the body) and
 * obstacles have odd ones (2 x index of the obstacle + 1), so owner numbers do not change when bodies or obstacles are added. */
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

/* One of the two touching material points of a contact (see collide/feature.h), with further data for contact tracking and for
 * the Jacobian rows. The member `feature` is the index of the arc, element, vertex, edge or face that touches. The member
 * `along` is the arc length of the material point on the touching arc or element, and `c` are its barycentric coordinates on an
 * edge or face. */
typedef struct cst_contact_end {
    int32_t owner, feature;
    cst_feature_kind kind;
    double c[2];     /* edge, face: barycentric coordinates */
    double at[3];    /* position in the body's frame (m) */
    double s;        /* arc length from body's start (m) */
    double along;    /* arc length (m) from the start of the touching feature */
    double period;   /* period (closed curve) or 0 (m) */
    double reach;    /* limit of motion in tracking (m) */
    double radius;   /* m */
    double length;   /* feature length (m), or 0 */
    double material; /* `along` measured on the curve (m) */
} cst_contact_end;

/* All vectors of a contact have three components; in 2D the third component is 0. In vectors of the contact's frame, the first
 * component is along the normal. */
typedef struct cst_contact {
    uint64_t id;
    /* the touching point `a` is always on a body; if both touching points are on bodies, `a` is on the body with the smaller
     * index */
    cst_contact_end a, b;
    int32_t shape[2]; /* shapes of a and b */
    uint32_t branch;
    bool fresh;  /* new or reopened, and sides approach */
    bool turned; /* opposite to the earlier normal `before` */
    bool soft;   /* one side is a sheet */
    /* True if the two bodies do not touch at the start of the step but meet during the step. The gap of a contact that closes
     * only during the step is measured along the normal that the contact will have when the bodies meet. */
    bool foreseen;
    bool jammed; /* recovery and restitution are off */
    double before[3];
    double normal[3]; /* unit vector from b to a */
    /* Contact normal, and velocity of the first body relative to the second one, at the start of this step (in the world's
     * frame). The normal and the velocity at the start of the step are stored as zero if the contact was found only in a later
     * linearisation of the step. */
    double start[3], start_velocity[3];
    /* frame D of the contact (row-major matrix): the normal and two tangents (cst_contact_set_frame); in 2D the first tangent
     * is in the plane and the second is z */
    double frame[9];
    double center[3]; /* point on the centreline of a */
    double position[3];
    double gap; /* at the start (m) */
    /* for a contact between surfaces, the unit length (m) for penetrations: the smaller rounding radius, or half the thickness
     * of the thinner body if both have sharp edges; 0 if a body is a curve */
    double thickness;
    /* second derivative (1/m) of the gap along the first body, if the contact rolls on a half-plane; 0 for other contacts */
    double bend;
    double mu, restitution;
    double impulse[3]; /* on a (N s), world's frame */
    /* contact impulse r and contact velocity u of the friction law, in the frame of the contact */
    double r[3], u[3];
    double velocity[3]; /* final (m/s), a relative to b */
    double error;       /* contribution to the residual */
    cst_local_case contact_case;
} cst_contact;

/* Computes `frame` from `normal`. */
void cst_contact_set_frame(cst_contact *contact);

/* Returns the smaller of two lengths, but ignores a length that is zero; returns 0 if both are zero. A sharp edge has radius
 * zero. */
static inline double cst_smaller_length(double a, double b)
{
    const double smaller = a < b ? a : b, larger = a < b ? b : a;
    return smaller > 0.0 ? smaller : larger;
}

/* Returns the smaller contact radius of the two touching bodies, which is the unit for motions and penetrations; 0 if both
 * bodies have sharp edges. */
static inline double cst_contact_radius(const cst_contact *contact)
{
    return cst_smaller_length(contact->a.radius, contact->b.radius);
}

/* Returns the unit length for penetrations of a contact: the contact radius or, for bodies with sharp edges, half the
 * thickness; 0 if the contact has neither. */
static inline double cst_contact_length(const cst_contact *contact)
{
    const double radius = cst_contact_radius(contact);
    return radius > 0.0 ? radius : contact->thickness;
}

/* Returns true if the contact is between vertices, edges and faces of two surfaces. Otherwise one side is a curve. */
static inline bool cst_contact_on_features(const cst_contact *contact)
{
    return contact->a.kind >= CST_FEATURE_VERTEX;
}

#endif
