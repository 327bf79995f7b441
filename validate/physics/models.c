/* capstan-bench models: the four models of fibers on two common scenes, refined until they agree.
 *
 *     swing  a rod clamped at its root, curved by nature (a quarter of a turn or so), let go from that shape under its weight
 *     post   a straight rod that falls across a post, off its middle, and comes to hang over it by friction
 *
 * Both move in a plane: a mass-spring chain has no twist, so nothing may depend on it. n elements and the step go together: dt
 * falls as 1 / n, theta = 1/2 (swing), 1 (post: impacts). What is compared, over the length: both ends and the middle at every 10 ms;
 * of the post its force at the end, next to the weight of the rod. The explicit CORDE has steps of its own, halved until it takes them;
 * these fall as 1 / n^2, so it is run with few elements only and held against the implicit one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/cpu_clock.h"
#include "harness/validation.h"

enum { SCENES = 2, MODELS = 5, IMPLICIT = 4, LEVELS = 4, EXPLICIT_LEVELS = 2, SAMPLES_MAX = 201, PLACES = 3 };

static const double between_samples = 0.01; /* s */

typedef struct model {
    const char *name;
    cst_fiber_model model;
    bool explicit_step;
} model;

static const model model_of[MODELS] = {{"super helix", CST_FIBER_SUPER_HELIX, false},
                                       {"discrete elastic rod", CST_FIBER_DISCRETE_ROD, false},
                                       {"CORDE", CST_FIBER_CORDE, false},
                                       {"mass-spring chain", CST_FIBER_SPRINGS, false},
                                       {"CORDE, explicit", CST_FIBER_CORDE, true}};

typedef struct scene {
    const char *name;
    double duration, theta;
    int iterations;
    double first_step; /* s: with 8 elements */
} scene;

static const scene scene_of[SCENES] = {{"swing", 1.5, 0.5, 1, 2e-3}, {"post", 2.0, 1.0, 1, 1e-3}};

/* One model on one scene, refined to one level. */
typedef struct course {
    bool known;
    int elements, samples;
    double dt, seconds_per_step;
    double place[SAMPLES_MAX][PLACES][3]; /* m: start, middle, end */
    double force;                         /* N: on the post at the end, upwards negative */
    double unexplained;                   /* of the energy that was turned over */
} course;

typedef struct study {
    cst_validation base;
    int levels;
    course course[SCENES][LEVELS][MODELS];
} study;

static double rod_length(int which)
{
    return which == 0 ? 0.5 : 0.4;
}

/* m g, of the rod of the post */
static double weight_of(void)
{
    return 0.02 * 0.4 * 9.81;
}

static cst_fiber_def fiber_of(int which, const model *of, int elements)
{
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.model = of->model;
    fiber.explicit_step = of->explicit_step;
    fiber.elements = elements;
    fiber.length = rod_length(which);
    if (which == 0) { /* Gamma = 5; curved down: a chain bends by an angle without sign, which must not pass through zero */
        fiber.clamped = true;
        fiber.radius = 5e-3;
        fiber.mass_per_length = 0.01;
        fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 2.5e-3;
        fiber.natural_curvature[1] = 3.0;
        fiber.viscosity = 1e-3;
    } else { /* Gamma = 126: soft enough to hang down on both sides */
        fiber.radius = 4e-3;
        fiber.mass_per_length = 0.02;
        fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 1e-4;
        fiber.position[0] = -0.52 * fiber.length;
        fiber.position[2] = 0.02;
        fiber.viscosity = 1e-2;
    }
    fiber.twisting_stiffness = fiber.bending_stiffness[0] / 1.3;
    fiber.drag = which == 0 ? 2e-3 : 0.1;
    return fiber;
}

static cst_world *make(int which, const model *of, int elements, double dt, cst_body_id *body, char *message, size_t message_size)
{
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = dt;
    def.time_step.theta = of->explicit_step ? 1.0 : scene_of[which].theta;
    def.time_step.iterations = scene_of[which].iterations;
    def.friction_coefficient = 0.6;
    def.friction.threads = 1;
    cst_world *world = cst_world_new(&def, message, message_size);
    const cst_fiber_def fiber = fiber_of(which, of, elements);
    *body = world ? cst_world_add_fiber(world, &fiber, message, message_size) : 0;
    if (*body && which == 1) { /* along y, its top at z = 0 */
        cst_obstacle_def post = cst_obstacle_def_default();
        const double along_y[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
        post.shape = CST_OBSTACLE_CAPSULE;
        post.radius = 0.04;
        post.size[0] = 0.1;
        post.position[2] = -0.04;
        memcpy(post.frame, along_y, sizeof along_y);
        if (!cst_world_add_obstacle(world, &post, message, message_size))
            *body = 0;
    }
    return world;
}

static void sample(const cst_world *world, cst_body_id body, double length, double (*to)[3])
{
    const cst_place at[PLACES] = {{.body = body}, {.body = body, .s = 0.5 * length}, {.body = body, .at_end = true}};
    for (int i = 0; i < PLACES; i++)
        cst_world_place_space(world, &at[i], to[i], NULL, NULL, NULL);
}

static const char NOT_STABLE[] = "stable in steps"; /* as the explicit CORDE says it */

/* With steps of the n-th part of what is between samples. */
static bool run_with(int which, const model *of, int n, course *out, char *message, size_t message_size)
{
    cst_body_id body;
    cst_world *world = make(which, of, out->elements, between_samples / n, &body, message, message_size);
    bool good = world && body;
    const int last = (int)lround(scene_of[which].duration / between_samples);
    double worst_turned = 0, began = cst_cpu_seconds();
    cst_step_report report = {0};
    for (int k = 0; good && k <= last; k++) {
        sample(world, body, rod_length(which), out->place[k]);
        for (int i = 0; good && k < last && i < n; i++) {
            good = cst_world_step(world, &report) <= CST_TOLERANCE_MISSED && !cst_interrupted();
            worst_turned = fmax(worst_turned, report.energy.kinetic);
            if (good && of->explicit_step &&
                report.retries > 0) { /* the world cut a step that gained energy: it is too long as well */
                good = false;
                snprintf(report.message, sizeof report.message, "%s that are shorter", NOT_STABLE);
            }
        }
        if (!good)
            snprintf(message, message_size, "%s", report.message);
    }
    if (good) {
        double force[3] = {0};
        if (which == 1)
            cst_world_obstacle_force(world, 1, force);
        out->samples = last + 1;
        out->dt = between_samples / n;
        out->seconds_per_step = (cst_cpu_seconds() - began) / (last * n);
        out->force = force[2];
        out->unexplained = report.energy.unexplained / worst_turned;
        out->known = true;
    }
    cst_world_free(world);
    return good;
}

static bool run_one(study *about, int which, int level, int m)
{
    course *out = &about->course[which][level][m];
    const model *of = &model_of[m];
    char message[256] = "out of memory";
    out->elements = 8 << level;
    int n = (int)lround(between_samples / scene_of[which].first_step) << level;
    bool good = run_with(which, of, n, out, message, sizeof message);
    while (!good && of->explicit_step && n < 1 << 12 && strstr(message, NOT_STABLE) && !cst_interrupted())
        good = run_with(which, of, n *= 2, out, message, sizeof message);
    return good ||
           cst_validation_fault(&about->base, "%s, %s, %d elements: %s", scene_of[which].name, of->name, out->elements, message);
}

/* Largest distance of a place, at any time, over the length. */
static double apart(int which, const course *a, const course *b)
{
    double worst = 0;
    for (int k = 0; k < a->samples; k++)
        for (int i = 0; i < PLACES; i++)
            worst = fmax(worst, hypot(a->place[k][i][0] - b->place[k][i][0],
                                      hypot(a->place[k][i][1] - b->place[k][i][1], a->place[k][i][2] - b->place[k][i][2])));
    return worst / rod_length(which);
}

static double apart_at_end(int which, const course *a, const course *b)
{
    course last[2] = {{.samples = 1}, {.samples = 1}};
    memcpy(last[0].place[0], a->place[a->samples - 1], sizeof a->place[0]);
    memcpy(last[1].place[0], b->place[b->samples - 1], sizeof b->place[0]);
    return apart(which, &last[0], &last[1]);
}

static void print_rows(const study *about)
{
    static const char *const headings[] = {"scene",  "n",          "model",      "dt, ms",        "us per step", "end, x",
                                           "end, z", "from helix", "at the end", "post / weight", "unexplained", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int s = 0; s < SCENES; s++) {
        for (int level = 0; level < about->levels; level++) {
            cst_table_rule(table);
            for (int m = 0; m < MODELS; m++) {
                const course *at = &about->course[s][level][m], *helix = &about->course[s][about->levels - 1][0];
                if (!at->known)
                    continue;
                const double *end = at->place[at->samples - 1][2];
                cst_table_cell(table, "%s", scene_of[s].name);
                cst_table_cell(table, "%d", at->elements);
                cst_table_cell(table, "%s", model_of[m].name);
                cst_table_cell(table, "%.4g", 1e3 * at->dt);
                cst_table_cell(table, "%.1f", 1e6 * at->seconds_per_step);
                cst_table_cell(table, "%.5f", end[0] / rod_length(s));
                cst_table_cell(table, "%.5f", end[2] / rod_length(s));
                cst_table_cell(table, "%.2e", apart(s, at, helix));
                cst_table_cell(table, "%.2e", apart_at_end(s, at, helix));
                cst_validation_cell(table, "%.5f", s == 1 ? -at->force / weight_of() : NAN);
                cst_table_cell(table, "%.1e", at->unexplained);
            }
        }
    }
    cst_validation_print(table);
}

static void judge(study *about)
{
    for (int s = 0; s < SCENES; s++) {
        const course *finest = about->course[s][about->levels - 1], *coarse = about->course[s][EXPLICIT_LEVELS - 1];
        double always = 0, at_end = 0, force = 0;
        for (int a = 0; a < IMPLICIT; a++) {
            force = fmax(force, fabs(-finest[a].force / weight_of() - 1));
            for (int b = 0; b < a; b++) {
                always = fmax(always, apart(s, &finest[a], &finest[b]));
                at_end = fmax(at_end, apart_at_end(s, &finest[a], &finest[b]));
            }
        }
        const char *name = scene_of[s].name;
        cst_validation_at_most(&about->base, always, 0.01, "%s: models of %d elements apart at any time, over the length", name,
                               finest->elements);
        cst_validation_at_most(&about->base, at_end, 0.01, "%s: apart at the end", name);
        cst_validation_at_most(&about->base, apart(s, &coarse[IMPLICIT], &coarse[2]), 0.01,
                               "%s: explicit and implicit CORDE of %d elements apart at any time", name, coarse->elements);
        if (s == 1)
            cst_validation_at_most(&about->base, force, 0.01, "post: force at the end, off the weight");
    }
}

static bool chart_paths(const study *about, int s)
{
    char title[128], name[64];
    snprintf(title, sizeof title,
             s == 0 ? "A curved rod swings: height of its end" : "A rod falls across a post: height of its ends");
    snprintf(name, sizeof name, "models_%s", scene_of[s].name);
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = title,
                                              .subtitle = "all models, as refined as they were; crosses: the coarsest",
                                              .x = {.label = "time, s", .tight = true},
                                              .y = {.label = "z / length"}});
    for (int m = 0; m < IMPLICIT; m++) {
        for (int level = 0; level < about->levels; level += about->levels - 1) {
            const course *at = &about->course[s][level][m];
            const bool fine = level > 0;
            for (int i = s == 0 ? 2 : 0; i < PLACES; i += 2) {
                int line = cst_chart_series(chart, &(cst_series_style){.name = fine && i == 2 ? model_of[m].name : "",
                                                                       .line = fine ? CST_LINE_SOLID : CST_LINE_NONE,
                                                                       .marker = fine ? CST_MARKER_NONE : CST_MARKER_CROSS,
                                                                       .colour = m + 1});
                for (int k = 0; k < at->samples; k += fine ? 1 : 5)
                    cst_chart_point(chart, line, k * between_samples, at->place[k][i][2] / rod_length(s));
            }
        }
    }
    bool written = cst_chart_files_write(chart, about->base.out, name);
    cst_chart_free(chart);
    return written;
}

static bool chart_errors(const study *about, int s)
{
    char name[64], subtitle[128];
    snprintf(name, sizeof name, "models_%s_refined", scene_of[s].name);
    snprintf(subtitle, sizeof subtitle, "%s: start, middle and end at any time, from the super helix of %d elements",
             scene_of[s].name, 8 << (about->levels - 1));
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){.title = "Models of fibers, refined",
                                                             .subtitle = subtitle,
                                                             .x = {.label = "elements", .logarithmic = true},
                                                             .y = {.label = "largest distance / length", .logarithmic = true}});
    for (int m = 0; m < MODELS; m++) {
        int line = cst_chart_series(
            chart,
            &(cst_series_style){.name = model_of[m].name, .line = CST_LINE_SOLID, .marker = CST_MARKER_CIRCLE, .colour = m + 1});
        for (int level = 0; level < about->levels && about->course[s][level][m].known; level++)
            cst_chart_point(chart, line, 8 << level,
                            apart(s, &about->course[s][level][m], &about->course[s][about->levels - 1][0]));
    }
    bool written = cst_chart_files_write(chart, about->base.out, name);
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {"scene",
                                         "n",
                                         "model",
                                         "dt",
                                         "seconds_per_step",
                                         "end_x_over_L",
                                         "end_z_over_L",
                                         "from_finest_helix",
                                         "at_the_end",
                                         "post_force_over_weight",
                                         "unexplained",
                                         NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "models", header))
        return false;
    for (int s = 0; s < SCENES; s++) {
        for (int level = 0; level < about->levels; level++) {
            for (int m = 0; m < MODELS; m++) {
                const course *at = &about->course[s][level][m], *helix = &about->course[s][about->levels - 1][0];
                if (!at->known)
                    continue;
                const double *end = at->place[at->samples - 1][2];
                const double number[] = {at->dt,
                                         at->seconds_per_step,
                                         end[0] / rod_length(s),
                                         end[2] / rod_length(s),
                                         apart(s, at, helix),
                                         apart_at_end(s, at, helix),
                                         s == 1 ? -at->force / weight_of() : NAN,
                                         at->unexplained};
                cst_csv_text(&csv, scene_of[s].name);
                cst_csv_integer(&csv, at->elements);
                cst_csv_text(&csv, model_of[m].name);
                for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
                    cst_csv_real(&csv, number[k]);
                cst_csv_row_end(&csv);
            }
        }
    }
    return cst_validation_csv_end(&about->base, &file);
}

int cst_bench_models(int argc, char **argv)
{
    static const char what[] =
        "The models of fibers on two common scenes: how far they agree when refined, and the cost of a step.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "models", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    bool done = about;
    if (done) {
        about->base = base;
        about->levels = base.quick ? LEVELS - 1 : LEVELS;
    } else {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    for (int s = 0; done && s < SCENES; s++)
        for (int level = 0; done && level < about->levels; level++)
            for (int m = 0; done && m < (level < EXPLICIT_LEVELS ? MODELS : IMPLICIT); m++)
                done = run_one(about, s, level, m);
    if (done) {
        print_rows(about);
        judge(about);
    }
    for (int s = 0; done && base.out && s < SCENES; s++)
        done = chart_paths(about, s) && chart_errors(about, s);
    done = done && (!base.out || write_csv(about));
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    free(about);
    return code;
}
