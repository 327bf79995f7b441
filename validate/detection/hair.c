/* Detection of many hairs: how time, pairs and memory grow with their number.
 *
 *     capstan-bench hair-detection [hairs at most, 100000] [threads, 1]
 *
 * 1. Hairs of five helical pieces of 6 cm on half a scalp of radius 10 cm, 0.05 mm thick, as waved as their neighbours: nothing
 *    touches. 2. The same on a head that turns with 10 rad/s, in a step of 2 ms. 3. Parallel fibers that fly together. 4. Piles of
 *    straight fibers as dense at any number. Processor time, least of several calls; exponents from one number to the next. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "generate/scalp.h"
#include "tests/space_fixture.h"

typedef struct head {
    fixture_element *element;
    cst_piece *piece;
    cst_piece_shape *shape;
    cst_piece_way *way;
    double *margin;
    cst_curve_view *curve;
    cst_space_scene scene;
} head;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(head *h, int owners, int pieces, int threads)
{
    h->element = calloc((size_t)pieces, sizeof *h->element);
    h->piece = calloc((size_t)pieces, sizeof *h->piece);
    h->shape = calloc((size_t)pieces, sizeof *h->shape);
    h->way = calloc((size_t)pieces, sizeof *h->way);
    h->margin = calloc((size_t)pieces, sizeof *h->margin);
    h->curve = calloc((size_t)owners, sizeof *h->curve);
    if (!h->element || !h->piece || !h->shape || !h->way || !h->margin || !h->curve)
        exit(1);
    h->scene =
        (cst_space_scene){.piece = h->piece, .shape = h->shape, .margin = h->margin, .curve = h->curve, .threads = threads};
}

static void end(head *h)
{
    free(h->element);
    free(h->piece);
    free(h->shape);
    free(h->way);
    free(h->margin);
    free(h->curve);
}

/* One owner of `count` elements that go on from each other; `turn` in the frame (t, u, v) of the start. */
static void add_fiber(head *h, const double *x, const double *t, const double *turn, double length, int count, double radius)
{
    const int owner = h->scene.owners++, first = h->scene.pieces;
    fixture_element e = {.x = {x[0], x[1], x[2]}, .t = {t[0], t[1], t[2]}, .turn = {turn[0], turn[1], turn[2]}, .length = length};
    h->curve[owner] = (cst_curve_view){.at = fixture_curve_at, .drift = fixture_curve_drift, .user = h->element + first};
    for (int i = 0; i < count; ++i) {
        const int index = h->scene.pieces++;
        h->element[index] = e;
        h->margin[index] = 0.25 * radius;
        h->piece[index] = (cst_piece){.owner = owner,
                                      .feature = i,
                                      .length = length,
                                      .radius = radius,
                                      .curvature = fixture_curvature(&e),
                                      .s = i * length,
                                      .owner_length = count * length};
        double at[3], along[3];
        fixture_element_at(&e, length, at, along);
        memcpy(e.x, at, sizeof at);
        memcpy(e.t, along, sizeof along);
    }
}

static void hairs(head *h, int count, int threads)
{
    begin(h, count, 5 * count, threads);
    for (int i = 0; i < count; ++i) {
        const cst_hair_root root = cst_hair_root_of(i, count, 0.1);
        /* The same wave in the frame that follows the scalp, so that neighbours wave side by side. */
        const double across = 12.0, along = 60.0;
        double out[3], wave[3];
        for (int k = 0; k < 3; ++k) {
            out[k] = root.frame[3 * k];
            wave[k] = across * root.frame[3 * k + 1] + along * out[k];
        }
        add_fiber(h, root.position, out, wave, 0.06, 5, 5e-5);
    }
}

/* All points go by dt (v + w x x). */
static void move(head *h, const double *v, const double *w)
{
    for (int i = 0; i < h->scene.pieces; ++i)
        for (int side = 0; side < 2; ++side) {
            double x[3];
            fixture_element_at(&h->element[i], side * h->element[i].length, x, NULL);
            cst_cross3(w, x, h->way[i].way[side]);
            cst_add3(1.0, v, h->way[i].way[side]);
            for (int k = 0; k < 3; ++k)
                h->way[i].way[side][k] *= 2e-3;
        }
    h->scene.way = h->way;
}

typedef struct measure {
    double seconds, bytes;
    int count; /* pieces, or touches if there are any: what time is to be proportional to */
} measure;

static measure detect(const char *name, head *h, const measure *before)
{
    cst_detector detector;
    const cst_touch_space *touch;
    cst_detector_begin(&detector, NULL);
    fixture_take_shapes(h->element, h->scene.pieces, h->shape);
    measure out = {.seconds = 1e9};
    int touches = 0;
    for (int i = 0; i < 4 && (i < 2 || out.seconds < 1.0); ++i) {
        const double start = now();
        cst_detector_forget(&detector);
        touches = cst_detect_space(&detector, &h->scene, &touch);
        out.seconds = fmin(out.seconds, now() - start);
    }
    out.count = touches > 0 ? touches : h->scene.pieces;
    out.bytes = (double)detector.arena.bytes + (double)detector.pairs_kept.arena.bytes;
    for (int i = 0; i < CST_DETECTOR_KEPT; ++i)
        out.bytes += (double)detector.kept[i].arena.bytes;
    printf("%-26s %8d pieces %9lld pairs %8d touches %9.2f ms %7.0f ns/piece %7.1f MB", name, h->scene.pieces,
           (long long)detector.pairs, touches, 1e3 * out.seconds, 1e9 * out.seconds / h->scene.pieces, 1e-6 * out.bytes);
    if (before->count) {
        const double by = log((double)out.count / before->count);
        printf("  exponents %.2f %.2f", log(out.seconds / before->seconds) / by, log(out.bytes / before->bytes) / by);
    }
    printf("\n");
    fflush(stdout);
    cst_detector_end(&detector);
    return out;
}

static void parallel_fibers(double speed, int threads)
{
    head h;
    begin(&h, 100, 1000, threads);
    const double straight[3] = {0.0, 0.0, 0.0}, along[3] = {1.0, 0.0, 0.0}, still[3] = {0.0, 0.0, 0.0};
    const double v[3] = {0.0, speed, speed};
    for (int i = 0; i < 100; ++i) {
        const double x[3] = {0.0, 3e-3 * (i % 10), 3e-3 * (i / 10)};
        add_fiber(&h, x, along, straight, 0.05, 10, 1e-3);
    }
    move(&h, v, still);
    char name[64];
    snprintf(name, sizeof name, "parallel, %g m/s", speed);
    detect(name, &h, &(measure){0});
    end(&h);
}

static void pile(int count, int threads, measure *before)
{
    head h;
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    begin(&h, count, 20 * count, threads);
    const double radius = 1e-3, size = cbrt(count * 0.2 * 4.0 * radius * radius / 0.3), straight[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        double x[3], t[3];
        cst_rng_direction(&rng, 3, t);
        for (int k = 0; k < 3; ++k)
            x[k] = size * cst_rng_uniform(&rng);
        add_fiber(&h, x, t, straight, 0.01, 20, radius);
    }
    *before = detect("pile", &h, before);
    end(&h);
}

static const cst_command command = {.name = "capstan-bench hair-detection",
                                    .usage = "[HAIRS [THREADS]]",
                                    .about = "How time, pairs and memory of detection grow with the number of hairs."};

int cst_bench_hair_detection(int argc, char **argv)
{
    int code;
    const int operands = cst_arguments_parse(&command, NULL, 0, argc, argv, &code);
    if (operands < 0)
        return code;
    const int most = operands > 0 ? atoi(argv[0]) : 100000, threads = operands > 1 ? atoi(argv[1]) : 1;
    measure before = {0}, turning = {0}, piled = {0};
    const double still[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 10.0};
    for (int count = 1000, i = 0; count <= most; count *= i++ % 2 ? 5 : 2) {
        head h;
        hairs(&h, count, threads);
        before = detect("hairs at rest", &h, &before);
        move(&h, still, turn);
        turning = detect("hairs on a turning head", &h, &turning);
        end(&h);
    }
    const double speed[] = {0.0, 0.5, 2.0, 20.0};
    for (int i = 0; i < 4; ++i)
        parallel_fibers(speed[i], threads);
    for (int count = 500; count <= 8000 && count <= most; count *= 4)
        pile(count, threads, &piled);
    return 0;
}
