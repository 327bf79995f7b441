/* A contact of the world: its two sides, the places on them, and the impulse. The contacts of a step are stored until the next
 * step, which tracks them. */
#ifndef CST_WORLD_CONTACT_H
#define CST_WORLD_CONTACT_H

#include "capstan/capstan.h"
#include "collide/feature.h"

/* An owner number identifies a body or an obstacle. The owner number is 2 x body, or 2 x obstacle + 1 (bodies and obstacles count
 * from 0), and does not change when other bodies or obstacles are added. */
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

/* One side of a contact: the material place (see collide/feature.h) and the data that tracking and rows need. `feature` is the
 * index of the feature, `along` the coordinate on a curve, `c` the coordinates on edges and faces. */
typedef struct cst_contact_end {
    int32_t owner, feature;
    cst_feature_kind kind;
    double c[2];     /* edge, face: barycentric coordinates */
    double at[3];    /* m: for a vertex, edge or face: position in the owner's own frame */
    double s;        /* m: for a curve: arc length on the owner */
    double along;    /* m: arc length from the start of the feature */
    double period;   /* m: period of s on a closed curve; 0 if s is not cyclic */
    double reach;    /* m: largest distance along the owner that the same contact may move in a step */
    double radius;   /* m */
    double length;   /* m: length of the feature; 0 for a point or a solid */
    double material; /* m: as `along`, on the true curve, not a chord */
} cst_contact_end;

/* All vectors of a contact have three components; in 2D the third component is 0. In the contact's frame, the first component
 * is along the normal. */
typedef struct cst_contact {
    uint64_t id;
    cst_contact_end a, b; /* side a is always a body; if both sides are bodies, side a is the body with the smaller number */
    int32_t shape[2];     /* indices of the two shapes in the geometry of this step */
    uint32_t branch;
    bool fresh;  /* the contact strikes: it is new or was open, and its sides approach */
    bool turned; /* continues an earlier contact with the opposite normal; `before` holds that normal */
    bool soft;   /* one side is a sheet, whose vertices move on straight lines in a step */
    /* The two sides do not touch at the start but meet by their motion in the step; the gap is measured along the normal that
     * they will have when they meet. */
    bool foreseen;
    bool jammed; /* friction had no solution, so recovery and restitution of this contact are off */
    double before[3];
    double normal[3]; /* e: unit vector from b to a */
    /* Normal, and velocity of a relative to b, at the start of this step in the world's frame. This normal and this velocity
     * are zero for a contact that is found in a later linearisation of the step. */
    double start[3], start_velocity[3];
    /* frame D, row-major: normal e and two tangents (cst_contact_set_frame); in 2D the tangents are e turned by 90 degrees and
     * z */
    double frame[9];
    double center[3]; /* point on the centreline of a */
    double position[3];
    double gap;       /* m: at the start */
    double thickness; /* m: reference length for penetrations of two sharp sides; 0 if a side is round */
    double bend;      /* 1/m: second derivative of the gap along a if the contact rolls on a fixed obstacle, else 0 */
    double mu, restitution;
    double impulse[3]; /* N s: impulse of b on a, in the world's frame */
    /* impulse r and velocity u in the contact's frame; u is the velocity in the friction law, including the offset u_f */
    double r[3], u[3];
    double velocity[3]; /* m/s: velocity of a relative to b at the end of the step, in the world's frame */
    double error;       /* contribution to the residual */
    cst_local_case contact_case;
} cst_contact;

/* Computes `frame` from `normal`. */
void cst_contact_set_frame(cst_contact *contact);

/* Returns the smaller of two lengths; if one of them is zero, returns the other. A sharp edge has radius zero. */
static inline double cst_smaller_length(double a, double b)
{
    const double smaller = a < b ? a : b, larger = a < b ? b : a;
    return smaller > 0.0 ? smaller : larger;
}

/* Returns the reference radius for motions and penetrations of a contact; 0 if both sides are sharp. */
static inline double cst_contact_radius(const cst_contact *contact)
{
    return cst_smaller_length(contact->a.radius, contact->b.radius);
}

/* Returns the length to which penetrations of a contact are compared: the contact radius, or half the thickness of sharp
 * bodies; 0 if neither is known. */
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
