/* Obstacles, fixed or moved by keyframes. Of the plane: half-plane, disk (solid or hollow), chain of segments, arc (obstacle.c).
 * Of space: plane, sphere, capsule, box, cylinder, mesh, which may deform (obstacle_space.c).
 *
 * A material point that is at y relative to `position` at first is at position + translation(t) + R(rotation(t)) y. Over a step
 * it has the secant velocity (x(t + dt) - x(t)) / dt: moved by it, it is where the keyframes say. */
#ifndef CST_RIGID_OBSTACLE_H
#define CST_RIGID_OBSTACLE_H

#include "base/arena.h"
#include "capstan/capstan.h"
#include "collide/feature_cylinder.h"
#include "collide/shape.h"
#include "collide/shape_space.h"

typedef struct cst_obstacle {
    cst_obstacle_def def; /* a deep copy; normal is a unit vector, name and motion belong to the arena */
    int arcs;             /* 0 for a half-plane */
    double *s;            /* (arcs + 1) arc length at the start of each arc, and in all */
    cst_mesh_space *mesh; /* MESH: its own memory, in the shape of `shape_time`. NULL: none */
    double *shape;        /* (vertices x 3) of a mesh that deforms, at shape_time */
    double shape_time;
    cst_feature_mesh *features; /* sphere, capsule, box, mesh: what surfaces of bodies touch, its own memory. NULL: none */
    double *step_shape;         /* (2 x vertices x 3) of a mesh that deforms, at both ends of the step asked for last */
} cst_obstacle;

/* Copied into the arena, whose allocator serves the mesh. False with a message if the definition makes no sense or memory ran out:
 * there is then nothing to destroy. The cookie and the surface are the world's business. */
bool cst_obstacle_create(const cst_obstacle_def *def, cst_arena *arena, cst_obstacle *out, char *message, size_t message_size);
void cst_obstacle_destroy(cst_obstacle *obstacle); /* what is not in the arena; any obstacle, once created or all zero */

/* Shapes at a time, with all but `owner` filled. */
void cst_obstacle_arc(const cst_obstacle *obstacle, double time, int index, cst_arc *out);
void cst_obstacle_half_plane(const cst_obstacle *obstacle, double time, cst_half_plane *out); /* only of a half-plane */

/* Secant velocity over the step from `time` to `time + dt`, and turning rate about z, of the material point that is at `point`
 * (2 components) at the time `when`, usually one of the two ends of the step. velocity has 2 components. */
void cst_obstacle_velocity(const cst_obstacle *obstacle, double time, double dt, double when, const double *point,
                           double *velocity, double *turn);

/* Space. A solid at a time, with all but `owner` filled; a mesh that deforms is moved to its shape at that time, so that the
 * solids of one obstacle handed out before change with it. */
bool cst_obstacle_is_solid(const cst_obstacle *obstacle);
void cst_obstacle_solid(cst_obstacle *obstacle, double time, cst_solid *out);

/* What surfaces of bodies touch, at the times `from` and `to`; all but `owner` filled. False: it is a plane or a cylinder. A mesh that
 * deforms is moved as by cst_obstacle_solid, to one of the two. */
bool cst_obstacle_surface(cst_obstacle *obstacle, double from, double to, cst_feature_body *out);
void cst_obstacle_moving_plane(const cst_obstacle *obstacle, double from, double to, cst_moving_plane *out); /* of a plane */
void cst_obstacle_moving_cylinder(const cst_obstacle *obstacle, double from, double to,
                                  cst_moving_cylinder *out); /* of a cylinder */

/* The same as cst_obstacle_velocity, 3 components; `part` is the triangle that the point belongs to. On a mesh that deforms it keeps
 * its barycentric coordinates there and its height above it. */
void cst_obstacle_solid_velocity(const cst_obstacle *obstacle, double time, double dt, double when, int32_t part,
                                 const double *point, double *velocity);

/* As cst_world_draw_obstacle. Vertices x 3, and a radius each; NULL to skip. */
cst_drawing cst_obstacle_draw(const cst_obstacle *obstacle, double time, double *position, double *radius);
int cst_obstacle_triangles(const cst_obstacle *obstacle, int32_t *out); /* as cst_world_obstacle_triangles */

#endif
