/* Computes the signed distance phi from a point to the surface of a solid in 3D, and the outward normal of the solid.
 *
 * The formulas for the signed distance phi have these symbols, in the frame of the solid:
 *     `p`: the point (m).
 *     `R`: radius of sphere, capsule or cylinder.
 *     `h`: half length of the axis.
 *     `a`: half edges of the box.
 *     `q`: excess over the half sizes.
 *     `r`: field `rounding`.
 *     Plane: `phi = p_z`.
 *     Sphere: `phi = |p| - R`.
 *     Capsule: `phi = |p-(0,0,clamp(p_z))| - R`.
 *     Box: `q = (|p_x|-a_x, |p_y|-a_y, |p_z|-a_z)`.
 *     Cylinder: `q = (|p_xy|-R, |p_z|-h)`.
 *     Box, cylinder: `phi = |max(q,0)|+min(max q,0)-r`.
 *
 * In the formula for boxes and cylinders, q is the vector of the coordinates' excess over the half sizes; max(q, 0) is taken
 * entry by entry, and max q is the largest entry of q. The solids are convex, so that the distance along a straight segment has
 * one minimum, or one interval in which it is constant and least. */
#ifndef CST_COLLIDE_DISTANCE_SOLID_SPACE_H
#define CST_COLLIDE_DISTANCE_SOLID_SPACE_H

#include "collide/shape_space.h"

/* Returns the signed distance phi (m) from the point x to a solid other than a mesh, and sets the outward unit normal. The point
 * of the solid's surface nearest to x is x - phi normal, with the signed distance phi and the unit normal. */
double cst_solid_distance(const cst_solid *solid, const double *x, double *normal);

/* Computes the displacement (m) in the step of a solid's material point that is at x. The uncertainty way->spread is not
 * added. */
void cst_solid_way_at(const cst_solid *solid, const cst_solid_way *way, const double *x, double *out);

/* Returns true if the numbers of a solid are finite and its sizes are not negative, and if a solid of the kind mesh has a
 * mesh. */
bool cst_solid_usable(const cst_solid *solid);

/* Returns the radius (m) of a ball around the origin of the solid's frame that contains the solid; 0 for a plane, which is
 * unbounded. */
double cst_solid_reach(const cst_solid *solid);

#endif
