/* capstan-bench cantilever: a horizontal clamped rod under its own weight against the heavy elastica.
 *
 *     theta'' = -Gamma (1 - s) cos theta,   theta(0) = 0,  theta'(1) = kappa0,    Gamma = w L^3 / EI
 *
 * (y down, L = EI = 1; validate/reference/README.md). Elements of constant curvature are P1 elements in theta: order 2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/cpu_clock.h"
#include "harness/validation.h"

enum { FORMULATIONS = 2, ROWS_MAX = 1024, FINE = 64 };

static const cst_rod_formulation formulation_of[FORMULATIONS] = {CST_ROD_CHAINED, CST_ROD_MIXED};
static const char *const formulation_name[FORMULATIONS] = {"chained", "mixed"};
static const cst_marker marker_of[FORMULATIONS] = {CST_MARKER_CIRCLE, CST_MARKER_CROSS};

/* One equilibrium, and how far it is from the reference. */
typedef struct equilibrium {
    int formulation, elements;
    double gamma, kappa0;
    double x, y; /* tip, y down */
    double exact_x, exact_y;
    double seconds;
    int iterations;
} equilibrium;

typedef struct study {
    cst_validation base;
    equilibrium row[ROWS_MAX];
    int rows;
    cst_csv_file straight, curved, discrete;
} study;

static double tip_error(const equilibrium *at)
{
    return hypot(at->x - at->exact_x, at->y - at->exact_y);
}

static double aspect_error(const equilibrium *at)
{
    return fabs((at->y / at->x) / (at->exact_y / at->exact_x) - 1);
}

/* Best time of a few: each from a fresh world, for an equilibrium is found at once from itself. */
static bool solve(equilibrium *at, int repeat, char *message, size_t message_size)
{
    at->seconds = HUGE_VAL;
    for (int k = 0; k < repeat; k++) {
        cst_world_def def = cst_world_def_default(2);
        def.gravity[1] = -1;
        cst_rod_def rod = cst_rod_def_default();
        rod.formulation = formulation_of[at->formulation];
        rod.elements = at->elements;
        rod.length = rod.bending_stiffness = 1;
        rod.mass_per_length = at->gamma;
        rod.natural_curvature = -at->kappa0; /* the reference counts curvature downwards */
        rod.radius = 1e-3;
        rod.clamped = true;
        cst_world *world = cst_world_new(&def, message, message_size);
        cst_body_id body = world ? cst_world_add_rod(world, &rod, message, message_size) : 0;
        double began = cst_cpu_seconds();
        bool found = body && cst_world_find_equilibrium(world, 1e-12, &at->iterations, message, message_size);
        at->seconds = fmin(at->seconds, cst_cpu_seconds() - began);
        double tip[3] = {NAN, NAN, NAN};
        if (found)
            cst_world_place(world, &(cst_place){.body = body, .at_end = true}, tip, NULL, NULL);
        cst_world_free(world);
        if (!found)
            return false;
        at->x = tip[0];
        at->y = -tip[1];
    }
    return true;
}

/* Reference of one loading; false if it is not tabulated. */
static bool look_up(const study *about, equilibrium *at)
{
    const cst_csv_file *table = at->kappa0 == 0 ? &about->straight : &about->curved;
    for (int i = 0; i < table->rows; i++) {
        bool same_curvature = at->kappa0 == 0 || fabs(cst_csv_number(table, i, "kappa0_L") - at->kappa0) < 1e-9;
        if (!same_curvature || fabs(cst_csv_number(table, i, "Gamma") / at->gamma - 1) > 1e-9)
            continue;
        at->exact_x = cst_csv_number(table, i, "x_tip_over_L");
        at->exact_y = cst_csv_number(table, i, "y_tip_over_L_down");
        return true;
    }
    return false;
}

static bool compute(study *about, int formulation, double gamma, double kappa0, int elements, int repeat)
{
    equilibrium at = {.formulation = formulation, .elements = elements, .gamma = gamma, .kappa0 = kappa0};
    char message[512] = "too many rows";
    if (!look_up(about, &at))
        return cst_validation_fault(&about->base, "no reference for Gamma = %g, kappa0 = %g", gamma, kappa0);
    if (about->rows == ROWS_MAX || !solve(&at, repeat, message, sizeof message))
        return cst_validation_fault(&about->base, "Gamma %g, kappa0 %g, n %d, %s: %s", gamma, kappa0, elements,
                                    formulation_name[formulation], message);
    about->row[about->rows++] = at;
    return true;
}

static const equilibrium *find(const study *about, int formulation, double gamma, double kappa0, int elements)
{
    for (int i = 0; i < about->rows; i++) {
        const equilibrium *at = &about->row[i];
        if (at->formulation == formulation && at->gamma == gamma && at->kappa0 == kappa0 && at->elements == elements)
            return at;
    }
    return NULL;
}

/* From half the elements to all of them; NaN if half was not computed. */
static double order(const study *about, const equilibrium *at)
{
    const equilibrium *half = find(about, at->formulation, at->gamma, at->kappa0, at->elements / 2);
    return half ? log2(tip_error(half) / tip_error(at)) : NAN;
}

/* Our errors over those that this discretisation should have; NaN if they are not tabulated. */
typedef struct ratios {
    double tip, aspect;
} ratios;

static ratios to_discrete(const study *about, const equilibrium *at)
{
    const cst_csv_file *table = &about->discrete;
    for (int i = 0; at->kappa0 == 0 && i < table->rows; i++)
        if (strcmp(cst_csv_field(table, i, "model"), "supercircle") == 0 &&
            fabs(cst_csv_number(table, i, "Gamma") / at->gamma - 1) < 1e-9 &&
            cst_csv_number(table, i, "n_elements") == at->elements)
            return (ratios){tip_error(at) / cst_csv_number(table, i, "abs_err_tip_over_L"),
                            aspect_error(at) / cst_csv_number(table, i, "rel_err_y_over_x")};
    return (ratios){NAN, NAN};
}

static void print_rows(const study *about, bool curved)
{
    static const char *const headings[] = {"kappa0 L",  "Gamma",  "n",         "tip error/L", "mixed - chained",
                                           "y/x error", "order",  "tip/table", "(y/x)/table", "chained",
                                           "mixed",     "Newton", NULL};
    cst_table *table = cst_validation_table(headings);
    double gamma = NAN, kappa0 = NAN;
    for (int i = 0; i < about->rows; i++) {
        const equilibrium *at = &about->row[i];
        const equilibrium *other = find(about, 1, at->gamma, at->kappa0, at->elements);
        if (at->formulation != 0 || !other || (at->kappa0 != 0) != curved)
            continue;
        if (at->gamma != gamma || at->kappa0 != kappa0)
            cst_table_rule(table);
        gamma = at->gamma;
        kappa0 = at->kappa0;
        ratios of = to_discrete(about, at);
        cst_table_cell(table, "%.3g", at->kappa0);
        cst_table_cell(table, "%g", at->gamma);
        cst_table_cell(table, "%d", at->elements);
        cst_table_cell(table, "%.3e", tip_error(at));
        cst_table_cell(table, "%.0e", hypot(at->x - other->x, at->y - other->y));
        cst_table_cell(table, "%.3e", aspect_error(at));
        cst_validation_cell(table, "%.2f", order(about, at));
        cst_validation_cell(table, "%.3f", of.tip);
        cst_validation_cell(table, "%.3f", of.aspect);
        cst_table_seconds(table, at->seconds);
        cst_table_seconds(table, other->seconds);
        cst_table_cell(table, "%d", at->iterations);
    }
    cst_validation_print(table);
}

static void judge(study *about, int finest, int finest_curved)
{
    double apart = 0, tip = 0, aspect = 0, low = HUGE_VAL, high = 0, low_curved = HUGE_VAL, high_curved = 0, worst = 0;
    for (int i = 0; i < about->rows; i++) {
        const equilibrium *at = &about->row[i];
        const equilibrium *other = find(about, 1 - at->formulation, at->gamma, at->kappa0, at->elements);
        ratios of = to_discrete(about, at);
        double seen = order(about, at);
        if (other)
            apart = fmax(apart, hypot(at->x - other->x, at->y - other->y));
        if (!isnan(of.tip)) {
            tip = fmax(tip, fabs(of.tip - 1));
            aspect = fmax(aspect, fabs(of.aspect - 1));
        }
        if (at->kappa0 == 0 && at->elements == finest && !isnan(seen)) {
            low = fmin(low, seen);
            high = fmax(high, seen);
        }
        if (at->kappa0 != 0 && at->elements == finest_curved && !isnan(seen)) {
            low_curved = fmin(low_curved, seen);
            high_curved = fmax(high_curved, seen);
            worst = fmax(worst, tip_error(at));
        }
    }
    cst_validation_at_most(&about->base, tip, 0.1, "|tip error / that of convergence_discrete - 1|, largest");
    cst_validation_at_most(&about->base, aspect, 0.1, "|error of y/x / that of convergence_discrete - 1|, largest");
    cst_validation_between(&about->base, low, about->base.quick ? 1.6 : 1.95, 2.1, "order at n = %d, straight rods: lowest",
                           finest);
    cst_validation_between(&about->base, high, 1.95, 2.1, "order at n = %d, straight rods: highest", finest);
    cst_validation_between(&about->base, low_curved, 1.8, 2.3, "order at n = %d, curved rods: lowest", finest_curved);
    cst_validation_between(&about->base, high_curved, 1.8, 2.3, "order at n = %d, curved rods: highest", finest_curved);
    cst_validation_note(&about->base, worst, "tip error / L at n = %d, curved rods: largest", finest_curved);
    cst_validation_at_most(&about->base, apart, 1e-9, "tips of mixed and chained apart / L, largest");
}

/* ------------------------------------------------------------------------------------------------------------------- charts */

static bool chart_errors(const study *about)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Clamped rod under its weight: error of the tip",
        .subtitle = "markers: Capstan; lines: what n elements of constant curvature should give (Γ = 0.001: not tabulated)",
        .x = {.label = "elements n", .logarithmic = true},
        .y = {.label = "|tip − elastica| / L", .logarithmic = true}});
    int colour = 0, line = -1, ours[FORMULATIONS] = {-1, -1};
    double gamma = NAN;
    for (int i = 0; i < about->rows; i++) {
        const equilibrium *at = &about->row[i];
        if (at->kappa0 != 0)
            continue;
        double should = tip_error(at) / to_discrete(about, at).tip; /* NaN if it is not tabulated */
        if (at->gamma != gamma) {
            gamma = at->gamma;
            char name[64];
            snprintf(name, sizeof name, "Γ = %g", gamma);
            colour++;
            line = cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = colour});
            for (int f = 0; f < FORMULATIONS; f++)
                ours[f] = cst_chart_series(chart, &(cst_series_style){.name = "", .marker = marker_of[f], .colour = colour});
        }
        cst_chart_point(chart, ours[at->formulation], at->elements, tip_error(at));
        if (at->formulation == 0)
            cst_chart_point(chart, line, at->elements, isnan(should) ? tip_error(at) : should);
    }
    for (int f = 0; f < FORMULATIONS; f++) /* for the legend */
        cst_chart_series(chart, &(cst_series_style){.name = formulation_name[f], .marker = marker_of[f], .colour = 10});
    bool written = cst_chart_files_write(chart, about->base.out, "cantilever_error");
    cst_chart_free(chart);
    return written;
}

static bool chart_times(const study *about, double gamma)
{
    char subtitle[96];
    snprintf(subtitle, sizeof subtitle, "processor time of one static equilibrium, Γ = %g", gamma);
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){.title = "Clamped rod under its weight: time",
                                                             .subtitle = subtitle,
                                                             .x = {.label = "elements n", .logarithmic = true},
                                                             .y = {.label = "seconds", .logarithmic = true}});
    for (int f = 0; f < FORMULATIONS; f++) {
        int series = cst_chart_series(chart, &(cst_series_style){.name = formulation_name[f],
                                                                 .line = CST_LINE_SOLID,
                                                                 .marker = f == 0 ? CST_MARKER_CIRCLE : CST_MARKER_SQUARE});
        for (int i = 0; i < about->rows; i++) {
            const equilibrium *at = &about->row[i];
            if (at->formulation == f && at->gamma == gamma && at->kappa0 == 0)
                cst_chart_point(chart, series, at->elements, at->seconds);
        }
    }
    bool written = cst_chart_files_write(chart, about->base.out, "cantilever_time");
    cst_chart_free(chart);
    return written;
}

/* Ours on the reference, over all loads up to 1000. Also the bound: no worse than the discretisation must be at this n. */
static bool master_curve(study *about)
{
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = "Master curve of the heavy cantilever",
                                              .subtitle = "tip of a clamped rod under its own weight",
                                              .x = {.label = "Γ = w L³ / EI", .logarithmic = true},
                                              .y = {.label = "sag / reach of the tip, y / x", .logarithmic = true}});
    int exact = cst_chart_series(chart, &(cst_series_style){.name = "elastica", .line = CST_LINE_SOLID, .colour = 9});
    char name[64];
    snprintf(name, sizeof name, "Capstan, n = %d", FINE);
    int ours = cst_chart_series(chart, &(cst_series_style){.name = name, .marker = CST_MARKER_CIRCLE, .colour = 1});
    double worst = 0;
    bool good = true;
    int points = 0;
    for (int i = 0; good && i < about->straight.rows; i++) {
        double gamma = cst_csv_number(&about->straight, i, "Gamma");
        if (gamma > 1000 * (1 + 1e-9))
            continue;
        cst_chart_point(chart, exact, gamma, cst_csv_number(&about->straight, i, "y_over_x"));
        if (points++ % (about->base.quick ? 8 : 1) != 0)
            continue;
        char message[256] = "";
        equilibrium at = {.formulation = 1, .elements = FINE, .gamma = gamma};
        look_up(about, &at);
        good = solve(&at, 1, message, sizeof message);
        if (!good)
            cst_validation_fault(&about->base, "Gamma %g: %s", gamma, message);
        worst = fmax(worst, aspect_error(&at));
        if (points % 3 == 1)
            cst_chart_point(chart, ours, gamma, at.y / at.x);
    }
    /* Largest at Gamma = 1000, where the table has 5.239e-3 for 64 elements. */
    cst_validation_at_most(&about->base, worst, 1.1 * 5.239e-3, "master curve, n = %d: relative error of y/x, largest", FINE);
    if (good && about->base.out)
        good = cst_chart_files_write(chart, about->base.out, "cantilever_master");
    cst_chart_free(chart);
    return good;
}

/* Tips of naturally curved rods in the plane, from light to heavy. */
static bool chart_curved(const study *about, int elements)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Naturally curved rods under their weight",
        .subtitle = "where the tip goes as Γ grows from 0.001 to 1000 (−2π: to 12); lines: elastica, markers: Capstan",
        .x.label = "x / L",
        .y.label = "−y / L",
        .equal = true});
    char before[32] = "";
    int colour = 0, line = -1, ours = -1;
    for (int i = 0; i < about->curved.rows; i++) {
        const char *name = cst_csv_field(&about->curved, i, "kappa0_L_name");
        double kappa0 = cst_csv_number(&about->curved, i, "kappa0_L"), gamma = cst_csv_number(&about->curved, i, "Gamma");
        if (strcmp(name, before) != 0) {
            snprintf(before, sizeof before, "%s", name);
            char label[64];
            size_t digits = strcspn(name, "p"); /* "-pi/2" */
            const char *rest = name[digits] ? name + digits + 2 : "";
            snprintf(label, sizeof label, "κ₀L = %.*s%s%s", (int)digits, name, name[digits] ? "π" : "", rest);
            line = cst_chart_series(chart, &(cst_series_style){.name = label, .line = CST_LINE_SOLID, .colour = ++colour});
            ours = cst_chart_series(chart, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = colour});
        }
        if (kappa0 > -6 || gamma <= 12)
            cst_chart_point(chart, line, cst_csv_number(&about->curved, i, "x_tip_over_L"),
                            -cst_csv_number(&about->curved, i, "y_tip_over_L_down"));
        for (int k = 0; k < about->rows; k++) {
            const equilibrium *at = &about->row[k];
            if (at->formulation == 1 && at->elements == elements && at->kappa0 != 0 && fabs(at->kappa0 - kappa0) < 1e-9 &&
                fabs(at->gamma / gamma - 1) < 1e-9)
                cst_chart_point(chart, ours, at->x, -at->y);
        }
    }
    cst_chart_series(chart, &(cst_series_style){.name = "Capstan", .marker = CST_MARKER_CIRCLE, .colour = 10});
    bool written = cst_chart_files_write(chart, about->base.out, "cantilever_curved");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {"kappa0_L",
                                         "Gamma",
                                         "n",
                                         "formulation",
                                         "x",
                                         "y_down",
                                         "tip_error",
                                         "y_over_x_error",
                                         "order",
                                         "tip_error_over_table",
                                         "y_over_x_error_over_table",
                                         "newton_iterations",
                                         "seconds",
                                         NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "cantilever", header))
        return false;
    for (int i = 0; i < about->rows; i++) {
        const equilibrium *at = &about->row[i];
        ratios of = to_discrete(about, at);
        const double number[] = {at->x, at->y, tip_error(at), aspect_error(at), order(about, at), of.tip, of.aspect};
        cst_csv_real(&csv, at->kappa0);
        cst_csv_real(&csv, at->gamma);
        cst_csv_integer(&csv, at->elements);
        cst_csv_text(&csv, formulation_name[at->formulation]);
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
            cst_csv_real(&csv, number[k]);
        cst_csv_integer(&csv, at->iterations);
        cst_csv_real(&csv, at->seconds);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

/* --------------------------------------------------------------------------------------------------------------------- study */

static bool run_straight(study *about, int finest)
{
    static const double gammas[] = {1e-3, 0.1, 1, 10, 100, 1000};
    for (int g = about->base.quick ? 3 : 0; g < 6; g++)
        for (int n = 2; n <= finest; n *= 2)
            for (int f = 0; f < FORMULATIONS; f++)
                if (cst_interrupted() || !compute(about, f, gammas[g], 0, n, gammas[g] == 10 ? 3 : 1))
                    return false;
    return true;
}

/* Every curvature of the table, every decade of loads. */
static bool run_curved(study *about, int finest)
{
    for (int i = 0; i < about->curved.rows; i++) {
        double kappa0 = cst_csv_number(&about->curved, i, "kappa0_L"), gamma = cst_csv_number(&about->curved, i, "Gamma");
        double decade = log10(gamma);
        if (fabs(decade - round(decade)) > 1e-9 || (about->base.quick && fabs(decade - 1) > 1e-9))
            continue;
        if (kappa0 < -6 && gamma > 12) /* two equilibria: which one is a matter of history */
            continue;
        for (int n = finest / 2; n <= finest; n *= 2)
            for (int f = 0; f < FORMULATIONS; f++)
                if (cst_interrupted() || !compute(about, f, gamma, kappa0, n, 1))
                    return false;
    }
    return true;
}

static bool study_all(study *about)
{
    int finest = about->base.quick ? 32 : 256, finest_curved = about->base.quick ? 64 : 128;
    if (!run_straight(about, finest) || !run_curved(about, finest_curved))
        return false;
    print_rows(about, false);
    print_rows(about, true);
    judge(about, finest, finest_curved);
    return master_curve(about) && (!about->base.out || (write_csv(about) && chart_errors(about) && chart_times(about, 10) &&
                                                        chart_curved(about, finest_curved)));
}

int cst_bench_cantilever(int argc, char **argv)
{
    static const char what[] = "A clamped rod under its weight against the elastica: error and time over the number of elements.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "cantilever", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_validation_reference(&base, &about->straight, "cantilever_k0_0.csv") &&
                cst_validation_reference(&base, &about->curved, "cantilever_natural_curvature.csv") &&
                cst_validation_reference(&base, &about->discrete, "convergence_discrete.csv") && study_all(about);
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    cst_csv_file_free(&about->straight);
    cst_csv_file_free(&about->curved);
    cst_csv_file_free(&about->discrete);
    free(about);
    return code;
}
