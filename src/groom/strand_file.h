/* Reads strands from files: polylines of a groom made with another program. The file name extension selects one of four formats.
 *
 *     `.hair`: Yuksel's binary format, version 1 (cemyuksel.com/research/hairmodels): numbers of segments, points, thicknesses.
 *     `.usda`: text format of USD (Pixar, UsdGeomBasisCurves): points, curveVertexCounts and widths of linear curves.
 *     `.obj`: Wavefront (Object Files, version 3.0): each line element `l` is a strand.
 *     `.csv`: a line of column names, then one row per point: number of the strand, x, y, z, and optionally a radius.
 *
 * All formats give the same data: strand i has the points first[i] to first[i + 1] - 1. Each strand has at least two points, and
 * all coordinates are finite. */
#ifndef CST_GROOM_STRAND_FILE_H
#define CST_GROOM_STRAND_FILE_H

#include "base/arena.h"
#include "files/fault.h"

typedef struct cst_strand_file {
    cst_arena arena;
    double *point;  /* array (points x 3): coordinates of the points, in the unit of the file */
    double *radius; /* array (points): radius of the strand at each point, in the unit of the file; 0: not given */
    int *first;     /* array (strands + 1): index of the first point of each strand */
    int strands, points;
    size_t room_points, room_strands; /* capacity of the arrays */
} cst_strand_file;

/* Returns false with a message such as "FILE: line 3: ..." or "FILE: byte 128: ..."; nothing then needs to be freed. */
bool cst_strand_file_read(const char *path, const cst_allocator *allocator, cst_strand_file *out, char *message, size_t size);

/* Reads strands from a file in memory; the extension of `name` selects the format. */
bool cst_strand_file_read_image(const char *name, const char *image, size_t bytes, const cst_allocator *allocator,
                                cst_strand_file *out, char *message, size_t size);

void cst_strand_file_free(cst_strand_file *file);

/* ------------------------------------------------------------------------------------------------------------ for the readers */

bool cst_strands_read_hair(const char *image, size_t bytes, cst_strand_file *out, cst_fault *fault);
bool cst_strands_read_usda(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault);
bool cst_strands_read_obj(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault);
bool cst_strands_read_csv(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault);

/* The function cst_strands_add appends a point to the current strand, and cst_strands_close ends the strand. The functions
 * cst_strands_add and cst_strands_close return false, with a message in `fault`, if the strand is invalid or memory ran out. */
bool cst_strands_add(cst_strand_file *out, const double x[3], double radius, cst_fault *fault);
bool cst_strands_close(cst_strand_file *out, cst_fault *fault);

#endif
