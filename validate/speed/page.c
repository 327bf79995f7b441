/* A made-up run of many fibers in space, to measure `capstan view` and its page with:
 *
 *     capstan-bench page DIR [FIBERS POINTS FRAMES]      2000 48 300 unless told otherwise
 *
 * Curly strands hang from a disk and swing in slowly turning wind; neighbours touch at every sixteenth point. No physics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "benches.h"
#include "cache/cache_write.h"
#include "cli/arguments.h"
#include "cli/progress.h"

typedef struct strand {
    double root[3], phase, curl, stiffness, length;
} strand;

typedef struct rows {
    cst_item_row *item;
    cst_vertex_row *vertex;
    cst_contact_view *contact;
} rows;

static void place(const strand *of, double s, double time, double *x, double *curvature)
{
    double sway = (0.35 * sin(1.3 * time + of->phase) + 0.2 * sin(3.1 * time + 2.0 * of->phase)) / of->stiffness;
    double wind = 0.6 * time + 0.4 * of->phase, bend = sway * s * s;
    double turn = of->curl * s / of->length + of->phase, wide = 0.012 * s / of->length;
    x[0] = of->root[0] + bend * cos(wind) + wide * cos(turn);
    x[1] = of->root[1] + bend * sin(wind) + wide * sin(turn);
    x[2] = of->root[2] - s * sqrt(fmax(0.0, 1.0 - sway * sway * s * s * 0.5));
    *curvature = 2.0 * fabs(sway) + wide * of->curl * of->curl / (of->length * of->length);
}

static void fill_frame(const strand *all, int fibers, int points, double time, rows *out)
{
    for (int f = 0; f < fibers; f++)
        for (int k = 0; k < points; k++) {
            cst_vertex_row *v = &out->vertex[f * points + k];
            place(&all[f], all[f].length * k / (points - 1), time, v->position, &v->curvature);
            v->radius = 4e-4;
        }
}

static int find_contacts(const strand *all, int fibers, int points, rows *out)
{
    int count = 0;
    for (int f = 0; f + 1 < fibers; f++)
        for (int k = 15; k < points; k += 16) {
            const cst_vertex_row *a = &out->vertex[f * points + k], *b = a + points;
            cst_contact_view *c = &out->contact[count];
            double d[3], distance = 0.0;
            for (int axis = 0; axis < 3; axis++)
                d[axis] = a->position[axis] - b->position[axis];
            distance = hypot(hypot(d[0], d[1]), d[2]);
            if (distance > 0.02 || distance <= 0.0)
                continue;
            *c = (cst_contact_view){.id = (uint64_t)count + 1, .a.body = (uint32_t)f + 1, .b.body = (uint32_t)f + 2, .mu = 0.3};
            c->s_a = all[f].length * k / (points - 1);
            c->s_b = all[f + 1].length * k / (points - 1);
            for (int axis = 0; axis < 3; axis++) {
                c->position[axis] = b->position[axis] + 0.5 * d[axis];
                c->normal[axis] = d[axis] / distance;
                c->force[axis] = 1e-3 * (0.02 - distance) * d[axis] / distance;
            }
            c->contact_case = k % 2 ? CST_CASE_STICK : CST_CASE_SLIDE;
            c->error = 1e-10;
            count++;
        }
    return count;
}

static int write_run(cst_cache_writer *cache, const strand *all, int fibers, int points, int frames, rows *out)
{
    int64_t contacts = 0;
    char message[256];
    for (int n = 0; n < frames; n++) {
        double time = n / 60.0;
        fill_frame(all, fibers, points, time, out);
        int touching = find_contacts(all, fibers, points, out);
        for (int f = 0; f < fibers; f++)
            out->item[f] = (cst_item_row){
                .id = (uint32_t)f + 1, .as = CST_DRAWN_CURVE, .vertices = {((int64_t)n * fibers + f) * points, points}};
        cst_frame_row frame = {
            .time = time, .step = n, .whole = n, .items = {(int64_t)n * fibers, fibers}, .contacts = {contacts, touching}};
        cst_step_report step = {
            .time = time, .dt = 1.0 / 60.0, .step = n + 1, .contacts = touching, .iterations = 40, .residual.error = 1e-9};
        contacts += touching;
        bool good = cst_cache_append(cache, CST_TABLE_FRAMES, &frame, 1) &&
                    cst_cache_append(cache, CST_TABLE_ITEMS, out->item, fibers) &&
                    cst_cache_append(cache, CST_TABLE_VERTICES, out->vertex, (int64_t)fibers * points) &&
                    cst_cache_append(cache, CST_TABLE_CONTACTS, out->contact, touching) &&
                    cst_cache_append(cache, CST_TABLE_STEPS, &step, 1) && cst_cache_append(cache, CST_TABLE_TIMINGS, &step, 1);
        if (!good || !cst_cache_commit(cache, message, sizeof message)) {
            fprintf(stderr, "capstan-bench page: %s\n", good ? message : "not enough memory");
            return 1;
        }
    }
    printf("%d fibers x %d points x %d frames, %lld contacts\n", fibers, points, frames, (long long)contacts);
    return 0;
}

static void make_strands(strand *all, const char **name, int fibers)
{
    cst_rng rng;
    cst_rng_seed(&rng, 1, 0);
    for (int f = 0; f < fibers; f++) {
        double angle = 2.399963 * f, from = 0.12 * sqrt((f + 0.5) / fibers);
        name[f] = "";
        all[f] = (strand){{from * cos(angle), from * sin(angle), 0.5},
                          0.5 * cst_rng_uniform(&rng) + angle * 0.05,
                          20.0 + 10.0 * cst_rng_uniform(&rng),
                          0.5 + cst_rng_uniform(&rng),
                          0.3 + 0.08 * cst_rng_uniform(&rng)};
    }
}

static int make_run(const char *path, const strand *all, const char **name, int fibers, int points, int frames, rows *out)
{
    char message[256];
    cst_cache_head head = {.dim = 3,
                           .detail = fibers > 500 ? CST_DETAIL_LIGHT : CST_DETAIL_FULL,
                           .dt = 1.0 / 60.0,
                           .frame_interval = 1.0 / 60.0,
                           .tolerance = 1e-8,
                           .title = "Strands in the wind, made up",
                           .scene = "{}",
                           .source = "{}",
                           .bodies = fibers,
                           .body_name = name};
    cst_cache_writer *cache = cst_cache_create(path, &head, message, sizeof message);
    if (!cache) {
        fprintf(stderr, "capstan-bench page: %s\n", message);
        return 1;
    }
    int code = write_run(cache, all, fibers, points, frames, out);
    cst_cache_writer_free(cache);
    return code;
}

static const cst_command command = {.name = "capstan-bench page",
                                    .usage = "DIR [FIBERS POINTS FRAMES]",
                                    .about = "A made-up run of many fibers, to measure capstan view and its page with."};

int cst_bench_page(int argc, char **argv)
{
    int code;
    const int operands = cst_arguments_parse(&command, NULL, 0, argc, argv, &code);
    if (operands < 0)
        return code;
    int fibers = operands > 1 ? atoi(argv[1]) : 2000, points = operands > 2 ? atoi(argv[2]) : 48;
    int frames = operands > 3 ? atoi(argv[3]) : 300;
    if (operands < 1 || fibers < 1 || points < 2 || frames < 1) {
        fputs("capstan-bench page: it takes DIR, then FIBERS, POINTS (2 or more) and FRAMES\n", stderr);
        return CST_EXIT_BAD;
    }
    mkdir(argv[0], 0777);
    char path[4096];
    snprintf(path, sizeof path, "%s/cache.h5", argv[0]);
    const char **name = calloc((size_t)fibers, sizeof *name);
    strand *all = calloc((size_t)fibers, sizeof *all);
    rows out = {calloc((size_t)fibers, sizeof *out.item), calloc((size_t)fibers * (size_t)points, sizeof *out.vertex),
                calloc((size_t)fibers * (size_t)points, sizeof *out.contact)};
    code = 1;
    if (name && all && out.item && out.vertex && out.contact) {
        make_strands(all, name, fibers);
        code = make_run(path, all, name, fibers, points, frames, &out);
    }
    free(name);
    free(all);
    free(out.item);
    free(out.vertex);
    free(out.contact);
    return code;
}
