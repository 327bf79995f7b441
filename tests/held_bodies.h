/* A little world without contacts for the tests of constraints and loads, and random bodies that stand in for real ones. */
#ifndef CST_TESTS_HELD_BODIES_H
#define CST_TESTS_HELD_BODIES_H

#include "base/rng.h"
#include "world/joined.h"
#include "world/load.h"

enum { HELD_MAX = 64 };

typedef struct held_bodies {
    cst_body_model body[HELD_MAX];
    cst_constraint constraint[HELD_MAX];
    cst_load load[HELD_MAX];
    int bodies, constraints, loads;
    cst_arena keep, step;
    cst_step_frame frame; /* time, dt, theta, gravity */
    int iterations;       /* of a step: 1 unless told */
    bool predicted;       /* linearised where the velocities at the start lead, not at the start: second order if theta < 1 */
    /* works since the start */
    double load_work, constraint_work, drag, scheme, forgotten, body_load_work, body_constraint_work, viscosity;
    int redundant; /* rows left out in the last step */
} held_bodies;

held_bodies *held_new(double dt, double theta);
void held_free(held_bodies *held);

/* Ids from 1; a definition that is refused fails the test. */
cst_body_id held_add(held_bodies *held, cst_body_model body);
cst_body_id held_add_disk(held_bodies *held, double x, double y, double radius, double mass);
cst_constraint_id held_constrain(held_bodies *held, const cst_constraint_def *def);
/* Pinned (or another kind) where a is now, to body b or the world (0). */
cst_constraint_id held_hold(held_bodies *held, cst_constraint_kind kind, cst_place a, cst_body_id b);
cst_load_id held_push(held_bodies *held, const cst_load_def *def);

void held_step(held_bodies *held); /* fails the test if anything goes wrong */
double held_energy(const held_bodies *held);
double held_works(const held_bodies *held); /* all of them */
double held_error(held_bodies *held);       /* largest of the constraints, now */
void held_where(held_bodies *held, cst_place place, double *position, double *angle);

/* A body of dense random A (positive definite), points with random J and drift, all at the origin. point_dofs of a point:
 * `touched` dofs chosen by its feature. */
cst_body_model stand_in_new(cst_rng *rng, int dofs, int touched, int points);
const double *stand_in_matrix(const cst_body_model *body);

#endif
