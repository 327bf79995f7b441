/* Obstacles, fixed or moved by keyframes. Shapes in 2D (obstacle.c): half-plane, disk, hollow disk, chain of segments, arc.
 * Shapes in 3D (obstacle_space.c): plane, sphere, capsule, box, cylinder, and a mesh, which may deform.
 *
 * A material point at the initial vector y from the reference point `position` moves along the path x(t):
 *     `x(t) = position+translation(t)+R(rotation(t))*y`.
 *
 * In a step of length dt, the velocity of a material point of an obstacle is its mean velocity (x(t + dt) - x(t)) / dt. With its
 * mean velocity, a material point of an obstacle ends the step exactly at the position given by the keyframes. */
#ifndef CST_RIGID_OBSTACLE_H
#define CST_RIGID_OBSTACLE_H

#include "base/arena.h"
#include "capstan/capstan.h"
#include "collide/feature_cylinder.h"
#include "collide/shape.h"
#include "collide/shape_space.h"

typedef struct cst_obstacle {
    cst_obstacle_def def; /* copy of the definition; `normal` is normalised */
    int arcs;             /* number of arcs or segments; 0 for a half-plane and for shapes in 3D */
    double *s;            /* array (arcs + 1): arc length (m) at the start of each arc; the last entry is the total length */
    /* mesh (owned) of an obstacle of the kind MESH at the time shape_time; NULL for other shapes */
    cst_mesh_space *mesh;
    double *shape; /* array (vertices x 3): vertices of a deforming mesh at the time shape_time */
    double shape_time;
    /* surface (owned) of a sphere, capsule, box or mesh, for contacts with surfaces of bodies; NULL for other shapes */
    cst_feature_mesh *features;
    /* array (2 x vertices x 3): vertices of a deforming mesh at the times `from` and `to` of the last call of
     * cst_obstacle_surface */
    double *step_shape;
} cst_obstacle;

/* Creates an obstacle from its definition, with copies of all data in the arena. Returns false with a message if the definition
 * is invalid or memory ran out; then nothing has to be destroyed. The fields `cookie` and `surface` of the definition are not
 * checked; the caller must check them. */
bool cst_obstacle_create(const cst_obstacle_def *def, cst_arena *arena, cst_obstacle *out, char *message, size_t message_size);
/* Frees all memory outside the arena. The obstacle to be destroyed must have been created by cst_obstacle_create, or all bytes of
 * its struct must be zero. */
void cst_obstacle_destroy(cst_obstacle *obstacle);

/* Computes arc `index` of an obstacle in 2D at the time `time`. The caller sets the field `owner`. */
void cst_obstacle_arc(const cst_obstacle *obstacle, double time, int index, cst_arc *out);
void cst_obstacle_half_plane(const cst_obstacle *obstacle, double time, cst_half_plane *out); /* only for a half-plane */

/* Computes the mean velocity (2 components) and the angular velocity `turn` of a material point in the step from `time` to
 * `time + dt`. The material point is at `point` (2 components) at the time `when`, usually the start or the end of the step. */
void cst_obstacle_velocity(const cst_obstacle *obstacle, double time, double dt, double when, const double *point,
                           double *velocity, double *turn);

/* Computes the collision shape (cst_solid) of an obstacle in 3D at the time `time`; the caller sets the field `owner`. All
 * results of cst_obstacle_solid for a deforming obstacle share one mesh, so that a new call changes earlier results. */
bool cst_obstacle_is_solid(const cst_obstacle *obstacle);
void cst_obstacle_solid(cst_obstacle *obstacle, double time, cst_solid *out);

/* Computes the surface of an obstacle, as vertices, edges and faces for contacts, at the times `from` and `to`; the caller sets
 * the field `owner`. Returns false for a plane or a cylinder, which have no stored surface. All results of cst_obstacle_surface
 * for a deforming obstacle share one mesh, so that a new call changes earlier results. */
bool cst_obstacle_surface(cst_obstacle *obstacle, double from, double to, cst_feature_body *out);
/* only for a plane */
void cst_obstacle_moving_plane(const cst_obstacle *obstacle, double from, double to, cst_moving_plane *out);
void cst_obstacle_moving_cylinder(const cst_obstacle *obstacle, double from, double to,
                                  cst_moving_cylinder *out); /* only for a cylinder */

/* Computes the mean velocity of a material point in a step, as cst_obstacle_velocity does, but for an obstacle in 3D. `part`:
 * triangle of the mesh. The code treats a material point of a deforming mesh as fixed to a triangle: its barycentric coordinates
 * and its height above the triangle are constant during the step. */
void cst_obstacle_solid_velocity(const cst_obstacle *obstacle, double time, double dt, double when, int32_t part,
                                 const double *point, double *velocity);

/* See cst_world_draw_obstacle.
 *     `position`: (vertices x 3), or NULL.
 *     `radius`: (vertices), or NULL. */
cst_drawing cst_obstacle_draw(const cst_obstacle *obstacle, double time, double *position, double *radius);
int cst_obstacle_triangles(const cst_obstacle *obstacle, int32_t *out); /* see cst_world_obstacle_triangles */

#endif
