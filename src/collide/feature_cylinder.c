#include "collide/feature_cylinder.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

enum { RIM_POINTS = 8, SAMPLES_MAX = 64 };

/* TILT, WEDGE, PARALLEL and FLAT are sines of angles.
 *     TILT: a vertex gets no contact if one of its edges goes below the surface of the cylinder at an angle whose sine exceeds
 *         TILT.
 *     WEDGE: an edge gets no contact if the contact normal lies outside the wedge between its two face normals, by an angle whose
 *         sine exceeds WEDGE.
 *     PARALLEL: an edge counts as parallel to the cylinder's axis if the sine of the angle between them is at most PARALLEL.
 *     INSIDE: tolerance for rounding errors. A point counts as inside a face if none of its three barycentric coordinates is
 *         below -INSIDE. A point of an edge counts as the end of the edge if it is nearer to the end than INSIDE times the edge's
 *         length.
 *     FLAT: a face counts as parallel to a flat end of the cylinder if the sine of the angle between them is at most FLAT.
 *         Contacts of a face parallel to a flat end are tested at points all around the rim. */
static const double TILT = 0.3, WEDGE = 0.05, PARALLEL = 1e-3, INSIDE = 1e-6, FLAT = 0.05;

/* A search for contacts of the vertices, edges and faces of a body (its patch) with the cylinder at the time t (0: start of the
 * motion, 1: end). Points are in the frame of the cylinder. */
typedef struct search {
    const cst_feature_patch *patch;
    const cst_moving_cylinder *cylinder;
    const cst_feature_rules *rules;
    cst_touch_heap *heap;
    double t;
    int near; /* pose nearer to t */
    bool swept;
} search;

cst_box cst_moving_cylinder_box(const cst_moving_cylinder *cylinder)
{
    cst_box box = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int pose = 0; pose < 2; ++pose)
        for (int k = 0; k < 3; ++k) {
            const double axis = cylinder->R[pose][3 * k + 2];
            const double wide =
                fabs(axis) * cylinder->half + sqrt(fmax(0.0, 1.0 - axis * axis)) * cylinder->radius + cylinder->rounding;
            box.low[k] = fmin(box.low[k], cylinder->x[pose][k] - wide);
            box.high[k] = fmax(box.high[k], cylinder->x[pose][k] + wide);
        }
    return box;
}

static void own_at_pose(const cst_moving_cylinder *cylinder, int pose, const double *x, double *own)
{
    double from[3];
    cst_subtract3(x, cylinder->x[pose], from);
    cst_apply_transposed3(cylinder->R[pose], from, own);
}

/* Computes the position (m) of a vertex in the frame of the cylinder at the time t, interpolated linearly between the start and
 * the end of the motion. */
static void own_vertex(const search *s, int32_t vertex, double *out)
{
    double own[2][3];
    for (int pose = 0; pose < 2; ++pose)
        own_at_pose(s->cylinder, pose, s->patch->vertex[vertex].x[pose], own[pose]);
    for (int k = 0; k < 3; ++k)
        out[k] = (1.0 - s->t) * own[0][k] + s->t * own[1][k];
}

/* Adds the contact of a material point of the body with the cylinder, unless the gap or the penetration exceeds its limit
 * (cst_feature_rules). In a search during the motion (search.swept), a contact is added only if the material point is below the
 * surface at the time t. In a search during the motion, the gap of the point must also be smaller at the end of the motion than
 * at the start, and the penetration of the point at the start must not exceed the limit. `x`: positions of the material point in
 * the world at both poses. `y`, `n`: point and normal of the cylinder's surface, in the frame of the cylinder. */
static bool emit(const search *s, cst_material_place place, double x[2][3], const double *y, const double *n)
{
    const int pose = s->rules->pose;
    double foot[2][3], normal[3], gap[2];
    cst_feature_touch touch = {.a = place, .b = {.owner = s->cylinder->owner, .kind = CST_FEATURE_BODY}};
    for (int k = 0; k < 2; ++k) {
        double apart[3];
        cst_apply3(s->cylinder->R[k], y, foot[k]);
        cst_add3(1.0, s->cylinder->x[k], foot[k]);
        cst_apply3(s->cylinder->R[k], n, normal);
        cst_subtract3(x[k], foot[k], apart);
        gap[k] = cst_dot3(apart, normal) - s->patch->body->rounding - s->cylinder->rounding;
    }
    const double deepest = -s->rules->depth - s->patch->body->rounding - s->cylinder->rounding;
    const double now = (1.0 - s->t) * gap[0] + s->t * gap[1];
    if (s->swept ? !(now < 0.0 && gap[1] < gap[0] && gap[0] >= deepest) : !(gap[pose] < s->rules->margin && gap[pose] >= deepest))
        return true;
    touch.gap = gap[pose];
    cst_apply3(s->cylinder->R[pose], n, touch.normal);
    memcpy(touch.x_a, x[pose], sizeof touch.x_a);
    memcpy(touch.x_b, foot[pose], sizeof touch.x_b);
    return cst_touch_heap_add(s->heap, &touch);
}

/* Rotates a direction from the frame of the cylinder to the frame of the body. */
static void to_body(const search *s, const double *n, double *own)
{
    double world[3];
    cst_apply3(s->cylinder->R[s->near], n, world);
    cst_apply_transposed3(s->patch->body->R[s->near], world, own);
}

static bool edge_faces(const search *s, int32_t id, const double *minus_n)
{
    const cst_feature_edge *edge = s->patch->body->mesh->edge + id;
    double own[3];
    to_body(s, minus_n, own);
    for (int side = 0; side < 2; ++side)
        if (edge->face[side] >= 0 && cst_dot3(own, edge->inward[side]) > WEDGE)
            return false;
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- vertices */

static bool try_vertex(const search *s, int32_t vertex, const double *p, const double *n, double gap)
{
    const cst_patch_vertex *at = s->patch->vertex + vertex;
    const double minus[3] = {-n[0], -n[1], -n[2]};
    double own[3], y[3], x[2][3];
    to_body(s, minus, own);
    if (!cst_feature_vertex_faces(s->patch->body->mesh, at->id, own, TILT))
        return true;
    for (int k = 0; k < 3; ++k)
        y[k] = p[k] - gap * n[k];
    memcpy(x, at->x, sizeof x);
    return emit(s, (cst_material_place){.owner = s->patch->body->owner, .kind = CST_FEATURE_VERTEX, .index = at->id}, x, y, n);
}

/* A vertex inside the cylinder touches the round side or a flat end, whichever is nearer to the vertex. */
static bool vertex_touches(const search *s, int32_t vertex)
{
    double p[3];
    own_vertex(s, vertex, p);
    const double rho = hypot(p[0], p[1]), side = rho - s->cylinder->radius, end = fabs(p[2]) - s->cylinder->half;
    const double round[3] = {rho > 0.0 ? p[0] / rho : 0.0, rho > 0.0 ? p[1] / rho : 0.0, 0.0};
    const double flat[3] = {0.0, 0.0, p[2] < 0.0 ? -1.0 : 1.0};
    if (side > 0.0 && end > 0.0) { /* beyond the rim: rounded bodies only */
        const double away = hypot(side, end), n[3] = {side / away * round[0], side / away * round[1], end / away * flat[2]};
        return s->cylinder->rounding + s->patch->body->rounding > 0.0 ? try_vertex(s, vertex, p, n, away) : true;
    }
    const bool use_side = rho > 0.0 && (end <= 0.0 ? (side > 0.0 || side >= end) : false);
    return use_side ? try_vertex(s, vertex, p, round, side) : try_vertex(s, vertex, p, flat, end);
}

/* ------------------------------------------------------------------------------------------------------------------ edges */

static bool try_edge(const search *s, const cst_patch_edge *edge, double share, const double *n, const double *y)
{
    const double minus[3] = {-n[0], -n[1], -n[2]};
    const cst_patch_vertex *vertex = s->patch->vertex;
    double x[2][3];
    if (!edge_faces(s, edge->id, minus))
        return true;
    for (int pose = 0; pose < 2; ++pose)
        for (int k = 0; k < 3; ++k)
            x[pose][k] = (1.0 - share) * vertex[edge->end[0]].x[pose][k] + share * vertex[edge->end[1]].x[pose][k];
    const cst_material_place place = {
        .owner = s->patch->body->owner, .kind = CST_FEATURE_EDGE, .index = edge->id, .c = {share, 0.0}};
    return emit(s, place, x, y, n);
}

/* Adds the contact of the round side with the point of an edge at `share` of its length. `p`: first vertex. `d`: vector along the
 * edge. */
static bool edge_on_side(const search *s, const cst_patch_edge *edge, const double *p, const double *d, double share)
{
    const double at[3] = {p[0] + share * d[0], p[1] + share * d[1], p[2] + share * d[2]}, rho = hypot(at[0], at[1]);
    if (!(rho > 0.0))
        return true;
    const double n[3] = {at[0] / rho, at[1] / rho, 0.0}, y[3] = {s->cylinder->radius * n[0], s->cylinder->radius * n[1], at[2]};
    return try_edge(s, edge, share, n, y);
}

/* Adds the contacts of an edge with the flat ends of the cylinder: the points where the edge crosses the circle of a rim, seen
 * along the axis. */
static bool edge_on_ends(const search *s, const cst_patch_edge *edge, const double *p, const double *d)
{
    const double r = s->cylinder->radius, dd = d[0] * d[0] + d[1] * d[1], pd = p[0] * d[0] + p[1] * d[1];
    const double discriminant = pd * pd - dd * (p[0] * p[0] + p[1] * p[1] - r * r);
    if (!(dd > 0.0) || !(discriminant > 0.0))
        return true;
    for (int k = 0; k < 2; ++k) {
        const double share = (-pd + (k ? 1.0 : -1.0) * sqrt(discriminant)) / dd;
        if (!(share >= 0.0 && share <= 1.0))
            continue;
        const double at[3] = {p[0] + share * d[0], p[1] + share * d[1], p[2] + share * d[2]}, up = at[2] < 0.0 ? -1.0 : 1.0;
        if (!try_edge(s, edge, share, (const double[3]){0.0, 0.0, up}, (const double[3]){at[0], at[1], up * s->cylinder->half}))
            return false;
    }
    return true;
}

static bool edge_touches(const search *s, const cst_patch_edge *edge)
{
    double p[3], q[3], d[3], low = 0.0, high = 1.0;
    own_vertex(s, edge->end[0], p);
    own_vertex(s, edge->end[1], q);
    cst_subtract3(q, p, d);
    const double half = s->cylinder->half, dd = d[0] * d[0] + d[1] * d[1];
    if (!edge_on_ends(s, edge, p, d))
        return false;
    if (d[2] != 0.0) { /* between the planes of the ends */
        const double one = (-half - p[2]) / d[2], two = (half - p[2]) / d[2];
        low = fmax(low, fmin(one, two));
        high = fmin(high, fmax(one, two));
    } else if (fabs(p[2]) > half) {
        return true;
    }
    if (low > high)
        return true;
    /* An end of the edge gets no contact with the round side here, because the vertex at this end is tested separately. */
    if (dd <= PARALLEL * PARALLEL * cst_dot3(d, d))
        return (low <= INSIDE || edge_on_side(s, edge, p, d, low)) && (high >= 1.0 - INSIDE || edge_on_side(s, edge, p, d, high));
    const double share = fmin(fmax(-(p[0] * d[0] + p[1] * d[1]) / dd, low), high);
    return share <= INSIDE || share >= 1.0 - INSIDE ? true : edge_on_side(s, edge, p, d, share);
}

/* ------------------------------------------------------------------------------------------------------------------ faces */

/* Adds the contact of the point y of a rim with a face, if the projection of y onto the plane of the face lies inside the face.
 * `c`: corners. `n`: normal of the face. */
static bool try_face(const search *s, const cst_patch_face *face, double c[3][3], const double *n, const double *y)
{
    double u[3], v[3], w[3], across[3], area[3], x[2][3];
    cst_subtract3(c[1], c[0], u);
    cst_subtract3(c[2], c[0], v);
    cst_subtract3(y, c[0], w);
    cst_cross3(u, v, area);
    const double square = cst_dot3(area, area);
    cst_cross3(w, v, across);
    const double one = cst_dot3(across, area) / square;
    cst_cross3(u, w, across);
    const double two = cst_dot3(across, area) / square;
    if (!(one >= -INSIDE && two >= -INSIDE && one + two <= 1.0 + INSIDE))
        return true;
    const cst_patch_vertex *vertex = s->patch->vertex;
    for (int pose = 0; pose < 2; ++pose)
        for (int k = 0; k < 3; ++k)
            x[pose][k] = (1.0 - one - two) * vertex[face->corner[0]].x[pose][k] + one * vertex[face->corner[1]].x[pose][k] +
                         two * vertex[face->corner[2]].x[pose][k];
    const cst_material_place place = {
        .owner = s->patch->body->owner, .kind = CST_FEATURE_FACE, .index = face->id, .c = {one, two}};
    return emit(s, place, x, y, (const double[3]){-n[0], -n[1], -n[2]});
}

static bool face_touches(const search *s, const cst_patch_face *face)
{
    double c[3][3], u[3], v[3], n[3];
    for (int k = 0; k < 3; ++k)
        own_vertex(s, face->corner[k], c[k]);
    cst_subtract3(c[1], c[0], u);
    cst_subtract3(c[2], c[0], v);
    cst_cross3(u, v, n);
    if (!(cst_normalise3(n) > 0.0))
        return true;
    const double across = hypot(n[0], n[1]), r = s->cylinder->radius, half = s->cylinder->half;
    for (int end = -1; end <= 1; end += 2) {
        if (end * n[2] > TILT) /* no contact: the face is turned away from the flat end by an angle whose sine exceeds TILT */
            continue;
        if (across > FLAT) {
            const double y[3] = {-r * n[0] / across, -r * n[1] / across, end * half};
            if (!try_face(s, face, c, n, y))
                return false;
            continue;
        }
        for (int i = 0; i < RIM_POINTS; ++i) {
            const double angle = 6.283185307179586 * i / RIM_POINTS, y[3] = {r * cos(angle), r * sin(angle), end * half};
            if (!try_face(s, face, c, n, y))
                return false;
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- together */

static bool touches_now(const search *s)
{
    for (int i = 0; i < s->patch->probes; ++i)
        if (!vertex_touches(s, s->patch->probe[i]))
            return false;
    for (int i = 0; i < s->patch->edges; ++i)
        if (!edge_touches(s, s->patch->edge + i))
            return false;
    for (int i = 0; i < s->patch->faces; ++i)
        if (!face_touches(s, s->patch->face + i))
            return false;
    return true;
}

/* Returns the longest displacement (m) of a vertex of the body in the frame of the cylinder during the motion. */
static double motion_of(const search *s)
{
    double largest = 0.0;
    for (int i = 0; i < s->patch->vertices; ++i) {
        double from[3], to[3], way[3];
        own_at_pose(s->cylinder, 0, s->patch->vertex[i].x[0], from);
        own_at_pose(s->cylinder, 1, s->patch->vertex[i].x[1], to);
        cst_subtract3(to, from, way);
        largest = fmax(largest, cst_dot3(way, way));
    }
    return sqrt(largest);
}

/* Searches contacts first at the start or at the end of the motion, as selected by rules->pose. If a vertex of the body moves,
 * relative to the cylinder, by more than the margin, contacts are also searched at equally spaced times of the motion, until a
 * contact is found. From one searched time to the next, a vertex moves by at most half the smallest of three lengths: radius of
 * the cylinder, half its height, thickness of the body. In a long motion, vertices may move farther from one searched time to the
 * next, because at most SAMPLES_MAX times are searched. */
bool cst_feature_cylinder_touches(const cst_feature_patch *a, const cst_moving_cylinder *cylinder, const cst_feature_rules *rules,
                                  cst_touch_heap *heap)
{
    const cst_feature_rules on_the_way = {.pose = rules->pose, .margin = 0.0, .depth = fmax(rules->depth, cylinder->radius)};
    search s = {.patch = a, .cylinder = cylinder, .rules = rules, .heap = heap, .t = rules->pose, .near = rules->pose};
    if (!touches_now(&s))
        return false;
    const double motion = motion_of(&s), stride = 0.5 * fmin(cylinder->radius, fmin(cylinder->half, a->body->mesh->thickness));
    if (!(motion > rules->margin))
        return true;
    const int before = heap->count, samples = (int)fmin(ceil(motion / stride), SAMPLES_MAX);
    s.rules = &on_the_way;
    s.swept = true;
    for (int i = 1; i <= samples && heap->count == before; ++i) {
        s.t = (double)i / samples;
        s.near = s.t < 0.5 ? 0 : 1;
        if (!touches_now(&s))
            return false;
    }
    return true;
}
