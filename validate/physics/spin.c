/* capstan-bench spin: what a step does to rods that spin, fly and fall, with the default settings.
 *
 *     spin    a straight rod turns about its middle, without weight, dt = 1 ms: energy left after 1 s, all models
 *     flight  soft planar rods, bent, spinning and vibrating, without weight: energy above the start, momentum (from places and
 *             velocities of points, by quadrature)
 *     fall    the same dropped on the ground from 0.5 to 3 m: energy above the start, what the budget leaves unexplained
 *
 *     ring    a hoop, R = 10 cm, turns at 60 rad/s, falls by 1 mm and rolls away, half as fast as it turned
 *
 * Soft: 40 cm, 12 mm, E from 1e5 to 3e6 Pa, 3 to 12 elements, no damping. */
#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "benches.h"
#include "cli/progress.h"
#include "harness/validation.h"

enum { MODELS = 5, SPINS = 3, N_MAX = 12 };

static const double PI = 3.14159265358979323846;
static const char *const model_name[MODELS] = {"planar", "super helix", "discrete elastic rod", "CORDE", "mass-spring chain"};
static const cst_fiber_model model_of[MODELS] = {CST_FIBER_SUPER_HELIX, CST_FIBER_SUPER_HELIX, CST_FIBER_DISCRETE_ROD,
                                                 CST_FIBER_CORDE, CST_FIBER_SPRINGS};
static const double spin_of[SPINS] = {5, 20, 60}; /* rad/s */

static double total_energy(const cst_world *world, double *unexplained)
{
    cst_energies energies;
    cst_world_energies(world, &energies);
    if (unexplained)
        *unexplained = fabs(energies.unexplained);
    return energies.kinetic + energies.elastic + energies.gravity;
}

/* Steps, and those that missed the tolerance of friction: a ring that rolls at 6 m/s approaches the ground at micrometres per second, and
 * 1e-8 of these is below the rounding of a stiff chain. */
typedef struct counts {
    int64_t steps, missed;
    double worst; /* E */
} counts;

static bool step(const cst_validation *about, cst_world *world, counts *count)
{
    cst_step_report report;
    const cst_status status = cst_world_step(world, &report);
    count->steps++;
    count->missed += status == CST_TOLERANCE_MISSED;
    count->worst = fmax(count->worst, report.residual.error);
    if ((status == CST_SOLVED || status == CST_TOLERANCE_MISSED) && !cst_interrupted())
        return true;
    return cst_validation_fault(about, "at %g s: %s", cst_world_time(world),
                                report.message[0] ? report.message : cst_status_name(status));
}

/* ------------------------------------------------------------------------------------------------------------------- spin */

static cst_world *spinning(int model, double spin, char *message, size_t message_size)
{
    const double length = 0.4, r = 0.006, mass = 1000 * PI * r * r, bending = 1e7 * PI * r * r * r * r / 4;
    cst_world_def def = cst_world_def_default(model == 0 ? 2 : 3);
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    cst_world *world = cst_world_new(&def, message, message_size);
    cst_body_id body = 0;
    if (model == 0) {
        cst_rod_def rod = cst_rod_def_default();
        rod.elements = 12;
        rod.length = length;
        rod.radius = r;
        rod.mass_per_length = mass;
        rod.bending_stiffness = bending;
        rod.angular_velocity = spin;
        rod.velocity[1] = -0.5 * length * spin;
        body = world ? cst_world_add_rod(world, &rod, message, message_size) : 0;
    } else {
        cst_fiber_def fiber = cst_fiber_def_default();
        fiber.model = model_of[model];
        fiber.elements = 12;
        fiber.length = length;
        fiber.radius = r;
        fiber.mass_per_length = mass;
        fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = bending;
        fiber.twisting_stiffness = bending / 1.3;
        fiber.angular_velocity[2] = spin;
        fiber.velocity[1] = -0.5 * length * spin;
        body = world ? cst_world_add_fiber(world, &fiber, message, message_size) : 0;
    }
    if (body)
        return world;
    cst_world_free(world);
    return NULL;
}

static bool spin_all(const cst_validation *about, counts *count, double left[MODELS][SPINS])
{
    char message[256];
    for (int m = 0; m < MODELS; m++) {
        for (int s = 0; s < SPINS; s++) {
            cst_world *world = spinning(m, spin_of[s], message, sizeof message);
            bool good = world || cst_validation_fault(about, "%s: %s", model_name[m], message);
            const double start = good ? total_energy(world, NULL) : 1;
            while (good && cst_world_time(world) < 1)
                good = step(about, world, count);
            left[m][s] = good ? total_energy(world, NULL) / start : NAN;
            cst_world_free(world);
            if (!good)
                return false;
        }
    }
    return true;
}

/* Speed of a ring that has landed, over that of a rigid one, omega R^2 (R + r) / ((R + r)^2 + R^2): mean of points around it. */
static bool land(const cst_validation *about, int model, counts *count, double *ratio)
{
    enum { POINTS = 96 };
    const double R = 0.1, r = 0.005, spin = 60, length = 2 * PI * R, mass = 1000 * PI * r * r,
                 bending = 1e10 * PI * r * r * r * r / 4;
    const int up = model == 0 ? 1 : 2;
    char message[256];
    cst_world_def def = cst_world_def_default(model == 0 ? 2 : 3);
    def.friction_coefficient = 0.5;
    cst_world *world = cst_world_new(&def, message, sizeof message);
    cst_obstacle_def ground = cst_obstacle_def_default();
    cst_body_id body = 0;
    ground.shape = model == 0 ? CST_OBSTACLE_HALF_PLANE : CST_OBSTACLE_PLANE;
    ground.normal[0] = ground.normal[1] = ground.normal[2] = 0;
    ground.normal[up] = 1;
    if (world && cst_world_add_obstacle(world, &ground, message, sizeof message) && model == 0) {
        cst_rod_def ring = cst_rod_def_default();
        ring.elements = 24;
        ring.length = length;
        ring.radius = r;
        ring.mass_per_length = mass;
        ring.bending_stiffness = bending;
        ring.closed = true;
        ring.natural_curvature = 1 / R;
        ring.position[1] = r + 1e-3;
        ring.angular_velocity = -spin;
        ring.velocity[0] = -spin * R;
        body = cst_world_add_rod(world, &ring, message, sizeof message);
    } else if (world) {
        cst_fiber_def ring = cst_fiber_def_default();
        ring.model = model_of[model];
        ring.elements = 24;
        ring.length = length;
        ring.radius = r;
        ring.mass_per_length = mass;
        ring.bending_stiffness[0] = ring.bending_stiffness[1] = bending;
        ring.twisting_stiffness = bending / 1.3;
        ring.closed = true;
        ring.natural_curvature[1] = -1 / R; /* upwards */
        ring.position[2] = r + 1e-3;
        ring.angular_velocity[1] = spin;
        ring.velocity[0] = -spin * R;
        body = cst_world_add_fiber(world, &ring, message, sizeof message);
    }
    bool good = body || cst_validation_fault(about, "%s, ring: %s", model_name[model], message);
    while (good && cst_world_time(world) < 1.5)
        good = step(about, world, count);
    double speed = 0;
    for (int k = 0; good && k < POINTS; k++) {
        const cst_place at = {.body = body, .s = length * (k + 0.5) / POINTS};
        double v[3];
        if (model == 0)
            cst_world_place(world, &at, NULL, NULL, v);
        else
            cst_world_place_space(world, &at, NULL, NULL, v, NULL);
        speed += v[0] / POINTS;
    }
    cst_world_free(world);
    *ratio = fabs(speed) / (spin * R * R * (R + r) / ((R + r) * (R + r) + R * R));
    return good;
}

/* ------------------------------------------------------------------------------------------------------- flight and fall */

/* Momentum, angular momentum about the origin, and the sums of their parts' sizes. */
typedef struct momenta {
    double x, y, turn, size, turn_size;
} momenta;

static momenta momenta_of(const cst_world *world, const cst_rod_def *def)
{
    enum { GAUSS = 4 };
    static const double at[GAUSS] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
    static const double weight[GAUSS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};
    enum { PARTS = 16 }; /* of an element: soft ones wind up by 10 rad and more */
    momenta sum = {0};
    const double l = def->length / (PARTS * def->elements);
    for (int k = 0; k < PARTS * GAUSS * def->elements; k++) {
        const cst_place place = {.body = 1, .s = l * (k / GAUSS + at[k % GAUSS])};
        const double m = def->mass_per_length * l * weight[k % GAUSS];
        double x[3], angle, v[3];
        cst_world_place(world, &place, x, &angle, v);
        sum.x += m * v[0];
        sum.y += m * v[1];
        sum.turn += m * (x[0] * v[1] - x[1] * v[0]);
        sum.size += m * hypot(v[0], v[1]);
        sum.turn_size += m * hypot(v[0], v[1]) * (def->length + hypot(x[0], x[1]));
    }
    return sum;
}

typedef struct campaign {
    double gained, unexplained, moved; /* the worst: of the energy at the start; of the momenta's parts */
} campaign;

static bool run_one(const cst_validation *about, cst_rng *rng, bool falls, counts *count, campaign *worst)
{
    const double r = 0.006, duration = falls ? 1.5 : 1;
    double curvature[N_MAX], rate[N_MAX], bend = falls ? 0 : 20;
    char message[256];
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 3 + cst_rng_integer(rng, N_MAX - 2);
    rod.length = 0.4;
    rod.radius = r;
    rod.mass_per_length = 1000 * PI * r * r;
    rod.bending_stiffness = cst_rng_log_range(rng, 1e5, 3e6) * PI * r * r * r * r / 4;
    rod.angle = cst_rng_range(rng, -PI, PI);
    rod.angular_velocity = cst_rng_range(rng, -1, 1) * (falls ? 5 : 50);
    rod.velocity[0] = cst_rng_range(rng, -2, 2);
    rod.position[1] = falls ? 0.5 + cst_rng_range(rng, 0.5, 3) : 0;
    const double from = cst_rng_range(rng, -bend, bend);
    const double to = cst_rng_range(rng, -bend, bend);
    for (int i = 0; i < rod.elements; i++) {
        curvature[i] = from + (to - from) * i / rod.elements;
        rate[i] = cst_rng_range(rng, -bend, bend);
    }
    rod.curvature = curvature;
    rod.curvature_rate = rate;
    cst_world_def def = cst_world_def_default(2);
    def.friction_coefficient = cst_rng_range(rng, 0, 0.6);
    if (!falls) { /* nothing touches anything, not even the rod itself, which is bent by more than a turn */
        def.gravity[1] = 0;
        def.contact.self_contact = false;
    }
    cst_world *world = cst_world_new(&def, message, sizeof message);
    bool good = world && cst_world_add_rod(world, &rod, message, sizeof message);
    if (good && falls) {
        cst_obstacle_def ground = cst_obstacle_def_default();
        ground.shape = CST_OBSTACLE_HALF_PLANE;
        good = cst_world_add_obstacle(world, &ground, message, sizeof message) > 0;
    }
    if (!good) {
        cst_world_free(world);
        return cst_validation_fault(about, "%s", message);
    }
    const double start = total_energy(world, NULL);
    const momenta had = momenta_of(world, &rod);
    while (good && cst_world_time(world) < duration) {
        double unexplained;
        good = step(about, world, count);
        worst->gained = fmax(worst->gained, total_energy(world, &unexplained) / start - 1);
        worst->unexplained = fmax(worst->unexplained, unexplained / start);
    }
    const momenta has = momenta_of(world, &rod);
    const double off = fmax(hypot(has.x - had.x, has.y - had.y) / had.size, fabs(has.turn - had.turn) / has.turn_size);
    worst->moved = fmax(worst->moved, falls ? 0 : off);
    cst_world_free(world);
    return good;
}

static bool run_campaign(const cst_validation *about, bool falls, int rods, counts *count, campaign *worst)
{
    cst_rng rng;
    cst_rng_seed(&rng, 13, falls);
    bool good = true;
    *worst = (campaign){0};
    for (int i = 0; good && i < rods; i++)
        good = run_one(about, &rng, falls, count, worst);
    return good;
}

int cst_bench_spin(int argc, char **argv)
{
    static const char what[] = "Rods that spin, fly and fall: energy and momentum with the default settings.";
    static const char *const headings[] = {"energy left after 1 s", "5 rad/s", "20 rad/s", "60 rad/s",
                                           "ring: speed / exact",   NULL};
    cst_validation about;
    int code;
    if (!cst_validation_begin(&about, argc, argv, "spin", what, &code))
        return code;
    const int rods = about.quick ? 20 : 200;
    double left[MODELS][SPINS], landed[MODELS];
    campaign flight, fall;
    counts count = {0};
    if (!spin_all(&about, &count, left) || !run_campaign(&about, false, rods, &count, &flight) ||
        !run_campaign(&about, true, rods, &count, &fall))
        return cst_validation_abandon(&about);
    for (int m = 0; m < MODELS; m++)
        if (!land(&about, m, &count, &landed[m]))
            return cst_validation_abandon(&about);
    cst_table *table = cst_validation_table(headings);
    for (int m = 0; m < MODELS; m++) {
        cst_table_cell(table, "%s", model_name[m]);
        for (int s = 0; s < SPINS; s++)
            cst_validation_cell(table, "%.4f", left[m][s]);
        cst_validation_cell(table, "%.4f", landed[m]);
    }
    cst_validation_print(table);
    for (int m = 0; m < MODELS; m++) {
        double least = 1, most = 0;
        for (int s = 0; s < SPINS; s++) {
            least = fmin(least, left[m][s]);
            most = fmax(most, left[m][s]);
        }
        cst_validation_between(&about, least, 0.99, 1 + 1e-9, "%s, least energy left of a spin", model_name[m]);
        cst_validation_at_most(&about, most - 1, 1e-9, "%s, energy gained in a spin", model_name[m]);
        cst_validation_at_most(&about, fabs(landed[m] - 1), 0.01, "%s, speed of a ring that lands, off by", model_name[m]);
    }
    cst_validation_at_most(&about, flight.gained, 1e-3, "%d soft planar rods in flight, energy gained", rods);
    cst_validation_at_most(&about, flight.moved, 1e-10, "their momentum and angular momentum, off by");
    cst_validation_at_most(&about, flight.unexplained, 1e-9, "energy unexplained");
    cst_validation_at_most(&about, fall.gained, 1e-3, "%d soft planar rods dropped, energy gained", rods);
    cst_validation_at_most(&about, fall.unexplained, 1e-9, "energy unexplained");
    cst_validation_at_most(&about, (double)count.missed / (double)count.steps, 1e-3,
                           "share of all %lld steps over the tolerance (%lld; E at most %.1e)", (long long)count.steps,
                           (long long)count.missed, count.worst);
    return cst_validation_end(&about);
}
