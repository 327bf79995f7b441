/* The phases of a step that know no contacts: bodies placed and assembled, and the motion they would have without contacts. */
#ifndef CST_WORLD_DYNAMICS_H
#define CST_WORLD_DYNAMICS_H

#include "world/failure.h"
#include "world/layout.h"
#include "world/load.h"
#include "world/objects.h"
#include "world/tied.h"
#include "world/user_force.h"
#include "world/velocities.h"

/* Everything that moves by itself, for one step. */
typedef struct cst_dynamics {
    cst_objects objects;
    cst_load *load; /* (loads) */
    int loads;
    cst_user_force user; /* forces of the caller on vertices */
    cst_joined joined;
    cst_layout layout;
    cst_tied tied; /* of the last assembly */
    int threads;
    cst_arena *arena; /* of the step */
    cst_arena *ties;  /* of the motion with ties of the last linearisation */
    double hold;      /* J: work of what holds the last guess of a step to an equilibrium (world/quasi_static.h) */
} cst_dynamics;

/* Threads of loops over bodies: one if they are few. */
int cst_dynamics_threads(const cst_dynamics *dynamics);

/* Each body where v (dofs of all) takes it by the end of the step; v NULL: where it is now. */
bool cst_dynamics_place(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v, cst_failure *failure);

/* A and rhs of all bodies, loads and groups, and velocities->before. relinearised: at velocities->v, otherwise at the start of the
 * step. */
bool cst_dynamics_assemble(cst_dynamics *dynamics, const cst_step_frame *frame, bool relinearised, cst_velocities *velocities,
                           cst_failure *failure);

/* velocities->v as if nothing touched anything, constraints met; free_speed grows to its largest component. */
bool cst_dynamics_free_motion(cst_dynamics *dynamics, int dim, cst_velocities *velocities, cst_failure *failure);

/* Fails if a component of v is not finite, and names its body. */
bool cst_dynamics_check_finite(const cst_dynamics *dynamics, const double *v, cst_failure *failure);

/* Largest distance that any point of a body travels in the step if v (dofs of all) is its result. */
double cst_dynamics_travel(const cst_objects *objects, const cst_layout *layout, const cst_step_frame *frame, int body,
                           const double *v);

/* The same for all bodies. */
double cst_dynamics_largest_travel(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v);

/* The state of each body moves on. v (dofs of all): the result of the step. */
void cst_dynamics_finish(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v);

#endif
