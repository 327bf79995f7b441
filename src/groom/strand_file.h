/* Reads strands from files: the polylines of a groom made with another program. The file name extension selects the format.
 *
 * Files .hair have Yuksel's binary format (Yuksel, HAIR file format, version 1, cemyuksel.com/research/hairmodels). From a .hair
 * file, the numbers of segments, the points and the thicknesses are read, and other arrays are skipped.
 *
 * Files .usda have the text format of USD (Pixar, UsdGeomBasisCurves). The attributes points, curveVertexCounts and widths of
 * each BasisCurves of type "linear" are read, and other types are refused.
 *
 * Files .obj are Wavefront files (Wavefront, Object Files, version 3.0). From an .obj file, vertices `v` and line elements `l`
 * are read, and each line element is a strand.
 *
 * Files .csv begin with a line of column names. Each further row of a .csv file has the number of a strand, x, y, z and
 * optionally a radius; the points of a strand are in consecutive rows.
 *
 * All formats give the same data: strand i has the points first[i] to first[i + 1] - 1. Each strand has at least two points, and
 * all coordinates are finite. */
#ifndef CST_GROOM_STRAND_FILE_H
#define CST_GROOM_STRAND_FILE_H

#include "base/arena.h"
#include "files/fault.h"

typedef struct cst_strand_file {
    cst_arena arena;
    double *point;  /* array (points x 3): coordinates of the points as in the file */
    double *radius; /* array (points): radius at each point; 0: not given in the file */
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

/* The function cst_strands_add appends a point to the current strand, and cst_strands_close ends the strand. The functions
 * cst_strands_add and cst_strands_close return false, with a message in `fault`, if the file is invalid or memory ran out. */
bool cst_strands_add(cst_strand_file *out, const double x[3], double radius, cst_fault *fault);
bool cst_strands_close(cst_strand_file *out, cst_fault *fault);

#endif
