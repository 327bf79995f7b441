/* Measures of a step that is solved but not yet committed: penetrations, motions, crossings and constraint errors. Penetrations,
 * motions and crossings are among the criteria by which a step is accepted. */
#ifndef CST_WORLD_STEP_END_H
#define CST_WORLD_STEP_END_H

#include "world/constraint.h"
#include "world/contact_set.h"
#include "world/detection.h"
#include "world/dynamics.h"
#include "world/strand_check.h"

typedef struct cst_step_end {
    double penetration; /* largest penetration (m) at the end of the step */
    /* largest penetrations at the end of the step, divided by the smaller radius of the two bodies */
    cst_depth depth;
    /* largest penetrations at the start of the step, divided by the smaller radius of the two bodies */
    cst_depth depth_before;
    /* largest relative displacement of the two sides of a contact in the step, divided by the smaller radius of the two bodies */
    double relative_motion;
    double motion;                 /* largest displacement (m) of any point of a body in the step */
    double constraint_error;       /* largest position error (m) of a constraint at the end of the step */
    cst_strand_passed passed;      /* centrelines that passed through each other */
    cst_crossing_change crossings; /* crossing pairs of triangles of sheets */
} cst_step_end;

/* Measures the displacements and the constraint errors of a step. The bodies must be at their positions at the end of the step.
 * Returns false if memory ran out. */
bool cst_step_end_measure(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                          const cst_contact_set *set, const cst_constraint *constraint, int constraints, cst_arena *arena,
                          cst_step_end *out);

#endif
