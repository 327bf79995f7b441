/* A ray of sight and where it meets round things; shared by finding what is seen and by shading it. See raster_cover.c. */
#ifndef CST_RENDER_RASTER_RAY_H
#define CST_RENDER_RASTER_RAY_H

#include <math.h>

#include "render/raster_shapes.h"

typedef struct cst_ray {
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
        return (cst_ray){.o = {0.0, 0.0, 0.0}, .v = {across, up, 1.0}};
    return (cst_ray){.o = {across, up, 0.0}, .v = {0.0, 0.0, 1.0}};
}

/* s: along the axis. A ray beside the tube is told by false, with depth and s where it passes nearest. */
static inline bool cst_ray_meets_tube(const cst_ray *ray, const cst_tube_shape *tube, double *depth, double *s)
{
    const double w[3] = {ray->o[0] - tube->a[0], ray->o[1] - tube->a[1], ray->o[2] - tube->a[2]};
    double wd = cst_ray_dot(w, tube->axis), vd = cst_ray_dot(ray->v, tube->axis), k = tube->slope, r = tube->radius;
    double wide = 1.0 + k * k;
    double a = cst_ray_dot(ray->v, ray->v) - wide * vd * vd;
    double b = cst_ray_dot(w, ray->v) - wide * wd * vd - r * k * vd;
    double c = cst_ray_dot(w, w) - wide * wd * wd - 2.0 * r * k * wd - r * r;
    double inside = b * b - a * c;
    *depth = (-b - sqrt(fmax(inside, 0.0))) / (a > 1e-300 ? a : 1e-300);
    *s = wd + *depth * vd;
    return inside >= 0.0 && a > 1e-12 && *s >= -tube->slack && *s <= tube->length + tube->slack;
}

static inline bool cst_ray_meets_ball(const cst_ray *ray, const cst_ball_shape *ball, double *depth)
{
    const double w[3] = {ray->o[0] - ball->center[0], ray->o[1] - ball->center[1], ray->o[2] - ball->center[2]};
    double a = cst_ray_dot(ray->v, ray->v), b = cst_ray_dot(w, ray->v), c = cst_ray_dot(w, w) - ball->radius * ball->radius;
    double inside = b * b - a * c;
    *depth = (-b - sqrt(fmax(inside, 0.0))) / a;
    return inside >= 0.0;
}

/* Barycentric weights; NaN in a triangle without area. */
static inline void cst_triangle_weights(const cst_triangle_shape *t, double x, double y, double *weight)
{
    double whole = (t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) - (t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        weight[k] = ((t->x[i] - x) * (t->y[j] - y) - (t->x[j] - x) * (t->y[i] - y)) / whole;
    }
}

#endif
