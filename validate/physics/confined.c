/* capstan-bench confined: an elastica clamped at both ends, squeezed between two walls without friction.
 *
 * A rod of length L lies clamped on the lower wall, its ends at a distance X < L, buckled to an arch; the upper wall comes down to a
 * height Y. First it touches a point of the crest, then the crest is flat (planar contact), at last the flat part buckles.
 * With sin(psi/2) = k cd(u), u in [0, tK] on a quarter (validate/reference/README.md; Roman and Pocheau 1999):
 *
 *     free t = 1;   point contact 1 < t < 2;   planar from t = 2 on;   F = (4 u1)^2 B / L^2, H = F cos(gamma), V = 2 F sin(gamma)
 *
 * Steps are quasi-static, the rod light, and each is iterated three times: enough to keep up with a slow wall. (Linearised once, forces
 * lag by a third of a step of the wall, 0.25 % with 1600 steps; iterated to convergence they are the same to 1e-4.) Where contact is planar
 * the flat part may slide along the walls at no cost, and iterations have nothing to converge to. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/validation.h"

enum { ROWS_MAX = 16, ELEMENTS_MAX = 256, STEPS_MAX = 4096, FIRST = 40 };

/* Below the clamped ends. Contacts of points that cannot move would have W = 0. */
static const double CLEARANCE = 1e-4;

typedef struct squeezed {
    double height;      /* Y */
    double along, wall; /* H and V */
    double crest;       /* curvature there, from the two elements beside it */
    double flat;        /* longest straight part */
    double asymmetry;
} squeezed;

typedef struct squeeze {
    double span; /* X / L */
    int elements, steps;
    squeezed *at;                                                          /* (steps) */
    double worst_error;                                                    /* E */
    int missed;                                                            /* steps that were not solved to tolerance */
    double free_error, point_along, point_wall, planar_along, planar_wall; /* relative, rms over the table's heights */
    double onset, buckles;                                                 /* Y */
    double buckling_load; /* H d^2 / (4 pi^2 B) just before, d the longest flat part */
} squeeze;

typedef struct study {
    cst_validation base;
    cst_csv_file curves, transitions;
    squeeze row[ROWS_MAX];
    int rows;
} study;

/* ------------------------------------------------------------------------------------------------------------------------- run */

/* Arcs of theta = A sin(2 pi s), A such that the ends are X apart; the height of the arch. */
static double arch(int n, double span, double *curvature)
{
    const double l = 1.0 / n, pi = acos(-1.0);
    double low = 0, high = 2, height = 0;
    for (int k = 0; k < 60; k++) {
        double amplitude = 0.5 * (low + high), x = 0, y = 0, theta = 0;
        height = 0;
        for (int i = 0; i < n; i++) {
            double turn = amplitude * (sin(2 * pi * (i + 1) * l) - sin(2 * pi * i * l));
            double chord = fabs(turn) < 1e-12 ? l : l * sin(turn / 2) / (turn / 2);
            x += chord * cos(theta + turn / 2);
            y += chord * sin(theta + turn / 2);
            theta += turn;
            height = fmax(height, y);
            curvature[i] = turn / l;
        }
        if (x > span)
            low = amplitude;
        else
            high = amplitude;
    }
    return height;
}

/* What the shape says: curvature at the crest (that of a point contact has a kink there, so both sides are extended to it), and the
 * longest straight part, up to where the curvature is a twentieth of its largest. */
static void look(const cst_world *world, cst_body_id rod, int n, squeezed *out)
{
    double position[3 * (ELEMENTS_MAX + 1)], radius[ELEMENTS_MAX + 1], curvature[ELEMENTS_MAX + 1];
    cst_world_draw_body(world, rod, 1, position, radius, curvature);
    double largest = 0, length = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(curvature[i]));
    for (int i = 0; i < n; i++) {
        length = fabs(curvature[i]) < 0.05 * largest ? length + 1.0 / n : 0;
        out->flat = fmax(out->flat, length);
    }
    const double left = 1.5 * curvature[n / 2 - 1] - 0.5 * curvature[n / 2 - 2],
                 right = 1.5 * curvature[n / 2] - 0.5 * curvature[n / 2 + 1];
    out->crest = -0.5 * (left + right);
    for (int i = 0; i <= n; i++)
        out->asymmetry = fmax(out->asymmetry, fabs(position[3 * i + 1] - position[3 * (n - i) + 1]));
}

static bool run(squeeze *of, double from, double to, char *message, size_t message_size)
{
    double curvature[ELEMENTS_MAX];
    cst_world_def def = cst_world_def_default(2);
    def.gravity[1] = 0;
    def.time_step.dt = 1;
    def.time_step.quasi_static = def.time_step.relaxation = true;
    def.time_step.iterations = 3;
    def.friction_coefficient = 0;
    def.friction.tolerance = 1e-9;
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = of->elements;
    rod.length = rod.bending_stiffness = 1;
    rod.mass_per_length = 1e-3;
    rod.radius = 1e-3;
    rod.clamped = true;
    rod.curvature = curvature;
    const double first = fmax(1.02 * arch(of->elements, of->span, curvature), from);
    cst_obstacle_def lower = cst_obstacle_def_default(), upper = cst_obstacle_def_default();
    lower.position[1] = -rod.radius - CLEARANCE;
    upper.position[1] = first + rod.radius;
    upper.normal[1] = -1;
    const cst_key key[] = {{.time = 0},
                           {.time = FIRST, .translation = {0, from - first, 0}},
                           {.time = FIRST + of->steps, .translation = {0, to - first, 0}}};
    upper.motion = (cst_motion){.key = key, .keys = 3};
    cst_world *world = cst_world_new(&def, message, message_size);
    const cst_body_id body = world ? cst_world_add_rod(world, &rod, message, message_size) : 0;
    cst_constraint_def end = cst_constraint_def_default();
    end.kind = CST_CONSTRAINT_CLAMPED;
    end.a = (cst_place){.body = body, .at_end = true};
    end.b_follows_a = true;
    const cst_constraint_id clamp = body ? cst_world_add_constraint(world, &end, message, message_size) : 0;
    const cst_obstacle_id top = clamp && cst_world_add_obstacle(world, &lower, message, message_size)
                                    ? cst_world_add_obstacle(world, &upper, message, message_size)
                                    : 0;
    bool good = top != 0;
    for (int k = -FIRST; good && k < of->steps; k++) {
        cst_step_report report;
        const cst_status status = cst_world_step(world, &report);
        good = status <= CST_TOLERANCE_MISSED;
        if (!good)
            snprintf(message, message_size, "step %d: %s %s", k, cst_status_name(status), report.message);
        of->worst_error = fmax(of->worst_error, report.residual.error);
        of->missed += report.residual.error > 1e-8;
        if (!good || k < 0)
            continue;
        double force[3], moment[3], on_wall[3];
        cst_world_constraint_force(world, clamp, force, moment);
        cst_world_obstacle_force(world, top, on_wall);
        of->at[k] = (squeezed){.height = from + (to - from) * (k + 1) / of->steps, .along = -force[0], .wall = on_wall[1]};
        look(world, body, of->elements, &of->at[k]);
    }
    cst_world_free(world);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------------ comparison */

/* A figure of the run at a height, linear between steps; NaN if the wall was not there. */
static double figure_at(const squeeze *of, double height, size_t offset)
{
    for (int k = 1; k < of->steps; k++) {
        const squeezed *a = &of->at[k - 1], *b = &of->at[k];
        if (height <= a->height && height >= b->height) {
            const double share = (a->height - height) / (a->height - b->height);
            const double from = *(const double *)((const char *)a + offset), to = *(const double *)((const char *)b + offset);
            return from + share * (to - from);
        }
    }
    return NAN;
}

static double transition(const study *about, double span, const char *column)
{
    for (int i = 0; i < about->transitions.rows; i++)
        if (fabs(cst_csv_number(&about->transitions, i, "X_over_L") - span) < 1e-9)
            return cst_csv_number(&about->transitions, i, column);
    return NAN;
}

/* Height at which the flat part, divided among three places, buckles: nothing divides it better. */
static double last_buckling(const study *about, double span)
{
    double before_height = NAN, before = NAN;
    for (int i = 0; i < about->curves.rows; i++) {
        if (fabs(cst_csv_number(&about->curves, i, "X_over_L") - span) > 1e-9)
            continue;
        const double flat = cst_csv_number(&about->curves, i, "total_flat_length_over_L(2d)") / 3;
        const double height = cst_csv_number(&about->curves, i, "Y_over_L");
        const double load = cst_csv_number(&about->curves, i, "H_L2_over_B") * flat * flat / (4 * acos(-1.0) * acos(-1.0));
        if (load >= 1)
            return before_height + (height - before_height) * (1 - before) / (load - before);
        before_height = height;
        before = load;
    }
    return NAN;
}

/* Where the flat part lets go: from then on the force along it falls. */
static void find_buckling(squeeze *of)
{
    int best = 0;
    for (int k = 1; k < of->steps && of->at[k].along > 0.9 * of->at[best].along; k++)
        if (of->at[k].along > of->at[best].along)
            best = k;
    of->buckles = of->at[best].height;
    const double d = of->at[best].flat;
    of->buckling_load = of->at[best].along * d * d / (4 * acos(-1.0) * acos(-1.0));
}

static void find_onset(squeeze *of)
{
    of->onset = NAN;
    for (int k = 1; k < of->steps; k++)
        if (of->at[k].crest <= 0 && of->at[k - 1].crest > 0) {
            const squeezed *a = &of->at[k - 1], *b = &of->at[k];
            of->onset = a->height + (b->height - a->height) * a->crest / (a->crest - b->crest);
            return;
        }
}

/* Heights fall from row to row. One row does not (X/L = 0.8, t = 1.375; its own closed form has X/L = 0.79619): it is left out. */
static bool out_of_line(const study *about, int row)
{
    return row > 0 && cst_csv_number(&about->curves, row, "X_over_L") == cst_csv_number(&about->curves, row - 1, "X_over_L") &&
           cst_csv_number(&about->curves, row, "Y_over_L") > cst_csv_number(&about->curves, row - 1, "Y_over_L");
}

static void compare(const study *about, squeeze *of)
{
    double sum[2][2] = {{0, 0}, {0, 0}};
    int count[2] = {0, 0};
    find_onset(of);
    find_buckling(of);
    of->free_error = of->at[0].along / transition(about, of->span, "H_at_first_contact") - 1;
    for (int i = 0; i < about->curves.rows; i++) {
        const int planar = cst_csv_field(&about->curves, i, "regime")[1] == 'l';
        const double height = cst_csv_number(&about->curves, i, "Y_over_L");
        if (fabs(cst_csv_number(&about->curves, i, "X_over_L") - of->span) > 1e-9 || height <= of->buckles ||
            cst_csv_field(&about->curves, i, "regime")[0] == 'f' || out_of_line(about, i))
            continue;
        const double along = figure_at(of, height, offsetof(squeezed, along)) / cst_csv_number(&about->curves, i, "H_L2_over_B"),
                     wall = figure_at(of, height, offsetof(squeezed, wall)) /
                            cst_csv_number(&about->curves, i, "wall_force_top_L2_over_B");
        /* Right after the first touch V is as small as its error: relative to nothing. */
        if (isnan(along) || (!planar && height > transition(about, of->span, "Y_first_contact_over_L") * 0.99))
            continue;
        sum[planar][0] += (along - 1) * (along - 1);
        sum[planar][1] += (wall - 1) * (wall - 1);
        count[planar]++;
    }
    of->point_along = sqrt(sum[0][0] / count[0]);
    of->point_wall = sqrt(sum[0][1] / count[0]);
    of->planar_along = sqrt(sum[1][0] / count[1]);
    of->planar_wall = sqrt(sum[1][1] / count[1]);
}

static bool compute(study *about, double span, int elements, int steps)
{
    squeeze *of = &about->row[about->rows++];
    char message[512] = "out of memory";
    *of = (squeeze){.span = span, .elements = elements, .steps = steps, .at = calloc((size_t)steps, sizeof *of->at)};
    const double free_height = transition(about, span, "Y_first_contact_over_L"), last = last_buckling(about, span);
    if (!of->at || !run(of, 1.01 * free_height, last - 0.1 * free_height, message, sizeof message))
        return cst_validation_fault(&about->base, "X %g, n %d: %s", span, elements, message);
    compare(about, of);
    return true;
}

/* --------------------------------------------------------------------------------------------------------------------- figures */

static double order(const study *about, const squeeze *of, size_t offset)
{
    for (int i = 0; i < about->rows; i++)
        if (about->row[i].span == of->span && 2 * about->row[i].elements == of->elements)
            return log2(
                fabs(*(const double *)((const char *)&about->row[i] + offset) / *(const double *)((const char *)of + offset)));
    return NAN;
}

static void show(const study *about)
{
    static const char *const headings[] = {
        "X/L",   "n",        "H free", "order",    "H point",        "order",     "V point",    "order", "H planar",
        "order", "V planar", "order",  "Y planar", "Y / theory - 1", "Y buckles", "H d2/4pi2B", "E",     NULL};
    static const size_t field[] = {offsetof(squeeze, free_error), offsetof(squeeze, point_along), offsetof(squeeze, point_wall),
                                   offsetof(squeeze, planar_along), offsetof(squeeze, planar_wall)};
    cst_table *table = cst_validation_table(headings);
    double span = NAN;
    for (int i = 0; i < about->rows; i++) {
        const squeeze *of = &about->row[i];
        if (of->span != span)
            cst_table_rule(table);
        span = of->span;
        cst_table_cell(table, "%g", of->span);
        cst_table_cell(table, "%d", of->elements);
        for (int k = 0; k < 5; k++) {
            cst_table_cell(table, "%.1e", fabs(*(const double *)((const char *)of + field[k])));
            cst_validation_cell(table, "%.2f", order(about, of, field[k]));
        }
        cst_table_cell(table, "%.5f", of->onset);
        cst_table_cell(table, "%.1e", of->onset / transition(about, of->span, "Y_planar_onset_over_L") - 1);
        cst_table_cell(table, "%.5f", of->buckles);
        cst_table_cell(table, "%.2f", of->buckling_load);
        cst_table_cell(table, "%.0e", of->worst_error);
    }
    cst_validation_print(table);
}

static void judge(study *about, int finest)
{
    const double coarser = (160.0 / finest) * (160.0 / finest); /* bounds are for 160 elements */
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, worst[2] = {0, 0}, onset = 0, error = 0;
    int missed = 0;
    for (int i = 0; i < about->rows; i++) {
        const squeeze *of = &about->row[i];
        error = fmax(error, of->worst_error);
        missed += of->missed;
        if (of->elements != finest)
            continue;
        const double free_order = order(about, of, offsetof(squeeze, free_error));
        if (!isnan(free_order)) {
            low[0] = fmin(low[0], free_order);
            low[1] = fmin(
                low[1], fmin(order(about, of, offsetof(squeeze, point_along)), order(about, of, offsetof(squeeze, point_wall))));
            low[2] = fmin(low[2], fmin(order(about, of, offsetof(squeeze, planar_along)),
                                       order(about, of, offsetof(squeeze, planar_wall))));
        }
        worst[0] = fmax(worst[0], fmax(of->point_along, of->point_wall));
        worst[1] = fmax(worst[1], fmax(of->planar_along, of->planar_wall));
        onset = fmax(onset, fabs(of->onset / transition(about, of->span, "Y_planar_onset_over_L") - 1));
        /* All of the flat part on top buckles first; in three equal parts, last. Growth of the fold takes a few steps. */
        cst_validation_between(&about->base, of->buckles, last_buckling(about, of->span) - 0.02 * of->at[0].height,
                               transition(about, of->span, "Y_buckle(all flat on top)"),
                               "Y/L at which the flat part buckles, X/L = %g: from three flat parts to one", of->span);
    }
    cst_validation_between(&about->base, low[0], 1.8, 2.2, "order of H, free, at n = %d: lowest", finest);
    cst_validation_between(&about->base, low[1], 1.8, 2.3, "order of H and V, point contact, at n = %d: lowest", finest);
    cst_validation_between(&about->base, low[2], 1.6, 2.6, "order of H and V, planar contact, at n = %d: lowest", finest);
    cst_validation_at_most(&about->base, worst[0], 3e-3 * coarser,
                           "relative error of H and V, point contact, n = %d, rms: largest", finest);
    cst_validation_at_most(&about->base, worst[1], 5e-3 * coarser,
                           "relative error of H and V, planar contact, n = %d, rms: largest", finest);
    cst_validation_at_most(&about->base, onset, 2.5e-3, "|Y of planar contact / theory - 1|, n = %d: largest", finest);
    cst_validation_at_most(&about->base, error, 1e-6, "E, largest of all steps, also while a fold jumps");
    cst_validation_note(&about->base, missed, "steps with E > 1e-8, of all runs");
}

/* ---------------------------------------------------------------------------------------------------------------------- charts */

static bool chart_force(const study *about, int finest, bool wall)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = wall ? "Squeezed elastica: force on the wall" : "Squeezed elastica: force along it",
        .subtitle =
            "the wall comes down from right to left; lines: Capstan, markers: theory, up to where the flat part must buckle",
        .x = {.label = "height of the wall Y / free height", .tight = true},
        .y = {.label = wall ? "V L² / B" : "H L² / B", .logarithmic = true, .low = wall ? 1 : 20, .high = 2000}});
    for (int i = 0, colour = 0; i < about->rows; i++) {
        const squeeze *of = &about->row[i];
        if (of->elements != finest)
            continue;
        char name[64];
        snprintf(name, sizeof name, "X/L = %g, n = %d", of->span, finest);
        int ours =
            cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .thick = true, .colour = ++colour});
        int line = cst_chart_series(chart, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = colour});
        const double free_height = transition(about, of->span, "Y_first_contact_over_L");
        for (int k = 0; k < of->steps; k++)
            cst_chart_point(chart, ours, of->at[k].height / free_height, wall ? of->at[k].wall : of->at[k].along);
        for (int k = 0; k < about->curves.rows; k++)
            if (fabs(cst_csv_number(&about->curves, k, "X_over_L") - of->span) < 1e-9 && k % 3 == 0 && !out_of_line(about, k) &&
                cst_csv_number(&about->curves, k, "Y_over_L") >= last_buckling(about, of->span))
                cst_chart_point(chart, line, cst_csv_number(&about->curves, k, "Y_over_Yfree"),
                                cst_csv_number(&about->curves, k, wall ? "wall_force_top_L2_over_B" : "H_L2_over_B"));
    }
    cst_chart_series(chart, &(cst_series_style){.name = "theory", .marker = CST_MARKER_CIRCLE, .colour = 10});
    bool written = cst_chart_files_write(chart, about->base.out, wall ? "confined_wall" : "confined_along");
    cst_chart_free(chart);
    return written;
}

static bool chart_errors(const study *about)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Squeezed elastica: error over the number of elements",
        .subtitle = "relative error of the force on the wall, root mean square over the heights of a regime",
        .x = {.label = "elements n", .logarithmic = true},
        .y = {.label = "error", .logarithmic = true}});
    double span = NAN;
    int point = -1, planar = -1, colour = 0;
    for (int i = 0; i < about->rows; i++) {
        const squeeze *of = &about->row[i];
        if (of->span != span) {
            char name[64];
            span = of->span;
            colour++;
            snprintf(name, sizeof name, "X/L = %g, point contact", span);
            point = cst_chart_series(
                chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .marker = CST_MARKER_CIRCLE, .colour = colour});
            snprintf(name, sizeof name, "X/L = %g, planar contact", span);
            planar = cst_chart_series(
                chart, &(cst_series_style){.name = name, .line = CST_LINE_DASHED, .marker = CST_MARKER_SQUARE, .colour = colour});
        }
        cst_chart_point(chart, point, of->elements, of->point_wall);
        cst_chart_point(chart, planar, of->elements, of->planar_wall);
    }
    bool written = cst_chart_files_write(chart, about->base.out, "confined_error");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {"X_over_L", "n", "Y_over_L", "H", "V", "crest_curvature", "flat", "asymmetry", NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "confined", header))
        return false;
    for (int i = 0; i < about->rows; i++)
        for (int k = 0; k < about->row[i].steps; k += 8) {
            const squeezed *at = &about->row[i].at[k];
            const double number[] = {at->height, at->along, at->wall, at->crest, at->flat, at->asymmetry};
            cst_csv_real(&csv, about->row[i].span);
            cst_csv_integer(&csv, about->row[i].elements);
            for (size_t c = 0; c < sizeof number / sizeof number[0]; c++)
                cst_csv_real(&csv, number[c]);
            cst_csv_row_end(&csv);
        }
    return cst_validation_csv_end(&about->base, &file);
}

static bool study_all(study *about)
{
    static const double spans[] = {0.95, 0.9, 0.8};
    const int finest = about->base.quick ? 40 : 160;
    for (int s = 0; s < (about->base.quick ? 1 : 3); s++)
        for (int n = 20; n <= finest; n *= 2)
            if (cst_interrupted() || !compute(about, spans[s], n, about->base.quick ? 400 : 800))
                return false;
    show(about);
    judge(about, finest);
    return !about->base.out ||
           (write_csv(about) && chart_force(about, finest, false) && chart_force(about, finest, true) && chart_errors(about));
}

int cst_bench_confined(int argc, char **argv)
{
    static const char what[] = "An elastica clamped at both ends and squeezed between two walls, against its closed forms.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "confined", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_validation_reference(&base, &about->curves, "confined_elastica_curves.csv") &&
                cst_validation_reference(&base, &about->transitions, "confined_transitions.csv") && study_all(about);
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    for (int i = 0; i < about->rows; i++)
        free(about->row[i].at);
    cst_csv_file_free(&about->curves);
    cst_csv_file_free(&about->transitions);
    free(about);
    return code;
}
