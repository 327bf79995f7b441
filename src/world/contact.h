/* A contact of the world: who, where on whom, and with what impulse. Kept from one step to the next. */
#ifndef CST_WORLD_CONTACT_H
#define CST_WORLD_CONTACT_H

#include "capstan/capstan.h"
#include "collide/feature.h"

/* Bodies and obstacles in one numbering that lasts when others are added: 2 x body, 2 x obstacle + 1 (both from 0). */
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

/* One side of a contact: the material place (collide/feature.h: owner, kind, feature as its index, along as its first coordinate on a
 * curve, c on edges and faces), and what tracking and rows need to know of it. */
typedef struct cst_contact_end {
    int32_t owner, feature;
    cst_feature_kind kind;
    double c[2];     /* edge, face: shares */
    double at[3];    /* m: vertex, edge, face: the place in the owner's own frame */
    double s;        /* m: curve: material coordinate on the owner, arc length */
    double along;    /* m: the same, from the start of the feature */
    double period;   /* m: > 0 if s is cyclic */
    double reach;    /* m: along the owner, how far its contact may have gone in a step and still be the same */
    double radius;   /* m */
    double length;   /* m: of the feature; 0: a point, a solid */
    double material; /* m: `along` as the owner measures its feature (the chord of a curved element is shorter than that) */
} cst_contact_end;

/* Three components; in the plane the third ones are 0. Normal first in a contact's frame. */
typedef struct cst_contact {
    uint64_t id;
    cst_contact_end a, b; /* a: a body; the smaller owner of two bodies */
    int32_t shape[2];     /* among the shapes of the step */
    uint32_t branch;
    bool fresh;    /* strikes: it was not there, or open, and comes flying */
    bool turned;   /* continues a contact whose normal was opposite: `before` */
    bool soft;     /* a side is a sheet: its vertices go straight in a step, and detection sees all of their way */
    bool foreseen; /* only the motion brings the two together: the gap is along the normal that they will meet with */
    bool jammed;   /* friction had no solution when it was to come out of its penetration, or to fly off: it stays where it is */
    double before[3];
    double normal[3]; /* e, unit, from b to a */
    /* Of this step, known once rows were made at its start: normal and velocity of a relative to b then, in the world's frame. A contact that
     * was found later: zero. */
    double start[3], start_velocity[3];
    double frame[9];  /* D, row-major: rows e and two tangents (cst_contact_set_frame); J2 e and z in the plane */
    double center[3]; /* on the centreline of a, at a.along */
    double position[3];
    double gap;       /* m, at the start of the step */
    double thickness; /* m: of features: what penetrations are compared with where nothing is round; otherwise 0 */
    double bend; /* 1/m: change of the gap's slope along a, where it is a nearest point that rolls along a fixed thing; or 0 */
    double mu, restitution;
    double impulse[3];  /* N s: of b on a, in the world's frame */
    double r[3], u[3];  /* in the contact's frame; u as the law sees it, offset included */
    double velocity[3]; /* m/s: of a relative to b at the end of the step, in the world's frame */
    double error;       /* share in the residual */
    cst_local_case contact_case;
} cst_contact;

/* `frame` from `normal`. */
void cst_contact_set_frame(cst_contact *contact);

/* The smaller of two lengths that are not zero; a sharp edge has no radius. */
static inline double cst_smaller_length(double a, double b)
{
    const double smaller = a < b ? a : b, larger = a < b ? b : a;
    return smaller > 0.0 ? smaller : larger;
}

/* The radius that motions and penetrations of a contact are compared with; 0 between sharp things. */
static inline double cst_contact_radius(const cst_contact *contact)
{
    return cst_smaller_length(contact->a.radius, contact->b.radius);
}

/* The length that penetrations of a contact are compared with; 0: nothing tells. */
static inline double cst_contact_length(const cst_contact *contact)
{
    const double radius = cst_contact_radius(contact);
    return radius > 0.0 ? radius : contact->thickness;
}

/* Between two surfaces, by their vertices, edges and faces? Otherwise one side is a curve. */
static inline bool cst_contact_on_features(const cst_contact *contact)
{
    return contact->a.kind >= CST_FEATURE_VERTEX;
}

#endif
