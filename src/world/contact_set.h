/* The contacts of one step and their rows, allocated in the arena of the step. */
#ifndef CST_WORLD_CONTACT_SET_H
#define CST_WORLD_CONTACT_SET_H

#include "body/body.h"
#include "world/contact.h"

/* Classification of a contact of a fast-turning rod on an obstacle (world/rolling.h). */
typedef enum cst_contact_roll {
    CST_ROLL_NONE = 0, /* the rod does not turn fast, or is not bent around the contact */
    CST_ROLL_NEAREST,  /* the contact is the nearest point of the rod */
    CST_ROLL_BESIDE    /* the nearest point of the rod is beside the contact */
} cst_contact_roll;

/* Rows and offsets of a contact in its frame D. Vectors have three components; in 2D the third is 0. */
typedef struct cst_contact_row {
    cst_contact_side a, b; /* sides as in the friction problem, but `body` is the index of a unit (world/layout.h) */
    cst_material_point at[2];
    bool beside[2];         /* the material point lies on the centreline and not on the surface */
    bool between;           /* theta < 1, relinearised: the frame is the mean of the frames at the start and at the end */
    double arm[2][3];       /* vector from the material point to the surface */
    double drift[3];        /* D (drift_a - drift_b): imposed motions of the bodies at the end of the step */
    double drift_before[3]; /* D (drift_a - drift_b) at the start of the step */
    /* For relinearised contacts and fast-turning rods: the mean velocity of the points over the step minus J v at its end (theta
     * < 1: divided by theta). The mean velocity and J v differ because J turns in the step. The friction law contains the
     * difference of these velocities as part of its velocity; the works do not contain the difference. */
    double bent_way[3];
    double moved[3]; /* D v_obstacle */
    /* lower bound of the relative normal velocity, max(rest, bounce) - turned; u_N in the law is measured from this bound */
    double floor;
    double rest;   /* bound due to the gap */
    double bounce; /* lower bound of the normal velocity due to restitution, if the contact strikes; otherwise 0 */
    cst_contact_roll roll;
    double to_nearest; /* m: distance along a to the nearest point, estimated from the curvature */
    /* normal velocity due to the turning of the rows in the step (theta < 1) or to the rotation of a fast-turning rod */
    double turned;
} cst_contact_row;

typedef struct cst_contact_set {
    int contacts;
    cst_contact *contact; /* (contacts) sorted and tracked */
    cst_contact_row *row; /* (contacts) */
    uint64_t next_id;     /* id of the next new contact */
} cst_contact_set;

#endif
