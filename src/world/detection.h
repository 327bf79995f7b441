/* Finds the contacts of a step on the geometry and tracks them from earlier contacts. Contacts that push are held even if they
 * are no longer nearest points. */
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
    const double *v; /* (dofs of all) velocities that moved the bodies from the earlier contacts to their present places */
    bool same_step;  /* true if the earlier contacts belong to an earlier linearisation of this step */
} cst_contacts_before;

/* The deepest penetration in contact radii or, for sharp bodies, in half thicknesses. */
typedef struct cst_depth {
    double all;
    double surfaces; /* between surfaces: vertices, edges, faces */
    double sheets;   /* with a sheet on one side */
    double others;   /* without a sheet */
} cst_depth;

/* Broad and narrow phase: finds the touches between the bodies as they are placed now and the obstacles at `time`. The motion
 * without contacts decides which pairs are near. `at_end`: the bodies are placed where velocities->v takes them. Returns the
 * number of touches, or -1 if memory ran out. */
int cst_detection_find(const cst_detection *detection, double time, const cst_velocities *velocities, bool at_end);

/* Fills set->contact with the touches found last, tracked from `before`; rows are not made here. `depth`: penetration of the
 * nearest points that were found, whether or not held contacts are beside them. Returns false if memory ran out. */
bool cst_detection_track(const cst_detection *detection, int touches, const cst_contacts_before *before, cst_contact_set *set,
                         cst_depth *depth);

/* Moves the contacts of the set to where the bodies are placed now, at the same points of side a. */
void cst_detection_follow(const cst_geometry *geometry, double time, cst_contact_set *set);

/* Returns the deepest penetration (m) between the bodies as they are placed now and the obstacles at `time`, including pairs that
 * crossed in the motion. `depth`: the penetration in contact radii. Returns a negative number if memory ran out. */
double cst_detection_depth(const cst_geometry *geometry, double time, const cst_geometry_motion *motion, cst_depth *depth);

#endif
