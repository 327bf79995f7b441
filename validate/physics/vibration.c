/* capstan-bench vibration: small free vibration of a straight rod against Euler-Bernoulli beams.
 *
 *     omega = (beta / L)^2 sqrt(EI / rho S),     cos b cosh b = -1 (clamped-free), 1 (free-free),    b = beta L
 *
 * The measured frequency is the exact one times what the elements do to it, times what the time stepping does to that:
 *
 *     omega_measured = omega (1 + space(n)) (1 + time(omega_n dt)),     omega_n = omega (1 + space(n))
 *     time(p) = 2 atan(p / 2) / p - 1  (theta = 1/2),      atan(p) / p - 1  (theta = 1)
 *
 * space(n) is tabulated from the eigenvalues of n elements, time(p) from the scheme on one oscillator (validate/reference). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/validation.h"

enum { CYCLES = 20, ROWS_MAX = 256, ENDS = 2 };

static const double amplitude = 1e-4; /* of the tip, over L: what it adds to the frequency is its square */

typedef struct ends {
    const char *name, *in_beams, *in_discrete; /* in the tables */
    bool clamped;
} ends;

static const ends ends_of[ENDS] = {{"clamped-free", "clamped-free", "cf", true}, {"free-free", "free-free", "ff", false}};

typedef struct vibration {
    int ends;
    double length, theta, product; /* product: omega_n dt */
    int elements;
    double exact, discrete, measured;
    double space, time, total;
    bool of_space; /* part of the study of space, where the step is small */
} vibration;

typedef struct study {
    cst_validation base;
    cst_csv_file beams, discrete, shift;
    vibration row[ROWS_MAX];
    int rows;
} study;

/* Slope of the first mode at x. */
static double slope(bool clamped, double b, double length, double x)
{
    double z = b * x / length;
    double sigma = clamped ? (cosh(b) + cos(b)) / (sinh(b) + sin(b)) : (cosh(b) - cos(b)) / (sinh(b) - sin(b));
    return clamped ? b / length * (sinh(z) + sin(z) - sigma * (cosh(z) - cos(z)))
                   : b / length * (sinh(z) - sin(z) - sigma * (cosh(z) + cos(z)));
}

/* A signal that rigid motion leaves alone: the tip, or how much the ends rise above the middle. */
static double signal_of(const cst_world *world, cst_body_id body, bool clamped, double length)
{
    double end[3], start[3], middle[3];
    cst_world_place(world, &(cst_place){.body = body, .at_end = true}, end, NULL, NULL);
    if (clamped)
        return end[1];
    cst_world_place(world, &(cst_place){.body = body}, start, NULL, NULL);
    cst_world_place(world, &(cst_place){.body = body, .s = length / 2}, middle, NULL, NULL);
    return start[1] + end[1] - 2 * middle[1];
}

static cst_world *make(const vibration *at, double b, double dt, cst_body_id *body, char *message, size_t message_size)
{
    const ends *held = &ends_of[at->ends];
    double *curvature = malloc((size_t)at->elements * sizeof *curvature);
    cst_world_def def = cst_world_def_default(2);
    memset(def.gravity, 0, sizeof def.gravity);
    def.time_step.dt = dt;
    def.time_step.theta = at->theta;
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = at->elements;
    rod.length = at->length;
    rod.mass_per_length = rod.bending_stiffness = 1;
    rod.radius = 1e-3;
    rod.clamped = held->clamped;
    double factor = 0.5 * amplitude * at->length, l = at->length / at->elements; /* the mode is 2 at its tip */
    rod.angle = factor * slope(held->clamped, b, at->length, 0);
    for (int i = 0; curvature && i < at->elements; i++)
        curvature[i] =
            factor * (slope(held->clamped, b, at->length, (i + 1) * l) - slope(held->clamped, b, at->length, i * l)) / l;
    rod.curvature = curvature;
    cst_world *world = curvature ? cst_world_new(&def, message, message_size) : NULL;
    *body = world ? cst_world_add_rod(world, &rod, message, message_size) : 0;
    free(curvature);
    return world;
}

/* Mean period over CYCLES cycles, from crossings of zero on the way up. */
static bool measure(const study *about, vibration *at, double b)
{
    double dt = at->product / at->discrete;
    char message[256] = "out of memory";
    cst_body_id body;
    cst_world *world = make(at, b, dt, &body, message, sizeof message);
    bool good = world && body;
    double first = NAN, last = NAN, before = 0;
    int crossings = 0;
    int64_t most = (int64_t)(2.0 * (CYCLES + 2) * 2 * acos(-1.0) / at->product);
    for (int64_t k = 0; good && crossings <= CYCLES; k++) {
        double now = signal_of(world, body, ends_of[at->ends].clamped, at->length);
        if (k > 0 && before < 0 && now >= 0) {
            last = ((double)k - now / (now - before)) * dt;
            first = crossings++ == 0 ? last : first;
        }
        before = now;
        cst_step_report report;
        good = cst_world_step(world, &report) == CST_SOLVED && k < most && !cst_interrupted();
        if (!good)
            snprintf(message, sizeof message, "%s", k < most ? report.message : "it does not vibrate");
    }
    cst_world_free(world);
    if (!good)
        return cst_validation_fault(&about->base, "%s, L %g, n %d, omega dt %g: %s", ends_of[at->ends].name, at->length,
                                    at->elements, at->product, message);
    at->measured = 2 * acos(-1.0) * CYCLES / (last - first);
    at->total = at->measured / at->exact - 1;
    return true;
}

static double time_part(double theta, double product)
{
    return theta == 1 ? atan(product) / product - 1 : 2 * atan(product / 2) / product - 1;
}

/* The exact and the discrete frequency of the first mode; false if the number of elements is not tabulated. */
static bool look_up(const study *about, vibration *at, double *b)
{
    bool found = false;
    for (int i = 0; i < about->beams.rows; i++) {
        if (strcmp(cst_csv_field(&about->beams, i, "bc"), ends_of[at->ends].in_beams) != 0 ||
            cst_csv_number(&about->beams, i, "mode") != 1 || cst_csv_number(&about->beams, i, "L") != at->length)
            continue;
        at->exact = cst_csv_number(&about->beams, i, "omega_for_EI=rhoS=1");
        *b = cst_csv_number(&about->beams, i, "beta_n*L");
        found = true;
    }
    for (int i = 0; found && i < about->discrete.rows; i++) {
        if (strcmp(cst_csv_field(&about->discrete, i, "bc"), ends_of[at->ends].in_discrete) != 0 ||
            cst_csv_number(&about->discrete, i, "mode") != 1 || cst_csv_number(&about->discrete, i, "n_elements") != at->elements)
            continue;
        at->space = cst_csv_number(&about->discrete, i, "omega_discrete(L=EI=rhoS=1)") /
                        cst_csv_number(&about->discrete, i, "omega_exact") -
                    1;
        at->discrete = at->exact * (1 + at->space);
        at->time = time_part(at->theta, at->product);
        return true;
    }
    return false;
}

static bool compute(study *about, int held, double length, int elements, double theta, double product, bool of_space)
{
    vibration at = {
        .ends = held, .length = length, .elements = elements, .theta = theta, .product = product, .of_space = of_space};
    double b = NAN;
    if (!look_up(about, &at, &b))
        return cst_validation_fault(&about->base, "no reference for %s, L %g, n %d", ends_of[held].name, length, elements);
    if (about->rows == ROWS_MAX || !measure(about, &at, b))
        return false;
    about->row[about->rows++] = at;
    return true;
}

/* What neither part accounts for. */
static double unexplained(const vibration *at)
{
    return at->total - ((1 + at->space) * (1 + at->time) - 1);
}

/* --------------------------------------------------------------------------------------------------------------- what is shown */

static void print_rows(const study *about)
{
    static const char *const headings[] = {"ends",  "L",     "n",    "theta", "omega dt",    "omega",
                                           "total", "space", "time", "rest",  "shift table", NULL};
    cst_table *table = cst_validation_table(headings);
    int before = -1;
    for (int i = 0; i < about->rows; i++) {
        const vibration *at = &about->row[i];
        int group = at->ends + 2 * at->of_space + 4 * (at->length > 1) + 8 * (at->theta < 1);
        if (group != before)
            cst_table_rule(table);
        before = group;
        double tabulated = NAN;
        for (int k = 0; k < about->shift.rows; k++)
            if (fabs(cst_csv_number(&about->shift, k, "omega*dt") / at->product - 1) < 1e-9)
                tabulated = cst_csv_number(&about->shift, k,
                                           at->theta == 1 ? "implicitEuler_omega_ratio" : "implicit_midpoint_omega_ratio");
        cst_table_cell(table, "%s", ends_of[at->ends].name);
        cst_table_cell(table, "%g", at->length);
        cst_table_cell(table, "%d", at->elements);
        cst_table_cell(table, "%g", at->theta);
        cst_table_cell(table, "%g", at->product);
        cst_table_cell(table, "%.8f", at->measured);
        cst_table_cell(table, "%+.3e", at->total);
        cst_table_cell(table, "%+.3e", at->space);
        cst_table_cell(table, "%+.3e", at->time);
        cst_table_cell(table, "%+.0e", unexplained(at));
        cst_validation_cell(table, "%+.3e", tabulated - 1);
    }
    cst_validation_print(table);
}

static void judge(study *about)
{
    double space = 0, rest[2] = {0, 0}, shift = 0;
    for (int i = 0; i < about->rows; i++) {
        const vibration *at = &about->row[i];
        if (at->of_space) /* the measured error of space, the time part taken off */
            space = fmax(space, fabs((at->total - at->time) / at->space - 1));
        else
            rest[at->theta == 1] = fmax(rest[at->theta == 1], fabs(unexplained(at) / at->time));
        for (int k = 0; k < about->shift.rows; k++)
            if (fabs(cst_csv_number(&about->shift, k, "omega*dt") / at->product - 1) < 1e-9)
                shift = fmax(shift,
                             fabs(cst_csv_number(&about->shift, k,
                                                 at->theta == 1 ? "implicitEuler_omega_ratio" : "implicit_midpoint_omega_ratio") -
                                  1 - at->time));
    }
    cst_validation_at_most(&about->base, space, 0.1, "|(error - time part) / space part - 1|, largest over n");
    cst_validation_at_most(&about->base, rest[0], 0.02, "|rest / time part|, theta = 1/2, largest over omega dt");
    cst_validation_at_most(&about->base, rest[1], 0.02, "|rest / time part|, theta = 1, largest over omega dt");
    cst_validation_at_most(&about->base, shift, 1e-9, "time part: formula against integrator_shift.csv");
}

static bool chart_space(const study *about)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Free vibration: error of the frequency over the number of elements",
        .subtitle = "first mode, ω dt = 0.01, the shift of the midpoint rule taken off; lines: eigenvalues of n elements",
        .x = {.label = "elements n", .logarithmic = true},
        .y = {.label = "ω / ω beam − 1", .logarithmic = true}});
    for (int group = 0; group < 2 * ENDS; group++) {
        int held = group / 2;
        double length = 1 + group % 2;
        char name[64];
        snprintf(name, sizeof name, "%s, L = %g", ends_of[held].name, length);
        int line = -1;
        if (length == 1)
            line = cst_chart_series(chart,
                                    &(cst_series_style){.name = ends_of[held].name, .line = CST_LINE_SOLID, .colour = held + 1});
        int ours = cst_chart_series(
            chart,
            &(cst_series_style){.name = name, .marker = length == 1 ? CST_MARKER_CIRCLE : CST_MARKER_CROSS, .colour = held + 1});
        for (int i = 0; i < about->rows; i++) {
            const vibration *at = &about->row[i];
            if (!at->of_space || at->ends != held || at->length != length)
                continue;
            cst_chart_point(chart, ours, at->elements, at->total - at->time);
            cst_chart_point(chart, line, at->elements, at->space);
        }
    }
    bool written = cst_chart_files_write(chart, about->base.out, "vibration_space");
    cst_chart_free(chart);
    return written;
}

static bool chart_time(const study *about)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Free vibration: shift of the frequency by the time step",
        .subtitle = "clamped-free, 16 elements, relative to their own frequency; lines: the scheme on one oscillator",
        .x = {.label = "ω dt", .logarithmic = true},
        .y = {.label = "1 − ω measured / ω of the elements", .logarithmic = true}});
    for (int group = 0; group < 4; group++) {
        double theta = group < 2 ? 1 : 0.5, length = 1 + group % 2;
        char name[64];
        int line = -1;
        snprintf(name, sizeof name, "%s", theta == 1 ? "implicit Euler, θ = 1" : "midpoint, θ = ½");
        if (length == 1) {
            line = cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = 1 + group / 2});
            for (double product = 0.01; product < 1.001; product *= pow(10, 0.05))
                cst_chart_point(chart, line, product, -time_part(theta, product));
        }
        snprintf(name, sizeof name, "θ = %s, L = %g", theta == 1 ? "1" : "½", length);
        int ours = cst_chart_series(chart, &(cst_series_style){.name = name,
                                                               .marker = length == 1 ? CST_MARKER_CIRCLE : CST_MARKER_CROSS,
                                                               .colour = 1 + group / 2});
        for (int i = 0; i < about->rows; i++) {
            const vibration *at = &about->row[i];
            if (!at->of_space && at->theta == theta && at->length == length)
                cst_chart_point(chart, ours, at->product, 1 - at->measured / at->discrete);
        }
    }
    bool written = cst_chart_files_write(chart, about->base.out, "vibration_time");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {
        "ends",           "L",           "n",          "theta",     "omega_dt", "omega", "omega_beam",
        "omega_elements", "total_error", "space_part", "time_part", "rest",     NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "vibration", header))
        return false;
    for (int i = 0; i < about->rows; i++) {
        const vibration *at = &about->row[i];
        const double number[] = {at->theta, at->product, at->measured, at->exact,      at->discrete,
                                 at->total, at->space,   at->time,     unexplained(at)};
        cst_csv_text(&csv, ends_of[at->ends].name);
        cst_csv_real(&csv, at->length);
        cst_csv_integer(&csv, at->elements);
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
            cst_csv_real(&csv, number[k]);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

/* ------------------------------------------------------------------------------------------------------------------------ study */

static bool run(study *about)
{
    static const int elements[] = {2, 4, 8, 16, 32, 64};
    bool quick = about->base.quick;
    for (int length = 1; length <= 2; length++)
        for (int held = 0; held < ENDS; held++)
            for (int k = 0; k < (quick ? 3 : 6); k++)
                if (!compute(about, held, length, elements[k], 0.5, 0.01 * (quick ? 5 : 1), true))
                    return false;
    for (int length = 1; length <= 2; length++)
        for (int scheme = 0; scheme < 2; scheme++)
            for (int k = quick ? 2 : 0; k < about->shift.rows; k++)
                if (!compute(about, 0, length, 16, scheme == 0 ? 1 : 0.5, cst_csv_number(&about->shift, k, "omega*dt"), false))
                    return false;
    return true;
}

int cst_bench_vibration(int argc, char **argv)
{
    static const char what[] =
        "Free vibration of a rod against beam theory: the error, and what of it is space and what is time.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "vibration", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_validation_reference(&base, &about->beams, "beam_frequencies.csv") &&
                cst_validation_reference(&base, &about->discrete, "supercircle_discrete_frequencies.csv") &&
                cst_validation_reference(&base, &about->shift, "integrator_shift.csv") && run(about);
    if (done) {
        print_rows(about);
        judge(about);
    }
    done = done && (!base.out || (write_csv(about) && chart_space(about) && chart_time(about)));
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    cst_csv_file_free(&about->beams);
    cst_csv_file_free(&about->discrete);
    cst_csv_file_free(&about->shift);
    free(about);
    return code;
}
