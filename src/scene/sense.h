/* What keys alone cannot tell: numbers that must fit each other, names that must be there, shapes that must be shapes. */
#ifndef CST_SCENE_SENSE_H
#define CST_SCENE_SENSE_H

#include "scene/json.h"
#include "scene/names.h"

/* Of a scene whose keys are checked and names gathered. */
void cst_scene_check_sense(cst_json *root, const cst_names *names, cst_mistakes *mistakes);

/* Rods, rigid bodies, obstacles and motions by themselves (sense_bodies.c). */
void cst_check_rod(cst_json *rod, cst_mistakes *mistakes);
void cst_check_rigid(cst_json *body, cst_mistakes *mistakes);
void cst_check_obstacle(cst_json *obstacle, cst_mistakes *mistakes);
void cst_check_motion(cst_json *motion, cst_mistakes *mistakes); /* NULL is fine */

/* Those of space (sense_space.c). */
void cst_check_fiber(cst_json *fiber, cst_mistakes *mistakes);
void cst_check_space_rigid(cst_json *body, cst_mistakes *mistakes);
void cst_check_space_obstacle(cst_json *obstacle, cst_mistakes *mistakes);
void cst_check_space_motion(cst_json *motion, cst_mistakes *mistakes); /* NULL is fine */
/* A rotation given by an axis needs one. */
void cst_check_space_turn(cst_json *object, cst_mistakes *mistakes);

/* Sheets and what they are made of (sense_sheet.c). */
void cst_check_sheet(cst_json *sheet, cst_mistakes *mistakes);
void cst_check_fabric(cst_json *fabric, cst_mistakes *mistakes);

/* A vector that must have a direction. NULL is fine. */
void cst_check_not_zero(cst_json *vector, cst_mistakes *mistakes);

/* Steps and frames (run.c). Mistakes: intervals that are no multiples of dt. */
void cst_scene_check_run(const cst_json *root, cst_mistakes *mistakes, cst_scene_run *out);

#endif
