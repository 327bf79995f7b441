/* capstan-bench high-order: what it is worth that others touch the curved elements of a rod and not their chords.
 *
 * The same rod of n elements (docs/planar_rods.md), the same solver, the same steps; only its contour differs. Over the corners
 * of a polygon the contact jumps: a blow at each, of a momentum of order 1/n, and what it takes of the motion adds up. Against
 * the same scene with many arcs and the same time step, over the steps k,
 *
 *     force error       sqrt(mean |f_k - f*_k|^2) / weight        f: on the obstacle, averaged over 10 ms
 *     trajectory error  sqrt(mean |x_k - x*_k|^2) / size          x: a point of the rod
 *
 * Orders are slopes of straight lines fitted to log(error) over log(n). A blow lasts one step, so its force has no limit as dt
 * goes to 0; averaged over a fixed time, it is what a gauge of that response would read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/cpu_clock.h"
#include "harness/validation.h"
#include "physics/high_order_scenes.h"

enum { SCENES = CST_HIGH_ORDER_SCENES, CONTOURS = 2, SIZES_MAX = 6, FORCE = 0, PLACE, MEASURES };

static const double response = 0.01;  /* s: of the gauge */
static const int shown_elements = 16; /* in the chart of forces over time */
static const char *const contour_name[CONTOURS] = {"arcs", "chords"};

/* What is recorded of a run: force and place, two components each, of every step; and the processor time of all its steps. */
typedef struct record {
    double *force, *place; /* (steps x 2) */
    double seconds, worst; /* worst: E */
    int missed;            /* steps whose tolerance was missed */
} record;

typedef struct study {
    cst_validation base;
    int steps, window, sizes, elements[SIZES_MAX], reference;
    double dt;
    double error[SCENES][CONTOURS][SIZES_MAX][MEASURES];
    double seconds[SCENES][CONTOURS][SIZES_MAX], E[SCENES][CONTOURS][SIZES_MAX];
    double order[SCENES][CONTOURS][MEASURES];
    record kept[CONTOURS + 1]; /* of the first scene at shown_elements, and its reference */
} study;

static void free_record(record *of)
{
    free(of->force);
    free(of->place);
    *of = (record){0};
}

static bool take_record(const study *about, record *of)
{
    *of = (record){.force = calloc((size_t)about->steps, 2 * sizeof *of->force),
                   .place = calloc((size_t)about->steps, 2 * sizeof *of->place)};
    return (of->force && of->place) || cst_validation_fault(&about->base, "out of memory");
}

static bool simulate(const study *about, int scene, int elements, cst_rod_contour contour, record *out)
{
    char message[512] = "";
    cst_world *world = cst_high_order_world(scene, elements, contour, about->dt, message, sizeof message);
    cst_place watched = cst_high_order_scene_of(scene).watched;
    watched.body = 1;
    bool good = world && take_record(about, out);
    double before = cst_cpu_seconds();
    for (int k = 0; good && k < about->steps; k++) {
        cst_step_report report;
        double force[3], place[3];
        good = cst_world_step(world, &report) <= CST_TOLERANCE_MISSED && !cst_interrupted();
        snprintf(message, sizeof message, "step %d: %s", k, report.message);
        out->missed += report.status == CST_TOLERANCE_MISSED;
        out->worst = fmax(out->worst, report.residual.error);
        cst_world_obstacle_force(world, 1, force);
        cst_world_place(world, &watched, place, NULL, NULL);
        for (int c = 0; c < 2; c++) {
            out->force[2 * k + c] = force[c];
            out->place[2 * k + c] = place[c];
        }
    }
    out->seconds = cst_cpu_seconds() - before;
    cst_world_free(world);
    return good || cst_validation_fault(&about->base, "%s, %d %s: %s", cst_high_order_scene_of(scene).name, elements,
                                        contour_name[contour], message);
}

/* Mean of the window that ends with step k, or of what there is of it. */
static double gauge(const study *about, const double *value, int k, int component)
{
    int first = k >= about->window ? k - about->window + 1 : 0;
    double sum = 0;
    for (int j = first; j <= k; j++)
        sum += value[2 * j + component];
    return sum / (k - first + 1);
}

static void compare(const study *about, int scene, const record *of, const record *reference, double *error)
{
    const cst_high_order_scene in = cst_high_order_scene_of(scene);
    double force = 0, place = 0;
    for (int k = 0; k < about->steps; k++)
        for (int c = 0; c < 2; c++) {
            double df = gauge(about, of->force, k, c) - gauge(about, reference->force, k, c);
            double dx = of->place[2 * k + c] - reference->place[2 * k + c];
            force += df * df;
            place += dx * dx;
        }
    error[FORCE] = sqrt(force / about->steps) / in.weight;
    error[PLACE] = sqrt(place / about->steps) / in.size;
}

/* Slope of log y over log x. */
static double slope(int count, const double *x, const double *y)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        double u = log(x[k]), v = log(y[k]);
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

static bool run_scene(study *about, int scene)
{
    record reference = {0};
    bool good = simulate(about, scene, about->reference, CST_ROD_ARCS, &reference);
    for (int c = 0; good && c < CONTOURS; c++) {
        double n[SIZES_MAX], value[SIZES_MAX];
        for (int k = 0; good && k < about->sizes; k++) {
            record of = {0};
            good = simulate(about, scene, about->elements[k], c == 0 ? CST_ROD_ARCS : CST_ROD_CHORDS, &of);
            if (good) {
                compare(about, scene, &of, &reference, about->error[scene][c][k]);
                about->seconds[scene][c][k] = of.seconds;
                about->E[scene][c][k] = of.worst;
            }
            if (good && scene == 0 && about->elements[k] == shown_elements)
                about->kept[c] = of;
            else
                free_record(&of);
        }
        for (int m = 0; good && m < MEASURES; m++) {
            for (int k = 0; k < about->sizes; k++) {
                n[k] = about->elements[k];
                value[k] = about->error[scene][c][k][m];
            }
            about->order[scene][c][m] = -slope(about->sizes, n, value);
        }
    }
    if (good && scene == 0)
        about->kept[CONTOURS] = reference;
    else
        free_record(&reference);
    return good;
}

/* Processor time at which a contour reaches an error, between its measurements in logarithms; beyond them by its fitted line
 * would be a guess: NaN. The times must not fall with n where it is used, nor the errors rise: the first crossing counts. */
static double time_to_reach(const study *about, int scene, int contour, int measure, double error)
{
    for (int k = 1; k < about->sizes; k++) {
        double above = about->error[scene][contour][k - 1][measure], below = about->error[scene][contour][k][measure];
        double from = about->seconds[scene][contour][k - 1], to = about->seconds[scene][contour][k];
        if (above >= error && below <= error)
            return from * pow(to / from, log(above / error) / log(above / below));
    }
    return about->error[scene][contour][0][measure] <= error ? about->seconds[scene][contour][0] : NAN;
}

/* ------------------------------------------------------------------------------------------------------------ what is shown */

static void print_rows(const study *about)
{
    static const char *const headings[] = {"scene",  "n",     "force: arcs", "chords", "ratio",      "place: arcs",
                                           "chords", "ratio", "s: arcs",     "chords", "E, largest", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int s = 0; s < SCENES; s++) {
        cst_table_rule(table);
        for (int k = 0; k < about->sizes; k++) {
            cst_table_cell(table, "%s", cst_high_order_scene_of(s).name);
            cst_table_cell(table, "%d", about->elements[k]);
            for (int m = 0; m < MEASURES; m++) {
                cst_table_cell(table, "%.2e", about->error[s][0][k][m]);
                cst_table_cell(table, "%.2e", about->error[s][1][k][m]);
                cst_table_cell(table, "%.1f", about->error[s][1][k][m] / about->error[s][0][k][m]);
            }
            for (int c = 0; c < CONTOURS; c++)
                cst_table_cell(table, "%.2f", about->seconds[s][c][k]);
            cst_table_cell(table, "%.0e", fmax(about->E[s][0][k], about->E[s][1][k]));
        }
        cst_table_cell(table, "order");
        cst_table_cell(table, " ");
        for (int m = 0; m < MEASURES; m++) {
            cst_table_cell(table, "%.2f", about->order[s][0][m]);
            cst_table_cell(table, "%.2f", about->order[s][1][m]);
            cst_table_cell(table, " ");
        }
        for (int c = 0; c < CONTOURS + 1; c++)
            cst_table_cell(table, " ");
    }
    cst_validation_print(table);
}

static const char *const measure_name[MEASURES] = {"force", "trajectory"};

/* The force is what the contour decides: 2 by the rod itself, 1 by the height of corners. A trajectory that rolls also carries
 * what the time step makes of a contact point that runs along elements, which falls with dt and hides the order. */
static void judge_order(study *about, int scene, int measure)
{
    const char *name = cst_high_order_scene_of(scene).name;
    double arcs = about->order[scene][0][measure], chords = about->order[scene][1][measure];
    if (measure == FORCE) {
        cst_validation_between(&about->base, arcs, 1.25, 2.5, "%s, force: order of arcs", name);
        cst_validation_between(&about->base, chords, 0.5, 1.5, "%s, force: order of chords", name);
        return;
    }
    cst_validation_note(&about->base, arcs, "%s, trajectory: order of arcs", name);
    cst_validation_note(&about->base, chords, "%s, trajectory: order of chords", name);
}

static void judge(study *about)
{
    double worst = 0;
    for (int s = 0; s < SCENES; s++) {
        const char *name = cst_high_order_scene_of(s).name;
        int last = about->sizes - 1;
        for (int m = 0; m < MEASURES; m++) {
            double least = INFINITY, reached = about->error[s][1][last][m];
            for (int k = 0; k < about->sizes; k++)
                least = fmin(least, about->error[s][1][k][m] / about->error[s][0][k][m]);
            cst_validation_between(&about->base, least, 2, INFINITY, "%s, %s: error of chords / of arcs at the same n, least",
                                   name, measure_name[m]);
            judge_order(about, s, m);
            cst_validation_note(&about->base, about->seconds[s][1][last] / time_to_reach(about, s, 0, m, reached),
                                "%s, %s: time of %d chords / of arcs for the same error (%.1e)", name, measure_name[m],
                                about->elements[last], reached);
        }
        for (int c = 0; c < CONTOURS; c++)
            for (int k = 0; k < about->sizes; k++)
                worst = fmax(worst, about->E[s][c][k]);
    }
    cst_validation_at_most(&about->base, worst, 1e-8, "E, largest of all steps");
}

static bool chart_errors(const study *about, int measure, bool over_time, const char *file)
{
    char title[128];
    snprintf(title, sizeof title, "%s error over %s",
             measure == FORCE ? "Contact force:" : "Trajectory:", over_time ? "processor time" : "the number of elements");
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = title,
        .subtitle = over_time ? "each point a number of elements; circles: contact with arcs; crosses: with their chords"
                              : "circles: contact with arcs; crosses: with their chords",
        .x = {.label = over_time ? "processor time of the run (s)" : "elements n", .logarithmic = true},
        .y = {.label = measure == FORCE ? "RMS error of the force / weight" : "RMS error of the place / radius",
              .logarithmic = true}});
    for (int s = 0; s < SCENES; s++)
        for (int c = 0; c < CONTOURS; c++) {
            char name[96];
            snprintf(name, sizeof name, "%s, %s (order %.1f)", cst_high_order_scene_of(s).about, contour_name[c],
                     about->order[s][c][measure]);
            int series = cst_chart_series(chart, &(cst_series_style){.name = name,
                                                                     .line = c == 0 ? CST_LINE_SOLID : CST_LINE_DASHED,
                                                                     .marker = c == 0 ? CST_MARKER_CIRCLE : CST_MARKER_CROSS,
                                                                     .colour = s + 1});
            for (int k = 0; k < about->sizes; k++)
                cst_chart_point(chart, series, over_time ? about->seconds[s][c][k] : about->elements[k],
                                about->error[s][c][k][measure]);
        }
    bool written = cst_chart_files_write(chart, about->base.out, file);
    cst_chart_free(chart);
    return written;
}

/* The first scene over time: what the ground feels of arcs and of chords. */
static bool chart_trace(const study *about)
{
    char subtitle[160];
    snprintf(subtitle, sizeof subtitle, "%s, %d elements; averaged over %g ms; dotted: %d arcs", cst_high_order_scene_of(0).about,
             shown_elements, 1e3 * response, about->reference);
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){.title = "What the ground feels: arcs and chords",
                                                             .subtitle = subtitle,
                                                             .x = {.label = "time (s)", .tight = true},
                                                             .y = {.label = "vertical force on the ground / weight"}});
    static const int order[] = {1, 0, CONTOURS};
    static const char *const name[] = {"chords", "arcs", "reference"};
    for (int i = 0; i <= CONTOURS; i++) {
        const record *of = &about->kept[order[i]];
        int series = cst_chart_series(chart, &(cst_series_style){.name = name[i],
                                                                 .line = i == CONTOURS ? CST_LINE_DOTTED : CST_LINE_SOLID,
                                                                 .colour = i + 1,
                                                                 .thick = i == 1});
        for (int k = about->window; of->force && k < about->steps; k += 5)
            cst_chart_point(chart, series, (k + 1) * about->dt,
                            -gauge(about, of->force, k, 1) / cst_high_order_scene_of(0).weight);
    }
    bool written = cst_chart_files_write(chart, about->base.out, "high_order_trace");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {
        "scene",       "contour",          "n", "force_error_over_weight", "trajectory_error_over_size",
        "cpu_seconds", "largest_residual", NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "high_order", header))
        return false;
    for (int s = 0; s < SCENES; s++)
        for (int c = 0; c < CONTOURS; c++)
            for (int k = 0; k < about->sizes; k++) {
                cst_csv_text(&csv, cst_high_order_scene_of(s).name);
                cst_csv_text(&csv, contour_name[c]);
                cst_csv_integer(&csv, about->elements[k]);
                cst_csv_real(&csv, about->error[s][c][k][FORCE]);
                cst_csv_real(&csv, about->error[s][c][k][PLACE]);
                cst_csv_real(&csv, about->seconds[s][c][k]);
                cst_csv_real(&csv, about->E[s][c][k]);
                cst_csv_row_end(&csv);
            }
    return cst_validation_csv_end(&about->base, &file);
}

static bool write_files(const study *about)
{
    return write_csv(about) && chart_errors(about, FORCE, false, "high_order_force") &&
           chart_errors(about, PLACE, false, "high_order_trajectory") &&
           chart_errors(about, FORCE, true, "high_order_force_time") &&
           chart_errors(about, PLACE, true, "high_order_trajectory_time") && chart_trace(about);
}

int cst_bench_high_order(int argc, char **argv)
{
    static const char what[] =
        "The same rods touched as arcs and as chords of arcs: errors of force and motion over elements and over time.";
    static const int elements[SIZES_MAX] = {4, 8, 16, 32, 64, 128};
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "high-order", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    about->dt = base.quick ? 5e-4 : 1e-4;
    about->sizes = base.quick ? 3 : SIZES_MAX;
    about->reference = base.quick ? 64 : 512;
    for (int k = 0; k < about->sizes; k++)
        about->elements[k] = elements[k + base.quick];
    about->steps = (int)lround(cst_high_order_scene_of(0).duration / about->dt);
    about->window = (int)lround(response / about->dt);
    bool done = true;
    for (int s = 0; done && s < SCENES; s++)
        done = run_scene(about, s);
    if (done) {
        print_rows(about);
        judge(about);
    }
    done = done && (!base.out || write_files(about));
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    for (int i = 0; i <= CONTOURS; i++)
        free_record(&about->kept[i]);
    free(about);
    return code;
}
