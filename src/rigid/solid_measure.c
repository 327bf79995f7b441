#include "rigid/solid_measure.h"

#include <string.h>

#include "math/vector3.h"

static const double PI = 3.141592653589793;

static cst_solid_measure with_moments(double volume, double x, double y, double z)
{
    return (cst_solid_measure){.volume = volume, .gyration = {x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z}};
}

cst_solid_measure cst_measure_sphere(double radius)
{
    const double moment = 0.4 * radius * radius;
    return with_moments(4.0 / 3.0 * PI * radius * radius * radius, moment, moment, moment);
}

/* A hemisphere of the mass m and the radius r has the inertia 2/5 m r^2 about the centre of its flat face. The centre of mass of
 * a hemisphere of the radius r is at the distance 3/8 r from the flat face. */
cst_solid_measure cst_measure_capsule(double radius, double half_length)
{
    const double r2 = radius * radius, h = half_length, middle = 2.0 * PI * r2 * h, ends = 4.0 / 3.0 * PI * r2 * radius;
    const double volume = middle + ends;
    const double along = (middle * 0.5 * r2 + ends * 0.4 * r2) / volume;
    const double across = (middle * (0.25 * r2 + h * h / 3.0) + ends * (0.4 * r2 + h * h + 0.75 * radius * h)) / volume;
    return with_moments(volume, across, across, along);
}

cst_solid_measure cst_measure_box(const double half[3])
{
    const double x2 = half[0] * half[0] / 3.0, y2 = half[1] * half[1] / 3.0, z2 = half[2] * half[2] / 3.0;
    return with_moments(8.0 * half[0] * half[1] * half[2], y2 + z2, z2 + x2, x2 + y2);
}

static void add_square(double weight, const double *a, double *second)
{
    for (int i = 0; i < 3; i++)
        cst_add3(weight * a[i], a, second + 3 * i);
}

cst_solid_measure cst_measure_mesh(const cst_mesh *mesh)
{
    double six_volumes = 0.0, first[3] = {0.0, 0.0, 0.0}, second[9] = {0.0};
    for (int i = 0; i < mesh->triangles; i++) {
        double corner[3][3], across[3], sum[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++) {
            cst_subtract3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)i + (size_t)k], mesh->vertex, corner[k]);
            cst_add3(1.0, corner[k], sum);
        }
        cst_cross3(corner[1], corner[2], across);
        const double d = cst_dot3(corner[0], across);
        six_volumes += d;
        cst_add3(d / 24.0, sum, first);
        for (int k = 0; k < 3; k++)
            add_square(d / 120.0, corner[k], second);
        add_square(d / 120.0, sum, second);
    }
    cst_solid_measure out = {.volume = six_volumes / 6.0};
    for (int k = 0; k < 3; k++)
        first[k] /= out.volume;
    for (int k = 0; k < 9; k++)
        second[k] /= out.volume;
    add_square(-1.0, first, second);
    const double trace = second[0] + second[4] + second[8];
    for (int k = 0; k < 9; k++)
        out.gyration[k] = (k % 4 == 0 ? trace : 0.0) - second[k];
    memcpy(out.centre, mesh->vertex, sizeof out.centre);
    cst_add3(1.0, first, out.centre);
    return out;
}
