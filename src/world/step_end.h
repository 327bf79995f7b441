/* Measures of a step that is solved but not committed yet: the penetration at its end, the motion of the bodies, and the errors
 * of the constraints. The penetration and the motion decide whether the step is accepted or retried. */
#ifndef CST_WORLD_STEP_END_H
#define CST_WORLD_STEP_END_H

#include "world/constraint.h"
#include "world/contact_set.h"
#include "world/detection.h"
#include "world/dynamics.h"
#include "world/strand_check.h"

typedef struct cst_step_end {
    double penetration;            /* deepest (cst_detection_depth) (m) */
    cst_depth depth;               /* penetration in contact radii */
    cst_depth depth_before;        /* initial penetration */
    double relative_motion;        /* largest at a contact, in radii */
    double motion;                 /* largest motion of any point (m) */
    double constraint_error;       /* largest (m) */
    cst_strand_passed passed;      /* centrelines that passed through each other */
    cst_crossing_change crossings; /* crossing pairs of triangles of sheets */
} cst_step_end;

/* Measures the motions and the constraint errors of a step; the bodies must be placed at the end of the step. Returns false if
 * memory ran out. */
bool cst_step_end_measure(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                          const cst_contact_set *set, const cst_constraint *constraint, int constraints, cst_arena *arena,
                          cst_step_end *out);

#endif
