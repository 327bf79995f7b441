/* Motions from files: a table of times, positions and rotations instead of keyframes.
 *
 * The first line of the CSV file has the names of the columns: time, x, y, z, and optionally rx, ry, rz. Times are in s,
 * positions in m, and (rx, ry, rz) is a rotation vector in rad. The rows of the CSV file are converted to keyframes of the motion
 * before the scene is checked, so that all rules for keyframes apply to them. The merged scene in the cache of a run contains the
 * keyframes instead of the name of the CSV file. */
#ifndef CST_SCENE_MOTION_FILE_H
#define CST_SCENE_MOTION_FILE_H

#include "scene/json.h"
#include "scene/mistakes.h"

/* Reads the motion files of a scene: replaces each motion that names a file by the keyframes in this file. */
void cst_scene_load_motions(cst_json *root, const cst_source *own, cst_mistakes *mistakes); /* own: the scene's */

#endif
