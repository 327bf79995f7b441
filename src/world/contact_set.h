/* The contacts of one step and their Jacobian rows, allocated in the arena of the step. */
#ifndef CST_WORLD_CONTACT_SET_H
#define CST_WORLD_CONTACT_SET_H

#include "body/body.h"
#include "world/contact.h"

/* Position of a contact between a fast-turning rod and an obstacle, relative to the point of the rod nearest to the obstacle
 * (world/rolling.h). */
typedef enum cst_contact_roll {
    CST_ROLL_NONE = 0, /* slow rotation or no curvature here */
    CST_ROLL_NEAREST,  /* contact at the nearest point */
    CST_ROLL_BESIDE    /* contact beside the nearest point */
} cst_contact_roll;

/* The Jacobian rows of a contact and the parts of its velocity that do not depend on the unknowns, in the contact's frame D.
 * All vectors in the struct cst_contact_row have three components; in 2D the third component is 0. */
typedef struct cst_contact_row {
    cst_contact_side a, b; /* rows; `body`: index of a unit */
    cst_material_point at[2];
    bool beside[2];         /* point on the centreline */
    bool between;           /* mean normal over the step */
    double arm[2][3];       /* from material point to surface */
    double drift[3];        /* imposed velocity, end: D (drift_a - drift_b) */
    double drift_before[3]; /* imposed velocity at the start */
    /* Correction of the tangential contact velocity, because the contact Jacobian changes during the step (fast-turning rods, and
     * steps that are linearised again at their predicted end). The friction law uses the contact velocity with the correction for
     * the changing Jacobian; the works of contacts are computed without this correction. */
    double bent_way[3];
    double moved[3]; /* D v_obstacle */
    /* lower bound: max(rest, bounce) - turned */
    double floor;
    double rest;   /* lower bound due to the gap */
    double bounce; /* lower bound due to restitution */
    cst_contact_roll roll;
    double to_nearest; /* distance to the nearest point (m) */
    /* part of the normal velocity that is due to the turning of the contact normal in the step (theta < 1) or to the rotation
     * of a fast-turning rod */
    double turned;
} cst_contact_row;

typedef struct cst_contact_set {
    int contacts;
    cst_contact *contact; /* array (contacts): sorted and tracked */
    cst_contact_row *row; /* (contacts) */
    uint64_t next_id;     /* id of the next new contact */
} cst_contact_set;

#endif
