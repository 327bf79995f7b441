#include "collide/detect_plane.h"

#include <assert.h>
#include <string.h>

#include "collide/broad_phase.h"
#include "collide/distance_arc.h"
#include "collide/joint_merge.h"

/* BLOCK: all threads compute the contacts of BLOCK pairs of shapes; then one thread gathers these contacts in a list. KEPT:
 * largest number of contacts that is stored for a pair; a pair with more contacts is computed again when the contacts are
 * gathered. */
enum { BLOCK = 8192, KEPT = 2 };
enum { WORTH_THREADS = 2048 }; /* smallest number of arcs for which several threads are faster than one */

typedef struct owner_range {
    int32_t first, count;
    double turning; /* absolute change of direction (rad) */
} owner_range;

/* The data of an arc that the broad phase reads often, stored compactly. */
typedef struct arc_key {
    int32_t owner;
    uint8_t flags;
    bool owner_closed;
    /* sums (rad) of the absolute changes of direction of the rod, up to the start and up to the end of the arc */
    double turned[2];
} arc_key;

typedef struct detection {
    const cst_plane_scene *scene;
    cst_placed_arc *placed;
    arc_key *key;
    owner_range *owner;
    cst_pair_list pairs;
    int threads;
} detection;

typedef struct pair_job {
    int32_t a, b;
} pair_job;

/* ----------------------------------------------------------------------------------------------------------------- rules */

static uint8_t flags_of(const cst_plane_scene *scene, int32_t owner)
{
    return scene->owner_flags ? scene->owner_flags[owner] : 0;
}

static double margin_of(const cst_plane_scene *scene, int32_t shape)
{
    if (shape < scene->arcs)
        return scene->margin ? scene->margin[shape] : 0.0;
    return scene->half_plane_margin ? scene->half_plane_margin[shape - scene->arcs] : 0.0;
}

static bool owners_touch(const cst_plane_scene *scene, int32_t one, uint8_t flags_one, int32_t two, uint8_t flags_two)
{
    return cst_owners_touch(scene->apart, scene->aparts, one, flags_one, two, flags_two);
}

/* Returns the sum of the absolute changes of direction (rad) of a rod up to the arc length s of one of its arcs. */
static double turned_at(const cst_placed_arc *arc, double s)
{
    return arc->turned + fabs(arc->k) * s;
}

/* Returns true if the arcs a and b are allowed to touch. The direction of a rod changes by at least half a turn between two of
 * its points that touch; in a ring, this holds along each of the two ways from one point to the other. The rod between two of its
 * points that touch, together with the straight line that joins these points, forms a closed loop. A closed loop turns by at
 * least a full turn. At each of the two contact points, where the rod and the straight line meet, the closed loop turns by at
 * most a quarter turn, so at least half a turn is left for the rod. */
static bool may_touch(const void *user, int32_t a, int32_t b)
{
    const detection *d = user;
    const arc_key *p = &d->key[a], *q = &d->key[b];
    if (!owners_touch(d->scene, p->owner, p->flags, q->owner, q->flags))
        return false;
    if (p->owner != q->owner)
        return true;
    const double most = q->turned[1] - p->turned[0], least = q->turned[0] - p->turned[1], half_turn = (1.0 - 1e-6) * CST_PI;
    return most >= half_turn && (!p->owner_closed || d->owner[p->owner].turning - least >= half_turn);
}

/* Returns false for a self contact if the rod turns by less than a quarter turn between the two contact points. Without rounding
 * errors, a rod turns by at least half a turn between the points of a self contact (function may_touch). The limit of a quarter
 * turn tolerates rounding errors and still excludes contacts of neighbouring elements. */
static bool real_touch(const detection *d, const cst_touch *touch)
{
    if (touch->b >= d->scene->arcs || d->key[touch->a].owner != d->key[touch->b].owner)
        return true;
    const double turning = turned_at(&d->placed[touch->b], touch->s_b) - turned_at(&d->placed[touch->a], touch->s_a);
    const arc_key *key = &d->key[touch->a];
    return turning >= 0.5 * CST_PI && (!key->owner_closed || d->owner[key->owner].turning - turning >= 0.5 * CST_PI);
}

/* ----------------------------------------------------------------------------------------------------------- preparation */

static void join_owner(const cst_plane_scene *scene, cst_placed_arc *placed, owner_range *range)
{
    const int32_t first = range->first, last = first + range->count - 1;
    for (int32_t i = first; i < last; ++i)
        if (cst_arcs_meet(&scene->arc[i], &scene->arc[i + 1], false))
            cst_join_arcs(&placed[i], i, &placed[i + 1], i + 1);
    if (scene->arc[last].owner_closed && cst_arcs_meet(&scene->arc[last], &scene->arc[first], true))
        cst_join_arcs(&placed[last], last, &placed[first], first);
    double turned = 0.0;
    for (int32_t i = first; i <= last; ++i) {
        cst_placed_arc *arc = &placed[i];
        if (arc->prev >= 0 && i > first)
            turned += fabs(atan2(cst_cross2(arc->before, arc->t), cst_dot2(arc->before, arc->t)));
        arc->turned = turned;
        turned += fabs(arc->k) * arc->l;
    }
    const cst_placed_arc *start = &placed[first];
    if (start->prev >= 0)
        turned += fabs(atan2(cst_cross2(start->before, start->t), cst_dot2(start->before, start->t)));
    range->turning = turned;
}

static cst_box box_of(const detection *d, int32_t index)
{
    const cst_placed_arc *arc = &d->placed[index];
    if (!arc->usable)
        return (cst_box){.low = {1.0, 1.0}, .high = {0.0, 0.0}};
    if (arc->hollow)
        return (cst_box){.low = {-INFINITY, -INFINITY}, .high = {INFINITY, INFINITY}};
    const double about = arc->radius + margin_of(d->scene, index) + (arc->solid ? d->scene->solid_depth : 0.0);
    const double x = fabs(arc->axis[0]), y = fabs(arc->axis[1]);
    const double half[2] = {x * arc->half[0] + y * arc->half[1] + about, y * arc->half[0] + x * arc->half[1] + about};
    return (cst_box){.low = {arc->center[0] - half[0], arc->center[1] - half[1]},
                     .high = {arc->center[0] + half[0], arc->center[1] + half[1]}};
}

static bool usable_plane(const cst_half_plane *plane)
{
    return isfinite(plane->normal[0] + plane->normal[1] + plane->height);
}

static int prepare(detection *d, cst_box *box)
{
    const cst_plane_scene *scene = d->scene;
    int ignored = 0;
#pragma omp parallel for schedule(static) num_threads(d->threads) reduction(+ : ignored)
    for (int i = 0; i < scene->arcs; ++i) {
        cst_place_arc(&scene->arc[i], &d->placed[i]);
        ignored += !d->placed[i].usable || !isfinite(margin_of(scene, i));
        if (!isfinite(margin_of(scene, i)))
            d->placed[i].usable = false;
        box[i] = box_of(d, i);
    }
    for (int i = 0; i < scene->arcs; ++i) {
        const int32_t owner = scene->arc[i].owner;
        assert(owner >= 0 && owner < scene->owners);
        if (i == 0 || scene->arc[i - 1].owner != owner)
            d->owner[owner] = (owner_range){.first = i};
        ++d->owner[owner].count;
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(d->threads)
    for (int i = 0; i < scene->owners; ++i)
        if (d->owner[i].count)
            join_owner(scene, d->placed, &d->owner[i]);
    for (int i = 0; i < scene->arcs; ++i)
        d->key[i] = (arc_key){.owner = scene->arc[i].owner,
                              .flags = flags_of(scene, scene->arc[i].owner),
                              .owner_closed = scene->arc[i].owner_closed,
                              .turned = {turned_at(&d->placed[i], 0.0), turned_at(&d->placed[i], d->placed[i].l)}};
    for (int i = 0; i < scene->half_planes; ++i)
        ignored += !usable_plane(&scene->half_plane[i]) || !isfinite(margin_of(scene, scene->arcs + i));
    return ignored;
}

/* ------------------------------------------------------------------------------------------------------------- selection */

/* Returns true if two arcs may touch, judged by a lower bound of the distance of their centrelines. */
static bool near_arcs(const detection *d, int32_t a, int32_t b)
{
    const cst_placed_arc *p = &d->placed[a], *q = &d->placed[b];
    const double reach = margin_of(d->scene, a) + margin_of(d->scene, b);
    if (p->hollow || q->hollow) {
        const cst_placed_arc *drum = p->hollow ? p : q, *arc = p->hollow ? q : p;
        const double farthest =
            hypot(arc->center[0] - drum->x[0], arc->center[1] - drum->x[1]) + hypot(arc->half[0], arc->half[1]);
        return drum->radius - farthest - arc->radius < reach;
    }
    return cst_arcs_apart(p, q) < p->radius + q->radius + reach + (p->solid || q->solid ? d->scene->solid_depth : 0.0);
}

static bool near_plane(const detection *d, int32_t a, int plane)
{
    const cst_plane_scene *scene = d->scene;
    const cst_half_plane *to = &scene->half_plane[plane];
    const cst_placed_arc *arc = &d->placed[a];
    const double least = cst_dot2(to->normal, arc->center) - arc->half[0] * fabs(cst_dot2(to->normal, arc->axis)) -
                         arc->half[1] * fabs(cst_cross2(to->normal, arc->axis)) - to->height - arc->radius;
    return least < margin_of(scene, a) + margin_of(scene, scene->arcs + plane) && arc->usable && usable_plane(to) &&
           owners_touch(scene, d->key[a].owner, d->key[a].flags, to->owner, flags_of(scene, to->owner));
}

static bool touches_itself(const detection *d, int32_t a)
{
    return d->placed[a].usable && fabs(d->placed[a].k) * d->placed[a].l >= CST_PI &&
           owners_touch(d->scene, d->key[a].owner, d->key[a].flags, d->key[a].owner, d->key[a].flags);
}

/* Removes the pairs of arcs that cannot touch. Sets jobs[a] to the number of contact searches of arc a: one for each arc with a
 * higher index and each half-plane that arc a may touch, and one if it may touch itself. */
static void thin_rows(detection *d, int64_t *jobs)
{
#pragma omp parallel for schedule(dynamic, 256) num_threads(d->threads)
    for (int a = 0; a < d->scene->arcs; ++a) {
        int32_t *partner = d->pairs.partner + d->pairs.row_start[a];
        const int64_t count = d->pairs.row_start[a + 1] - d->pairs.row_start[a];
        int64_t left = 0;
        for (int64_t i = 0; i < count; ++i)
            if (near_arcs(d, a, partner[i]))
                partner[left++] = partner[i];
        if (left < count)
            partner[left] = -1; /* end of the row */
        int64_t all = left + touches_itself(d, a);
        for (int p = 0; p < d->scene->half_planes; ++p)
            all += near_plane(d, a, p);
        jobs[a] = all;
    }
}

static void fill_jobs(const detection *d, const int64_t *start, pair_job *job)
{
#pragma omp parallel for schedule(dynamic, 256) num_threads(d->threads)
    for (int a = 0; a < d->scene->arcs; ++a) {
        pair_job *to = job + start[a];
        if (start[a] == start[a + 1])
            continue;
        if (touches_itself(d, a))
            *to++ = (pair_job){.a = a, .b = a};
        for (int64_t i = d->pairs.row_start[a]; i < d->pairs.row_start[a + 1] && d->pairs.partner[i] >= 0; ++i)
            *to++ = (pair_job){.a = a, .b = d->pairs.partner[i]};
        for (int p = 0; p < d->scene->half_planes; ++p)
            if (near_plane(d, a, p))
                *to++ = (pair_job){.a = a, .b = d->scene->arcs + p};
    }
}

/* --------------------------------------------------------------------------------------------------------------- touches */

static int touch_pair(const detection *d, pair_job job, cst_touch *out)
{
    const cst_plane_scene *scene = d->scene;
    const cst_placed_arc *a = &d->placed[job.a];
    cst_touch_rules rules = {
        .margin = margin_of(scene, job.a) + margin_of(scene, job.b), .flat = scene->flat, .solid_depth = scene->solid_depth};
    int count;
    if (job.b >= scene->arcs) {
        count = cst_touch_half_plane(a, &scene->half_plane[job.b - scene->arcs], &rules, out);
    } else if (job.a == job.b) {
        count = cst_touch_itself(a, &rules, out);
    } else {
        const cst_placed_arc *b = &d->placed[job.b];
        if (a->solid || b->solid) {
            const owner_range *of_a = &d->owner[scene->arc[job.a].owner], *of_b = &d->owner[scene->arc[job.b].owner];
            rules.boundary_a = d->placed + of_a->first;
            rules.boundary_a_count = of_a->count;
            rules.boundary_b = d->placed + of_b->first;
            rules.boundary_b_count = of_b->count;
        }
        count = cst_touch_arcs(a, b, &rules, out);
    }
    int left = 0;
    for (int i = 0; i < count; ++i) {
        out[i].a = job.a;
        out[i].b = job.b;
        if (isfinite(out[i].gap) && real_touch(d, &out[i]))
            out[left++] = out[i];
    }
    return left;
}

/* Computes the contacts of all pairs, in blocks of BLOCK pairs. The threads write the contacts of each pair to a separate part of
 * an array; after each block, one thread appends them to the list in the order of the pairs. */
static int find_touches(const detection *d, const pair_job *job, int64_t jobs, cst_detector *detector, cst_touch **out)
{
    cst_arena *arena = &detector->arena;
    size_t room = cst_roomy(detector->touches + CST_TOUCHES_MAX);
    cst_touch *slot = CST_TAKE_RAW(arena, cst_touch, BLOCK * KEPT);
    int *count = CST_TAKE_RAW(arena, int, BLOCK);
    cst_touch *touch = CST_TAKE_RAW(arena, cst_touch, room);
    size_t total = 0;
    for (int64_t from = 0; from < jobs && !arena->failed; from += BLOCK) {
        const int size = jobs - from < BLOCK ? (int)(jobs - from) : BLOCK;
#pragma omp parallel for schedule(dynamic, 64) num_threads(d->threads)
        for (int i = 0; i < size; ++i) {
            cst_touch found[CST_TOUCHES_MAX];
            count[i] = touch_pair(d, job[from + i], found);
            memcpy(slot + (size_t)i * KEPT, found, (size_t)(count[i] < KEPT ? count[i] : KEPT) * sizeof *found);
        }
        size_t more = 0;
        for (int i = 0; i < size; ++i)
            more += (size_t)count[i];
        if (total + more + CST_TOUCHES_MAX > room) { /* one pair may add CST_TOUCHES_MAX contacts */
            while (total + more + CST_TOUCHES_MAX > room)
                room *= 2;
            cst_touch *larger = CST_TAKE_RAW(arena, cst_touch, room);
            if (!larger)
                break;
            memcpy(larger, touch, total * sizeof *touch);
            touch = larger;
        }
        for (int i = 0; i < size; ++i) {
            if (count[i] > KEPT)
                touch_pair(d, job[from + i], touch + total);
            else
                memcpy(touch + total, slot + (size_t)i * KEPT, (size_t)count[i] * sizeof *touch);
            total += (size_t)count[i];
        }
    }
    if (arena->failed || total > INT32_MAX)
        return -1;
    detector->touches = (int)total;
    *out = touch;
    return (int)total;
}

int cst_detect_plane(cst_detector *detector, const cst_plane_scene *scene, const cst_touch **out)
{
    cst_arena *arena = &detector->arena;
    cst_arena_release(arena, detector->empty);
    arena->failed = false;
    *out = NULL;
    detection d = {.scene = scene, .threads = scene->threads > 1 && scene->arcs >= WORTH_THREADS ? scene->threads : 1};
    d.placed = CST_TAKE_RAW(arena, cst_placed_arc, scene->arcs);
    d.key = CST_TAKE_RAW(arena, arc_key, scene->arcs);
    d.owner = CST_TAKE(arena, owner_range, scene->owners);
    cst_box *box = CST_TAKE_RAW(arena, cst_box, scene->arcs);
    int64_t *start = CST_TAKE(arena, int64_t, (size_t)scene->arcs + 1);
    if (arena->failed)
        return -1;
    detector->ignored = prepare(&d, box);
    if (!cst_overlapping_boxes(box, scene->arcs, may_touch, &d, d.threads, arena, &d.pairs))
        return -1;
    thin_rows(&d, start);
    int64_t jobs = 0;
    for (int i = 0; i <= scene->arcs; ++i) {
        const int64_t here = start[i];
        start[i] = jobs;
        jobs += here;
    }
    detector->pairs = jobs;
    pair_job *job = CST_TAKE_RAW(arena, pair_job, cst_roomy(jobs));
    if (arena->failed)
        return -1;
    fill_jobs(&d, start, job);
    cst_touch *touch = NULL;
    int touches = find_touches(&d, job, jobs, detector, &touch);
    if (touches > 0)
        touches = cst_merge_at_joints(d.placed, scene->arcs, touch, touches, arena);
    if (touches >= 0)
        *out = touch;
    return touches;
}

bool cst_touch_keep_side(const cst_plane_scene *scene, const double *previous_normal, cst_touch *touch)
{
    if (touch->b >= scene->arcs || !(touch->gap < 0.0) || cst_dot2(previous_normal, touch->normal) >= 0.0)
        return false;
    const cst_arc *a = &scene->arc[touch->a], *b = &scene->arc[touch->b];
    if (a->solid || b->solid || a->hollow || b->hollow)
        return false;
    touch->normal[0] = -touch->normal[0];
    touch->normal[1] = -touch->normal[1];
    touch->gap = -touch->gap - 2.0 * (a->radius + b->radius);
    return true;
}
