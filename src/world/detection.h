/* Finds the contacts of a step with the contact geometry (world/geometry.h), and tracks them from earlier contacts. A contact
 * with an impulse is kept even if it is no longer at a nearest point. */
#ifndef CST_WORLD_DETECTION_H
#define CST_WORLD_DETECTION_H

#include "world/contact_set.h"
#include "world/geometry.h"
#include "world/layout.h"
#include "world/velocities.h"

/* Input of detection for one step. */
typedef struct cst_detection {
    const cst_geometry *geometry;
    const cst_objects *objects;
    const cst_layout *layout;
    const cst_step_frame *frame;
    cst_surface_rules surfaces;
    int threads;
    cst_arena *arena;
} cst_detection;

/* The earlier contacts that detection tracks: the contacts of the last step, or of the previous linearisation of this step. */
typedef struct cst_contacts_before {
    const cst_contact *contact; /* (count) */
    int count;
    double scale;    /* factor on their impulses */
    const double *v; /* (dofs of all) velocities with which the bodies moved since the earlier contacts */
    bool same_step;  /* true: earlier linearisation of this step */
} cst_contacts_before;

/* The deepest penetration in contact radii or, for sharp bodies, in half thicknesses. */
typedef struct cst_depth {
    double all;
    double surfaces; /* between surfaces: vertices, edges, faces */
    double sheets;   /* with a sheet on one side */
    double others;   /* without a sheet */
} cst_depth;

/* Broad and narrow phase: finds the touches between the bodies as they are placed now and the obstacles at `time`. The motion
 * of the bodies without contacts decides which pairs may come near each other. `at_end`: true if the bodies are placed at the
 * end of the step, where velocities->v takes them. Returns the number of touches, or -1 if memory ran out. */
int cst_detection_find(const cst_detection *detection, double time, const cst_velocities *velocities, bool at_end);

/* Fills set->contact with contacts at the touches found last, tracked from the contacts `before`; their rows are made later.
 * `depth`: deepest penetration at the nearest points that detection found; contacts that are kept at other points do not count.
 * Returns false if memory ran out. */
bool cst_detection_track(const cst_detection *detection, int touches, const cst_contacts_before *before, cst_contact_set *set,
                         cst_depth *depth);

/* Updates normal, gap and side b of the contacts of the set to the present placement of the bodies; side a keeps its material
 * points, except on thin disks and rolling rods. */
void cst_detection_follow(const cst_geometry *geometry, double time, cst_contact_set *set);

/* Returns the deepest penetration (m) of the bodies, as placed now, with each other and with the obstacles at `time`, including
 * pairs that crossed in the motion. `depth`: the penetration in contact radii. Returns a negative number if memory ran out. */
double cst_detection_depth(const cst_geometry *geometry, double time, const cst_geometry_motion *motion, cst_depth *depth);

#endif
