/* Contacts of strands: near pairs of segments by a spatial hash, closest points, and the choice of which to keep.
 *
 * Segments are strewn with points h apart, and entered in the cubic cells of side reach + h/2 that hold a point. If two segments are
 * closer than reach, a point of the second is closer than reach + h/2 to the first, hence in a cell next to one that the first
 * goes through: it is enough to look through the first one's bounding box of cells, one cell wider all round. Cells are hashed
 * to buckets, so the scene has no bounds; two cells in one bucket cost time, never a pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generate/strand.h"
#include "generate/vector.h"

static const double SPACING = 1e-3;       /* h, m */
static const double LEAST_MOBILITY = 0.4; /* sum over both sides of sum_j B_j^2, free control points: nearly clamped below */
static const double DEEPEST = 0.1;        /* overlap in radii: deeper is a fault of the relaxation, not a contact */

static double clamp01(double x)
{
    x = x > 0 ? x : 0;
    return x < 1 ? x : 1;
}

void cst_segment_closest(const double *p1, const double *q1, const double *p2, const double *q2, double *s, double *t,
                         double *difference)
{
    double d1[3], d2[3], r[3];
    for (int k = 0; k < 3; k++) {
        d1[k] = q1[k] - p1[k];
        d2[k] = q2[k] - p2[k];
        r[k] = p1[k] - p2[k];
    }
    double a = cst_dot3(d1, d1), e = cst_dot3(d2, d2), b = cst_dot3(d1, d2), c = cst_dot3(d1, r), f = cst_dot3(d2, r);
    double det = a * e - b * b;
    *s = det > 1e-12 * a * e ? clamp01((b * f - c * e) / det) : 0.5; /* parallel: any, the middle */
    *t = clamp01((b * *s + f) / e);
    *s = clamp01((b * *t - c) / a);
    for (int k = 0; k < 3; k++)
        difference[k] = r[k] + *s * d1[k] - *t * d2[k];
}

/* ---------------------------------------------------------------------------------------------------------- spatial hash */

typedef struct cell {
    int64_t x, y, z;
} cell;

typedef struct segment_hash {
    double per_metre; /* cells */
    uint32_t mask;    /* buckets - 1 */
    uint32_t *start;  /* (buckets + 1) */
    int32_t *segment; /* by bucket: segments with a point in a cell of that bucket */
} segment_hash;

static int64_t sample_count(const cst_strand_set *set)
{
    return (int64_t)set->strands * set->samples;
}

static bool is_segment(const cst_strand_set *set, int64_t sample)
{
    return sample % set->samples != set->samples - 1;
}

static int64_t cell_index(const segment_hash *hash, double x)
{
    return (int64_t)floor(x * hash->per_metre);
}

/* Blocks of 4 x 4 x 4 cells are hashed as a whole: neighbouring cells stay neighbours in memory. */
static uint32_t bucket_of(const segment_hash *hash, int64_t x, int64_t y, int64_t z)
{
    uint64_t bx = (uint64_t)(x >> 2), by = (uint64_t)(y >> 2), bz = (uint64_t)(z >> 2);
    uint64_t h = bx * 0x9e3779b97f4a7c15u + by * 0xc2b2ae3d27d4eb4fu + bz * 0x165667b19e3779f9u;
    h ^= h >> 29;
    uint32_t block = (uint32_t)(h * 0xbf58476d1ce4e5b9u >> 32) << 6;
    return (block | (uint32_t)(x & 3) << 4 | (uint32_t)(y & 3) << 2 | (uint32_t)(z & 3)) & hash->mask;
}

/* Buckets of the cells along a segment, each cell once; at most `points` of them. */
static int buckets_along(const cst_strand_set *set, const segment_hash *hash, int64_t segment, int points, uint32_t *bucket)
{
    const double *p = set->x + 3 * segment;
    cell last = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < points; i++) {
        double s = (i + 0.5) / points;
        cell c = {cell_index(hash, p[0] + s * (p[3] - p[0])), cell_index(hash, p[1] + s * (p[4] - p[1])),
                  cell_index(hash, p[2] + s * (p[5] - p[2]))};
        if (i > 0 && c.x == last.x && c.y == last.y && c.z == last.z)
            continue;
        bucket[count++] = bucket_of(hash, c.x, c.y, c.z);
        last = c;
    }
    return count;
}

static bool build_hash(const cst_strand_set *set, double reach, cst_arena *arena, segment_hash *hash)
{
    int64_t samples = sample_count(set), buckets = 64;
    double longest = 0;
    for (int64_t k = 0; k < samples; k++)
        if (is_segment(set, k)) {
            const double *p = set->x + 3 * k, e[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]};
            longest = fmax(longest, cst_dot3(e, e));
        }
    int points = (int)ceil(sqrt(longest) / SPACING);
    while (buckets < 8 * samples && buckets < (int64_t)1 << 30)
        buckets *= 2;
    *hash = (segment_hash){.per_metre = 1 / (reach + SPACING / 2),
                           .mask = (uint32_t)(buckets - 1),
                           .start = CST_TAKE(arena, uint32_t, buckets + 1),
                           .segment = CST_TAKE(arena, int32_t, samples * points)};
    uint32_t *bucket = CST_TAKE(arena, uint32_t, points);
    if (!hash->start || !hash->segment || !bucket)
        return false;
    for (int64_t k = 0; k < samples; k++)
        for (int i = is_segment(set, k) ? buckets_along(set, hash, k, points, bucket) : 0; i > 0; i--)
            hash->start[bucket[i - 1]]++;
    for (int64_t b = 0; b < buckets; b++)
        hash->start[b + 1] += hash->start[b];
    for (int64_t k = samples - 1; k >= 0; k--) /* fill from the end: start[b] comes down to the first of bucket b */
        for (int i = is_segment(set, k) ? buckets_along(set, hash, k, points, bucket) : 0; i > 0; i--)
            hash->segment[--hash->start[bucket[i - 1]]] = (int32_t)k;
    return true;
}

bool cst_segment_pairs_add(cst_segment_pairs *pairs, const cst_allocator *allocator, int32_t a, int32_t b)
{
    if (pairs->count == pairs->capacity) {
        int64_t capacity = pairs->capacity ? 2 * pairs->capacity : 4096;
        cst_arena arena;
        cst_arena_begin(&arena, allocator);
        int32_t(*pair)[2] = (int32_t(*)[2])cst_arena_take(&arena, (size_t)capacity, sizeof *pair);
        if (!pair) {
            cst_arena_end(&arena);
            return false;
        }
        if (pairs->capacity) {
            memcpy(pair, pairs->pair, (size_t)pairs->count * sizeof *pair);
            cst_arena_end(&pairs->arena);
        }
        pairs->arena = arena;
        pairs->pair = pair;
        pairs->capacity = capacity;
    }
    pairs->pair[pairs->count][0] = a;
    pairs->pair[pairs->count++][1] = b;
    return true;
}

void cst_segment_pairs_free(cst_segment_pairs *pairs)
{
    if (pairs->capacity)
        cst_arena_end(&pairs->arena);
    *pairs = (cst_segment_pairs){.count = 0};
}

/* A segment with two directions across it: if both ends of another lie beyond reach on one side of it, the two are apart. A few
 * products instead of closest points for nine candidates in ten. */
typedef struct segment_probe {
    const double *p; /* its ends: p, p + 3 */
    double across[2][3];
    double reach;
} segment_probe;

static void make_probe(const double *p, double reach, segment_probe *out)
{
    double along[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]}, frame[9];
    cst_normalise3(along);
    cst_frame3_of_normal(along, frame);
    *out = (segment_probe){.p = p, .reach = reach};
    memcpy(out->across, frame + 3, sizeof out->across);
}

static bool closer_than_reach(const segment_probe *probe, const double *q)
{
    for (int k = 0; k < 2; k++) {
        const double *n = probe->across[k];
        double at = cst_dot3(n, probe->p), first = cst_dot3(n, q) - at, second = cst_dot3(n, q + 3) - at;
        if ((first > probe->reach && second > probe->reach) || (first < -probe->reach && second < -probe->reach))
            return false;
    }
    double s, t, d[3];
    cst_segment_closest(probe->p, probe->p + 3, q, q + 3, &s, &t, d);
    return cst_dot3(d, d) < probe->reach * probe->reach;
}

/* Pairs (a, b > a): `met` remembers the last segment that tried b, as b shows up in several cells. */
static bool pairs_of_segment(const cst_strand_set *set, const segment_hash *hash, double reach, int64_t a, int32_t *met,
                             const cst_allocator *allocator, cst_segment_pairs *pairs)
{
    int64_t first_other = (a / set->samples + 1) * set->samples, low[3], high[3];
    const double *p = set->x + 3 * a;
    segment_probe probe;
    make_probe(p, reach, &probe);
    for (int k = 0; k < 3; k++) {
        low[k] = cell_index(hash, fmin(p[k], p[3 + k])) - 1;
        high[k] = cell_index(hash, fmax(p[k], p[3 + k])) + 1;
    }
    for (int64_t x = low[0]; x <= high[0]; x++)
        for (int64_t y = low[1]; y <= high[1]; y++)
            for (int64_t z = low[2]; z <= high[2]; z++) {
                uint32_t bucket = bucket_of(hash, x, y, z);
                for (uint32_t i = hash->start[bucket + 1]; i > hash->start[bucket]; i--) { /* increasing: the last first */
                    int64_t b = hash->segment[i - 1];
                    if (b < first_other)
                        break;
                    if (met[b] == a)
                        continue;
                    met[b] = (int32_t)a;
                    if (closer_than_reach(&probe, set->x + 3 * b) &&
                        !cst_segment_pairs_add(pairs, allocator, (int32_t)a, (int32_t)b))
                        return false;
                }
            }
    return true;
}

bool cst_strand_near_pairs(const cst_strand_set *set, double reach, const cst_allocator *allocator, cst_segment_pairs *pairs)
{
    int64_t samples = sample_count(set);
    cst_arena arena;
    cst_arena_begin(&arena, allocator);
    segment_hash hash;
    int32_t *met = CST_TAKE(&arena, int32_t, samples);
    bool ok = met && build_hash(set, reach, &arena, &hash);
    pairs->count = 0;
    if (ok)
        memset(met, 0xff, (size_t)samples * sizeof *met);
    for (int64_t a = 0; ok && a < samples; a++)
        if (is_segment(set, a))
            ok = pairs_of_segment(set, &hash, reach, a, met, allocator, pairs);
    cst_arena_end(&arena);
    return ok;
}

/* --------------------------------------------------------------------------------------------------------------- contacts */

static double place(const cst_strand_contact *c)
{
    return c->sample_a + c->s_a;
}

static int by_bodies_then_gap(const void *x, const void *y)
{
    const cst_strand_contact *a = x, *b = y;
    if (a->strand_a != b->strand_a)
        return a->strand_a < b->strand_a ? -1 : 1;
    if (a->strand_b != b->strand_b)
        return a->strand_b < b->strand_b ? -1 : 1;
    if (a->gap != b->gap)
        return a->gap < b->gap ? -1 : 1;
    return (place(a) > place(b)) - (place(a) < place(b));
}

static int by_place(const void *x, const void *y)
{
    double a = place(x), b = place(y);
    return (a > b) - (a < b);
}

/* Contacts of the same two bodies at least one spline element apart on A, the closest kept: near-duplicates say the same
 * thing twice and make W all but singular. */
static int thin_out(cst_strand_contact *contact, int count)
{
    qsort(contact, (size_t)count, sizeof *contact, by_bodies_then_gap);
    int kept = 0;
    for (int i = 0, first = 0; i < count; i++) {
        if (kept > first &&
            (contact[kept - 1].strand_a != contact[i].strand_a || contact[kept - 1].strand_b != contact[i].strand_b)) {
            qsort(contact + first, (size_t)(kept - first), sizeof *contact, by_place);
            first = kept;
        }
        bool apart = true;
        for (int k = first; k < kept; k++)
            apart = apart && fabs(place(contact + k) - place(contact + i)) >= CST_STRAND_SEGMENTS_PER_NODE;
        if (apart)
            contact[kept++] = contact[i];
        if (i + 1 == count)
            qsort(contact + first, (size_t)(kept - first), sizeof *contact, by_place);
    }
    return kept;
}

/* A point at the far end of a segment belongs to the next one. */
static bool owns(const cst_strand_set *set, int sample, double s)
{
    return s < 1 || sample == set->samples - 2;
}

static bool touch_strand(const cst_strand_set *set, const int32_t *pair, double margin, const double *mobility,
                         cst_strand_contact *out)
{
    int m = set->samples;
    const double *p = set->x + 3 * (int64_t)pair[0], *q = set->x + 3 * (int64_t)pair[1];
    *out =
        (cst_strand_contact){.strand_a = pair[0] / m, .strand_b = pair[1] / m, .sample_a = pair[0] % m, .sample_b = pair[1] % m};
    cst_segment_closest(p, p + 3, q, q + 3, &out->s_a, &out->s_b, out->normal);
    double distance = cst_normalise3(out->normal);
    out->gap = distance - 2 * set->radius;
    return out->gap < margin && out->gap > -DEEPEST * set->radius && owns(set, out->sample_a, out->s_a) &&
           owns(set, out->sample_b, out->s_b) && mobility[out->sample_a] + mobility[out->sample_b] > LEAST_MOBILITY;
}

static bool touch_head(const cst_strand_set *set, int strand, int sample, double margin, const double *mobility,
                       cst_strand_contact *out)
{
    const double *p = set->x + 3 * ((int64_t)strand * set->samples + sample);
    double e[2] = {p[3] - p[0], p[5] - p[2]}, along = e[0] * e[0] + e[1] * e[1];
    double s = along > 0 ? clamp01(-(p[0] * e[0] + p[2] * e[1]) / along) : 0;
    *out = (cst_strand_contact){.strand_a = strand, .strand_b = -1, .sample_a = sample, .s_a = s};
    out->normal[0] = p[0] + s * e[0];
    out->normal[2] = p[2] + s * e[1];
    out->gap = cst_normalise3(out->normal) - set->head - set->radius;
    return out->gap < margin && owns(set, sample, s) && mobility[sample] > LEAST_MOBILITY;
}

cst_strand_contact *cst_strand_contacts(const cst_strand_set *set, double margin, cst_arena *arena, int *count)
{
    cst_segment_pairs pairs = {.count = 0};
    int m = set->samples;
    double *mobility = CST_TAKE(arena, double, m);
    cst_strand_contact *contact = NULL;
    if (mobility && cst_strand_near_pairs(set, 2 * set->radius + margin, &arena->allocator, &pairs))
        contact = CST_TAKE(arena, cst_strand_contact, pairs.count + (int64_t)set->strands * (m - 1));
    int found = 0;
    if (contact) {
        for (int i = 0; i < m; i++)
            for (int j = CST_STRAND_CLAMPED; j < set->controls; j++)
                mobility[i] += set->basis[i * set->controls + j] * set->basis[i * set->controls + j];
        for (int64_t k = 0; k < pairs.count; k++)
            found += touch_strand(set, pairs.pair[k], margin, mobility, contact + found);
        for (int i = 0; i < set->strands; i++)
            for (int k = 0; k + 1 < m; k++)
                found += touch_head(set, i, k, margin, mobility, contact + found);
        found = thin_out(contact, found);
    }
    cst_segment_pairs_free(&pairs);
    *count = found;
    return contact;
}
