/* The velocities of all bodies in a step: vectors in the order of world/layout.h. */
#ifndef CST_WORLD_VELOCITIES_H
#define CST_WORLD_VELOCITIES_H

#include "base/arena.h"

typedef struct cst_velocities {
    int dofs;
    double *v;         /* (dofs) latest solution for the end of the step */
    double *before;    /* (dofs) velocities at the start of the step */
    double *last;      /* (dofs) the solution of the previous linearisation */
    double *free;      /* (dofs) the latest motion without contacts */
    double *scratch;   /* (dofs) */
    double free_speed; /* largest component of `free` in all linearisations so far */
} cst_velocities;

/* Returns false if memory ran out. */
bool cst_velocities_begin(cst_velocities *velocities, int dofs, cst_arena *arena);

/* Computes theta v + (1 - theta) v_before for `count` dofs from `start` on. */
void cst_velocities_theta(const cst_velocities *velocities, double theta, int start, int count, double *out);

/* Writes an estimate of the velocities without contacts in the next step to `out` (dofs). The estimate starts from the
 * velocities v and assumes that the forces stay the same. `still`: true for quasi-static steps, which do not depend on the
 * velocities at their start. The estimate is exact for a rod at rest, in free fall or in steady motion. */
void cst_velocities_expect(const cst_velocities *velocities, bool still, double *out);

/* Returns the largest change of a component from `last` to v, relative to the largest component with or without contacts. The
 * velocities of a body at rest are zero, so the velocities that it would have without contacts (free_speed) give the scale. The
 * scale is at least `standstill`. */
double cst_velocities_change(const cst_velocities *velocities, double standstill);

#endif
