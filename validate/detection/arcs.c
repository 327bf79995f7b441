/* Nearest points of arcs: exactness against brute force, time of one pair, time of a whole detection.
 *
 *     capstan-bench arcs [pairs, 1000000] [arcs of the largest scene, 100000]
 *
 * Every touch must be a local minimum at the distance it says, the least must be no farther than brute force finds, and every
 * minimum that brute force finds must be among the touches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "collide/detect_plane.h"
#include "collide/distance_arc.h"
#include "tests/arc_oracle.h"

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct tally {
    long pairs, touches, minima, missed, false_touches, farther;
    double worst; /* |gap + radii - distance| / scale */
} tally;

static const double MARGIN = 0.5;

static void check_pair(const cst_arc *a, const cst_arc *b, tally *sum)
{
    cst_placed_arc p, q;
    cst_place_arc(a, &p);
    cst_place_arc(b, &q);
    const cst_touch_rules rules = {.margin = MARGIN};
    cst_touch touch[CST_TOUCHES_MAX];
    const int count = cst_touch_arcs(&p, &q, &rules, touch);
    const double radii = a->radius + b->radius, scale = a->l + b->l + 1.0;
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        const double d = touch[i].gap + radii, true_d = (double)oracle_distance(a, touch[i].s_a, b, touch[i].s_b);
        sum->worst = fmax(sum->worst, fabs(d - true_d) / scale);
        least = fmin(least, d);
        /* Small steps: some minima are that narrow. */
        if (oracle_around(a, b, touch[i].s_a, touch[i].s_b, 1e-6) < d - 1e-13 * scale)
            ++sum->false_touches;
    }
    oracle_minimum minimum[ORACLE_MINIMA];
    const int minima = oracle_minima(a, b, MARGIN + radii, minimum);
    for (int j = 0; j < minima; ++j) {
        bool found = false;
        for (int i = 0; i < count && !found; ++i) {
            const double apart = fabs(touch[i].s_a - minimum[j].s) + fabs(touch[i].s_b - minimum[j].t);
            found = fabs(touch[i].gap + radii - minimum[j].distance) < 1e-9 * scale &&
                    (minimum[j].flat || apart < 1e-3 * scale || b->l * fabs(b->k) > 6.28 || a->l * fabs(a->k) > 6.28);
        }
        if (!found && minimum[j].distance < (MARGIN + radii) * (1.0 - 1e-9)) {
            ++sum->missed;
            if (getenv("BENCH_ARCS_SHOW"))
                printf("missed: a %.17g %.17g %.17g k %.17g l %.17g\n        b %.17g %.17g %.17g k %.17g l %.17g\n"
                       "        s %.17g t %.17g d %.17g flat %d, found %d\n",
                       a->x[0], a->x[1], a->angle, a->k, a->l, b->x[0], b->x[1], b->angle, b->k, b->l, minimum[j].s, minimum[j].t,
                       minimum[j].distance, minimum[j].flat, count);
        }
        if (minimum[j].distance < least - 1e-9 * scale)
            ++sum->farther;
    }
    ++sum->pairs;
    sum->touches += count;
    sum->minima += minima;
}

static void exactness(long pairs)
{
    printf("%-16s %9s %9s %9s %7s %7s %7s %10s\n", "family", "pairs", "touches", "minima", "missed", "false", "farther", "worst");
    tally all = {0};
    for (int family = 0; family < ORACLE_FAMILIES; ++family) {
        cst_rng rng;
        cst_rng_seed(&rng, 7, (uint64_t)family);
        tally sum = {0};
        const long share = family == ORACLE_ANY ? pairs / 2 : pairs / 2 / (ORACLE_FAMILIES - 1) + 1;
        for (long i = 0; i < share; ++i) {
            cst_arc a, b;
            oracle_pair(&rng, (oracle_family)family, &a, &b);
            check_pair(&a, &b, &sum);
        }
        printf("%-16s %9ld %9ld %9ld %7ld %7ld %7ld %10.2e\n", oracle_family_name((oracle_family)family), sum.pairs, sum.touches,
               sum.minima, sum.missed, sum.false_touches, sum.farther, sum.worst);
        all.pairs += sum.pairs;
        all.touches += sum.touches;
        all.minima += sum.minima;
        all.missed += sum.missed;
        all.false_touches += sum.false_touches;
        all.farther += sum.farther;
        all.worst = fmax(all.worst, sum.worst);
    }
    printf("%-16s %9ld %9ld %9ld %7ld %7ld %7ld %10.2e\n", "all", all.pairs, all.touches, all.minima, all.missed,
           all.false_touches, all.farther, all.worst);
}

static void time_pairs(void)
{
    enum { PAIRS = 4096, TURNS = 100 };
    cst_placed_arc *p = malloc(2 * PAIRS * sizeof *p);
    if (!p)
        return;
    for (int family = 0; family < ORACLE_FAMILIES; ++family) {
        cst_rng rng;
        cst_rng_seed(&rng, 11, (uint64_t)family);
        for (int i = 0; i < PAIRS; ++i) {
            cst_arc a, b;
            oracle_pair(&rng, (oracle_family)family, &a, &b);
            cst_place_arc(&a, &p[2 * i]);
            cst_place_arc(&b, &p[2 * i + 1]);
        }
        const cst_touch_rules rules = {.margin = MARGIN};
        long touches = 0;
        const double start = now(CLOCK_PROCESS_CPUTIME_ID);
        for (int turn = 0; turn < TURNS; ++turn)
            for (int i = 0; i < PAIRS; ++i) {
                cst_touch touch[CST_TOUCHES_MAX];
                touches += cst_touch_arcs(&p[2 * i], &p[2 * i + 1], &rules, touch);
            }
        const double each = (now(CLOCK_PROCESS_CPUTIME_ID) - start) / (PAIRS * TURNS);
        printf("%-16s %6.0f ns per pair, %.2f touches\n", oracle_family_name((oracle_family)family), 1e9 * each,
               (double)touches / (PAIRS * TURNS));
    }
    free(p);
}

/* Rods of 32 slightly curved elements, strewn so that each touches a few others. */
static void time_detection(int arcs, int threads)
{
    enum { ELEMENTS = 32 };
    const int rods = arcs / ELEMENTS;
    cst_arc *arc = calloc((size_t)arcs, sizeof *arc);
    double *margin = calloc((size_t)arcs, sizeof *margin);
    uint8_t *flags = malloc((size_t)rods + 1);
    if (!arc || !margin || !flags) {
        free(arc);
        free(margin);
        free(flags);
        return;
    }
    memset(flags, CST_OWNER_SELF_CONTACT, (size_t)rods + 1);
    flags[rods] = CST_OWNER_FIXED;
    cst_rng rng;
    cst_rng_seed(&rng, 3, 1);
    const double length = 0.05, radius = 0.005, side = sqrt((double)arcs * length * 4.0 * radius);
    for (int r = 0; r < rods; ++r) {
        double x[2];
        x[0] = cst_rng_range(&rng, 0.0, side);
        x[1] = cst_rng_range(&rng, 0.0, side);
        double angle = cst_rng_range(&rng, -3.0, 3.0);
        for (int e = 0; e < ELEMENTS; ++e) {
            cst_arc *at = &arc[r * ELEMENTS + e];
            *at = (cst_arc){.x = {x[0], x[1]},
                            .angle = angle,
                            .k = cst_rng_range(&rng, -2.0, 6.0),
                            .l = length,
                            .radius = radius,
                            .owner = r,
                            .feature = e,
                            .s = e * length,
                            .owner_length = ELEMENTS * length};
            margin[r * ELEMENTS + e] = radius;
            const oracle_point end = oracle_at(at, length);
            x[0] = (double)end.x[0];
            x[1] = (double)end.x[1];
            angle += at->k * length;
        }
    }
    const cst_half_plane floor = {.normal = {0.0, 1.0}, .height = 0.0, .owner = rods};
    const cst_plane_scene scene = {.arcs = rods * ELEMENTS,
                                   .arc = arc,
                                   .margin = margin,
                                   .half_planes = 1,
                                   .half_plane = &floor,
                                   .owners = rods + 1,
                                   .owner_flags = flags,
                                   .threads = threads};
    cst_detector detector;
    cst_detector_begin(&detector, NULL);
    const cst_touch *touch;
    int touches = 0;
    double best = INFINITY, best_cpu = INFINITY;
    for (int turn = 0; turn < 7; ++turn) {
        const double start = now(CLOCK_MONOTONIC), start_cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        touches = cst_detect_plane(&detector, &scene, &touch);
        best = fmin(best, now(CLOCK_MONOTONIC) - start);
        best_cpu = fmin(best_cpu, now(CLOCK_PROCESS_CPUTIME_ID) - start_cpu);
    }
    printf("%8d arcs, %d thread%s: %8.2f ms (processor %8.2f ms), %9ld near pairs, %8d touches, %.1f MB\n", scene.arcs, threads,
           threads > 1 ? "s" : " ", 1e3 * best, 1e3 * best_cpu, (long)detector.pairs, touches,
           1e-6 * (double)detector.arena.peak);
    cst_detector_end(&detector);
    free(arc);
    free(margin);
    free(flags);
}

static const cst_command command = {
    .name = "capstan-bench arcs",
    .usage = "[PAIRS [ARCS]]",
    .about = "Nearest points of arcs in the plane: exactness against brute force, time of a pair and of a detection."};

int cst_bench_arcs(int argc, char **argv)
{
    int code;
    const int operands = cst_arguments_parse(&command, NULL, 0, argc, argv, &code);
    if (operands < 0)
        return code;
    const long pairs = operands > 0 ? atol(argv[0]) : 1000000;
    const int largest = operands > 1 ? atoi(argv[1]) : 100000;
    if (pairs > 0)
        exactness(pairs);
    time_pairs();
    for (int arcs = 1000; arcs <= largest; arcs *= 10)
        for (int threads = 1; threads <= 2; ++threads)
            time_detection(arcs, threads);
    return 0;
}
