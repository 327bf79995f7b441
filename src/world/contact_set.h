/* The contacts of one step and their rows, in the memory of the step. */
#ifndef CST_WORLD_CONTACT_SET_H
#define CST_WORLD_CONTACT_SET_H

#include "body/body.h"
#include "world/contact.h"

/* A contact of a rod that turns fast on an obstacle (world/rolling.h). */
typedef enum cst_contact_roll {
    CST_ROLL_NONE = 0, /* it does not, or is not bent around the place */
    CST_ROLL_NEAREST,  /* the nearest point of the rod */
    CST_ROLL_BESIDE    /* the nearest point is beside it */
} cst_contact_roll;

/* A contact's rows and offsets, in its frame D; three components, the third 0 in the plane. */
typedef struct cst_contact_row {
    cst_contact_side a, b; /* as for friction, but `body` counts units here (world/layout.h) */
    cst_material_point at[2];
    bool beside[2];         /* the material point is on a centreline, beside the surface */
    bool between;           /* theta < 1, relinearised: the frame is between those of the start and of the end */
    double arm[2][3];       /* from the material point to the surface */
    double drift[3];        /* D (drift_a - drift_b): motions imposed on the bodies, at the end of the step */
    double drift_before[3]; /* the same at its start */
    /* Relinearised, or a rod that turns fast: the mean velocity of the points over the step, minus J v at its end (theta < 1: over theta). J turns in the step, so
     * the two differ. The friction law sees this part of the velocity; works leave it out. */
    double bent_way[3];
    double moved[3]; /* D v_obstacle */
    double floor;    /* the law's u_N is the relative velocity minus this: the larger of the next two, minus `turned` */
    double rest;     /* by the gap */
    double bounce;   /* by restitution, of a contact that strikes; otherwise 0 */
    cst_contact_roll roll;
    double to_nearest; /* m, along a: where its bend says that the nearest point is */
    double turned; /* along the normal: how the rows turn in the step (theta < 1), how points go round (a rod that turns fast) */
} cst_contact_row;

typedef struct cst_contact_set {
    int contacts;
    cst_contact *contact; /* (contacts) sorted and tracked */
    cst_contact_row *row; /* (contacts) */
    uint64_t next_id;     /* of the next new contact */
} cst_contact_set;

#endif
