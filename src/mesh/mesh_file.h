/* Reads triangle meshes from Wavefront OBJ and STL files (text and binary); the file name extension selects the format.
 *
 * From OBJ files, the reader takes vertices `v` (three columns), texture coordinates `vt` (two columns) and faces `f`; further
 * columns are ignored. Indices in OBJ files count from 1, or backwards from the last vertex if they are negative. Polygons are
 * split into a fan of triangles from their first corner. Statements of an OBJ file other than v, vt and f are skipped. All
 * vertices of the file are read, whether a triangle uses them or not. In STL files, corners with the same coordinates become one
 * vertex, in the order of their first use; normals are ignored. Triangles with a repeated vertex are dropped. The OBJ format is
 * specified in Wavefront, Object Files, version 3.0, appendix B1, and STL in 3D Systems, StereoLithography Interface
 * Specification, 1989. */
#ifndef CST_MESH_MESH_FILE_H
#define CST_MESH_MESH_FILE_H

#include <stdint.h>

#include "base/arena.h"

typedef struct cst_mesh_file {
    cst_arena arena;   /* holds the arrays */
    double *vertex;    /* (vertices x 3) */
    int32_t *triangle; /* array (triangles x 3): from 0 */
    int vertices, triangles;
    double *texture; /* array (textures x 2): OBJ: texture coordinates, or NULL */
    /* for each corner of each triangle, the index of its texture coordinates, from 0; NULL if any corner has no texture
     * coordinates */
    int32_t *texture_of;
    int textures;
    int dropped; /* number of triangles with a repeated vertex */
    bool closed; /* true if every edge belongs to two triangles that traverse it in opposite directions */
} cst_mesh_file;

/* Reads a mesh file. If the mesh file cannot be read, returns false with a message such as "FILE: line 3: ..."; nothing needs to
 * be freed then. */
bool cst_mesh_file_read(const char *path, const cst_allocator *allocator, cst_mesh_file *out, char *message, size_t message_size);

/* Reads a mesh from a file in memory; the name selects the format. */
bool cst_mesh_file_read_image(const char *name, const void *image, size_t bytes, const cst_allocator *allocator,
                              cst_mesh_file *out, char *message, size_t message_size);

void cst_mesh_file_free(cst_mesh_file *file);

/* Returns true if a name ends in `ending` (".obj"), ignoring case. */
bool cst_name_ends(const char *name, const char *ending);

#endif
