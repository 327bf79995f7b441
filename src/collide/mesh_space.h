/* Triangle meshes as obstacles: open sheets with two sides, or closed surfaces of solids, with the solid's rounding as thickness.
 *
 * A mesh stores, in its own frame, a tree of its triangles and, for each vertex, the list of triangles around it. If the point of
 * a triangle nearest to a point x is on an edge or a corner, it is a contact only if no neighbouring triangle is nearer to x.
 * Let p be the point of an edge or corner that is nearest to x: a neighbouring triangle is nearer to x than p if the vector from
 * p to x has a positive component along a direction from p into the triangle. If contacts at the edge between two coplanar
 * triangles were accepted, a sliding body would catch on this edge.
 *
 * For an open mesh the distance is never negative, and the normal points to the side of the mesh on which the centreline is. For
 * a closed mesh (corners counter-clockwise seen from outside), the distance of a point below a face is negative, down to the
 * largest depth `depth`. */
#ifndef CST_COLLIDE_MESH_SPACE_H
#define CST_COLLIDE_MESH_SPACE_H

#include "collide/distance_curve.h"

/* Returns NULL if memory ran out, a number is not finite or an index is out of range. The arrays are copied. */
cst_mesh_space *cst_mesh_space_create(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed,
                                      const cst_allocator *allocator);
void cst_mesh_space_destroy(cst_mesh_space *mesh);

/* Sets new vertex positions and rebuilds the tree; the triangles stay the same. Does not allocate. Returns false, with nothing
 * changed, if a number is not finite. */
bool cst_mesh_space_move(cst_mesh_space *mesh, const double *vertex);

/* Returns a checksum of the vertex positions. */
uint64_t cst_mesh_space_checksum(const cst_mesh_space *mesh);

bool cst_mesh_space_closed(const cst_mesh_space *mesh);

/* Bounding box of the whole mesh in its own frame. */
cst_box cst_mesh_space_box(const cst_mesh_space *mesh);

/* Computes the unit normal of a triangle in the mesh's own frame; 0 if the triangle has no area. */
void cst_mesh_space_normal(const cst_mesh_space *mesh, int32_t triangle, double *normal);

/* Returns the depth (m) by which the bounding boxes of a closed mesh's triangles extend into the solid; 0 for an open mesh. */
double cst_mesh_space_below(const cst_mesh_space *mesh);

/* Writes to `out` up to `limit` triangles whose boxes (extended by cst_mesh_space_below) overlap `box` (in the frame of the
 * mesh). Returns the number of all triangles whose boxes overlap `box`, also if it exceeds `limit`. */
int cst_mesh_space_near(const cst_mesh_space *mesh, const cst_box *box, int32_t *out, int limit);

/* Removes from the list `triangle` all triangles that are far from a line, which is given in the frame of the mesh, and keeps
 * the order. A triangle stays in the list if its distance from the line is less than the search distance `reach`, or if a part
 * of the line lies below the triangle by less than `reach` plus the given `depth`. A few triangles that are farther from the
 * line can also stay in the list. Returns the number of kept triangles. The argument `depth` increases the search distance only
 * below the triangles, not beside or above them. If the search distance were increased by `depth` on all sides of a triangle,
 * 100 hairs on a head (wisp.json to 0.05 s) would give 1.51 million pairs of a segment and a triangle for only 10,450
 * contacts. */
int cst_mesh_space_thin_out(const cst_mesh_space *mesh, const double line[2][3], double reach, double depth, int32_t *triangle,
                            int count);

/* Finds the point of the mesh nearest to x (both in the mesh's frame). The search starts at the triangle `start` and moves to a
 * nearer neighbouring triangle as long as there is one. Returns the last triangle. */
int32_t cst_mesh_space_nearest(const cst_mesh_space *mesh, const double *x, int32_t start, double *foot);

/* Finds the contacts of a segment with one triangle of a mesh, down to `depth` below the triangle (0 for an open mesh). Returns
 * their number, at most CST_SPACE_TOUCHES_MAX. The indices of the two shapes (fields a and b) and the arc length s_b of the
 * contacts stay 0. */
int cst_touch_triangle(const cst_curve_side *a, const cst_solid *solid, int32_t triangle, double depth,
                       const cst_space_rules *rules, cst_touch_space *out);

#endif
