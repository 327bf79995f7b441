/* Chords that pass through each other in a step: against sampling in time, in degenerate motions, and Galilean. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "collide/distance_segment.h"
#include "collide/kept_pairs.h"
#include "collide/strand_room.h"
#include "collide/strand_sweep.h"

enum { CHORDS = 60 };

typedef struct motion {
    double start[6 * CHORDS], end[6 * CHORDS];
    cst_chord chord[CHORDS];
    uint8_t flags[CHORDS];
    cst_strands strands;
} motion;

/* Every chord is an owner of its own. */
static void begin(motion *m, int chords, double radius)
{
    *m = (motion){.strands = {.points = 2 * chords, .chords = chords, .threads = 1}};
    m->strands.start = m->start;
    m->strands.end = m->end;
    m->strands.chord = m->chord;
    m->strands.owner_flags = m->flags;
    for (int i = 0; i < chords; ++i)
        m->chord[i] = (cst_chord){.owner = i, .from = 2 * i, .to = 2 * i + 1, .length = 0.1, .radius = radius};
}

static void put(double *x, int point, double a, double b, double c)
{
    x[3 * point] = a;
    x[3 * point + 1] = b;
    x[3 * point + 2] = c;
}

static int crossings(const motion *m, cst_strand_crossing *first)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    const int count = cst_strand_crossings(&m->strands, &arena, first);
    cst_arena_end(&arena);
    return count;
}

/* A second chord goes by (0, 0, -way) relative to a first one along x, which both go by `common`. direction: of the second. */
static int passes(const double *direction, double way, const double *common, cst_strand_crossing *first)
{
    motion m;
    begin(&m, 2, 0.001);
    put(m.start, 0, -0.05, 0.0, 0.0);
    put(m.start, 1, 0.05, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) {
        m.start[6 + k] = -0.05 * direction[k];
        m.start[9 + k] = 0.05 * direction[k];
    }
    m.start[8] += 0.01;
    m.start[11] += 0.01;
    for (int i = 0; i < 12; ++i)
        m.end[i] = m.start[i] + common[i % 3];
    m.end[8] -= way;
    m.end[11] -= way;
    return crossings(&m, first);
}

static void simple_motions(void **state)
{
    (void)state;
    const double across[] = {0.0, 1.0, 0.0}, along[] = {1.0, 0.0, 0.0}, point[] = {0.0, 0.0, 0.0};
    const double *directions[] = {across, along, point}; /* crossing; parallel in one plane; a ball */
    const double still[] = {0.0, 0.0, 0.0}, fast[] = {0.02, -0.04, 0.03};
    for (int d = 0; d < 3; ++d)
        for (int c = 0; c < 2; ++c) {
            const double *common = c ? fast : still;
            cst_strand_crossing first;
            assert_int_equal(passes(directions[d], 0.02, common, &first), 1); /* right through */
            assert_int_equal(first.chord[0], 0);
            assert_int_equal(first.chord[1], 1);
            assert_true(fabs(0.02 * first.time - 0.01) < 0.2 * 0.002);
            for (int k = 1; k < 3; ++k)
                assert_true(fabs(first.place[k] - first.time * common[k]) < 1e-12);
            assert_int_equal(passes(directions[d], 0.008, common, &first), 0); /* they touch, */
            assert_int_equal(passes(directions[d], 0.0095, common, &first), 0);
            assert_int_equal(passes(directions[d], 0.0097, common, &first), 1); /* one in the other, */
            assert_int_equal(passes(directions[d], -0.02, common, &first), 0);  /* they part */
        }
}

/* What is within something at the start is not blamed on this step. */
static void deep_before(void **state)
{
    (void)state;
    motion m;
    cst_strand_crossing first;
    begin(&m, 2, 0.001);
    put(m.start, 0, -0.05, 0.0, 0.0);
    put(m.start, 1, 0.05, 0.0, 0.0);
    put(m.start, 2, 0.0, -0.05, 1e-4);
    put(m.start, 3, 0.0, 0.05, 1e-4);
    memcpy(m.end, m.start, sizeof m.end);
    m.end[8] = m.end[11] = -0.01;
    assert_int_equal(crossings(&m, &first), 0);
    m.start[8] = m.start[11] = 5e-4;
    assert_int_equal(crossings(&m, &first), 1);
    m.flags[0] = m.flags[1] = CST_OWNER_GHOST;
    assert_int_equal(crossings(&m, &first), 0);
    m.flags[0] = m.flags[1] = 0;
    m.end[0] = NAN; /* touches nothing */
    assert_int_equal(crossings(&m, &first), 0);
}

/* A fiber passes through itself, but neighbours on it do not. */
static void one_owner(void **state)
{
    (void)state;
    cst_strand_crossing first;
    for (int far = 0; far < 2; ++far) {
        motion m;
        begin(&m, 2, 0.001);
        put(m.start, 0, -0.05, 0.0, 0.0);
        put(m.start, 1, 0.05, 0.0, 0.0);
        put(m.start, 2, 0.0, -0.05, 0.01);
        put(m.start, 3, 0.0, 0.05, 0.01);
        memcpy(m.end, m.start, sizeof m.end);
        m.end[8] = m.end[11] = -0.01;
        m.chord[1].owner = 0;
        m.chord[1].s = far ? 0.2 : 0.102;
        assert_int_equal(crossings(&m, &first), 0);
        m.flags[0] = CST_OWNER_SELF_CONTACT;
        assert_int_equal(crossings(&m, &first), far);
    }
}

static double least_distance(const motion *m, int a, int b)
{
    double least = INFINITY;
    for (int step = 0; step <= 4000; ++step) {
        const double t = step / 4000.0;
        double x[4][3];
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 3; ++k) {
                const int at = 3 * (2 * (i < 2 ? a : b) + i % 2) + k;
                x[i][k] = (1.0 - t) * m->start[at] + t * m->end[at];
            }
        least = fmin(least, cst_segment_segment(x[0], x[1], x[2], x[3]).distance);
    }
    return least;
}

static void against_sampling(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    static motion m;
    int passed = 0;
    begin(&m, CHORDS, 0.002);
    for (int i = 0; i < 6 * CHORDS; ++i)
        m.start[i] = cst_rng_range(&rng, -0.1, 0.1);
    for (int i = 0; i < 6 * CHORDS; ++i)
        m.end[i] = m.start[i] + cst_rng_range(&rng, -0.08, 0.08);
    for (int a = 0; a < CHORDS; ++a)
        for (int b = a + 1; b < CHORDS; ++b) {
            motion pair;
            cst_strand_crossing first;
            begin(&pair, 2, 0.002);
            for (int i = 0; i < 6; ++i) {
                pair.start[i] = m.start[6 * a + i];
                pair.start[6 + i] = m.start[6 * b + i];
                pair.end[i] = m.end[6 * a + i];
                pair.end[6 + i] = m.end[6 * b + i];
            }
            const double *x = pair.start;
            const double least = least_distance(&pair, 0, 1), at_first = cst_segment_segment(x, x + 3, x + 6, x + 9).distance;
            const int found = crossings(&pair, &first);
            passed += found;
            if (at_first > 0.0008 && least < 0.9999 * 0.0008)
                assert_int_equal(found, 1);
            if (at_first < 0.0008 || least > 1.05 * 0.0008)
                assert_int_equal(found, 0);
        }
    assert_true(passed > 100);
    cst_strand_crossing one, two;
    m.strands.threads = 1;
    const int count = crossings(&m, &one);
    assert_int_equal(count, passed);
    m.strands.threads = 2;
    assert_int_equal(crossings(&m, &two), count);
    assert_memory_equal(&one, &two, sizeof one);
}

enum { FIBERS = 16, PIECES_EACH = 3, CUTS = 4, PIECES = FIBERS * PIECES_EACH };

static bool any_pair(const void *user, int32_t a, int32_t b)
{
    (void)user;
    return a <= b;
}

typedef struct layers {
    double start[6 * PIECES * CUTS], end[6 * PIECES * CUTS];
    cst_chord chord[PIECES * CUTS];
    cst_capsule capsule[PIECES]; /* of the end, with the ways that were searched for */
    cst_strand_piece piece[PIECES];
    cst_piece_move move[PIECES];
    cst_piece_way way[PIECES];
    int32_t first[PIECES + 1], whole[PIECES + 1];
    double wide[PIECES];
    uint8_t flags[FIBERS];
    cst_strands strands;
    cst_strand_motion motion;
} layers;

static const double RADIUS = 0.001, LENGTH = 0.01;

/* How far the chords of a piece went. */
static void measure(layers *l, int p)
{
    const int from = l->first[p], to = l->first[p + 1];
    cst_piece_move *move = l->move + p;
    for (int k = 0; k < 3; ++k) {
        move->went.way[0][k] = l->end[6 * from + k] - l->start[6 * from + k];
        move->went.way[1][k] = l->end[6 * to - 3 + k] - l->start[6 * to - 3 + k];
    }
    for (int point = 2 * from; point < 2 * to; ++point) {
        const double share = (double)((point + 1) / 2 - from) / (to - from);
        double off[3];
        for (int k = 0; k < 3; ++k)
            off[k] = l->end[3 * point + k] - l->start[3 * point + k] - (1.0 - share) * move->went.way[0][k] -
                     share * move->went.way[1][k];
        move->went.spread = fmax(move->went.spread, sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]));
    }
}

/* Straight fibers along x below others along y, `gap` radii between the layers. All go by `common`, each fiber up or down by up to
 * `way` radii, each point by a tenth of that. The ways that were searched for know 0.6 of what fibers do. */
static void lay(layers *l, cst_rng *rng, double gap, double way, double common)
{
    double up = 0.0;
    memset(l, 0, sizeof *l);
    for (int p = 0, c = 0; p < PIECES; ++p) {
        const int fiber = p / PIECES_EACH, along = fiber % 2, cuts = 1 + p % CUTS;
        l->first[p] = c;
        l->whole[p] = p;
        if (p % PIECES_EACH == 0)
            up = way * RADIUS * cst_rng_range(rng, -1.0, 1.0);
        for (int j = 0; j < cuts; ++j, ++c) {
            l->chord[c] = (cst_chord){.owner = fiber, .from = 2 * c, .to = 2 * c + 1, .length = LENGTH / cuts, .radius = RADIUS};
            l->chord[c].s = (p % PIECES_EACH + (j + 0.5) / cuts) * LENGTH;
            for (int end = 0; end < 2; ++end) {
                double *x = l->start + 6 * c + 3 * end;
                x[along] = (p % PIECES_EACH + (double)(j + end) / cuts) * LENGTH;
                x[1 - along] = (fiber / 2 + 0.5) * 3.5 * RADIUS;
                x[2] = along * (2.0 + gap) * RADIUS;
                for (int k = 0; k < 3; ++k) /* chords of a piece share their points */
                    l->end[6 * c + 3 * end + k] = end == 0 && j > 0 ? l->end[6 * c - 3 + k]
                                                                    : x[k] + common + (k == 2 ? up : 0.0) +
                                                                          0.1 * way * RADIUS * cst_rng_range(rng, -1.0, 1.0);
            }
        }
        l->first[p + 1] = c;
        measure(l, p);
        l->piece[p] = (cst_strand_piece){.owner = fiber, .radius = RADIUS, .length = LENGTH};
        cst_capsule *whole = l->capsule + p;
        l->wide[p] = 0.2 * way * RADIUS; /* the polygon is that far from the line between its ends */
        whole->radius = 1.25 * RADIUS + l->wide[p];
        for (int k = 0; k < 3; ++k) {
            const double from = l->end[6 * l->first[p] + k], to = l->end[6 * c - 3 + k];
            whole->center[k] = 0.5 * (from + to);
            whole->half[k] = 0.5 * (to - from);
            whole->way[k] = l->way[p].way[0][k] = l->way[p].way[1][k] = common + (k == 2 ? 0.6 * up : 0.0);
        }
    }
    l->whole[PIECES] = PIECES;
    l->strands = (cst_strands){.points = 2 * l->first[PIECES],
                               .start = l->start,
                               .end = l->end,
                               .chords = l->first[PIECES],
                               .chord = l->chord,
                               .first = l->first,
                               .owner_flags = l->flags,
                               .threads = 1};
    l->motion = (cst_strand_motion){.pieces = PIECES,
                                    .piece = l->piece,
                                    .move = l->move,
                                    .owner_flags = l->flags,
                                    .depth = fmax(0.0, -gap),
                                    .near_way = l->way};
    for (int i = 0; i < FIBERS; ++i)
        l->flags[i] = CST_OWNER_SELF_CONTACT;
}

/* What the list asks of a piece: a polygon, and one capsule of it. */
static void course_of(const void *user, int32_t p, cst_group_course *out)
{
    static double at[PIECES][CST_QUARTERS + 1][3];
    const layers *l = user;
    *out = (cst_group_course){.way = &l->way[p], .reach = 1.25 * RADIUS, .sag = l->wide[p]};
    for (int i = 0; i <= CST_QUARTERS; ++i) {
        out->at[i] = at[p][i];
        for (int k = 0; k < 3; ++k)
            at[p][i][k] = l->capsule[p].center[k] + (2.0 * i / CST_QUARTERS - 1.0) * l->capsule[p].half[k];
    }
}

static void no_pose(const void *user, int32_t p, double *out)
{
    (void)user;
    (void)p;
    memset(out, 0, CST_POSE * sizeof *out);
}

static double unknown_drift(const void *user, int32_t p, const double *was)
{
    (void)user;
    (void)p;
    (void)was;
    return INFINITY;
}

/* Pairs that have no room, and they alone, are looked at: the same chords pass as in a search of all. */
static void only_pairs_without_room(void **state)
{
    (void)state;
    static layers l;
    cst_rng rng;
    cst_arena arena;
    cst_kept_pairs kept;
    int all = 0, doubts[4] = {0}, listed = 0, spared = 0;
    cst_rng_seed(&rng, 11, 0);
    cst_arena_begin(&arena, NULL);
    cst_kept_pairs_begin(&kept, NULL);
    for (int i = 0; i < 300; ++i) {
        const bool known = i % 3 == 2; /* how far they are apart at the end */
        const double gap = cst_rng_range(&rng, -0.6, known ? 1.5 : 0.5), way = cst_rng_range(&rng, 0.0, 2.0);
        lay(&l, &rng, gap, way, i % 2 ? 0.05 : 0.0);
        cst_capsule_groups groups = {.groups = PIECES,
                                     .course = course_of,
                                     .pose = no_pose,
                                     .drift = unknown_drift,
                                     .user = &l,
                                     .first = l.whole,
                                     .capsule = l.capsule,
                                     .wide = l.wide,
                                     .rule = any_pair,
                                     .groups_touch = any_pair,
                                     .groups_now = any_pair,
                                     .key = cst_apart_key(NULL, 0),
                                     .threads = 1};
        cst_strand_crossing first = {.time = -1.0}, expected = {.time = -1.0};
        assert_true(cst_kept_pairs_make(&kept, &groups, &arena));
        cst_pair_list list;
        uint8_t wanted[PIECES] = {0};
        cst_kept_pairs_want(&kept, &groups, wanted);
        assert_true(cst_kept_pairs_list(&kept, &groups, &arena, &list));
        l.motion.near = &kept.pairs;
        l.motion.near_gap = known ? kept.gap : NULL;
        const int truth = cst_strand_crossings(&l.strands, &arena, &expected);
        cst_pair *pair;
        int pairs;
        const cst_strand_doubt doubt = cst_strand_room(&l.motion, &arena, &pair, &pairs);
        ++doubts[doubt];
        if (known && doubt != CST_STRANDS_ANY) { /* only fewer are in doubt */
            cst_pair *more;
            int others;
            l.motion.near_gap = NULL;
            cst_strand_room(&l.motion, &arena, &more, &others);
            assert_true(pairs <= others);
            spared += others - pairs;
        }
        l.strands.pair = pair;
        l.strands.pairs = pairs;
        assert_true((pairs > 0) == (doubt == CST_STRANDS_PAIRS));
        assert_int_equal(doubt == CST_STRANDS_APART ? 0 : cst_strand_crossings(&l.strands, &arena, &first), truth);
        assert_memory_equal(&first, &expected, sizeof first);
        all += doubt == CST_STRANDS_PAIRS ? truth : 0;
        listed += pairs;
        cst_arena_release(&arena, (cst_arena_mark){0});
    }
    assert_true(all > 100 && listed < 300 * PIECES * PIECES / 8 && spared > 1000);
    assert_true(doubts[CST_STRANDS_APART] > 30 && doubts[CST_STRANDS_PAIRS] > 30 && doubts[CST_STRANDS_ANY] > 10);
    cst_kept_pairs_end(&kept);
    cst_arena_end(&arena);
}

static cst_strand_doubt doubt_of(layers *l)
{
    cst_arena arena;
    cst_pair *pair;
    int pairs;
    cst_arena_begin(&arena, NULL);
    const cst_strand_doubt out = cst_strand_room(&l->motion, &arena, &pair, &pairs);
    cst_arena_end(&arena);
    return out;
}

/* What makes a still scene doubtful: tight bends of what touches itself, depth, something that is not finite. */
static void doubts(void **state)
{
    (void)state;
    static layers l;
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    lay(&l, &rng, 0.1, 0.1, 0.3);
    l.motion.near = NULL;
    assert_int_equal(doubt_of(&l), CST_STRANDS_APART);
    l.move[5].bend = 0.5 / RADIUS;
    assert_int_equal(doubt_of(&l), CST_STRANDS_APART);
    l.move[5].bend = 0.6 / RADIUS;
    assert_int_equal(doubt_of(&l), CST_STRANDS_ANY);
    l.flags[l.piece[5].owner] = 0; /* it does not touch itself */
    assert_int_equal(doubt_of(&l), CST_STRANDS_APART);
    l.move[8].corner = 1.7;
    assert_int_equal(doubt_of(&l), CST_STRANDS_ANY);
    l.move[8].corner = 0.5;
    assert_int_equal(doubt_of(&l), CST_STRANDS_APART);
    l.piece[8].length = 0.1 * RADIUS; /* many corners as sharp */
    assert_int_equal(doubt_of(&l), CST_STRANDS_ANY);
    l.piece[8].length = LENGTH;
    cst_pair_list near; /* of one fiber that turns fast: only pieces that follow each other are near each other */
    int64_t row[PIECES + 1];
    int32_t partner[PIECES];
    near = (cst_pair_list){.row_start = row, .partner = partner};
    for (int i = 0; i <= PIECES; ++i)
        row[i] = i < PIECES_EACH - 1 ? i : PIECES_EACH - 1;
    for (int i = 0; i < PIECES_EACH - 1; ++i)
        partner[i] = i + 1;
    l.motion.near = &near;
    for (int i = 0; i < PIECES; ++i) {
        l.move[i].went.way[1][2] = l.way[i].way[1][2] = 10.0 * RADIUS;
        l.move[i].went.way[0][2] = l.way[i].way[0][2] = -10.0 * RADIUS;
        l.move[i].turned = 20.0 * RADIUS / LENGTH;
    }
    assert_int_equal(doubt_of(&l), CST_STRANDS_PAIRS); /* they turn by more than a right angle */
    for (int i = 0; i < PIECES; ++i)
        l.move[i].turned = 0.7;
    assert_int_equal(doubt_of(&l), CST_STRANDS_APART);
    const int all = l.motion.pieces; /* a fiber alone is asked as a whole, whatever is near */
    l.motion.near = NULL;
    assert_int_equal(doubt_of(&l), CST_STRANDS_ANY);
    l.motion.pieces = PIECES_EACH;
    assert_int_equal(doubt_of(&l), CST_STRANDS_APART);
    l.move[0].bend = l.move[PIECES_EACH - 1].bend = 1.0 / LENGTH;
    assert_int_equal(doubt_of(&l), CST_STRANDS_ANY);
    l.move[0].bend = l.move[PIECES_EACH - 1].bend = 0.0;
    l.motion.pieces = all;
    l.motion.near = &near;
    l.move[0].bend = 1.0 / LENGTH;
    l.move[1].bend = 1.0 / LENGTH;
    assert_int_equal(doubt_of(&l), CST_STRANDS_PAIRS);
    lay(&l, &rng, 0.1, 0.1, 0.3);
    l.motion.depth = 0.9;
    assert_int_equal(doubt_of(&l), CST_STRANDS_ANY);
    l.motion.depth = 0.0;
    l.move[20].went.way[1][2] = NAN;
    assert_int_equal(doubt_of(&l), CST_STRANDS_ANY);
    for (int i = 0; i < PIECES; ++i) { /* nothing is thick */
        l.piece[i].radius = 0.0;
        l.move[i].went.way[0][0] = l.move[i].went.way[1][2] = 1.0 * i;
    }
    assert_int_equal(doubt_of(&l), CST_STRANDS_APART);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(simple_motions),
                                       cmocka_unit_test(deep_before),
                                       cmocka_unit_test(one_owner),
                                       cmocka_unit_test(against_sampling),
                                       cmocka_unit_test(only_pairs_without_room),
                                       cmocka_unit_test(doubts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
