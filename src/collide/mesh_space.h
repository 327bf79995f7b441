/* Triangle meshes as obstacles of centrelines: open sheets with two sides, or closed surfaces of solids. Contacts lie on a
 * surface around the mesh, at the distance `rounding` (cst_solid) from the triangles.
 *
 * If the nearest point of a triangle to a point x lies on an edge or a corner, it is a contact only if no neighbouring triangle
 * is nearer to x. A neighbouring triangle is nearer to the point x if a direction from the common edge or corner into this
 * triangle has a positive scalar product with the vector from the edge or corner to x. If contacts at the edge between two
 * coplanar triangles were accepted, a sliding body would catch on the edge.
 *
 * The distance from the triangles of an open mesh is never negative, and the normal points to the side on which the centreline
 * is. The corners of each face of a closed mesh are counter-clockwise, seen from outside. The distance of a point below a face of
 * a closed mesh is negative, down to a largest depth. */
#ifndef CST_COLLIDE_MESH_SPACE_H
#define CST_COLLIDE_MESH_SPACE_H

#include "collide/distance_curve.h"

/* Creates a mesh from copies of the arrays, or returns NULL if memory ran out, a number is not finite or an index is out of
 * range. */
cst_mesh_space *cst_mesh_space_create(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed,
                                      const cst_allocator *allocator);
void cst_mesh_space_destroy(cst_mesh_space *mesh);

/* Sets new vertex positions, keeps the triangles, and rebuilds the tree of the triangles. Allocates memory only when
 * cst_mesh_space_create calls it. Returns false if memory ran out, or, with nothing changed, if a vertex coordinate is not
 * finite. */
bool cst_mesh_space_move(cst_mesh_space *mesh, const double *vertex);

uint64_t cst_mesh_space_checksum(const cst_mesh_space *mesh);

bool cst_mesh_space_closed(const cst_mesh_space *mesh);

/* In the frame of the mesh. */
cst_box cst_mesh_space_box(const cst_mesh_space *mesh);

/* Copies the unit normal of a triangle, in the frame of the mesh; 0 if the triangle has no area. */
void cst_mesh_space_normal(const cst_mesh_space *mesh, int32_t triangle, double *normal);

/* Returns the depth (m) by which the bounding boxes of the triangles of a closed mesh are extended into the solid; 0 for an open
 * mesh. */
double cst_mesh_space_below(const cst_mesh_space *mesh);

/* Writes to `out` at most `limit` triangles whose bounding boxes overlap `box` (in the frame of the mesh). Returns the number of
 * all triangles whose bounding boxes overlap `box`, even if it exceeds `limit`. */
int cst_mesh_space_near(const cst_mesh_space *mesh, const cst_box *box, int32_t *out, int limit);

/* Removes from the list `triangle` triangles that are far from a line (in the frame of the mesh), and keeps the order of the
 * rest. Returns the number of remaining triangles. A triangle stays in the list if its distance from the given line is less than
 * `reach` (m). A triangle also stays in the list if the given line passes below it, at a distance of less than reach + depth (m).
 * The length `depth` is added to `reach` only for lines below a triangle; otherwise, too many triangles would stay in the list.
 * With `depth` on all sides, 100 hairs on a head (wisp.json to 0.05 s) would give 1.51 million pairs of a segment and a triangle,
 * but only 10,450 contacts. */
int cst_mesh_space_thin_out(const cst_mesh_space *mesh, const double line[2][3], double reach, double depth, int32_t *triangle,
                            int count);

/* Finds the point `foot` of the mesh nearest to the point x, in the frame of the mesh. The search moves from the triangle `start`
 * to nearer neighbouring triangles until there is none, and returns the last triangle. On a mesh that is not convex, the point
 * `foot` that is found may be only locally nearest to the given point x. */
int32_t cst_mesh_space_nearest(const cst_mesh_space *mesh, const double *x, int32_t start, double *foot);

/* Finds the contacts of a segment with one triangle of a mesh, down to the depth `depth` (m) below the triangle, which is 0 for
 * an open mesh. Returns the number of contacts, at most CST_SPACE_TOUCHES_MAX. The fields a, b and s_b of the contacts stay 0. */
int cst_touch_triangle(const cst_curve_side *a, const cst_solid *solid, int32_t triangle, double depth,
                       const cst_space_rules *rules, cst_touch_space *out);

#endif
