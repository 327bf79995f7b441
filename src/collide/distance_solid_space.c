#include "collide/distance_solid_space.h"

#include "collide/mesh_space.h"
#include "math/vector3.h"

/* Computes the signed distance of a point from a box or a cylinder with sharp edges (rounding radius 0). `q`: array (axes),
 * absolute coordinates of the point minus the half sizes of the solid (distance_solid_space.h). Sets `toward` to the absolute
 * values of the components of the outward unit normal; the caller gives them their signs. */
static double from_excess(const double *q, int axes, double *toward)
{
    double outside = 0.0;
    int least_deep = 0;
    for (int k = 0; k < axes; ++k) {
        toward[k] = fmax(q[k], 0.0);
        outside += toward[k] * toward[k];
        if (q[k] > q[least_deep])
            least_deep = k;
    }
    if (outside > 0.0) {
        outside = sqrt(outside);
        for (int k = 0; k < axes; ++k)
            toward[k] /= outside;
        return outside;
    }
    for (int k = 0; k < axes; ++k)
        toward[k] = 0.0;
    toward[least_deep] = 1.0;
    return q[least_deep];
}

static double sphere_distance(const double *p, double radius, double *n)
{
    for (int k = 0; k < 3; ++k)
        n[k] = p[k];
    const double distance = cst_normalise3(n);
    if (!(distance > 0.0))
        n[2] = 1.0; /* centre of the sphere: any direction */
    return distance - radius;
}

static double cylinder_distance(const double *p, const double *size, double *n)
{
    const double rho = sqrt(p[0] * p[0] + p[1] * p[1]);
    const double q[2] = {rho - size[0], fabs(p[2]) - size[1]};
    double toward[2];
    const double phi = from_excess(q, 2, toward);
    n[0] = toward[0] * (rho > 0.0 ? p[0] / rho : 1.0);
    n[1] = toward[0] * (rho > 0.0 ? p[1] / rho : 0.0);
    n[2] = copysign(toward[1], p[2]);
    return phi;
}

static double box_distance(const double *p, const double *size, double *n)
{
    const double q[3] = {fabs(p[0]) - size[0], fabs(p[1]) - size[1], fabs(p[2]) - size[2]};
    const double phi = from_excess(q, 3, n);
    for (int k = 0; k < 3; ++k)
        n[k] = copysign(n[k], p[k]);
    return phi;
}

double cst_solid_distance(const cst_solid *solid, const double *x, double *normal)
{
    double from[3], p[3], n[3] = {0.0, 0.0, 1.0}, phi = 0.0;
    cst_subtract3(x, solid->position, from);
    cst_apply_transposed3(solid->frame, from, p);
    switch (solid->kind) {
    case CST_SOLID_PLANE:
        phi = p[2];
        break;
    case CST_SOLID_SPHERE:
        phi = sphere_distance(p, solid->size[0], n);
        break;
    case CST_SOLID_CAPSULE: {
        p[2] -= fmax(-solid->size[1], fmin(solid->size[1], p[2]));
        phi = sphere_distance(p, solid->size[0], n);
        break;
    }
    case CST_SOLID_BOX:
        phi = box_distance(p, solid->size, n) - solid->rounding;
        break;
    case CST_SOLID_CYLINDER:
        phi = cylinder_distance(p, solid->size, n) - solid->rounding;
        break;
    case CST_SOLID_MESH:
        break; /* computed triangle by triangle */
    }
    cst_apply3(solid->frame, n, normal);
    return phi;
}

bool cst_solid_usable(const cst_solid *solid)
{
    double sum = solid->rounding;
    for (int k = 0; k < 3; ++k)
        sum += solid->size[k] + solid->position[k] + solid->frame[k] + solid->frame[3 + k] + solid->frame[6 + k];
    const bool sizes = solid->size[0] >= 0.0 && solid->size[1] >= 0.0 && solid->size[2] >= 0.0 && solid->rounding >= 0.0;
    return isfinite(sum) && sizes && (solid->kind != CST_SOLID_MESH || solid->mesh);
}

void cst_solid_way_at(const cst_solid *solid, const cst_solid_way *way, const double *x, double *out)
{
    double from[3];
    cst_subtract3(x, solid->position, from);
    cst_cross3(way->turn, from, out);
    cst_add3(1.0, way->way, out);
}

double cst_solid_reach(const cst_solid *solid)
{
    const double *size = solid->size;
    switch (solid->kind) {
    case CST_SOLID_PLANE:
        return 0.0;
    case CST_SOLID_SPHERE:
        return size[0];
    case CST_SOLID_CAPSULE:
        return size[0] + size[1];
    case CST_SOLID_BOX:
        return sqrt(cst_dot3(size, size)) + solid->rounding;
    case CST_SOLID_CYLINDER:
        return hypot(size[0], size[1]) + solid->rounding;
    case CST_SOLID_MESH:
        break;
    }
    const cst_box box = cst_mesh_space_box(solid->mesh);
    double farthest = 0.0;
    for (int c = 0; c < 3; c++) {
        const double most = fmax(fabs(box.low[c]), fabs(box.high[c]));
        farthest += most * most;
    }
    return sqrt(farthest) + solid->rounding;
}
