/* The contacts of a step and their Jacobian rows. */
#ifndef CST_WORLD_CONTACT_SET_H
#define CST_WORLD_CONTACT_SET_H

#include "body/body.h"
#include "world/contact.h"

/* Where a contact lies on a rod that rotates by a large angle in the step while it touches an obstacle (world/rolling.h). */
typedef enum cst_contact_roll {
    /* no rod rotates by a large angle at the contact, or the rod's point nearest to the obstacle is unknown */
    CST_ROLL_NONE = 0,
    CST_ROLL_NEAREST, /* the contact is at the rod's point nearest to the obstacle */
    CST_ROLL_BESIDE   /* the contact is not at the rod's point nearest to the obstacle */
} cst_contact_roll;

/* Jacobian rows of a contact, and the parts of its velocity that do not depend on the unknowns. Vectors have three components in
 * the frame D of the contact; in 2D the third component is 0. */
typedef struct cst_contact_row {
    /* Jacobian rows of both sides; their member `body` is the index of a single body or of a group of joined bodies (a unit,
     * world/layout.h) */
    cst_contact_side a, b;
    cst_material_point at[2];
    bool beside[2]; /* material point is on the centreline */
    /* true: the contact frame is built on the mean of the normals at the start and at the end of the step */
    bool between;
    double arm[2][3]; /* lever arm (m) from the touching material point of each body to its surface */
    /* relative velocity that imposed motions give to the touching points at the end of the step */
    double drift[3];
    /* relative velocity that imposed motions give to the touching points at the start of the step */
    double drift_before[3];
    /* Correction of the tangential velocity, because the contact Jacobian changes during the step. The friction law and the
     * reported velocity of a contact contain this correction; the work of a contact is computed without it. */
    double bent_way[3];
    double moved[3]; /* velocity of the obstacle */
    /* lower bound of the normal velocity at the end of the step, computed from `rest`, `bounce` and `turned` (floor_of_row in
     * contact_rows.c) */
    double floor;
    double rest;   /* lower bound of the normal velocity due to the gap */
    double bounce; /* lower bound of the normal velocity due to restitution; 0: no impact with restitution */
    cst_contact_roll roll;
    /* arc length (m) along the rod from the contact to the point of the rod nearest to the obstacle; negative: backwards */
    double to_nearest;
    /* part (m/s) of the normal velocity that comes from the turning of the normal (theta scheme with theta < 1), or from the
     * large rotation of a rod in the step (world/rolling.h) */
    double turned;
} cst_contact_row;

typedef struct cst_contact_set {
    int contacts;
    /* array (contacts): contacts of the step, sorted by the indices of the two bodies, and matched with earlier contacts */
    cst_contact *contact;
    cst_contact_row *row; /* array (contacts): Jacobian rows */
    uint64_t next_id;     /* id of the next new contact */
} cst_contact_set;

#endif
