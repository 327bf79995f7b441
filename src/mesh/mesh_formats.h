/* Readers of mesh files (mesh_file.h). A reader allocates the arrays of vertices and triangles in out->arena, fills them, and
 * counts the dropped triangles. */
#ifndef CST_MESH_MESH_FORMATS_H
#define CST_MESH_MESH_FORMATS_H

#include "files/fault.h"
#include "mesh/mesh_file.h"

/* CST_MESH_MOST: an OBJ file with more vertices or more triangles is refused, because three times their number must fit an int.
 * An STL file is refused with more than CST_MESH_MOST / 3 triangles. */
enum { CST_MESH_MOST = 1 << 28 };

bool cst_mesh_read_obj(const char *text, size_t bytes, cst_mesh_file *out, cst_fault *fault);
bool cst_mesh_read_stl(const char *image, size_t bytes, cst_mesh_file *out, cst_fault *fault);

/* Adds a triangle, or drops it if it has a repeated vertex. If out->triangle is NULL, the triangle is only counted. */
void cst_mesh_enter(cst_mesh_file *out, int32_t a, int32_t b, int32_t c);

#endif
