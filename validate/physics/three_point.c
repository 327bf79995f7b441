/* capstan-bench three-point: a naturally curved rod on two supports, its middle pushed down, against the elastica.
 *
 *     theta'' = Qx sin theta - Qy cos theta,   theta(0) = 0;   at the contact: x = a, theta' = kappa0, Q = N n + T t
 *
 * (a = B = 1, F = 2 Qy; validate/reference/README.md). The supports of the theory are points: here a disk and the rod together have the
 * radius SUPPORT, which moves F by no more than 2 SUPPORT; steps are small enough not to leap over it. Friction of a rod that slides in (a cup) or out and in (an arch). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/validation.h"
#include "physics/pushed_rod.h"

enum { CURVATURES = 6, FRICTIONS = 4, SIZES = 5, STEPS = 401 };

static const double kappa0_of[CURVATURES] = {-0.3, -0.2, 0, 0.1, 0.2, 0.3};
static const double mu_of[FRICTIONS] = {0, 0.1, 0.3, 0.5};
static const int elements_of[SIZES] = {5, 10, 20, 40, 80}; /* on the half length 2.5 a */
static const double SUPPORT = 1e-5, STEP = 0.0025;

/* One loading curve and how far it is from the reference, in parts of its largest force. */
typedef struct loading {
    double kappa0, mu;
    int elements;
    cst_pushed_state state[STEPS];
    double peak, exact_peak;
    double largest, rms; /* of F(delta) */
    double error;        /* E */
    int unsolved, iterations;
} loading;

typedef struct study {
    cst_validation base;
    loading row[CURVATURES * FRICTIONS * SIZES];
    int rows;
    cst_csv_file curves, summary, discrete;
} study;

static bool is_of(const cst_csv_file *table, int i, const loading *at)
{
    return fabs(cst_csv_number(table, i, "kappa0_a") - at->kappa0) < 1e-9 && fabs(cst_csv_number(table, i, "mu") - at->mu) < 1e-9;
}

static double peak_error(const loading *at)
{
    return fabs(at->peak / at->exact_peak - 1);
}

static bool push(loading *at, char *message, size_t message_size)
{
    double depth[STEPS] = {0.5 * SUPPORT};
    for (int k = 1; k < STEPS; k++)
        depth[k] = STEP * k;
    /* The disk touches the natural circle from below. */
    const double to_middle = at->kappa0 == 0 ? 0 : 1 / at->kappa0, apart = to_middle + SUPPORT;
    const double height =
        at->kappa0 == 0 ? SUPPORT : copysign(sqrt(apart * apart - 1), at->kappa0) - to_middle; /* of the middle above the disk */
    const cst_pushed_rod rod = {.elements = at->elements,
                                .length = 2.5,
                                .natural_curvature = at->kappa0,
                                .radius = 0.5 * SUPPORT,
                                .height = height,
                                .disk = {1, 0},
                                .disk_radius = 0.5 * SUPPORT,
                                .mu = at->mu};
    return cst_pushed_rod_run(&rod, depth, STEPS, at->state, message, message_size);
}

/* Against every state of the reference that was passed. */
static bool compare(const study *about, loading *at)
{
    double sum = 0;
    int count = 0;
    at->exact_peak = NAN;
    for (int i = 0; i < about->summary.rows; i++)
        if (is_of(&about->summary, i, at))
            at->exact_peak = cst_csv_number(&about->summary, i, "Fmax_a2_over_B");
    at->peak = cst_pushed_peak(at->state, STEPS, 1);
    for (int i = 0; i < about->curves.rows; i++) {
        double delta = cst_csv_number(&about->curves, i, "delta_over_a");
        if (!is_of(&about->curves, i, at) || delta < STEP || delta > at->state[STEPS - 1].depth)
            continue;
        double exact = cst_csv_number(&about->curves, i, "F_a2_over_B");
        double error = fabs(cst_pushed_force_at_depth(at->state, STEPS, delta) - exact) / at->exact_peak;
        at->largest = fmax(at->largest, error);
        sum += error * error;
        count++;
    }
    at->rms = sqrt(sum / count);
    for (int k = 0; k < STEPS; k++) {
        at->error = fmax(at->error, at->state[k].error);
        at->unsolved += !at->state[k].converged;
        at->iterations = at->state[k].iterations > at->iterations ? at->state[k].iterations : at->iterations;
    }
    return count > 0 && !isnan(at->exact_peak);
}

static const loading *find(const study *about, double kappa0, double mu, int elements)
{
    for (int i = 0; i < about->rows; i++)
        if (about->row[i].kappa0 == kappa0 && about->row[i].mu == mu && about->row[i].elements == elements)
            return &about->row[i];
    return NULL;
}

/* What n elements should be off by: the larger of the tabulated errors; 4 times less where the table ends. */
static double should(const study *about, int elements)
{
    double error = 0;
    for (int i = 0; i < about->discrete.rows; i++)
        if (cst_csv_number(&about->discrete, i, "n") == elements)
            error = fmax(error, cst_csv_number(&about->discrete, i, "rel_err_F"));
    return error > 0 ? error : should(about, elements / 2) / 4;
}

static double order(const study *about, const loading *at)
{
    const loading *half = find(about, at->kappa0, at->mu, at->elements / 2);
    return half ? log2(half->rms / at->rms) : NAN;
}

static void print_rows(const study *about)
{
    static const char *const headings[] = {
        "kappa0 a", "mu", "n", "Fmax error", "F(delta) largest", "rms", "order (of rms)", "Newton", "E", "unsolved", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int i = 0; i < about->rows; i++) {
        const loading *at = &about->row[i];
        if (i > 0 && (at->kappa0 != at[-1].kappa0 || at->mu != at[-1].mu))
            cst_table_rule(table);
        cst_table_cell(table, "%g", at->kappa0);
        cst_table_cell(table, "%g", at->mu);
        cst_table_cell(table, "%d", at->elements);
        cst_table_cell(table, "%.3e", peak_error(at));
        cst_table_cell(table, "%.3e", at->largest);
        cst_table_cell(table, "%.3e", at->rms);
        cst_validation_cell(table, "%.2f", order(about, at));
        cst_table_cell(table, "%d", at->iterations);
        cst_table_cell(table, "%.0e", at->error);
        cst_table_cell(table, "%d", at->unsolved);
    }
    cst_validation_print(table);
}

/* The states that the table of the discretisation has: F at one slope of the contact. */
static void judge_table(study *about)
{
    double worst = 0, apart = 0;
    static const char *const headings[] = {"kappa0 a", "mu", "contact slope", "n", "F", "error", "tabulated", "ratio", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int i = 0; i < about->discrete.rows; i++) {
        double slope = cst_csv_number(&about->discrete, i, "theta_contact"),
               exact = cst_csv_number(&about->discrete, i, "F_exact");
        double tabulated = cst_csv_number(&about->discrete, i, "rel_err_F");
        const loading *at = find(about, cst_csv_number(&about->discrete, i, "kappa0_a"),
                                 cst_csv_number(&about->discrete, i, "mu"), (int)cst_csv_number(&about->discrete, i, "n"));
        if (!at)
            continue;
        double force = cst_pushed_force_at_slope(at->state + 1, STEPS - 1, slope), error = force / exact - 1;
        worst = fmax(worst, isnan(error) ? HUGE_VAL : fabs(error / tabulated));
        apart = fmax(apart, fabs(force / cst_csv_number(&about->discrete, i, "F_discrete") - 1));
        cst_table_cell(table, "%g", at->kappa0);
        cst_table_cell(table, "%g", at->mu);
        cst_table_cell(table, "%.4f", slope);
        cst_table_cell(table, "%d", at->elements);
        cst_table_cell(table, "%.6f", force);
        cst_table_cell(table, "%.3e", error);
        cst_table_cell(table, "%.3e", tabulated);
        cst_table_cell(table, "%.3f", error / tabulated);
    }
    cst_validation_print(table);
    cst_validation_at_most(&about->base, worst, 2, "error at a contact slope / that of three_point_convergence, largest");
    cst_validation_at_most(&about->base, apart, 1e-4, "F at a contact slope against the tabulated discrete F, largest");
}

static void judge(study *about, int finest)
{
    double error = 0, low = HUGE_VAL, high = 0;
    int unsolved = 0;
    for (int n = 0; n < SIZES; n++) {
        double peak = 0, rms = 0, largest = 0;
        for (int i = 0; i < about->rows; i++)
            if (about->row[i].elements == elements_of[n]) {
                peak = fmax(peak, peak_error(&about->row[i]));
                rms = fmax(rms, about->row[i].rms);
                largest = fmax(largest, about->row[i].largest);
            }
        if (elements_of[n] > finest)
            break;
        double bound = 2 * should(about, elements_of[n]);
        cst_validation_at_most(&about->base, peak, bound, "n = %d: error of Fmax, largest", elements_of[n]);
        cst_validation_at_most(&about->base, rms, bound, "n = %d: rms error of F(delta) / Fmax, largest", elements_of[n]);
        cst_validation_note(&about->base, largest, "n = %d: error of F(delta) / Fmax, largest anywhere", elements_of[n]);
    }
    for (int i = 0; i < about->rows; i++) {
        const loading *at = &about->row[i], *coarse = find(about, at->kappa0, at->mu, elements_of[0]);
        error = fmax(error, at->error);
        unsolved += at->unsolved;
        if (at->elements != finest || !coarse)
            continue;
        double seen = log(coarse->rms / at->rms) / log((double)finest / elements_of[0]);
        low = fmin(low, seen);
        high = fmax(high, seen);
    }
    cst_validation_between(&about->base, low, 1.8, 2.4, "order of the curve from n = %d to %d: lowest", elements_of[0], finest);
    cst_validation_between(&about->base, high, 1.8, 2.4, "order of the curve from n = %d to %d: highest", elements_of[0], finest);
    cst_validation_at_most(&about->base, error, 1e-8, "residual E of friction in %d steps, largest", about->rows * STEPS);
    cst_validation_at_most(&about->base, unsolved, 0, "steps that did not converge");
}

/* ------------------------------------------------------------------------------------------------------------------- charts */

static bool chart_curves(const study *about, double mu, int elements, const char *name)
{
    char title[96], subtitle[128];
    snprintf(title, sizeof title, "Three-point bending of curved rods, μ = %g", mu);
    snprintf(subtitle, sizeof subtitle, "lines: elastica; markers: Capstan, n = %d on half the rod; κ₀ > 0 is a cup", elements);
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){.title = title,
                                                             .subtitle = subtitle,
                                                             .x = {.label = "δ / a", .low = 0, .high = 1},
                                                             .y = {.label = "F a² / B", .low = 0, .high = 3.5}});
    for (int c = 0; c < CURVATURES; c++) {
        const loading *at = find(about, kappa0_of[c], mu, elements);
        if (!at)
            continue;
        char label[32];
        snprintf(label, sizeof label, "κ₀a = %g", at->kappa0);
        int line = cst_chart_series(chart, &(cst_series_style){.name = label, .line = CST_LINE_SOLID, .colour = c + 1});
        int ours = cst_chart_series(chart, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = c + 1});
        for (int i = 0; i < about->curves.rows; i++)
            if (is_of(&about->curves, i, at) && cst_csv_number(&about->curves, i, "delta_over_a") <= 1)
                cst_chart_point(chart, line, cst_csv_number(&about->curves, i, "delta_over_a"),
                                cst_csv_number(&about->curves, i, "F_a2_over_B"));
        for (int k = 12; k < STEPS; k += 12)
            cst_chart_point(chart, ours, at->state[k].depth, at->state[k].force);
    }
    bool written = cst_chart_files_write(chart, about->base.out, name);
    cst_chart_free(chart);
    return written;
}

static bool chart_errors(const study *about)
{
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = "Three-point bending: error of F(δ)",
                                              .subtitle = "rms over the curve, in parts of Fmax; all coefficients of friction",
                                              .x = {.label = "elements n on half the rod", .logarithmic = true},
                                              .y = {.label = "error", .logarithmic = true}});
    for (int c = 0; c < CURVATURES; c++)
        for (int m = 0; m < FRICTIONS; m++) {
            if (!find(about, kappa0_of[c], mu_of[m], elements_of[0]))
                continue;
            char label[32];
            snprintf(label, sizeof label, "κ₀a = %g", kappa0_of[c]);
            int series = cst_chart_series(
                chart, &(cst_series_style){
                           .name = m == 0 ? label : "", .line = CST_LINE_SOLID, .marker = CST_MARKER_CIRCLE, .colour = c + 1});
            for (int n = 0; n < SIZES; n++) {
                const loading *at = find(about, kappa0_of[c], mu_of[m], elements_of[n]);
                if (at)
                    cst_chart_point(chart, series, at->elements, at->rms);
            }
        }
    int two = cst_chart_series(chart, &(cst_series_style){.name = "order 2", .line = CST_LINE_DASHED, .colour = 9});
    int tabulated = cst_chart_series(chart, &(cst_series_style){.name = "tabulated", .marker = CST_MARKER_CROSS, .colour = 9});
    for (int n = 0; n < SIZES; n++)
        cst_chart_point(chart, two, elements_of[n], 0.3 / ((double)elements_of[n] * elements_of[n]));
    for (int i = 0; i < about->discrete.rows; i++)
        cst_chart_point(chart, tabulated, cst_csv_number(&about->discrete, i, "n"),
                        cst_csv_number(&about->discrete, i, "rel_err_F"));
    bool written = cst_chart_files_write(chart, about->base.out, "three_point_error");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {"kappa0_a", "mu",    "n",      "Fmax", "Fmax_exact", "Fmax_error", "curve_largest",
                                         "rms",      "order", "newton", "E",    "unsolved",   NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "three_point", header))
        return false;
    for (int i = 0; i < about->rows; i++) {
        const loading *at = &about->row[i];
        cst_csv_real(&csv, at->kappa0);
        cst_csv_real(&csv, at->mu);
        cst_csv_integer(&csv, at->elements);
        const double number[] = {at->peak, at->exact_peak, peak_error(at), at->largest, at->rms, order(about, at)};
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

static bool run_all(study *about, int sizes)
{
    char message[512];
    for (int c = 0; c < CURVATURES; c++)
        for (int m = 0; m < FRICTIONS; m++)
            for (int n = 0; n < sizes; n++) {
                if (about->base.quick && m % 2 == 1)
                    continue;
                loading *at = &about->row[about->rows++];
                *at = (loading){.kappa0 = kappa0_of[c], .mu = mu_of[m], .elements = elements_of[n]};
                if (cst_interrupted())
                    return false;
                if (!push(at, message, sizeof message))
                    return cst_validation_fault(&about->base, "kappa0 %g, mu %g, n %d: %s", at->kappa0, at->mu, at->elements,
                                                message);
                if (!compare(about, at))
                    return cst_validation_fault(&about->base, "no reference for kappa0 = %g, mu = %g", at->kappa0, at->mu);
            }
    return true;
}

static bool study_all(study *about)
{
    const int sizes = about->base.quick ? 3 : SIZES, finest = elements_of[sizes - 1];
    if (!run_all(about, sizes))
        return false;
    print_rows(about);
    judge_table(about);
    judge(about, finest);
    return !about->base.out || (write_csv(about) && chart_errors(about) && chart_curves(about, 0, finest, "three_point_smooth") &&
                                chart_curves(about, 0.3, finest, "three_point_friction"));
}

int cst_bench_three_point(int argc, char **argv)
{
    static const char what[] = "A naturally curved rod pushed down between two supports with friction, against the elastica.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "three-point", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_validation_reference(&base, &about->curves, "three_point_curves.csv") &&
                cst_validation_reference(&base, &about->summary, "three_point_summary.csv") &&
                cst_validation_reference(&base, &about->discrete, "three_point_convergence.csv") && study_all(about);
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    cst_csv_file_free(&about->curves);
    cst_csv_file_free(&about->summary);
    cst_csv_file_free(&about->discrete);
    free(about);
    return code;
}
