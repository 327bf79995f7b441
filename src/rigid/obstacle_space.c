/* Obstacles in 3D. A point of the obstacle has the coordinates y in the frame F of the obstacle, and at the time t the position
 * x(t):
 *
 *     `x(t) = position+translation(t)+exp(rotation(t)) F y`.
 *
 * In a deforming mesh, the coordinates y are interpolated linearly in time between the given shapes. The frame that the
 * definition gives for a plane is not used; the third axis of a plane's frame is its normal. */
#include "rigid/obstacle_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sorted.h"
#include "body/motion.h"
#include "collide/mesh_space.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "mesh/mesh_edges.h"
#include "rigid/solid_check.h"
#include "rigid/solid_drawing.h"
#include "rigid/solid_measure.h"

bool cst_obstacle_is_solid(const cst_obstacle *obstacle)
{
    return obstacle->def.shape >= CST_OBSTACLE_PLANE;
}

static bool deforms(const cst_obstacle *obstacle)
{
    return obstacle->shape != NULL;
}

/* ---------------------------------------------------------------------------------------------------------- where it is */

typedef struct pose {
    double x[3], frame[9];
} pose;

static pose pose_at(const cst_obstacle *obstacle, double time)
{
    const cst_obstacle_def *def = &obstacle->def;
    double translation[3], rotation[3], turn[9];
    pose now;
    cst_motion_sample(&def->motion, time, translation, rotation, NULL, NULL);
    cst_rotation_vector_exp(rotation, turn);
    cst_product3(turn, def->frame, now.frame);
    for (int k = 0; k < 3; k++)
        now.x[k] = def->position[k] + translation[k];
    return now;
}

static void to_world(const pose *at, const double *from, double *to)
{
    cst_apply3(at->frame, from, to);
    cst_add3(1.0, at->x, to);
}

static void to_own(const pose *at, const double *from, double *to)
{
    double away[3];
    cst_subtract3(from, at->x, away);
    cst_apply_transposed3(at->frame, away, to);
}

/* Interpolation between two given shapes of a deforming mesh: `from` is the shape before the present time, `to` is the shape
 * after it, and `share` is the weight of `to`. */
typedef struct between {
    const double *from, *to; /* arrays (vertices x 3) */
    double share;
} between;

static double within_times(const cst_obstacle_def *def, double time)
{
    return fmin(fmax(time, def->mesh_time[0]), def->mesh_time[def->mesh_times - 1]);
}

static between shapes_at(const cst_obstacle_def *def, double time)
{
    const size_t size = 3 * (size_t)def->mesh.vertices;
    const double t = within_times(def, time);
    const int low = cst_sorted_interval(def->mesh_time, def->mesh_times, t), high = low + (def->mesh_times > 1 ? 1 : 0);
    const double span = def->mesh_time[high] - def->mesh_time[low];
    return (between){.from = def->mesh_vertex + size * (size_t)low,
                     .to = def->mesh_vertex + size * (size_t)high,
                     .share = high > low ? (t - def->mesh_time[low]) / span : 0.0};
}

static double blended(const between *at, size_t i)
{
    return (1.0 - at->share) * at->from[i] + at->share * at->to[i];
}

static void shape_at(const cst_obstacle *obstacle, double time, double *vertex)
{
    const between at = shapes_at(&obstacle->def, time);
    for (size_t i = 0; i < 3 * (size_t)obstacle->def.mesh.vertices; i++)
        vertex[i] = blended(&at, i);
}

/* -------------------------------------------------------------------------------------------------------------- collision */

void cst_obstacle_solid(cst_obstacle *obstacle, double time, cst_solid *out)
{
    static const cst_solid_kind kind[] = {CST_SOLID_PLANE, CST_SOLID_SPHERE,   CST_SOLID_CAPSULE,
                                          CST_SOLID_BOX,   CST_SOLID_CYLINDER, CST_SOLID_MESH};
    const cst_obstacle_def *def = &obstacle->def;
    const pose now = pose_at(obstacle, time);
    *out = (cst_solid){.kind = kind[def->shape - CST_OBSTACLE_PLANE], .mesh = obstacle->mesh};
    memcpy(out->position, now.x, sizeof now.x);
    memcpy(out->frame, now.frame, sizeof now.frame);
    if (def->shape == CST_OBSTACLE_SPHERE || def->shape == CST_OBSTACLE_CAPSULE || def->shape == CST_OBSTACLE_CYLINDER) {
        out->size[0] = def->radius;
        out->size[1] = def->shape == CST_OBSTACLE_SPHERE ? 0.0 : def->size[0];
    }
    if (def->shape == CST_OBSTACLE_BOX)
        memcpy(out->size, def->size, sizeof out->size);
    if (def->shape >= CST_OBSTACLE_BOX)
        out->rounding = def->rounding;
    if (!deforms(obstacle))
        return;
    const double shape_time = within_times(def, time);
    if (shape_time != obstacle->shape_time) {
        shape_at(obstacle, shape_time, obstacle->shape);
        obstacle->shape_time = shape_time;
        cst_mesh_space_move(obstacle->mesh, obstacle->shape);
    }
}

static void move_features(cst_obstacle *obstacle, double from, double to, cst_feature_body *out)
{
    const size_t size = 3 * (size_t)obstacle->def.mesh.vertices;
    out->vertex[0] = obstacle->step_shape;
    out->vertex[1] = obstacle->step_shape + size;
    shape_at(obstacle, from, obstacle->step_shape);
    shape_at(obstacle, to, obstacle->step_shape + size);
    cst_feature_mesh_move(obstacle->features, obstacle->step_shape);
    for (size_t i = 0; i < size; i += 3) {
        double way[3];
        cst_subtract3(out->vertex[1] + i, out->vertex[0] + i, way);
        out->stretch = fmax(out->stretch, sqrt(cst_dot3(way, way)));
    }
}

bool cst_obstacle_surface(cst_obstacle *obstacle, double from, double to, cst_feature_body *out)
{
    const cst_obstacle_def *def = &obstacle->def;
    if (!obstacle->features)
        return false;
    const bool round = def->shape == CST_OBSTACLE_SPHERE || def->shape == CST_OBSTACLE_CAPSULE;
    const pose at[2] = {pose_at(obstacle, from), pose_at(obstacle, to)};
    *out = (cst_feature_body){.mesh = obstacle->features, .rounding = round ? def->radius : def->rounding};
    for (int k = 0; k < 2; k++) {
        memcpy(out->x[k], at[k].x, sizeof out->x[k]);
        memcpy(out->R[k], at[k].frame, sizeof out->R[k]);
    }
    if (deforms(obstacle))
        move_features(obstacle, from, to, out);
    return true;
}

void cst_obstacle_moving_plane(const cst_obstacle *obstacle, double from, double to, cst_moving_plane *out)
{
    const pose at[2] = {pose_at(obstacle, from), pose_at(obstacle, to)};
    *out = (cst_moving_plane){0};
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++) {
            out->point[k][c] = at[k].x[c];
            out->n[k][c] = at[k].frame[3 * c + 2];
        }
}

void cst_obstacle_moving_cylinder(const cst_obstacle *obstacle, double from, double to, cst_moving_cylinder *out)
{
    const cst_obstacle_def *def = &obstacle->def;
    const pose at[2] = {pose_at(obstacle, from), pose_at(obstacle, to)};
    *out = (cst_moving_cylinder){.radius = def->radius, .half = def->size[0], .rounding = def->rounding};
    for (int k = 0; k < 2; k++) {
        memcpy(out->x[k], at[k].x, sizeof out->x[k]);
        memcpy(out->R[k], at[k].frame, sizeof out->R[k]);
    }
}

/* A triangle: one corner, the edges u and v that start at the corner, and the unit normal (0 if the triangle has no area). */
typedef struct facet {
    double corner[3], u[3], v[3], normal[3];
} facet;

static facet facet_at(const cst_obstacle_def *def, double time, int32_t part)
{
    const between at = shapes_at(def, time);
    const int32_t *number = def->mesh.triangle + 3 * (size_t)part;
    double corner[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            corner[3 * i + k] = blended(&at, 3 * (size_t)number[i] + (size_t)k);
    facet out;
    memcpy(out.corner, corner, sizeof out.corner);
    cst_subtract3(corner + 3, corner, out.u);
    cst_subtract3(corner + 6, corner, out.v);
    cst_cross3(out.u, out.v, out.normal);
    cst_normalise3(out.normal);
    return out;
}

/* Computes the coordinates of a point relative to a triangle: two coordinates along the edges u and v of the triangle (by least
 * squares), and the height above the plane of the triangle. For a triangle without area, the coordinates along u and v are 0. */
static void facet_coordinates(const facet *of, const double *point, double coordinate[3])
{
    double away[3];
    cst_subtract3(point, of->corner, away);
    const double uu = cst_dot3(of->u, of->u), uv = cst_dot3(of->u, of->v), vv = cst_dot3(of->v, of->v);
    const double au = cst_dot3(away, of->u), av = cst_dot3(away, of->v), determinant = uu * vv - uv * uv;
    coordinate[0] = determinant > 0.0 ? (vv * au - uv * av) / determinant : 0.0;
    coordinate[1] = determinant > 0.0 ? (uu * av - uv * au) / determinant : 0.0;
    coordinate[2] = cst_dot3(away, of->normal);
}

static void facet_point(const facet *of, const double coordinate[3], double *out)
{
    memcpy(out, of->corner, sizeof of->corner);
    cst_add3(coordinate[0], of->u, out);
    cst_add3(coordinate[1], of->v, out);
    cst_add3(coordinate[2], of->normal, out);
}

void cst_obstacle_solid_velocity(const cst_obstacle *obstacle, double time, double dt, double when, int32_t part,
                                 const double *point, double *velocity)
{
    const cst_obstacle_def *def = &obstacle->def;
    if (def->motion.keys == 0 && !deforms(obstacle)) {
        velocity[0] = velocity[1] = velocity[2] = 0.0;
        return;
    }
    const pose then = pose_at(obstacle, when), before = pose_at(obstacle, time), after = pose_at(obstacle, time + dt);
    double own[3], own_before[3], own_after[3], from[3], to[3];
    to_own(&then, point, own);
    memcpy(own_before, own, sizeof own);
    memcpy(own_after, own, sizeof own);
    if (deforms(obstacle)) {
        double coordinate[3];
        const facet there = facet_at(def, when, part), first = facet_at(def, time, part), last = facet_at(def, time + dt, part);
        facet_coordinates(&there, own, coordinate);
        facet_point(&first, coordinate, own_before);
        facet_point(&last, coordinate, own_after);
    }
    to_world(&before, own_before, from);
    to_world(&after, own_after, to);
    for (int k = 0; k < 3; k++)
        velocity[k] = (to[k] - from[k]) / dt;
}

/* ---------------------------------------------------------------------------------------------------------------- drawing */

static int vertices_of(const cst_obstacle_def *def)
{
    switch (def->shape) {
    case CST_OBSTACLE_SPHERE:
        return 3;
    case CST_OBSTACLE_BOX:
        return CST_BOX_VERTICES;
    case CST_OBSTACLE_CYLINDER:
        return CST_CYLINDER_VERTICES;
    case CST_OBSTACLE_MESH:
        return def->mesh.vertices;
    default:
        return 2;
    }
}

/* Computes the vertices of the drawing. Boxes and cylinders are drawn with sharp edges and enlarged by their rounding radius, so
 * that their faces are at the correct places. */
static void own_vertices(const cst_obstacle *obstacle, double time, double *vertex)
{
    const cst_obstacle_def *def = &obstacle->def;
    const double r = def->radius, grown = def->rounding;
    switch (def->shape) {
    case CST_OBSTACLE_PLANE:
        memcpy(vertex, (const double[6]){0.0, 0.0, 0.0, 0.0, 0.0, 1.0}, 6 * sizeof *vertex);
        return;
    case CST_OBSTACLE_SPHERE:
        memcpy(vertex, (const double[9]){0.0, 0.0, 0.0, r, 0.0, 0.0, 0.0, r, 0.0}, 9 * sizeof *vertex);
        return;
    case CST_OBSTACLE_CAPSULE:
        memcpy(vertex, (const double[6]){0.0, 0.0, -def->size[0], 0.0, 0.0, def->size[0]}, 6 * sizeof *vertex);
        return;
    case CST_OBSTACLE_BOX:
        cst_box_vertices((const double[3]){def->size[0] + grown, def->size[1] + grown, def->size[2] + grown}, vertex);
        return;
    case CST_OBSTACLE_CYLINDER:
        cst_cylinder_vertices(r + grown, def->size[0] + grown, vertex);
        return;
    default:
        if (deforms(obstacle))
            shape_at(obstacle, time, vertex);
        else
            memcpy(vertex, def->mesh.vertex, 3 * (size_t)def->mesh.vertices * sizeof *vertex);
    }
}

static double drawn_radius(const cst_obstacle_def *def)
{
    if (def->shape == CST_OBSTACLE_SPHERE || def->shape == CST_OBSTACLE_CAPSULE)
        return def->radius;
    return def->shape == CST_OBSTACLE_MESH ? def->rounding : 0.0;
}

cst_drawing cst_obstacle_space_draw(const cst_obstacle *obstacle, double time, double *position, double *radius)
{
    static const cst_drawn_as as[] = {CST_DRAWN_HALF_PLANE, CST_DRAWN_DISK, CST_DRAWN_CURVE,
                                      CST_DRAWN_MESH,       CST_DRAWN_MESH, CST_DRAWN_MESH};
    const cst_obstacle_def *def = &obstacle->def;
    const cst_drawing out = {.as = as[def->shape - CST_OBSTACLE_PLANE], .vertices = vertices_of(def)};
    if (position) {
        const pose now = pose_at(obstacle, time);
        own_vertices(obstacle, time, position);
        for (int i = 0; i < out.vertices; i++) {
            const double own[3] = {position[3 * i], position[3 * i + 1], position[3 * i + 2]};
            to_world(&now, own, position + 3 * i);
        }
    }
    for (int i = 0; radius && i < out.vertices; i++)
        radius[i] = drawn_radius(def);
    return out;
}

int cst_obstacle_triangles(const cst_obstacle *obstacle, int32_t *out)
{
    const cst_obstacle_def *def = &obstacle->def;
    switch (def->shape) {
    case CST_OBSTACLE_BOX:
        if (out)
            cst_box_triangles(out);
        return CST_BOX_TRIANGLES;
    case CST_OBSTACLE_CYLINDER:
        if (out)
            cst_cylinder_triangles(out);
        return CST_CYLINDER_TRIANGLES;
    case CST_OBSTACLE_MESH:
        if (out)
            memcpy(out, def->mesh.triangle, 3 * (size_t)def->mesh.triangles * sizeof *out);
        return def->mesh.triangles;
    default:
        return 0;
    }
}

/* --------------------------------------------------------------------------------------------------------------- creation */

static bool check_lengths(const cst_obstacle_def *def, char *message, size_t size)
{
    const int lengths = def->shape == CST_OBSTACLE_BOX ? 3 : 1;
    if ((def->shape == CST_OBSTACLE_SPHERE || def->shape == CST_OBSTACLE_CAPSULE || def->shape == CST_OBSTACLE_CYLINDER) &&
        !(def->radius > 0.0)) {
        snprintf(message, size, "obstacle: the radius must be positive, not %g m", def->radius);
        return false;
    }
    for (int k = 0; def->shape != CST_OBSTACLE_SPHERE && k < lengths; k++)
        if (!(def->size[k] > 0.0) || !isfinite(def->size[k])) {
            snprintf(message, size, "obstacle: half the length of %s must be positive, not %g m",
                     def->shape == CST_OBSTACLE_BOX ? "each edge of a box" : "a capsule or cylinder", def->size[k]);
            return false;
        }
    return true;
}

static bool check_times(const cst_obstacle_def *def, char *message, size_t size)
{
    if (def->mesh_times < 1 || !def->mesh_time) {
        snprintf(message, size, "obstacle: a mesh that deforms needs at least one time, not %d",
                 def->mesh_time ? def->mesh_times : 0);
        return false;
    }
    for (int i = 0; i < def->mesh_times; i++)
        if (!isfinite(def->mesh_time[i]) || (i > 0 && !(def->mesh_time[i] > def->mesh_time[i - 1]))) {
            snprintf(message, size, "obstacle: time %d of the shapes of the mesh (%g s) is not after the one before", i,
                     def->mesh_time[i]);
            return false;
        }
    return true;
}

bool cst_obstacle_space_check(const cst_obstacle_def *def, char *message, size_t size)
{
    double frame[9], normal[3];
    memcpy(frame, def->frame, sizeof frame);
    memcpy(normal, def->normal, sizeof normal);
    if (def->shape < CST_OBSTACLE_PLANE || def->shape > CST_OBSTACLE_MESH) {
        snprintf(message, size, "obstacle: no such shape: %d", (int)def->shape);
        return false;
    }
    if (def->shape == CST_OBSTACLE_PLANE) {
        const double length = cst_normalise3(normal);
        if (length > 0.0 && isfinite(length))
            return true;
        snprintf(message, size, "obstacle: the normal of the plane must be a direction, not (%g, %g, %g)", def->normal[0],
                 def->normal[1], def->normal[2]);
        return false;
    }
    if (!cst_frame_mend(frame, "obstacle", message, size))
        return false;
    if (!(def->rounding >= 0.0) || !isfinite(def->rounding)) {
        snprintf(message, size, "obstacle: the rounding must be 0 or more, not %g m", def->rounding);
        return false;
    }
    if (def->shape != CST_OBSTACLE_MESH)
        return check_lengths(def, message, size);
    if (def->mesh_vertex)
        return check_times(def, message, size) &&
               cst_mesh_check(&def->mesh, def->mesh_vertex, def->mesh_times, "obstacle", message, size);
    return cst_mesh_check(&def->mesh, def->mesh.vertex, 1, "obstacle", message, size);
}

/* Normalises the normal of a plane and builds a frame with the normal as its third axis. The first two axes of a plane's frame
 * have no effect on contacts or on the drawing. The first axis is perpendicular to the coordinate axis along which the normal has
 * its smallest component. */
static void plane_frame(double *normal, double *frame)
{
    double first[3], second[3], axis[3] = {0.0, 0.0, 0.0};
    cst_normalise3(normal);
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) < fabs(normal[least]))
            least = k;
    axis[least] = 1.0;
    cst_cross3(axis, normal, first);
    cst_normalise3(first);
    cst_cross3(normal, first, second);
    cst_columns3(first, second, normal, frame);
}

static bool keep_mesh(cst_obstacle *obstacle, cst_arena *arena)
{
    cst_obstacle_def *def = &obstacle->def;
    const bool moves = def->mesh_vertex != NULL;
    const size_t shapes = moves ? (size_t)def->mesh_times : 1, size = 3 * (size_t)def->mesh.vertices;
    double *vertex = CST_TAKE(arena, double, shapes *size), *time = CST_TAKE(arena, double, moves ? shapes : 0);
    double *shape = CST_TAKE(arena, double, moves ? size : 0), *step_shape = CST_TAKE(arena, double, moves ? 2 * size : 0);
    int32_t *triangle = CST_TAKE(arena, int32_t, 3 * (size_t)def->mesh.triangles);
    if (arena->failed)
        return false;
    memcpy(vertex, moves ? def->mesh_vertex : def->mesh.vertex, shapes * size * sizeof *vertex);
    memcpy(triangle, def->mesh.triangle, 3 * (size_t)def->mesh.triangles * sizeof *triangle);
    def->mesh.vertex = vertex;
    def->mesh.triangle = triangle;
    if (moves) {
        memcpy(time, def->mesh_time, shapes * sizeof *time);
        memcpy(shape, vertex, size * sizeof *shape);
        def->mesh_vertex = vertex;
        def->mesh_time = time;
        obstacle->shape = shape;
        obstacle->step_shape = step_shape;
        obstacle->shape_time = time[0];
    }
    obstacle->mesh =
        cst_mesh_space_create(vertex, def->mesh.vertices, triangle, def->mesh.triangles, def->mesh.closed, &arena->allocator);
    return obstacle->mesh != NULL;
}

static bool keep_features(cst_obstacle *obstacle, cst_arena *arena)
{
    const cst_obstacle_def *def = &obstacle->def;
    double vertex[3 * CST_BOX_VERTICES] = {0.0};
    int32_t triangle[3 * CST_BOX_TRIANGLES];
    switch (def->shape) {
    case CST_OBSTACLE_SPHERE:
        obstacle->features = cst_feature_mesh_create(vertex, 1, NULL, 0, false, &arena->allocator);
        break;
    case CST_OBSTACLE_CAPSULE:
        vertex[2] = -def->size[0];
        vertex[5] = def->size[0];
        obstacle->features = cst_feature_mesh_create(vertex, 2, NULL, 0, false, &arena->allocator);
        break;
    case CST_OBSTACLE_BOX:
        cst_box_vertices(def->size, vertex);
        cst_box_triangles(triangle);
        obstacle->features =
            cst_feature_mesh_create(vertex, CST_BOX_VERTICES, triangle, CST_BOX_TRIANGLES, true, &arena->allocator);
        break;
    case CST_OBSTACLE_MESH:
        obstacle->features = cst_feature_mesh_create(def->mesh.vertex, def->mesh.vertices, def->mesh.triangle,
                                                     def->mesh.triangles, def->mesh.closed, &arena->allocator);
        break;
    default:
        return true;
    }
    return obstacle->features != NULL;
}

/* Refuses a closed mesh whose triangles are oriented inwards, in any of its shapes if it deforms, because contacts would push
 * bodies through its surface. If a mesh declared as closed has an open edge (for example, the surface of the
 * ground, with material below it), it has no volume, and its orientation is not checked. */
static bool check_outside(const cst_obstacle_def *def, cst_arena *arena, char *message, size_t message_size)
{
    const cst_mesh *mesh = &def->mesh;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_mesh_edge *edge;
    const int edges = cst_mesh_edges(mesh->triangle, mesh->triangles, arena, &edge);
    const bool closed = edges > 0 && cst_mesh_open_edge(edge, edges) < 0;
    cst_arena_release(arena, mark);
    const int shapes = def->mesh_vertex ? def->mesh_times : 1;
    for (int i = 0; closed && i < shapes; i++) {
        cst_mesh shape = *mesh;
        shape.vertex += 3 * (size_t)i * (size_t)mesh->vertices;
        const double volume = cst_measure_mesh(&shape).volume;
        if (volume < 0.0) {
            snprintf(message, message_size,
                     "obstacle: the triangles of a closed mesh must be counter-clockwise seen from outside (volume %g m3)",
                     volume);
            return false;
        }
    }
    if (edges < 0)
        snprintf(message, message_size, "obstacle: out of memory");
    return edges >= 0;
}

bool cst_obstacle_space_keep(cst_obstacle *obstacle, cst_arena *arena, char *message, size_t message_size)
{
    cst_obstacle_def *def = &obstacle->def;
    if (def->shape == CST_OBSTACLE_PLANE)
        plane_frame(def->normal, def->frame);
    else if (!cst_frame_mend(def->frame, "obstacle", message, message_size))
        return false;
    if ((def->shape == CST_OBSTACLE_MESH && !keep_mesh(obstacle, arena)) || !keep_features(obstacle, arena)) {
        snprintf(message, message_size, "obstacle: out of memory");
        cst_obstacle_destroy(obstacle);
        return false;
    }
    if (def->shape != CST_OBSTACLE_MESH)
        return true;
    if (!def->mesh.closed || check_outside(def, arena, message, message_size))
        return true;
    cst_obstacle_destroy(obstacle);
    return false;
}
