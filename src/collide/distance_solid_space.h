/* Signed distance from a point to a solid in space, its outward normal and the nearest point of the surface.
 *
 * In the frame of the solid, p: plane p_z; sphere |p| - R; capsule |p - (0, 0, clamp(p_z))| - R; and with q the amounts by which
 * |p| exceeds the half edges of a box (or (|p_xy|, |p_z|) the radius and half height of a cylinder)
 *
 *     phi = |max(q, 0)| + min(max q, 0) - rounding,
 *
 * negative inside. All are convex sets, and the signed distance to a convex set is a convex function: along a straight segment
 * it has one minimum or one level interval. */
#ifndef CST_COLLIDE_DISTANCE_SOLID_SPACE_H
#define CST_COLLIDE_DISTANCE_SOLID_SPACE_H

#include "collide/shape_space.h"

/* Not for meshes. `normal` is unit; the nearest point of the surface is x - phi normal. */
double cst_solid_distance(const cst_solid *solid, const double *x, double *normal);

/* Where the point of a solid at x goes in the step, but for the spread. */
void cst_solid_way_at(const cst_solid *solid, const cst_solid_way *way, const double *x, double *out);

/* All numbers are finite, sizes are not negative. */
bool cst_solid_usable(const cst_solid *solid);

/* How far a solid reaches from the origin of its own frame, at most; 0 for a plane, which has no bound. */
double cst_solid_reach(const cst_solid *solid);

#endif
