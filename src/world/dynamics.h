/* Phases of a step that do not involve contacts: placing the bodies, assembling their equations, and computing their free
 * motion (motion without contacts). */
#ifndef CST_WORLD_DYNAMICS_H
#define CST_WORLD_DYNAMICS_H

#include "world/failure.h"
#include "world/layout.h"
#include "world/load.h"
#include "world/objects.h"
#include "world/tied.h"
#include "world/user_force.h"
#include "world/velocities.h"

/* State of the free motion of a body after the assembly: to be computed later, known (in velocities->scratch), or failed
 * because the matrix of the body is not positive definite. */
typedef enum cst_free { CST_FREE_LATER, CST_FREE_KNOWN, CST_FREE_FAILED } cst_free;

/* The bodies, loads and constraints on which a step works. */
typedef struct cst_dynamics {
    cst_objects objects;
    cst_load *load; /* (loads) */
    int loads;
    cst_user_force user; /* forces of the caller on vertices */
    cst_joined joined;
    cst_layout layout;
    cst_tied tied;  /* of the last assembly */
    uint8_t *ready; /* array (bodies): CST_FREE_* */
    int threads;
    cst_arena *arena; /* of the step */
    cst_arena *ties;  /* memory for tied groups */
    /* work (J) of the proximal term that replaces inertia in a step to an equilibrium (world/quasi_static.h) */
    double hold;
} cst_dynamics;

/* Returns the number of threads for loops over bodies; it is 1 if there are few bodies. */
int cst_dynamics_threads(const cst_dynamics *dynamics);

/* Moves all bodies to the positions that they reach with the velocities v (dofs of all bodies) at the end of the step. If v is
 * NULL, moves all bodies to their positions at the start of the step. */
bool cst_dynamics_place(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v, cst_failure *failure);

/* Assembles the matrices and right-hand sides of all bodies and groups of joined bodies, including loads. Writes the velocities
 * at the start of the step to velocities->before, unless the step is quasi-static. `relinearised`: true: the bodies are
 * linearised at velocities->v; false: at the start of the step. */
bool cst_dynamics_assemble(cst_dynamics *dynamics, const cst_step_frame *frame, bool relinearised, cst_velocities *velocities,
                           cst_failure *failure);

/* Computes the free motion of all bodies (their motion with constraints, but without contacts), and writes it to velocities->v.
 * The free motions of most bodies are known from the assembly, in velocities->scratch. Updates velocities->free_speed, the
 * largest velocity component of the free motions in this step. */
bool cst_dynamics_free_motion(cst_dynamics *dynamics, int dim, cst_velocities *velocities, cst_failure *failure);

/* Returns false if a component of v is not finite, and writes the index of the body concerned to *failure. */
bool cst_dynamics_check_finite(const cst_dynamics *dynamics, const double *v, cst_failure *failure);

/* Returns the largest distance (m) that any point of one body moves in a step that ends with the velocities v (dofs of all
 * bodies). */
double cst_dynamics_travel(const cst_objects *objects, const cst_layout *layout, const cst_step_frame *frame, int body,
                           const double *v);

/* Returns the largest distance (m) that any point of any body moves in a step that ends with the velocities v. */
double cst_dynamics_largest_travel(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v);

/* Updates the state of each body at the end of the step, from the end velocities v (dofs of all bodies). */
void cst_dynamics_finish(const cst_dynamics *dynamics, const cst_step_frame *frame, const double *v);

#endif
