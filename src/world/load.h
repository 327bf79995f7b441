/* Point loads: a force and a moment on a material point of a body, times a factor that depends on time. A step of length dt from
 * the time t uses the load at the time t + theta dt, with the parameter theta of the time-stepping scheme. A follower load turns
 * with the body. The work of a load in a step is dt times the power of the load at the mean velocity of the loaded point. In the
 * theta scheme, the work of a load in a step is exactly the energy that the load adds to the body. */
#ifndef CST_WORLD_LOAD_H
#define CST_WORLD_LOAD_H

#include "base/arena.h"
#include "body/body.h"

typedef struct cst_load {
    const char *name; /* or NULL */
    int32_t body;     /* from 0 */
    cst_material_point at;
    int dim;
    double force[3], moment[3]; /* as given */
    bool follower;
    double angle;                /* 2D, rad: initial body angle */
    double frame[9];             /* 3D: initial frame of the body */
    const double *time, *factor; /* (times) */
    int times;                   /* 0: constant */

    cst_point_motion motion;            /* set by cst_load_begin in this step */
    double force_now[3], moment_now[3]; /* values of the last cst_load_apply */
} cst_load;

/* Creates a load on a point of a body, and copies the arrays and the name of the load into the arena. Precondition: the positions
 * of the points of the body have been computed from its generalised coordinates. Returns false with a message if the definition
 * is not valid or memory ran out. */
bool cst_load_create(const cst_load_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena, cst_load *out,
                     char *message, size_t message_size);

/* Replaces the force and the moment of the load; each has 3 finite components. In 2D the force along z and the moments about x
 * and y are ignored, as in cst_load_create. */
void cst_load_set(cst_load *load, const double *force, const double *moment);

double cst_load_factor(const cst_load *load, double time);

/* Computes the force and the moment of the load at `time` on a body at its present position, for a static equilibrium. `room`:
 * buffer for the motion of the loaded point. */
void cst_load_at(const cst_load *load, const cst_body_model *body, double time, cst_point_motion *room, cst_point_load *out);

/* Allocates memory for the step. Returns false if memory ran out. */
bool cst_load_begin(cst_load *load, const cst_body_model *body, cst_arena *arena);

/* Adds the impulse of the load to the right-hand side of its body. Call cst_load_apply once after each assembly. */
void cst_load_apply(cst_load *load, const cst_body_model *body, const cst_step_frame *frame);

/* Returns the work (J) of the load in the step, at the mean velocities v_theta (dofs of the body). Call cst_load_work after
 * cst_load_apply, and before the function `finish` of the body. */
double cst_load_work(const cst_load *load, const cst_step_frame *frame, const double *v_theta);

#endif
