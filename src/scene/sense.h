/* Checks that concern more than one key: numbers that must be consistent, names that must exist, shapes that must be valid. */
#ifndef CST_SCENE_SENSE_H
#define CST_SCENE_SENSE_H

#include "scene/json.h"
#include "scene/names.h"

/* Call cst_scene_check_sense after the keys of the scene have been checked and its names collected in `names`. */
void cst_scene_check_sense(cst_json *root, const cst_names *names, cst_mistakes *mistakes);

/* Objects of 2D scenes (sense_bodies.c). */
void cst_check_rod(cst_json *rod, cst_mistakes *mistakes);
void cst_check_rigid(cst_json *body, cst_mistakes *mistakes);
void cst_check_obstacle(cst_json *obstacle, cst_mistakes *mistakes);
void cst_check_motion(cst_json *motion, cst_mistakes *mistakes); /* NULL: no motion */

/* Objects of 3D scenes (sense_space.c). */
void cst_check_fiber(cst_json *fiber, cst_mistakes *mistakes);
void cst_check_space_rigid(cst_json *body, cst_mistakes *mistakes);
void cst_check_space_obstacle(cst_json *obstacle, cst_mistakes *mistakes);
void cst_check_space_motion(cst_json *motion, cst_mistakes *mistakes); /* NULL: no motion */
/* Checks that the axis under the key "rotation" of an object, if given, is not zero. */
void cst_check_space_turn(cst_json *object, cst_mistakes *mistakes);

/* Sheets and fabrics (sense_sheet.c). */
void cst_check_sheet(cst_json *sheet, cst_mistakes *mistakes);
void cst_check_fabric(cst_json *fabric, cst_mistakes *mistakes);

/* Checks that a vector is not zero. NULL is accepted. */
void cst_check_not_zero(cst_json *vector, cst_mistakes *mistakes);

/* Computes the number of steps of a run of the scene, and the number of steps from one saved frame to the next (run.c). Reports
 * an error if the scene gives a time between saved frames that is not a multiple of the time step. Also reports an error if the
 * run, or the time between two saved frames, has more than 1e12 steps. */
void cst_scene_check_run(const cst_json *root, cst_mistakes *mistakes, cst_scene_run *out);

#endif
