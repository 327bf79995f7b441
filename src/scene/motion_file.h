/* Motions from files: a table of times, positions and rotations instead of keys.
 *
 * CSV: a line of names, then  time, x, y, z  or  time, x, y, z, rx, ry, rz  (s, m, a rotation vector in rad). The rows are
 * converted to keys of the motion before the scene is checked. All rules for keys therefore apply to the rows, and the results of
 * a run include the rows. */
#ifndef CST_SCENE_MOTION_FILE_H
#define CST_SCENE_MOTION_FILE_H

#include "scene/json.h"
#include "scene/mistakes.h"

/* Loads all motions of the tree that have a file instead of keys. */
void cst_scene_load_motions(cst_json *root, const cst_source *own, cst_mistakes *mistakes); /* own: the scene's */

#endif
