/* The velocities of all bodies in a step: vectors in the order of world/layout.h. */
#ifndef CST_WORLD_VELOCITIES_H
#define CST_WORLD_VELOCITIES_H

#include "base/arena.h"

typedef struct cst_velocities {
    int dofs;
    double *v;         /* (dofs) at the end of the step: the latest solution */
    double *before;    /* (dofs) at the start of the step */
    double *last;      /* (dofs) the solution of the linearisation before */
    double *free;      /* (dofs) the motion without contacts of the latest linearisation that found it */
    double *scratch;   /* (dofs) */
    double free_speed; /* largest component in any motion without contacts */
} cst_velocities;

/* False: out of memory. */
bool cst_velocities_begin(cst_velocities *velocities, int dofs, cst_arena *arena);

/* theta v + (1 - theta) v_before of `count` dofs from `start` on. */
void cst_velocities_theta(const cst_velocities *velocities, double theta, int start, int count, double *out);

/* What the motion without contacts of the next step is likely to be, in out (dofs): from v on, with the same forces. still: a step
 * forgets the velocities before it. A rod at rest, in free fall or in steady motion does just that. */
void cst_velocities_expect(const cst_velocities *velocities, bool still, double *out);

/* Largest change of a component from `last` to v, relative to the largest component with or without contacts. A body at rest has
 * no velocity of its own, only the one that its contacts take away, hence free_speed; and speeds below `standstill` count as
 * standstill. */
double cst_velocities_change(const cst_velocities *velocities, double standstill);

#endif
