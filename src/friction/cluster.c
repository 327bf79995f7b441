#include "friction/cluster.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/merge_sort.h"
#include "base/threads.h"
#include "base/union_find.h"
#include "friction/cone.h"
#include "math/small_matrix.h"

enum {
    /* EDGES_EACH: for a chunk of n contacts, at most EDGES_EACH * n strong couplings are listed; further couplings are ignored */
    EDGES_EACH = 4,
    POWER_STEPS = 6,
    COLOURS_MAX = 64,
    /* CHUNKS: number of chunks into which the contacts are divided, for any number of threads; one thread lists the strong
     * couplings of a chunk */
    CHUNKS = 32,
    PARALLEL_MIN = 512
};
/* STRONG: the coupling of two contacts joins their clusters only if its strength (cluster.h) is above STRONG. HOT: the coupling
 * of two contacts joins their clusters only if the error of at least one of them is above HOT times the largest error of all
 * contacts. */
static const double STRONG = 0.15, HOT = 0.02;
/* FAINT: the coupling of two contacts is ignored if the squared Frobenius norm of their block A_ij of the scaled Delassus matrix
 * is below FAINT. */
static const double FAINT = 0.02;
/* SINGULAR: Newton's matrix of one contact counts as singular if the magnitude of its determinant is at most SINGULAR. */
static const double SINGULAR = 1e-9;

/* A pair of strongly coupled contacts. */
typedef struct edge {
    double strength;
    int32_t a, b; /* a < b */
} edge;

/* Data of the search for clusters. */
typedef struct finder {
    const cst_system *system;
    double proximal;
    const double *x, *y;
    double *share; /* array (n): weighted Alart-Curnier error of each contact */
    /* array (n x 9): for each contact, the 3 x 3 matrix S (cluster.h): minus the derivative of its impulse by the velocity that
     * other contacts cause */
    double *response;
    /* array (n): Frobenius norm of the matrix S of each contact */
    double *size;
    int32_t *column; /* array (threads x n): for each thread, the column indices of one row of the Delassus matrix */
    double *block;   /* (n x 9) */
    edge *edge;
    int edges, edges_max;
    int32_t *parent; /* array (n): parents in the union-find trees; each tree of at least two contacts becomes a cluster */
    int32_t *joined; /* array (n): for the root of each union-find tree, the number of contacts in the tree */
} finder;

static double square_of(const double *block)
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++)
        sum += block[k] * block[k];
    return sum;
}

static bool begin(finder *find, cst_arena *arena)
{
    const size_t n = (size_t)find->system->contacts;
    const size_t threads = (size_t)cst_threads_for(find->system->threads, find->system->contacts, PARALLEL_MIN);
    find->edges_max = EDGES_EACH * find->system->contacts;
    find->share = CST_TAKE_RAW(arena, double, n);
    find->response = CST_TAKE_RAW(arena, double, 9 * n);
    find->size = CST_TAKE_RAW(arena, double, n);
    find->column = CST_TAKE_RAW(arena, int32_t, threads * n);
    find->block = CST_TAKE_RAW(arena, double, 9 * threads * n);
    find->edge = CST_TAKE_RAW(arena, edge, (size_t)find->edges_max);
    find->parent = CST_TAKE_RAW(arena, int32_t, n);
    find->joined = CST_TAKE_RAW(arena, int32_t, n);
    return !arena->failed;
}

/* Computes the matrix S of contact i (cluster.h) and the Frobenius norm of S; S relates the contact's impulse to the velocity
 * that other contacts cause. The matrix S is set to zero if the law of the contact is not Coulomb's, or if Newton's matrix of the
 * contact is singular. */
static void respond(finder *find, int i)
{
    const cst_system *system = find->system;
    double f[3], f_x[9], f_y[9], A[9], inverse[9], *S = find->response + 9 * (size_t)i;
    memset(S, 0, 9 * sizeof *S);
    find->size[i] = 0.0;
    if (system->law[i] != CST_LAW_COULOMB)
        return;
    cst_alart_curnier_jacobian(3, system->mu[i], find->x + 3 * (size_t)i, find->y + 3 * (size_t)i, f, f_x, f_y);
    memcpy(A, system->diagonal + 9 * (size_t)i, sizeof A);
    for (int k = 0; k < 3; k++)
        A[4 * k] += find->proximal;
    double *D = f_x; /* f_x + f_y*(A_ii + eta*I) */
    cst_small_add_product(3, f_y, A, D);
    const double determinant =
        D[0] * (D[4] * D[8] - D[5] * D[7]) - D[1] * (D[3] * D[8] - D[5] * D[6]) + D[2] * (D[3] * D[7] - D[4] * D[6]);
    if (!(fabs(determinant) > SINGULAR))
        return;
    cst_small_invert(3, D, 3, inverse);
    cst_small_add_product(3, inverse, f_y, S);
    find->size[i] = sqrt(square_of(S));
}

/* Computes the weighted Alart-Curnier error and the matrix S (cluster.h) of each contact; returns the largest error. A contact
 * with another law than Coulomb's gets the error 0 and joins no cluster. */
static double look(finder *find)
{
    const cst_system *system = find->system;
    double largest = 0.0;
    const bool many = system->contacts >= PARALLEL_MIN;
    (void)many; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(system->threads) if (many) reduction(max : largest)
    for (int i = 0; i < system->contacts; i++) {
        double f[3] = {0};
        if (system->law[i] == CST_LAW_COULOMB)
            cst_alart_curnier(3, system->mu[i], find->x + 3 * (size_t)i, find->y + 3 * (size_t)i, f);
        find->share[i] = system->weight[i] * sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        largest = fmax(largest, find->share[i]);
        find->parent[i] = i;
        find->joined[i] = 1;
        respond(find, i);
    }
    return largest;
}

/* Returns the strength of the coupling of contacts i and j (cluster.h), computed by power iteration. */
static double strength_of(const finder *find, int i, int j, const double *block)
{
    double transposed[9], there[9] = {0}, back[9] = {0}, v[3] = {1.0, 0.7, 0.3}, w[3], radius = 0.0;
    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3; c++)
            transposed[3 * row + c] = block[3 * c + row];
    cst_small_add_product(3, find->response + 9 * (size_t)j, transposed, there);
    cst_small_add_product(3, find->response + 9 * (size_t)i, block, back);
    for (int k = 0; k < POWER_STEPS; k++) {
        cst_small_apply(3, there, v, w);
        cst_small_apply(3, back, w, v);
        radius = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        if (!(radius > 0.0))
            return 0.0;
        for (int c = 0; c < 3; c++)
            v[c] /= radius;
    }
    return radius;
}

/* For each contact from `first` to `last` - 1 with an error above `hot`, lists its strong couplings with all other contacts.
 * Returns the number of listed couplings, at most `most`. */
static int list_chunk(const finder *find, double hot, int first, int last, int32_t *column, double *block, edge *out, int most)
{
    const cst_system *system = find->system;
    int count = 0;
    for (int i = first; i < last; i++) {
        if (!(find->share[i] > hot) || find->size[i] == 0.0)
            continue;
        const int length = system->coupling->row(system, i, column, block);
        for (int k = 0; k < length && count < most; k++) {
            const int j = column[k];
            if (j < i && find->share[j] > hot)
                /* a pair of contacts that both have a large error is listed only once, in the row of the contact with the
                 * lower index */
                continue;
            const double square = square_of(block + 9 * (size_t)k);
            /* a cheap test first: the coupling strength of contacts i and j is at most |S_i| |S_j| |A_ij|^2 (Frobenius norms; S:
             * cluster.h, A_ij: block of the scaled Delassus matrix) */
            if (square < FAINT || find->size[i] * find->size[j] * square <= STRONG)
                continue;
            const double strength = strength_of(find, i, j, block + 9 * (size_t)k);
            if (strength > STRONG)
                out[count++] = (edge){.strength = strength, .a = i < j ? i : j, .b = i < j ? j : i};
        }
    }
    return count;
}

/* Lists the pairs of strongly coupled contacts of which at least one contact has an error above `hot`. Each chunk of contacts has
 * its own part of the list of contact pairs, so that the list does not depend on the number of threads. */
static void list_edges(finder *find, double hot)
{
    const int n = find->system->contacts, threads = cst_threads_for(find->system->threads, n, PARALLEL_MIN);
    const size_t row = (size_t)n;
    int count[CHUNKS], start[CHUNKS + 1], next = 0;
    for (int c = 0; c <= CHUNKS; c++)
        start[c] = (int)((int64_t)n * c / CHUNKS);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        int thread;
#pragma omp atomic capture
        thread = next++;
#pragma omp for schedule(dynamic, 1)
        for (int c = 0; c < CHUNKS; c++)
            count[c] = list_chunk(find, hot, start[c], start[c + 1], find->column + row * (size_t)thread,
                                  find->block + 9 * row * (size_t)thread, find->edge + EDGES_EACH * (size_t)start[c],
                                  EDGES_EACH * (start[c + 1] - start[c]));
    }
    for (int c = 0; c < CHUNKS; c++) {
        memmove(find->edge + find->edges, find->edge + EDGES_EACH * (size_t)start[c], (size_t)count[c] * sizeof *find->edge);
        find->edges += count[c];
    }
    assert(find->edges <= find->edges_max);
}

static int by_strength(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->strength != b->strength)
        return a->strength > b->strength ? -1 : 1;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

/* Joins strongly coupled contacts to sets of at most CST_CLUSTER_MAX contacts; the root of each union-find tree is the contact
 * with the lowest index. */
static void join(finder *find)
{
    for (int k = 0; k < find->edges; k++) {
        const int a = cst_set_of(find->parent, find->edge[k].a), b = cst_set_of(find->parent, find->edge[k].b);
        if (a == b || find->joined[a] + find->joined[b] > CST_CLUSTER_MAX)
            continue;
        const int both = find->joined[a] + find->joined[b];
        cst_set_join(find->parent, a, b);
        find->joined[a < b ? a : b] = both;
    }
}

/* --------------------------------------------------------------------------------------------------------------- building */

static void couple(const cst_system *system, cst_cluster *cluster)
{
    const int stride = cst_cluster_stride(cluster->contacts);
    for (int a = 0; a < cluster->contacts; a++)
        for (int b = 0; b < cluster->contacts; b++) {
            double block[9];
            if (b == a)
                memcpy(block, system->diagonal + 9 * (size_t)cluster->contact[a], sizeof block);
            else
                system->coupling->block(system, cluster->contact[a], cluster->contact[b], block);
            for (int row = 0; row < 3; row++)
                for (int c = 0; c < 3; c++)
                    cluster->coupling[(3 * b + c) * stride + 3 * a + row] = block[3 * row + c];
        }
}

/* Makes a cluster of each set of at least two joined contacts; the clusters are sorted by their lowest contact index. Sets
 * cluster_of[i] to the index of the cluster that contains contact i, or to -1. */
static bool build(finder *find, cst_arena *arena, int32_t *cluster_of, cst_clusters *out)
{
    const cst_system *system = find->system;
    const int n = system->contacts;
    size_t values = 0;
    for (int i = 0; i < n; i++) {
        cluster_of[i] = -1;
        if (find->parent[i] != i || find->joined[i] < 2)
            continue;
        cluster_of[i] = out->count++;
        values += (size_t)(3 * find->joined[i] * cst_cluster_stride(find->joined[i]));
    }
    out->cluster = CST_TAKE(arena, cst_cluster, (size_t)out->count);
    double *value = CST_TAKE(arena, double, 2 * values); /* the padding stays zero */
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++) {
        cluster_of[i] = cluster_of[cst_set_of(find->parent, i)];
        if (cluster_of[i] < 0)
            continue;
        cst_cluster *cluster = out->cluster + cluster_of[i];
        cluster->contact[cluster->contacts++] = i;
        out->in[i] = 1;
    }
    for (int at = 0; at < out->count; at++) {
        cst_cluster *cluster = out->cluster + at;
        const int size = 3 * cluster->contacts * cst_cluster_stride(cluster->contacts);
        cluster->coupling = value;
        cluster->inverse = value + size;
        value += 2 * size;
        couple(system, cluster);
    }
    return true;
}

/* Returns the lowest colour that is not yet used by a cluster coupled with the given cluster, or COLOURS_MAX if all colours are
 * used. */
static int free_colour(const finder *find, const cst_cluster *cluster, int at, const int32_t *cluster_of, const uint8_t *colour)
{
    const cst_system *system = find->system;
    uint64_t used = 0;
    for (int a = 0; a < cluster->contacts; a++) {
        const int length = system->coupling->row(system, cluster->contact[a], find->column, NULL);
        for (int k = 0; k < length; k++) {
            const int other = cluster_of[find->column[k]];
            if (other >= 0 && other < at && colour[other] < COLOURS_MAX)
                used |= (uint64_t)1 << colour[other];
        }
    }
    int c = 0;
    while (c < COLOURS_MAX && (used >> c & 1) != 0)
        c++;
    return c;
}

/* Sorts the clusters by colour. A cluster for which no colour is left is dissolved: sweeps solve its contacts one by one. */
static bool sort_by_colour(const finder *find, const int32_t *cluster_of, cst_arena *arena, cst_clusters *out)
{
    const bool coloured = find->system->colours > 0;
    const cst_cluster *unsorted = out->cluster;
    const int count = out->count;
    out->colour_start = CST_TAKE(arena, int32_t, COLOURS_MAX + 1);
    out->cluster = CST_TAKE_RAW(arena, cst_cluster, (size_t)count);
    uint8_t *colour = CST_TAKE(arena, uint8_t, (size_t)count);
    if (arena->failed)
        return false;
    for (int at = 0; at < count; at++) {
        if (coloured)
            colour[at] = (uint8_t)free_colour(find, unsorted + at, at, cluster_of, colour);
        if (colour[at] == COLOURS_MAX)
            continue;
        out->colours = colour[at] + 1 > out->colours ? colour[at] + 1 : out->colours;
        out->colour_start[colour[at] + 1]++;
    }
    for (int c = 0; c < out->colours; c++)
        out->colour_start[c + 1] += out->colour_start[c];
    int32_t next[COLOURS_MAX + 1];
    memcpy(next, out->colour_start, sizeof next);
    for (int at = 0; at < count; at++) {
        if (colour[at] < COLOURS_MAX)
            out->cluster[next[colour[at]]++] = unsorted[at];
        else
            for (int a = 0; a < unsorted[at].contacts; a++)
                out->in[unsorted[at].contact[a]] = 0;
    }
    out->count = out->colour_start[out->colours];
    return true;
}

bool cst_clusters_find(const cst_system *system, double proximal, const double *x, const double *y, cst_arena *arena,
                       cst_clusters *out)
{
    const size_t n = (size_t)system->contacts;
    finder find = {.system = system, .proximal = proximal, .x = x, .y = y};
    *out = (cst_clusters){.in = CST_TAKE(arena, uint8_t, n)};
    int32_t *cluster_of = CST_TAKE_RAW(arena, int32_t, n);
    if (!begin(&find, arena))
        return false;
    list_edges(&find, HOT * look(&find));
    edge *spare = CST_TAKE_RAW(arena, edge, (size_t)find.edges);
    if (arena->failed)
        return false;
    cst_merge_sort(find.edge, spare, (size_t)find.edges, sizeof *spare, by_strength);
    join(&find);
    return build(&find, arena, cluster_of, out) && sort_by_colour(&find, cluster_of, arena, out);
}
