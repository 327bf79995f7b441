/* The file readers used by mesh_file.h. A reader of a mesh file fills the arrays of vertices and triangles, their numbers, and
 * the number `dropped` of dropped triangles. It takes memory from out->arena. */
#ifndef CST_MESH_MESH_FORMATS_H
#define CST_MESH_MESH_FORMATS_H

#include "files/fault.h"
#include "mesh/mesh_file.h"

/* Files with more than CST_MESH_MOST vertices or triangles are refused, because three times these numbers must fit an int. */
enum { CST_MESH_MOST = 1 << 28 };

bool cst_mesh_read_obj(const char *text, size_t bytes, cst_mesh_file *out, cst_fault *fault);
bool cst_mesh_read_stl(const char *image, size_t bytes, cst_mesh_file *out, cst_fault *fault);

/* Adds a triangle unless it has a repeated vertex. If the array out->triangle is NULL, the triangle is counted but not stored. */
void cst_mesh_enter(cst_mesh_file *out, int32_t a, int32_t b, int32_t c);

#endif
