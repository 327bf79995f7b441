#include "collide/space_jobs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "collide/distance_solid_space.h"
#include "collide/mesh_space.h"
#include "math/vector3.h"

/* HERE: number of triangles that a thread can store in one query of the mesh's tree; if the query finds more triangles, it is
 * repeated. TRIANGLES_EACH: first guess for the number of triangles that a segment near a mesh can touch; the mean in the scene
 * spaghetti_31 is about 2. */
enum { HERE = 256, TRIANGLES_EACH = 4 };

typedef struct job_search {
    const cst_space_search *in;
    const cst_pair_list *pairs;
    cst_pair_rule rule;
    const void *user;
    bool planes;
    int64_t *start;        /* array (segments + 1): first jobs */
    int64_t *solid_start;  /* array (segments + 1): first jobs with solids, in the order of these jobs alone */
    int64_t *paired;       /* array (segments + 1): first pairs with solids, in the order of these pairs alone */
    int64_t *triangles_of; /* array (pairs with solids): first entry in `triangle` */
    int32_t *near;         /* array (pairs with solids): number of triangles */
    double *reach;         /* array (pairs with solids): search distance (m) */
    int32_t *triangle;     /* array (room): triangles of all pairs */
    int64_t room, found;
} job_search;

static double reach_to_solid(const cst_space_search *in, int32_t a, int32_t solid)
{
    const cst_space_scene *scene = in->scene;
    const cst_segment *segment = &in->segment[a];
    const double s[2] = {cst_segment_s(segment, 0.0), cst_segment_s(segment, 1.0)};
    return cst_pair_margin(scene, segment->piece, scene->pieces + solid) +
           cst_beyond_solid(scene, segment->piece, s, segment->line, solid);
}

double cst_depth_in_mesh(const cst_space_search *in, int32_t a, int32_t mesh)
{
    const cst_space_scene *scene = in->scene;
    const int32_t piece = in->segment[a].piece;
    if (!cst_mesh_space_closed(scene->solid[mesh].mesh))
        return 0.0;
    return scene->solid_depth + cst_pair_margin(scene, piece, scene->pieces + mesh) + scene->piece[piece].radius;
}

static bool near_plane(const job_search *d, int32_t a, int32_t plane)
{
    const cst_space_scene *scene = d->in->scene;
    const cst_solid *solid = &scene->solid[plane];
    const cst_segment *segment = &d->in->segment[a];
    if (solid->kind != CST_SOLID_PLANE || !d->in->placed[segment->piece].usable || !cst_solid_usable(solid) ||
        !isfinite(cst_solid_margin(scene, plane)))
        return false;
    double n[3];
    const double low = fmin(cst_solid_distance(solid, segment->line[0], n), cst_solid_distance(solid, segment->line[1], n));
    const double reach = scene->piece[segment->piece].radius + segment->wide + reach_to_solid(d->in, a, plane);
    return low < reach && d->rule(d->user, a, d->in->segments + plane);
}

/* Reserves `count` entries of the array `triangle`, and returns the index of the first reserved entry. */
static int64_t take_room(job_search *d, int count)
{
    int64_t at;
#pragma omp atomic capture
    {
        at = d->found;
        d->found += count;
    }
    return at;
}

static void find_triangles(job_search *d, int64_t pair, int32_t a, int32_t mesh)
{
    const cst_space_scene *scene = d->in->scene;
    const cst_solid *solid = &scene->solid[mesh];
    const cst_segment *segment = &d->in->segment[a];
    cst_segment local = *segment;
    for (int i = 0; i < 2; ++i) {
        double from[3];
        cst_subtract3(segment->line[i], solid->position, from);
        cst_apply_transposed3(solid->frame, from, local.line[i]);
    }
    d->reach[pair] = reach_to_solid(d->in, a, mesh);
    const double about = scene->piece[segment->piece].radius + solid->rounding + d->reach[pair];
    const double below =
        cst_mesh_space_closed(solid->mesh) ? fmax(0.0, scene->solid_depth - cst_mesh_space_below(solid->mesh)) : 0.0;
    const cst_box box = cst_segment_box(&local, about + below);
    const double reach = about + segment->wide, depth = cst_depth_in_mesh(d->in, a, mesh);
    int32_t here[HERE];
    int count = cst_mesh_space_near(solid->mesh, &box, here, HERE);
    const bool many = count > HERE;
    if (!many)
        count = cst_mesh_space_thin_out(solid->mesh, local.line, reach, depth, here, count);
    const int64_t at = take_room(d, count);
    d->triangles_of[pair] = at;
    d->near[pair] = count;
    if (at + count > d->room)
        return;
    if (many) {
        cst_mesh_space_near(solid->mesh, &box, d->triangle + at, count);
        d->near[pair] = cst_mesh_space_thin_out(solid->mesh, local.line, reach, depth, d->triangle + at, count);
    } else {
        memcpy(d->triangle + at, here, (size_t)count * sizeof *here);
    }
}

static bool is_mesh(const job_search *d, int32_t b)
{
    return b >= d->in->segments && d->in->scene->solid[b - d->in->segments].kind == CST_SOLID_MESH;
}

/* Returns the index of the first pair of segment `a` with a solid. In each row, segments come before solids. */
static int64_t first_with_solid(const job_search *d, int32_t a)
{
    int64_t i = d->pairs->row_start[a + 1];
    while (i > d->pairs->row_start[a] && d->pairs->partner[i - 1] >= d->in->segments)
        --i;
    return i;
}

/* Counts the contact searches of a segment, all and those with solids, and finds the triangles of meshes that the segment can
 * touch. */
static void count_jobs(job_search *d, int32_t a)
{
    const int64_t first = first_with_solid(d, a), end = d->pairs->row_start[a + 1];
    int64_t solids = 0;
    for (int64_t i = first, k = d->paired[a]; i < end; ++i, ++k) {
        const int32_t b = d->pairs->partner[i];
        assert(b >= d->in->segments);
        if (is_mesh(d, b))
            find_triangles(d, k, a, b - d->in->segments);
        solids += is_mesh(d, b) ? d->near[k] : 1;
    }
    for (int32_t i = 0; d->planes && i < d->in->scene->solids; ++i)
        solids += near_plane(d, a, i);
    d->solid_start[a] = solids;
    d->start[a] = first - d->pairs->row_start[a] + solids;
}

static void fill_jobs(const job_search *d, int32_t a, const cst_space_jobs *out)
{
    const int64_t first = first_with_solid(d, a), end = d->pairs->row_start[a + 1];
    int64_t to = d->start[a], solid = d->solid_start[a];
    for (int64_t i = d->pairs->row_start[a]; i < first; ++i, ++to) {
        out->a[to] = a;
        out->b[to] = d->pairs->partner[i];
    }
    for (int64_t i = first, k = d->paired[a]; i < end; ++i, ++k) {
        const int32_t b = d->pairs->partner[i] - d->in->segments;
        const bool mesh = is_mesh(d, d->pairs->partner[i]);
        const double reach = mesh ? d->reach[k] : reach_to_solid(d->in, a, b);
        for (int j = 0; j < (mesh ? d->near[k] : 1); ++j, ++to, ++solid) {
            out->a[to] = a;
            out->b[to] = d->in->segments + (int32_t)solid;
            out->solid[solid] =
                (cst_solid_job){.solid = b, .part = mesh ? d->triangle[d->triangles_of[k] + j] : 0, .reach = reach};
        }
    }
    for (int32_t i = 0; d->planes && i < d->in->scene->solids; ++i)
        if (near_plane(d, a, i)) {
            out->a[to] = a;
            out->b[to++] = d->in->segments + (int32_t)solid;
            out->solid[solid++] = (cst_solid_job){.solid = i, .reach = reach_to_solid(d->in, a, i)};
        }
}

/* Replaces the numbers start[i] for i < count by the sums of all earlier ones, and start[count] by the sum of all. */
static void sum_up(int64_t *start, int64_t count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i <= count; ++i) {
        const int64_t here = i < count ? start[i] : 0;
        start[i] = sum;
        sum += here;
    }
}

/* Counts the contact searches of all segments and finds the triangles of meshes that the segments can touch. Returns false if
 * memory ran out, or if there are more than `most` triangles. */
static bool count_all(job_search *d, bool meshes, int64_t most, cst_arena *arena)
{
    const cst_space_search *in = d->in;
    CST_PARALLEL_FOR(in->threads, schedule(static), (int a = 0; a < in->segments; ++a),
                     { d->paired[a] = d->pairs->row_start[a + 1] - first_with_solid(d, a); });
    sum_up(d->paired, in->segments);
    const int64_t pairs = meshes ? d->paired[in->segments] : 0;
    d->triangles_of = CST_TAKE_RAW(arena, int64_t, cst_roomy(pairs));
    d->near = CST_TAKE_RAW(arena, int32_t, cst_roomy(pairs));
    d->reach = CST_TAKE_RAW(arena, double, cst_roomy(pairs));
    d->found = TRIANGLES_EACH * pairs;
    do {
        d->room = meshes ? (int64_t)cst_roomy(d->found) : 0;
        d->triangle = CST_TAKE_RAW(arena, int32_t, (size_t)d->room);
        d->found = 0;
        if (arena->failed)
            return false;
        CST_PARALLEL_FOR(in->threads, schedule(dynamic, 256), (int a = 0; a < in->segments; ++a), { count_jobs(d, a); });
    } while (d->found > d->room && d->found <= most);
    return d->found <= most;
}

bool cst_list_space_jobs(const cst_space_search *in, const cst_pair_list *pairs, cst_pair_rule rule, const void *user,
                         cst_arena *arena, cst_space_jobs *out)
{
    job_search d = {.in = in, .pairs = pairs, .rule = rule, .user = user};
    bool meshes = false;
    for (int i = 0; i < in->scene->solids; ++i) {
        d.planes = d.planes || in->scene->solid[i].kind == CST_SOLID_PLANE;
        meshes = meshes || in->scene->solid[i].kind == CST_SOLID_MESH;
    }
    const int64_t most = cst_pairs_most(in->segments);
    d.start = CST_TAKE_RAW(arena, int64_t, cst_roomy(in->segments + 1));
    d.solid_start = CST_TAKE_RAW(arena, int64_t, cst_roomy(in->segments + 1));
    d.paired = CST_TAKE_RAW(arena, int64_t, cst_roomy(in->segments + 1));
    const bool counted = !arena->failed && count_all(&d, meshes, most, arena);
    out->crowded = !counted && !arena->failed;
    if (!counted)
        return false;
    sum_up(d.start, in->segments);
    sum_up(d.solid_start, in->segments);
    out->count = d.start[in->segments];
    out->crowded = out->count > most || d.solid_start[in->segments] > INT32_MAX - in->segments;
    if (out->crowded)
        return false;
    out->a = CST_TAKE_RAW(arena, int32_t, cst_roomy(out->count));
    out->b = CST_TAKE_RAW(arena, int32_t, cst_roomy(out->count));
    out->solid = CST_TAKE_RAW(arena, cst_solid_job, cst_roomy(d.solid_start[in->segments]));
    if (arena->failed)
        return false;
    CST_PARALLEL_FOR(in->threads, schedule(dynamic, 256), (int a = 0; a < in->segments; ++a), {
        if (d.start[a + 1] > d.start[a])
            fill_jobs(&d, a, out);
    });
    return true;
}
