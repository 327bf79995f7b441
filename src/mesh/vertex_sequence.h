/* Positions of the vertices of a mesh at several times, from a sequence of OBJ files or from a PC2 file (point cache 2). The
 * extension of the file name selects the format.
 *
 * Layout of a PC2 file, with little-endian numbers:
 *     `12 bytes`: "POINTCACHE2" and a zero.
 *     `int`: version, 1.
 *     `int`: number of points.
 *     `float`: first frame.
 *     `float`: frames per sample.
 *     `int`: number of samples.
 *     `floats`: coordinates, sample by sample.
 *
 * A PC2 file counts frames, not seconds: the caller gives the duration of a frame. A PC2 file contains no triangles; the
 * triangles are in a separate mesh file. */
#ifndef CST_MESH_VERTEX_SEQUENCE_H
#define CST_MESH_VERTEX_SEQUENCE_H

#include <stdint.h>

#include "base/arena.h"

typedef struct cst_vertex_sequence {
    cst_arena arena; /* memory of the arrays */
    int vertices, times;
    double *vertex; /* (times x vertices x 3) */
    /* array (times): increasing times (s): frame numbers multiplied by the duration of a frame. The first OBJ file is frame 0. */
    double *time;
    int triangles; /* number of triangles of an OBJ file; 0 for a PC2 file */
    int32_t *triangle;
    bool closed;
} cst_vertex_sequence;

/* Reads one .pc2 file, or any number of .obj files with the same triangles. Returns false with a message if a file cannot be
 * read; nothing needs to be freed then. */
bool cst_vertex_sequence_read(const char *const *path, int paths, double frame_seconds, const cst_allocator *allocator,
                              cst_vertex_sequence *out, char *message, size_t message_size);

/* Reads a PC2 file in memory. */
bool cst_vertex_sequence_read_image(const char *name, const void *image, size_t bytes, double frame_seconds,
                                    const cst_allocator *allocator, cst_vertex_sequence *out, char *message, size_t message_size);

void cst_vertex_sequence_free(cst_vertex_sequence *sequence);

#endif
