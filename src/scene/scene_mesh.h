/* Meshes of a scene: files beside it, read when a world is made. */
#ifndef CST_SCENE_SCENE_MESH_H
#define CST_SCENE_SCENE_MESH_H

#include "scene/json.h"
#include "scene/scene_data.h"

/* Names of files in what a scene extends become relative to the scene itself, as its text will be read. After the check of
 * keys. */
void cst_scene_rebase_files(cst_json *node, const cst_source *own, cst_arena *arena);

/* The files of a deforming mesh ("frames" of an obstacle), all there; their number in *paths. NULL and why. */
const char **cst_scene_sequence_paths(const cst_scene *scene, const cst_json *frames, int *paths, cst_arena *scratch, char *why,
                                      size_t size);

/* Adds the mesh to a definition, if its shape is one. Arrays come from `scratch`. False: a file is not there or not sound. */
bool cst_scene_add_obstacle_mesh(const cst_scene *scene, const cst_json *node, cst_obstacle_def *def, cst_arena *scratch,
                                 char *why, size_t size);
/* And the mass by density. */
bool cst_scene_add_rigid_mesh(const cst_scene *scene, const cst_json *node, cst_rigid_def *def, cst_arena *scratch, char *why,
                              size_t size);

#endif
