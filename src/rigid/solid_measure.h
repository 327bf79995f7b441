/* Volume, centre of mass and inertia of homogeneous solids.
 *
 * A closed mesh is the signed sum of tetrahedra: one for each triangle, between the triangle and the first vertex of the mesh.
 * Symbols:
 *     `a`, `b`, `c`: triangle's corners, relative.
 *     `d = det[a,b,c]`.
 *     `s = a+b+c`.
 *
 * The volume of a tetrahedron and its first and second moments, relative to the first vertex of the mesh, are:
 *     `volume = d/6`.
 *     `first = d s/24`.
 *     `second = d*(a*a^T+b*b^T+c*c^T+s*s^T)/120`.
 *
 * The inertia of a solid with unit density is trace(S) 1 - S, where S is the matrix of its second moments about the centre of
 * mass and 1 is the identity matrix. */
#ifndef CST_RIGID_SOLID_MEASURE_H
#define CST_RIGID_SOLID_MEASURE_H

#include "capstan/capstan.h"

typedef struct cst_solid_measure {
    double volume;      /* volume (m^3); negative if the triangles have the wrong orientation */
    double centre[3];   /* centre of mass (m) */
    double gyration[9]; /* inertia about the centre of mass (m^2), divided by the mass */
} cst_solid_measure;

cst_solid_measure cst_measure_mesh(const cst_mesh *mesh);
cst_solid_measure cst_measure_sphere(double radius);
/* the axis of the capsule is along z; `half_length` is half the length of the axis */
cst_solid_measure cst_measure_capsule(double radius, double half_length);
cst_solid_measure cst_measure_box(const double half[3]);

#endif
