/* Meshes of a scene: files that are read when a world is built. */
#ifndef CST_SCENE_SCENE_MESH_H
#define CST_SCENE_SCENE_MESH_H

#include "scene/json.h"
#include "scene/scene_data.h"

/* Converts the file names in an extended scene file: they are relative to that file, and become relative to the scene that
 * extends it. The keys must be checked first. */
void cst_scene_rebase_files(cst_json *node, const cst_source *own, cst_arena *arena);

/* Returns the files of a deforming mesh ("frames" of an obstacle), if all exist, and sets *paths to their number. Returns NULL
 * and sets `why` otherwise. */
const char **cst_scene_sequence_paths(const cst_scene *scene, const cst_json *frames, int *paths, cst_arena *scratch, char *why,
                                      size_t size);

/* Adds the mesh to the definition of an obstacle whose shape is a mesh. Arrays are allocated from `scratch`. Returns false if a
 * mesh file is missing or invalid. */
bool cst_scene_add_obstacle_mesh(const cst_scene *scene, const cst_json *node, cst_obstacle_def *def, cst_arena *scratch,
                                 char *why, size_t size);
/* Adds the mesh to a rigid body whose shape is a mesh, and computes its mass from its density. */
bool cst_scene_add_rigid_mesh(const cst_scene *scene, const cst_json *node, cst_rigid_def *def, cst_arena *scratch, char *why,
                              size_t size);

#endif
