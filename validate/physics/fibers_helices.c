/* Fibers bent and twisted into helices, against closed forms (validate/reference/README.md). B = 1.
 *
 *     localised  a long rod under tension T, its ends held with a twisting moment M < 2 sqrt(B T), buckles over some length only:
 *                sin^2(phi / 2) = q0 sech^2(s sqrt(T q0 / B)), q0 = 1 - m^2, m = M / (2 sqrt(B T)), with the end shortening
 *                D = 4 sqrt(B q0 / T) and, besides M L / C, the end rotation 4 acos m (Coyne; van der Heijden and Thompson)
 *     spring     a helix by nature, pulled along its axis and free to turn about it: it stays a helix, with
 *                kappa C (tau - tau0) - tau B (kappa - kappa0) = F kappa / sqrt(kappa^2 + tau^2),
 *                C (tau - tau0) tau + B (kappa - kappa0) kappa = 0 (Love)
 *
 * The localised helix is held with its shortening and its end rotation: with T or M given it is a saddle. It begins with the shape of
 * another m that is as short, the rotation is made up for by a natural twist: it has to find shape, tension and moment. The force on the spring acts along the axis that the pulled helix has, through it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/progress.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "physics/fibers.h"

enum { ELEMENTS_MAX = 1024, FINE = 64, SETTLE_MAX = 3000, SETTLE_BETWEEN = 50 };

static const char LOCALISED[] = "localised helix", SPRING[] = "helical spring";
static const double LENGTH = 40; /* of the localised helix, in sqrt(B / T) */
static const double DAMPING = 3; /* s: so that steps do not overshoot, as in fibers_growth.c */
static const double AWAY = 0.03; /* m of the shape it begins with, less its own */

/* ------------------------------------------------------------------------------------------------------------ localised helix */

/* Elements + 1 points along it, equally far apart. Its tangent turns about the axis with psi' = M / (2 B cos^2(phi / 2)). */
static void localised_points(double m, double tension, double length, int elements, double *point)
{
    const double q0 = 1 - m * m, root = sqrt(tension), h = length / elements / FINE;
    double psi = 0, x[3] = {0, 0, 0};
    memcpy(point, x, sizeof x);
    for (int i = 0; i < elements; i++) {
        for (int k = 0; k < FINE; k++) { /* midpoints */
            const double s = (i * FINE + k + 0.5) * h - 0.5 * LENGTH;
            const double sine = sqrt(q0) / cosh(s * root * sqrt(q0)), phi = 2 * asin(sine), rate = m * root / (1 - sine * sine);
            psi += 0.5 * h * rate;
            x[0] += h * cos(phi);
            x[1] += h * sin(phi) * cos(psi);
            x[2] += h * sin(phi) * sin(psi);
            psi += 0.5 * h * rate;
        }
        memcpy(point + 3 * (i + 1), x, sizeof x);
    }
}

/* Until the force at the first constraint no longer changes. Where along the rod the helix is hardly matters to it: it may still move
 * slowly. */
static bool settle(cst_world *world, double *force, double *couple, char *message, size_t message_size)
{
    double before = HUGE_VAL;
    for (int k = 1; k <= SETTLE_MAX; k++) {
        cst_step_report report;
        if (cst_interrupted() || cst_world_step(world, &report) > CST_SOLVED) {
            snprintf(message, message_size, "%.200s, in step %d", report.message, k);
            return false;
        }
        if (k % SETTLE_BETWEEN != 0)
            continue;
        cst_world_constraint_force(world, 1, force, couple);
        if (fabs(force[0] - before) < 1e-6 * fabs(before))
            return true;
        before = force[0];
    }
    snprintf(message, message_size, "the tension still changes after %d steps: %g N after %g N", SETTLE_MAX, force[0], before);
    return false;
}

/* What holds the ends: tension and twisting moment. */
static bool localise(cst_fiber_model model, int elements, double m, double *tension, double *moment, char *message,
                     size_t message_size)
{
    const double C = 2.0 / 3.0, begun = m + AWAY;
    double point[3 * (ELEMENTS_MAX + 1)], force[3], couple[3];
    cst_world_def def = cst_world_def_default(3);
    memset(def.gravity, 0, sizeof def.gravity);
    def.time_step.dt = 1;
    def.time_step.quasi_static = def.time_step.relaxation = true;
    def.contact.self_contact = false;
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.model = model;
    fiber.elements = elements;
    fiber.mass_per_length = fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 1;
    fiber.twisting_stiffness = C;
    fiber.stretching_stiffness = 1e6;
    fiber.viscosity = DAMPING;
    fiber.radius = 1e-3;
    fiber.clamped = true;
    /* Nodal models are held in the middle of the first and the last edge. */
    fiber.length = LENGTH * (model == CST_FIBER_SUPER_HELIX ? 1.0 : (elements - 0.5) / (elements - 1.0));
    fiber.natural_curvature[0] = -2 * m / C - 4 / LENGTH * (acos(m) - acos(begun));
    localised_points(begun, (1 - begun * begun) / (1 - m * m), fiber.length, elements, point); /* as short as its own */
    fiber.point = point;
    cst_constraint_def held = cst_constraint_def_default();
    held.kind = CST_CONSTRAINT_CLAMPED;
    held.a = (cst_place){.body = 1, .s = LENGTH, .at_end = model == CST_FIBER_SUPER_HELIX};
    held.b_follows_a = true;
    cst_world *world = cst_world_new(&def, message, message_size);
    const bool good = world && cst_world_add_fiber(world, &fiber, message, message_size) &&
                      cst_world_add_constraint(world, &held, message, message_size) &&
                      settle(world, force, couple, message, message_size);
    if (good) {
        *tension = force[0];
        *moment = fabs(couple[0]);
    }
    cst_world_free(world);
    return good;
}

static bool run_localised(cst_theory *about, const cst_csv_file *table)
{
    for (int model = 0; model < CST_THEORY_MODELS; model++)
        for (int i = 0; i < table->rows; i++) {
            const double m = cst_csv_number(table, i, "m=M/(2 sqrt(B T))");
            if (m < 0.75 || m > 0.96 || (about->base.quick && m != 0.9)) /* below: a saddle also with its ends held */
                continue;
            const double exact[2] = {cst_csv_number(table, i, "D*sqrt(T/B)"), cst_csv_number(table, i, "M/sqrt(B T)")};
            cst_theory_row *before[2] = {NULL, NULL};
            const int finest = cst_theory_model[model] == CST_FIBER_SUPER_HELIX ? 320 : 640;
            for (int n = about->base.quick ? 320 : finest / 4; n <= (about->base.quick ? 320 : finest); n *= 2) {
                double found[2], tension, moment;
                char message[256] = "";
                if (!localise(cst_theory_model[model], n, m, &tension, &moment, message, sizeof message))
                    return cst_validation_fault(&about->base, "localised helix, %s, m %g, n %d: %s", cst_theory_model_name[model],
                                                m, n, message);
                found[0] = exact[0] * sqrt(tension); /* it is held as short as theory has it with T = 1 */
                found[1] = moment / sqrt(tension);
                for (int k = 0; k < 2; k++) {
                    cst_theory_row *row = cst_theory_add(about, LOCALISED, cst_theory_model_name[model], n, found[k], exact[k]);
                    if (!row)
                        return false;
                    snprintf(row->of, sizeof row->of, "m %g: %s", m, k == 0 ? "D sqrt(T/B)" : "M/sqrt(B T)");
                    row->x = m;
                    cst_theory_refine(before[k], row, 2);
                    before[k] = row;
                }
            }
        }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------------- spring */

typedef struct spring {
    double C, kappa0, tau0, force, kappa, tau; /* of the table */
} spring;

static bool pull(cst_fiber_model model, int elements, const spring *of, double *extension, char *message, size_t message_size)
{
    /* One turn, from along x: the frame turns by u = (tau, 0, kappa) along it, in its own axes and, there, in those of the world. Half a
     * turn if the force is large: on the way from the natural shape, where the force is not along its axis, a whole one tips over. */
    const double rate = hypot(of->kappa, of->tau), length = (of->force < 0.4 ? 2 : 1) * acos(-1.0) / rate;
    const double axis[3] = {of->tau / rate, 0, of->kappa / rate}, turn[3] = {of->tau * length, 0, of->kappa * length};
    double frame[9], inwards[3], arm[3];
    cst_rotation_vector_exp(turn, frame);
    for (int k = 0; k < 3; k++) {
        inwards[k] = frame[3 * k + 1]; /* d1: t' = kappa d1 */
        arm[k] = of->kappa / (rate * rate) * inwards[k];
    }
    cst_world_def def = cst_world_def_default(3);
    memset(def.gravity, 0, sizeof def.gravity);
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.model = model;
    fiber.elements = elements;
    fiber.length = length;
    fiber.mass_per_length = fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 1;
    fiber.twisting_stiffness = of->C;
    fiber.stretching_stiffness = 1e6;
    fiber.radius = 1e-3;
    fiber.clamped = true;
    fiber.natural_curvature[0] = of->tau0;
    fiber.natural_curvature[2] = of->kappa0;
    cst_load_def load = cst_load_def_default();
    load.at = (cst_place){.body = 1, .at_end = true};
    for (int k = 0; k < 3; k++)
        load.force[k] = of->force * axis[k];
    cst_cross3(arm, load.force, load.moment);
    cst_world *world = cst_world_new(&def, message, message_size);
    const bool good = world && cst_world_add_fiber(world, &fiber, message, message_size) &&
                      cst_world_add_load(world, &load, message, message_size) &&
                      cst_world_find_equilibrium(world, 1e-9, NULL, message, message_size);
    if (good) {
        double end[3];
        cst_world_place_space(world, &load.at, end, NULL, NULL, NULL);
        *extension = cst_dot3(end, axis) / length;
    }
    cst_world_free(world);
    return good;
}

static bool run_spring(cst_theory *about, const cst_csv_file *table)
{
    for (int model = 0; model < CST_THEORY_MODELS; model++)
        for (int i = 0; i < table->rows; i++) {
            const double nu = cst_csv_number(table, i, "nu");
            const spring of = {.C = 1 / (1 + nu),
                               .kappa0 = cst_csv_number(table, i, "kappa0"),
                               .tau0 = cst_csv_number(table, i, "tau0"),
                               .force = cst_csv_number(table, i, "F/(B kappa0^2)"),
                               .kappa = cst_csv_number(table, i, "kappa"),
                               .tau = cst_csv_number(table, i, "tau")};
            if (of.force == 0 || (about->base.quick && (nu == 0 || of.force != 0.2 || of.tau0 != 0.3)))
                continue;
            cst_theory_row *before = NULL;
            for (int n = about->base.quick ? 64 : 32; n <= 64; n *= 2) {
                double extension;
                char message[256] = "";
                if (cst_interrupted() || !pull(cst_theory_model[model], n, &of, &extension, message, sizeof message))
                    return cst_validation_fault(&about->base, "helical spring, %s, tau0 %g, F %g, n %d: %s",
                                                cst_theory_model_name[model], of.tau0, of.force, n, message);
                cst_theory_row *row = cst_theory_add(about, SPRING, cst_theory_model_name[model], n, extension,
                                                     cst_csv_number(table, i, "extension_ratio z/L=tau/sqrt(k^2+tau^2)"));
                if (!row)
                    return false;
                snprintf(row->of, sizeof row->of, "C/B %.3g, tau0 %g, F %g: z/L", of.C, of.tau0, of.force);
                row->x = of.force;
                cst_theory_refine(before, row, 2);
                if (row->error < 1e-9) /* uniform helices are super helices */
                    row->order = NAN;
                before = row;
            }
        }
    return true;
}

bool cst_theory_helices(cst_theory *about)
{
    cst_csv_file localised, spring_table;
    bool good = cst_validation_reference(&about->base, &localised, "localized_helix.csv") && run_localised(about, &localised);
    cst_csv_file_free(&localised);
    if (!good)
        return false;
    good = cst_validation_reference(&about->base, &spring_table, "helical_spring_love.csv") && run_spring(about, &spring_table);
    cst_csv_file_free(&spring_table);
    for (int m = 0; good && m < CST_THEORY_MODELS; m++) {
        const char *const name = cst_theory_model_name[m];
        cst_validation_at_most(&about->base, cst_theory_worst(about, LOCALISED, name), 0.01,
                               "localised helix, %s: relative error, largest", name);
        cst_validation_at_most(&about->base, cst_theory_worst(about, SPRING, name), 0.01,
                               "helical spring, %s: relative error, largest", name);
    }
    return good;
}
