/* Sheets of a scene to definitions of the world: shapes, files, fabrics, handles. */
#ifndef CST_SCENE_DEFINE_SHEET_H
#define CST_SCENE_DEFINE_SHEET_H

#include "scene/json.h"
#include "scene/scene_data.h"

/* The fabric of a sheet that is sound. */
const cst_json *cst_sheet_fabric_node(const cst_scene *scene, const cst_json *sheet);
cst_fabric cst_define_fabric(const cst_json *node);

/* Arrays come from `scratch`. False and why: a file is not there or not sound, a handle holds nothing. */
bool cst_define_sheet(const cst_scene *scene, const cst_json *node, cst_sheet_def *out, cst_arena *scratch, char *why,
                      size_t size);

#endif
