/* Reads the meshes of a scene when its world is built. */
#ifndef CST_SCENE_SCENE_MESH_H
#define CST_SCENE_SCENE_MESH_H

#include "scene/json.h"
#include "scene/scene_data.h"

/* Changes all file names that come from a file which the scene file `own` extends: on entry, such a name is relative to the
 * extended file, on return to the file `own`. The keys must be checked first. */
void cst_scene_rebase_files(cst_json *node, const cst_source *own, cst_arena *arena);

/* Returns the paths of the mesh files of a deforming obstacle (key "frames"), and sets *paths to their number. Without the key
 * "last", the sequence of numbered files ends before the first missing file. Returns NULL with the reason `why` if the file name
 * is not that of a .pc2 file and has no place for a number, such as %03d. */
const char **cst_scene_sequence_paths(const cst_scene *scene, const cst_json *frames, int *paths, cst_arena *scratch, char *why,
                                      size_t size);

/* Adds the mesh to the definition of an obstacle whose shape is a mesh, a head or a bust. The arrays are allocated in `scratch`.
 * Returns false with the reason `why` if a mesh file is missing or invalid. */
bool cst_scene_add_obstacle_mesh(const cst_scene *scene, const cst_json *node, cst_obstacle_def *def, cst_arena *scratch,
                                 char *why, size_t size);
/* Reads the mesh of a rigid body whose shape is a mesh. If the scene gives no key "mass", the mass of this rigid body follows
 * from its density. */
bool cst_scene_add_rigid_mesh(const cst_scene *scene, const cst_json *node, cst_rigid_def *def, cst_arena *scratch, char *why,
                              size_t size);

#endif
