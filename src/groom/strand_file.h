/* Reads strands from files: the polylines of a groom made with another program. The file name extension selects the format.
 *
 * Files .hair have Yuksel's format: a header of 128 bytes, numbers of segments, points, thickness; other arrays are skipped
 * (Yuksel, HAIR file format, version 1, cemyuksel.com/research/hairmodels).
 *
 * Files .usda are USD in text: points, curveVertexCounts and widths of each BasisCurves of type "linear" are read, and other
 * types are refused (Pixar, UsdGeomBasisCurves).
 *
 * Files .obj are Wavefront files with `v` and `l`, where each line element is a strand (Wavefront, Object Files, version 3.0).
 *
 * Files .csv have a line of names, then rows with strand, x, y, z and optionally radius; points of a strand are consecutive.
 *
 * All formats give the same result: strand i has the points first[i] to first[i + 1] - 1, at least two points, all finite. */
#ifndef CST_GROOM_STRAND_FILE_H
#define CST_GROOM_STRAND_FILE_H

#include "base/arena.h"
#include "files/fault.h"

typedef struct cst_strand_file {
    cst_arena arena;
    double *point;  /* (points x 3) coordinates as in the file */
    double *radius; /* (points) radius at each point; 0: not given in the file */
    int *first;     /* (strands + 1) */
    int strands, points;
    size_t room_points, room_strands; /* of the arrays */
} cst_strand_file;

/* Returns false with a message, "FILE: line 3: ..." or "FILE: byte 128: ..."; then nothing needs to be freed. */
bool cst_strand_file_read(const char *path, const cst_allocator *allocator, cst_strand_file *out, char *message, size_t size);

/* Reads strands from a file in memory; the name selects the format. */
bool cst_strand_file_read_image(const char *name, const char *image, size_t bytes, const cst_allocator *allocator,
                                cst_strand_file *out, char *message, size_t size);

void cst_strand_file_free(cst_strand_file *file);

/* ------------------------------------------------------------------------------------------------------------ for the readers */

bool cst_strands_read_hair(const char *image, size_t bytes, cst_strand_file *out, cst_fault *fault);
bool cst_strands_read_usda(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault);
bool cst_strands_read_obj(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault);
bool cst_strands_read_csv(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault);

/* The function cst_strands_add appends a point to the current strand, and cst_strands_close ends the strand. Both
 * cst_strands_add and cst_strands_close return false if they recorded a fault. */
bool cst_strands_add(cst_strand_file *out, const double x[3], double radius, cst_fault *fault);
bool cst_strands_close(cst_strand_file *out, cst_fault *fault);

#endif
