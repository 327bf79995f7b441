/* Obstacles of the plane: half-plane, disk (solid or hollow), chain of segments, arc; fixed or moved by keyframes.
 *
 * A material point that is at y relative to `position` at first is at position + translation(t) + R(rotation(t)) y. Over a step
 * it has the secant velocity (x(t + dt) - x(t)) / dt: moved by it, it is where the keyframes say. */
#ifndef CST_RIGID_OBSTACLE_H
#define CST_RIGID_OBSTACLE_H

#include "base/arena.h"
#include "capstan/capstan.h"
#include "collide/shape.h"

typedef struct cst_obstacle {
    cst_obstacle_def def; /* a deep copy; normal is a unit vector, name and motion belong to the arena */
    int arcs;             /* 0 for a half-plane */
    double *s;            /* (arcs + 1) arc length at the start of each arc, and in all */
} cst_obstacle;

/* Copied into the arena. False with a message if the definition makes no sense or memory ran out. The cookie and the surface are
 * the world's business. */
bool cst_obstacle_create(const cst_obstacle_def *def, cst_arena *arena, cst_obstacle *out, char *message, size_t message_size);

/* Shapes at a time, with all but `owner` filled. */
void cst_obstacle_arc(const cst_obstacle *obstacle, double time, int index, cst_arc *out);
void cst_obstacle_half_plane(const cst_obstacle *obstacle, double time, cst_half_plane *out); /* only of a half-plane */

/* Secant velocity over the step from `time` to `time + dt`, and turning rate about z, of the material point that is at `point`
 * (2 components) at the time `when`, usually one of the two ends of the step. velocity has 2 components. */
void cst_obstacle_velocity(const cst_obstacle *obstacle, double time, double dt, double when, const double *point,
                           double *velocity, double *turn);

/* As cst_world_draw_obstacle. Vertices x 3, and a radius each; NULL to skip. */
cst_drawing cst_obstacle_draw(const cst_obstacle *obstacle, double time, double *position, double *radius);

#endif
