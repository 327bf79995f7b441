/* The triangles of a sheet: nodes in 3D, corners in the plane of the material, and hinges between neighbouring triangles.
 *
 * A corner is the position of a node in the rest shape; a node on a seam has several corners. Two triangles across a seam are
 * adjacent in 3D but not in the plane of the material. Functions that need two neighbouring triangles in one plane unfold one of
 * them about the common edge. */
#ifndef CST_CLOTH_SHEET_MESH_H
#define CST_CLOTH_SHEET_MESH_H

#include "base/arena.h"
#include "base/complaint.h"
#include "capstan/capstan.h"

/* A hinge: an edge between two triangles, left and right of it. */
typedef struct cst_sheet_hinge {
    /* indices of the four nodes of the hinge: start and end of the edge, opposite node of the left triangle, opposite node of
     * the right triangle */
    int32_t node[4];
    int32_t triangle[2]; /* left, right */
    double length;       /* length of the edge at rest (m); on a seam, the mean of the lengths in the two triangles */
    double area;         /* sum of the areas (m^2), at rest, of the two triangles that share the edge */
    double direction[2]; /* angle (rad) from the warp direction u to the edge, in the left and in the right triangle */
    double angle;        /* at rest (rad) */
} cst_sheet_hinge;

typedef struct cst_sheet_mesh {
    int nodes, corners, triangles, hinges;
    double *rest;     /* (corners x 2) */
    int32_t *node_of; /* (corners) */
    int32_t *corner;  /* (triangles x 3) */
    int32_t *face;    /* array (triangles x 3): nodes */
    double *area;     /* array (triangles): m2, at rest */
    /* array (triangles x 3): index of the neighbouring triangle across the edge from corner k to the next corner, or -1 */
    int32_t *beside;
    /* array (triangles x 3): index of the hinge at the edge of a triangle from corner k to the next corner, or -1 */
    int32_t *hinge_of;
    int32_t *face_of;     /* array (nodes): one of its triangles */
    double *node_area;    /* array (nodes): a third of the total area of the triangles at the node (m^2)*/
    double shortest_edge; /* m, at rest */
    cst_sheet_hinge *hinge;
} cst_sheet_mesh;

/* Builds the triangle mesh of a sheet; the memory for all its arrays is taken from the arena. Returns false with a message that
 * says what is wrong with the sheet and how to correct it (sheet_check.c), or if memory ran out. */
bool cst_sheet_mesh_make(const cst_sheet_def *def, cst_arena *arena, cst_sheet_mesh *out, const cst_complaint *to);

/* Checks the definition before the mesh is built: the indices must be in range, the numbers finite, and the three nodes of a
 * triangle different. */
bool cst_sheet_check_def(const cst_sheet_def *def, const cst_complaint *to);
/* Checks a complete mesh: reports triangles without area, edges with more than two triangles, nodes in no triangle, and duplicate
 * nodes. */
bool cst_sheet_check_mesh(const cst_sheet_mesh *mesh, const double *position, cst_arena *scratch, const cst_complaint *to);

/* Returns the angle (rad) between two triangles; it is 0 if they lie in one plane and positive if they are bent towards their
 * normals. */
double cst_hinge_angle(const double *from, const double *to, const double *left, const double *right);

/* Computes the material coordinates (u, v) of the opposite node of the neighbour across edge k of a triangle, after the
 * neighbour is unfolded into the plane of the triangle. The neighbour must exist. */
void cst_sheet_unfold(const cst_sheet_mesh *mesh, int triangle, int k, double *out);

#endif
