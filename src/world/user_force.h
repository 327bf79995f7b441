/* Forces of the caller: a force f on each vertex of a body (cst_world_set_forces), which is constant during a step.
 *
 *     The generalised force g on a body is the sum of J^T f over its vertices, where J is the Jacobian of a vertex and f the
 *     force on it. The generalised force times dt is added to the right-hand side of the body. The work of the caller's forces
 *     in a step is dt times their power at the mean velocities of the vertices, which include imposed motions.
 *
 * The Jacobians of the vertices are evaluated at the last position of the body, as for a point load (world/load.h). The
 * generalised force g of the caller's forces is stored until the next assembly. */
#ifndef CST_WORLD_USER_FORCE_H
#define CST_WORLD_USER_FORCE_H

#include "base/arena.h"
#include "world/layout.h"
#include "world/objects.h"

typedef struct cst_user_force {
    const double *force;    /* array (vertices x 3): N; NULL: none */
    const int64_t *first;   /* array (bodies + 1): vertices */
    cst_point_motion *room; /* (threads) */
    double *g;              /* (dofs of all) */
    double *imposed;        /* array (bodies): power (W) of the caller's forces on the imposed motion of a body */
    double largest;         /* N */
} cst_user_force;

/* Adds the impulses of the caller's forces to the right-hand sides of all bodies. Call cst_user_force_apply once after each
 * assembly. */
void cst_user_force_apply(const cst_user_force *user, const cst_objects *objects, const cst_layout *layout,
                          const cst_step_frame *frame, int threads);

/* Returns the work (J) of the caller's forces on a body in the step. The vector `v_theta` (dofs of the body) contains the mean
 * velocities of the step. */
double cst_user_force_work(const cst_user_force *user, const cst_step_frame *frame, int body, int start, int dofs,
                           const double *v_theta);

/* Returns the sum of the magnitudes (N) of the caller's forces on a body. */
double cst_user_force_pull(const cst_user_force *user, int body);

/* Writes the caller's forces on a body as point loads, for a static equilibrium; `out` has memory for one load per vertex.
 * Returns the number of loads written: one for each force that is not zero. */
int cst_user_force_loads(const cst_user_force *user, const cst_body_model *model, int body, cst_point_load *out);

#endif
