/* Forces of the caller, one on each vertex (cst_world_set_forces), constant over a step:
 *
 *     g = sum over the vertices of a body of J^T f,        rhs += dt g,        work = dt (g . v_theta + sum of f . drift).
 *
 * J is the Jacobian of a vertex at the last placement of the body, as for a point load (world/load.h); the sum g is stored
 * until the next assembly. */
#ifndef CST_WORLD_USER_FORCE_H
#define CST_WORLD_USER_FORCE_H

#include "base/arena.h"
#include "world/layout.h"
#include "world/objects.h"

typedef struct cst_user_force {
    const double *force;    /* (vertices x 3) N; NULL: none */
    const int64_t *first;   /* (bodies + 1) vertices */
    cst_point_motion *room; /* (threads) */
    double *g;              /* (dofs of all) */
    double *imposed;        /* (bodies) W: power of the forces on an imposed motion (clamped root) */
    double largest;         /* N */
} cst_user_force;

/* Adds the impulses of the caller's forces to the rhs of all bodies. Call this function once after each assembly. */
void cst_user_force_apply(const cst_user_force *user, const cst_objects *objects, const cst_layout *layout,
                          const cst_step_frame *frame, int threads);

/* Returns the work (J) of the caller's forces on a body in the step. `v_theta` (dofs of the body) = theta v+ + (1 - theta)
 * v. */
double cst_user_force_work(const cst_user_force *user, const cst_step_frame *frame, int body, int start, int dofs,
                           const double *v_theta);

/* Returns the sum of the magnitudes (N) of the forces on a body. */
double cst_user_force_pull(const cst_user_force *user, int body);

/* Writes the forces on a body as loads for statics; `out` holds one load per vertex. Returns the number of loads written, one
 * for each force that is not zero. */
int cst_user_force_loads(const cst_user_force *user, const cst_body_model *model, int body, cst_point_load *out);

#endif
