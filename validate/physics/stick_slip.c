/* capstan-bench stick-slip: a vertical rod pushed on a plane, until its tip slips.
 *
 * Clamped at the top, its tip on the plane right below, the clamp is lowered by eps L. While the tip sticks the rod is a clamped and
 * hinged elastica,
 *
 *     theta'' = -Fx cos(theta) - Fy sin(theta),   theta(0) = 0, theta'(1) = 0, integral of sin = 0, of cos = 1 - eps
 *
 * (theta from the vertical, L = EI = 1; validate/reference/README.md), and it slips when |Fx| / Fy reaches mu. Steps are quasi-static and
 * iterated; the step in which the tip slips is divided again and again, so that its length is not the error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/validation.h"

enum { ROWS_MAX = 64, ELEMENTS_MAX = 128, FIRST_STEPS = 160, DIVIDED = 12, ROUNDS = 5, HOLD = 3 };

static const double K1 = 4.493409457909064; /* tan k = k: clamped and hinged */
static const double LAST_EPS = 0.3302854;   /* from there on the rod lies down on the plane */

typedef struct onset {
    int elements;
    double mu, radius;  /* of contact; 0: forces on the centreline, as in the theory */
    double eps, exact;  /* at which it slips */
    double width;       /* of the last step that held it */
    double force;       /* Fy just before */
    double ratio;       /* |Fx| / Fy just before: mu, but for the last step */
    double creep;       /* largest way of the tip while it stuck */
    double worst_error; /* E */
} onset;

typedef struct study {
    cst_validation base;
    cst_csv_file boundary, rounded, discrete;
    onset row[ROWS_MAX];
    int rows;
} study;

/* ---------------------------------------------------------------------------------------------------------------- first shape */

/* Arcs of the first mode, theta = rho (cos ks - 1 + k sin ks), plus a bend c by which the tip comes below the clamp. Where the tip
 * is: to the side, and (down) below. */
static double shape(int n, double rho, double c, double *curvature, double *down)
{
    double l = 1.0 / n, theta = 0, x = 0;
    *down = 0;
    for (int i = 0; i < n; i++) {
        double a = K1 * i * l, b = K1 * (i + 1) * l;
        double turn = rho * (cos(b) - cos(a) + K1 * (sin(b) - sin(a))) + c * l;
        double chord = turn == 0 ? l : l * sin(turn / 2) / (turn / 2);
        x += chord * sin(theta + turn / 2);
        *down += chord * cos(theta + turn / 2);
        theta += turn;
        curvature[i] = turn / l;
    }
    return x;
}

/* Slightly buckled, the tip exactly below the clamp; how far down it is. */
static double first_shape(int n, double mu, double *curvature)
{
    double rho = fmin(0.02, 0.3 * mu), c = 0, before_c = rho, down;
    double before = shape(n, rho, before_c, curvature, &down), x = shape(n, rho, c, curvature, &down);
    for (int k = 0; k < 50 && x != before && fabs(x) > 1e-17; k++) { /* secant */
        double next = c - x * (c - before_c) / (x - before);
        before = x;
        before_c = c;
        c = next;
        x = shape(n, rho, c, curvature, &down);
    }
    return down;
}

/* ---------------------------------------------------------------------------------------------------------------------- onset */

typedef struct pushing {
    cst_world *world;
    cst_body_id rod;
    cst_obstacle_id plane;
    double eps0;
} pushing;

/* A world in which the clamp is lowered to eps[k] at the end of step HOLD + k. */
static bool begin(const onset *at, const double *eps, int steps, pushing *out, char *message, size_t message_size)
{
    double curvature[ELEMENTS_MAX];
    cst_key key[FIRST_STEPS + ROUNDS * DIVIDED + 2] = {{.time = 0}, {.time = HOLD}};
    cst_world_def def = cst_world_def_default(2);
    def.gravity[1] = 0;
    def.time_step.dt = 1; /* orders the loads, no more */
    def.time_step.quasi_static = true;
    def.time_step.iterations = 200;
    def.friction_coefficient = at->mu;
    def.friction.tolerance = 1e-10;
    def.contact.at_centreline = at->radius == 0;
    def.contact.stabilisation = 1; /* a step begins on the plane, not where the last one was linearised */
    def.contact.recovery_speed = 1;
    cst_rod_def rod = cst_rod_def_default();
    double down = first_shape(at->elements, at->mu, curvature);
    rod.elements = at->elements;
    rod.length = rod.bending_stiffness = 1;
    rod.mass_per_length = 1e-6;
    rod.radius = at->radius > 0 ? at->radius : 1e-3;
    rod.curvature = curvature;
    rod.position[1] = down + rod.radius;
    rod.angle = -acos(0.0);
    rod.clamped = true;
    out->eps0 = 1 - down;
    for (int k = 0; k < steps; k++)
        key[2 + k] = (cst_key){.time = HOLD + k + 1, .translation = {0, -(eps[k] - out->eps0), 0}};
    rod.root_motion = (cst_motion){.key = key, .keys = 2 + steps};
    const cst_obstacle_def plane = cst_obstacle_def_default();
    out->world = cst_world_new(&def, message, message_size);
    out->rod = out->world ? cst_world_add_rod(out->world, &rod, message, message_size) : 0;
    out->plane = out->rod ? cst_world_add_obstacle(out->world, &plane, message, message_size) : 0;
    return out->plane != 0;
}

/* Lowers it; the number of steps of eps that it stuck, or -1. */
static int lower(onset *at, const double *eps, int steps, char *message, size_t message_size)
{
    pushing push = {0};
    int stuck = 0;
    bool good = begin(at, eps, steps, &push, message, message_size);
    at->creep = 0;
    for (int k = -HOLD; good && k < steps; k++) {
        cst_step_report report;
        cst_status status = cst_world_step(push.world, &report);
        /* Slip is a jump, on which the iteration may lose its way: then too it did not stick. How near |Fx| / Fy was to mu in the
         * last step that did is judged. */
        if (status == CST_NO_SOLUTION || status == CST_ILL_POSED || report.sliding > 0 ||
            (k >= 0 && status == CST_TOLERANCE_MISSED))
            break;
        good = status <= CST_TOLERANCE_MISSED;
        if (!good) {
            snprintf(message, message_size, "step %d: %s %s", k, cst_status_name(status), report.message);
            break;
        }
        double tip[3], force[3];
        cst_world_place(push.world, &(cst_place){.body = push.rod, .at_end = true}, tip, NULL, NULL);
        cst_world_obstacle_force(push.world, push.plane, force);
        at->worst_error = fmax(at->worst_error, report.residual.error);
        at->creep = fmax(at->creep, at->radius == 0 ? fabs(tip[0]) : 0);
        at->force = -force[1];
        at->ratio = fabs(force[0] / force[1]);
        stuck = k < 0 ? 0 : k + 1;
    }
    cst_world_free(push.world);
    return good ? stuck : -1;
}

/* The step in which it slips is divided, ROUNDS times. */
static bool find_onset(onset *at, char *message, size_t message_size)
{
    double eps[FIRST_STEPS + ROUNDS * DIVIDED], curvature[ELEMENTS_MAX];
    double eps0 = 1 - first_shape(at->elements, at->mu, curvature);
    int steps = FIRST_STEPS, stuck;
    for (int k = 0; k < steps; k++) { /* the sideways bend grows as the root of eps */
        double root = sqrt(eps0) + (sqrt(LAST_EPS) - sqrt(eps0)) * (k + 1) / steps;
        eps[k] = root * root;
    }
    for (int round = 0;; round++) {
        stuck = lower(at, eps, steps, message, message_size);
        if (stuck < 1 || stuck == steps) {
            if (stuck >= 0)
                snprintf(message, message_size, stuck == steps ? "it did not slip" : "it slipped at once");
            return false;
        }
        if (round == ROUNDS)
            break;
        double low = eps[stuck - 1], high = eps[stuck];
        for (int k = 0; k < DIVIDED; k++)
            eps[stuck + k] = low + (high - low) * (k + 1) / DIVIDED;
        steps = stuck + DIVIDED;
    }
    at->eps = 0.5 * (eps[stuck - 1] + eps[stuck]);
    at->width = eps[stuck] - eps[stuck - 1];
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------------- study */

/* mu at which it slips after eps, by the table: linear between its rows, which are near each other; NaN outside. */
static double critical_mu(const study *about, double eps)
{
    const cst_csv_file *table = &about->boundary;
    double before_eps = 0, before_mu = 0;
    for (int i = 0; i < table->rows; i++) {
        if (cst_csv_number(table, i, "Gamma") != 0)
            continue;
        double here = cst_csv_number(table, i, "eps=vertical_displacement/L"), mu = cst_csv_number(table, i, "mu_c=|Fx|/Fy");
        if (eps <= here) /* mu_c^2 is nearly linear in eps */
            return sqrt(before_mu * before_mu + (mu * mu - before_mu * before_mu) * (eps - before_eps) / (here - before_eps));
        before_eps = here;
        before_mu = mu;
    }
    return NAN;
}

/* What n elements of constant curvature should give; NaN if it is not tabulated. */
static double tabulated(const study *about, const onset *at, const char *column)
{
    for (int i = 0; i < about->discrete.rows && at->radius == 0; i++)
        if (cst_csv_number(&about->discrete, i, "n_elements") == at->elements &&
            fabs(cst_csv_number(&about->discrete, i, "mu") - at->mu) < 1e-9)
            return cst_csv_number(&about->discrete, i, column);
    return NAN;
}

static bool compute(study *about, int elements, double mu, double radius)
{
    onset at = {.elements = elements, .mu = mu, .radius = radius, .exact = NAN};
    char message[512] = "too many rows";
    for (int i = 0; i < about->discrete.rows; i++)
        if (fabs(cst_csv_number(&about->discrete, i, "mu") - mu) < 1e-9)
            at.exact = cst_csv_number(&about->discrete, i, "eps_c_exact");
    for (int i = 0; i < about->rounded.rows; i++)
        if (fabs(cst_csv_number(&about->rounded, i, "mu") - mu) < 1e-9)
            at.exact = cst_csv_number(&about->rounded, i, "eps_c");
    if (about->rows == ROWS_MAX || !find_onset(&at, message, sizeof message))
        return cst_validation_fault(&about->base, "mu %g, n %d, radius %g: %s", mu, elements, radius, message);
    about->row[about->rows++] = at;
    return true;
}

static double error_of(const onset *at)
{
    return at->eps / at->exact - 1; /* NaN where the table has no such mu */
}

static const onset *find(const study *about, const onset *like, int elements)
{
    for (int i = 0; i < about->rows; i++)
        if (about->row[i].elements == elements && about->row[i].mu == like->mu && about->row[i].radius == like->radius)
            return &about->row[i];
    return NULL;
}

static double order(const study *about, const onset *at)
{
    const onset *half = find(about, at, at->elements / 2);
    return half && at->elements % 2 == 0 ? log2(fabs(error_of(half) / error_of(at))) : NAN;
}

static void show(const study *about)
{
    static const char *const headings[] = {"mu",          "n",          "radius / L", "eps slips",        "error",
                                           "error/table", "off n arcs", "order",      "mu_c(eps)/mu - 1", "Fy L2/EI",
                                           "creep / L",   "E",          NULL};
    cst_table *table = cst_validation_table(headings);
    double mu = NAN;
    for (int i = 0; i < about->rows; i++) {
        const onset *at = &about->row[i];
        if (at->mu != mu)
            cst_table_rule(table);
        mu = at->mu;
        cst_table_cell(table, "%g", at->mu);
        cst_table_cell(table, "%d", at->elements);
        cst_table_cell(table, "%g", at->radius);
        cst_table_cell(table, "%.8f", at->eps);
        cst_validation_cell(table, "%.2e", error_of(at));
        cst_validation_cell(table, "%.3f", error_of(at) / tabulated(about, at, "rel_err"));
        cst_validation_cell(table, "%.0e", fabs(at->eps - tabulated(about, at, "eps_c_discrete")));
        cst_validation_cell(table, "%.2f", order(about, at));
        cst_table_cell(table, "%.1e", critical_mu(about, at->eps) / at->mu - 1);
        cst_table_cell(table, "%.4f", at->force);
        cst_table_cell(table, "%.0e", at->creep);
        cst_table_cell(table, "%.0e", at->worst_error);
    }
    cst_validation_print(table);
}

static void judge(study *about, int finest)
{
    double ratio = 0, apart = 0, low = HUGE_VAL, high = 0, master = 0, creep = 0, error = 0, width = 0, force = 0, short_of = 0;
    for (int i = 0; i < about->rows; i++) {
        const onset *at = &about->row[i];
        double of = fabs(error_of(at) / tabulated(about, at, "rel_err")), seen = order(about, at);
        if (!isnan(of)) {
            ratio = fmax(ratio, of);
            apart = fmax(apart, fabs(at->eps - tabulated(about, at, "eps_c_discrete")));
        }
        if (at->elements == finest && !isnan(seen)) {
            low = fmin(low, seen);
            high = fmax(high, seen);
        }
        creep = fmax(creep, at->creep);
        error = fmax(error, at->worst_error);
        width = fmax(width, at->width / at->eps);
        short_of = fmax(short_of, fabs(at->ratio / at->mu - 1));
        if (at->radius == 0 && at->elements >= 20)
            master = fmax(master, fabs(critical_mu(about, at->eps) / at->mu - 1));
        for (int k = 0; k < about->rounded.rows && at->radius == 0 && at->elements >= 20; k++)
            if (fabs(cst_csv_number(&about->rounded, k, "mu") - at->mu) < 1e-9)
                force = fmax(force, fabs(at->force / cst_csv_number(&about->rounded, k, "Fy_before_L2_over_EI") - 1));
    }
    cst_validation_at_most(&about->base, ratio, 2, "error of eps / that of stick_slip_convergence, largest");
    cst_validation_at_most(&about->base, apart, 2e-8, "eps where n arcs slip: |ours - tabulated|, largest");
    cst_validation_between(&about->base, low, 1.8, 2.2, "order at n = %d: lowest", finest);
    cst_validation_between(&about->base, high, 1.8, 2.2, "order at n = %d: highest", finest);
    cst_validation_at_most(&about->base, master, 1e-3, "|mu_c(eps) of the elastica / mu - 1|, n >= 20, largest");
    cst_validation_at_most(&about->base, force, 1e-2, "|Fy / that of the elastica - 1| at onset, n >= 20, largest");
    cst_validation_at_most(&about->base, creep, 1e-9, "way of the tip / L while it sticks, largest");
    cst_validation_at_most(&about->base, width, 1e-6, "last step of eps / eps, largest");
    cst_validation_at_most(&about->base, short_of, 1e-6, "|(|Fx| / Fy) / mu - 1| in the last step that sticks, largest");
    cst_validation_at_most(&about->base, error, 1e-8, "E, largest of all steps that stick");
    for (int i = 0; i < about->rows; i++)
        if (about->row[i].radius > 0)
            cst_validation_note(&about->base, error_of(&about->row[i]),
                                "error of eps with friction at the surface of a rod of radius %g L, n = %d, mu = %g",
                                about->row[i].radius, about->row[i].elements, about->row[i].mu);
}

static bool chart_boundary(const study *about)
{
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = "A rod pushed on a plane: when does its tip slip?",
                                              .subtitle = "above the line it sticks; line: elastica, markers: Capstan",
                                              .x = {.label = "lowering of the clamp ε = δ / L"},
                                              .y = {.label = "coefficient of friction μ"}});
    int line = cst_chart_series(chart, &(cst_series_style){.name = "|Fx| / Fy of the elastica", .line = CST_LINE_SOLID});
    cst_chart_point(chart, line, 0, 0);
    for (int i = 0; i < about->boundary.rows; i++)
        if (cst_csv_number(&about->boundary, i, "Gamma") == 0)
            cst_chart_point(chart, line, cst_csv_number(&about->boundary, i, "eps=vertical_displacement/L"),
                            cst_csv_number(&about->boundary, i, "mu_c=|Fx|/Fy"));
    int drawn[] = {5, 20};
    for (int k = 0; k < 2; k++) {
        char name[32];
        snprintf(name, sizeof name, "Capstan, n = %d", drawn[k]);
        int ours =
            cst_chart_series(chart, &(cst_series_style){.name = name, .marker = k == 0 ? CST_MARKER_CROSS : CST_MARKER_CIRCLE});
        for (int i = 0; i < about->rows; i++)
            if (about->row[i].elements == drawn[k] && about->row[i].radius == 0)
                cst_chart_point(chart, ours, about->row[i].eps, about->row[i].mu);
    }
    bool written = cst_chart_files_write(chart, about->base.out, "stick_slip_boundary");
    cst_chart_free(chart);
    return written;
}

static bool chart_errors(const study *about)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Onset of slip: error over the number of elements",
        .subtitle =
            "markers: Capstan; lines: what n elements of constant curvature should give; it changes sign between 5 and 10",
        .x = {.label = "elements n", .logarithmic = true},
        .y = {.label = "|ε − elastica| / ε", .logarithmic = true}});
    static const double shown[] = {0.1, 0.2, 0.3};
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "μ = %g", shown[k]);
        int line = cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = k + 1});
        int ours = cst_chart_series(chart, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = k + 1});
        for (int i = 0; i < about->rows; i++) {
            const onset *at = &about->row[i];
            if (at->mu != shown[k] || isnan(tabulated(about, at, "rel_err")))
                continue;
            cst_chart_point(chart, line, at->elements, fabs(tabulated(about, at, "rel_err")));
            cst_chart_point(chart, ours, at->elements, fabs(error_of(at)));
        }
    }
    bool written = cst_chart_files_write(chart, about->base.out, "stick_slip_error");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {"mu",           "n",     "radius", "eps", "error", "error_over_table", "order",
                                         "force_before", "creep", "E",      NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "stick_slip", header))
        return false;
    for (int i = 0; i < about->rows; i++) {
        const onset *at = &about->row[i];
        const double number[] = {at->radius,       at->eps,   error_of(at), error_of(at) / tabulated(about, at, "rel_err"),
                                 order(about, at), at->force, at->creep,    at->worst_error};
        cst_csv_real(&csv, at->mu);
        cst_csv_integer(&csv, at->elements);
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
            cst_csv_real(&csv, number[k]);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

static bool study_all(study *about)
{
    static const double mus[] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35};
    int finest = about->base.quick ? 40 : 80;
    for (int m = 0; m < 7; m++) {
        bool in_table = m == 1 || m == 3 || m == 5;
        for (int n = 5; n <= finest; n *= 2)
            if ((in_table && !(about->base.quick && m != 3)) || n == 20 ||
                (n == 5 && m < 6 && !about->base.quick)) /* with 5, mu = 0.35 never slips */
                if (cst_interrupted() || !compute(about, n, mus[m], 0))
                    return false;
        if (m == 3 && (!compute(about, 20, mus[m], 1e-3) || !compute(about, 20, mus[m], 1e-2)))
            return false;
    }
    show(about);
    judge(about, finest);
    return !about->base.out || (write_csv(about) && chart_boundary(about) && chart_errors(about));
}

int cst_bench_stick_slip(int argc, char **argv)
{
    static const char what[] = "A vertical rod pushed on a plane until its tip slips, against the elastica.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "stick-slip", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_validation_reference(&base, &about->boundary, "stick_slip_boundary.csv") &&
                cst_validation_reference(&base, &about->rounded, "stick_slip_onset.csv") &&
                cst_validation_reference(&base, &about->discrete, "stick_slip_convergence.csv") && study_all(about);
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    cst_csv_file_free(&about->boundary);
    cst_csv_file_free(&about->rounded);
    cst_csv_file_free(&about->discrete);
    free(about);
    return code;
}
