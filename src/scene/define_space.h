/* Converts objects of a 3D scene to definitions (structs cst_..._def), from which the world is built; define.h has the rules that
 * also apply in 2D.
 *
 * `body`: contains the displacement and rotation that a generator gives to the object; NULL if no generator made the object. */
#ifndef CST_SCENE_DEFINE_SPACE_H
#define CST_SCENE_DEFINE_SPACE_H

#include "base/arena.h"
#include "groom/strand.h"
#include "scene/json.h"
#include "scene/names.h"

/* `*why`: receives the reason (a text) why the shape of the fiber is invalid, or NULL if it is valid; the pointer `why` itself
 * may be NULL. An array in the scene whose length does not fit the number of elements of the fiber is ignored. */
cst_fiber_def cst_define_fiber(const cst_json *node, const cst_scene_body *body, cst_arena *scratch, const char **why);
/* Sets the initial shape of a fiber to the shape of a hair that the hair generator computed. */
void cst_define_hair(cst_fiber_def *def, const cst_scene_body *body, const cst_strand *strand, cst_arena *scratch);
double cst_fiber_length(const cst_json *fiber); /* m; 0 if unknown */

/* Returns the joints of the fiber's initial centreline, that is, the ends of all its elements ((elements + 1) x 3 numbers), or
 * NULL if memory ran out. */
double *cst_fiber_outline(const cst_fiber_def *fiber, cst_arena *scratch);

/* Fills in the definition of a rigid body, except its mesh. Functions of scene_mesh.h set the mesh of the rigid body and compute
 * its mass from the density of its material. */
cst_rigid_def cst_define_space_rigid(const cst_json *node, const cst_scene_body *body, cst_arena *scratch);
cst_obstacle_def cst_define_space_obstacle(const cst_json *node, cst_arena *scratch);
cst_load_def cst_define_space_load(const cst_json *node, cst_arena *scratch); /* without its place */

/* node NULL: no motion. `start`: initial position (m) of what the motion moves: an obstacle, the root of a fiber, or a handle of
 * a sheet. */
cst_motion cst_define_space_motion(const cst_json *node, const double *start, cst_arena *scratch);

/* Returns the motion of an obstacle. If the obstacle is attached to another obstacle, the function returns the motion of the
 * other obstacle. An attached obstacle rotates about the centre of rotation of the obstacle to which it is attached. */
cst_motion cst_define_obstacle_motion(const cst_json *obstacle, const double *start, cst_arena *scratch);
/* Returns the obstacle whose name is the value of `key` in the given object of the scene, or NULL if there is none. */
cst_json *cst_named_obstacle(const cst_json *entry, const char *key);

/* Reads a rotation that the scene gives as a rotation vector, or as axis and angle, and writes it as the row-major matrix R (3 x
 * 3). */
void cst_get_rotation(const cst_json *object, const char *key, double *R);
/* Computes a rotation matrix R whose column with the index `axis` points along the vector `direction`. The column (`axis` + 1) %
 * 3 of R is the vector `hint`, made perpendicular to `direction` and normalised, or a horizontal direction if `hint` is NULL. */
void cst_frame_along(const double *direction, int axis, const double *hint, double *R);

#endif
