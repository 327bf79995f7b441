#include "worlds/trespass.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worlds/swept.h"

enum { SAMPLES = 8 };

/* What one body or obstacle is drawn as. Round: points and chords with radii. Half-plane: two points. Faces: triangles, or in the plane an
 * outline, with edges and corners. */
typedef struct thing {
    bool body;
    uint32_t id;
    cst_drawing drawing;
    int vertex; /* its first */
    int edge, edges, triangle, triangles;
    bool solid;       /* faces: matter inside, convex */
    double thickness; /* of a solid: half the least */
    double low[3], high[3];
} thing;

/* Of an edge and its way since the last look, thickness included. */
typedef struct swept_box {
    double low[3], high[3];
} swept_box;

struct cst_trespass {
    int dim, things, vertices, edges, triangles, joineds;
    thing *thing;
    double *before, *after, *radius, *sag, *arc; /* of vertices */
    int32_t (*edge)[2], (*triangle)[3];
    swept_box *box; /* of edges */
    cst_joined_pair *joined;
    bool looked;
};

/* ------------------------------------------------------------------------------------------------------------------- making */

static cst_drawing draw(const cst_world *world, const thing *of, double *x, double *radius)
{
    return of->body ? cst_world_draw_body(world, of->id, SAMPLES, x, radius, NULL)
                    : cst_world_draw_obstacle(world, of->id, x, radius);
}

static int triangles_of(const cst_world *world, const thing *of, int32_t *out)
{
    return of->body ? cst_world_body_triangles(world, of->id, out) : cst_world_obstacle_triangles(world, of->id, out);
}

static bool is_round(const thing *of)
{
    return of->drawing.as == CST_DRAWN_CURVE || of->drawing.as == CST_DRAWN_DISK;
}

static bool has_faces(const thing *of)
{
    return of->drawing.as == CST_DRAWN_MESH || of->drawing.as == CST_DRAWN_OUTLINE;
}

/* A disk is one point, whatever its drawing shows besides. */
static int points_of(const thing *of)
{
    return of->drawing.as == CST_DRAWN_DISK || of->drawing.as == CST_DRAWN_HOLLOW_DISK ? 1 : of->drawing.vertices;
}

/* Each edge of a mesh once: as the triangle has it that names the lower corner first, or the only one. Returns how many have no partner. */
static int mesh_edges(cst_trespass *t, thing *of)
{
    int open = 0;
    for (int k = 0; k < 3 * of->triangles; k++) {
        const int32_t *tri = t->triangle[of->triangle + k / 3], a = tri[k % 3], b = tri[(k + 1) % 3];
        bool paired = false;
        for (int j = 0; j < 3 * of->triangles && !paired; j++) {
            const int32_t *other = t->triangle[of->triangle + j / 3];
            paired = other[j % 3] == b && other[(j + 1) % 3] == a;
        }
        open += !paired;
        if (!paired || a < b) {
            t->edge[of->edge + of->edges][0] = a;
            t->edge[of->edge + of->edges++][1] = b;
        }
    }
    return open;
}

/* Half of the least extent across a face. */
static double half_thickness(const cst_trespass *t, const thing *of);

static void make_edges(cst_trespass *t, const cst_world *world, thing *of)
{
    of->edge = t->edges;
    of->triangle = t->triangles;
    if (of->drawing.as == CST_DRAWN_MESH) {
        of->triangles = triangles_of(world, of, &t->triangle[of->triangle][0]);
        for (int k = 0; k < 3 * of->triangles; k++)
            t->triangle[of->triangle + k / 3][k % 3] += of->vertex;
        of->solid = mesh_edges(t, of) == 0;
    } else if (of->drawing.as == CST_DRAWN_CURVE || of->drawing.as == CST_DRAWN_OUTLINE) {
        const int n = of->drawing.vertices, edges = of->drawing.closed ? n : n - 1;
        for (int k = 0; k < edges; k++) {
            t->edge[of->edge + k][0] = of->vertex + k;
            t->edge[of->edge + k][1] = of->vertex + (k + 1) % n;
        }
        of->edges = edges;
        of->solid = of->drawing.as == CST_DRAWN_OUTLINE;
    }
    t->edges += of->edges;
    t->triangles += of->triangles;
}

static bool take(cst_trespass *t, const cst_world *world)
{
    int vertices = 0, edges = 0, triangles = 0;
    for (int k = 0; k < t->things; k++) {
        thing *of = t->thing + k;
        of->drawing = draw(world, of, NULL, NULL);
        of->vertex = vertices;
        vertices += of->drawing.vertices;
        const int mine = of->drawing.as == CST_DRAWN_MESH ? triangles_of(world, of, NULL) : 0;
        edges += of->drawing.vertices + 3 * mine;
        triangles += mine;
    }
    t->vertices = vertices;
    t->before = calloc(3 * (size_t)vertices + 1, sizeof *t->before);
    t->after = calloc(3 * (size_t)vertices + 1, sizeof *t->after);
    t->radius = calloc((size_t)vertices + 1, sizeof *t->radius);
    t->sag = calloc((size_t)vertices + 1, sizeof *t->sag);
    t->arc = calloc((size_t)vertices + 1, sizeof *t->arc);
    t->edge = calloc((size_t)edges + 1, sizeof *t->edge);
    t->box = calloc((size_t)edges + 1, sizeof *t->box);
    t->triangle = calloc((size_t)triangles + 1, sizeof *t->triangle);
    return t->before && t->after && t->radius && t->sag && t->arc && t->edge && t->box && t->triangle;
}

cst_trespass *cst_trespass_new(const cst_world *world, const cst_joined_pair *joined, int joineds)
{
    const int bodies = cst_world_bodies(world), obstacles = cst_world_obstacles(world);
    cst_trespass *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->dim = cst_world_definition(world)->dim;
    t->things = bodies + obstacles;
    t->thing = calloc((size_t)t->things + 1, sizeof *t->thing);
    t->joined = calloc((size_t)joineds + 1, sizeof *t->joined);
    if (!t->thing || !t->joined) {
        cst_trespass_free(t);
        return NULL;
    }
    memcpy(t->joined, joined, (size_t)joineds * sizeof *joined);
    t->joineds = joineds;
    for (int k = 0; k < t->things; k++) {
        t->thing[k].body = k < bodies;
        t->thing[k].id = (uint32_t)(k < bodies ? k : k - bodies) + 1;
    }
    if (!take(t, world)) {
        cst_trespass_free(t);
        return NULL;
    }
    for (int k = 0; k < t->things; k++) {
        draw(world, t->thing + k, t->after + 3 * (size_t)t->thing[k].vertex, t->radius + t->thing[k].vertex);
        make_edges(t, world, t->thing + k);
        t->thing[k].thickness = t->thing[k].solid ? half_thickness(t, t->thing + k) : 0.0;
    }
    return t;
}

void cst_trespass_free(cst_trespass *t)
{
    if (!t)
        return;
    free(t->thing);
    free(t->before);
    free(t->after);
    free(t->radius);
    free(t->sag);
    free(t->arc);
    free(t->edge);
    free(t->box);
    free(t->triangle);
    free(t->joined);
    free(t);
}

/* ---------------------------------------------------------------------------------------------------------------- half-spaces */

/* The half-space behind a face: its outward unit normal and a point. Faces of a solid mesh, edges of an outline. */
static int faces_of(const cst_trespass *t, const thing *of)
{
    return t->dim == 3 ? of->triangles : of->edges;
}

static double above_face(const cst_trespass *t, const thing *of, int face, const double *x)
{
    double n[3] = {0};
    const double *a;
    if (t->dim == 3) {
        const int32_t *tri = t->triangle[of->triangle + face];
        double e[3], f[3];
        a = t->after + 3 * tri[0];
        for (int c = 0; c < 3; c++) {
            e[c] = t->after[3 * tri[1] + c] - a[c];
            f[c] = t->after[3 * tri[2] + c] - a[c];
        }
        for (int c = 0; c < 3; c++)
            n[c] = e[(c + 1) % 3] * f[(c + 2) % 3] - e[(c + 2) % 3] * f[(c + 1) % 3];
    } else {
        const int32_t *edge = t->edge[of->edge + face];
        a = t->after + 3 * edge[0];
        n[0] = t->after[3 * edge[1] + 1] - a[1]; /* counter-clockwise: outward on the right */
        n[1] = a[0] - t->after[3 * edge[1]];
    }
    const double l = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double above = 0.0;
    for (int c = 0; c < 3; c++)
        above += (x[c] - a[c]) * n[c] / l;
    return above;
}

/* How far a point is within a convex solid: negative outside. */
static double inside(const cst_trespass *t, const thing *of, const double *x)
{
    double least = HUGE_VAL;
    for (int f = 0; f < faces_of(t, of) && least > 0.0; f++)
        least = fmin(least, -above_face(t, of, f, x));
    return least;
}

static double half_thickness(const cst_trespass *t, const thing *of)
{
    double least = HUGE_VAL;
    for (int f = 0; f < faces_of(t, of); f++) {
        double deepest = 0.0;
        for (int i = 0; i < of->drawing.vertices; i++)
            deepest = fmax(deepest, -above_face(t, of, f, t->after + 3 * (of->vertex + i)));
        least = fmin(least, deepest);
    }
    return 0.5 * least + t->radius[of->vertex];
}

/* -------------------------------------------------------------------------------------------------------------------- looking */

typedef struct look {
    const cst_trespass *t;
    const cst_world *world;
    cst_trespass_finding *out;
} look;

static const char *name_of(const look *at, const thing *of)
{
    return of->body ? cst_world_body_name(at->world, of->id) : cst_world_obstacle_name(at->world, of->id);
}

static void say(const look *at, const thing *a, const thing *b, char *text, size_t size)
{
    snprintf(text, size, "%.40s and %.40s", name_of(at, a), name_of(at, b));
}

static void found_depth(const look *at, const thing *a, const thing *b, double depth, double radius)
{
    at->out->depth = fmax(at->out->depth, depth);
    if (depth > 0.0 && radius > 0.0 && depth / radius > at->out->relative) {
        at->out->relative = depth / radius;
        say(at, a, b, at->out->deepest, sizeof at->out->deepest);
    }
}

static void found_crossing(const look *at, const thing *a, const thing *b)
{
    if (at->out->crossings++ == 0)
        say(at, a, b, at->out->crossed, sizeof at->out->crossed);
}

static cst_moving moving(const cst_trespass *t, int vertex)
{
    return (cst_moving){t->before + 3 * (size_t)vertex, t->after + 3 * (size_t)vertex};
}

static const double *now(const cst_trespass *t, int vertex)
{
    return t->after + 3 * (size_t)vertex;
}

/* Ends of the chord k of a round thing; a point is a chord from itself to itself. */
static void chord(const cst_trespass *t, const thing *of, int k, int32_t end[2])
{
    end[0] = of->edges > 0 ? t->edge[of->edge + k][0] : of->vertex;
    end[1] = of->edges > 0 ? t->edge[of->edge + k][1] : of->vertex;
}

static int chords_of(const thing *of)
{
    return of->edges > 0 ? of->edges : 1;
}

/* Neighbours along one curve are no contact, nor are elements that share a node: a limp one folds there. */
static bool beside(const cst_trespass *t, const thing *of, const int32_t *p, const int32_t *q)
{
    const double length = t->arc[of->vertex + of->drawing.vertices - 1] + (of->drawing.closed ? t->arc[of->vertex] : 0.0);
    double apart = fabs(t->arc[p[0]] - t->arc[q[0]]);
    if (of->drawing.closed)
        apart = fmin(apart, length - apart);
    const double chord_length = fabs(t->arc[p[1]] - t->arc[p[0]]) + fabs(t->arc[q[1]] - t->arc[q[0]]);
    const int a = (p[0] - of->vertex) / SAMPLES, b = (q[0] - of->vertex) / SAMPLES,
              elements = (of->drawing.vertices - 1) / SAMPLES;
    const bool share = abs(a - b) <= 1 || (of->drawing.closed && abs(a - b) >= elements - 1);
    return share || apart <= chord_length + 3.0 * (t->radius[p[0]] + t->radius[q[0]]);
}

static swept_box box_around(const cst_trespass *t, const int32_t end[2])
{
    const double r = fmax(t->radius[end[0]], t->radius[end[1]]);
    swept_box out;
    for (int c = 0; c < 3; c++) {
        const double *a = t->before + c, *b = t->after + c;
        const size_t p = 3 * (size_t)end[0], q = 3 * (size_t)end[1];
        out.low[c] = fmin(fmin(a[p], a[q]), fmin(b[p], b[q])) - r;
        out.high[c] = fmax(fmax(a[p], a[q]), fmax(b[p], b[q])) + r;
    }
    return out;
}

static bool are_far(const swept_box *a, const swept_box *b)
{
    return a->low[0] > b->high[0] || b->low[0] > a->high[0] || a->low[1] > b->high[1] || b->low[1] > a->high[1] ||
           a->low[2] > b->high[2] || b->low[2] > a->high[2];
}

static void round_round(const look *at, const thing *a, const thing *b)
{
    const cst_trespass *t = at->t;
    for (int i = 0; i < chords_of(a); i++) {
        int32_t p[2];
        chord(t, a, i, p);
        const swept_box around = a->edges > 0 ? t->box[a->edge + i] : box_around(t, p);
        for (int j = a == b ? i + 2 : 0; j < chords_of(b); j++) {
            if (b->edges > 0 && are_far(&around, t->box + b->edge + j))
                continue;
            int32_t q[2];
            chord(t, b, j, q);
            if (a == b && beside(t, a, p, q))
                continue;
            const double ra = fmin(t->radius[p[0]], t->radius[p[1]]), rb = fmin(t->radius[q[0]], t->radius[q[1]]);
            const double reach = ra + rb;
            const double apart = cst_apart_segments(now(t, p[0]), now(t, p[1]), now(t, q[0]), now(t, q[1]));
            const double sag = fmax(t->sag[p[0]], t->sag[p[1]]) + fmax(t->sag[q[0]], t->sag[q[1]]);
            found_depth(at, a, b, reach - apart - sag, fmin(ra, rb));
            const cst_moving ends[2][2] = {{moving(t, p[0]), moving(t, p[1])}, {moving(t, q[0]), moving(t, q[1])}};
            bool crossed = false;
            if (t->dim == 3)
                crossed = a->edges > 0 && b->edges > 0 && cst_swept_segments(ends[0], ends[1]);
            else
                for (int k = 0; k < 2 && !crossed; k++)
                    crossed = (b->edges > 0 && cst_swept_point_segment(ends[0][k], ends[1])) ||
                              (a->edges > 0 && cst_swept_point_segment(ends[1][k], ends[0]));
            if (crossed)
                found_crossing(at, a, b);
        }
    }
}

/* A half-plane or plane: depth of points. */
static void half_space(const look *at, const thing *of, const thing *plane)
{
    const cst_trespass *t = at->t;
    const double *x = now(t, plane->vertex), *tip = now(t, plane->vertex + 1);
    for (int i = 0; i < points_of(of); i++) {
        double above = 0.0;
        for (int c = 0; c < 3; c++)
            above += (now(t, of->vertex + i)[c] - x[c]) * (tip[c] - x[c]);
        const double r = t->radius[of->vertex + i];
        found_depth(at, of, plane, r - above - t->sag[of->vertex + i], of->solid ? of->thickness : r);
    }
}

static void hollow_disk(const look *at, const thing *of, const thing *hollow)
{
    const cst_trespass *t = at->t;
    const double *x = now(t, hollow->vertex), big = t->radius[hollow->vertex];
    for (int i = 0; i < points_of(of); i++) {
        const double *p = now(t, of->vertex + i), r = t->radius[of->vertex + i];
        found_depth(at, of, hollow, hypot(p[0] - x[0], p[1] - x[1]) + r - big - t->sag[of->vertex + i],
                    of->solid ? of->thickness : r);
    }
}

/* Something round and something with faces. */
static void round_faces(const look *at, const thing *a, const thing *b)
{
    const cst_trespass *t = at->t;
    const double rounding = t->radius[b->vertex];
    for (int i = 0; i < points_of(a); i++) {
        const int v = a->vertex + i;
        const double r = t->radius[v];
        if (b->solid && inside(t, b, now(t, v)) > 0.0)
            found_depth(at, a, b, r + rounding + inside(t, b, now(t, v)) - t->sag[v], r);
        for (int k = 0; k < b->triangles; k++) {
            const int32_t *tri = t->triangle[b->triangle + k];
            const double apart = cst_apart_point_triangle(now(t, v), now(t, tri[0]), now(t, tri[1]), now(t, tri[2]));
            found_depth(at, a, b, r + rounding - apart - t->sag[v], b->solid ? r : fmin(r, rounding));
            const cst_moving corner[3] = {moving(t, tri[0]), moving(t, tri[1]), moving(t, tri[2])};
            if (cst_swept_point_triangle(moving(t, v), corner))
                found_crossing(at, a, b);
        }
    }
    for (int i = 0; i < chords_of(a); i++) {
        int32_t p[2];
        chord(t, a, i, p);
        const swept_box around = a->edges > 0 ? t->box[a->edge + i] : box_around(t, p);
        for (int j = 0; j < b->edges; j++) {
            if (are_far(&around, t->box + b->edge + j))
                continue;
            const int32_t *q = t->edge[b->edge + j];
            const double r = fmin(t->radius[p[0]], t->radius[p[1]]), sag = fmax(t->sag[p[0]], t->sag[p[1]]);
            const double apart = cst_apart_segments(now(t, p[0]), now(t, p[1]), now(t, q[0]), now(t, q[1]));
            found_depth(at, a, b, r + rounding - apart - sag, b->solid || t->dim == 2 ? r : fmin(r, rounding));
            const cst_moving ends[2][2] = {{moving(t, p[0]), moving(t, p[1])}, {moving(t, q[0]), moving(t, q[1])}};
            bool crossed = false;
            if (t->dim == 3)
                crossed = a->edges > 0 && cst_swept_segments(ends[0], ends[1]);
            else
                for (int k = 0; k < 2 && !crossed; k++)
                    crossed = cst_swept_point_segment(ends[0][k], ends[1]) ||
                              (a->edges > 0 && cst_swept_point_segment(ends[1][k], ends[0]));
            if (crossed)
                found_crossing(at, a, b);
        }
    }
}

/* Corners of a within b: a solid by its faces, a thick sheet by its triangles. */
static void corners_faces(const look *at, const thing *a, const thing *b)
{
    const cst_trespass *t = at->t;
    const double rounding = t->radius[a->vertex] + t->radius[b->vertex];
    const double size = fmin(a->solid ? a->thickness : HUGE_VAL, b->solid ? b->thickness : t->radius[b->vertex]);
    for (int i = 0; i < a->drawing.vertices; i++) {
        const int v = a->vertex + i;
        const double within = b->solid ? inside(t, b, now(t, v)) : -HUGE_VAL;
        if (within > 0.0)
            found_depth(at, a, b, rounding + within, size);
        for (int k = 0; k < (b->solid ? 0 : b->triangles); k++) {
            const int32_t *tri = t->triangle[b->triangle + k];
            const cst_moving corner[3] = {moving(t, tri[0]), moving(t, tri[1]), moving(t, tri[2])};
            found_depth(at, a, b, rounding - cst_apart_point_triangle(now(t, v), now(t, tri[0]), now(t, tri[1]), now(t, tri[2])),
                        size);
            if (cst_swept_point_triangle(moving(t, v), corner))
                found_crossing(at, a, b);
        }
    }
}

static void look_at_pair(const look *at, const thing *a, const thing *b)
{
    if (a->drawing.as == CST_DRAWN_HALF_PLANE)
        half_space(at, b, a);
    else if (b->drawing.as == CST_DRAWN_HALF_PLANE)
        half_space(at, a, b);
    else if (b->drawing.as == CST_DRAWN_HOLLOW_DISK)
        hollow_disk(at, a, b);
    else if (is_round(a) && is_round(b))
        round_round(at, a, b);
    else if (is_round(a) && has_faces(b))
        round_faces(at, a, b);
    else if (has_faces(a) && is_round(b))
        round_faces(at, b, a);
    else if (has_faces(a) && has_faces(b)) {
        corners_faces(at, a, b);
        corners_faces(at, b, a);
    }
}

static void measure_curve(cst_trespass *t, const thing *of)
{
    const int n = of->drawing.vertices;
    t->arc[of->vertex] = 0.0;
    for (int i = 0; i < n; i++) {
        const int v = of->vertex + i;
        double bend = 0.0, way = 0.0;
        for (int c = 0; c < 3 && i > 0; c++) {
            const double step = t->after[3 * v + c] - t->after[3 * v - 3 + c];
            way += step * step;
            if (i + 1 < n) {
                const double second = t->after[3 * v + 3 + c] - t->after[3 * v + c] - step;
                bend += second * second;
            }
        }
        t->sag[v] = sqrt(bend) / 8.0;
        if (i > 0)
            t->arc[v] = t->arc[v - 1] + sqrt(way);
    }
}

static void box_of(const cst_trespass *t, thing *of)
{
    for (int c = 0; c < 3; c++) {
        of->low[c] = HUGE_VAL;
        of->high[c] = -HUGE_VAL;
        for (int i = 0; i < points_of(of); i++) {
            const int v = of->vertex + i;
            const double r = t->radius[v], a = t->before[3 * v + c], b = t->after[3 * v + c];
            of->low[c] = fmin(of->low[c], fmin(a, b) - r);
            of->high[c] = fmax(of->high[c], fmax(a, b) + r);
        }
    }
}

static bool may_meet(const cst_trespass *t, const thing *a, const thing *b)
{
    if (!a->body && !b->body)
        return false;
    for (int k = 0; k < t->joineds && a->body && b->body; k++)
        if ((t->joined[k].a == a->id && t->joined[k].b == b->id) || (t->joined[k].a == b->id && t->joined[k].b == a->id))
            return false;
    if (b->drawing.as == CST_DRAWN_HALF_PLANE || b->drawing.as == CST_DRAWN_HOLLOW_DISK)
        return true;
    for (int c = 0; c < 3; c++)
        if (a->low[c] > b->high[c] || b->low[c] > a->high[c])
            return false;
    return true;
}

void cst_trespass_look(cst_trespass *t, const cst_world *world, cst_trespass_finding *out)
{
    const look at = {t, world, out};
    *out = (cst_trespass_finding){0};
    memcpy(t->before, t->after, 3 * (size_t)t->vertices * sizeof *t->before);
    for (int k = 0; k < t->things; k++) {
        thing *of = t->thing + k;
        draw(world, of, t->after + 3 * (size_t)of->vertex, t->radius + of->vertex);
        if (of->drawing.as == CST_DRAWN_CURVE)
            measure_curve(t, of);
    }
    if (!t->looked) /* the first look has no way behind it */
        memcpy(t->before, t->after, 3 * (size_t)t->vertices * sizeof *t->before);
    t->looked = true;
    for (int k = 0; k < t->things; k++)
        box_of(t, t->thing + k);
    for (int k = 0; k < t->edges; k++)
        t->box[k] = box_around(t, t->edge[k]);
    for (int i = 0; i < t->things; i++) {
        thing *a = t->thing + i;
        if (a->body && a->drawing.as == CST_DRAWN_CURVE && a->edges > 2)
            round_round(&at, a, a);
        for (int j = i + 1; j < t->things; j++)
            if (may_meet(t, a, t->thing + j))
                look_at_pair(&at, a, t->thing + j);
    }
}
