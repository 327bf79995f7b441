/* The vertices of the mesh are sorted by x. The search for the vertex nearest to a point starts at the x coordinate of the point
 * and goes through the sorted vertices in both directions. The search for the nearest vertex ends when the difference in x alone
 * exceeds the smallest distance found. On a sheet of n vertices, the search for the nearest vertex visits about sqrt(n)
 * vertices. */
#include "render/mesh_near.h"

#include <math.h>
#include <stdlib.h>

typedef struct sorted {
    double x;
    int vertex;
} sorted;

struct cst_mesh_near {
    const double *position;
    int vertices;
    sorted *by_x;
};

static int compare(const void *a, const void *b)
{
    const sorted *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

cst_mesh_near *cst_mesh_near_new(const double *position, int vertices)
{
    cst_mesh_near *near = malloc(sizeof *near);
    sorted *by_x = malloc((size_t)vertices * sizeof *by_x);
    if (!near || !by_x) {
        free(near);
        free(by_x);
        return NULL;
    }
    for (int i = 0; i < vertices; i++)
        by_x[i] = (sorted){position[3 * (size_t)i], i};
    qsort(by_x, (size_t)vertices, sizeof *by_x, compare);
    *near = (cst_mesh_near){position, vertices, by_x};
    return near;
}

void cst_mesh_near_free(cst_mesh_near *near)
{
    if (near)
        free(near->by_x);
    free(near);
}

static double distance2(const cst_mesh_near *near, int rank, const double *place)
{
    const double *p = near->position + 3 * (size_t)near->by_x[rank].vertex;
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (p[k] - place[k]) * (p[k] - place[k]);
    return sum;
}

/* Returns the rank, in the list sorted by x, of the first vertex whose coordinate is not less than `x`. */
static int first_from(const cst_mesh_near *near, double x)
{
    int low = 0, high = near->vertices;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (near->by_x[middle].x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int cst_mesh_near_find(const cst_mesh_near *near, const double *place)
{
    const int start = first_from(near, place[0]);
    int best = start < near->vertices ? start : near->vertices - 1;
    double least = distance2(near, best, place);
    for (int step = -1; step <= 1; step += 2)
        for (int rank = step < 0 ? start - 1 : start; rank >= 0 && rank < near->vertices; rank += step) {
            const double aside = near->by_x[rank].x - place[0], square = distance2(near, rank, place);
            if (aside * aside > least)
                break;
            if (square < least || (square == least && rank < best)) {
                least = square;
                best = rank;
            }
        }
    return near->by_x[best].vertex;
}
