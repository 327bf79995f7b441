/* A rope wound around a post as a helix, pulled at one end against a load F1 at the other until all of it slips, for turning angles to
 * 4 pi: F2 / F1 of the elastic capstan (validate/reference/README.md; capstan.c has the formulas and the same in the plane to 2 pi).
 *
 * The helix rises by 2.5 radii per turn, its slope being so small that what it changes (the curvature, by cos^2) is below 1e-3. Both
 * ends go on straight as the helix does. Quasi-static, iterated steps, as in the plane; pulled ever more slowly, what is read at last is
 * an equilibrium in which everything slips. R = B = 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/chart_files.h"
#include "cli/progress.h"
#include "math/vector3.h"
#include "physics/fibers.h"

enum { ELEMENTS_MAX = 512, PULLED = 6, SLOWING = 20 };

static const char LINE[] = "capstan helix";
#define CASE "mu %g, phi %g pi, r/R %g"
static const double RADIUS_AT_CENTRELINE = 0.05; /* of contact, where forces act on the centreline and it does not count */
static const double LEG = 9;                     /* in lengths sqrt(B / F1) over which a leg straightens */

typedef struct winding {
    double mu, turns; /* phi / pi */
    double stiffness; /* F1 R^2 / B */
    double r;         /* of the rope / R; 0: forces on the centreline */
    int elements;     /* on half a turn */
    double measured;  /* F2 / F1 */
    double speed;     /* of pulling in that step, of that at first */
    double error;     /* E, largest */
} winding;

/* Of pulling, in a step, of that at first. */
static double speed_at(int step)
{
    return step < PULLED ? 1 : exp2(-(step - PULLED) / 2.0);
}

static bool pull(cst_world *world, const double *along, double f1, winding *at, char *message, size_t message_size)
{
    for (int k = 0; k < PULLED + SLOWING; k++) {
        cst_step_report report;
        const cst_status status = cst_world_step(world, &report);
        if (status > CST_TOLERANCE_MISSED || cst_interrupted()) {
            snprintf(message, message_size, "%s %.200s, in step %d", cst_status_name(status), report.message, k);
            return false;
        }
        at->error = fmax(at->error, report.residual.error);
        double force[3], moment[3];
        cst_world_constraint_force(world, 1, force, moment);
        if (report.sliding == 0 || report.sticking > 0)
            continue;
        at->measured = cst_dot3(force, along) / f1;
        at->speed = speed_at(k);
    }
    return true;
}

/* Nodes so far out that edges touch the post with their middles. Returns the length. */
static double wind(const winding *at, double a, double slope, int leg, int on_arc, double *point, double *along, double *side)
{
    const double pi = acos(-1.0), turn = at->turns * pi / (on_arc + 1), out = a / cos(0.5 * turn);
    const double l = 2 * out * sin(0.5 * turn), h = hypot(l, l * slope);
    for (int i = 0; i <= on_arc; i++) {
        double *x = point + 3 * (leg + i);
        x[0] = out * cos(i * turn);
        x[1] = out * sin(i * turn);
        x[2] = i * l * slope;
    }
    for (int end = 0; end < 2; end++) {
        const double angle = end == 0 ? -0.5 * turn : (on_arc + 0.5) * turn, sign = end == 0 ? -1 : 1;
        const double t[3] = {-sin(angle) * l / h, cos(angle) * l / h, l * slope / h};
        for (int i = 1; i <= leg; i++)
            for (int k = 0; k < 3; k++)
                point[3 * (end == 0 ? leg - i : leg + on_arc + i) + k] =
                    point[3 * (end == 0 ? leg : leg + on_arc) + k] + sign * i * h * t[k];
        memcpy(along + 3 * end, t, sizeof t);
        side[0] = cos(angle);
        side[1] = sin(angle);
        side[2] = 0;
    }
    return h;
}

static bool slip(winding *at, char *message, size_t message_size)
{
    const double pi = acos(-1.0), f1 = at->stiffness, a = at->r > 0 ? 1 + at->r : 1;
    const double radius = at->r > 0 ? at->r : RADIUS_AT_CENTRELINE, slope = 2.5 * radius / (2 * pi * a);
    const int on_arc = (int)lround(at->turns * at->elements), leg = (int)ceil(LEG / sqrt(f1) / (a * pi / at->elements));
    double point[3 * (ELEMENTS_MAX + 1)], along[6], side[3];
    if (on_arc + 2 * leg > ELEMENTS_MAX) {
        snprintf(message, message_size, "too many elements");
        return false;
    }
    cst_world_def def = cst_world_def_default(3);
    memset(def.gravity, 0, sizeof def.gravity);
    def.time_step.dt = 1;
    def.time_step.quasi_static = def.time_step.relaxation = true;
    def.time_step.iterations = 40;
    def.friction_coefficient = at->mu;
    def.friction.tolerance = 1e-9;
    /* Sweeps carry forces from contact to contact, which here grow 500-fold along the rope; Newton sees them all. */
    def.friction.solver = CST_SOLVER_NEWTON_ALART_CURNIER;
    def.friction.threads = 1;
    def.contact.at_centreline = at->r == 0;
    def.contact.self_contact = false; /* turns lie half a radius apart */
    cst_fiber_def rope = cst_fiber_def_default();
    rope.model = CST_FIBER_DISCRETE_ROD;
    rope.elements = on_arc + 2 * leg;
    rope.length = rope.elements * wind(at, a, slope, leg, on_arc, point, along, side);
    rope.radius = radius;
    rope.bending_stiffness[0] = rope.bending_stiffness[1] = 1;
    rope.twisting_stiffness = 2.0 / 3.0;
    rope.mass_per_length = f1 * f1 / 12; /* damps the way to the equilibrium, as in the plane */
    rope.point = point;
    memcpy(rope.frame, (const double[9]){0, 1, 0, 1, 0, 0, 0, 0, -1}, sizeof rope.frame);
    cst_obstacle_def post = cst_obstacle_def_default();
    post.shape = CST_OBSTACLE_CYLINDER;
    post.radius = a - radius;
    post.size[0] = 10;
    cst_load_def load = cst_load_def_default();
    load.at = (cst_place){.body = 1};
    for (int k = 0; k < 3; k++)
        load.force[k] = -f1 * along[k];
    /* Pulled along, free away from the post. */
    cst_constraint_def held = cst_constraint_def_default();
    held.kind = CST_CONSTRAINT_SLIDING;
    held.a = (cst_place){.body = 1, .at_end = true};
    held.b_follows_a = true;
    memcpy(held.direction, side, sizeof side);
    cst_key key[PULLED + SLOWING + 1];
    double way = 0;
    for (int k = 0; k <= PULLED + SLOWING; k++) {
        key[k] = (cst_key){.time = k, .translation = {way * along[3], way * along[4], way * along[5]}};
        way += k == 0 ? 0.08 : 0.005 * speed_at(k); /* at first more than the legs give when they bend: all of it slips at once */
    }
    held.motion = (cst_motion){.key = key, .keys = PULLED + SLOWING + 1};
    cst_world *world = cst_world_new(&def, message, message_size);
    const bool good =
        world && cst_world_add_fiber(world, &rope, message, message_size) &&
        cst_world_add_obstacle(world, &post, message, message_size) && cst_world_add_load(world, &load, message, message_size) &&
        cst_world_add_constraint(world, &held, message, message_size) && pull(world, along + 3, f1, at, message, message_size);
    cst_world_free(world);
    return good;
}

static bool run(cst_theory *about, const cst_csv_file *table, double *error, double *speed)
{
    for (int i = 0; i < table->rows; i++) {
        winding at = {.mu = cst_csv_number(table, i, "mu"),
                      .turns = cst_csv_number(table, i, "phi_over_pi"),
                      .stiffness = cst_csv_number(table, i, "F1*R^2/B"),
                      .r = cst_csv_number(table, i, "r_over_R"),
                      .elements = 24};
        if (at.turns > 2 && at.mu > 0.3)
            at.elements = 32; /* the error of discrete contacts is mu phi (1 + mu^2) d^2 / 12 */
        char message[256] = "";
        if (cst_csv_number(table, i, "valid") != 1 || at.stiffness != 10 || at.r > 0.06 ||
            (about->base.quick && (at.mu != 0.5 || at.turns != 1 || at.r > 0)))
            continue;
        if (!slip(&at, message, sizeof message))
            return cst_validation_fault(&about->base, "capstan, mu %g, phi %g pi, r/R %g: %s", at.mu, at.turns, at.r, message);
        cst_theory_row *row =
            cst_theory_add(about, LINE, "discrete rod", at.elements, at.measured, cst_csv_number(table, i, "F2_over_F1"));
        if (!row)
            return false;
        snprintf(row->of, sizeof row->of, CASE, at.mu, at.turns, at.r);
        row->x = at.turns;
        *error = fmax(*error, at.error);
        *speed = fmax(*speed, at.speed);
    }
    return true;
}

static bool chart(const cst_theory *about, const cst_csv_file *table)
{
    cst_chart *picture = cst_chart_new(&(cst_chart_definition){
        .title = "A rope around a post, to two turns",
        .subtitle = "F₁ R² / B = 10; lines: theory of the elastic rod through φ = π, 2π, 4π; markers: Capstan, a helix in space",
        .x = {.label = "turning angle φ / π"},
        .y = {.label = "F₂ / F₁ when all of it slips", .logarithmic = true}});
    static const double mu[] = {0.1, 0.5}, r[] = {0, 0.05};
    for (int k = 0; k < 4; k++) {
        char name[64];
        snprintf(name, sizeof name, "μ = %g, %s", mu[k / 2],
                 k % 2 ? "friction at the surface, r / R = 0.05" : "on the centreline");
        const int line = cst_chart_series(picture, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = k + 1});
        const int ours = cst_chart_series(picture, &(cst_series_style){.name = "", .marker = CST_MARKER_CIRCLE, .colour = k + 1});
        for (int i = 0; i < table->rows; i++)
            if (cst_csv_number(table, i, "mu") == mu[k / 2] && cst_csv_number(table, i, "r_over_R") == r[k % 2] &&
                cst_csv_number(table, i, "F1*R^2/B") == 10)
                cst_chart_point(picture, line, cst_csv_number(table, i, "phi_over_pi"), cst_csv_number(table, i, "F2_over_F1"));
        char of[64];
        for (int i = 0; i < about->rows; i++) {
            const cst_theory_row *at = &about->row[i];
            snprintf(of, sizeof of, CASE, mu[k / 2], at->x, r[k % 2]);
            if (at->line == LINE && strcmp(at->of, of) == 0)
                cst_chart_point(picture, ours, at->x, at->value);
        }
    }
    const bool written = cst_chart_files_write(picture, about->base.out, "fibers_capstan");
    cst_chart_free(picture);
    return written;
}

bool cst_theory_capstan(cst_theory *about)
{
    cst_csv_file table;
    double error = 0, speed = 0;
    const bool good = cst_validation_reference(&about->base, &table, "capstan_elastic_rod.csv") &&
                      run(about, &table, &error, &speed) && (!about->base.out || chart(about, &table));
    cst_csv_file_free(&table);
    if (good) {
        cst_validation_at_most(&about->base, cst_theory_worst(about, LINE, NULL), 0.02,
                               "capstan to %d pi: |F2/F1 / theory - 1|, largest", about->base.quick ? 1 : 4);
        cst_validation_at_most(&about->base, speed, 0.1, "capstan: speed of pulling when it was read, of that at first, largest");
        cst_validation_at_most(&about->base, error, 1e-8, "capstan: E, largest of all steps");
    }
    return good;
}
