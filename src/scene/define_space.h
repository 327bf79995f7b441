/* From objects of a scene of space to definitions of the world; define.h says what goes for both.
 *
 * `body` is what a generator has put somewhere, or NULL: the object as it stands. */
#ifndef CST_SCENE_DEFINE_SPACE_H
#define CST_SCENE_DEFINE_SPACE_H

#include "base/arena.h"
#include "groom/strand.h"
#include "scene/json.h"
#include "scene/names.h"

/* *why: what is wrong with a shape, in `scratch`, or NULL; NULL to skip. What does not fit the elements counts as not given. */
cst_fiber_def cst_define_fiber(const cst_json *node, const cst_scene_body *body, cst_arena *scratch, const char **why);
/* Where a hair was laid. */
void cst_define_hair(cst_fiber_def *def, const cst_scene_body *body, const cst_strand *strand, cst_arena *scratch);
double cst_fiber_length(const cst_json *fiber); /* m; 0 if it cannot be told */

/* Joints of its centreline at first: ((elements + 1) x 3); NULL without memory. */
double *cst_fiber_outline(const cst_fiber_def *fiber, cst_arena *scratch);

/* Without the mesh, and of a mesh without its mass by density (scene_mesh.h). */
cst_rigid_def cst_define_space_rigid(const cst_json *node, const cst_scene_body *body, cst_arena *scratch);
cst_obstacle_def cst_define_space_obstacle(const cst_json *node, cst_arena *scratch);
cst_load_def cst_define_space_load(const cst_json *node, cst_arena *scratch); /* without its place */

/* node NULL: none. start: the reference point at first, in the world. */
cst_motion cst_define_space_motion(const cst_json *node, const double *start, cst_arena *scratch);

/* That of an obstacle, or of the one that it moves with; turns are about what the moving one turns about. */
cst_motion cst_define_obstacle_motion(const cst_json *obstacle, const double *start, cst_arena *scratch);
/* The obstacle whose name is the text of a key of an entry of one of the scene's lists, or NULL. */
cst_json *cst_named_obstacle(const cst_json *entry, const char *key);

/* R (3 x 3) row-major, from a rotation vector or an axis and an angle. */
void cst_get_rotation(const cst_json *object, const char *key, double *R);
/* A rotation whose column `axis` points along `direction`; the next one as `hint` has it, or level without. */
void cst_frame_along(const double *direction, int axis, const double *hint, double *R);

#endif
