/* The contacts of one step and their rows, allocated in the arena of the step. */
#ifndef CST_WORLD_CONTACT_SET_H
#define CST_WORLD_CONTACT_SET_H

#include "body/body.h"
#include "world/contact.h"

/* Classification of a contact of a fast-turning rod on an obstacle (world/rolling.h). */
typedef enum cst_contact_roll {
    CST_ROLL_NONE = 0, /* the rod turns slowly or is not curved here */
    CST_ROLL_NEAREST,  /* the contact is the nearest point of the rod */
    CST_ROLL_BESIDE    /* the nearest point of the rod is beside the contact */
} cst_contact_roll;

/* Rows and offsets of a contact in its frame D. All vectors of a row have three components; in 2D the third component is 0. */
typedef struct cst_contact_row {
    cst_contact_side a, b; /* rows of sides a and b; `body` is the index of a unit (world/layout.h) */
    cst_material_point at[2];
    bool beside[2];         /* the point is on the centreline, not on the surface */
    bool between;           /* theta < 1, relinearised: the normal is the mean of those at start and end */
    double arm[2][3];       /* from the material point to the surface */
    double drift[3];        /* D (drift_a - drift_b) at the end */
    double drift_before[3]; /* D (drift_a - drift_b) at the start */
    /* For relinearised contacts and fast-turning rods: the mean velocity of the points over the step minus J v at its end (theta
     * < 1: divided by theta). The mean velocity of a point and J v differ because J turns in the step. This difference is part
     * of the velocity in the friction law, but not of the velocity with which works are computed. */
    double bent_way[3];
    double moved[3]; /* D v_obstacle */
    /* max(rest, bounce) - turned: lower bound of the relative normal velocity, from which the friction law measures u_N */
    double floor;
    double rest;   /* bound due to the gap */
    double bounce; /* lower bound due to restitution if the contact strikes, else 0 */
    cst_contact_roll roll;
    double to_nearest; /* m: estimated distance along a to the nearest point */
    /* part of the normal velocity due to the turning of the rows in the step (theta < 1) or to the rotation of a fast-turning
     * rod */
    double turned;
} cst_contact_row;

typedef struct cst_contact_set {
    int contacts;
    cst_contact *contact; /* (contacts) sorted and tracked */
    cst_contact_row *row; /* (contacts) */
    uint64_t next_id;     /* id of the next new contact */
} cst_contact_set;

#endif
