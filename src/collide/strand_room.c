#include "collide/strand_room.h"

#include <math.h>

#include "collide/strand_sweep.h"
#include "math/vector3.h"

/* GO_ON_MOST: if the indices of two pieces of one centreline differ by at most GO_ON_MOST, the function may_pass tests whether
 * the centreline between them is too straight to have passed through itself (function go_on). Between pieces that are farther
 * apart, a centreline usually turns too much for the function go_on to exclude a passage. */
enum { GO_ON_MOST = 3 };

/* Displacement of a centreline piece in the step.
 *     `way`: displacement of the middle (m).
 *     `spread`: largest deviation of the displacement of any point of the piece from `way` (m).
 *     `room`: (0.8 - depth) times the radius of the piece (m), minus a tolerance for rounding errors; two pieces whose relative
 *         displacement is at most the sum of their values `room` have not passed through each other (strand_room.h). */
typedef struct course {
    double way[3], spread, room;
} course;

typedef struct room_search {
    const cst_strand_motion *motion;
    double share;   /* 0.8 - depth (strand_room.h) */
    course *course; /* array (pieces) */
    /* array (pieces): true if the centreline of the piece may turn by more than 1.68 rad within an arc length of 3 radii */
    bool *bent;
} room_search;

/* tolerance for rounding errors, as a share of a radius */
static const double ROUNDING = 1e-6;

static course course_of(const cst_strand_piece *piece, const cst_piece_way *went, double share)
{
    double turn = 0.0;
    course out = {.room = share * piece->radius - ROUNDING * piece->radius};
    for (int k = 0; k < 3; ++k) {
        const double half = 0.5 * (went->way[1][k] - went->way[0][k]);
        out.way[k] = went->way[0][k] + half;
        turn += half * half;
    }
    out.spread = sqrt(turn) + went->spread;
    return out;
}

static void look_for_bends(room_search *search)
{
    static const double TURN = 1.68; /* rad (strand_room.h) */
    const cst_strand_motion *motion = search->motion;
    for (int from = 0, to; from < motion->pieces; from = to) {
        double bend = 0.0, corner = 0.0, shortest = INFINITY, radius = 0.0;
        for (to = from; to < motion->pieces && motion->piece[to].owner == motion->piece[from].owner; ++to) {
            const cst_strand_piece *piece = motion->piece + to;
            bend = fmax(bend, motion->move[to].bend);
            corner = fmax(corner, motion->move[to].corner);
            shortest = fmin(shortest, piece->length);
            radius = fmax(radius, piece->radius);
        }
        const double arc = CST_STRAND_NEIGHBOURS * radius;
        const double turn = bend * arc + (corner > 0.0 ? corner * (floor(arc / shortest) + 1.0) : 0.0);
        for (int i = from; i < to; ++i)
            search->bent[i] = !(turn <= TURN);
    }
}

static bool touches_itself(const cst_strand_motion *motion, int32_t owner)
{
    return (motion->owner_flags[owner] & CST_OWNER_SELF_CONTACT) != 0;
}

/* Returns true if no two centreline pieces can have passed through each other, because all displacements are close to their
 * mean. */
static bool all_stay(const room_search *search)
{
    const cst_strand_motion *motion = search->motion;
    double mean[3] = {0.0, 0.0, 0.0}, farthest = 0.0, thinnest = INFINITY;
    bool points = false;
    for (int i = 0; i < motion->pieces; ++i)
        cst_add3(1.0 / motion->pieces, search->course[i].way, mean);
    for (int i = 0; i < motion->pieces; ++i) {
        const course *at = search->course + i;
        double off[3];
        if (search->bent[i] && touches_itself(motion, motion->piece[i].owner))
            return false;
        cst_subtract3(at->way, mean, off);
        const double goes = sqrt(cst_dot3(off, off)) + at->spread;
        if (!(goes <= INFINITY)) /* not a number */
            return false;
        farthest = fmax(farthest, goes);
        points = points || !(motion->piece[i].radius > 0.0);
        if (motion->piece[i].radius > 0.0)
            thinnest = fmin(thinnest, at->room);
    }
    return thinnest == INFINITY || 2.0 * farthest <= (points ? 1.0 : 2.0) * thinnest;
}

/* Returns true if the pairs of centreline pieces that collision detection stored include all pairs that may have passed through
 * each other (strand_room.h). */
static bool near_ones_do(const room_search *search)
{
    const cst_strand_motion *motion = search->motion;
    for (int i = 0; i < motion->pieces; ++i) {
        const cst_piece_way *went = &motion->move[i].went;
        const double most = (1.0 - CST_STRAND_PASSING) * motion->piece[i].radius;
        for (int end = 0; end < 2; ++end) {
            double off[3];
            for (int k = 0; k < 3; ++k)
                off[k] = went->way[end][k] - (motion->near_way ? motion->near_way[i].way[end][k] : 0.0);
            const double spread = went->spread - (motion->near_way ? motion->near_way[i].spread : 0.0);
            if (!(sqrt(cst_dot3(off, off)) + fmax(0.0, spread) <= most))
                return false;
        }
    }
    return true;
}

/* Returns true if a centreline turns so little from its piece a to its piece b that no two points between them can have passed
 * through each other (strand_room.h). */
static bool go_on(const cst_strand_motion *motion, int32_t a, int32_t b)
{
    /* the code assumes that a straight edge of a rod is compressed at most to SHORTEST times its rest length */
    static const double SHORTEST = 0.9;
    double theta = 0.0, tau = 0.0;
    for (int32_t i = a; i <= b; ++i) {
        theta += motion->move[i].bend * motion->piece[i].length + (i > a ? motion->move[i].corner : 0.0);
        tau = fmax(tau, motion->move[i].turned);
    }
    return theta < 3.0 && SHORTEST * cos(0.5 * theta) - tau > 2.0 * CST_STRAND_PASSING / CST_STRAND_NEIGHBOURS;
}

/* Returns true if all pieces belong to one rod, and the rod turns too little for any two of its points to have passed through
 * each other. Testing the whole rod first saves 40 % of the time of a step in a scene with one clamped planar rod that falls. */
static bool is_one_that_goes_on(const cst_strand_motion *motion)
{
    return motion->piece[0].owner == motion->piece[motion->pieces - 1].owner && go_on(motion, 0, motion->pieces - 1);
}

/* Returns true if two centreline pieces may have passed through each other. The cheap tests come first. `gap`: lower bound (m)
 * for the distance of the centrelines at the end of the step, minus the two radii. */
static bool may_pass(const room_search *search, int32_t a, int32_t b, double gap)
{
    const cst_strand_motion *motion = search->motion;
    const cst_strand_piece *p = motion->piece + a, *q = motion->piece + b;
    const course *one = search->course + a, *two = search->course + b;
    const bool same = p->owner == q->owner;
    double apart[3];
    cst_subtract3(one->way, two->way, apart);
    const double goes = sqrt(cst_dot3(apart, apart)) + one->spread + two->spread;
    if (goes <= (1.0 - CST_STRAND_PASSING - ROUNDING) * (p->radius + q->radius) + gap ||
        (goes <= one->room + two->room && !(same && search->bent[a])))
        return false;
    return !(same && b - a <= GO_ON_MOST && go_on(motion, a, b)) &&
           cst_owners_touch(motion->apart, motion->aparts, p->owner, motion->owner_flags[p->owner], q->owner,
                            motion->owner_flags[q->owner]);
}

cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs)
{
    room_search search = {.motion = motion, .share = 1.0 - CST_STRAND_PASSING - motion->depth};
    *pairs = 0;
    *pair = NULL;
    if (motion->pieces == 0 || is_one_that_goes_on(motion))
        return CST_STRANDS_APART;
    search.course = CST_TAKE_RAW(arena, course, motion->pieces);
    search.bent = CST_TAKE_RAW(arena, bool, motion->pieces);
    if (arena->failed)
        return CST_STRANDS_NO_MEMORY;
    for (int i = 0; i < motion->pieces; ++i)
        search.course[i] = course_of(motion->piece + i, &motion->move[i].went, search.share);
    look_for_bends(&search);
    if (search.share > 0.0 && all_stay(&search))
        return CST_STRANDS_APART;
    if (!motion->near || !near_ones_do(&search))
        return CST_STRANDS_ANY;
    for (int fill = 0; fill < 2; ++fill) {
        int count = 0;
        for (int32_t a = 0; a < motion->pieces; ++a)
            for (int64_t i = motion->near->row_start[a]; i < motion->near->row_start[a + 1]; ++i) {
                const int32_t b = motion->near->partner[i];
                if (b >= motion->pieces || !may_pass(&search, a, b, motion->near_gap ? (double)motion->near_gap[i] : -INFINITY))
                    continue;
                if (fill)
                    (*pair)[count] = (cst_pair){a, b};
                ++count;
            }
        if (count == 0)
            return CST_STRANDS_APART;
        if (!fill)
            *pair = CST_TAKE_RAW(arena, cst_pair, cst_roomy(count));
        if (arena->failed)
            return CST_STRANDS_NO_MEMORY;
        *pairs = count;
    }
    return CST_STRANDS_PAIRS;
}
