#include "collide/strand_sweep.h"

#include <math.h>

#include "collide/distance_segment.h"
#include "math/vector3.h"

/* Of the radius, along one owner: nearer to each other than this, two chords are neighbours, which bend but do not pass. A fiber that is
 * bent as tightly as its own radius allows comes back to itself after half a turn, 3.1 radii. */
static const double NEIGHBOURS = 3.0;

/* Of the sum of the radii: nearer than this, two chords pass; so near the advancement aims. */
static const double PASSING = 0.2, AIM = 0.1;

static const double *point(const double *x, int32_t index)
{
    return x + 3 * (size_t)index;
}

/* -------------------------------------------------------------------------------------------------------------- broad phase */

static cst_capsule capsule_of(const cst_strands *strands, const cst_chord *chord)
{
    cst_capsule out = {.radius = PASSING * chord->radius};
    double turn = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double a = point(strands->start, chord->from)[k], b = point(strands->start, chord->to)[k];
        const double way_a = point(strands->end, chord->from)[k] - a, way_b = point(strands->end, chord->to)[k] - b;
        out.center[k] = 0.5 * (a + b);
        out.half[k] = 0.5 * (b - a);
        out.way[k] = 0.5 * (way_a + way_b);
        turn += 0.25 * (way_b - way_a) * (way_b - way_a);
    }
    out.spread = sqrt(turn);
    if (!isfinite(turn + cst_dot3(out.center, out.center) + cst_dot3(out.way, out.way)))
        out.radius = -1.0; /* there is none */
    return out;
}

/* Where a piece goes, give or take `spread`; room: two pieces that go no farther relative to each other than the sum of theirs do not pass. */
typedef struct piece_motion {
    double way[3], spread, room;
} piece_motion;

typedef struct strand_search {
    const cst_strands *strands;
    const cst_capsule *capsule; /* (chords) */
    piece_motion *motion;       /* (pieces) */
} strand_search;

static bool may_pass(const void *user, int32_t a, int32_t b)
{
    const cst_strands *strands = ((const strand_search *)user)->strands;
    const cst_chord *p = strands->chord + a, *q = strands->chord + b;
    if (!cst_owners_touch(strands->apart, strands->aparts, p->owner, strands->owner_flags[p->owner], q->owner,
                          strands->owner_flags[q->owner]))
        return false;
    const double between = fabs(p->s - q->s) - 0.5 * (p->length + q->length);
    return p->owner != q->owner || between > NEIGHBOURS * fmax(p->radius, q->radius);
}

/* Two pieces that follow each other, or one with itself, whose chords all go on in one direction: chords that are no neighbours are
 * FORWARD SHORTEST NEIGHBOURS radii apart then, and motion that is shorter than this but for what passes makes none of them pass. */
static bool go_on(const strand_search *search, int32_t from, int32_t to)
{
    static const double FORWARD = 0.7, SHORTEST = 0.9; /* cosine; of the arc of a chord */
    const cst_strands *strands = search->strands;
    const int32_t first = strands->first[from], last = strands->first[to + 1] - 1;
    const double *start = point(strands->start, strands->chord[first].from);
    double u[3], most = 0.0, radius = 0.0;
    cst_subtract3(point(strands->start, strands->chord[last].to), start, u);
    const double length = sqrt(cst_dot3(u, u));
    for (int32_t c = first; c <= last; ++c) {
        const cst_chord *chord = strands->chord + c;
        const cst_capsule *capsule = search->capsule + c;
        double way[3], gap[3];
        const double along = 2.0 * cst_dot3(capsule->half, u), size = 2.0 * sqrt(cst_dot3(capsule->half, capsule->half));
        if (c > first) {
            cst_subtract3(point(strands->start, chord->from), point(strands->start, chord[-1].to), gap);
            if (!(cst_dot3(gap, gap) <= 1e-6 * chord->radius * chord->radius))
                return false;
        }
        if (!(capsule->radius >= 0.0) || !(along >= FORWARD * size * length) || !(size >= SHORTEST * chord->length))
            return false;
        cst_subtract3(capsule->way, search->capsule[first].way, way);
        most = fmax(most, sqrt(cst_dot3(way, way)) + capsule->spread);
        radius = fmax(radius, chord->radius);
    }
    /* joints are a thousandth of a radius wide at most, and there are fewer than a hundred */
    return 2.0 * most <= (FORWARD * SHORTEST * NEIGHBOURS - 2.0 * PASSING - 0.1) * radius;
}

/* With p the penetration, p <= depth max(r_a, r_b) <= depth (r_a + r_b), centrelines are r_a + r_b - p apart at the start. */
static piece_motion motion_of(const strand_search *search, int32_t piece)
{
    const cst_strands *strands = search->strands;
    const int32_t first = strands->first[piece], last = strands->first[piece + 1] - 1;
    piece_motion out = {.room = INFINITY};
    for (int k = 0; k < 3; ++k)
        out.way[k] = 0.5 * (search->capsule[first].way[k] + search->capsule[last].way[k]);
    for (int32_t c = first; c <= last; ++c) {
        const cst_capsule *capsule = search->capsule + c;
        const cst_chord *chord = strands->chord + c;
        double way[3];
        cst_subtract3(capsule->way, out.way, way);
        out.spread = fmax(out.spread, sqrt(cst_dot3(way, way)) + capsule->spread);
        out.room = fmin(out.room, chord->radius * (1.0 - PASSING - strands->depth) - chord->sag);
        if (!(capsule->radius >= 0.0 && chord->sag >= 0.0))
            out.room = -INFINITY;
    }
    out.room -= 1e-6 * fabs(out.room); /* rounding */
    return out;
}

static bool pieces_may_pass(const void *user, int32_t a, int32_t b)
{
    const strand_search *search = user;
    const cst_strands *strands = search->strands;
    if (strands->chord[strands->first[a]].owner == strands->chord[strands->first[b]].owner)
        return b - a > 1 || !go_on(search, a, b);
    const piece_motion *p = search->motion + a, *q = search->motion + b;
    double apart[3];
    cst_subtract3(p->way, q->way, apart);
    return !(sqrt(cst_dot3(apart, apart)) + p->spread + q->spread <= p->room + q->room);
}

static bool find_pairs(const cst_strands *strands, const cst_capsule *capsule, int threads, cst_arena *arena, cst_pair_list *pairs)
{
    strand_search search = {.strands = strands, .capsule = capsule};
    cst_capsule_groups groups = {.groups = strands->pieces,
                                 .first = strands->first,
                                 .capsule = capsule,
                                 .rule = may_pass,
                                 .groups_now = pieces_may_pass,
                                 .user = &search,
                                 .key = cst_apart_key(strands->apart, strands->aparts),
                                 .threads = threads};
    search.motion = CST_TAKE_RAW(arena, piece_motion, strands->pieces);
    if (arena->failed)
        return false;
    for (int i = 0; i < strands->pieces && strands->near; ++i) {
        const int32_t owner = strands->chord[strands->first[i]].owner;
        cst_owner_key_add(&groups.key, owner, strands->owner_flags[owner]);
        search.motion[i] = motion_of(&search, i);
    }
    if (strands->near && cst_kept_pairs_cover(strands->near, &groups))
        return cst_kept_pairs_list(strands->near, &groups, arena, pairs);
    const cst_capsule_scene near = {
        .capsules = strands->chords, .capsule = capsule, .rule = may_pass, .user = &search, .threads = threads};
    return cst_near_capsules(&near, arena, pairs);
}

/* ------------------------------------------------------------------------------------------------------------- narrow phase */

static void chord_at(const cst_strands *strands, const cst_chord *chord, double t, double x[2][3])
{
    for (int k = 0; k < 3; ++k) {
        x[0][k] = (1.0 - t) * point(strands->start, chord->from)[k] + t * point(strands->end, chord->from)[k];
        x[1][k] = (1.0 - t) * point(strands->start, chord->to)[k] + t * point(strands->end, chord->to)[k];
    }
}

/* Distance of the chords at the time t, and the nearest point of the first. */
static double distance_at(const cst_strands *strands, const cst_chord *p, const cst_chord *q, double t, double *place)
{
    double a[2][3], b[2][3];
    chord_at(strands, p, t, a);
    chord_at(strands, q, t, b);
    const cst_segments nearest = cst_segment_segment(a[0], a[1], b[0], b[1]);
    for (int k = 0; k < 3; ++k)
        place[k] = a[0][k] + nearest.s * (a[1][k] - a[0][k]);
    return nearest.distance;
}

static bool passes(const cst_strands *strands, const cst_capsule *capsule, int32_t a, int32_t b, cst_strand_crossing *out)
{
    const cst_chord *p = strands->chord + a, *q = strands->chord + b;
    const double radii = p->radius + q->radius, near = PASSING * radii, aim = AIM * radii;
    double apart[3];
    cst_subtract3(capsule[a].way, capsule[b].way, apart);
    const double motion = sqrt(cst_dot3(apart, apart)) + capsule[a].spread + capsule[b].spread;
    *out = (cst_strand_crossing){.chord = {a, b}};
    double distance = distance_at(strands, p, q, 0.0, out->place);
    if (!(radii > 0.0) || distance < near || !(motion > 0.0)) /* nothing thick, or there before the step */
        return false;
    while (distance >= near) {
        out->time += (distance - aim) / motion;
        if (!(out->time < 1.0)) {
            out->time = 1.0;
            return distance_at(strands, p, q, 1.0, out->place) < near;
        }
        distance = distance_at(strands, p, q, out->time, out->place);
    }
    return true;
}

int cst_strand_crossings(const cst_strands *strands, cst_arena *arena, cst_strand_crossing *first)
{
    cst_capsule *capsule = CST_TAKE_RAW(arena, cst_capsule, strands->chords);
    if (arena->failed)
        return -1;
    const int threads = strands->threads > 1 ? strands->threads : 1;
    (void)threads; /* nobody reads it in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < strands->chords; ++i)
        capsule[i] = capsule_of(strands, strands->chord + i);
    cst_pair_list pairs;
    if (!find_pairs(strands, capsule, threads, arena, &pairs))
        return -1;
    int count = 0;
    for (int32_t a = 0; a < strands->chords; ++a)
        for (int64_t i = pairs.row_start[a]; i < pairs.row_start[a + 1]; ++i) {
            cst_strand_crossing found;
            if (passes(strands, capsule, a, pairs.partner[i], &found) && count++ == 0)
                *first = found;
        }
    return count;
}
