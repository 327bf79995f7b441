#include "collide/detect_space.h"

#include <assert.h>
#include <string.h>

#include "base/threads.h"
#include "collide/distance_solid_space.h"
#include "collide/edge_touches.h"
#include "collide/fold.h"
#include "collide/kept_touches.h"
#include "collide/mesh_space.h"
#include "collide/space_jobs.h"
#include "collide/space_pairs.h"
#include "collide/touch_surface.h"
#include "math/vector3.h"

/* BLOCK: number of contact searches after which the contacts found are collected in one list. KEPT: number of contacts that are
 * stored for each search; a search that finds more contacts is repeated when the contacts are collected. */
enum { BLOCK = 8192, KEPT = 2 };
enum { WORTH_THREADS = 1024 }; /* number of centreline pieces below which one thread is faster than several */

static const double PI = 3.14159265358979323846;

typedef struct search {
    cst_space_search in;
    cst_pair_list pairs;
    cst_space_jobs job;
} search;

/* ----------------------------------------------------------------------------------------------------------------- rules */

static double turned_at(const cst_placed_piece *piece, double s)
{
    return piece->turned + piece->piece->curvature * s;
}

/* Returns false for a self contact if the centreline turns by less than a quarter turn between the two contact points. In theory,
 * a centreline turns by at least half a turn between the points of a self contact, except at a fold (detect_space.h); the limit
 * of a quarter turn allows for rounding errors. */
static bool real_touch(const search *d, const cst_touch_space *touch)
{
    if (touch->b >= d->in.scene->pieces)
        return true;
    const cst_placed_piece *a = &d->in.placed[touch->a], *b = &d->in.placed[touch->b];
    if (a->piece->owner != b->piece->owner)
        return true;
    const double turning = turned_at(b, touch->s_b) - turned_at(a, touch->s_a);
    return turning >= 0.5 * PI && (!a->piece->owner_closed || d->in.owner[a->piece->owner].turning - turning >= 0.5 * PI);
}

/* --------------------------------------------------------------------------------------------------------------- touches */

static double solid_distance(const void *user, const double *x, double *normal)
{
    return cst_solid_distance(user, x, normal);
}

/* Removes contacts with numbers that are not finite, and self contacts that real_touch rejects; returns the number of remaining
 * contacts. The fields a and b of the remaining contacts are set to piece_a and shape_b. */
static int take_real(const search *d, int32_t piece_a, int32_t shape_b, cst_touch_space *touch, int count)
{
    int left = 0;
    for (int i = 0; i < count; ++i) {
        touch[i].a = piece_a;
        touch[i].b = shape_b;
        if (isfinite(touch[i].gap) && real_touch(d, &touch[i]))
            touch[left++] = touch[i];
    }
    return left;
}

static cst_curve_side side_of(const search *d, int32_t segment)
{
    return (cst_curve_side){.segment = &d->in.segment[segment], .piece = &d->in.placed[d->in.segment[segment].piece]};
}

/* Search distance of two segments: the search finds contacts with a gap of at most margin + beyond (space_motion.h).
 *     `margin`: sum of both contact margins (m).
 *     `beyond`: length (m) added to `margin`, because the displacements in the step can close a gap larger than `margin`.
 *     `level`: search effort (space_motion.h), on which the number of start points of Newton's method depends. */
typedef struct pair_reach {
    double margin, beyond;
    int level;
} pair_reach;

/* Rounds `beyond` up to a float, because stored pairs of segments keep it as a float. */
static pair_reach reach_beyond(double margin, double beyond)
{
    float stored = (float)beyond;
    if ((double)stored < beyond)
        stored = nextafterf(stored, INFINITY);
    return (pair_reach){.margin = margin, .beyond = stored, .level = cst_effort_level(stored, margin)};
}

static pair_reach reach_of(const search *d, int32_t seg_a, int32_t seg_b)
{
    const cst_space_scene *scene = d->in.scene;
    const cst_capsule *p = d->in.capsule + seg_a, *q = d->in.capsule + seg_b;
    const double margin = cst_pair_margin(scene, d->in.segment[seg_a].piece, d->in.segment[seg_b].piece);
    return reach_beyond(margin, scene->way ? cst_beyond_ways(p->way, p->spread, q->way, q->spread, margin) : 0.0);
}

static int touch_pair(const search *d, int32_t seg_a, int32_t seg_b, const pair_reach *reach, cst_touch_space *out)
{
    const cst_curve_side a = side_of(d, seg_a), b = side_of(d, seg_b);
    const cst_space_rules rules = {.margin = reach->margin + reach->beyond,
                                   .effort = cst_effort_of(reach->level, reach->beyond, reach->margin),
                                   .flat = d->in.scene->flat};
    return take_real(d, a.segment->piece, b.segment->piece, out, cst_touch_segments(&a, &b, &rules, out));
}

static int touch_solid(const search *d, int64_t index, cst_touch_space *out)
{
    const cst_space_scene *scene = d->in.scene;
    const cst_solid_job *job = &d->job.solid[d->job.b[index] - d->in.segments];
    const int32_t seg_a = d->job.a[index], number = job->solid;
    const cst_curve_side a = side_of(d, seg_a);
    const int32_t piece = a.segment->piece, shape_b = scene->pieces + number;
    const cst_solid *solid = &scene->solid[number];
    const cst_space_rules rules = {.margin = job->reach, .flat = scene->flat};
    if (solid->kind == CST_SOLID_MESH) {
        const double depth = cst_depth_in_mesh(&d->in, seg_a, number);
        return take_real(d, piece, shape_b, out, cst_touch_triangle(&a, solid, job->part, depth, &rules, out));
    }
    const cst_surface_shape shape = {.distance = solid_distance, .user = solid, .rounding = solid->rounding, .convex = true};
    return take_real(d, piece, shape_b, out, cst_touch_surface(&a, &shape, &rules, out));
}

/* Compares a stored pair of segments with the pair (a, b), both with their first segments on the same centreline piece, in the
 * order of the stored pairs. Segments are compared by the index of their centreline piece, then by their order along the piece,
 * because the index of a segment itself is valid in one search only. */
static int compare_job(const cst_kept_job *job, const cst_segment *a, const cst_segment *b)
{
    const int32_t its[3] = {job->rank[0], job->b, job->rank[1]}, mine[3] = {a->rank, b->piece, b->rank};
    int k = 0;
    while (k < 2 && its[k] == mine[k])
        ++k;
    return (its[k] > mine[k]) - (its[k] < mine[k]);
}

/* Copies the contacts of two segments that an earlier search of the same shapes has stored. Returns the number of copied
 * contacts. Returns -1 if no search of this pair is stored, if the stored search used another number of start points of Newton's
 * method (pair_reach.level) or a smaller search distance, or if the contact margins are 0 (CST_EFFORT_ALONE). */
static int known_touches(const search *d, int32_t a, int32_t b, const pair_reach *reach, cst_touch_space *out)
{
    const cst_kept_touches *known = d->in.known;
    const cst_segment *mine = &d->in.segment[a], *its = &d->in.segment[b];
    if (!known)
        return -1;
    int low = known->row[mine->piece], high = known->row[mine->piece + 1], count = 0;
    const int end = high;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare_job(&known->job[middle], mine, its) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const cst_kept_job *job = &known->job[low];
    if (low == end || compare_job(job, mine, its) != 0 || job->level != reach->level || reach->level == CST_EFFORT_ALONE ||
        !(reach->beyond <= (double)job->beyond))
        return -1;
    for (int i = 0; i < job->count; ++i)
        if (known->touch[job->first + i].gap < reach->margin + reach->beyond)
            out[count++] = known->touch[job->first + i];
    return count;
}

/* `reach`: receives the search distance of two segments; not set if the second shape is a solid. */
static int do_job(const search *d, int64_t index, pair_reach *reach, cst_touch_space *out)
{
    const int32_t a = d->job.a[index], b = d->job.b[index];
    if (b >= d->in.segments)
        return touch_solid(d, index, out);
    *reach = reach_of(d, a, b);
    const int known = known_touches(d, a, b, reach, out);
    return known >= 0 ? known : touch_pair(d, a, b, reach, out);
}

/* Working memory for the contact searches of one block. `slot`: KEPT contacts of each search. `count`: number of contacts of each
 * search. */
typedef struct touch_block {
    cst_touch_space *slot;
    uint8_t *count;
} touch_block;

static touch_block take_block(int64_t searches, cst_arena *arena)
{
    const size_t size = searches < BLOCK ? cst_roomy(searches) : BLOCK;
    return (touch_block){.slot = CST_TAKE_RAW(arena, cst_touch_space, size * KEPT), .count = CST_TAKE_RAW(arena, uint8_t, size)};
}

static int block_size(int64_t from, int64_t searches)
{
    return searches - from < BLOCK ? (int)(searches - from) : BLOCK;
}

static void store_found(const touch_block *block, int i, const cst_touch_space *found, int count)
{
    block->count[i] = (uint8_t)count;
    memcpy(block->slot + (size_t)i * KEPT, found, (size_t)(count < KEPT ? count : KEPT) * sizeof *found);
}

/* Returns the number of contacts for which memory is needed to collect a block of `size` searches. */
static size_t room_for(const touch_block *block, int size)
{
    size_t room = CST_SPACE_TOUCHES_MAX; /* for a repeated search */
    for (int i = 0; i < size; ++i)
        room += block->count[i];
    return room;
}

/* Returns the search distance beyond the margins (m) that the present displacements demand for a stored pair of segments. `a`:
 * centreline piece of the first segment. */
static double beyond_of(const cst_kept_touches *kept, const cst_space_scene *scene, int32_t a, const cst_kept_job *job)
{
    cst_stretch at[2];
    for (int i = 0; i < 2; ++i) {
        const int32_t piece = i == 0 ? a : job->b;
        const int count = kept->segments[piece];
        const double h = scene->piece[piece].length / count;
        at[i] = (cst_stretch){.piece = piece, .count = count, .s = (job->rank[i] + 0.5) * h};
    }
    return cst_beyond_stretch(scene, &at[0], &at[1]);
}

/* Stores the number of segments of a segment's piece; returns the rank of the segment in its piece. */
static uint16_t keep_segment(const search *d, int32_t index, cst_kept_touches *kept)
{
    const cst_segment *segment = &d->in.segment[index];
    const int count = d->in.placed[segment->piece].count;
    assert(count <= UINT16_MAX && segment->rank < count);
    kept->segments[segment->piece] = (uint16_t)count;
    return (uint16_t)segment->rank;
}

/* Appends the contacts of one pair of shapes to the stored contacts `kept`. */
static void collect(const search *d, int64_t index, pair_reach *reach, int count, const cst_touch_space *slot,
                    cst_kept_touches *kept)
{
    const int32_t a = d->job.a[index], b = d->job.b[index];
    if (b < d->in.segments) {
        kept->row[d->in.segment[a].piece + 1]++;
        kept->job[kept->jobs++] = (cst_kept_job){
            .b = d->in.segment[b].piece,
            .rank = {keep_segment(d, a, kept), keep_segment(d, b, kept)},
            .first = kept->touches,
            .count = (uint8_t)count,
            .uneven = d->in.scene->way && cst_effort_level(reach->beyond + CST_WAY_SLACK * reach->margin, reach->margin) > 0,
            .level = (int16_t)reach->level,
            .beyond = (float)reach->beyond};
    }
    if (count > KEPT)
        do_job(d, index, reach, kept->touch + kept->touches);
    else
        memcpy(kept->touch + kept->touches, slot, (size_t)count * sizeof *slot);
    kept->touches += count;
}

/* Searches the contacts of all pairs of shapes in blocks; each contact search writes to its own part of the array `slot`. After
 * each block, one thread collects the contacts in the order of the pairs of shapes. */
static bool find_touches(const search *d, cst_arena *arena, cst_kept_touches *kept)
{
    const touch_block block = take_block(d->job.count, arena);
    pair_reach *reach = CST_TAKE_RAW(arena, pair_reach, BLOCK);
    int64_t pairs = 0;
    for (int64_t i = 0; i < d->job.count; ++i)
        pairs += d->job.b[i] < d->in.segments;
    if (arena->failed || !cst_kept_reserve_jobs(kept, pairs))
        return false;
    for (int64_t from = 0; from < d->job.count; from += BLOCK) {
        const int size = block_size(from, d->job.count);
        CST_PARALLEL_FOR(d->in.threads, schedule(dynamic, 64), (int i = 0; i < size; ++i), {
            cst_touch_space found[CST_SPACE_TOUCHES_MAX];
            store_found(&block, i, found, do_job(d, from + i, reach + i, found));
        });
        if (!cst_kept_reserve_touches(kept, room_for(&block, size), (double)(from + size) / (double)d->job.count))
            return false;
        for (int i = 0; i < size; ++i)
            collect(d, from + i, reach + i, block.count[i], block.slot + (size_t)i * KEPT, kept);
    }
    for (int i = 0; i < d->in.scene->pieces; ++i) /* numbers of pairs to first pairs */
        kept->row[i + 1] += kept->row[i];
    return true;
}

/* Computes the positions and the segments of the shapes, or takes those of the last call if it had the same shapes. `ways`: true:
 * stored capsules and bounding boxes get the displacements of the present scene. */
static bool prepare(cst_space_search *in, bool ways, cst_detector *detector)
{
    cst_arena *arena = &detector->arena;
    if (detector->prepared) {
        const cst_space_scene *scene = in->scene;
        const cst_kept_touches *known = in->known;
        const int threads = in->threads;
        *in = *detector->prepared;
        in->scene = scene;
        in->known = known;
        in->threads = threads;
        if (ways)
            cst_space_prepare_ways(in);
        else
            cst_space_prepare_pieces(in);
        return true;
    }
    cst_space_search *kept = CST_TAKE_RAW(arena, cst_space_search, 1);
    if (!kept || !cst_space_place_pieces(in, arena))
        return false;
    *kept = *in;
    detector->prepared = kept;
    detector->prepared_end = cst_arena_mark_now(arena);
    return true;
}

/* Finds all contacts that a search must return for the displacements in `scene` (cst_touch_wanted), and stores them in `kept`.
 * The search distance allows for slightly larger displacements, so that a later search can use the stored contacts. */
static bool search_all(search *d, cst_detector *detector, cst_kept_touches *kept)
{
    const cst_space_scene *scene = d->in.scene;
    cst_arena *arena = &detector->arena;
    if (!cst_kept_begin(kept, scene) || !prepare(&d->in, true, detector))
        return false;
    detector->ignored = d->in.ignored;
    for (int i = 0; i < scene->pieces; ++i)
        kept->joint[i] = (cst_joint){.prev = d->in.placed[i].prev, .next = d->in.placed[i].next};
    if (!cst_space_pairs(&d->in, detector, &d->pairs))
        return false;
    const bool listed = cst_list_space_jobs(&d->in, &d->pairs, cst_segments_may_touch, &d->in, arena, &d->job);
    detector->pairs_kept.crowded = d->job.crowded;
    if (!listed || !find_touches(d, arena, kept))
        return false;
    detector->pairs = d->job.count;
    d->pairs = (cst_pair_list){0};
    d->job = (cst_space_jobs){0};
    cst_arena_release(arena, detector->prepared_end);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- choice */

/* A stored pair of segments that is searched again. `a`: centreline piece of its first segment. */
typedef struct again {
    int32_t a, job;
} again;

static int touch_again(const search *d, const cst_kept_touches *kept, const again *of, cst_touch_space *out)
{
    const cst_space_scene *scene = d->in.scene;
    const cst_kept_job *job = &kept->job[of->job];
    const double margin = cst_pair_margin(scene, of->a, job->b);
    const pair_reach reach = reach_beyond(margin, beyond_of(kept, scene, of->a, job));
    return touch_pair(d, d->in.first[of->a] + job->rank[0], d->in.first[job->b] + job->rank[1], &reach, out);
}

/* Lists the stored pairs of segments for which the present displacements demand another number of start points of Newton's method
 * than the stored search used, and the pairs whose contact margins are 0. Returns their number, or -1 if memory ran out.
 *     `partly`: true if the caller has already searched the pairs of segments whose stored contacts are not valid; the list
 *         leaves these pairs out.
 *     `unwanted`: set to 1 for the stored contacts of each listed pair.
 *     `wanted`: array (pieces), set to 1 for the centreline pieces of the listed pairs. */
static int list_again(const cst_kept_touches *kept, const cst_space_scene *scene, bool partly, cst_arena *arena,
                      uint8_t *unwanted, uint8_t *wanted, again **list)
{
    int count = 0;
    *list = CST_TAKE_RAW(arena, again, kept->jobs);
    if (arena->failed)
        return -1;
    for (int32_t a = 0; a < scene->pieces; ++a)
        for (int32_t i = kept->row[a]; i < kept->row[a + 1]; ++i) {
            const cst_kept_job *job = &kept->job[i];
            if (!job->uneven || (partly && !cst_kept_covers_pair(kept, scene, a, job->b)))
                continue;
            const int level = reach_beyond(cst_pair_margin(scene, a, job->b), beyond_of(kept, scene, a, job)).level;
            if (level == job->level && level != CST_EFFORT_ALONE)
                continue;
            memset(unwanted + job->first, 1, (size_t)job->count);
            wanted[a] = wanted[job->b] = 1;
            (*list)[count++] = (again){a, i};
        }
    return count;
}

/* Searches the pairs of segments again that list_again lists. `out`: receives the contacts found. Returns the number of contacts
 * in `out`, or -1 if memory ran out. */
static int search_again(const cst_kept_touches *kept, const cst_space_scene *scene, bool partly, int threads,
                        cst_detector *detector, uint8_t *unwanted, cst_touch_space **out)
{
    cst_arena *arena = &detector->arena;
    uint8_t *wanted = CST_TAKE(arena, uint8_t, scene->pieces);
    again *list;
    const int count = arena->failed ? -1 : list_again(kept, scene, partly, arena, unwanted, wanted, &list);
    int found = 0, room = 0;
    if (count <= 0)
        return count;
    search d = {.in = {.scene = scene, .threads = threads}};
    const touch_block block = take_block(count, arena);
    if (arena->failed || !prepare(&d.in, false, detector) || !cst_space_want(&d.in, wanted, detector))
        return -1;
    for (int from = 0; from < count; from += BLOCK) {
        const int size = block_size(from, count);
        CST_PARALLEL_FOR(threads, schedule(dynamic, 16), (int i = 0; i < size; ++i), {
            cst_touch_space touch[CST_SPACE_TOUCHES_MAX];
            store_found(&block, i, touch, touch_again(&d, kept, &list[from + i], touch));
        });
        const size_t needed = (size_t)found + room_for(&block, size);
        while ((size_t)room < needed && needed <= INT32_MAX / 2)
            *out = cst_arena_grow(arena, *out, room, &room, sizeof **out);
        if (arena->failed || (size_t)room < needed)
            return -1;
        for (int i = 0; i < size; ++i) {
            if (block.count[i] > KEPT)
                touch_again(&d, kept, &list[from + i], *out + found);
            else
                memcpy(*out + found, block.slot + (size_t)i * KEPT, (size_t)block.count[i] * sizeof *block.slot);
            found += block.count[i];
        }
    }
    return found;
}

/* Selects the contacts that a search must return (cst_touch_wanted), from the stored contacts and the new ones.
 *     `reused`: true if the contacts were stored by a search with other displacements.
 *     `found`: new contacts of the pairs of shapes whose stored contacts are not valid; NULL: none.
 * Returns the number of selected contacts, or -1 if memory ran out. */
static int choose(const cst_kept_touches *kept, const cst_space_scene *scene, bool reused, const cst_kept_touches *found,
                  int threads, cst_detector *detector, cst_touch_space **out)
{
    cst_arena *arena = &detector->arena;
    uint8_t *unwanted = CST_TAKE(arena, uint8_t, cst_roomy(kept->touches));
    cst_touch_space *more = NULL;
    int others = 0, count = 0;
    if (arena->failed)
        return -1;
    if (reused && kept->jobs > 0)
        others = search_again(kept, scene, found, threads, detector, unwanted, &more);
    const int anew = found ? found->touches : 0;
    cst_touch_space *touch =
        others < 0 ? NULL : CST_TAKE_RAW(arena, cst_touch_space, cst_roomy((int64_t)kept->touches + others + anew));
    if (!touch)
        return -1;
    CST_PARALLEL_FOR(threads, schedule(static), (int i = 0; i < kept->touches; ++i), {
        unwanted[i] = unwanted[i] || !cst_touch_wanted(scene, &kept->touch[i]) ||
                      (found && !cst_kept_covers_pair(kept, scene, kept->touch[i].a, kept->touch[i].b));
    });
    for (int i = 0; i < kept->touches; ++i)
        if (!unwanted[i])
            touch[count++] = kept->touch[i];
    for (int i = 0; i < others; ++i)
        if (cst_touch_wanted(scene, &more[i]))
            touch[count++] = more[i];
    for (int i = 0; i < anew; ++i)
        if (cst_touch_wanted(scene, &found->touch[i]))
            touch[count++] = found->touch[i];
    *out = touch;
    return count;
}

/* Returns the stored contacts of the configuration of shapes with the hash key `key`, or NULL. */
static cst_kept_touches *find_kept(cst_detector *detector, uint64_t key)
{
    for (int i = 0; i < CST_DETECTOR_KEPT; ++i)
        if (detector->kept[i].there && detector->kept[i].key == key)
            return &detector->kept[i];
    return NULL;
}

/* Returns the least recently used set of stored contacts, except the set `but`. */
static cst_kept_touches *oldest(cst_detector *detector, const cst_kept_touches *but)
{
    cst_kept_touches *out = NULL;
    for (int i = 0; i < CST_DETECTOR_KEPT; ++i)
        if (&detector->kept[i] != but && (!out || detector->kept[i].used < out->used))
            out = &detector->kept[i];
    return out;
}

/* Releases the memory of the last call, except the segments of the centrelines if the present call has the same shapes. */
static void begin_call(cst_detector *detector, bool keepable, uint64_t key)
{
    const bool same = detector->prepared && keepable && detector->prepared_key == key;
    cst_arena_release(&detector->arena, same ? detector->prepared_end : detector->empty);
    detector->arena.failed = false;
    detector->prepared = same ? detector->prepared : NULL;
    detector->prepared_key = key;
    detector->searched = NULL;
}

int cst_detect_space(cst_detector *detector, const cst_space_scene *scene, const cst_touch_space **out)
{
    cst_arena *arena = &detector->arena;
    *out = NULL;
    assert(scene->solids == 0 || !scene->way == !scene->solid_way);
    const int threads = scene->threads > 1 && scene->pieces >= WORTH_THREADS ? scene->threads : 1;
    const bool keepable = cst_space_keepable(scene);
    const uint64_t key = keepable ? cst_space_key(scene, threads) : 0;
    cst_kept_touches *kept = keepable && !scene->next_way ? find_kept(detector, key) : NULL, *found = NULL;
    const bool reused = kept && cst_kept_covers(kept, scene, threads);
    begin_call(detector, keepable, key);
    cst_space_scene searched = *scene;
    if (scene->next_way) {
        searched.way = scene->next_way;
        searched.solid_way = scene->next_solid_way;
    }
    search d = {.in = {.scene = &searched, .threads = threads}};
    if (!reused) {
        d.in.known = kept && kept->way && scene->way ? kept : NULL;
        found = oldest(detector, d.in.known);
        if (!search_all(&d, detector, found))
            return -1;
    }
    if (!reused && !d.in.known) {
        cst_kept_touches *before = keepable ? find_kept(detector, key) : NULL;
        if (before)
            before->there = false;
        kept = found;
        found = NULL;
        kept->there = keepable;
        kept->key = key;
        detector->searched = kept;
    }
    assert(kept);
    kept->used = ++detector->calls;
    detector->searches += !reused;
    cst_touch_space *touch = NULL;
    int touches = choose(kept, scene, reused || found, found, threads, detector, &touch);
    if (touches > 0 && !keepable)
        touches = cst_name_corners(scene, d.in.placed, touch, touches);
    if (touches > 0)
        touches = cst_merge_touches_space(scene->piece, kept->joint, scene->pieces, touch, touches, arena);
    if (touches > 0 && !keepable)
        touches = cst_merge_edge_touches(scene, touch, touches, arena);
    if (touches >= 0)
        *out = touch;
    return touches;
}

bool cst_touch_space_keep_side(const cst_space_scene *scene, const double *previous_normal, cst_touch_space *touch)
{
    if (!(touch->gap < 0.0) || cst_dot3(previous_normal, touch->normal) >= 0.0)
        return false;
    double radii = scene->piece[touch->a].radius;
    if (touch->b < scene->pieces) {
        radii += scene->piece[touch->b].radius;
    } else {
        const cst_solid *solid = &scene->solid[touch->b - scene->pieces];
        if (solid->kind != CST_SOLID_MESH || cst_mesh_space_closed(solid->mesh))
            return false;
        radii += solid->rounding;
        /* moves the contact point x_b through the sheet (open mesh) to the sheet's other face */
        cst_add3(-2.0 * solid->rounding, touch->normal, touch->x_b);
    }
    for (int k = 0; k < 3; ++k)
        touch->normal[k] = -touch->normal[k];
    touch->gap = -touch->gap - 2.0 * radii;
    return true;
}
