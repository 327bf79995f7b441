/* Intersections of rays of sight with tubes, balls, planes and triangles; used to find visible shapes and to shade them. The
 * equations are in raster_cover.c. */
#ifndef CST_RENDER_RASTER_RAY_H
#define CST_RENDER_RASTER_RAY_H

#include <math.h>

#include "render/raster_shapes.h"

typedef struct cst_ray {
    double x, y; /* coordinates (right, up) of the ray's point at the depth 1 */
    double o[3], v[3];
} cst_ray;

static inline double cst_ray_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline cst_ray cst_ray_through(const cst_view *view, double x, double y)
{
    double across = (x - 0.5 * view->width) / view->focal, up = (0.5 * view->height - y) / view->focal;
    if (view->perspective)
        return (cst_ray){.x = across, .y = up, .o = {0.0, 0.0, 0.0}, .v = {across, up, 1.0}};
    return (cst_ray){.x = across, .y = up, .o = {across, up, 0.0}, .v = {0.0, 0.0, 1.0}};
}

/* A tube prepared for many rays. The ray at the position (x, y) of the picture consists of the points o + l v, with the start o,
 * the direction v and the depth l (raster_cover.c). The axis of the tube starts at the point a and has the unit direction d. In
 * the equation for the intersection of a ray and a given tube, only three numbers e, f and g differ from ray to ray:
 *     `e = x*d_x+y*d_y`.
 *     `f = x*a_x+y*a_y`.
 *     `g = x^2+y^2`.
 *
 * `near`: 1 with perspective, 0 without. `far`: 0 with perspective, 1 without. */
typedef struct cst_tube_sight {
    double far, near;
    double d[3], a[3];
    double ad, aa, wide, rk, rr; /* constants of the tube (cst_tube_sight_of) */
    double low, high;            /* bounds of s */
} cst_tube_sight;

static inline cst_tube_sight cst_tube_sight_of(const cst_view *view, const cst_tube_shape *tube)
{
    return (cst_tube_sight){.far = view->perspective ? 0.0 : 1.0,
                            .near = view->perspective ? 1.0 : 0.0,
                            .d = {tube->axis[0], tube->axis[1], tube->axis[2]},
                            .a = {tube->a[0], tube->a[1], tube->a[2]},
                            .ad = cst_ray_dot(tube->a, tube->axis),
                            .aa = cst_ray_dot(tube->a, tube->a),
                            .wide = 1.0 + tube->slope * tube->slope,
                            .rk = tube->radius * tube->slope,
                            .rr = tube->radius * tube->radius,
                            .low = -tube->slack,
                            .high = tube->length + tube->slack};
}

/* Returns false if the ray misses the tube. `depth`, `s`: depth of the point where the ray first hits the infinitely long tube,
 * and position of this point along the axis. If the ray misses even the infinitely long tube, `depth` and `s` are those of the
 * point of the ray nearest to the infinitely long tube. */
static inline bool cst_ray_meets_tube(const cst_tube_sight *t, double x, double y, double *depth, double *s)
{
    double e = x * t->d[0] + y * t->d[1], f = x * t->a[0] + y * t->a[1], g = x * x + y * y;
    double wd = t->far * e - t->ad, vd = t->d[2] + t->near * e;
    double a = 1.0 + t->near * g - t->wide * vd * vd;
    double b = -t->a[2] - t->near * f - (t->wide * wd + t->rk) * vd;
    double c = t->aa + t->far * (g - 2.0 * f) - (t->wide * wd + 2.0 * t->rk) * wd - t->rr;
    double inside = b * b - a * c;
    bool met = inside >= 0.0 && a > 1e-12;
    *depth = (-b - (met ? sqrt(inside) : 0.0)) / (a > 1e-300 ? a : 1e-300);
    *s = wd + *depth * vd;
    return met && *s >= t->low && *s <= t->high;
}

/* Computes the depth of the midpoint between the two intersections of a ray with a tube. */
static inline bool cst_ray_passes_tube(const cst_tube_sight *t, double x, double y, double *depth)
{
    double e = x * t->d[0] + y * t->d[1], f = x * t->a[0] + y * t->a[1], g = x * x + y * y;
    double wd = t->far * e - t->ad, vd = t->d[2] + t->near * e;
    double a = 1.0 + t->near * g - t->wide * vd * vd;
    double b = -t->a[2] - t->near * f - (t->wide * wd + t->rk) * vd;
    double c = t->aa + t->far * (g - 2.0 * f) - (t->wide * wd + 2.0 * t->rk) * wd - t->rr;
    if (!(a > 1e-12) || b * b < a * c)
        return false;
    *depth = -b / a;
    double s = wd + *depth * vd;
    return s >= t->low && s <= t->high;
}

/* Returns false if the ray misses the front of the plane, or if the plane is behind the eye. */
static inline bool cst_ray_meets_plane(const cst_ray *ray, const cst_plane_shape *plane, double *depth)
{
    double below = cst_ray_dot(ray->v, plane->normal);
    *depth = (plane->offset - cst_ray_dot(ray->o, plane->normal)) / below;
    return below < 0.0 && *depth > 0.0;
}

static inline bool cst_ray_meets_ball(const cst_ray *ray, const cst_ball_shape *ball, double *depth)
{
    const double w[3] = {ray->o[0] - ball->center[0], ray->o[1] - ball->center[1], ray->o[2] - ball->center[2]};
    double a = cst_ray_dot(ray->v, ray->v), b = cst_ray_dot(w, ray->v), c = cst_ray_dot(w, w) - ball->radius * ball->radius;
    double inside = b * b - a * c;
    *depth = (-b - (inside > 0.0 ? sqrt(inside) : 0.0)) / a;
    return inside >= 0.0;
}

/* Computes the barycentric weights of a point (x, y) of the picture in a triangle; NaN for a triangle without area. */
static inline void cst_triangle_weights(const cst_triangle_shape *t, double x, double y, double *weight)
{
    double whole = (t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) - (t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        weight[k] = ((t->x[i] - x) * (t->y[j] - y) - (t->x[j] - x) * (t->y[i] - y)) / whole;
    }
}

#endif
