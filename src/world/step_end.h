/* The end of a step that was solved but not yet committed: how deep, how far, how well. Decides whether the step is accepted. */
#ifndef CST_WORLD_STEP_END_H
#define CST_WORLD_STEP_END_H

#include "world/constraint.h"
#include "world/contact_set.h"
#include "world/detection.h"
#include "world/dynamics.h"
#include "world/strand_check.h"

typedef struct cst_step_end {
    double penetration;       /* m: deepest (cst_detection_depth) */
    cst_depth depth;          /* the same in contact radii */
    cst_depth depth_before;   /* the same at the start of the step: the end is judged by what the step adds */
    double relative_motion;   /* largest at a contact, in contact radii */
    double motion;            /* m: largest of any point */
    double constraint_error;  /* m: largest */
    cst_strand_passed passed; /* centrelines that passed through each other */
} cst_step_end;

/* Motions and constraint errors; the bodies are placed at the end of the step. False: out of memory. */
bool cst_step_end_measure(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                          const cst_contact_set *set, const cst_constraint *constraint, int constraints, cst_arena *arena,
                          cst_step_end *out);

#endif
