/* The velocities of all bodies in a step, as vectors in the order of world/layout.h. */
#ifndef CST_WORLD_VELOCITIES_H
#define CST_WORLD_VELOCITIES_H

#include "base/arena.h"

typedef struct cst_velocities {
    int dofs;
    double *v;         /* array (dofs): latest end velocities */
    double *before;    /* array (dofs): initial velocities */
    double *last;      /* array (dofs): end velocities of the previous linearisation */
    double *free;      /* array (dofs): velocities that the bodies would have without contacts, as computed last */
    double *scratch;   /* (dofs) */
    double free_speed; /* largest component of `free` so far */
} cst_velocities;

/* Returns false if memory ran out. */
bool cst_velocities_begin(cst_velocities *velocities, int dofs, cst_arena *arena);

/* Computes the mean velocities of the step in the theta scheme, for `count` dofs from the index `start` on. */
void cst_velocities_theta(const cst_velocities *velocities, double theta, int start, int count, double *out);

/* Predicts the velocities without contacts at the end of the next step, and writes them to `out` (dofs). The prediction adds to
 * the end velocities v the change of velocity that this step would have without contacts: out = v + (free - before). The
 * prediction is exact for a rod at rest, in free fall or in steady motion. `still`: true for quasi-static steps, in which the
 * initial velocities have no effect; `out` is then a copy of the velocities `free` without contacts. */
void cst_velocities_expect(const cst_velocities *velocities, bool still, double *out);

/* Returns the largest change of a velocity component from the previous linearisation (`last`) to the present one (`v`), divided
 * by a velocity scale. The velocity scale is the largest velocity component with or without contacts, but at least
 * `standstill`. */
double cst_velocities_change(const cst_velocities *velocities, double standstill);

#endif
