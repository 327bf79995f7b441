/* The contacts of a step: found on the geometry, tracked from earlier contacts, held where they push but are no nearest points. */
#ifndef CST_WORLD_DETECTION_H
#define CST_WORLD_DETECTION_H

#include "world/contact_set.h"
#include "world/geometry.h"
#include "world/layout.h"
#include "world/velocities.h"

/* What detection works with, all of it for one step. */
typedef struct cst_detection {
    const cst_geometry *geometry;
    const cst_objects *objects;
    const cst_layout *layout;
    const cst_step_frame *frame;
    cst_surface_rules surfaces;
    int threads;
    cst_arena *arena;
} cst_detection;

/* The contacts that were there before: of the last step, or of the linearisation before. */
typedef struct cst_contacts_before {
    const cst_contact *contact; /* (count) */
    int count;
    double scale;    /* of their impulses */
    const double *v; /* (dofs of all) the velocities that brought the bodies from there to where they are placed now */
    bool same_step;  /* of an earlier linearisation of this step */
} cst_contacts_before;

/* The deepest penetration, in contact radii or, of what is sharp, in half its thickness. */
typedef struct cst_depth {
    double all;
    double surfaces; /* between surfaces: vertices, edges, faces */
    double sheets;   /* with a sheet on one side */
    double others;   /* with none */
} cst_depth;

/* Broad and narrow phase: touches of the bodies as they are placed now and the obstacles at `time`. The
 * motion without contacts decides what comes near. at_end: the bodies are placed where velocities->v takes them. Returns how many; -1: out of memory. */
int cst_detection_find(const cst_detection *detection, double time, const cst_velocities *velocities, bool at_end);

/* set->contact: the touches found last, tracked from `before`; rows are not yet made. *depth: of what was found
 * near, whether or not contacts are held beside it. False: out of memory. */
bool cst_detection_track(const cst_detection *detection, int touches, const cst_contacts_before *before, cst_contact_set *set,
                         cst_depth *depth);

/* The contacts of the set, at the same points of side a, where the bodies are placed now. */
void cst_detection_follow(const cst_geometry *geometry, double time, cst_contact_set *set);

/* Deepest penetration (m) of the bodies as they are placed now and the obstacles at `time`, or of what crossed in the motion that brought
 * them there; *depth: the same in contact radii. Negative: out of memory. */
double cst_detection_depth(const cst_geometry *geometry, double time, const cst_geometry_motion *motion, cst_depth *depth);

#endif
