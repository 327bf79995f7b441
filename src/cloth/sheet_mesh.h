/* The triangles of a sheet: nodes in space, corners in the plane of the material, hinges where two triangles meet.
 *
 * A corner is a place of the rest shape; a node has one corner, or several on a seam. A triangle across a seam is next to its neighbour in
 * space and elsewhere in the plane: what needs both at once unfolds the neighbour about the common edge. */
#ifndef CST_CLOTH_SHEET_MESH_H
#define CST_CLOTH_SHEET_MESH_H

#include "base/arena.h"
#include "base/complaint.h"
#include "capstan/capstan.h"

/* An edge with a triangle on both sides. */
typedef struct cst_sheet_hinge {
    int32_t node[4];     /* from, to, tip of the triangle on the left, of that on the right */
    int32_t triangle[2]; /* left, right */
    double length;       /* m: at rest; the mean of both sides of a seam */
    double area;         /* m2: of both triangles at rest */
    double direction[2]; /* rad: of the edge in the material, seen from either side */
    double angle;        /* rad: at rest */
} cst_sheet_hinge;

typedef struct cst_sheet_mesh {
    int nodes, corners, triangles, hinges;
    double *rest;         /* (corners x 2) */
    int32_t *node_of;     /* (corners) */
    int32_t *corner;      /* (triangles x 3) */
    int32_t *face;        /* (triangles x 3) nodes */
    double *area;         /* (triangles) m2, at rest */
    int32_t *beside;      /* (triangles x 3) across the edge from corner k to the next, or -1 */
    int32_t *hinge_of;    /* (triangles x 3) likewise */
    int32_t *face_of;     /* (nodes) one of its triangles */
    double *node_area;    /* (nodes) m2: a third of its triangles */
    double shortest_edge; /* m, at rest */
    cst_sheet_hinge *hinge;
} cst_sheet_mesh;

/* False with a message that names the element and the remedy (sheet_check.c), or: out of memory. All arrays are taken from the arena. */
bool cst_sheet_mesh_make(const cst_sheet_def *def, cst_arena *arena, cst_sheet_mesh *out, const cst_complaint *to);

/* Numbers in range, finite, triangles with three nodes of their own: before anything is made of them. */
bool cst_sheet_check_def(const cst_sheet_def *def, const cst_complaint *to);
/* Checks a mesh with all its lists: complains of triangles without area, edges with more than two triangles, nodes in no triangle and nodes that are
 * there twice. */
bool cst_sheet_check_mesh(const cst_sheet_mesh *mesh, const double *position, cst_arena *scratch, const cst_complaint *to);

/* rad: angle between two triangles at x, positive if the tips are on the side of the normals; 0 if flat. x: from, to, left tip, right tip. */
double cst_hinge_angle(const double *from, const double *to, const double *left, const double *right);

/* (u, v) of the tip of the triangle across edge k, unfolded into the plane of this one. There must be one. */
void cst_sheet_unfold(const cst_sheet_mesh *mesh, int triangle, int k, double *out);

#endif
