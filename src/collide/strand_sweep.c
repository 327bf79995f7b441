#include "collide/strand_sweep.h"

#include <math.h>

#include "base/threads.h"
#include "collide/distance_segment.h"
#include "math/vector3.h"

/* FEW: largest number of chords for which all pairs of chords are tested, without a tree of capsules. With 46 chords, testing all
 * pairs takes 24,000 instructions, and using a tree takes 170,000 (scenes/fibers/plectoneme_paper.json). */
enum { FEW = 128 };

/* AIM: during one time increment of the conservative advancement (strand_sweep.h), the distance of the two chords cannot fall
 * below AIM times the sum of their radii. */
static const double AIM = 0.1;

/* Relative tolerance of squared distances. */
static const double ROUNDING = 1e-9;

static const double *point(const double *x, int32_t index)
{
    return x + 3 * (size_t)index;
}

/* -------------------------------------------------------------------------------------------------------------- broad phase */

static cst_capsule capsule_of(const cst_strands *strands, const cst_chord *chord)
{
    cst_capsule out = {.radius = CST_STRAND_PASSING * chord->radius};
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

static bool may_pass(const void *user, int32_t a, int32_t b)
{
    const cst_strands *strands = user;
    const cst_chord *p = strands->chord + a, *q = strands->chord + b;
    if (!cst_owners_touch(strands->apart, strands->aparts, p->owner, strands->owner_flags[p->owner], q->owner,
                          strands->owner_flags[q->owner]))
        return false;
    const double between = fabs(p->s - q->s) - 0.5 * (p->length + q->length);
    return p->owner != q->owner || between > CST_STRAND_NEIGHBOURS * fmax(p->radius, q->radius);
}

/* ------------------------------------------------------------------------------------------------------------- narrow phase */

static void chord_at(const cst_strands *strands, const cst_chord *chord, double t, double x[2][3])
{
    for (int k = 0; k < 3; ++k) {
        x[0][k] = (1.0 - t) * point(strands->start, chord->from)[k] + t * point(strands->end, chord->from)[k];
        x[1][k] = (1.0 - t) * point(strands->start, chord->to)[k] + t * point(strands->end, chord->to)[k];
    }
}

/* `place`: nearest point of chord p */
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
    const double radii = p->radius + q->radius, near = CST_STRAND_PASSING * radii, aim = AIM * radii;
    double apart[3];
    cst_subtract3(capsule[a].way, capsule[b].way, apart);
    const double motion = sqrt(cst_dot3(apart, apart)) + capsule[a].spread + capsule[b].spread;
    double between[3];
    cst_subtract3(capsule[b].center, capsule[a].center, between);
    const double reach =
        near + motion + sqrt(cst_dot3(capsule[a].half, capsule[a].half)) + sqrt(cst_dot3(capsule[b].half, capsule[b].half));
    if (cst_dot3(between, between) > (1.0 + ROUNDING) * reach * reach) /* the bounding balls do not meet */
        return false;
    *out = (cst_strand_crossing){.chord = {a, b}};
    double distance = distance_at(strands, p, q, 0.0, out->place);
    /* two chords do not count as passing through each other if they have no thickness or no relative motion, or if their distance
     * at the start of the step is already below the limit CST_STRAND_PASSING */
    if (!(radii > 0.0) || distance < near || !(motion > 0.0))
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

typedef struct found {
    int count;
    cst_strand_crossing first;
} found;

static void look(const cst_strands *strands, const cst_capsule *capsule, int32_t a, int32_t b, found *out)
{
    cst_strand_crossing here;
    if (!(capsule[a].radius >= 0.0 && capsule[b].radius >= 0.0) || !passes(strands, capsule, a, b, &here))
        return;
    const int32_t *low = out->first.chord;
    if (out->count++ == 0 || a < low[0] || (a == low[0] && b < low[1]))
        out->first = here;
}

/* `ball`: bounding radius of each chord */
static void look_at_pieces(const cst_strands *strands, const cst_capsule *capsule, const double *ball, const cst_pair *pieces,
                           found *out)
{
    const int32_t first_a = strands->first[pieces->a], last_a = strands->first[pieces->a + 1];
    const int32_t first_b = strands->first[pieces->b], last_b = strands->first[pieces->b + 1];
    if (first_a == last_a || first_b == last_b)
        return;
    const bool one_owner = strands->chord[first_a].owner == strands->chord[first_b].owner;
    if (!one_owner && !may_pass(strands, first_a, first_b))
        return;
    for (int32_t a = first_a; a < last_a; ++a)
        for (int32_t b = pieces->a == pieces->b ? a + 1 : first_b; b < last_b; ++b)
            if (cst_capsule_balls_meet(capsule + a, ball[a], capsule + b, ball[b]) && (!one_owner || may_pass(strands, a, b)))
                look(strands, capsule, a, b, out);
}

static void look_at_all(const cst_strands *strands, const cst_capsule *capsule, const double *ball, found *out)
{
    for (int32_t a = 0; a < strands->chords; ++a)
        for (int32_t b = a + 1; b < strands->chords; ++b)
            if (cst_capsule_balls_meet(capsule + a, ball[a], capsule + b, ball[b]) && may_pass(strands, a, b))
                look(strands, capsule, a, b, out);
}

int cst_strand_crossings(const cst_strands *strands, cst_arena *arena, cst_strand_crossing *first)
{
    cst_capsule *capsule = CST_TAKE_RAW(arena, cst_capsule, strands->chords);
    if (arena->failed)
        return -1;
    const int threads = strands->threads > 1 ? strands->threads : 1;
    CST_PARALLEL_FOR(threads, schedule(static), (int i = 0; i < strands->chords; ++i),
                     { capsule[i] = capsule_of(strands, strands->chord + i); });
    found all = {.count = 0};
    if (strands->pair || strands->chords <= FEW) {
        double *ball = CST_TAKE_RAW(arena, double, strands->chords);
        if (!ball)
            return -1;
        for (int i = 0; i < strands->chords; ++i)
            ball[i] = cst_capsule_ball(capsule + i);
        if (!strands->pair)
            look_at_all(strands, capsule, ball, &all);
        for (int i = 0; strands->pair && i < strands->pairs; ++i)
            look_at_pieces(strands, capsule, ball, strands->pair + i, &all);
    } else {
        const cst_capsule_scene near = {
            .capsules = strands->chords, .capsule = capsule, .rule = may_pass, .user = strands, .threads = threads};
        cst_pair_list pairs;
        if (!cst_near_capsules(&near, arena, &pairs, NULL))
            return -1;
        for (int32_t a = 0; a < strands->chords; ++a)
            for (int64_t i = pairs.row_start[a]; i < pairs.row_start[a + 1]; ++i)
                look(strands, capsule, a, pairs.partner[i], &all);
    }
    if (all.count > 0)
        *first = all.first;
    return all.count;
}
