/* Soft planar rods that fly: energy never gained, momentum kept, order of accuracy; then rods that fall, in a world with the default
 * settings; and blows, which change the momentum by their impulses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "rod/super_circle_rod.h"
#include "tests/super_circle_fixture.h"
#include "tests/world_fixture.h"

static const double PI = 3.14159265358979323846;

enum { N_MAX = 12 };

/* A rod of 40 cm and 12 mm, soft: E from 1e5 to 3e6 Pa. */
typedef struct soft_rod {
    cst_rod_def def;
    double curvature[N_MAX], rate[N_MAX];
} soft_rod;

static void draw_rod(cst_rng *random, double spin, double bend, soft_rod *out)
{
    const int n = 3 + cst_rng_integer(random, N_MAX - 2);
    const double r = 0.006, young = cst_rng_log_range(random, 1e5, 3e6);
    out->def = cst_rod_def_default();
    out->def.elements = n;
    out->def.length = 0.4;
    out->def.radius = r;
    out->def.mass_per_length = 1000.0 * PI * r * r;
    out->def.bending_stiffness = young * PI * r * r * r * r / 4.0;
    out->def.angle = cst_rng_range(random, -PI, PI);
    out->def.angular_velocity = cst_rng_range(random, -spin, spin);
    for (int k = 0; k < 2; ++k)
        out->def.velocity[k] = cst_rng_range(random, -2.0, 2.0);
    const double from = cst_rng_range(random, -bend, bend);
    const double to = cst_rng_range(random, -bend, bend);
    for (int i = 0; i < n; ++i) {
        out->curvature[i] = from + (to - from) * i / n;
        out->rate[i] = cst_rng_range(random, -bend, bend);
    }
    out->def.curvature = out->curvature;
    out->def.curvature_rate = out->rate;
}

/* Momentum, angular momentum about the origin, and their sizes, by eight Gauss points in an element: nothing of the rod's own sums. */
typedef struct momenta {
    double p[2], l, size, turning;
} momenta;

static momenta momenta_of(const cst_body_model *rod, const cst_rod_def *def)
{
    static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    momenta sum = {0};
    const double length = def->length / def->elements;
    for (int i = 0; i < def->elements; ++i) {
        for (int g = 0; g < 8; ++g) {
            const double s = 0.5 * length * (1.0 + (g % 2 ? at[g / 2] : -at[g / 2]));
            const double m = 0.5 * length * weight[g / 2] * def->mass_per_length;
            const cst_material_point point = {.feature = i, .s = s};
            double x[3], v[3], turn[3];
            rod->class->places->position(rod->self, &point, x);
            rod->class->places->velocity(rod->self, &point, v, turn);
            sum.p[0] += m * v[0];
            sum.p[1] += m * v[1];
            sum.l += m * (x[0] * v[1] - x[1] * v[0]);
            sum.size += m * hypot(v[0], v[1]);
            sum.turning += m * hypot(v[0], v[1]) * (hypot(x[0], x[1]) + def->length);
        }
    }
    return sum;
}

/* Largest change, of the size of the motion. */
static double change_of(const momenta *now, const momenta *then)
{
    const double p = hypot(now->p[0] - then->p[0], now->p[1] - then->p[1]) / then->size;
    return fmax(p, fabs(now->l - then->l) / fmax(then->turning, now->turning));
}

/* 200 random rods, free, 0.5 s: defaults, and others. */
static void free_rods(void **state)
{
    (void)state;
    static const struct {
        double theta, dt;
        int linearisations, rods;
    } how[] = {{1.0, 1e-3, 1, 200}, {1.0, 1e-3, 5, 20}, {0.5, 1e-3, 2, 50}, {0.7, 2e-3, 2, 20}, {1.0, 4e-3, 1, 50}};
    for (size_t k = 0; k < sizeof how / sizeof *how; ++k) {
        cst_rng random;
        cst_rng_seed(&random, 41, 0);
        double gained = 0.0, moved = 0.0, least = 1.0;
        for (int number = 0; number < how[k].rods; ++number) {
            soft_rod soft;
            draw_rod(&random, 50.0, 20.0, &soft);
            soft.def.formulation = number % 2 ? CST_ROD_MIXED : CST_ROD_CHAINED;
            cst_body_model rod = rod_create(&soft.def);
            cst_step_frame frame = step_frame(how[k].dt, how[k].theta, 0.0, 0.0);
            frame.iterated = how[k].linearisations > 1;
            const double energy = rod_energy(&rod, &frame);
            const momenta start = momenta_of(&rod, &soft.def);
            double highest = energy;
            while (frame.time < 0.5) {
                rod_step(&rod, &frame, how[k].linearisations, NULL);
                highest = fmax(highest, rod_energy(&rod, &frame));
            }
            const momenta end = momenta_of(&rod, &soft.def);
            gained = fmax(gained, highest / energy - 1.0);
            moved = fmax(moved, change_of(&end, &start));
            least = fmin(least, rod_energy(&rod, &frame) / energy);
            rod_destroy(&rod);
        }
        print_message(
            "%d free rods, theta %.1f, dt %g, %d linearisations: energy gained %.1e, momentum off by %.1e; least energy left "
            "%.2f\n",
            how[k].rods, how[k].theta, how[k].dt, how[k].linearisations, gained, moved, least);
        /* What is gained is gained where next to nothing deforms at the moment, and momentum says how fast the rod must turn: of
         * second order in dt. */
        assert_true(gained < 1e-3 * pow(how[k].dt / 1e-3, 2));
        assert_true(moved < 1e-10);
    }
}

/* Against a much finer solution: spinning and bent, theta = 1/2 with two linearisations as the world takes it, and theta = 1. */
static void orders_of_a_spin(void **state)
{
    (void)state;
    enum { RODS = 6, SAMPLES = 4 };
    for (int which = 0; which < 2; ++which) {
        const double theta = which ? 0.5 : 1.0;
        double worst = 2.0, error[3] = {0};
        cst_rng random;
        cst_rng_seed(&random, 7, 0);
        for (int number = 0; number < RODS; ++number) {
            soft_rod soft;
            draw_rod(&random, 30.0, 15.0, &soft);
            soft.def.elements = 4;
            double x[SAMPLES][2], off[3];
            for (int level = 3; level >= 0; --level) { /* the finest first */
                const int steps = level == 3 ? 3200 : 50 << level;
                cst_body_model rod = rod_create(&soft.def);
                cst_step_frame frame = step_frame(0.05 / steps, level == 3 ? 0.5 : theta, 0.0, 0.0);
                for (int step = 0; step < steps; ++step)
                    rod_step(&rod, &frame, level == 3 || which ? 2 : 1, NULL);
                double most = 0.0;
                for (int s = 0; s < SAMPLES; ++s) {
                    const cst_material_point at = {.feature = s, .s = 0.05};
                    double place[3];
                    rod.class->places->position(rod.self, &at, place);
                    if (level == 3)
                        memcpy(x[s], place, sizeof x[s]);
                    most = fmax(most, hypot(place[0] - x[s][0], place[1] - x[s][1]));
                }
                if (level < 3)
                    off[level] = most;
                rod_destroy(&rod);
            }
            const double order = log2(off[1] / off[2]);
            worst = fmin(worst, order);
            for (int level = 0; level < 3; ++level)
                error[level] = fmax(error[level], off[level]);
        }
        print_message("theta %.1f: errors %.1e %.1e %.1e m, least order %.2f\n", theta, error[0], error[1], error[2], worst);
        assert_true(worst > (which ? 1.9 : 0.85));
    }
}

/* Blows at random points, in the midst of a flight: the momentum changes by them, to rounding. */
static void blows(void **state)
{
    (void)state;
    cst_rng random;
    cst_rng_seed(&random, 3, 0);
    double moved = 0.0, given = 0.0;
    for (int number = 0; number < 20; ++number) {
        soft_rod soft;
        draw_rod(&random, 20.0, 10.0, &soft);
        soft.def.formulation = number % 2 ? CST_ROD_MIXED : CST_ROD_CHAINED;
        cst_body_model rod = rod_create(&soft.def);
        const int dofs = rod.class->dynamics->dofs(rod.self), theta_half = number / 2 % 2;
        cst_step_frame frame = step_frame(1e-3, theta_half ? 0.5 : 1.0, 0.0, 0.0);
        frame.iterated = theta_half;
        momenta start = momenta_of(&rod, &soft.def);
        for (int step = 0; step < 100; ++step) {
            double v[4 * N_MAX], j[8 * N_MAX], turn[4 * N_MAX];
            int32_t dof[4 * N_MAX];
            double blow[3] = {0.0, 0.0, 0.0};
            const double none[3] = {0.0, 0.0, 0.0};
            blow[0] = cst_rng_range(&random, -1e-3, 1e-3);
            blow[1] = cst_rng_range(&random, -1e-3, 1e-3);
            const cst_material_point at = {.feature = step % soft.def.elements, .s = 0.01};
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = turn};
            char message[256];
            assert_true(rod.class->dynamics->place(rod.self, &frame, NULL));
            for (int k = 0; k <= theta_half; ++k) {
                assert_true(rod.class->dynamics->assemble(rod.self, &frame, k ? v : NULL, message, sizeof message));
                memcpy(v, rod.class->dynamics->rhs(rod.self), (size_t)dofs * sizeof *v);
                rod.class->places->point(rod.self, &at, &motion);
                for (int i = 0; i < motion.dofs; ++i)
                    v[dof[i]] += j[i] * blow[0] + j[motion.dofs + i] * blow[1];
                assert_true(rod.class->dynamics->solve(rod.self, v));
            }
            /* The blow acts where the rod was linearised. */
            const cst_super_circle *super = rod.self;
            const cst_plane place = cst_circle_point_at(&super->linear[at.feature], at.s).position;
            start.l += place.x * blow[1] - place.y * blow[0];
            rod.class->dynamics->push(rod.self, &at, blow, none);
            rod.class->dynamics->finish(rod.self, &frame, v);
            frame.time += frame.dt;
            start.p[0] += blow[0];
            start.p[1] += blow[1];
            given += hypot(blow[0], blow[1]);
        }
        const momenta end = momenta_of(&rod, &soft.def);
        moved = fmax(moved, change_of(&end, &start));
        rod_destroy(&rod);
    }
    print_message("blows of %.2f N s in all: momentum and angular momentum off by %.1e\n", given, moved);
    assert_true(moved < 1e-12);
}

/* Random drops on the ground, everything at its default but restitution and friction, as a user would have it. */
static void falling_rods(void **state)
{
    (void)state;
    cst_rng random;
    cst_rng_seed(&random, 99, 0);
    double gained = 0.0, unexplained = 0.0;
    for (int number = 0; number < 24; ++number) {
        soft_rod soft;
        draw_rod(&random, 10.0, 10.0, &soft);
        cst_world_def def = cst_world_def_default(2);
        def.friction_coefficient = number % 3 ? 0.4 : 0.0;
        cst_world *world = world_of(&def);
        soft.def.position[1] = cst_rng_range(&random, 0.5, 1.5);
        world_rod(world, &soft.def);
        world_incline(world, 0.0);
        cst_energies energies;
        cst_world_energies(world, &energies);
        const double start = energies.kinetic + energies.elastic + energies.gravity;
        while (cst_world_time(world) < 0.8) {
            world_step(world);
            cst_world_energies(world, &energies);
            gained = fmax(gained, (energies.kinetic + energies.elastic + energies.gravity) / start - 1.0);
            unexplained = fmax(unexplained, fabs(energies.unexplained) / start);
        }
        cst_world_free(world);
    }
    print_message("24 falling rods: energy gained %.1e, unexplained %.1e\n", gained, unexplained);
    assert_true(gained < 1e-3);
    assert_true(unexplained < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_rods), cmocka_unit_test(orders_of_a_spin), cmocka_unit_test(blows),
                                       cmocka_unit_test(falling_rods)};
    return cmocka_run_group_tests_name("super-circle, spin", tests, NULL, NULL);
}
