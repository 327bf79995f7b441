/* Point loads: a force and a moment on a material point of a body, times a factor of time.
 *
 * A load acts as it is at t + theta dt (factor; a follower has turned with the body since it was added, by where the body was
 * placed last) and gives the impulse dt J^T f to the body. Its work over the step is dt f . (J v_theta), v_theta = theta v+ +
 * (1 - theta) v: exactly what the theta scheme takes up. */
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
    double angle;                /* of the body there when the load was added */
    double frame[9];             /* the same in space */
    const double *time, *factor; /* (times) */
    int times;                   /* 0: constant */

    cst_point_motion motion;            /* of this step: cst_load_begin */
    double force_now[3], moment_now[3]; /* of the last cst_load_apply */
} cst_load;

/* The bodies are placed where they are. Arrays and name are copied into the arena. False with a message. */
bool cst_load_create(const cst_load_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena, cst_load *out,
                     char *message, size_t message_size);

/* Another force and moment, finite, (3) each: what leaves the plane is left out, as at first. */
void cst_load_set(cst_load *load, const double *force, const double *moment);

/* The factor at a time. */
double cst_load_factor(const cst_load *load, double time);

/* As it acts at a time, on the body as it is placed, for statics. room: of a point of the body. */
void cst_load_at(const cst_load *load, const cst_body_model *body, double time, cst_point_motion *room, cst_point_load *out);

/* Room for the step. False: out of memory. */
bool cst_load_begin(cst_load *load, const cst_body_model *body, cst_arena *arena);

/* Added to the rhs of its body, once after each assemble. */
void cst_load_apply(cst_load *load, const cst_body_model *body, const cst_step_frame *frame);

/* J: given to the body in the step. v_theta (dofs of the body) = theta v+ + (1 - theta) v. After apply, before finish. */
double cst_load_work(const cst_load *load, const cst_step_frame *frame, const double *v_theta);

#endif
