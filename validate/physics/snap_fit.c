/* capstan-bench snap-fit: an open elastic arc pushed over a rigid cylinder, and pulled off, against the elastica.
 *
 *     B theta'' = Qx sin theta + Qy cos theta,   theta(0) = 0,   theta' = 1 / Rs at the tip, which is on the cylinder at the angle
 *     beta from its top,   Q = N [(sin beta, cos beta) -+ mu (cos beta, -sin beta)],   F = 2 Qy
 *
 * (B = R = 1; validate/reference/README.md). The rod's contact radius is part of the cylinder's, and friction acts on its centreline. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/validation.h"
#include "physics/pushed_rod.h"

enum { SIZES = 4, STEPS_MAX = 2048, FINE_STEPS = 1000 };

static const int elements_of[SIZES] = {4, 8, 16, 32}; /* on half the arc */
static const double RADIUS = 1e-3, STEP = 0.01;
static const double FINE_STEP = 4e-5; /* where the tip sticks after the turn, until it slides */
static const double DEGREE = 3.14159265358979323846 / 180;

/* A push to the end and a pull, and how far they are from the reference, in parts of the forces there. */
typedef struct fit {
    int row;                /* in snapfit_peaks.csv */
    double size, angle, mu; /* Rs / R, half angle in degrees */
    int elements;
    int pushed, steps; /* states of the push, and of all */
    cst_pushed_state state[STEPS_MAX];
    double assembly, retention;         /* largest forces */
    double assembly_rms, retention_rms; /* of the curves F(beta) */
    double error;                       /* E */
    int unsolved, iterations;
} fit;

typedef struct study {
    cst_validation base;
    fit *fit; /* (fits) */
    int fits;
    cst_csv_file peaks, curves, discrete;
} study;

static double of_peaks(const study *about, const fit *at, const char *column)
{
    return cst_csv_number(&about->peaks, at->row, column);
}

static double assembly_error(const study *about, const fit *at)
{
    return fabs(at->assembly / of_peaks(about, at, "F_assembly_peak_R2_over_B") - 1);
}

static double retention_error(const study *about, const fit *at)
{
    return fabs(at->retention / -of_peaks(about, at, "F_pull_extreme(negative=retention)") - 1);
}

/* Depths: down to just before the middle or the whole arc would lie on the cylinder, and up again. */
static int plan(const study *about, fit *at, double *depth)
{
    const double end = of_peaks(about, at, "depth_end") - (at->size == 1 ? STEP : 1e-6);
    int count = 0;
    depth[count++] = 1e-6;
    for (int k = 1; k * STEP < end; k++)
        depth[count++] = k * STEP;
    depth[count++] = end;
    at->pushed = count;
    for (int k = 1; at->size < 1 && at->mu > 0 && k <= FINE_STEPS; k++)
        depth[count++] = end - k * FINE_STEP;
    for (double from = depth[count - 1], k = 1; from - k * STEP > 0; k++)
        depth[count++] = from - k * STEP;
    return count;
}

static bool push_and_pull(const study *about, fit *at, char *message, size_t message_size)
{
    double depth[STEPS_MAX];
    const double half = at->angle * DEGREE, start = asin(at->size * sin(half));
    const cst_pushed_rod rod = {.elements = at->elements,
                                .length = at->size * half,
                                .natural_curvature = -1 / at->size,
                                .radius = RADIUS,
                                .height = cos(start) + at->size * (1 - cos(half)),
                                .disk_radius = 1 - RADIUS,
                                .mu = at->mu};
    at->steps = plan(about, at, depth);
    return cst_pushed_rod_run(&rod, depth, at->steps, at->state, message, message_size);
}

static bool is_of(const study *about, int i, const fit *at, bool push)
{
    return cst_csv_number(&about->curves, i, "Rs_over_R") == at->size &&
           cst_csv_number(&about->curves, i, "half_angle_deg") == at->angle &&
           cst_csv_number(&about->curves, i, "mu") == at->mu &&
           strcmp(cst_csv_field(&about->curves, i, "direction"), push ? "push" : "pull") == 0;
}

/* rms of F(beta) over the reference's states of one direction that ours slides through, in parts of the largest force there. */
static double compare_curve(const study *about, const fit *at, bool push)
{
    const cst_pushed_state *state = push ? at->state + 1 : at->state + at->pushed;
    const int count = push ? at->pushed - 1 : at->steps - at->pushed;
    double sum = 0, largest = 0;
    int seen = 0, first = 0;
    while (!push && first < count && !(state[first].ratio >= at->mu - 1e-6)) /* sticks after the turn */
        first++;
    for (int i = 0; i < about->curves.rows; i++) {
        if (!is_of(about, i, at, push))
            continue;
        const double beta = cst_csv_number(&about->curves, i, "beta_tip_deg") * DEGREE;
        const double exact = cst_csv_number(&about->curves, i, "F_R2_over_B");
        const double error = cst_pushed_force_at_slope(state + first, count - first, -beta) - exact;
        largest = fmax(largest, fabs(exact));
        if (isnan(error)) /* the ends, which are not reached */
            continue;
        sum += error * error;
        seen++;
    }
    return seen > 10 ? sqrt(sum / seen) / largest : HUGE_VAL;
}

static void compare(const study *about, fit *at)
{
    const cst_pushed_state *pulled = at->state + at->pushed - 1; /* from the turn on: without friction nothing sticks there */
    const int pulls = at->steps - at->pushed + 1;
    at->assembly = cst_pushed_peak(at->state, at->pushed, 1);
    at->retention = cst_pushed_peak(pulled, pulls, -1);
    at->assembly_rms = compare_curve(about, at, true);
    at->retention_rms = compare_curve(about, at, false);
    for (int k = 0; k < at->steps; k++) {
        at->error = fmax(at->error, at->state[k].error);
        at->unsolved += !at->state[k].converged;
        at->iterations = at->state[k].iterations > at->iterations ? at->state[k].iterations : at->iterations;
    }
}

static const fit *find(const study *about, double size, double angle, double mu, int elements)
{
    for (int i = 0; i < about->fits; i++) {
        const fit *at = &about->fit[i];
        if (at->size == size && at->angle == angle && at->mu == mu && at->elements == elements)
            return at;
    }
    return NULL;
}

/* What n elements are off by: the larger of the tabulated errors. */
static double should(const study *about, int elements)
{
    double error = 0;
    for (int i = 0; i < about->discrete.rows; i++)
        if (cst_csv_number(&about->discrete, i, "n_elements_half_shell") == elements)
            error = fmax(error, cst_csv_number(&about->discrete, i, "rel_err_F"));
    return error;
}

static double order(const study *about, const fit *at)
{
    const fit *half = find(about, at->size, at->angle, at->mu, at->elements / 2);
    return half ? log2(half->assembly_rms / at->assembly_rms) : NAN;
}

static void print_rows(const study *about)
{
    static const char *const headings[] = {"Rs/R",  "angle",       "mu",    "n",        "assembly F",
                                           "error", "retention F", "error", "push rms", "pull rms",
                                           "order", "Newton",      "E",     "unsolved", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int i = 0; i < about->fits; i++) {
        const fit *at = &about->fit[i];
        if (i > 0 && at->row != at[-1].row)
            cst_table_rule(table);
        cst_table_cell(table, "%g", at->size);
        cst_table_cell(table, "%g", at->angle);
        cst_table_cell(table, "%g", at->mu);
        cst_table_cell(table, "%d", at->elements);
        cst_table_cell(table, "%.6f", at->assembly);
        cst_table_cell(table, "%.2e", assembly_error(about, at));
        cst_table_cell(table, "%.6f", at->retention);
        cst_table_cell(table, "%.2e", retention_error(about, at));
        cst_table_cell(table, "%.2e", at->assembly_rms);
        cst_table_cell(table, "%.2e", at->retention_rms);
        cst_validation_cell(table, "%.2f", order(about, at));
        cst_table_cell(table, "%d", at->iterations);
        cst_table_cell(table, "%.0e", at->error);
        cst_table_cell(table, "%d", at->unsolved);
    }
    cst_validation_print(table);
}

/* The states that the table of the discretisation has: F of the push at one angle of the tip. */
static void judge_table(study *about)
{
    double worst = 0, apart = 0;
    int seen = 0;
    for (int i = 0; i < about->discrete.rows; i++) {
        const fit *at =
            find(about, cst_csv_number(&about->discrete, i, "Rs_over_R"), cst_csv_number(&about->discrete, i, "half_angle_deg"),
                 cst_csv_number(&about->discrete, i, "mu"), (int)cst_csv_number(&about->discrete, i, "n_elements_half_shell"));
        if (!at)
            continue;
        const double force =
            cst_pushed_force_at_slope(at->state + 1, at->pushed - 1, -cst_csv_number(&about->discrete, i, "beta_deg") * DEGREE);
        const double error = fabs(force / cst_csv_number(&about->discrete, i, "F_exact") - 1);
        const double ratio = error / cst_csv_number(&about->discrete, i, "rel_err_F");
        worst = fmax(worst, isnan(ratio) ? HUGE_VAL : ratio);
        apart = fmax(apart, fabs(force / cst_csv_number(&about->discrete, i, "F_discrete") - 1));
        seen++;
    }
    cst_validation_at_most(&about->base, worst, 2, "error at a tip angle / that of snapfit_convergence, largest of %d", seen);
    cst_validation_at_most(&about->base, apart, 1e-5, "F at a tip angle against the tabulated discrete F, largest");
}

static void judge(study *about, int finest)
{
    double error = 0, low = HUGE_VAL, high = 0;
    int unsolved = 0, steps = 0;
    for (int n = 0; n < SIZES && elements_of[n] <= finest; n++) {
        double assembly = 0, retention = 0, push = 0, pull = 0;
        for (int i = 0; i < about->fits; i++) {
            const fit *at = &about->fit[i];
            if (at->elements != elements_of[n])
                continue;
            assembly = fmax(assembly, assembly_error(about, at));
            retention = fmax(retention, retention_error(about, at));
            push = fmax(push, at->assembly_rms);
            pull = fmax(pull, at->retention_rms);
        }
        const double bound = 2 * should(about, elements_of[n]);
        cst_validation_at_most(&about->base, assembly, bound, "n = %d: error of the assembly force, largest", elements_of[n]);
        cst_validation_at_most(&about->base, retention, bound, "n = %d: error of the retention force, largest", elements_of[n]);
        cst_validation_at_most(&about->base, push, bound, "n = %d: rms error of F(beta), push, largest", elements_of[n]);
        cst_validation_at_most(&about->base, pull, bound, "n = %d: rms error of F(beta), pull, largest", elements_of[n]);
    }
    for (int i = 0; i < about->fits; i++) {
        const fit *at = &about->fit[i];
        error = fmax(error, at->error);
        unsolved += at->unsolved;
        steps += at->steps;
        if (at->elements == finest) {
            low = fmin(low, order(about, at));
            high = fmax(high, order(about, at));
        }
    }
    cst_validation_between(&about->base, low, 1.9, 2.1, "order of the push at n = %d: lowest", finest);
    cst_validation_between(&about->base, high, 1.9, 2.1, "order of the push at n = %d: highest", finest);
    cst_validation_at_most(&about->base, error, 1e-8, "residual E of friction in %d steps, largest", steps);
    cst_validation_at_most(&about->base, unsolved, 0, "steps that did not converge");
}

/* ------------------------------------------------------------------------------------------------------------------- charts */

static void add_reference(const study *about, cst_chart *chart, const fit *at, bool push, int series)
{
    for (int i = 0; i < about->curves.rows; i++)
        if (is_of(about, i, at, push))
            cst_chart_point(chart, series, cst_csv_number(&about->curves, i, "depth_over_R"),
                            cst_csv_number(&about->curves, i, "F_R2_over_B"));
}

static bool chart_loops(const study *about, double size, double angle, int elements, const char *name)
{
    char title[96], subtitle[160];
    snprintf(title, sizeof title, "Snap-fit, Rs/R = %g, half angle %g°", size, angle);
    snprintf(subtitle, sizeof subtitle,
             "solid: pushed on, dashed: pulled off (elastica); markers: Capstan, %d elements on half the arc", elements);
    cst_chart *chart = cst_chart_new(
        &(cst_chart_definition){.title = title, .subtitle = subtitle, .x = {.label = "depth / R"}, .y = {.label = "F R² / B"}});
    int colour = 0;
    for (int i = 0; i < about->fits; i++) {
        const fit *at = &about->fit[i];
        if (at->size != size || at->angle != angle || at->elements != elements)
            continue;
        char label[32];
        snprintf(label, sizeof label, "μ = %g", at->mu);
        colour++;
        int push = cst_chart_series(chart, &(cst_series_style){.name = label, .line = CST_LINE_SOLID, .colour = colour});
        int pull = cst_chart_series(chart, &(cst_series_style){.name = "", .line = CST_LINE_DASHED, .colour = colour});
        int ours = cst_chart_series(chart, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = colour});
        add_reference(about, chart, at, true, push);
        add_reference(about, chart, at, false, pull);
        for (int k = 0, last = 0; k < at->steps; k++) {
            if (fabs(at->state[k].depth - at->state[last].depth) < 0.04 - 1e-9)
                continue;
            cst_chart_point(chart, ours, at->state[k].depth, at->state[k].force);
            last = k;
        }
    }
    bool written = cst_chart_files_write(chart, about->base.out, name);
    cst_chart_free(chart);
    return written;
}

static bool chart_errors(const study *about)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){.title = "Snap-fit: error of the largest forces",
                                                             .subtitle = "all sizes, angles and coefficients of friction",
                                                             .x = {.label = "elements n on half the arc", .logarithmic = true},
                                                             .y = {.label = "relative error", .logarithmic = true}});
    int assembly = cst_chart_series(chart, &(cst_series_style){.name = "assembly", .marker = CST_MARKER_CIRCLE, .colour = 1});
    int retention = cst_chart_series(chart, &(cst_series_style){.name = "retention", .marker = CST_MARKER_SQUARE, .colour = 2});
    int tabulated =
        cst_chart_series(chart, &(cst_series_style){.name = "tabulated (at given β)", .line = CST_LINE_SOLID, .colour = 9});
    int twice = cst_chart_series(chart, &(cst_series_style){.name = "twice that", .line = CST_LINE_DASHED, .colour = 9});
    for (int i = 0; i < about->fits; i++) {
        cst_chart_point(chart, assembly, about->fit[i].elements, assembly_error(about, &about->fit[i]));
        cst_chart_point(chart, retention, about->fit[i].elements, retention_error(about, &about->fit[i]));
    }
    for (int n = 0; n < SIZES; n++) {
        cst_chart_point(chart, tabulated, elements_of[n], should(about, elements_of[n]));
        cst_chart_point(chart, twice, elements_of[n], 2 * should(about, elements_of[n]));
    }
    bool written = cst_chart_files_write(chart, about->base.out, "snap_fit_error");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {"Rs_over_R", "half_angle_deg",  "mu",       "n",        "assembly", "assembly_error",
                                         "retention", "retention_error", "push_rms", "pull_rms", "order",    "newton",
                                         "E",         "unsolved",        NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "snap_fit", header))
        return false;
    for (int i = 0; i < about->fits; i++) {
        const fit *at = &about->fit[i];
        cst_csv_real(&csv, at->size);
        cst_csv_real(&csv, at->angle);
        cst_csv_real(&csv, at->mu);
        cst_csv_integer(&csv, at->elements);
        const double number[] = {at->assembly,     assembly_error(about, at), at->retention,   retention_error(about, at),
                                 at->assembly_rms, at->retention_rms,         order(about, at)};
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
            cst_csv_real(&csv, number[k]);
        cst_csv_integer(&csv, at->iterations);
        cst_csv_real(&csv, at->error);
        cst_csv_integer(&csv, at->unsolved);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

/* --------------------------------------------------------------------------------------------------------------------- study */

/* Quick: one arc of each type, without friction and with. */
static bool is_asked(const study *about, const fit *at)
{
    return !about->base.quick || (((at->size == 0.9 && at->angle == 120) || at->size == 1.1) && (at->mu == 0 || at->mu == 0.2));
}

static bool run_all(study *about, int sizes)
{
    char message[512];
    for (int i = 0; i < about->peaks.rows; i++)
        for (int n = 0; n < sizes; n++) {
            fit *at = &about->fit[about->fits];
            *at = (fit){.row = i, .elements = elements_of[n]};
            at->size = of_peaks(about, at, "Rs_over_R");
            at->angle = of_peaks(about, at, "half_angle_deg");
            at->mu = of_peaks(about, at, "mu");
            if (!is_asked(about, at))
                continue;
            about->fits++;
            if (cst_interrupted())
                return false;
            if (!push_and_pull(about, at, message, sizeof message))
                return cst_validation_fault(&about->base, "Rs/R %g, angle %g, mu %g, n %d: %s", at->size, at->angle, at->mu,
                                            at->elements, message);
            compare(about, at);
        }
    return true;
}

static bool study_all(study *about)
{
    const int sizes = about->base.quick ? 3 : SIZES, finest = elements_of[sizes - 1];
    about->fit = calloc((size_t)(about->peaks.rows * sizes + 1), sizeof *about->fit);
    if (!about->fit)
        return cst_validation_fault(&about->base, "out of memory");
    if (!run_all(about, sizes))
        return false;
    print_rows(about);
    judge_table(about);
    judge(about, finest);
    return !about->base.out ||
           (write_csv(about) && chart_errors(about) && chart_loops(about, 0.9, 120, finest, "snap_fit_smaller") &&
            chart_loops(about, 1.1, 135, finest, "snap_fit_larger"));
}

int cst_bench_snap_fit(int argc, char **argv)
{
    static const char what[] = "An open elastic arc pushed over a cylinder and pulled off, with friction, against the elastica.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "snap-fit", what, &code))
        return code;
    study about = {.base = base};
    bool done = cst_validation_reference(&base, &about.peaks, "snapfit_peaks.csv") &&
                cst_validation_reference(&base, &about.curves, "snapfit_curves.csv") &&
                cst_validation_reference(&base, &about.discrete, "snapfit_convergence.csv") && study_all(&about);
    code = done ? cst_validation_end(&about.base) : cst_validation_abandon(&about.base);
    cst_csv_file_free(&about.peaks);
    cst_csv_file_free(&about.curves);
    cst_csv_file_free(&about.discrete);
    free(about.fit);
    return code;
}
