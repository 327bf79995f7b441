/* Converts objects of a scene to definitions (structs cst_..._def), from which the world is built.
 *
 * Before the conversion of an object, its keys must have been checked (check.h); a faulty value counts as not given. Arrays in
 * the definitions are allocated from the arena `scratch`; its field `failed` tells if memory ran out. These functions do not set
 * the materials in the definitions; the caller sets them. */
#ifndef CST_SCENE_DEFINE_H
#define CST_SCENE_DEFINE_H

#include "base/arena.h"
#include "scene/json.h"

cst_rod_def cst_define_rod(const cst_json *node, cst_arena *scratch);
cst_rigid_def cst_define_rigid(const cst_json *node, cst_arena *scratch);
void cst_define_rigid_contact(const cst_json *node, cst_rigid_def *body); /* in 2D and 3D */
cst_obstacle_def cst_define_obstacle(const cst_json *node, cst_arena *scratch);
cst_motion cst_define_motion(const cst_json *node, cst_arena *scratch); /* node NULL: no motion */
/* Defines a motion like cst_define_motion, but reads rotations with `get_rotation`, because a rotation is an angle in 2D and a
 * vector in 3D. */
cst_motion cst_define_keys(const cst_json *node, void (*get_rotation)(const cst_json *, const char *, double *),
                           cst_arena *scratch);
cst_load_def cst_define_load(const cst_json *node, cst_arena *scratch); /* without point of application */
cst_world_def cst_define_world(const cst_json *root);

double cst_rod_length(const cst_json *rod); /* length of the rod (m) */
double cst_scene_dt(const cst_json *root);  /* returns the time step (s) */

/* Returns the signed area of a polygon: positive if its corners are in counter-clockwise order. */
double cst_polygon_area(const double *corner, int corners);

#endif
