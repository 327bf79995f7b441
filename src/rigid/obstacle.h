/* Obstacles, fixed or moved by keyframes. Shapes of obstacles in 2D: half-plane, disk (solid or hollow), chain of segments, arc
 * (obstacle.c). Shapes of obstacles in 3D: plane, sphere, capsule, box, cylinder, and a mesh, which may deform
 * (obstacle_space.c).
 *
 * A material point with the initial position y relative to the reference point `position` moves along a path x(t):
 *     `x(t) = position+translation(t)+R(rotation(t))*y`.
 *
 * In a step of length dt, the velocity of a material point of an obstacle is its mean velocity (x(t + dt) - x(t)) / dt, so that
 * the point reaches the position given by the keyframes. */
#ifndef CST_RIGID_OBSTACLE_H
#define CST_RIGID_OBSTACLE_H

#include "base/arena.h"
#include "capstan/capstan.h"
#include "collide/feature_cylinder.h"
#include "collide/shape.h"
#include "collide/shape_space.h"

typedef struct cst_obstacle {
    cst_obstacle_def def; /* copy of the definition with all its arrays; `normal` is a unit vector */
    int arcs;             /* 0 for a half-plane */
    double *s;            /* array (arcs + 1): arc length at the start of each arc, and total length */
    /* mesh of an obstacle of the kind MESH in its shape at the time shape_time, owned; NULL for other shapes */
    cst_mesh_space *mesh;
    double *shape; /* array (vertices x 3): shape of a deforming mesh at the time shape_time */
    double shape_time;
    /* surface of a sphere, capsule, box or mesh, for contacts with surfaces of bodies; freed with the obstacle; NULL for other
     * shapes */
    cst_feature_mesh *features;
    /* array (2 x vertices x 3): shapes of a deforming mesh at the start and at the end of the step that was last requested */
    double *step_shape;
} cst_obstacle;

/* Creates an obstacle from its definition, with copies of all data in the arena; a mesh uses the allocator of the arena.
 * Returns false with a message if the definition is not valid or memory ran out; in this case nothing has to be destroyed. The
 * caller checks cookie and surface. */
bool cst_obstacle_create(const cst_obstacle_def *def, cst_arena *arena, cst_obstacle *out, char *message, size_t message_size);
/* frees all memory outside the arena; the obstacle must have been created or be all zero */
void cst_obstacle_destroy(cst_obstacle *obstacle);

/* Computes the shape of an obstacle in 2D at the time `time`, except the field `owner`, which the caller sets. */
void cst_obstacle_arc(const cst_obstacle *obstacle, double time, int index, cst_arc *out);
void cst_obstacle_half_plane(const cst_obstacle *obstacle, double time, cst_half_plane *out); /* only for a half-plane */

/* Computes the mean velocity (2 components) over the step from `time` to `time + dt`, and the angular velocity about the z axis,
 * of a material point of the obstacle. The material point is at the position `point` (2 components) at the time `when`, usually
 * the start or the end of the step. */
void cst_obstacle_velocity(const cst_obstacle *obstacle, double time, double dt, double when, const double *point,
                           double *velocity, double *turn);

/* Computes the solid shape of an obstacle in 3D at the time `time`, except the field `owner`, which the caller sets. The function
 * cst_obstacle_solid moves a deforming mesh to its shape at the time `time`, so earlier results of this function for the same
 * obstacle change too. */
bool cst_obstacle_is_solid(const cst_obstacle *obstacle);
void cst_obstacle_solid(cst_obstacle *obstacle, double time, cst_solid *out);

/* Computes the surface of an obstacle at the times `from` and `to`, for contacts with surfaces of bodies; the caller sets the
 * field `owner`. Returns false for a plane or a cylinder, for which no surface is stored. The function cst_obstacle_surface moves
 * a deforming mesh to its shape at the time `from`, so earlier results of this function for the same obstacle change too. */
bool cst_obstacle_surface(cst_obstacle *obstacle, double from, double to, cst_feature_body *out);
/* only for a plane */
void cst_obstacle_moving_plane(const cst_obstacle *obstacle, double from, double to, cst_moving_plane *out);
void cst_obstacle_moving_cylinder(const cst_obstacle *obstacle, double from, double to,
                                  cst_moving_cylinder *out); /* only for a cylinder */

/* Like cst_obstacle_velocity, but with 3 components. The argument `part` is the index of the triangle that contains the
 * material point. On a deforming mesh, a material point keeps its barycentric coordinates and its height above its
 * triangle. */
void cst_obstacle_solid_velocity(const cst_obstacle *obstacle, double time, double dt, double when, int32_t part,
                                 const double *point, double *velocity);

/* Implements cst_world_draw_obstacle. `position`: (vertices x 3), `radius`: (vertices); both may be NULL. */
cst_drawing cst_obstacle_draw(const cst_obstacle *obstacle, double time, double *position, double *radius);
int cst_obstacle_triangles(const cst_obstacle *obstacle, int32_t *out); /* as cst_world_obstacle_triangles */

#endif
