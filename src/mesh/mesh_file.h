/* Reads triangle meshes from Wavefront OBJ files and from STL files in text or binary form; the extension of the file name
 * selects the format.
 *
 * Statements of an OBJ file:
 *     `v`: vertex, three columns.
 *     `vt`: texture coordinates, two columns; the second may be missing.
 *     `f`: polygon.
 *
 * In an OBJ file, columns after the third of a `v` line and after the second of a `vt` line are skipped. Other statements of the
 * OBJ format, such as normals (`vn`), groups (`g`) and materials (`usemtl`), are skipped; an unknown statement is an error.
 * Indices of an OBJ file count from 1, or backwards from the last vertex if they are negative. A polygon of an OBJ file is split
 * into a fan of triangles from its first corner. All vertices of an OBJ file are kept, also those without a triangle.
 *
 * In an STL file, corners with the same coordinates become one vertex, in the order of their first use. Normals are ignored. In
 * either format, a triangle with a repeated vertex is dropped.
 *
 * Specifications: Wavefront, Object Files, version 3.0, appendix B1; 3D Systems, StereoLithography Interface Specification,
 * 1989. */
#ifndef CST_MESH_MESH_FILE_H
#define CST_MESH_MESH_FILE_H

#include <stdint.h>

#include "base/arena.h"

typedef struct cst_mesh_file {
    cst_arena arena;   /* memory of the arrays */
    double *vertex;    /* (vertices x 3) */
    int32_t *triangle; /* array (triangles x 3): indices of the corners, from 0 */
    int vertices, triangles;
    double *texture; /* array (textures x 2): texture coordinates of an OBJ file, or NULL */
    /* array (triangles x 3): for each corner, the index of its texture coordinates, from 0; NULL if any corner has none */
    int32_t *texture_of;
    int textures;
    int dropped; /* number of triangles with a repeated vertex */
    bool closed; /* true if every edge belongs to exactly two triangles, which traverse the edge in opposite directions */
} cst_mesh_file;

/* Reads a mesh file. Returns false with a message such as "FILE: line 3: ..." if the mesh file cannot be read; nothing needs to
 * be freed then. */
bool cst_mesh_file_read(const char *path, const cst_allocator *allocator, cst_mesh_file *out, char *message, size_t message_size);

/* Reads a mesh from a file in memory; the extension of `name` selects the format. */
bool cst_mesh_file_read_image(const char *name, const void *image, size_t bytes, const cst_allocator *allocator,
                              cst_mesh_file *out, char *message, size_t message_size);

void cst_mesh_file_free(cst_mesh_file *file);

/* Returns true if `name` ends in `ending`, for example ".obj", in upper or lower case. */
bool cst_name_ends(const char *name, const char *ending);

#endif
