/* Computes the signed distance from a point to a solid in 3D, the outward normal and the nearest point of the surface.
 *
 * Let p be the point in the frame of the solid, R the radius of the solid, and phi the signed distance:
 *     Plane: `phi = p_z`.
 *     Sphere: `phi = |p| - R`.
 *     Capsule: `phi = |p-(0,0,clamp(p_z))| - R`.
 *
 * For a box, the vector q has the amounts by which the coordinates |p| of the point exceed the half edges. For a cylinder, the
 * two entries of q are the amounts by which the distance |p_xy| from the axis exceeds the radius, and the height |p_z| exceeds
 * the half height. The signed distance phi from a box or a cylinder follows from q, the vector of the amounts by which the point
 * exceeds the half sizes; max(q, 0) is taken entry by entry, and max q is the largest entry:
 *     `phi = |max(q,0)|+min(max q,0)-rounding`.
 *
 * Half-spaces, spheres, capsules, boxes and cylinders are convex sets, and the signed distance to a convex set is a convex
 * function. Along a straight segment, a convex function has one minimum or one interval in which it is constant and least. */
#ifndef CST_COLLIDE_DISTANCE_SOLID_SPACE_H
#define CST_COLLIDE_DISTANCE_SOLID_SPACE_H

#include "collide/shape_space.h"

/* Not for meshes. `normal` is a unit vector, and the nearest point of the surface is x - phi normal, where phi is the returned
 * distance. */
double cst_solid_distance(const cst_solid *solid, const double *x, double *normal);

/* Computes the displacement, in the step, of the solid's material point at x, without adding the uncertainty way->spread of this
 * displacement. */
void cst_solid_way_at(const cst_solid *solid, const cst_solid_way *way, const double *x, double *out);

/* Returns true if all numbers of a solid are finite and no size is negative. */
bool cst_solid_usable(const cst_solid *solid);

/* Returns a bound for the distance of the solid's points from the origin of its own frame; 0 for a plane, which is unbounded. */
double cst_solid_reach(const cst_solid *solid);

#endif
