/* The triangles of a sheet: nodes in 3D, corners in the plane of the material, hinges between neighbouring triangles.
 *
 * A corner is the position of a node in the plane of the material; a node on a seam has several corners. Triangles on the two
 * sides of a seam are neighbours in 3D, but not in the plane of the material. If two neighbouring triangles are needed in one
 * plane, one of them is unfolded about their common edge. */
#ifndef CST_CLOTH_SHEET_MESH_H
#define CST_CLOTH_SHEET_MESH_H

#include "base/arena.h"
#include "base/complaint.h"
#include "capstan/capstan.h"

typedef struct cst_sheet_hinge {
    /* the four nodes of the hinge: start and end of its edge, third node of its left triangle, third node of its right
     * triangle */
    int32_t node[4];
    int32_t triangle[2]; /* left, right */
    double length;       /* rest length of the hinge's edge (m); on a seam: mean of the lengths in the two triangles */
    double area;         /* total rest area (m^2) of the hinge's two triangles */
    double direction[2]; /* angle (rad) from the warp direction u to the hinge's edge, in the left and in the right triangle */
    double angle;        /* angle (rad) between the hinge's two triangles at rest */
} cst_sheet_hinge;

typedef struct cst_sheet_mesh {
    int nodes, corners, triangles, hinges;
    double *rest;     /* (corners x 2): position (m) of each corner in the material plane */
    int32_t *node_of; /* array (corners): node of each corner */
    int32_t *corner;  /* (triangles x 3) */
    int32_t *face;    /* array (triangles x 3): nodes */
    double *area;     /* array (triangles): rest area (m^2) */
    /* array (triangles x 3): entry k is the neighbouring triangle at the edge from corner k to the next corner; -1: none */
    int32_t *beside;
    /* array (triangles x 3): entry k is the hinge at the edge from corner k to the next corner; -1: none */
    int32_t *hinge_of;
    int32_t *face_of;     /* (nodes): a triangle at the node */
    double *node_area;    /* array (nodes): one third of the rest area of all triangles at the node (m^2) */
    double shortest_edge; /* at rest (m) */
    cst_sheet_hinge *hinge;
} cst_sheet_mesh;

/* Builds the triangle mesh of a sheet in the arena. Returns false with a message if the sheet is invalid or memory ran out. */
bool cst_sheet_mesh_make(const cst_sheet_def *def, cst_arena *arena, cst_sheet_mesh *out, const cst_complaint *to);

/* Checks the definition of a sheet: indices in range, finite numbers, three different nodes in each triangle (sheet_check.c). */
bool cst_sheet_check_def(const cst_sheet_def *def, const cst_complaint *to);
/* Checks a mesh for triangles without area, triangles turned over, edges of more than two triangles, edges along which two
 * triangles go in the same direction, nodes without triangles, and duplicate nodes (sheet_check.c). */
bool cst_sheet_check_mesh(const cst_sheet_mesh *mesh, const double *position, cst_arena *scratch, const cst_complaint *to);

/* Returns the angle (rad) between two triangles at their common edge: 0 if they lie in one plane, positive if they are bent
 * towards their normals. */
double cst_hinge_angle(const double *from, const double *to, const double *left, const double *right);

/* Unfolds the neighbour across edge k into the plane of the triangle, and computes the material coordinates (u, v) of the
 * neighbour's third node. The neighbour must exist. */
void cst_sheet_unfold(const cst_sheet_mesh *mesh, int triangle, int k, double *out);

#endif
