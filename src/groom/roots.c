#include "groom/roots.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

enum { CUTS = 4, FAILURES = 4 };

static const double first_share = 0.85, shrink = 0.95;

typedef struct darts {
    const cst_scalp *scalp;
    double *sum;    /* array (triangles): sum of the areas (m2) of the triangles with hair, up to and including each triangle */
    double *normal; /* array (vertices x 3): normal of the mesh at each vertex, not normalised */
    double area;    /* approximate area where hair grows (m2) */
    double cell;
    int *head, *next;
    size_t mask;
} darts;

static const double *vertex_of(const cst_groom_mesh *mesh, int triangle, int k)
{
    return mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)triangle + (size_t)k];
}

static bool grows_at(const cst_scalp *scalp, const double *x)
{
    return !scalp->grows || scalp->grows(scalp->user, x);
}

/* Returns the estimated share of a triangle's area where hair grows, from ten points spread evenly over the triangle. */
static double growing_share(const cst_scalp *scalp, int triangle)
{
    int yes = 0;
    for (int i = 0; i < CUTS; i++)
        for (int j = 0; i + j < CUTS; j++) {
            const double b = (i + 1.0 / 3.0) / CUTS, c = (j + 1.0 / 3.0) / CUTS;
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = (1.0 - b - c) * vertex_of(scalp->mesh, triangle, 0)[k] + b * vertex_of(scalp->mesh, triangle, 1)[k] +
                       c * vertex_of(scalp->mesh, triangle, 2)[k];
            yes += grows_at(scalp, x);
        }
    return yes / (0.5 * CUTS * (CUTS + 1));
}

static bool begin(darts *d, const cst_scalp *scalp, int count, cst_arena *arena)
{
    const cst_groom_mesh *mesh = scalp->mesh;
    *d = (darts){.scalp = scalp, .mask = 1};
    while (d->mask < 2 * (size_t)count)
        d->mask *= 2;
    d->sum = CST_TAKE(arena, double, mesh->triangles);
    d->normal = CST_TAKE(arena, double, 3 * (size_t)mesh->vertices);
    d->head = CST_TAKE(arena, int, d->mask);
    d->next = CST_TAKE(arena, int, count);
    if (arena->failed)
        return false;
    d->mask--;
    for (int i = 0; i < mesh->triangles; i++) {
        double ab[3], ac[3], across[3];
        cst_subtract3(vertex_of(mesh, i, 1), vertex_of(mesh, i, 0), ab);
        cst_subtract3(vertex_of(mesh, i, 2), vertex_of(mesh, i, 0), ac);
        cst_cross3(ab, ac, across);
        for (int k = 0; k < 3; k++)
            cst_add3(1.0, across, d->normal + 3 * (size_t)mesh->triangle[3 * (size_t)i + (size_t)k]);
        const double share = growing_share(scalp, i), area = 0.5 * sqrt(cst_dot3(across, across));
        d->area += share * area;
        /* Triangles without hair get no random points. A triangle that is partly covered by hair gets random points over its
         * whole area; points where no hair grows are rejected later. */
        d->sum[i] = (i > 0 ? d->sum[i - 1] : 0.0) + (share > 0.0 ? area : 0.0);
    }
    return true;
}

/* Draws a uniformly distributed point on the triangles that have hair. */
static void throw_dart(const darts *d, cst_rng *rng, cst_root *out)
{
    const cst_groom_mesh *mesh = d->scalp->mesh;
    const double at = cst_rng_uniform(rng) * d->sum[mesh->triangles - 1];
    double b = cst_rng_uniform(rng), c = cst_rng_uniform(rng);
    int low = 0, high = mesh->triangles - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (d->sum[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    if (b + c > 1.0) {
        b = 1.0 - b;
        c = 1.0 - c;
    }
    const double weight[3] = {1.0 - b - c, b, c};
    *out = (cst_root){.x = {0}};
    for (int k = 0; k < 3; k++) {
        cst_add3(weight[k], vertex_of(mesh, low, k), out->x);
        double normal[3];
        memcpy(normal, d->normal + 3 * (size_t)mesh->triangle[3 * (size_t)low + (size_t)k], sizeof normal);
        cst_normalise3(normal);
        cst_add3(weight[k], normal, out->normal);
    }
    cst_normalise3(out->normal);
}

static size_t slot_of(const darts *d, const int64_t cell[3])
{
    const uint64_t mixed = (uint64_t)cell[0] * 0x9E3779B97F4A7C15u ^ (uint64_t)cell[1] * 0xBF58476D1CE4E5B9u ^
                           (uint64_t)cell[2] * 0x94D049BB133111EBu;
    return (size_t)(mixed ^ mixed >> 31) & d->mask;
}

static void cell_of(const darts *d, const double *x, int64_t cell[3])
{
    for (int k = 0; k < 3; k++)
        cell[k] = (int64_t)fmin(fmax(floor(x[k] / d->cell), -1e15), 1e15);
}

static bool is_free(const darts *d, const cst_root *root, const double *x, double separation)
{
    int64_t middle[3];
    cell_of(d, x, middle);
    for (int64_t n = 0; n < 27; n++) {
        const int64_t cell[3] = {middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1};
        for (int i = d->head[slot_of(d, cell)]; i >= 0; i = d->next[i]) {
            double apart[3];
            cst_subtract3(root[i].x, x, apart);
            if (cst_dot3(apart, apart) < separation * separation)
                return false;
        }
    }
    return true;
}

bool cst_roots_spread(const cst_scalp *scalp, int count, cst_rng *rng, cst_arena *arena, cst_root *root, double *separation)
{
    darts d;
    *separation = 0.0;
    if (!begin(&d, scalp, count, arena) || !(d.area > 0.0))
        return false;
    *separation = first_share * sqrt(2.0 * d.area / (sqrt(3.0) * count));
    d.cell = *separation;
    memset(d.head, -1, (d.mask + 1) * sizeof *d.head);
    int done = 0;
    int64_t failures = 0;
    while (done < count) {
        throw_dart(&d, rng, root + done);
        if (!grows_at(scalp, root[done].x))
            continue;
        if (!is_free(&d, root, root[done].x, *separation)) {
            if (++failures > (int64_t)FAILURES * count) {
                *separation *= shrink;
                failures = 0;
            }
            continue;
        }
        int64_t cell[3];
        cell_of(&d, root[done].x, cell);
        const size_t slot = slot_of(&d, cell);
        d.next[done] = d.head[slot];
        d.head[slot] = done++;
    }
    return true;
}
