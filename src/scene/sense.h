/* Checks that need more than one key: numeric values that must be consistent, names that must exist, shapes that must be
 * valid. */
#ifndef CST_SCENE_SENSE_H
#define CST_SCENE_SENSE_H

#include "scene/json.h"
#include "scene/names.h"

/* The function cst_scene_check_sense may be called only after the keys of the scene are checked and its names are gathered. */
void cst_scene_check_sense(cst_json *root, const cst_names *names, cst_mistakes *mistakes);

/* The functions of sense_bodies.c; each of them checks one rod, rigid body, obstacle or motion. */
void cst_check_rod(cst_json *rod, cst_mistakes *mistakes);
void cst_check_rigid(cst_json *body, cst_mistakes *mistakes);
void cst_check_obstacle(cst_json *obstacle, cst_mistakes *mistakes);
void cst_check_motion(cst_json *motion, cst_mistakes *mistakes); /* NULL is fine */

/* The same for 3D (sense_space.c). */
void cst_check_fiber(cst_json *fiber, cst_mistakes *mistakes);
void cst_check_space_rigid(cst_json *body, cst_mistakes *mistakes);
void cst_check_space_obstacle(cst_json *obstacle, cst_mistakes *mistakes);
void cst_check_space_motion(cst_json *motion, cst_mistakes *mistakes); /* NULL is fine */
/* Checks that the axis of a rotation, if given, is not zero. */
void cst_check_space_turn(cst_json *object, cst_mistakes *mistakes);

/* Check sheets and fabrics (sense_sheet.c). */
void cst_check_sheet(cst_json *sheet, cst_mistakes *mistakes);
void cst_check_fabric(cst_json *fabric, cst_mistakes *mistakes);

/* Checks that a vector is not zero. NULL is fine. */
void cst_check_not_zero(cst_json *vector, cst_mistakes *mistakes);

/* Computes how many steps and how many saved frames a run of the scene has (run.c). Reports an error for each interval in the
 * scene that is not a multiple of dt. */
void cst_scene_check_run(const cst_json *root, cst_mistakes *mistakes, cst_scene_run *out);

#endif
