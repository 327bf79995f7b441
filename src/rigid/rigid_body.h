/* Planar rigid bodies: a disk, or a simple polygon with rounded edges.
 *
 * Coordinates q = (x, y, angle) of the centre of mass, v = (vx, vy, omega); M = diag(m, m, I). Gravity and linear drag only:
 *
 *     A = M + theta dt C,     rhs = M v + dt m g - (1 - theta) dt C v,     C = diag(drag, drag, angular_drag)
 *
 * A material point at p from the centre (turned into the world) moves with J v, J = [1 0 -p_y; 0 1 p_x], and turns with omega.
 *
 * State: x, y, angle, vx, vy, omega. The mass of a polygon is spread over the polygon of its corners; rounding is for contact
 * only. Its edges are arcs of curvature 0, travelled clockwise so that matter is on their right; s runs along the perimeter. */
#ifndef CST_RIGID_RIGID_BODY_H
#define CST_RIGID_RIGID_BODY_H

#include "body/body.h"

/* False with a message if the definition makes no sense or memory ran out. The body owns copies of all it was given and is freed
 * by its class's destroy. Name, surface and cookie are the world's business. */
bool cst_rigid_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

#endif
