#include "mesh/star_mesh.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/vector3.h"

enum { ROUNDS = 40, MARCH = 64, BISECTIONS = 40, NEWTON = 4 };

/* share: in each round of smoothing, a vertex moves this fraction of the way to the weighted mean of the centres of its
 * triangles. */
static const double share = 0.7;
/* difference: step of the finite differences of the implicit function f, divided by body->reach, the upper bound of the distance
 * of the surface from the body's centre. */
static const double difference = 1e-5;
/* Newton steps move a vertex back to the surface; largest length of one step, divided by the mean edge length */
static const double largest_step = 1.0;

/* ---------------------------------------------------------------------------------------------------------- geodesic sphere */

/* Corners and faces of an icosahedron; G is the golden ratio. */
#define G 1.6180339887498948482
static const double corner[12][3] = {{-1, G, 0},  {1, G, 0},  {-1, -G, 0}, {1, -G, 0}, {0, -1, G},  {0, 1, G},
                                     {0, -1, -G}, {0, 1, -G}, {G, 0, -1},  {G, 0, 1},  {-G, 0, -1}, {-G, 0, 1}};
static const int face[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

typedef struct grid {
    int detail, edges;
    /* The two end corners of each edge of the icosahedron, the lower index first. The list of vertices begins with the corners of
     * the icosahedron, then come the `detail` - 1 inner vertices of each edge, then the inner vertices of the faces. */
    int edge[30][2];
} grid;

static void find_edges(grid *g)
{
    for (int f = 0; f < 20; f++)
        for (int k = 0; k < 3; k++) {
            const int a = face[f][k], b = face[f][(k + 1) % 3];
            if (a < b) {
                g->edge[g->edges][0] = a;
                g->edge[g->edges++][1] = b;
            }
        }
    assert(g->edges == 30);
}

/* Returns the index of vertex j on the edge from corner a (j = 0) to corner b (j = `detail`). */
static int32_t on_edge(const grid *g, int a, int b, int j)
{
    if (j == 0 || j == g->detail)
        return j == 0 ? a : b;
    const int low = a < b ? a : b, high = a < b ? b : a;
    int e = 0;
    while (g->edge[e][0] != low || g->edge[e][1] != high)
        e++;
    return 12 + e * (g->detail - 1) + (a < b ? j : g->detail - j) - 1;
}

/* Returns the index of vertex (i, j) of face f: i steps from the first corner towards the second, and j steps towards the
 * third. */
static int32_t on_face(const grid *g, int f, int i, int j)
{
    const int n = g->detail, *c = face[f];
    if (j == 0)
        return on_edge(g, c[0], c[1], i);
    if (i == 0)
        return on_edge(g, c[0], c[2], j);
    if (i + j == n)
        return on_edge(g, c[1], c[2], j);
    /* number of inner vertices of the face in its rows 1 to i - 1; row r has n - 1 - r inner vertices (n: `detail`) */
    const int before = (i - 1) * (n - 1) - (i - 1) * i / 2;
    return 12 + 30 * (n - 1) + f * ((n - 1) * (n - 2) / 2) + before + j - 1;
}

static void fill_sphere(const grid *g, cst_star_mesh *mesh)
{
    const int n = g->detail;
    int32_t *out = mesh->triangle;
    for (int f = 0; f < 20; f++)
        for (int i = 0; i <= n; i++)
            for (int j = 0; i + j <= n; j++) {
                const double b = (double)i / n, c = (double)j / n, a = 1.0 - b - c;
                double *x = mesh->vertex + 3 * (size_t)on_face(g, f, i, j);
                for (int k = 0; k < 3; k++)
                    x[k] = a * corner[face[f][0]][k] + b * corner[face[f][1]][k] + c * corner[face[f][2]][k];
                cst_normalise3(x);
                if (i + j == n)
                    continue;
                const int32_t here = on_face(g, f, i, j), right = on_face(g, f, i + 1, j), up = on_face(g, f, i, j + 1);
                memcpy(out, (const int32_t[]){here, right, up}, 3 * sizeof *out);
                out += 3;
                if (i + j + 1 < n) {
                    memcpy(out, (const int32_t[]){right, on_face(g, f, i + 1, j + 1), up}, 3 * sizeof *out);
                    out += 3;
                }
            }
    assert(out == mesh->triangle + 3 * (size_t)mesh->triangles);
}

/* ----------------------------------------------------------------------------------------------------------------- surface */

/* Replaces the unit vector x by the first point of the surface on the ray from the body's centre along x. */
static void go_out(const cst_star_body *body, double *x)
{
    double low = 0.0, high = body->reach, at[3], way[3];
    memcpy(way, x, sizeof way);
    for (int k = 1; k <= MARCH; k++) {
        memcpy(at, body->center, sizeof at);
        cst_add3(body->reach * k / MARCH, way, at);
        if (body->distance(at) > 0.0) {
            high = body->reach * k / MARCH;
            break;
        }
        low = body->reach * k / MARCH;
    }
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (low + high);
        memcpy(at, body->center, sizeof at);
        cst_add3(middle, way, at);
        *(body->distance(at) > 0.0 ? &high : &low) = middle;
    }
    memcpy(x, body->center, 3 * sizeof *x);
    cst_add3(low, way, x);
}

/* Computes the gradient of the implicit function f by central differences, and returns f. */
static double gradient_at(const cst_star_body *body, const double *x, double *gradient)
{
    const double h = difference * body->reach;
    for (int k = 0; k < 3; k++) {
        double at[3] = {x[0], x[1], x[2]};
        at[k] = x[k] + h;
        const double ahead = body->distance(at);
        at[k] = x[k] - h;
        gradient[k] = (ahead - body->distance(at)) / (2.0 * h);
    }
    return body->distance(x);
}

static void return_to_surface(const cst_star_body *body, double step, int newton, double *x)
{
    for (int k = 0; k < newton; k++) {
        double gradient[3];
        const double f = gradient_at(body, x, gradient), square = cst_dot3(gradient, gradient);
        if (!(square > 0.0))
            return;
        const double length = fmin(fabs(f) / sqrt(square), step);
        cst_add3((f > 0.0 ? -1.0 : 1.0) * length / sqrt(square), gradient, x);
    }
}

/* Makes one round of smoothing: every vertex moves towards the weighted mean of the centres of its triangles, then back onto the
 * surface. `sum`: working memory of (vertices x 4) numbers. */
static void even_out(const cst_star_body *body, int newton, cst_star_mesh *mesh, double *sum)
{
    double edges = 0.0;
    memset(sum, 0, 4 * (size_t)mesh->vertices * sizeof *sum);
    for (int i = 0; i < mesh->triangles; i++) {
        const int32_t *v = mesh->triangle + 3 * (size_t)i;
        const double *a = mesh->vertex + 3 * (size_t)v[0], *b = mesh->vertex + 3 * (size_t)v[1],
                     *c = mesh->vertex + 3 * (size_t)v[2];
        double ab[3], ac[3], across[3], middle[3];
        cst_subtract3(b, a, ab);
        cst_subtract3(c, a, ac);
        cst_cross3(ab, ac, across);
        for (int k = 0; k < 3; k++)
            middle[k] = (a[k] + b[k] + c[k]) / 3.0;
        edges += sqrt(cst_dot3(ab, ab));
        const double w = sqrt(cst_dot3(across, across)) * body->weight(middle);
        for (int k = 0; k < 3; k++) {
            cst_add3(w, middle, sum + 4 * (size_t)v[k]);
            sum[4 * (size_t)v[k] + 3] += w;
        }
    }
    const double step = largest_step * edges / mesh->triangles;
    for (int i = 0; i < mesh->vertices; i++) {
        const double *s = sum + 4 * (size_t)i;
        double *x = mesh->vertex + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            x[k] += share * (s[k] / s[3] - x[k]);
        return_to_surface(body, step, newton, x);
    }
}

bool cst_star_mesh_make(const cst_star_body *body, int detail, cst_arena *arena, cst_star_mesh *out)
{
    assert(detail >= 1 && detail <= CST_STAR_DETAIL_MAX);
    grid g = {.detail = detail};
    find_edges(&g);
    *out = (cst_star_mesh){.vertices = 10 * detail * detail + 2, .triangles = 20 * detail * detail};
    out->vertex = CST_TAKE(arena, double, 3 * (size_t)out->vertices);
    out->triangle = CST_TAKE(arena, int32_t, 3 * (size_t)out->triangles);
    double *sum = CST_TAKE(arena, double, 4 * (size_t)out->vertices);
    if (arena->failed)
        return false;
    fill_sphere(&g, out);
    for (int i = 0; i < out->vertices; i++)
        go_out(body, out->vertex + 3 * (size_t)i);
    for (int k = 0; k < ROUNDS; k++)
        even_out(body, k + 1 < ROUNDS ? 1 : NEWTON, out, sum);
    return true;
}
