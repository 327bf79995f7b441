/* Finds the contacts of a step with the contact geometry (world/geometry.h), and matches them with earlier contacts. A contact
 * that has an impulse normally stays in the contact list even if its point is no longer a nearest point of the two bodies. */
#ifndef CST_WORLD_DETECTION_H
#define CST_WORLD_DETECTION_H

#include "world/contact_set.h"
#include "world/geometry.h"
#include "world/layout.h"
#include "world/velocities.h"

typedef struct cst_detection {
    const cst_geometry *geometry;
    const cst_objects *objects;
    const cst_layout *layout;
    const cst_step_frame *frame;
    cst_surface_rules surfaces;
    int threads;
    cst_arena *arena;   /* for working memory */
    cst_arena *lasting; /* receives the contacts */
} cst_detection;

/* Earlier contacts with which new contacts are matched: the contacts of the last step, or of the previous linearisation of this
 * step. */
typedef struct cst_contacts_before {
    const cst_contact *contact; /* (count) */
    int count;
    double scale;    /* factor on their impulses */
    const double *v; /* (all dofs) velocities since then */
    bool same_step;  /* true: earlier linearisation of this step */
} cst_contacts_before;

/* Deepest penetrations, each divided by the smaller radius of the two bodies, or by half the thickness of the thinner body if
 * both have sharp edges. */
typedef struct cst_depth {
    double all;
    double surfaces; /* between surfaces: vertices, edges, faces */
    double sheets;   /* between a sheet and a surface (cst_contact.soft) */
    double others;   /* of all other contacts, also between a fiber and a sheet */
} cst_depth;

/* Broad and narrow phase of the contact search: finds all pairs of near points between the bodies at their present positions, and
 * between the bodies and the obstacles at `time`. In 3D, the search predicts from the motion without contacts which points come
 * near each other in the step. In 2D, the search margins are computed from the displacements of the bodies with the velocities
 * velocities->v. `at_end`: true if the bodies are at the positions that they reach with velocities->v at the end of the step.
 * Returns the number of pairs of near points, or -1 if memory ran out. */
int cst_detection_find(const cst_detection *detection, double time, const cst_velocities *velocities, bool at_end);

/* Makes contacts from the pairs of near points of the last search, matches them with the earlier contacts `before`, and takes
 * memory for them from detection->lasting (set->contact). The contacts have no Jacobian rows. `depth`: deepest penetrations at
 * the detected points; old contacts that are kept at other points, and contacts marked as `foreseen`, do not count. Returns false
 * if memory ran out. */
bool cst_detection_track(const cst_detection *detection, int touches, const cst_contacts_before *before, cst_contact_set *set,
                         cst_depth *depth);

/* Updates the contacts of the set to the present positions of the bodies: the normal, the gap, and the nearest point of the
 * second body. On the first body, a contact keeps its material point. Exception in 2D: if a rod rolls on a half-plane or touches
 * a thin disk, the contact moves along the rod (world/hold_plane.h). Exception in 3D: a contact of two meshes keeps both material
 * points and its normal. Of two contacts that have met at one point, only one is kept. */
void cst_detection_follow(const cst_geometry *geometry, double time, cst_contact_set *set);

/* Returns the deepest penetration (m) of the bodies, at their present positions, with each other and with the obstacles at
 * `time`. The result includes the penetrations of vertices, edges and faces that passed through each other during the step.
 * `depth`: deepest penetrations, divided by the smaller radius of the two bodies (cst_depth). Returns a negative number if memory
 * ran out. */
double cst_detection_depth(const cst_geometry *geometry, double time, const cst_geometry_motion *motion, cst_depth *depth);

#endif
