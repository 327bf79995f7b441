/* Computes the colour of shapes where they are visible, with the same light as the web page (viewer/src/view/shared.ts,
 * solids.ts). */
#include <math.h>
#include <string.h>

#include "render/raster_hair.h"
#include "render/raster_ray.h"
#include "render/ruled.h"
#include "render/shadow.h"

#define SHADE 0.42f  /* share of the light that a shadow removes */
#define BACK 0.86f   /* brightness of the back of a sheet, relative to its front */
#define STRIPE 0.42f /* angle (rad) between the surface normals at the middle and at the edge of a stripe */

/* A comparison is used instead of fmaxf, because fmaxf must handle NaN and is therefore a function call. */
static float at_least_0(float x)
{
    return x > 0.0f ? x : 0.0f;
}

static float smooth_step(float from, float to, float x)
{
    float t = at_least_0((x - from) / (to - from));
    t = t < 1.0f ? t : 1.0f;
    return t * t * (3.0f - 2.0f * t);
}

/* `n`: unit normal with the components right, up, towards the eye. `hidden`: share of the light that other shapes block
 * (shadow.h). */
static cst_rgb lit(cst_rgb colour, const float *n, cst_shading shading, float hidden)
{
    static const float lamp[3] = {-0.41309f, 0.59668f, 0.68849f}, half_way[3] = {-0.24800f, 0.37696f, 0.89280f};
    if (shading == CST_SHADING_PLAIN || shading == CST_SHADING_RIM)
        return colour;
    float sun = at_least_0(n[0] * lamp[0] + n[1] * lamp[1] + n[2] * lamp[2]);
    float facing = at_least_0(n[0] * half_way[0] + n[1] * half_way[1] + n[2] * half_way[2]), f2 = facing * facing, f4 = f2 * f2,
          f8 = f4 * f4, f32 = f8 * f8 * f8 * f8, gleam = f32 * f8;
    float light = 0.34f + 0.2f * (0.5f + 0.5f * n[1]) + 0.56f * sun, glow = 0.16f * gleam;
    if (shading == CST_SHADING_RIBBON) {
        light = 0.74f + 0.2f * at_least_0(n[2]) + 0.08f * sun;
        glow = 0.1f * gleam;
    }
    light *= 1.0f - SHADE * hidden;
    glow *= 1.0f - hidden;
    return (cst_rgb){light * colour.r + glow, light * colour.g + glow, light * colour.b + glow};
}

/* `place`: surface point with the components right, up, depth. `n`: unit normal, as for lit(). */
static float hidden_at(const cst_shapes *shapes, const double *place, const float *n)
{
    if (!shapes->shadow)
        return 0.0f;
    const cst_view *view = &shapes->view;
    double at[3], normal[3];
    for (int k = 0; k < 3; k++) {
        at[k] = view->eye[k] + place[0] * view->right[k] + place[1] * view->up[k] + place[2] * view->forward[k];
        normal[k] = (double)n[0] * view->right[k] + (double)n[1] * view->up[k] - (double)n[2] * view->forward[k];
    }
    return cst_shadow_at(shapes->shadow, at, normal);
}

/* Computes the colour of a marking on the surface of a tube or a ball. The edges of the marking are blurred over the width of a
 * pixel; `pixel` is this width divided by the radius of the tube or ball. */
static cst_rgb marked(const cst_shapes *shapes, int marking, float along, const float *n, float pixel, cst_rgb colour)
{
    if (marking < 0)
        return colour;
    const cst_marking_shape *m = &shapes->marking[marking];
    float soft = pixel < 0.5f ? 0.5f * pixel : 0.25f, cover = 0.0f;
    if (m->kind == CST_MARKING_STRIPE) {
        float d[3], dot = 0.0f, size = 0.0f;
        for (int k = 0; k < 3; k++) {
            d[k] = m->axis[0][k] + along * (m->axis[1][k] - m->axis[0][k]);
            dot += d[k] * n[k];
            size += d[k] * d[k];
        }
        float aside = acosf(fminf(fmaxf(dot / sqrtf(fmaxf(size, 1e-12f)), -1.0f), 1.0f));
        cover =
            (1.0f - smooth_step(STRIPE - soft, STRIPE + soft, aside)) * (1.0f - smooth_step(0.3f, 0.7f, pixel)) *
            smooth_step(0.05f, 0.35f, n[2]); /* the stripe of a tube fades out near its silhouette, where it would look dotted */
    } else {
        float sign = 1.0f;
        for (int i = 0; i < 3; i++) {
            float along_axis = m->axis[i][0] * n[0] + m->axis[i][1] * n[1] + m->axis[i][2] * n[2];
            sign *= 2.0f * smooth_step(-soft, soft, along_axis) - 1.0f;
        }
        cover = 0.5f + 0.5f * sign;
    }
    return cst_rgb_mix(colour, m->colour, cover);
}

static void unit(double x, double y, double z, float *n)
{
    double length = sqrt(x * x + y * y + z * z), scale = length > 0.0 ? 1.0 / length : 0.0;
    n[0] = (float)(x * scale);
    n[1] = (float)(y * scale);
    n[2] = (float)(-z * scale); /* depth increases away from the eye */
}

static cst_rgb hair_at(const cst_shapes *shapes, const cst_tube_shape *tube, const cst_ray *ray, float along, const double *place)
{
    const cst_view *view = &shapes->view;
    const cst_marking_shape *m = &shapes->marking[tube->marking];
    float tangent[3], to_eye[3];
    double at[3];
    unit((double)(m->axis[0][0] + along * (m->axis[1][0] - m->axis[0][0])),
         (double)(m->axis[0][1] + along * (m->axis[1][1] - m->axis[0][1])),
         -(double)(m->axis[0][2] + along * (m->axis[1][2] - m->axis[0][2])), tangent);
    unit(-ray->v[0], -ray->v[1], -ray->v[2], to_eye);
    for (int k = 0; k < 3; k++)
        at[k] = view->eye[k] + place[0] * view->right[k] + place[1] * view->up[k] + place[2] * view->forward[k];
    const float open = shapes->shadow ? cst_shadow_through(shapes->shadow, at) : 1.0f;
    return cst_hair_lit(cst_rgb_mix(tube->colour[0], tube->colour[1], along), tangent, to_eye, open, m->gloss);
}

static cst_rgb shade_tube(const cst_shapes *shapes, const cst_tube_shape *tube, const cst_ray *ray, cst_shading shading)
{
    const cst_view *view = &shapes->view;
    double depth, s;
    const cst_tube_sight sight = cst_tube_sight_of(view, tube);
    cst_ray_meets_tube(&sight, ray->x, ray->y, &depth, &s);
    s = fmin(fmax(s, 0.0), tube->length);
    double outward[3];
    for (int k = 0; k < 3; k++)
        outward[k] =
            ray->o[k] + depth * ray->v[k] - tube->a[k] - (s + (tube->radius + tube->slope * s) * tube->slope) * tube->axis[k];
    float n[3];
    unit(outward[0], outward[1], outward[2], n);
    const float along = tube->length > 0.0 ? (float)(s / tube->length) : 0.0f;
    const double place[3] = {ray->o[0] + depth * ray->v[0], ray->o[1] + depth * ray->v[1], depth};
    const float pixel = (float)(cst_view_metres(view, depth) / fmax(tube->radius, 1e-300));
    if (shading == CST_SHADING_HAIR && tube->marking >= 0)
        return hair_at(shapes, tube, ray, along, place);
    const cst_rgb colour = marked(shapes, tube->marking, along, n, pixel, cst_rgb_mix(tube->colour[0], tube->colour[1], along));
    return lit(colour, n, shading, hidden_at(shapes, place, n));
}

static cst_rgb shade_ball(const cst_shapes *shapes, const cst_ball_shape *ball, const cst_ray *ray, cst_shading shading)
{
    double depth;
    cst_ray_meets_ball(ray, ball, &depth);
    float n[3];
    unit(ray->o[0] + depth * ray->v[0] - ball->center[0], ray->o[1] + depth * ray->v[1] - ball->center[1],
         ray->o[2] + depth * ray->v[2] - ball->center[2], n);
    const double place[3] = {ray->o[0] + depth * ray->v[0], ray->o[1] + depth * ray->v[1], depth};
    const float pixel = (float)(cst_view_metres(&shapes->view, depth) / fmax(ball->radius, 1e-300));
    return lit(marked(shapes, ball->marking, 0.0f, n, pixel, ball->colour), n, shading, hidden_at(shapes, place, n));
}

/* Shades a plane like the ground of the web page (viewer/src/view/ground.ts). */
static cst_fragment shade_plane(const cst_shapes *shapes, const cst_plane_shape *plane, double x, double y)
{
    const cst_ray here = cst_ray_through(&shapes->view, x, y),
                  next[2] = {cst_ray_through(&shapes->view, x + 1.0, y), cst_ray_through(&shapes->view, x, y + 1.0)};
    const cst_ray *rays[3] = {&here, &next[0], &next[1]};
    double at[3][2], off = 0.0, place[3] = {0}, slope[2];
    for (int i = 0; i < 3; i++) {
        double depth;
        cst_ray_meets_plane(rays[i], plane, &depth);
        at[i][0] = plane->from[0];
        at[i][1] = plane->from[1];
        for (int k = 0; k < 3; k++) {
            double p = rays[i]->o[k] + depth * rays[i]->v[k], d = p - plane->center[k];
            at[i][0] += d * plane->u[k];
            at[i][1] += d * plane->v[k];
            off += i == 0 ? d * d : 0.0;
            place[k] = i == 0 ? p : place[k];
        }
    }
    for (int k = 0; k < 2; k++)
        slope[k] = fabs(at[1][k] - at[0][k]) + fabs(at[2][k] - at[0][k]);
    const cst_plane_paint *paint = &plane->paint;
    float n[3], cover = 1.0f - smooth_step(0.45f, 1.0f, (float)(sqrt(off) / paint->reach)), ink = 0.0f;
    unit(plane->normal[0], plane->normal[1], plane->normal[2], n);
    if (paint->spacing > 0.0) {
        for (int k = 0; k < 2; k++)
            ink = fmaxf(ink, (float)cst_ruled(paint->spacing, paint->density, at[0][k], slope[k]));
        ink *= (float)fmin(1.0, 0.5 * paint->spacing / fmax(fmax(slope[0], slope[1]), 1e-300));
    }
    const float hidden = hidden_at(shapes, place, n), light = 1.0f - SHADE * hidden;
    cst_rgb colour = cst_rgb_mix(paint->fill, paint->ink, fminf(1.0f, 1.2f * ink));
    return (cst_fragment){{light * colour.r, light * colour.g, light * colour.b}, cover};
}

static cst_rgb shade_triangle(const cst_shapes *shapes, const cst_triangle_shape *t, double x, double y, cst_shading shading)
{
    const cst_view *view = &shapes->view;
    double weight[3], sum = 0.0, normal[3] = {0}, q = 0.0, whole = 0.0;
    cst_triangle_weights(t, x, y, weight);
    for (int k = 0; k < 3; k++) {
        weight[k] = fmax(weight[k], 0.0);
        q += weight[k] * t->q[k];
        whole += weight[k];
        /* with perspective, colours are linear functions of the position on the triangle in 3D, not of the position in the
         * picture */
        weight[k] *= (view->perspective ? t->q[k] : 1.0);
        sum += weight[k];
    }
    cst_rgb colour = {0};
    for (int k = 0; k < 3; k++) {
        float w = (float)(sum > 0.0 ? weight[k] / sum : 1.0 / 3.0);
        for (int c = 0; c < 3; c++)
            normal[c] += (double)(w * t->normal[k][c]);
        colour.r += w * t->colour[k].r;
        colour.g += w * t->colour[k].g;
        colour.b += w * t->colour[k].b;
    }
    double side = normal[2] > 0.0 ? -1.0 : 1.0;
    float n[3];
    unit(side * normal[0], side * normal[1], side * normal[2], n);
    const double mean = whole > 0.0 ? q / whole : t->q[0], depth = view->perspective ? 1.0 / mean : mean;
    const cst_ray ray = cst_ray_through(view, x, y);
    const double place[3] = {ray.o[0] + depth * ray.v[0], ray.o[1] + depth * ray.v[1], depth};
    const cst_rgb shown = lit(colour, n, shading, hidden_at(shapes, place, n));
    const float face = side < 0.0 ? BACK : 1.0f;
    return (cst_rgb){face * shown.r, face * shown.g, face * shown.b};
}

/* -------------------------------------------------------------------------------------------------------------------- flat */

/* Returns the distance (pixels) of a point from the nearest edge of a polygon, positive inside the polygon. */
static double polygon_depth(const double *corner, int points, double x, double y)
{
    double nearest = INFINITY;
    bool inside = false;
    for (int i = 0; i < points; i++) {
        const double *a = corner + 2 * i, *b = corner + 2 * ((i + 1) % points);
        double dx = b[0] - a[0], dy = b[1] - a[1], px = x - a[0], py = y - a[1], length2 = dx * dx + dy * dy;
        double t = length2 > 0.0 ? fmin(fmax((px * dx + py * dy) / length2, 0.0), 1.0) : 0.0;
        nearest = fmin(nearest, hypot(px - t * dx, py - t * dy));
        if ((a[1] <= y) != (b[1] <= y) && x < a[0] + (y - a[1]) * dx / dy)
            inside = !inside;
    }
    return inside ? nearest : -nearest;
}

/* Returns the distance (pixels) of a point from the outline of a flat shape, positive inside the shape. */
static double depth_in(const cst_shapes *shapes, const cst_flat_shape *flat, double x, double y)
{
    switch (flat->kind) {
    case CST_FLAT_DISK:
        return flat->radius - hypot(x - flat->x, y - flat->y);
    case CST_FLAT_HOLLOW:
        return hypot(x - flat->x, y - flat->y) - flat->radius;
    case CST_FLAT_HALF_PLANE:
        return -flat->normal[0] * (x - flat->x) - flat->normal[1] * (y - flat->y);
    case CST_FLAT_POLYGON:
        return flat->radius + polygon_depth(shapes->point + 2 * flat->first, flat->points, x, y);
    }
    return 0.0;
}

static cst_fragment shade_flat(const cst_shapes *shapes, const cst_flat_shape *flat, double x, double y)
{
    const cst_flat_paint *paint = &flat->paint;
    bool needs_depth = paint->edge_width > 0.0f || paint->fade > 0.0f;
    float depth = needs_depth ? (float)depth_in(shapes, flat, x, y) : 0.0f;
    float edge = paint->edge_width > 0.0f ? 1.0f - smooth_step(paint->edge_width - 0.5f, paint->edge_width + 0.5f, depth) : 0.0f;
    float fade = paint->fade > 0.0f ? 1.0f - smooth_step(0.0f, paint->fade, depth) : 1.0f, line = 0.0f;
    if (paint->hatch > 0.0f) {
        float across = (float)fmod(fabs(x + (shapes->view.height - y)), (double)paint->hatch_step) - 0.5f * paint->hatch_step;
        line = fade * (1.0f - smooth_step(0.05f, 0.143f, 0.7071f * fabsf(across) / paint->hatch_step));
    }
    cst_rgb colour = cst_rgb_mix(paint->fill, paint->edge, paint->hatch * line);
    if (paint->spoke[0] != 0.0f || paint->spoke[1] != 0.0f) {
        float px = (float)(x - flat->x), py = (float)(y - flat->y), along = px * paint->spoke[0] + py * paint->spoke[1];
        float side = fabsf(px * paint->spoke[1] - py * paint->spoke[0]), width = 0.6f * paint->edge_width;
        if (along > 0.0f)
            colour = cst_rgb_mix(colour, paint->edge, 0.7f * (1.0f - smooth_step(width - 0.5f, width + 0.5f, side)));
    }
    float cover = paint->fade > 0.0f ? fmaxf(fmaxf(0.9f * line, edge), 0.55f * fade) : 1.0f;
    return (cst_fragment){cst_rgb_mix(colour, paint->edge, edge), cover};
}

cst_fragment cst_shape_shade(const cst_shapes *shapes, int32_t number, double x, double y)
{
    const cst_shape *shape = &shapes->shape[number];
    cst_ray ray;
    switch (shape->kind) {
    case CST_SHAPE_TUBE:
        ray = cst_ray_through(&shapes->view, x, y);
        return (cst_fragment){shade_tube(shapes, &shapes->tube[shape->index], &ray, shape->shading), 1.0f};
    case CST_SHAPE_BALL:
        ray = cst_ray_through(&shapes->view, x, y);
        return (cst_fragment){shade_ball(shapes, &shapes->ball[shape->index], &ray, shape->shading), 1.0f};
    case CST_SHAPE_TRIANGLE:
        return (cst_fragment){shade_triangle(shapes, &shapes->triangle[shape->index], x, y, shape->shading), 1.0f};
    case CST_SHAPE_PLANE:
        return shade_plane(shapes, &shapes->plane[shape->index], x, y);
    case CST_SHAPE_FLAT:
        return shade_flat(shapes, &shapes->flat[shape->index], x, y);
    }
    return (cst_fragment){0};
}
