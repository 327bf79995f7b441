/* Contacts in space: exactness against brute force, time of a whole detection.
 *
 *     capstan-bench curves [pairs, 100000] [segments of the piles, 10000] [which scene, 1 to 6; 0: all, 7: none] [seed, 11]
 *
 * Every touch must be a local minimum at the distance it says, and every minimum that brute force finds must be among the
 * touches. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "tests/space_fixture.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double PI = 3.14159265358979323846;
static space_fixture f;

typedef struct family {
    const char *name;
    double bend, twist; /* most turn of one piece by each */
    double other_bend, other_twist;
    double radius[2];
    bool beside; /* the second curve is nearly parallel to the first one: of nearly the same shape, beside it */
} family;

static void exactness(const family *of, long pairs, uint64_t seed, unsigned stream)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, stream);
    long touches = 0, minima = 0, missed = 0, wrong = 0;
    double worst = 0.0;
    for (long i = 0; i < pairs; ++i) {
        fixture_clear(&f);
        const double margin = cst_rng_log_range(&rng, 0.01, 0.1);
        double reach = 2.0 * margin;
        for (int side = 0; side < 2; ++side) {
            fixture_element e;
            const double length = cst_rng_log_range(&rng, 0.2, 1.0);
            const double bend = cst_rng_uniform(&rng) * (side ? of->other_bend : of->bend) / length;
            const double twist = cst_rng_range(&rng, -1.0, 1.0) * (side ? of->other_twist : of->twist) / length;
            fixture_random_element(&rng, length, bend, twist, &e);
            const double radius = cst_rng_log_range(&rng, of->radius[0], of->radius[1]);
            fixture_owner(&f);
            fixture_add(&f, &e, radius, margin);
            reach += radius;
        }
        if (of->beside)
            fixture_lay_beside(&f, &rng, reach);
        /* b goes where a point of it is near a point of a. */
        double p[3], q[3], off[3];
        fixture_element_at(&f.element[0], cst_rng_uniform(&rng) * f.element[0].length, p, NULL);
        fixture_element_at(&f.element[1], cst_rng_uniform(&rng) * f.element[1].length, q, NULL);
        cst_rng_direction(&rng, 3, off);
        const double away = cst_rng_uniform(&rng) * reach;
        for (int k = 0; k < 3 && !of->beside; ++k)
            f.element[1].x[k] += p[k] - q[k] + away * off[k];
        const oracle_curve one = oracle_of(&f.element[0], 1), two = oracle_of(&f.element[1], 1), *a = &one, *b = &two;
        const double radii = f.piece[0].radius + f.piece[1].radius;
        fixture_detect(&f);
        for (int t = 0; t < f.touches; ++t) {
            double s = f.touch[t].s_a, u = f.touch[t].s_b;
            const double d = f.touch[t].gap + radii;
            worst = fmax(worst, fabs(d - oracle_distance(a, s, b, u)));
            if (oracle_descend(a, b, &s, &u, 1e-5) < d - 1e-10)
                ++wrong;
        }
        oracle_minimum m[ORACLE_MINIMA];
        const int count = oracle_minima(a, b, reach, m);
        for (int j = 0; j < count; ++j) {
            bool found = false;
            for (int t = 0; t < f.touches && !found; ++t)
                found = fabs(f.touch[t].gap + radii - m[j].distance) < 1e-8 &&
                        fabs(f.touch[t].s_a - m[j].s) + fabs(f.touch[t].s_b - m[j].t) < 2e-2;
            if (!found && m[j].distance < reach - 1e-9) {
                ++missed;
                if (getenv("BENCH_SPACE_SHOW")) {
                    printf("pair %ld: missed s %.9f of %.4f, t %.9f of %.4f, d %.9f, reach %.6f radii %.6f kappa %.3f %.3f\n", i,
                           m[j].s, a->length, m[j].t, b->length, m[j].distance, reach, radii, f.piece[0].curvature,
                           f.piece[1].curvature);
                    for (int t = 0; t < f.touches; ++t)
                        printf("    found s %.9f t %.9f d %.9f\n", f.touch[t].s_a, f.touch[t].s_b, f.touch[t].gap + radii);
                }
            }
        }
        touches += f.touches;
        minima += count;
    }
    printf("%-28s %8ld %9ld %9ld %7ld %7ld %10.2e\n", of->name, pairs, touches, minima, missed, wrong, worst);
}

static void time_scene(const char *name)
{
    fixture_detect(&f);
    double least = 1e9;
    for (int i = 0; i < 20; ++i) {
        const double start = now();
        cst_detector_forget(&f.detector);
        fixture_detect(&f);
        least = fmin(least, now() - start);
    }
    printf("%-28s %7d pieces %8lld pairs %7d touches %9.3f ms  %7.3f us/piece  %7.3f us/touch\n", name, f.scene.pieces,
           (long long)f.detector.pairs, f.touches, 1e3 * least, 1e6 * least / f.scene.pieces, 1e6 * least / f.touches);
}

/* Chains of `edges` straight edges or helical elements, thrown into a box so that each touches a few others. */
static void pile(const char *name, int segments, int edges, double bend)
{
    cst_rng rng;
    cst_rng_seed(&rng, 12, 0);
    fixture_clear(&f);
    const double length = 0.01, radius = 0.001, size = cbrt(segments * length * 4.0 * radius * radius / 0.3);
    while (f.scene.pieces + edges <= segments) {
        fixture_owner(&f);
        f.flags[f.scene.owners - 1] = CST_OWNER_SELF_CONTACT;
        fixture_element e;
        fixture_random_element(&rng, length, bend / length, 0.3 * bend / length, &e);
        for (int k = 0; k < 3; ++k)
            e.x[k] *= size;
        for (int i = 0; i < edges; ++i) {
            fixture_add(&f, &e, radius, 0.5 * radius);
            double x[3], t[3], side[3];
            fixture_element_at(&e, length, x, t);
            memcpy(e.x, x, sizeof x);
            memcpy(e.t, t, sizeof t);
            if (bend == 0.0) { /* corners */
                cst_rng_direction(&rng, 3, side);
                cst_add3(0.2, side, e.t);
                cst_normalise3(e.t);
            }
        }
    }
    cst_solid *floor = fixture_solid(&f, CST_SOLID_PLANE, 0.0, 0.0, 0.0);
    floor->position[2] = -0.5 * size;
    time_scene(name);
}
/* A rope wound around a post in a helix: every element lies on the post and beside the turn below. */
static void rope_on_post(const char *name, int elements)
{
    fixture_clear(&f);
    fixture_owner(&f);
    f.flags[0] = CST_OWNER_SELF_CONTACT;
    const double radius = 0.002, post = 0.05, rho = post + radius, rise = 2.0 * radius / (2.0 * PI), turns = 4.0;
    const double way = sqrt(rho * rho + rise * rise), length = 2.0 * PI * turns * way / elements;
    for (int i = 0; i < elements; ++i) {
        const double angle = 2.0 * PI * turns * i / elements;
        const fixture_element e = {.x = {rho * cos(angle), rho * sin(angle), rise * angle},
                                   .t = {-rho * sin(angle) / way, rho * cos(angle) / way, rise / way},
                                   .turn = {0.0, 0.0, 1.0 / way},
                                   .length = length};
        fixture_add(&f, &e, radius, 0.1 * radius);
    }
    fixture_solid(&f, CST_SOLID_CYLINDER, post, 1.0, 0.0);
    time_scene(name);
}

static const cst_command command = {
    .name = "capstan-bench curves",
    .usage = "[PAIRS [SEGMENTS [SCENE [SEED]]]]",
    .about = "Nearest points of helices in space: exactness against brute force, time of whole scenes."};

int cst_bench_curves(int argc, char **argv)
{
    int code;
    const int operands = cst_arguments_parse(&command, NULL, 0, argc, argv, &code);
    if (operands < 0)
        return code;
    const long pairs = operands > 0 ? atol(argv[0]) : 100000;
    const uint64_t seed = operands > 3 ? strtoull(argv[3], NULL, 10) : 11;
    int segments = operands > 1 ? atoi(argv[1]) : 10000;
    if (segments > FIXTURE_PIECES - 100)
        segments = FIXTURE_PIECES - 100;
    static const family families[] = {
        {"straight, straight", 0.0, 0.0, 0.0, 0.0, {0.001, 0.05}, false},
        {"arc, straight", 3.0, 0.0, 0.0, 0.0, {0.001, 0.05}, false},
        {"helix, straight", 6.0, 6.0, 0.0, 0.0, {0.001, 0.05}, false},
        {"helix, helix", 6.0, 6.0, 6.0, 6.0, {0.001, 0.05}, false},
        {"helix, helix, thin", 3.0, 3.0, 3.0, 3.0, {0.0002, 0.002}, false},
        {"helix, tightly wound", 8.0, 25.0, 2.0, 2.0, {0.001, 0.02}, false},
        {"helix, side by side", 1.0, 0.3, 0.0, 0.0, {0.001, 0.01}, true},
    };
    const int count = (int)(sizeof families / sizeof *families);
    fixture_begin(&f);
    printf("%-28s %8s %9s %9s %7s %7s %10s\n", "family", "pairs", "touches", "minima", "missed", "false", "worst");
    for (int i = 0; i < count && pairs > 0; ++i)
        exactness(&families[i], pairs / count, seed, (unsigned)i);
    const int scene = operands > 2 ? atoi(argv[2]) : 0;
    if (scene == 0 || scene == 1)
        pile("straight edges", segments, 1, 0.0);
    if (scene == 0 || scene == 2)
        pile("chains of 20 edges", segments, 20, 0.0);
    if (scene == 0 || scene == 3)
        pile("helices of 20 elements", segments, 20, 0.5);
    if (scene == 0 || scene == 4)
        pile("76 chains of 22 edges", 76 * 22, 22, 0.0);
    if (scene == 0 || scene == 5)
        rope_on_post("rope of 200 helices on a post", 200);
    if (scene == 0 || scene == 6)
        pile("84 hairs of 8 helices", 84 * 8, 8, 0.3);
    cst_detector_end(&f.detector);
    return 0;
}
