/* capstan-bench capstan: a rod around a fixed cylinder, pulled at one end against a load at the other, until all of it slips.
 *
 * A rope holds F2/F1 = exp(mu phi). An elastic rod (bending stiffness B, radius r, cylinder R, angle phi between the loads) bends
 * beyond the points where it takes off, and pushes there with point forces P that carry friction too (r = 0):
 *
 *     cos(psi_i) = 1 - B / (2 F_i R^2),    P_i = F_i sin(psi_i),
 *     F2 (cos psi2 - mu sin psi2) = F1 (cos psi1 + mu sin psi1) exp(mu (phi - psi1 - psi2))
 *
 * and with r > 0 friction acts at the surface, as a couple about the centreline (validate/reference/README.md). Steps are quasi-static and
 * iterated; M / dt^2 only damps the way to the equilibrium. The end is pulled ever more slowly: what is read at last is an
 * equilibrium in which everything slips. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/validation.h"

enum { ROWS_MAX = 256, ELEMENTS_MAX = 1024, PULLED = 50, SLOWING = 80, PHASES = 6 };

static const double RADIUS_AT_CENTRELINE = 0.05; /* of contact, where forces act on the centreline and it does not count */
static const double LEG = 9;                     /* in lengths sqrt(B / F1) over which a leg straightens */

typedef struct pulling {
    double mu, turns;       /* phi / pi */
    double stiffness;       /* F1 R^2 / B */
    double r;               /* of the rod / R; 0: forces on the centreline */
    int elements;           /* on half a turn */
    double phase;           /* of an element, by which the rod has moved on when it is read */
    double exact, measured; /* F2 / F1 */
    double short_of;        /* what it still changed by in that step, relative */
    double speed;           /* at which it was pulled then, of that at first */
    double worst_error;     /* E */
} pulling;

typedef struct study {
    cst_validation base;
    cst_csv_file reference;
    pulling row[ROWS_MAX];
    int rows;
    int sweep; /* the first so many: one of each row of the table; then convergence */
} study;

/* Of pulling, in a step, of that at first. */
static double speed_at(int step)
{
    return step < PULLED ? 1 : exp2(-(step - PULLED) / 6.0);
}

/* One quasi-static step after the other, and the force at the end that is pulled in the last of them in which everything slips. */
static bool pull(cst_world *world, cst_constraint_id held, const double *along, double f1, pulling *at, char *message,
                 size_t message_size)
{
    at->speed = 1;
    for (int k = 0; k < PULLED + SLOWING; k++) {
        cst_step_report report;
        cst_status status = cst_world_step(world, &report);
        if (status > CST_TOLERANCE_MISSED) {
            snprintf(message, message_size, "step %d: %s %s", k, cst_status_name(status), report.message);
            return false;
        }
        at->worst_error = fmax(at->worst_error, report.residual.error);
        /* Elements come on the cylinder and leave it, which may let a part slip back by more than is pulled at last. */
        if (report.sliding == 0 || report.sticking > 0)
            continue;
        double force[3], moment[3];
        cst_world_constraint_force(world, held, force, moment);
        const double ratio = (force[0] * along[0] + force[1] * along[1]) / f1;
        at->short_of = fabs(ratio - at->measured) / ratio;
        at->measured = ratio;
        at->speed = speed_at(k);
    }
    return true;
}

/* R = B = 1: up on the left, clockwise over the cylinder, away with the direction of F2. */
static bool slip(pulling *at, char *message, size_t message_size)
{
    const double pi = acos(-1.0), f1 = at->stiffness, a = at->r > 0 ? 1 + at->r : 1;
    const double h = a * pi / at->elements;
    const int on_arc = (int)lround(at->turns * at->elements), leg = (int)ceil(LEG / sqrt(f1) / h);
    const int elements = on_arc + 2 * leg;
    double curvature[ELEMENTS_MAX] = {0};
    if (elements > ELEMENTS_MAX) {
        snprintf(message, message_size, "too many elements");
        return false;
    }
    for (int i = 0; i < on_arc; i++)
        curvature[leg + i] = -1 / a;
    cst_world_def def = cst_world_def_default(2);
    def.gravity[1] = 0;
    def.time_step.dt = 1;
    def.time_step.quasi_static = def.time_step.relaxation = true;
    def.time_step.iterations = 40;
    def.friction_coefficient = at->mu;
    def.friction.tolerance = 1e-9;
    def.contact.at_centreline = at->r == 0;
    def.contact.self_contact = false; /* legs cross, turns lie on each other */
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = elements;
    rod.length = elements * h;
    rod.radius = at->r > 0 ? at->r : RADIUS_AT_CENTRELINE;
    rod.bending_stiffness = 1;
    /* Damps the way to the equilibrium: legs settle in a few steps, sooner than the pulling slows down. */
    rod.mass_per_length = f1 * f1 / 12;
    rod.position[0] = -a;
    rod.position[1] = -leg * h;
    rod.angle = pi / 2;
    rod.curvature = curvature;
    cst_obstacle_def cylinder = cst_obstacle_def_default();
    cylinder.shape = CST_OBSTACLE_DISK;
    cylinder.radius = a - rod.radius;
    cst_world *world = cst_world_new(&def, message, message_size);
    const cst_body_id body = world ? cst_world_add_rod(world, &rod, message, message_size) : 0;
    const double direction = pi / 2 - at->turns * pi, along[2] = {cos(direction), sin(direction)};
    cst_load_def load = cst_load_def_default();
    load.at = (cst_place){.body = body};
    load.force[1] = -f1;
    /* Pulled along, free across: the force has no other component. */
    cst_constraint_def held = cst_constraint_def_default();
    held.kind = CST_CONSTRAINT_SLIDING;
    held.a = (cst_place){.body = body, .at_end = true};
    held.b_follows_a = true;
    held.direction[0] = -along[1];
    held.direction[1] = along[0];
    cst_key key[PULLED + SLOWING + 1];
    double way = 0, per_step = (0.1 + at->phase * h) / PULLED;
    for (int k = 0; k <= PULLED + SLOWING; k++) {
        key[k] = (cst_key){.time = k, .translation = {way * along[0], way * along[1], 0}};
        way += per_step * speed_at(k);
    }
    held.motion = (cst_motion){.key = key, .keys = PULLED + SLOWING + 1};
    const cst_constraint_id end = body && cst_world_add_obstacle(world, &cylinder, message, message_size) &&
                                          cst_world_add_load(world, &load, message, message_size)
                                      ? cst_world_add_constraint(world, &held, message, message_size)
                                      : 0;
    const bool good = end && pull(world, end, along, f1, at, message, message_size);
    cst_world_free(world);
    return good;
}

static bool compute(study *about, const pulling *like)
{
    pulling at = *like;
    char message[512] = "too many rows";
    if (about->rows == ROWS_MAX || !slip(&at, message, sizeof message))
        return cst_validation_fault(&about->base, "mu %g, phi %g pi, F1 R^2/B %g, r/R %g, n %d: %s", at.mu, at.turns,
                                    at.stiffness, at.r, at.elements, message);
    about->row[about->rows++] = at;
    return true;
}

static double error_of(const pulling *at)
{
    return at->measured / at->exact - 1;
}

/* A row of the table; false if it is not in it, or not valid there. */
static bool look_up(const study *about, int row, pulling *out)
{
    const cst_csv_file *table = &about->reference;
    *out = (pulling){.mu = cst_csv_number(table, row, "mu"),
                     .turns = cst_csv_number(table, row, "phi_over_pi"),
                     .stiffness = cst_csv_number(table, row, "F1*R^2/B"),
                     .r = cst_csv_number(table, row, "r_over_R"),
                     .exact = cst_csv_number(table, row, "F2_over_F1")};
    return cst_csv_number(table, row, "valid") == 1;
}

/* ------------------------------------------------------------------------------------------------------------------- the sweep */

static bool run_sweep(study *about)
{
    for (int i = 0; i < about->reference.rows; i++) {
        pulling at;
        const bool taken =
            look_up(about, i, &at) && at.turns <= (about->base.quick ? 1 : 2) &&
            (at.stiffness == 10 || (!about->base.quick && at.turns == 1 && (at.stiffness == 2 || at.stiffness == 50)));
        if (!taken)
            continue;
        at.elements = about->base.quick ? 16 : 24;
        if (cst_interrupted() || !compute(about, &at))
            return false;
    }
    about->sweep = about->rows;
    return true;
}

static void show_sweep(study *about)
{
    static const char *const headings[] = {"mu",     "phi/pi", "F1 R2/B",         "r/R",      "n on pi", "F2/F1",
                                           "theory", "error",  "exp(mu phi) off", "at speed", "E",       NULL};
    cst_table *table = cst_validation_table(headings);
    double worst[2] = {0, 0}, rope = 0, error = 0, short_of = 0, speed = 0, mu = NAN, turns = NAN;
    for (int i = 0; i < about->sweep; i++) {
        const pulling *at = &about->row[i];
        if (at->mu != mu || at->turns != turns)
            cst_table_rule(table);
        mu = at->mu;
        turns = at->turns;
        const double ideal = exp(at->mu * at->turns * acos(-1.0));
        cst_table_cell(table, "%g", at->mu);
        cst_table_cell(table, "%g", at->turns);
        cst_table_cell(table, "%g", at->stiffness);
        cst_table_cell(table, "%g", at->r);
        cst_table_cell(table, "%d", at->elements);
        cst_table_cell(table, "%.5f", at->measured);
        cst_table_cell(table, "%.5f", at->exact);
        cst_table_cell(table, "%.1e", error_of(at));
        cst_table_cell(table, "%.1e", ideal / at->exact - 1);
        cst_table_cell(table, "%.0e", at->speed);
        cst_table_cell(table, "%.0e", at->worst_error);
        worst[at->r > 0] = fmax(worst[at->r > 0], fabs(error_of(at)));
        rope = fmax(rope, fabs(ideal / at->exact - 1));
        error = fmax(error, at->worst_error);
        short_of = fmax(short_of, at->short_of);
        speed = fmax(speed, at->speed);
    }
    cst_validation_print(table);
    const int n = about->row[0].elements;
    cst_validation_at_most(&about->base, worst[0], 1e-2, "|F2/F1 / theory - 1|, forces on the centreline, n = %d: largest", n);
    cst_validation_at_most(&about->base, worst[1], 1e-2, "|F2/F1 / theory - 1|, friction at the surface, n = %d: largest", n);
    cst_validation_note(&about->base, rope, "how far exp(mu phi) is off the theory in these cases: largest");
    cst_validation_at_most(&about->base, short_of, 1e-3,
                           "relative change of F2 in the last step in which everything slips: largest");
    cst_validation_at_most(&about->base, speed, 0.1, "speed of pulling in that step, of that at first: largest");
    cst_validation_at_most(&about->base, error, 1e-8, "E, largest of all steps");
}

/* ----------------------------------------------------------------------------------------------------------------- convergence */

/* Where elements lie on the cylinder matters at any one n: several places, root mean square. */
static double spread_error(const study *about, double mu, double r, int elements)
{
    double sum = 0;
    int count = 0;
    for (int i = about->sweep; i < about->rows; i++)
        if (about->row[i].mu == mu && about->row[i].r == r && about->row[i].elements == elements) {
            sum += error_of(&about->row[i]) * error_of(&about->row[i]);
            count++;
        }
    return count ? sqrt(sum / count) : NAN;
}

static const double order_mu[] = {0.1, 0.5}, order_r[] = {0, 0.05};

/* From how many elements on, and from which mu on: all, unless it has to be quick. */
static int coarsest(const study *about, int finest)
{
    return about->base.quick ? finest / 2 : finest / 4;
}

static int first_mu(const study *about)
{
    return about->base.quick ? 1 : 0;
}

static bool run_orders(study *about, int finest)
{
    for (int i = 0; i < about->reference.rows; i++) {
        pulling at;
        if (!look_up(about, i, &at) || at.turns != 1 || at.stiffness != 10 || at.r > 0.06 || at.mu < order_mu[first_mu(about)])
            continue;
        for (at.elements = coarsest(about, finest); at.elements <= finest; at.elements *= 2)
            for (int k = 0; k < PHASES; k += about->base.quick ? 2 : 1) {
                at.phase = (double)k / PHASES;
                if (cst_interrupted() || !compute(about, &at))
                    return false;
            }
    }
    return true;
}

static void show_orders(study *about, int finest)
{
    static const char *const headings[] = {"mu", "r/R", "n on pi", "degrees each", "error, rms", "order", NULL};
    cst_table *table = cst_validation_table(headings);
    double first = 0, last = 0, worst = 0;
    for (int m = first_mu(about); m < 2; m++)
        for (int r = 0; r < 2; r++) {
            cst_table_rule(table);
            for (int n = coarsest(about, finest); n <= finest; n *= 2) {
                const double error = spread_error(about, order_mu[m], order_r[r], n);
                cst_table_cell(table, "%g", order_mu[m]);
                cst_table_cell(table, "%g", order_r[r]);
                cst_table_cell(table, "%d", n);
                cst_table_cell(table, "%.2f", 180.0 / n);
                cst_table_cell(table, "%.2e", error);
                cst_validation_cell(table, "%.2f", log2(spread_error(about, order_mu[m], order_r[r], n / 2) / error));
            }
            const double coarse = spread_error(about, order_mu[m], order_r[r], coarsest(about, finest)),
                         fine = spread_error(about, order_mu[m], order_r[r], finest);
            first += coarse * coarse;
            last += fine * fine;
            worst = fmax(worst, fine);
        }
    cst_validation_print(table);
    /* Of any one case it is uncertain: the error changes its sign with the place of the elements. */
    cst_validation_between(&about->base, 0.5 * log2(first / last) / log2((double)finest / coarsest(about, finest)), 1.6, 2.5,
                           "order from n = %d to %d, F1 R^2/B = 10, all cases together", coarsest(about, finest), finest);
    cst_validation_at_most(&about->base, worst, 5e-3, "error at n = %d, F1 R^2/B = 10, rms over places: largest", finest);
}

/* ---------------------------------------------------------------------------------------------------------------------- charts */

static bool chart_ratio(const study *about)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Capstan ratio of an elastic rod",
        .subtitle = "half a turn; lines: theory of the elastic rod with its thickness, markers: Capstan; a rope would be at 1",
        .x = {.label = "F₁R² / B", .logarithmic = true},
        .y = {.label = "F₂ / F₁ at slip, over exp(μφ)"}});
    static const double radii[] = {0, 0.05, 0.1};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "μ = %g, r/R = %g", order_mu[m], radii[k]);
            int line =
                cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = 3 * m + k + 1});
            int ours =
                cst_chart_series(chart, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = 3 * m + k + 1});
            for (int i = 0; i < about->reference.rows; i++) {
                pulling at;
                if (look_up(about, i, &at) && at.mu == order_mu[m] && at.turns == 1 && at.r == radii[k] && at.stiffness <= 1000)
                    cst_chart_point(chart, line, at.stiffness, at.exact * exp(-at.mu * acos(-1.0)));
            }
            for (int i = 0; i < about->sweep; i++) {
                const pulling *at = &about->row[i];
                if (at->mu == order_mu[m] && at->turns == 1 && at->r == radii[k])
                    cst_chart_point(chart, ours, at->stiffness, at->measured * exp(-at->mu * acos(-1.0)));
            }
        }
    bool written = cst_chart_files_write(chart, about->base.out, "capstan_ratio");
    cst_chart_free(chart);
    return written;
}

static bool chart_errors(const study *about, int finest)
{
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = "Capstan ratio: error over the number of elements",
        .subtitle = "half a turn, F₁R²/B = 10; dots: one place of the elements each, lines: their root mean square",
        .x = {.label = "elements on half a turn", .logarithmic = true},
        .y = {.label = "|F₂/F₁ / theory − 1|", .logarithmic = true}});
    for (int m = first_mu(about); m < 2; m++)
        for (int r = 0; r < 2; r++) {
            char name[64];
            snprintf(name, sizeof name, "μ = %g, %s", order_mu[m],
                     order_r[r] > 0 ? "friction at the surface" : "on the centreline");
            int line =
                cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = 2 * m + r + 1});
            int ours =
                cst_chart_series(chart, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = 2 * m + r + 1});
            for (int n = coarsest(about, finest); n <= finest; n *= 2)
                cst_chart_point(chart, line, n, spread_error(about, order_mu[m], order_r[r], n));
            for (int i = about->sweep; i < about->rows; i++)
                if (about->row[i].mu == order_mu[m] && about->row[i].r == order_r[r])
                    cst_chart_point(chart, ours, about->row[i].elements, fabs(error_of(&about->row[i])));
        }
    int two = cst_chart_series(chart, &(cst_series_style){.name = "order 2", .line = CST_LINE_DASHED, .colour = 10});
    for (int n = coarsest(about, finest); n <= finest; n *= 2)
        cst_chart_point(chart, two, n, 1.5 / (n * n));
    bool written = cst_chart_files_write(chart, about->base.out, "capstan_error");
    cst_chart_free(chart);
    return written;
}

static bool write_csv(const study *about)
{
    static const char *const header[] = {"mu",    "phi_over_pi", "F1R2_over_B", "r_over_R", "n_on_pi", "phase",
                                         "ratio", "theory",      "error",       "E",        NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "capstan", header))
        return false;
    for (int i = 0; i < about->rows; i++) {
        const pulling *at = &about->row[i];
        const double number[] = {at->phase, at->measured, at->exact, error_of(at), at->worst_error};
        cst_csv_real(&csv, at->mu);
        cst_csv_real(&csv, at->turns);
        cst_csv_real(&csv, at->stiffness);
        cst_csv_real(&csv, at->r);
        cst_csv_integer(&csv, at->elements);
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
            cst_csv_real(&csv, number[k]);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

static bool study_all(study *about)
{
    int finest = about->base.quick ? 16 : 32;
    if (!run_sweep(about) || !run_orders(about, finest))
        return false;
    show_sweep(about);
    show_orders(about, finest);
    return !about->base.out || (write_csv(about) && chart_ratio(about) && chart_errors(about, finest));
}

int cst_bench_capstan(int argc, char **argv)
{
    static const char what[] =
        "A rod around a cylinder, pulled until all of it slips, against the theory of the elastic capstan.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "capstan", what, &code))
        return code;
    study *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_validation_reference(&base, &about->reference, "capstan_elastic_rod.csv") && study_all(about);
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    cst_csv_file_free(&about->reference);
    free(about);
    return code;
}
