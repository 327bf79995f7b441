#include "world/start_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "collide/distance_solid_space.h"
#include "collide/distance_triangle.h"
#include "collide/mesh_space.h"
#include "math/vector3.h"

static const double pi = 3.14159265358979323846;

/* Returns twice the signed area of the polygon in the xy plane, which is positive if the corners are in anticlockwise order. */
static double twice_area(const double *vertex, int vertices)
{
    double sum = 0.0;
    for (int i = 0; i < vertices; i++) {
        const double *a = vertex + 3 * i, *b = vertex + 3 * ((i + 1) % vertices);
        sum += (a[0] - vertex[0]) * (b[1] - vertex[1]) - (a[1] - vertex[1]) * (b[0] - vertex[0]);
    }
    return sum;
}

static void find_box(cst_matter *matter)
{
    for (int k = 0; k < 3; k++) {
        matter->low[k] = DBL_MAX;
        matter->high[k] = -DBL_MAX;
        for (int i = 0; i < matter->vertices; i++) {
            matter->low[k] = fmin(matter->low[k], matter->vertex[3 * i + k]);
            matter->high[k] = fmax(matter->high[k], matter->vertex[3 * i + k]);
        }
    }
}

static bool take_outline(cst_matter *matter, cst_obstacle *obstacle, double time, cst_arena *arena)
{
    const cst_drawing drawing = cst_obstacle_draw(obstacle, time, NULL, NULL);
    matter->vertices = drawing.vertices;
    matter->triangles = cst_obstacle_triangles(obstacle, NULL);
    matter->vertex = CST_TAKE(arena, double, 3 * (size_t)matter->vertices);
    matter->triangle = CST_TAKE(arena, int32_t, 3 * (size_t)matter->triangles);
    if (arena->failed)
        return false;
    cst_obstacle_draw(obstacle, time, matter->vertex, NULL);
    cst_obstacle_triangles(obstacle, matter->triangle);
    find_box(matter);
    return true;
}

bool cst_matter_begin(cst_matter *matter, cst_obstacle *obstacle, double time, cst_arena *arena)
{
    const cst_obstacle_def *def = &obstacle->def;
    *matter = (cst_matter){.shape = def->shape, .radius = def->radius, .rounding = def->rounding};
    switch (def->shape) {
    case CST_OBSTACLE_HALF_PLANE:
        cst_obstacle_half_plane(obstacle, time, &matter->half_plane);
        return true;
    case CST_OBSTACLE_DISK: {
        cst_arc arc;
        cst_obstacle_arc(obstacle, time, 0, &arc);
        memcpy(matter->center, arc.x, sizeof matter->center);
        matter->outside = def->hollow;
        return true;
    }
    case CST_OBSTACLE_CHAIN:
        matter->none = !(def->closed && def->solid);
        if (matter->none || !take_outline(matter, obstacle, time, arena))
            return matter->none;
        /* chain: material on the right */
        matter->outside = twice_area(matter->vertex, matter->vertices) > 0.0;
        return true;
    case CST_OBSTACLE_ARC:
        matter->none = true;
        return true;
    case CST_OBSTACLE_MESH:
        cst_obstacle_solid(obstacle, time, &matter->solid);
        matter->none = !cst_mesh_space_closed(obstacle->mesh);
        return matter->none || take_outline(matter, obstacle, time, arena);
    case CST_OBSTACLE_PLANE:
    case CST_OBSTACLE_SPHERE:
    case CST_OBSTACLE_CAPSULE:
    case CST_OBSTACLE_BOX:
    case CST_OBSTACLE_CYLINDER:
        break;
    }
    cst_obstacle_solid(obstacle, time, &matter->solid);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ chains */

static double distance_to_side(const double *a, const double *b, const double *x)
{
    const double way[2] = {b[0] - a[0], b[1] - a[1]}, from[2] = {x[0] - a[0], x[1] - a[1]};
    const double square = way[0] * way[0] + way[1] * way[1];
    const double along = square > 0.0 ? fmin(fmax((from[0] * way[0] + from[1] * way[1]) / square, 0.0), 1.0) : 0.0;
    return hypot(from[0] - along * way[0], from[1] - along * way[1]);
}

static double chain_depth(const cst_matter *matter, const double *x)
{
    bool inside = false;
    double nearest = DBL_MAX;
    for (int i = 0; i < matter->vertices; i++) {
        const double *a = matter->vertex + 3 * i, *b = matter->vertex + 3 * ((i + 1) % matter->vertices);
        if ((a[1] > x[1]) != (b[1] > x[1]) && x[0] < a[0] + (x[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
            inside = !inside;
        nearest = fmin(nearest, distance_to_side(a, b, x));
    }
    return inside != matter->outside ? nearest + matter->radius : 0.0;
}

/* ------------------------------------------------------------------------------------------------------------------ meshes */

/* Returns the solid angle of a triangle seen from the point x. With the vectors a, b, c from x to the corners of the triangle,
 * the solid angle follows from: `tan(angle/2) = det[a b c]/(|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)`. */
static double solid_angle(const double corner[3][3], const double *x)
{
    double a[3], b[3], c[3], across[3];
    cst_subtract3(corner[0], x, a);
    cst_subtract3(corner[1], x, b);
    cst_subtract3(corner[2], x, c);
    cst_cross3(b, c, across);
    const double A = sqrt(cst_dot3(a, a)), B = sqrt(cst_dot3(b, b)), C = sqrt(cst_dot3(c, c));
    return 2.0 * atan2(cst_dot3(a, across), A * B * C + cst_dot3(a, b) * C + cst_dot3(b, c) * A + cst_dot3(c, a) * B);
}

static double mesh_depth(const cst_matter *matter, const double *x)
{
    double angle = 0.0, nearest = DBL_MAX;
    for (int k = 0; k < 3; k++)
        if (!(x[k] > matter->low[k] && x[k] < matter->high[k]))
            return 0.0;
    for (int i = 0; i < matter->triangles; i++) {
        double corner[3][3];
        for (int k = 0; k < 3; k++)
            memcpy(corner[k], matter->vertex + 3 * (size_t)matter->triangle[3 * i + k], sizeof corner[k]);
        angle += solid_angle(corner, x);
        nearest = fmin(nearest, cst_point_triangle(x, corner[0]).distance);
    }
    return angle > 2.0 * pi ? nearest + matter->rounding : 0.0; /* 4 pi inside, 0 outside */
}

double cst_matter_depth(const cst_matter *matter, const double *x)
{
    double normal[3], depth;
    if (matter->none)
        return 0.0;
    if (matter->shape == CST_OBSTACLE_HALF_PLANE)
        depth = matter->half_plane.height - (matter->half_plane.normal[0] * x[0] + matter->half_plane.normal[1] * x[1]);
    else if (matter->shape == CST_OBSTACLE_DISK)
        depth = (matter->outside ? -1.0 : 1.0) * (matter->radius - hypot(x[0] - matter->center[0], x[1] - matter->center[1]));
    else if (matter->shape == CST_OBSTACLE_CHAIN)
        depth = chain_depth(matter, x);
    else if (matter->shape == CST_OBSTACLE_MESH)
        depth = mesh_depth(matter, x);
    else
        depth = -cst_solid_distance(&matter->solid, x, normal);
    return fmax(depth, 0.0);
}
