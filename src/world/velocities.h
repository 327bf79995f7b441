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

/* Writes a prediction of the velocities without contacts in the next step to `out` (dofs). The prediction of the velocities
 * without contacts starts from the end velocities v of this step and assumes that the forces stay the same. The argument `still`
 * is true for quasi-static steps, in which the initial velocities have no effect. The predicted velocities are exact for a rod at
 * rest, in free fall or in steady motion. */
void cst_velocities_expect(const cst_velocities *velocities, bool still, double *out);

/* Returns the largest change of a velocity component from the solution of the previous linearisation (`last`) to the solution
 * v, divided by a velocity scale. The velocity scale is the largest component of the velocities with contacts and without
 * contacts (free_speed). The velocity scale includes the velocities without contacts, because the velocities with contacts are
 * zero if all bodies are at rest. The scale is at least `standstill`. */
double cst_velocities_change(const cst_velocities *velocities, double standstill);

#endif
