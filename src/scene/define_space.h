/* Converts objects of a 3D scene to definitions (structs cst_..._def), from which the world is built.
 *
 * `body`: the displacement and the rotation that a generator gives to its copy of the object; NULL if no generator copies the
 * object. */
#ifndef CST_SCENE_DEFINE_SPACE_H
#define CST_SCENE_DEFINE_SPACE_H

#include "base/arena.h"
#include "groom/strand.h"
#include "scene/json.h"
#include "scene/names.h"

/* `*why`: receives the reason why the shape of the fiber is impossible, or NULL if it is possible; `why` itself may be NULL. If
 * the scene gives an array of values per element whose length differs from the number of elements, this array is ignored. */
cst_fiber_def cst_define_fiber(const cst_json *node, const cst_scene_body *body, cst_arena *scratch, const char **why);
/* Gives a fiber the initial shape `strand`, which a generator has computed or read from a file. */
void cst_define_hair(cst_fiber_def *def, const cst_scene_body *body, const cst_strand *strand, cst_arena *scratch);
double cst_fiber_length(const cst_json *fiber); /* length (m); 0 if unknown */

/* Returns the positions of the joints and ends of the initial centreline ((elements + 1) x 3 numbers), or NULL if memory ran
 * out. */
double *cst_fiber_outline(const cst_fiber_def *fiber, cst_arena *scratch);

/* Converts a rigid body of a scene to its definition. If the body has the shape of a mesh, the function cst_scene_add_rigid_mesh
 * (scene_mesh.h) sets the mesh and the mass. */
cst_rigid_def cst_define_space_rigid(const cst_json *node, const cst_scene_body *body, cst_arena *scratch);
cst_obstacle_def cst_define_space_obstacle(const cst_json *node, cst_arena *scratch);
cst_load_def cst_define_space_load(const cst_json *node, cst_arena *scratch); /* without the point of attack */

/* node NULL: no motion. `start`: initial position (m) of what moves: an obstacle, the root of a fiber, a handle of a sheet, or
 * the point of a constraint. */
cst_motion cst_define_space_motion(const cst_json *node, const double *start, cst_arena *scratch);

/* Returns the motion of an obstacle. An obstacle with the key "moves_with" has the motion of the named obstacle, and rotates
 * about the centre of rotation of the named obstacle. */
cst_motion cst_define_obstacle_motion(const cst_json *obstacle, const double *start, cst_arena *scratch);
/* Returns the obstacle whose name is the value of `key` in the object `entry`, or NULL. */
cst_json *cst_named_obstacle(const cst_json *entry, const char *key);

/* Reads a rotation that the scene gives as a rotation vector or as axis and angle, and converts it to a row-major matrix R (3 x
 * 3). */
void cst_get_rotation(const cst_json *object, const char *key, double *R);
/* Computes a rotation matrix R whose column `axis` points along the vector `direction`. Column (axis + 1) % 3 of R is the vector
 * `hint`, made perpendicular to `direction`. If `hint` is NULL or parallel to `direction`, column (axis + 1) % 3 of R is
 * horizontal. */
void cst_frame_along(const double *direction, int axis, const double *hint, double *R);

#endif
