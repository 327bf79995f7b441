/* Meshes of a scene: files that are read when a world is built. */
#ifndef CST_SCENE_SCENE_MESH_H
#define CST_SCENE_SCENE_MESH_H

#include "scene/json.h"
#include "scene/scene_data.h"

/* Converts the file names in an extended scene file: they are relative to that file, and become relative to the scene that
 * extends it. The keys must be checked first. */
void cst_scene_rebase_files(cst_json *node, const cst_source *own, cst_arena *arena);

/* Returns the paths of the mesh files of a deforming obstacle (key "frames") if all files exist, and sets *paths to their number.
 * Returns NULL and sets `why` otherwise. */
const char **cst_scene_sequence_paths(const cst_scene *scene, const cst_json *frames, int *paths, cst_arena *scratch, char *why,
                                      size_t size);

/* Reads the mesh file of an obstacle whose shape is a mesh, and adds the mesh to the obstacle's definition. Arrays are allocated
 * from `scratch`. Returns false if a mesh file of the scene is missing or invalid. */
bool cst_scene_add_obstacle_mesh(const cst_scene *scene, const cst_json *node, cst_obstacle_def *def, cst_arena *scratch,
                                 char *why, size_t size);
/* Reads the mesh of a rigid body whose shape is a mesh, and computes the mass of the body from its density. */
bool cst_scene_add_rigid_mesh(const cst_scene *scene, const cst_json *node, cst_rigid_def *def, cst_arena *scratch, char *why,
                              size_t size);

#endif
