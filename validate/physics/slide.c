/* capstan-bench slide: a straight rod on inclines against the closed form: it sticks if tan alpha <= mu, and otherwise slides from
 * rest with a = g (sin alpha - mu cos alpha). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/validation.h"
#include "physics/drop.h"

enum { INCLINES_MAX = 400 };

static const double tolerance = 1e-8; /* asked of the solver: the bound on E itself */

typedef struct incline {
    double degrees, mu, theta;
    double exact, measured; /* acceleration down the slope */
    double worst_error;     /* E */
    int contacts;
} incline;

typedef struct study {
    cst_validation base;
    cst_csv_file reference;
    incline slope[INCLINES_MAX];
    int slopes;
} study;

static bool slide(const study *about, incline *at)
{
    char message[512] = "out of memory";
    double angle = at->degrees * acos(-1.0) / 180, radius = 5e-3, length = 0.4;
    cst_world_def def = cst_world_def_default(2);
    def.time_step.dt = 1e-3;
    def.time_step.theta = at->theta;
    def.friction.tolerance = tolerance;
    def.friction_coefficient = at->mu;
    cst_obstacle_def plane = cst_obstacle_def_default();
    plane.shape = CST_OBSTACLE_HALF_PLANE;
    plane.normal[0] = sin(angle);
    plane.normal[1] = cos(angle);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 4;
    rod.length = length;
    rod.radius = radius;
    rod.mass_per_length = 0.1;
    rod.bending_stiffness = 0.05;
    rod.angle = -angle;
    rod.position[0] = radius * plane.normal[0];
    rod.position[1] = radius * plane.normal[1];
    cst_world *world = cst_world_new(&def, message, sizeof message);
    cst_body_id body = world ? cst_world_add_rod(world, &rod, message, sizeof message) : 0;
    bool good = body && cst_world_add_obstacle(world, &plane, message, sizeof message);
    int steps = 200;
    for (int k = 0; good && k < steps; k++) {
        cst_step_report report;
        good = cst_world_step(world, &report) <= CST_TOLERANCE_MISSED; /* a miss is seen in E */
        at->worst_error = fmax(at->worst_error, report.residual.error);
        at->contacts = report.contacts;
        if (!good)
            snprintf(message, sizeof message, "step %d: %s %s", k, cst_status_name(report.status), report.message);
    }
    double velocity[3] = {NAN, NAN, NAN};
    if (good)
        cst_world_place(world, &(cst_place){.body = body, .s = length / 2}, NULL, NULL, velocity);
    at->measured = (velocity[0] * cos(angle) - velocity[1] * sin(angle)) / (steps * def.time_step.dt);
    cst_world_free(world);
    return good || cst_validation_fault(&about->base, "incline of %g degrees, mu %g, theta %g: %s", at->degrees, at->mu,
                                        at->theta, message);
}

static bool run_inclines(study *about)
{
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < about->reference.rows; i += about->base.quick ? 7 : 1) {
            incline at = {.degrees = cst_csv_number(&about->reference, i, "alpha_deg"),
                          .mu = cst_csv_number(&about->reference, i, "mu"),
                          .theta = k == 0 ? 1 : 0.5,
                          .exact = cst_csv_number(&about->reference, i, "acceleration_g9.81")};
            if (about->slopes == INCLINES_MAX || cst_interrupted() || !slide(about, &at))
                return false;
            about->slope[about->slopes++] = at;
        }
    }
    return true;
}

/* A rod is not rigid: while friction at its surface bends it, in the first steps, parts of it slip. On the threshold itself
 * nothing stops it afterwards. */
static bool on_threshold(const incline *at)
{
    return fabs(tan(at->degrees * acos(-1.0) / 180) - at->mu) < 1e-9;
}

/* One row per slope: the coefficients together. */
static void show_inclines(study *about)
{
    static const char *const headings[] = {"degrees", "theta",    "slides", "sticks", "error of a / g", "a where stuck, m/s2",
                                           "E",       "contacts", NULL};
    cst_table *table = cst_validation_table(headings);
    double sliding = 0, sticking = 0, threshold = 0, error = 0;
    for (int first = 0, last; first < about->slopes; first = last) {
        const incline *of = &about->slope[first];
        double slid = 0, stuck = 0, worst = 0;
        int slides = 0, sticks = 0;
        for (last = first;
             last < about->slopes && about->slope[last].degrees == of->degrees && about->slope[last].theta == of->theta; last++) {
            const incline *at = &about->slope[last];
            if (on_threshold(at))
                threshold = fmax(threshold, fabs(at->measured));
            else if (at->exact > 0)
                slid = fmax(slid, fabs(at->measured - at->exact) / 9.81);
            else
                stuck = fmax(stuck, fabs(at->measured));
            slides += at->exact > 0;
            sticks += at->exact == 0 && !on_threshold(at);
            worst = fmax(worst, at->worst_error);
        }
        cst_table_cell(table, "%g", of->degrees);
        cst_table_cell(table, "%g", of->theta);
        cst_table_cell(table, "%d", slides);
        cst_table_cell(table, "%d", sticks);
        cst_validation_cell(table, "%.1e", slides ? slid : NAN);
        cst_validation_cell(table, "%.1e", sticks ? stuck : NAN);
        cst_table_cell(table, "%.1e", worst);
        cst_table_cell(table, "%d", of->contacts);
        sliding = fmax(sliding, slid);
        sticking = fmax(sticking, stuck);
        error = fmax(error, worst);
    }
    cst_validation_print(table);
    cst_validation_at_most(&about->base, sliding, 1e-6, "incline: |acceleration - closed form| / g, largest");
    cst_validation_at_most(&about->base, sticking / 9.81, 1e-6, "incline: |acceleration| / g where it should stick, largest");
    cst_validation_note(&about->base, threshold / 9.81, "incline: the same on the threshold itself, tan alpha = mu");
    cst_validation_at_most(&about->base, error, 1e-8, "incline: E, largest of all steps (%g asked of the solver)", tolerance);
}

static bool write_inclines(const study *about)
{
    static const char *const header[] = {"alpha_deg", "mu", "theta", "acceleration", "exact", "error", "E", NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "slide", header))
        return false;
    for (int i = 0; i < about->slopes; i++) {
        const incline *at = &about->slope[i];
        const double number[] = {at->degrees,    at->mu, at->theta, at->measured, at->exact, at->measured - at->exact,
                                 at->worst_error};
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
            cst_csv_real(&csv, number[k]);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

static bool chart_inclines(const study *about)
{
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = "A rod on inclines",
                                              .subtitle = "from rest; lines: g (sin α − μ cos α), or 0; markers: Capstan",
                                              .x.label = "slope α (degrees)",
                                              .y.label = "acceleration (m/s²)"});
    static const double shown[] = {0, 0.2, 0.4, 0.6, 1};
    for (int k = 0; k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "μ = %g", shown[k]);
        int line = cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = k + 1});
        for (double degrees = 0; degrees <= 60; degrees += 0.5) {
            double angle = degrees * acos(-1.0) / 180;
            cst_chart_point(chart, line, degrees, 9.81 * fmax(0, sin(angle) - shown[k] * cos(angle)));
        }
    }
    for (int f = 0; f < 2; f++) {
        int ours = cst_chart_series(chart, &(cst_series_style){.name = f == 0 ? "Capstan, θ = 1" : "Capstan, θ = ½",
                                                               .marker = f == 0 ? CST_MARKER_CIRCLE : CST_MARKER_CROSS,
                                                               .colour = 9 + f});
        for (int i = 0; i < about->slopes; i++)
            for (int k = 0; k < 5; k++)
                if (about->slope[i].mu == shown[k] && (about->slope[i].theta == 1) == (f == 0))
                    cst_chart_point(chart, ours, about->slope[i].degrees, about->slope[i].measured);
    }
    bool written = cst_chart_files_write(chart, about->base.out, "slide_incline");
    cst_chart_free(chart);
    return written;
}
int cst_bench_slide(int argc, char **argv)
{
    static const char what[] =
        "A rod on inclines against the closed form, and one dropped on a disk, whose energies must add up.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "slide", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_validation_reference(&base, &about->reference, "block_incline.csv") && run_inclines(about);
    if (done)
        show_inclines(about);
    done = done && (!base.out || (write_inclines(about) && chart_inclines(about))) && cst_bench_drop(&about->base);
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    cst_csv_file_free(&about->reference);
    free(about);
    return code;
}
