/* Motions from CSV files: a table of times, displacements and rotations instead of keyframes.
 *
 * The first line is skipped; it has the names of the columns: time, x, y, z, and optionally rx, ry, rz. Times are in s, (x, y, z)
 * is the displacement from the initial position in m, and (rx, ry, rz) is a rotation vector in rad. The rows are converted to
 * keyframes before the scene is checked, so that all rules for keyframes apply. The results file of a run (cache.h5) contains the
 * scene with these keyframes instead of the file name. */
#ifndef CST_SCENE_MOTION_FILE_H
#define CST_SCENE_MOTION_FILE_H

#include "scene/json.h"
#include "scene/mistakes.h"

/* Replaces each motion of a scene that names a CSV file, and gives no keyframes itself, by the keyframes in the file. */
void cst_scene_load_motions(cst_json *root, const cst_source *own, cst_mistakes *mistakes); /* own: source of the scene file */

#endif
