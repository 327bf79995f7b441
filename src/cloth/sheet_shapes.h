/* Meshes of rectangular, disk-shaped and tubular sheets. */
#ifndef CST_CLOTH_SHEET_SHAPES_H
#define CST_CLOTH_SHEET_SHAPES_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* Pattern by which a rectangle is divided into triangles. */
typedef enum cst_sheet_cut {
    CST_CUT_DIAGONAL = 0, /* squares with parallel diagonals */
    /* rows of nodes, every second row shifted by half an edge: nearly equilateral triangles */
    CST_CUT_STAGGERED,
    CST_CUT_CROSSED, /* squares with diagonals of alternating direction */
    CST_CUT_COUNT
} cst_sheet_cut;

const char *cst_sheet_cut_name(int cut); /* NULL: no such pattern */

/* A mesh of a sheet, for cst_sheet_def; its arrays are in the arena. */
typedef struct cst_sheet_shape {
    int nodes, corners, triangles;
    double *position;  /* (nodes x 3) */
    double *rest;      /* (corners x 2) */
    int32_t *node_of;  /* (corners) or NULL */
    int32_t *triangle; /* array (triangles x 3): corners */
} cst_sheet_shape;

/* Makes the rectangle [0, width] x [0, height] in the plane z = 0 with cells[0] x cells[1] cells. The material coordinates (u, v)
 * of a node are its coordinates (x, y). All functions that make a mesh return false if memory ran out. */
bool cst_sheet_rectangle(double width, double height, const int *cells, cst_sheet_cut cut, cst_arena *arena,
                         cst_sheet_shape *out);

/* Makes a disk in the plane z = 0 around the origin: a node in the centre, and `rings` hexagons of nodes mapped to circles. */
bool cst_sheet_disk(double radius, int rings, cst_arena *arena, cst_sheet_shape *out);

/* Makes a tube around the z axis from z = 0 to `height`, with a seam. The material coordinate u goes once around the tube, in
 * cells[0] >= 3 cells. */
bool cst_sheet_tube(double radius, double height, const int *cells, cst_arena *arena, cst_sheet_shape *out);

/* Enters the mesh in the definition of a sheet, which then points to the arrays of the mesh. */
void cst_sheet_shape_use(const cst_sheet_shape *shape, cst_sheet_def *def);

#endif
