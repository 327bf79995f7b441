/* Converts the sheets of a scene (shapes, files, fabrics and handles) to structs cst_sheet_def, from which the world is built. */
#ifndef CST_SCENE_DEFINE_SHEET_H
#define CST_SCENE_DEFINE_SHEET_H

#include "scene/json.h"
#include "scene/scene_data.h"

/* Returns the JSON node of the fabric that a valid sheet names. */
const cst_json *cst_sheet_fabric_node(const cst_scene *scene, const cst_json *sheet);
cst_fabric cst_define_fabric(const cst_json *node);

/* Converts a sheet to its definition, with arrays from the arena `scratch`. Returns false and writes the reason to `why` if a
 * file is missing or invalid, or if a handle (a group of nodes that is held or moved) has no node. */
bool cst_define_sheet(const cst_scene *scene, const cst_json *node, cst_sheet_def *out, cst_arena *scratch, char *why,
                      size_t size);

#endif
