/* Equilibria of fibers that become unstable, each against its closed form or its tabulated boundary (validate/reference/README.md):
 *
 *     bend-twist   a heavy cantilever curved by nature leaves its plane: kappa0 L over Gamma = w L^3 / B
 *     lateral      a strip clamped on edge tips over under its weight: Gamma over B2 / B1, bent before it buckles
 *     Euler        columns and the flagpole of Greenhill
 *     ring         Michell: a ring with the twist tau leaves its plane at tau R = sqrt(3) B / C
 *     twist        a rod clamped at both ends, with tension T and moment M: 2 r (cos m - cos r) + T sin r = 0,
 *                  m = M / 2, r = sqrt(m^2 - T)
 *
 * L = B = 1. A moment is put in by a natural twist, the fiber being held untwisted: M = -C tau0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chart_files.h"
#include "cli/progress.h"
#include "physics/fibers.h"
#include "physics/fibers_growth.h"

enum { ELEMENTS_MAX = 512 };

static const double bisected_to = 1e-5;

typedef enum kind { BEND_TWIST, LATERAL, EULER, RING, TWIST, KINDS } kind;

static const char *const line_of[KINDS] = {"bend-twist boundary", "lateral buckling", "Euler loads", "Michell ring",
                                           "twist and tension"};

typedef enum ends { CLAMPED_FREE, PINNED_PINNED, CLAMPED_PINNED, CLAMPED_CLAMPED, OWN_WEIGHT } ends;

typedef struct situation {
    kind kind;
    cst_fiber_model model;
    int elements;
    double gamma, twisting; /* bend-twist; C / B */
    double along[2];        /* bend-twist: the clamp's direction in x, z */
    double weak;            /* lateral: B2 / B1 */
    ends ends;              /* Euler */
    double tension;         /* twist */
} situation;

/* Half an edge more, so that the end can be held in the middle of the last edge as the start is in the first (nodal models). */
static double length_of(const situation *at, bool held)
{
    return held && at->model != CST_FIBER_SUPER_HELIX ? (at->elements - 0.5) / (at->elements - 1.0) : 1.0;
}

static cst_fiber_def fiber_of(const situation *at, double *curvature)
{
    const double pi = acos(-1.0);
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.model = at->model;
    fiber.elements = at->elements;
    fiber.length = fiber.mass_per_length = fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 1;
    fiber.twisting_stiffness = at->twisting;
    fiber.radius = 1e-3;
    fiber.clamped = true;
    if (at->kind == LATERAL) { /* d1 = y: bends downwards about it with B1, sideways about d2 = z with B2 */
        fiber.bending_stiffness[1] = at->weak;
    } else if (at->kind !=
               EULER) { /* straight at first, or a ring. A heavy curl that unrolls from its own shape may end elsewhere */
        for (int i = 0; i < at->elements; i++) {
            curvature[3 * i] = curvature[3 * i + 1] = 0;
            curvature[3 * i + 2] = at->kind == RING ? 2 * pi : 0;
        }
        fiber.clamped = at->kind != RING;
        fiber.closed = at->kind == RING;
        fiber.curvature = curvature;
    }
    return fiber;
}

/* What holds the far end, with the force along x that acts there (compression negative). */
static bool hold_end(cst_world *world, const cst_fiber_def *fiber, cst_constraint_kind how, double place, double force,
                     char *message, size_t message_size)
{
    cst_constraint_def held = cst_constraint_def_default();
    held.kind = how;
    held.a = (cst_place){.body = 1, .s = place, .at_end = place >= fiber->length};
    held.b_follows_a = true;
    held.direction[0] = 1;
    cst_load_def load = cst_load_def_default();
    load.at = held.a;
    load.force[0] = force;
    return (how == CST_CONSTRAINT_PINNED || cst_world_add_constraint(world, &held, message, message_size)) &&
           cst_world_add_load(world, &load, message, message_size);
}

/* Viscosity over dt, so that no step overshoots (fibers_growth.c). What the models leave out of their matrix: the part of moments,
 * which is of the size of that of bending, and super helices also that of tension, up to T k^2 / (B k^4) with k = 2 and T = Gamma if it is its weight. */
static double damping_of(const situation *at)
{
    if (at->model != CST_FIBER_SUPER_HELIX)
        return 3;
    if (at->kind != BEND_TWIST)
        return 3 + fmax(at->tension, 0) / 8;
    return at->gamma / (at->along[0] == 0 ? 8 : 4); /* a curl clamped level stands on its bent root */
}

static cst_world *make(const void *about, double parameter, char *message, size_t message_size)
{
    const situation *at = about;
    double curvature[3 * ELEMENTS_MAX];
    cst_fiber_def fiber = fiber_of(at, curvature);
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = 1;
    def.time_step.quasi_static = def.time_step.relaxation = true;
    def.contact.self_contact = false;
    memset(def.gravity, 0, sizeof def.gravity);
    const double direction[2] = {at->kind == BEND_TWIST ? at->along[0] : 1, at->kind == BEND_TWIST ? at->along[1] : 0};
    if (at->kind == BEND_TWIST || at->kind == LATERAL)
        def.gravity[2] = at->kind == BEND_TWIST ? -at->gamma : -parameter;
    if (at->kind == EULER && at->ends == OWN_WEIGHT)
        def.gravity[0] = -parameter;
    /* Columns t, d1 = y, d2. Curvature about y turns t from x to -z. */
    const double frame[9] = {direction[0], 0, -direction[1], 0, 1, 0, direction[1], 0, direction[0]};
    memcpy(fiber.frame, frame, sizeof frame);
    if (at->kind == BEND_TWIST)
        fiber.natural_curvature[1] = -parameter;
    if (at->kind == RING || at->kind == TWIST)
        fiber.natural_curvature[0] = -parameter / at->twisting * (at->kind == RING ? 2 * acos(-1.0) : 1);
    const bool pinned = at->kind == EULER && at->ends == PINNED_PINNED;
    const bool both = at->kind == TWIST || (at->kind == EULER && at->ends == CLAMPED_CLAMPED);
    fiber.viscosity = damping_of(at) * def.time_step.dt;
    fiber.clamped = fiber.clamped && !pinned;
    fiber.length = length_of(at, both);
    cst_world *world = cst_world_new(&def, message, message_size);
    bool good = world && cst_world_add_fiber(world, &fiber, message, message_size);
    if (good && pinned) {
        cst_constraint_def held = cst_constraint_def_default();
        held.a = (cst_place){.body = 1};
        held.b_follows_a = true;
        good = cst_world_add_constraint(world, &held, message, message_size);
    }
    if (good && at->kind == TWIST)
        good = hold_end(world, &fiber, CST_CONSTRAINT_GUIDED, 1, at->tension, message, message_size);
    if (good && at->kind == EULER && at->ends != OWN_WEIGHT)
        good = hold_end(world, &fiber,
                        both                       ? CST_CONSTRAINT_GUIDED
                        : at->ends == CLAMPED_FREE ? CST_CONSTRAINT_PINNED /* not held */
                                                   : CST_CONSTRAINT_SLIDING,
                        1, -parameter, message, message_size);
    if (good)
        return world;
    cst_world_free(world);
    return NULL;
}

/* A case with n and with 2 n elements. */
static bool compare(cst_theory *about, const situation *like, int model, int elements, double reference, double x, const char *of)
{
    cst_theory_row *before = NULL;
    situation at = *like;
    at.model = cst_theory_model[model];
    const cst_growth_case growth = {
        .make = make,
        .about = &at,
        .look = at.kind == RING                               ? CST_DISTURB_RING
                : at.kind == BEND_TWIST || at.kind == LATERAL ? CST_DISTURB_ACROSS_PLANE
                                                              : CST_DISTURB_OFF_AXIS,
        .force = 1e-6 * (at.kind == LATERAL ? at.weak : 1),
        .place = at.kind == BEND_TWIST || at.kind == LATERAL || (at.kind == EULER && at.ends == OWN_WEIGHT) ? 0.9 : 0.45};
    for (int k = about->base.quick ? 1 : 0; k < 2; k++) {
        double critical;
        char message[256] = "";
        at.elements = elements << k;
        if (!cst_growth_critical(&growth, 0.85 * reference, 1.12 * reference, bisected_to, &critical, message, sizeof message))
            return cst_validation_fault(&about->base, "%s, %s, %s, n %d: %s", line_of[at.kind], of, cst_theory_model_name[model],
                                        at.elements, message);
        cst_theory_row *row =
            cst_theory_add(about, line_of[at.kind], cst_theory_model_name[model], at.elements, critical, reference);
        if (!row)
            return false;
        snprintf(row->of, sizeof row->of, "%s", of);
        row->x = x;
        cst_theory_refine(before, row, 2);
        before = row;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ the tables */

static bool run_bend_twist(cst_theory *about, const cst_csv_file *table, int model)
{
    for (int i = 0; i < table->rows; i++) {
        const char *setup = cst_csv_field(table, i, "setup");
        const double gamma = cst_csv_number(table, i, "Gamma"), critical = cst_csv_number(table, i, "kappa0_L_critical");
        const double nu = cst_csv_number(table, i, "nu(C/B=1/(1+nu))");
        if (isnan(critical) || gamma < 14 - 4 * (setup[1] == 'o') ||
            gamma > (cst_theory_model[model] == CST_FIBER_SUPER_HELIX ? 100 : 1000) || (about->base.quick && gamma != 20))
            continue;
        /* Upward curl: the clamp's curvature turns it upwards, and downwards against x likewise. */
        situation at = {.kind = BEND_TWIST, .gamma = gamma, .twisting = 1 / (1 + nu), .along = {1, 0}};
        if (strcmp(setup, "hanging") == 0) {
            at.along[0] = 0;
            at.along[1] = -1;
        } else if (strcmp(setup, "horizontal_curl_down") == 0) {
            at.along[0] = -1;
        }
        char of[64];
        snprintf(of, sizeof of, "%s, nu %g, Gamma %g: kappa0 L", setup, nu, gamma);
        if (!compare(about, &at, model, gamma > 100 ? 128 : 48, critical, gamma, of))
            return false;
    }
    return true;
}

static bool run_lateral(cst_theory *about, const cst_csv_file *table, int model)
{
    for (int i = 0; i < table->rows; i++) {
        const double weak = cst_csv_number(table, i, "B2/B1");
        if (about->base.quick && weak != 0.05)
            continue;
        const situation at = {
            .kind = LATERAL, .weak = weak, .twisting = cst_csv_number(table, i, "C/B1 (thin strip 2B2/(1+nu))")};
        char of[64];
        snprintf(of, sizeof of, "B2/B1 %g: w L3/B1", weak);
        if (!compare(about, &at, model, 32, cst_csv_number(table, i, "Gamma_c=w L^3/B1"), weak, of))
            return false;
    }
    return true;
}

static bool run_euler(cst_theory *about, const cst_csv_file *table, int model)
{
    for (int i = 0; i < table->rows && i <= OWN_WEIGHT; i++) {
        const situation at = {.kind = EULER, .ends = (ends)i, .twisting = 2.0 / 3.0};
        if (about->base.quick && i != OWN_WEIGHT)
            continue;
        char of[64];
        snprintf(of, sizeof of, "%.24s: %s", cst_csv_field(table, i, "bc"), i == OWN_WEIGHT ? "w L3/B" : "P L2/B");
        if (!compare(about, &at, model, 32, cst_csv_number(table, i, "P_c L^2/(EI)"), i, of))
            return false;
    }
    return true;
}

static bool run_ring(cst_theory *about, const cst_csv_file *table, int model)
{
    for (int i = 0; i < table->rows; i++) {
        const double ratio = cst_csv_number(table, i, "C_over_B");
        if (about->base.quick && i != table->rows - 1)
            continue;
        const situation at = {.kind = RING, .twisting = ratio};
        char of[64];
        snprintf(of, sizeof of, "C/B %.4g: C tau R/B", ratio);
        if (!compare(about, &at, model, 32, ratio * cst_csv_number(table, i, "tau_c*R"), ratio, of))
            return false;
    }
    return true;
}

static bool run_twist(cst_theory *about, const cst_csv_file *table, int model)
{
    for (int i = 0; i < table->rows; i++) {
        const double tension = cst_csv_number(table, i, "T L^2/B (tension>0)");
        const double moment = cst_csv_number(table, i, "M_c L/B clamped-clamped");
        const situation at = {.kind = TWIST, .twisting = 2.0 / 3.0, .tension = tension};
        if (tension > 200 || (about->base.quick && tension != 20))
            continue;
        char of[64];
        snprintf(of, sizeof of, "T L2/B %.4g: M L/B", tension);
        if (!compare(about, &at, model, tension > 50 ? 64 : 32, moment, tension, of))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------------- charts */

static bool chart(const cst_theory *about, kind of, const cst_chart_definition *definition, const char *name)
{
    cst_chart *picture = cst_chart_new(definition);
    const int theory = cst_chart_series(picture, &(cst_series_style){.name = "theory", .marker = CST_MARKER_CROSS, .colour = 9});
    for (int m = 0; m < CST_THEORY_MODELS; m++) {
        static const cst_marker marker[CST_THEORY_MODELS] = {CST_MARKER_CIRCLE, CST_MARKER_SQUARE, CST_MARKER_TRIANGLE};
        const int series = cst_chart_series(picture, &(cst_series_style){.name = cst_theory_model_name[m], .marker = marker[m]});
        for (int i = 0; i < about->rows; i++) {
            const cst_theory_row *at = &about->row[i];
            if (at->line != line_of[of] || at->model != cst_theory_model_name[m] || !at->finest)
                continue;
            cst_chart_point(picture, series, at->x, at->value);
            if (m == 0)
                cst_chart_point(picture, theory, at->x, at->reference);
        }
    }
    const bool written = cst_chart_files_write(picture, about->base.out, name);
    cst_chart_free(picture);
    return written;
}

static bool draw(const cst_theory *about)
{
    return chart(about, BEND_TWIST,
                 &(cst_chart_definition){.title = "A heavy curl leaves its plane",
                                         .subtitle = "natural curvature at which the planar state is lost; three clamps",
                                         .x = {.label = "Γ = w L³ / B", .logarithmic = true},
                                         .y = {.label = "κ₀ L"}},
                 "fibers_bend_twist") &&
           chart(about, LATERAL,
                 &(cst_chart_definition){.title = "A strip on edge tips over under its weight",
                                         .subtitle = "bent before it buckles, the more the less it is a ribbon",
                                         .x = {.label = "B₂ / B₁", .logarithmic = true},
                                         .y = {.label = "w L³ / B₁", .logarithmic = true}},
                 "fibers_lateral") &&
           chart(about, TWIST,
                 &(cst_chart_definition){.title = "A twisted rod under tension, clamped at both ends",
                                         .subtitle = "moment at which it buckles",
                                         .x = {.label = "T L² / B"},
                                         .y = {.label = "M L / B"}},
                 "fibers_twist");
}

bool cst_theory_stability(cst_theory *about)
{
    static const char *const file[KINDS] = {"bend_twist_boundary.csv", "lateral_buckling_ribbon.csv", "euler_loads.csv",
                                            "michell_ring.csv", "twist_tension_critical.csv"};
    static bool (*const run[KINDS])(cst_theory *, const cst_csv_file *, int) = {run_bend_twist, run_lateral, run_euler, run_ring,
                                                                                run_twist};
    bool good = true;
    for (int k = 0; good && k < KINDS; k++) {
        cst_csv_file table;
        good = cst_validation_reference(&about->base, &table, file[k]);
        for (int m = 0; good && m < CST_THEORY_MODELS; m++)
            good = !cst_interrupted() && run[k](about, &table, m);
        cst_csv_file_free(&table);
        for (int m = 0; good && m < CST_THEORY_MODELS; m++) {
            double low, high;
            cst_theory_orders(about, line_of[k], cst_theory_model_name[m], &low, &high);
            if (!about->base.quick) {
                cst_validation_between(&about->base, low, 1.8, 2.2, "%s, %s: order, lowest", line_of[k],
                                       cst_theory_model_name[m]);
                cst_validation_between(&about->base, high, 1.8, 2.2, "%s, %s: order, highest", line_of[k],
                                       cst_theory_model_name[m]);
            }
            cst_validation_at_most(&about->base, cst_theory_worst(about, line_of[k], cst_theory_model_name[m]), 0.01,
                                   "%s, %s: relative error, largest", line_of[k], cst_theory_model_name[m]);
        }
    }
    return good && (!about->base.out || draw(about));
}
