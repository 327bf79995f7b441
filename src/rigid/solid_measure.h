/* Volume, centre of mass and inertia of homogeneous solids.
 *
 * A closed mesh is the signed sum of the tetrahedra that its triangles (a, b, c) span with a fixed point, here the first vertex:
 * with d = a . (b x c) and s = a + b + c,
 *
 *     volume d / 6,     first moment d s / 24,     second moment d (a a^T + b b^T + c c^T + s s^T) / 120
 *
 * (integrals of polynomials over a simplex), all exact. From the second moments S about the centre of mass, the inertia of unit
 * density is trace(S) 1 - S. */
#ifndef CST_RIGID_SOLID_MEASURE_H
#define CST_RIGID_SOLID_MEASURE_H

#include "capstan/capstan.h"

typedef struct cst_solid_measure {
    double volume;      /* m3: negative if the triangles go round the wrong way */
    double centre[3];   /* m: of mass */
    double gyration[9]; /* m2: inertia about it per mass */
} cst_solid_measure;

cst_solid_measure cst_measure_mesh(const cst_mesh *mesh);
cst_solid_measure cst_measure_sphere(double radius);
cst_solid_measure cst_measure_capsule(double radius, double half_length); /* along z; of its axis */
cst_solid_measure cst_measure_box(const double half[3]);

#endif
