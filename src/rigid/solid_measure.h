/* Volume, centre of mass and inertia of homogeneous solids.
 *
 * A closed mesh is a signed sum of tetrahedra: one for each triangle, with the first vertex of the mesh as its fourth corner.
 * Symbols:
 *     `a`, `b`, `c`: triangle's corners, relative to the first vertex.
 *     `d = det[a,b,c]`.
 *     `s = a+b+c`.
 *
 * The volume of a tetrahedron with the corners 0, a, b and c, and its moments about the corner 0 (the first vertex of the mesh),
 * are:
 *     `volume = d/6`.
 *     `first = d*s/24`.
 *     `second = d*(a*a^T+b*b^T+c*c^T+s*s^T)/120`.
 *
 * The inertia for unit density follows from the second moments S about the centre of mass and the identity matrix 1:
 *     `inertia = trace(S)*1-S`.
 *     `S`: second moments about centre of mass.
 *     `1`: identity matrix. */
#ifndef CST_RIGID_SOLID_MEASURE_H
#define CST_RIGID_SOLID_MEASURE_H

#include "capstan/capstan.h"

typedef struct cst_solid_measure {
    double volume;      /* volume (m^3); negative if the triangles are clockwise seen from outside */
    double centre[3];   /* centre of mass (m) */
    double gyration[9]; /* inertia about the centre of mass, divided by the mass (m^2) */
} cst_solid_measure;

cst_solid_measure cst_measure_mesh(const cst_mesh *mesh);
cst_solid_measure cst_measure_sphere(double radius);
/* the axis of the capsule is along z; `half_length` is half the length of the axis */
cst_solid_measure cst_measure_capsule(double radius, double half_length);
cst_solid_measure cst_measure_box(const double half[3]);

#endif
