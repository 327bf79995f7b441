/* Forces of the caller: a force on each vertex of a body (cst_world_set_forces), which is constant during a step. The generalised
 * force on a body, and the work of the caller's forces on the body, are sums over its vertices:
 *
 *     `g = sum J^T*f`.
 *     `W = dt*sum f^T*w`.
 *     `g`: generalised force on the body; the impulse dt g is added to the body's right-hand side.
 *     `W`: work of the caller's forces in a step of length dt.
 *     `f`: force of the caller on a vertex.
 *     `J`: Jacobian of the vertex at the position at which the body was placed last, as for a point load (world/load.h).
 *     `w`: mean velocity of a vertex in the step, including imposed motions. */
#ifndef CST_WORLD_USER_FORCE_H
#define CST_WORLD_USER_FORCE_H

#include "base/arena.h"
#include "world/layout.h"
#include "world/objects.h"

typedef struct cst_user_force {
    const double *force;    /* array (vertices x 3): force (N) on each vertex; NULL: none */
    const int64_t *first;   /* array (bodies + 1): first vertex */
    cst_point_motion *room; /* (threads) */
    double *g;              /* (dofs of all) */
    /* array (bodies): power (W) of the caller's forces at the velocities that imposed motions give to the vertices of each
     * body */
    double *imposed;
    double largest; /* N */
} cst_user_force;

/* Adds the impulses of the caller's forces to the right-hand sides of all bodies. Call cst_user_force_apply once after each
 * assembly of the bodies. */
void cst_user_force_apply(const cst_user_force *user, const cst_objects *objects, const cst_layout *layout,
                          const cst_step_frame *frame, int threads);

/* Returns the work (J) of the caller's forces on one body in the step. `v_theta`: (dofs of the body) mean velocities of the
 * step. */
double cst_user_force_work(const cst_user_force *user, const cst_step_frame *frame, int body, int start, int dofs,
                           const double *v_theta);

/* Returns the sum of the magnitudes (N) of the caller's forces on a body. */
double cst_user_force_pull(const cst_user_force *user, int body);

/* Writes the caller's forces on a body as point loads, for a static equilibrium; `out` has memory for one load per vertex.
 * Returns the number of loads written: one for each force that is not zero. */
int cst_user_force_loads(const cst_user_force *user, const cst_body_model *model, int body, cst_point_load *out);

#endif
