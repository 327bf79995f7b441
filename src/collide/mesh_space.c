#include "collide/mesh_space.h"

#include <string.h>

#include "base/checksum.h"
#include "collide/distance_segment.h"
#include "collide/slope_triangle.h"
#include "collide/touch_surface.h"
#include "math/vector3.h"
#include "mesh/mesh_edges.h"

struct cst_mesh_space {
    cst_arena arena;
    cst_arena_mark built; /* the arena before the tree */
    int vertices, triangles;
    bool closed;
    double *vertex;    /* (vertices x 3) */
    int32_t *triangle; /* (triangles x 3) */
    double *normal;    /* array (triangles x 3): unit normal of each triangle; 0: no area */
    /* array (triangles x 9): for each edge of each triangle, the outward unit vector in the triangle's plane that is
     * perpendicular to the edge; 0: the triangle is too narrow (WIDE) */
    double *across;
    int32_t *star;   /* array (vertices + 1): index in the array `around` of the first triangle of each vertex */
    int32_t *around; /* (3 triangles) triangles at each vertex */
    cst_box *box;    /* array (triangles): bounding box of each triangle, extended into the solid by `below` */
    cst_box whole;
    double below; /* m; 0: open mesh */
    cst_box_tree tree;
    bool tree_built;
    uint64_t checksum; /* of the vertices */
};

static bool all_finite(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += x[i] - x[i]; /* 0 unless x[i] is not finite */
    return sum == 0.0;
}

static void corners_of(const cst_mesh_space *mesh, int32_t triangle, double *corner)
{
    for (int i = 0; i < 3; ++i)
        memcpy(corner + 3 * i, mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)triangle + (size_t)i], 3 * sizeof *corner);
}

/* WIDE: the vectors `across` of a triangle are 0 if the sine of the angle at its first corner is at most WIDE, because the normal
 * of such a narrow triangle may be only rounding error. */
static const double WIDE = 1e-6;

static void lay_across(const double *corner, const double *normal, bool wide, double *across)
{
    for (int k = 0; k < 3; ++k, across += 3) {
        double edge[3];
        cst_subtract3(corner + 3 * ((k + 1) % 3), corner + 3 * k, edge);
        cst_cross3(edge, normal, across);
        cst_normalise3(across);
        for (int i = 0; i < 3 && !wide; ++i)
            across[i] = 0.0;
    }
}

/* Extends the bounding boxes of the triangles of a closed mesh by the depth `below` along the inward normals, for the search of
 * penetrations. The box of a triangle that is too narrow for a reliable normal (WIDE) is extended on all sides. If the bounding
 * box of a segment were extended instead of those of the triangles, the segment's box would grow on all sides. The box of a short
 * segment of a hair above a head would then overlap the boxes of 42 triangles. */
static void extend_boxes(cst_mesh_space *mesh)
{
    /* BELOW: depth by which the bounding boxes of the triangles are extended, as a share of the distance from the origin to the
     * farthest corner of the mesh's bounding box; the same as SOLID_DEPTH in world/shapes_space.c */
    static const double BELOW = 0.1;
    double farthest = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double most = fmax(fabs(mesh->whole.low[k]), fabs(mesh->whole.high[k]));
        farthest += most * most;
    }
    mesh->below = mesh->closed ? BELOW * sqrt(farthest) : 0.0;
    for (int i = 0; i < mesh->triangles && mesh->closed; ++i) {
        const double *normal = mesh->normal + 3 * (size_t)i, *across = mesh->across + 9 * (size_t)i;
        const bool wide = cst_dot3(across, across) > 0.0; /* otherwise its normal is unreliable */
        for (int k = 0; k < 3; ++k) {
            mesh->box[i].low[k] -= mesh->below * (wide ? fmax(0.0, normal[k]) : 1.0);
            mesh->box[i].high[k] += mesh->below * (wide ? fmax(0.0, -normal[k]) : 1.0);
        }
    }
}

bool cst_mesh_space_move(cst_mesh_space *mesh, const double *vertex)
{
    if (!all_finite(vertex, 3 * mesh->vertices))
        return false;
    const size_t bytes = 3 * (size_t)mesh->vertices * sizeof *vertex;
    if (mesh->tree_built && memcmp(mesh->vertex, vertex, bytes) == 0) /* the vertices have not moved */
        return true;
    memmove(mesh->vertex, vertex, bytes);
    mesh->checksum = cst_checksum(0, mesh->vertex, 3 * (size_t)mesh->vertices * sizeof *vertex);
    mesh->whole = (cst_box){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < mesh->triangles; ++i) {
        double corner[9], u[3], v[3];
        corners_of(mesh, i, corner);
        for (int k = 0; k < 3; ++k) {
            mesh->box[i].low[k] = fmin(fmin(corner[k], corner[3 + k]), corner[6 + k]);
            mesh->box[i].high[k] = fmax(fmax(corner[k], corner[3 + k]), corner[6 + k]);
            mesh->whole.low[k] = fmin(mesh->whole.low[k], mesh->box[i].low[k]);
            mesh->whole.high[k] = fmax(mesh->whole.high[k], mesh->box[i].high[k]);
        }
        cst_subtract3(corner + 3, corner, u);
        cst_subtract3(corner + 6, corner, v);
        cst_cross3(u, v, mesh->normal + 3 * (size_t)i);
        const double area = cst_normalise3(mesh->normal + 3 * (size_t)i);
        lay_across(corner, mesh->normal + 3 * (size_t)i, area > WIDE * sqrt(cst_dot3(u, u) * cst_dot3(v, v)),
                   mesh->across + 9 * (size_t)i);
    }
    extend_boxes(mesh);
    cst_arena_release(&mesh->arena, mesh->built);
    mesh->tree_built = cst_box_tree_build(mesh->box, mesh->triangles, &mesh->arena, &mesh->tree);
    return mesh->tree_built;
}

static void list_stars(cst_mesh_space *mesh)
{
    for (int i = 0; i < 3 * mesh->triangles; ++i)
        ++mesh->star[mesh->triangle[i]];
    int32_t sum = 0;
    for (int i = 0; i <= mesh->vertices; ++i) {
        const int32_t here = mesh->star[i];
        mesh->star[i] = sum;
        sum += here;
    }
    for (int i = 0; i < 3 * mesh->triangles; ++i)
        mesh->around[mesh->star[mesh->triangle[i]]++] = i / 3;
    for (int i = mesh->vertices; i > 0; --i)
        mesh->star[i] = mesh->star[i - 1];
    mesh->star[0] = 0;
}

static bool take_lists(cst_mesh_space *mesh, const int32_t *triangle)
{
    cst_arena *arena = &mesh->arena;
    const size_t vertices = (size_t)mesh->vertices, triangles = (size_t)mesh->triangles;
    mesh->vertex = CST_TAKE(arena, double, 3 * vertices);
    mesh->triangle = CST_TAKE(arena, int32_t, 3 * triangles);
    mesh->normal = CST_TAKE(arena, double, 3 * triangles);
    mesh->across = CST_TAKE(arena, double, 9 * triangles);
    mesh->star = CST_TAKE(arena, int32_t, vertices + 1);
    mesh->around = CST_TAKE(arena, int32_t, 3 * triangles);
    mesh->box = CST_TAKE(arena, cst_box, triangles);
    if (arena->failed)
        return false;
    memcpy(mesh->triangle, triangle, 3 * triangles * sizeof *triangle);
    list_stars(mesh);
    mesh->built = cst_arena_mark_now(arena);
    return true;
}

cst_mesh_space *cst_mesh_space_create(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed,
                                      const cst_allocator *allocator)
{
    const bool proper = cst_mesh_corners_exist(triangle, triangles, vertices);
    cst_mesh_space *mesh = proper ? CST_TAKE_WITH_ARENA(cst_mesh_space, allocator) : NULL;
    if (!mesh)
        return NULL;
    mesh->vertices = vertices;
    mesh->triangles = triangles;
    mesh->closed = closed;
    if (!take_lists(mesh, triangle) || !cst_mesh_space_move(mesh, vertex)) {
        cst_mesh_space_destroy(mesh);
        return NULL;
    }
    return mesh;
}

void cst_mesh_space_destroy(cst_mesh_space *mesh)
{
    if (mesh)
        cst_arena_end_from_within(&mesh->arena);
}

uint64_t cst_mesh_space_checksum(const cst_mesh_space *mesh)
{
    return mesh->checksum;
}

bool cst_mesh_space_closed(const cst_mesh_space *mesh)
{
    return mesh->closed;
}

cst_box cst_mesh_space_box(const cst_mesh_space *mesh)
{
    return mesh->whole;
}

void cst_mesh_space_normal(const cst_mesh_space *mesh, int32_t triangle, double *normal)
{
    memcpy(normal, mesh->normal + 3 * (size_t)triangle, 3 * sizeof *normal);
}

double cst_mesh_space_below(const cst_mesh_space *mesh)
{
    return mesh->below;
}

int cst_mesh_space_near(const cst_mesh_space *mesh, const cst_box *box, int32_t *out, int limit)
{
    return cst_box_tree_query(&mesh->tree, box, out, limit);
}

/* Returns true if both ends of a line are more than `reach` (m) above the plane through the point x with the unit normal
 * `normal`. */
static inline bool is_beyond(const double line[2][3], const double *x, const double *normal, double reach)
{
    const double at = cst_dot3(x, normal) + reach;
    return cst_dot3(line[0], normal) > at && cst_dot3(line[1], normal) > at;
}

int cst_mesh_space_thin_out(const cst_mesh_space *mesh, const double line[2][3], double reach, double depth, int32_t *triangle,
                            int count)
{
    double size = reach + depth;
    for (int k = 0; k < 3; ++k)
        size += fabs(line[0][k]) + fabs(line[1][k]) + fmax(fabs(mesh->whole.low[k]), fabs(mesh->whole.high[k]));
    const double far = reach + 1e-9 * size; /* much larger than rounding errors */
    int left = 0;
    for (int i = 0; i < count; ++i) {
        const int32_t t = triangle[i], *corner = mesh->triangle + 3 * (size_t)t;
        const double *normal = mesh->normal + 3 * (size_t)t, *across = mesh->across + 9 * (size_t)t;
        const double back[3] = {-normal[0], -normal[1], -normal[2]};
        const double *x = mesh->vertex + 3 * (size_t)corner[0];
        const bool wide = cst_dot3(across, across) > 0.0;
        bool apart = wide && (is_beyond(line, x, normal, far) || is_beyond(line, x, back, far + depth));
        for (int k = 0; k < 3 && wide && !apart; ++k)
            apart = is_beyond(line, mesh->vertex + 3 * (size_t)corner[k], across + 3 * k, far);
        if (!apart)
            triangle[left++] = t;
    }
    return left;
}

static cst_on_triangle nearest_on(const cst_mesh_space *mesh, const double *x, int32_t triangle)
{
    double corner[9];
    corners_of(mesh, triangle, corner);
    return cst_point_triangle(x, corner);
}

int32_t cst_mesh_space_nearest(const cst_mesh_space *mesh, const double *x, int32_t start, double *foot)
{
    int32_t at = start >= 0 && start < mesh->triangles ? start : 0;
    cst_on_triangle best = nearest_on(mesh, x, at);
    /* the search visits no triangle twice, because each triangle is nearer to the point x than the one before it */
    for (int32_t from = -1; from != at;) {
        from = at;
        for (int k = 0; k < 3; ++k) {
            const int32_t corner = mesh->triangle[3 * (size_t)from + (size_t)k];
            for (int32_t i = mesh->star[corner]; i < mesh->star[corner + 1]; ++i) {
                const cst_on_triangle other = nearest_on(mesh, x, mesh->around[i]);
                if (other.distance < best.distance) {
                    best = other;
                    at = mesh->around[i];
                }
            }
        }
    }
    memcpy(foot, best.x, sizeof best.x);
    return at;
}

/* --------------------------------------------------------------------------------------------------------------- touches */

/* A triangle in the world frame. */
typedef struct placed_triangle {
    const cst_solid *solid;
    int32_t number;
    cst_laid_triangle at;
    double normal[3];
    double rounding;
    double depth; /* largest depth (m) below the triangle at which contacts are found; 0: open mesh */
    /* unit normal of the triangle, on the side of the segment; it is the contact normal if the segment's point lies exactly on
     * the triangle */
    double side[3];
} placed_triangle;

static double triangle_distance(const void *user, const double *x, double *n)
{
    const placed_triangle *triangle = user;
    const cst_on_triangle at = cst_point_laid_triangle(x, &triangle->at);
    cst_subtract3(x, at.x, n);
    const double above = cst_dot3(n, triangle->normal);
    if (triangle->depth > 0.0 && at.part == CST_TRIANGLE_FACE && above <= 0.0 && at.distance <= triangle->depth) {
        memcpy(n, triangle->normal, sizeof triangle->normal);
        return -at.distance - triangle->rounding;
    }
    const double distance = cst_normalise3(n);
    /* x is on the triangle */
    if (!(distance > 1e-12 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]))))
        memcpy(n, triangle->side, sizeof triangle->side);
    return distance - triangle->rounding;
}

static double slope_passes(const void *user, const double *x0, const double *d, double low, double high, double target)
{
    const placed_triangle *triangle = user;
    return cst_triangle_slope_passes(&triangle->at, x0, d, low, high, target);
}

/* Returns the index (0 to 2) of the corner of a triangle that is neither `here` nor `there`. Returns -1 if the vertex `here` or
 * the vertex `there` is not a corner of the triangle. */
static int third_corner(const int32_t *corner, int32_t here, int32_t there)
{
    int third = -1, found = 0;
    for (int j = 0; j < 3; ++j) {
        if (corner[j] == here || corner[j] == there)
            ++found;
        else
            third = j;
    }
    return found == 2 ? third : -1;
}

/* Returns true if no neighbouring triangle is nearer than the given triangle to a point x. `part`: nearest edge or corner of the
 * given triangle. `away`: vector from the nearest point of the given triangle to the point x. `slack`: a neighbouring triangle
 * counts as nearer to x only if the component of the vector `away` in a direction into this triangle exceeds `slack` (m).
 * `beside`: NULL, or the vector to a second point y from its nearest point of the given triangle, which must be on the same edge
 * or corner `part`. If the second point y is given, a neighbouring triangle counts as nearer only if it is nearer to both points
 * x and y. */
static bool rests_on_mesh(const cst_mesh_space *mesh, int32_t triangle, int part, const double *away, const double *beside,
                          double slack)
{
    if (part == CST_TRIANGLE_FACE)
        return true;
    const bool edge = part < CST_TRIANGLE_CORNER;
    const int k = edge ? part - CST_TRIANGLE_EDGE : part - CST_TRIANGLE_CORNER;
    const int32_t *mine = mesh->triangle + 3 * (size_t)triangle;
    const int32_t here = mine[k], there = mine[(k + 1) % 3];
    const double *p = mesh->vertex + 3 * (size_t)here;
    double along[3] = {0.0, 0.0, 0.0};
    if (edge) {
        cst_subtract3(mesh->vertex + 3 * (size_t)there, p, along);
        cst_normalise3(along);
    }
    for (int32_t i = mesh->star[here]; i < mesh->star[here + 1]; ++i) {
        const int32_t *corner = mesh->triangle + 3 * (size_t)mesh->around[i];
        const int third = edge ? third_corner(corner, here, there) : -1;
        if (mesh->around[i] == triangle || (edge && third < 0))
            continue;
        for (int j = 0; j < 3; ++j) {
            if (edge ? j != third : corner[j] == here)
                continue;
            double into[3];
            cst_subtract3(mesh->vertex + 3 * (size_t)corner[j], p, into);
            cst_add3(-cst_dot3(into, along), along, into);
            if (cst_normalise3(into) > 0.0 && cst_dot3(into, away) > slack && (!beside || cst_dot3(into, beside) > slack))
                return false;
        }
    }
    return true;
}

/* Returns true if one neighbouring triangle is nearer than the tested triangle to all points of the line from x0 to x1. The
 * function returns false unless the points of the tested triangle that are nearest to x0 and to x1 are on the same edge or
 * corner. It is enough to test the two ends of the line. All points nearest to one edge or corner of the triangle form a convex
 * set, on which the vector from the nearest point is a linear function of the point. */
static bool nothing_rests(const void *user, const double *x0, const double *x1)
{
    /* CLEARLY: a neighbouring triangle counts as nearer to a point if the vector w from the common edge or corner to this point
     * has a component into the neighbouring triangle that exceeds CLEARLY |w|. */
    static const double CLEARLY = 1e-6;
    const placed_triangle *triangle = user;
    cst_on_triangle at[2] = {cst_point_laid_triangle(x0, &triangle->at)};
    if (at[0].part == CST_TRIANGLE_FACE)
        return false;
    at[1] = x1 == x0 ? at[0] : cst_point_laid_triangle(x1, &triangle->at);
    if (at[0].part != at[1].part)
        return false;
    double local[2][3];
    for (int i = 0; i < 2; ++i) {
        double away[3];
        cst_subtract3(i ? x1 : x0, at[i].x, away);
        cst_apply_transposed3(triangle->solid->frame, away, local[i]);
    }
    return !rests_on_mesh(triangle->solid->mesh, triangle->number, at[0].part, local[0], local[1],
                          CLEARLY * fmax(at[0].distance, at[1].distance));
}

/* Returns true if the point `foot` of a triangle lies on an edge that joins the triangle to a coplanar triangle. */
static bool on_level_edge(const cst_mesh_space *mesh, int32_t triangle, const double *corner, const double *foot)
{
    const int32_t *mine = mesh->triangle + 3 * (size_t)triangle;
    for (int k = 0; k < 3; ++k) {
        const double *from = corner + 3 * k, *to = corner + 3 * ((k + 1) % 3);
        const double s = cst_point_segment(foot, from, to);
        double off[3], edge[3];
        cst_subtract3(to, from, edge);
        for (int i = 0; i < 3; ++i)
            off[i] = foot[i] - from[i] - s * edge[i];
        if (cst_dot3(off, off) > 1e-14 * cst_dot3(edge, edge))
            continue;
        const int32_t here = mine[k], there = mine[(k + 1) % 3];
        for (int32_t i = mesh->star[here]; i < mesh->star[here + 1]; ++i) {
            const int32_t other = mesh->around[i];
            const double *n = mesh->normal + 3 * (size_t)triangle, *m = mesh->normal + 3 * (size_t)other;
            if (other != triangle && third_corner(mesh->triangle + 3 * (size_t)other, here, there) >= 0 &&
                fabs(cst_dot3(n, m)) > 1.0 - 1e-12)
                return true;
        }
    }
    return false;
}

/* Returns true if a contact of a segment with one triangle is also a contact with the whole mesh. */
static bool keep_touch(const cst_solid *solid, int32_t triangle, const placed_triangle *placed, const cst_curve_side *a,
                       const cst_touch_space *touch)
{
    const cst_on_triangle at = cst_point_laid_triangle(touch->x_a, &placed->at);
    const double facing = cst_dot3(touch->normal, placed->normal);
    if (solid->mesh->closed && facing < -1e-9)
        /* The code drops a contact whose normal points into the solid: it belongs to another face, or the segment is deeper in
         * the solid than the largest depth of a contact. */
        return false;
    double away[3], local[3];
    cst_subtract3(touch->x_a, at.x, away);
    cst_apply_transposed3(solid->frame, away, local);
    const double slack = 1e-10 * at.distance + 1e-14 * a->segment->h;
    if (!rests_on_mesh(solid->mesh, triangle, at.part, local, NULL, slack))
        return false;
    /* A straight centreline piece can touch two coplanar triangles along one line. The contact where the line of contact crosses
     * the common edge of two coplanar triangles is dropped, because only the ends of the line are contacts. */
    const bool inside = a->piece->straight && touch->s_a > 0.0 && touch->s_a < a->piece->piece->length;
    return !(inside && fabs(facing) > 1.0 - 1e-9 && on_level_edge(solid->mesh, triangle, placed->at.corner, at.x) &&
             fabs(cst_dot3(touch->normal, a->piece->t[0])) < 1e-8);
}

/* Returns true if the point x is inside a closed mesh. The solid angles of all triangles of a closed mesh, seen from a point, add
 * up to 4 pi if the point is inside, and to 0 if it is outside (van Oosterom and Strackee 1983). */
static bool is_inside(const cst_mesh_space *mesh, const double *x)
{
    static const double PI = 3.14159265358979323846;
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangles; ++t) {
        double corner[9], r[3][3], l[3], across[3];
        corners_of(mesh, t, corner);
        for (int i = 0; i < 3; ++i) {
            cst_subtract3(corner + 3 * i, x, r[i]);
            l[i] = sqrt(cst_dot3(r[i], r[i]));
        }
        cst_cross3(r[1], r[2], across);
        sum += 2.0 * atan2(cst_dot3(r[0], across), l[0] * l[1] * l[2] + cst_dot3(r[0], r[1]) * l[2] +
                                                       cst_dot3(r[0], r[2]) * l[1] + cst_dot3(r[1], r[2]) * l[0]);
    }
    return sum > 2.0 * PI;
}

/* Returns true if a contact point is so far below a face that it lies outside the solid again, beyond the opposite side of the
 * solid. For example, the centre of a large ball beside a small octahedron is outside the octahedron, although it is below the
 * faces on the far side. */
static bool is_behind(const cst_solid *solid, const cst_curve_side *a, double depth, const cst_touch_space *touch)
{
    const double radius = a->piece->piece->radius, below = -(touch->gap + radius + solid->rounding);
    double from[3], local[3];
    if (!solid->mesh->closed || !(below > depth - radius))
        return false;
    cst_subtract3(touch->x_a, solid->position, from);
    cst_apply_transposed3(solid->frame, from, local);
    return !is_inside(solid->mesh, local);
}

/* Returns true if a line is nearer to a triangle than `far` (m). The ends of the line are tested first, because a line near the
 * triangle usually has an end near the triangle. */
static bool is_within(const cst_laid_triangle *triangle, const double line[2][3], double far)
{
    double at;
    return cst_point_laid_triangle(line[0], triangle).distance < far ||
           cst_point_laid_triangle(line[1], triangle).distance < far ||
           cst_segment_laid_triangle(line[0], line[1], triangle, &at) < far;
}

int cst_touch_triangle(const cst_curve_side *a, const cst_solid *solid, int32_t triangle, double depth,
                       const cst_space_rules *rules, cst_touch_space *out)
{
    const cst_mesh_space *mesh = solid->mesh;
    placed_triangle placed = {.solid = solid, .number = triangle, .rounding = solid->rounding, .depth = depth};
    double corner[9], in_world[9];
    corners_of(mesh, triangle, corner);
    for (int i = 0; i < 3; ++i) {
        cst_apply3(solid->frame, corner + 3 * i, in_world + 3 * i);
        cst_add3(1.0, solid->position, in_world + 3 * i);
    }
    cst_lay_triangle(in_world, &placed.at);
    const cst_segment *segment = a->segment;
    const double reach = a->piece->piece->radius + rules->margin + solid->rounding + segment->wide;
    double heights[2], above = INFINITY;
    cst_apply3(solid->frame, mesh->normal + 3 * (size_t)triangle, placed.normal);
    for (int i = 0; i < 2; ++i) {
        double to[3], line[3];
        cst_subtract3(segment->x[i], placed.at.corner, to);
        cst_subtract3(segment->line[i], placed.at.corner, line);
        heights[i] = cst_dot3(to, placed.normal);
        above = fmin(above, cst_dot3(line, placed.normal));
    }
    /* The search distance includes `depth` only if a part of the segment may be below the face. */
    const double far = above > segment->wide + 1e-12 * segment->h ? reach : reach + placed.depth;
    if (!is_within(&placed.at, segment->line, far))
        return 0;
    const double side = heights[0] + heights[1] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; ++k)
        placed.side[k] = side * placed.normal[k];
    const bool convex = !mesh->closed || (heights[0] > 0.0 && heights[1] > 0.0);
    const cst_surface_shape shape = {.distance = triangle_distance,
                                     .nothing_rests = nothing_rests,
                                     .slope_passes = convex ? slope_passes : NULL,
                                     .user = &placed,
                                     .facet = true,
                                     .convex = convex};
    const int count = cst_touch_surface(a, &shape, rules, out);
    int left = 0;
    for (int i = 0; i < count; ++i)
        if (keep_touch(solid, triangle, &placed, a, &out[i]) && !is_behind(solid, a, depth, &out[i])) {
            out[left] = out[i];
            out[left++].part = triangle;
        }
    return left;
}
