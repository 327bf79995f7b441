/* The positions of the vertices of a mesh at several times, from a sequence of OBJ files or from a PC2 file (point cache 2). The
 * file name extension selects the format.
 *
 * All numbers of a PC2 file are little-endian. A PC2 file begins with the 12 bytes "POINTCACHE2" and a zero. The header of a PC2
 * file continues with the version (int, 1), the number of points (int), the first frame (float), the frames per sample (float)
 * and the number of samples (int). After the header, a PC2 file has the coordinates of all points in all samples, as floats. A
 * PC2 file counts frames, not seconds: the caller gives the duration of a frame. A PC2 file contains no triangles; they are in a
 * separate mesh file. */
#ifndef CST_MESH_VERTEX_SEQUENCE_H
#define CST_MESH_VERTEX_SEQUENCE_H

#include <stdint.h>

#include "base/arena.h"

typedef struct cst_vertex_sequence {
    cst_arena arena; /* holds the arrays */
    int vertices, times;
    double *vertex; /* (times x vertices x 3) */
    /* increasing times (s), each the number of a frame times the seconds per frame; the first OBJ file is frame 0 */
    double *time;
    int triangles; /* number of triangles of the OBJ files; 0 for a PC2 file */
    int32_t *triangle;
    bool closed;
} cst_vertex_sequence;

/* Reads one .pc2 file, or any number of .obj files with the same triangles. If a file cannot be read, returns false with a
 * message; nothing needs to be freed then. */
bool cst_vertex_sequence_read(const char *const *path, int paths, double frame_seconds, const cst_allocator *allocator,
                              cst_vertex_sequence *out, char *message, size_t message_size);

/* Reads a PC2 file in memory. */
bool cst_vertex_sequence_read_image(const char *name, const void *image, size_t bytes, double frame_seconds,
                                    const cst_allocator *allocator, cst_vertex_sequence *out, char *message, size_t message_size);

void cst_vertex_sequence_free(cst_vertex_sequence *sequence);

#endif
