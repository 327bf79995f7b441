/* Converts the sheets of a scene to structs cst_sheet_def, from which the world is built: shapes, files, fabrics, handles. */
#ifndef CST_SCENE_DEFINE_SHEET_H
#define CST_SCENE_DEFINE_SHEET_H

#include "scene/json.h"
#include "scene/scene_data.h"

/* Returns the fabric of a valid sheet. */
const cst_json *cst_sheet_fabric_node(const cst_scene *scene, const cst_json *sheet);
cst_fabric cst_define_fabric(const cst_json *node);

/* Arrays are allocated from `scratch`. Returns false and sets `why` if a file is missing or invalid, or if a handle, which
 * fixes or moves nodes of the sheet, has no node. */
bool cst_define_sheet(const cst_scene *scene, const cst_json *node, cst_sheet_def *out, cst_arena *scratch, char *why,
                      size_t size);

#endif
