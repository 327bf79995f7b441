#include "collide/feature_pair.h"

#include <math.h>
#include <string.h>

#include "collide/distance_segment.h"
#include "collide/feature_sweep.h"
#include "math/vector3.h"

/* TILT, SWEPT_TILT, WEDGE, SWEPT_WEDGE and PARALLEL are sines of angles.
 *     TILT: a vertex touches a face only if no edge at the vertex goes below the face at an angle whose sine exceeds TILT.
 *     SWEPT_TILT: TILT during the motion.
 *     WEDGE: two edges touch only if the contact normal lies between the two face normals of each edge, or outside by an angle
 *         whose sine is at most WEDGE. Without the tolerance WEDGE, two faces that lie on each other at a small angle lose the
 *         contacts at the crossings of their edges.
 *     SWEPT_WEDGE: WEDGE during the motion.
 *     PARALLEL: two edges are not tested against each other if the sine of the angle between them is at most PARALLEL. */
static const double TILT = 0.3, SWEPT_TILT = 0.5, WEDGE = 0.05, SWEPT_WEDGE = 0.2, PARALLEL = 1e-3;
/* INSIDE: tolerance for rounding errors. A point still counts as inside a triangle if its projection is outside by at most INSIDE
 * times the longest side of the mesh's bounding box. A point still counts as on an edge if it is beyond an end by at most INSIDE
 * times the edge's length. For rigid meshes, the tests of a vertex with an edge or with another vertex (rounded bodies only) use
 * INSIDE in place of the limits TILT and WEDGE. */
static const double INSIDE = 1e-6;

bool cst_touch_heap_add(cst_touch_heap *heap, const cst_feature_touch *touch)
{
    cst_feature_touch *list = cst_arena_grow(heap->arena, heap->touch, heap->count, &heap->room, sizeof *list);
    if (!list)
        return false;
    heap->touch = list;
    heap->touch[heap->count++] = *touch;
    return true;
}

typedef cst_feature_pair pair;

static cst_material_place place_of(const cst_feature_patch *patch, cst_feature_kind kind, int32_t index, double c0, double c1)
{
    return (cst_material_place){.owner = patch->body->owner, .kind = kind, .index = index, .c = {c0, c1}};
}

/* Adds a contact with the normal n, from the second body to the first. `gap`: distance (m) between the two features; the function
 * subtracts the rounding radii of the two bodies from it. */
static bool emit(const pair *p, cst_material_place first, cst_material_place second, const double *x, const double *y,
                 const double *n, double gap, bool swept)
{
    cst_feature_touch touch = {
        .a = p->swapped ? second : first, .b = p->swapped ? first : second, .gap = gap - p->rounding, .swept = swept};
    memcpy(touch.x_a, p->swapped ? y : x, sizeof touch.x_a);
    memcpy(touch.x_b, p->swapped ? x : y, sizeof touch.x_b);
    for (int k = 0; k < 3; ++k)
        touch.normal[k] = p->swapped ? -n[k] : n[k];
    return cst_touch_heap_add(p->heap, &touch);
}

static void on_triangle(const double *a, const double *b, const double *c, const double *share, double *out)
{
    for (int k = 0; k < 3; ++k)
        out[k] = (1.0 - share[0] - share[1]) * a[k] + share[0] * b[k] + share[1] * c[k];
}

static void blend(const double *x, const double *y, double share, double *out)
{
    for (int k = 0; k < 3; ++k)
        out[k] = (1.0 - share) * x[k] + share * y[k];
}

/* Rotates the direction d from the world to the frame of a body at the time t. The rotated direction is interpolated linearly
 * between the start and the end of the motion, like the positions of the vertices. */
static void to_body(const cst_feature_patch *patch, double t, const double *d, double *own)
{
    double at[2][3];
    for (int pose = 0; pose < 2; ++pose)
        cst_apply_transposed3(patch->body->R[pose], d, at[pose]);
    blend(at[0], at[1], t, own);
}

/* Returns true if the mesh of `patch` bends and the mesh of the other body does not. Between a sheet and a solid, the code
 * accepts contacts at any angle between the contact normal and the edges and faces of the sheet. For example, a sheet that is
 * spread over a ball touches it with all its vertices. */
static bool is_loose(const pair *p, const cst_feature_patch *patch)
{
    return patch->body->mesh->soft && !(p->first->body->mesh->soft && p->second->body->mesh->soft);
}

/* Returns the sine of the largest angle at which an edge or a face is allowed to rise towards the touched feature. For a rigid
 * mesh, the function returns its argument `tilt`; for a mesh that bends, it returns the larger one of `tilt` and TILT. With a
 * smaller angle limit than TILT, the tests at the start of a step could exclude a contact of the two features of sheets that are
 * nearest to each other at the end of the step. The angle limit TILT gives two sheets some redundant contacts, but no wrong ones,
 * because any two points on the middle surfaces of two sheets must be at least a thickness apart. */
static double slack_of(const cst_feature_patch *patch, double tilt)
{
    return patch->body->mesh->soft ? fmax(tilt, TILT) : tilt;
}

/* Returns false if a vertex cannot touch a feature in the direction d, because an edge at the vertex rises towards d by an angle
 * whose sine exceeds `tilt`. The function vertex_faces does not test the edges of a mesh that bends, and returns true, in two
 * cases: the other body does not bend, or `tilt` is at least TILT. For example, a vertex of a cloth can touch a table top near
 * the rim, although neighbouring vertices hang below the table top. */
static bool vertex_faces(const pair *p, const cst_feature_patch *patch, int32_t id, double t, const double *d, double tilt)
{
    double own[3];
    if (is_loose(p, patch) || (patch->body->mesh->soft && tilt >= TILT))
        return true;
    to_body(patch, t, d, own);
    return cst_feature_vertex_faces(patch->body->mesh, id, own, slack_of(patch, tilt));
}

/* Returns false if an edge cannot touch a feature in the direction d, because a face at the edge rises towards d by an angle
 * whose sine exceeds `tilt`. */
static bool edge_faces(const pair *p, const cst_feature_patch *patch, int32_t id, double t, const double *d, double tilt)
{
    const cst_feature_edge *edge = patch->body->mesh->edge + id;
    double own[3];
    if (is_loose(p, patch))
        return true;
    to_body(patch, t, d, own);
    for (int side = 0; side < 2; ++side)
        if (edge->face[side] >= 0 && cst_dot3(own, edge->inward[side]) > slack_of(patch, tilt))
            return false;
    return true;
}

/* ----------------------------------------------------------------------------------------------------- vertex and face */

typedef struct over_face {
    double n[3], height, share[2];
    double outside[3]; /* distance (m) of the vertex's projection beyond each of the three edges; negative: inside */
} over_face;

static bool look_over(const double *x, const double *a, const double *b, const double *c, over_face *out)
{
    double u[3], v[3], w[3], across[3];
    cst_subtract3(b, a, u);
    cst_subtract3(c, a, v);
    cst_subtract3(x, a, w);
    cst_cross3(u, v, out->n);
    const double area = cst_normalise3(out->n);
    if (!(area > 0.0))
        return false;
    cst_cross3(w, v, across);
    out->share[0] = cst_dot3(across, out->n) / area;
    cst_cross3(u, w, across);
    out->share[1] = cst_dot3(across, out->n) / area;
    out->height = cst_dot3(w, out->n);
    const double within[3] = {out->share[1], 1.0 - out->share[0] - out->share[1], out->share[0]};
    double along[3][3];
    memcpy(along[0], u, sizeof u);
    cst_subtract3(c, b, along[1]);
    memcpy(along[2], v, sizeof v);
    for (int k = 0; k < 3; ++k)
        out->outside[k] = -within[k] * area / sqrt(cst_dot3(along[k], along[k]));
    return true;
}

/* Returns true if the projection of a vertex onto the plane of a face lies inside the face, up to a tolerance. Beyond a concave
 * edge of the face, the vertex's projection may be up to rules->depth (largest penetration of a contact) outside, because a point
 * below a concave edge projects into neither of the two faces that meet there. `side`: result of the function side_of. */
static bool is_inside(const pair *p, const cst_patch_face *face, const over_face *at, int side)
{
    const cst_feature_mesh *mesh = p->second->body->mesh;
    for (int k = 0; k < 3; ++k) {
        const cst_feature_edge *edge = mesh->edge + mesh->face_edge[3 * (size_t)face->id + (size_t)k];
        const bool rises = edge->face[0] >= 0 && edge->face[1] >= 0 && side * edge->bend < -INSIDE;
        if (at->outside[k] > (rises ? fmax(p->rules->depth, INSIDE * mesh->size) : INSIDE * mesh->size))
            return false;
    }
    return true;
}

/* A face that a vertex touches. `n`: unit normal of the face, towards the body of the vertex. */
typedef struct face_touch {
    const cst_patch_face *face;
    double n[3], gap, share[2], foot[3];
    bool dropped, swept;
} face_touch;

/* Returns the side of the face (1 or -1) on which the body of the vertex is, or 0 if vertex and face do not touch. */
static int side_of(const pair *p, int32_t vertex, double t, const over_face *at, double tilt)
{
    const double minus[3] = {-at->n[0], -at->n[1], -at->n[2]};
    if (p->second->body->mesh->closed)
        return vertex_faces(p, p->first, vertex, t, minus, tilt) ? 1 : 0;
    const bool above = at->height >= -p->rules->depth && vertex_faces(p, p->first, vertex, t, minus, tilt);
    const bool below = at->height <= p->rules->depth && vertex_faces(p, p->first, vertex, t, at->n, tilt);
    if (above && below)
        return at->height >= 0.0 ? 1 : -1;
    return above ? 1 : below ? -1 : 0;
}

/* Returns the gap along the normal n at the end of the motion, computed from the gap along n at the pose rules->pose. */
static double gap_after(const pair *p, double gap, const double *n, const double *x0, const double *x1, const double *y0,
                        const double *y1)
{
    if (p->rules->pose == 1)
        return gap;
    for (int k = 0; k < 3; ++k)
        gap += n[k] * ((x1[k] - x0[k]) - (y1[k] - y0[k]));
    return gap;
}

static bool vertex_on_face(const pair *p, const cst_patch_vertex *vertex, const cst_patch_face *face, face_touch *out)
{
    const int pose = p->rules->pose;
    const cst_patch_vertex *corner = p->second->vertex;
    const double *a = corner[face->corner[0]].x[pose], *b = corner[face->corner[1]].x[pose], *c = corner[face->corner[2]].x[pose];
    over_face at;
    if (!look_over(vertex->x[pose], a, b, c, &at))
        return false;
    const int side = side_of(p, vertex->id, pose, &at, TILT);
    const double gap = side * at.height;
    if (side == 0 || gap < -p->rules->depth || !is_inside(p, face, &at, side))
        return false;
    *out = (face_touch){.face = face, .gap = gap, .share = {at.share[0], at.share[1]}};
    for (int k = 0; k < 3; ++k)
        out->n[k] = side * at.n[k];
    on_triangle(a, b, c, at.share, out->foot);
    if (gap - p->rounding < p->rules->margin)
        return true;
    if (p->rounding == 0.0)
        return false;
    double before[3], after[3];
    on_triangle(corner[face->corner[0]].x[0], corner[face->corner[1]].x[0], corner[face->corner[2]].x[0], at.share, before);
    on_triangle(corner[face->corner[0]].x[1], corner[face->corner[1]].x[1], corner[face->corner[2]].x[1], at.share, after);
    return gap_after(p, gap, out->n, vertex->x[0], vertex->x[1], before, after) - p->rounding < p->rules->margin;
}

/* Computes the times at which the code tests whether two features (vertex and face, or two edges) cross: the time 0, and the
 * times at which their four vertices lie in one plane. The time 0 is tested because a vertex that penetrates at the start can go
 * deeper without crossing the surface again. */
static int times_of_crossing(const cst_moving_points *points, double *root)
{
    root[0] = 0.0;
    return 1 + cst_sweep_roots(points, root + 1);
}

/* Finds the first time at which a vertex crosses a face from the side on which the body of the vertex is. */
static bool vertex_through_face(const pair *p, const cst_patch_vertex *vertex, const cst_patch_face *face, face_touch *out)
{
    const cst_patch_vertex *corner = p->second->vertex;
    cst_moving_points points;
    for (int pose = 0; pose < 2; ++pose) {
        for (int k = 0; k < 3; ++k)
            points.at[k][pose] = corner[face->corner[k]].x[pose];
        points.at[3][pose] = vertex->x[pose];
    }
    double root[CST_SWEEP_ROOTS + 1];
    const int roots = times_of_crossing(&points, root);
    for (int i = 0; i < roots; ++i) {
        double x[4][3];
        over_face at;
        cst_sweep_at(&points, root[i], x);
        if (!look_over(x[3], x[0], x[1], x[2], &at))
            continue;
        double foot[2][3], from[3], rate = 0.0;
        for (int pose = 0; pose < 2; ++pose)
            on_triangle(points.at[0][pose], points.at[1][pose], points.at[2][pose], at.share, foot[pose]);
        cst_subtract3(vertex->x[0], foot[0], from);
        at.height = cst_dot3(from, at.n);
        const int side = side_of(p, vertex->id, root[i], &at, SWEPT_TILT);
        if (side == 0 || !is_inside(p, face, &at, side))
            continue;
        for (int k = 0; k < 3; ++k)
            rate += side * at.n[k] * ((vertex->x[1][k] - vertex->x[0][k]) - (foot[1][k] - foot[0][k]));
        const bool within = i > 0 || (side * at.height <= 0.0 && side * at.height >= -p->rules->depth);
        /* The vertex does not cross the face at the tested time in two cases: it moves away from the face; or the tested time is
         * 0, and the vertex is above the face or deeper below the face than rules->depth. */
        if (!(rate < 0.0) || !within)
            continue;
        *out = (face_touch){.face = face, .share = {at.share[0], at.share[1]}, .swept = true};
        memcpy(out->foot, foot[p->rules->pose], sizeof out->foot);
        for (int k = 0; k < 3; ++k) {
            out->n[k] = side * at.n[k];
            out->gap += out->n[k] * (vertex->x[p->rules->pose][k] - out->foot[k]);
        }
        return true;
    }
    return false;
}

/* Returns true if a vertex that touches the faces `face` and `by` gets no contact with `face`. Of coplanar faces that are touched
 * at the same point, the face with the lowest index gets the contact. Of two faces at a convex edge, the face below which the
 * vertex is less deep gets the contact. */
static bool is_covered(const face_touch *face, const face_touch *by, double slack)
{
    double apart[3];
    cst_subtract3(by->foot, face->foot, apart);
    if (cst_dot3(face->n, by->n) > 1.0 - 1e-12)
        return cst_dot3(apart, apart) <= slack * slack && by->face->id < face->face->id;
    return face->gap < 0.0 && face->gap < by->gap && cst_dot3(apart, face->n) < -slack;
}

static bool emit_face(const pair *p, const cst_patch_vertex *vertex, const face_touch *found)
{
    return emit(p, place_of(p->first, CST_FEATURE_VERTEX, vertex->id, 0.0, 0.0),
                place_of(p->second, CST_FEATURE_FACE, found->face->id, found->share[0], found->share[1]),
                vertex->x[p->rules->pose], found->foot, found->n, found->gap, found->swept);
}

/* Tests a vertex against faces. Every face of a sheet near a vertex of a solid gets a contact. The number of faces of a sheet
 * that touch one vertex of a solid is not limited, because a ball is a single vertex on which many faces can lie. */
bool cst_pair_vertex_with_faces(const pair *p, int32_t probe, const cst_box *around, const int32_t *candidate, int candidates)
{
    enum { MOST = 24 };
    const cst_patch_vertex *vertex = p->first->vertex + probe;
    const bool each = is_loose(p, p->second);
    face_touch found[MOST];
    int count = 0;
    for (int i = 0; i < candidates && count < MOST; ++i) {
        const cst_patch_face *face = p->second->face + (candidate ? candidate[i] : i);
        if (!cst_boxes_meet(around, &face->box, 0.0) ||
            !(vertex_on_face(p, vertex, face, found + count) || vertex_through_face(p, vertex, face, found + count)))
            continue;
        if (each && !emit_face(p, vertex, found + count))
            return false;
        count += !each;
    }
    const double slack = 1e-9 * p->second->body->mesh->size;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count && !found[i].dropped; ++j)
            found[i].dropped = j != i && !found[j].dropped && is_covered(found + i, found + j, slack);
    for (int i = 0; i < count; ++i)
        if (!found[i].dropped && !emit_face(p, vertex, found + i))
            return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------------- edge and edge */

typedef struct edge_touch {
    double n[3], gap, share[2], x[2][3];
    bool swept;
} edge_touch;

/* Computes the unit vector n perpendicular to two edges and, as shares of the edges' lengths, the nearest points of the straight
 * lines through the edges. Returns false if the edges are parallel, or if one of the nearest points is beyond an end of its
 * edge. */
static bool look_across(const double *p0, const double *p1, const double *q0, const double *q1, double *n, double *share)
{
    double p[3], q[3], w[3], across[3];
    cst_subtract3(p1, p0, p);
    cst_subtract3(q1, q0, q);
    cst_subtract3(q0, p0, w);
    cst_cross3(p, q, n);
    const double square = cst_dot3(n, n);
    if (!(square > PARALLEL * PARALLEL * cst_dot3(p, p) * cst_dot3(q, q)))
        return false;
    cst_cross3(w, q, across);
    share[0] = cst_dot3(across, n) / square;
    cst_cross3(w, p, across);
    share[1] = cst_dot3(across, n) / square;
    cst_normalise3(n);
    return share[0] >= -INSIDE && share[0] <= 1.0 + INSIDE && share[1] >= -INSIDE && share[1] <= 1.0 + INSIDE;
}

/* Returns 1 if the contact normal of two edges is n, -1 if it is -n, and 0 if the edges do not touch. The contact normal must lie
 * between the face normals at each edge, up to an angle with the sine `wedge`. If both unit vectors n and -n lie between the face
 * normals, the contact normal is n if the gap along n is not negative, and -n otherwise. */
static int side_of_edges(const pair *p, const cst_patch_edge *one, const cst_patch_edge *two, double t, const double *n,
                         double gap, double wedge)
{
    const double minus[3] = {-n[0], -n[1], -n[2]};
    const bool up = edge_faces(p, p->first, one->id, t, minus, wedge) && edge_faces(p, p->second, two->id, t, n, wedge);
    const bool down = edge_faces(p, p->first, one->id, t, n, wedge) && edge_faces(p, p->second, two->id, t, minus, wedge);
    if (up && down)
        return gap >= 0.0 ? 1 : -1;
    return up ? 1 : down ? -1 : 0;
}

/* Computes the points x of two edges at the given shares of their lengths, and returns the gap (m) between these two points along
 * the unit vector n. */
static double gap_of_edges(const pair *p, const cst_patch_edge *one, const cst_patch_edge *two, int pose, const double *share,
                           const double *n, double x[2][3])
{
    const cst_patch_vertex *first = p->first->vertex, *second = p->second->vertex;
    blend(first[one->end[0]].x[pose], first[one->end[1]].x[pose], share[0], x[0]);
    blend(second[two->end[0]].x[pose], second[two->end[1]].x[pose], share[1], x[1]);
    return (x[0][0] - x[1][0]) * n[0] + (x[0][1] - x[1][1]) * n[1] + (x[0][2] - x[1][2]) * n[2];
}

static void turn_round(double *n, double *gap, int side)
{
    for (int k = 0; k < 3; ++k)
        n[k] *= side;
    *gap *= side;
}

static bool edge_on_edge(const pair *p, const cst_patch_edge *one, const cst_patch_edge *two, edge_touch *out)
{
    const int pose = p->rules->pose;
    const cst_patch_vertex *first = p->first->vertex, *second = p->second->vertex;
    if (!look_across(first[one->end[0]].x[pose], first[one->end[1]].x[pose], second[two->end[0]].x[pose],
                     second[two->end[1]].x[pose], out->n, out->share))
        return false;
    out->gap = gap_of_edges(p, one, two, pose, out->share, out->n, out->x);
    const int side = side_of_edges(p, one, two, pose, out->n, out->gap, WEDGE);
    turn_round(out->n, &out->gap, side);
    if (side == 0 || out->gap < -p->rules->depth)
        return false;
    if (out->gap - p->rounding < p->rules->margin)
        return true;
    double x[2][3];
    return p->rounding > 0.0 && pose == 0 && gap_of_edges(p, one, two, 1, out->share, out->n, x) - p->rounding < p->rules->margin;
}

static bool edge_through_edge(const pair *p, const cst_patch_edge *one, const cst_patch_edge *two, edge_touch *out)
{
    cst_moving_points points;
    for (int pose = 0; pose < 2; ++pose)
        for (int k = 0; k < 2; ++k) {
            points.at[k][pose] = p->first->vertex[one->end[k]].x[pose];
            points.at[2 + k][pose] = p->second->vertex[two->end[k]].x[pose];
        }
    double root[CST_SWEEP_ROOTS + 1];
    const int roots = times_of_crossing(&points, root);
    for (int i = 0; i < roots; ++i) {
        double x[4][3];
        cst_sweep_at(&points, root[i], x);
        if (!look_across(x[0], x[1], x[2], x[3], out->n, out->share))
            continue;
        double before = gap_of_edges(p, one, two, 0, out->share, out->n, out->x);
        const int side = side_of_edges(p, one, two, root[i], out->n, before, SWEPT_WEDGE);
        if (side == 0)
            continue;
        turn_round(out->n, &before, side);
        const double after = gap_of_edges(p, one, two, 1, out->share, out->n, out->x);
        if (!(after < before) || before < -p->rules->depth || (i == 0 && before > 0.0))
            continue;
        out->gap = gap_of_edges(p, one, two, p->rules->pose, out->share, out->n, out->x);
        out->swept = true;
        return true;
    }
    return false;
}

bool cst_pair_edge_with_edge(const pair *p, const cst_patch_edge *one, const cst_patch_edge *two, double reach)
{
    edge_touch found = {.swept = false};
    return !cst_boxes_meet(&one->box, &two->box, reach) ||
           !(edge_on_edge(p, one, two, &found) || edge_through_edge(p, one, two, &found)) ||
           emit(p, place_of(p->first, CST_FEATURE_EDGE, one->id, found.share[0], 0.0),
                place_of(p->second, CST_FEATURE_EDGE, two->id, found.share[1], 0.0), found.x[0], found.x[1], found.n, found.gap,
                found.swept);
}

/* ------------------------------------------------------------------------------------------- rounded corners and edges */

/* Computes the unit vector n from the second to the first of two moving points at the time when their distance first falls to
 * `reach` (m). If the distance of the two moving points stays larger than `reach`, the unit vector n between them is computed at
 * the time when they are nearest. During the motion, the vector from the second to the first of the two points changes linearly
 * from d to e. Returns false if the two points do not move relative to each other, or if they coincide at this time. */
static bool direction_of_meeting(const double *d, const double *e, double reach, double *n)
{
    double way[3];
    cst_subtract3(e, d, way);
    const double ww = cst_dot3(way, way), dw = cst_dot3(d, way), outside = cst_dot3(d, d) - reach * reach;
    const double root = dw * dw - ww * outside; /* discriminant of a quadratic in t */
    if (!(ww > 0.0))
        return false;
    const double t = root > 0.0 ? (-dw - sqrt(root)) / ww : -dw / ww;
    blend(d, e, fmin(fmax(t, 0.0), 1.0), n);
    return cst_normalise3(n) > 0.0;
}

/* Returns true if one body is a sheet and the other is a solid with faces. Between two sheets, or in a sheet that touches itself,
 * the contact normal is the direction between the two features at the start of the step. Two approaching features of sheets get a
 * contact even if they are predicted to miss each other, because other contacts may stop one of the sheets. Without contacts of
 * features that are predicted to miss each other, the cloth of scenes/cloth/flag.json penetrates itself in 31 of 76 frames. */
static bool is_sheet_on_solid(const pair *p)
{
    const cst_feature_mesh *first = p->first->body->mesh, *second = p->second->body->mesh;
    return first->soft != second->soft && first->faces > 0 && second->faces > 0;
}

/* Returns true if the gap between the points x and y of rounded bodies is below the margin at the pose rules->pose or at the end
 * of the motion. Sets the contact normal n. If a point of a sheet reaches a solid only during the motion, the contact normal n is
 * the direction between the points at the time of contact. If the contact normal were the direction between the points at the
 * start of the step, the rim of a plate would stop the vertices of a tablecloth that is pulled from under the plate. */
static bool round_touch(const pair *p, const double *x, const double *y, const double *x_other, const double *y_other, double *n,
                        double *gap, bool *swept)
{
    double d[3], e[3];
    cst_subtract3(x, y, d);
    memcpy(n, d, sizeof d);
    *gap = cst_normalise3(n);
    *swept = false;
    /* if the two points coincide, they define no contact normal; the tests of faces and of pairs of edges find this contact */
    if (!(*gap > 1e-9 * p->rounding))
        return false;
    if (*gap - p->rounding < p->rules->margin)
        return true;
    if (p->rules->pose == 1)
        return false;
    cst_subtract3(x_other, y_other, e);
    if (is_sheet_on_solid(p)) {
        if (!direction_of_meeting(d, e, p->rounding, n))
            return false;
        *gap = cst_dot3(d, n);
        *swept = true;
    }
    return cst_dot3(e, n) - p->rounding < p->rules->margin;
}

bool cst_pair_vertex_with_edge(const pair *p, int32_t probe, const cst_box *around, const cst_patch_edge *edge)
{
    const cst_patch_vertex *vertex = p->first->vertex + probe, *other = p->second->vertex;
    const int pose = p->rules->pose;
    if (!cst_boxes_meet(around, &edge->box, 0.0))
        return true;
    const double *from = other[edge->end[0]].x[pose], *to = other[edge->end[1]].x[pose];
    const double share = cst_point_segment(vertex->x[pose], from, to);
    double y[3], y_other[3], n[3], gap;
    bool swept;
    blend(from, to, share, y);
    blend(other[edge->end[0]].x[1 - pose], other[edge->end[1]].x[1 - pose], share, y_other);
    if (!(share > INSIDE && share < 1.0 - INSIDE) ||
        !round_touch(p, vertex->x[pose], y, vertex->x[1 - pose], y_other, n, &gap, &swept))
        return true;
    const double minus[3] = {-n[0], -n[1], -n[2]};
    const double tilt = p->first->body->mesh->soft ? TILT : INSIDE;
    return !vertex_faces(p, p->first, vertex->id, pose, minus, tilt) || !edge_faces(p, p->second, edge->id, pose, n, INSIDE) ||
           emit(p, place_of(p->first, CST_FEATURE_VERTEX, vertex->id, 0.0, 0.0),
                place_of(p->second, CST_FEATURE_EDGE, edge->id, share, 0.0), vertex->x[pose], y, n, gap, swept);
}

bool cst_pair_vertex_with_vertex(const pair *p, int32_t probe, int32_t other_probe)
{
    const cst_patch_vertex *vertex = p->first->vertex + probe, *other = p->second->vertex + other_probe;
    const int pose = p->rules->pose;
    double n[3], gap;
    bool swept;
    if (!round_touch(p, vertex->x[pose], other->x[pose], vertex->x[1 - pose], other->x[1 - pose], n, &gap, &swept))
        return true;
    const double minus[3] = {-n[0], -n[1], -n[2]};
    return !vertex_faces(p, p->first, vertex->id, pose, minus, INSIDE) ||
           !vertex_faces(p, p->second, other->id, pose, n, INSIDE) ||
           emit(p, place_of(p->first, CST_FEATURE_VERTEX, vertex->id, 0.0, 0.0),
                place_of(p->second, CST_FEATURE_VERTEX, other->id, 0.0, 0.0), vertex->x[pose], other->x[pose], n, gap, swept);
}

/* ------------------------------------------------------------------------------------------------------------- half-spaces */

static bool faces_plane(const cst_feature_patch *patch, int32_t id, double t, const double *d)
{
    double own[3];
    to_body(patch, t, d, own);
    return cst_feature_vertex_faces(patch->body->mesh, id, own, TILT);
}

bool cst_feature_plane_touches(const cst_feature_patch *a, const cst_moving_plane *plane, const cst_feature_rules *rules,
                               cst_touch_heap *heap)
{
    const int pose = rules->pose;
    for (int i = 0; i < a->probes; ++i) {
        const cst_patch_vertex *vertex = a->vertex + a->probe[i];
        double gap[2], from[3];
        for (int k = 0; k < 2; ++k) {
            cst_subtract3(vertex->x[k], plane->point[k], from);
            gap[k] = cst_dot3(from, plane->n[k]) - a->body->rounding;
        }
        const double *n = plane->n[pose], minus[3] = {-n[0], -n[1], -n[2]};
        const bool lies = gap[pose] < rules->margin && (a->body->mesh->soft || faces_plane(a, vertex->id, pose, minus));
        if (!lies &&
            /* a vertex that is below the plane of the half-space at the end of the motion is a contact, too, unless it was more
             * than rules->depth below the plane at the start */
            !(gap[0] >= -rules->depth && gap[1] < 0.0))
            continue;
        cst_feature_touch touch = {.a = place_of(a, CST_FEATURE_VERTEX, vertex->id, 0.0, 0.0), .gap = gap[pose]};
        touch.b = (cst_material_place){.owner = plane->owner, .kind = CST_FEATURE_BODY};
        memcpy(touch.normal, n, sizeof touch.normal);
        memcpy(touch.x_a, vertex->x[pose], sizeof touch.x_a);
        for (int k = 0; k < 3; ++k)
            touch.x_b[k] = vertex->x[pose][k] - (gap[pose] + a->body->rounding) * n[k];
        if (!cst_touch_heap_add(heap, &touch))
            return false;
    }
    return true;
}
