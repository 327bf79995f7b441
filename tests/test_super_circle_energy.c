/* Energy of planar rods: the balance of a step, what midpoint steps conserve, what linearised ones lose; and the frequencies of small vibrations, in space and in time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/super_circle_fixture.h"

enum { N = 7, Q = N + 3 };

static cst_rod_def bent_rod(int formulation)
{
    static const double curvature[N] = {2.0, -1.0, 0.5, 3.0, -2.0, 1.0, 0.0}, rate[N] = {5.0, 0.0, -8.0, 3.0, 6.0, -2.0, 1.0};
    cst_rod_def def = rod_definition(N, 0.7, 0.1, 0.01);
    def.formulation = (cst_rod_formulation)formulation;
    def.natural_curvature = 1.0;
    def.curvature = curvature;
    def.curvature_rate = rate;
    def.angle = 0.4;
    return def;
}

static void add(cst_body_work *sum, const cst_body_model *rod)
{
    cst_body_work work;
    rod->class->dynamics->work(rod->self, &work);
    sum->loads += work.loads;
    sum->constraint += work.constraint;
    sum->viscosity += work.viscosity;
    sum->drag += work.drag;
    sum->scheme += work.scheme;
    sum->forgotten += work.forgotten;
}

static double total(const cst_body_work *w)
{
    return w->loads + w->constraint + w->viscosity + w->drag + w->scheme + w->forgotten;
}

/* The budget of every step closes to rounding, whatever theta, linearised at the start or at guesses that are not yet the answer:
 *     change of kinetic, elastic and potential energy = loads + viscosity + drag + root + scheme,
 * no step gains, and viscosity and drag only take. */
static void balance_of_steps(void **state)
{
    (void)state;
    static const double thetas[] = {0.5, 0.7, 1.0};
    static const cst_key keys[] = {{0.0, {0, 0, 0}, {0, 0, 0}}, {0.2, {0.1, 0.2, 0}, {0, 0, 1.0}}};
    double worst = 0.0, moved = 0.0;
    for (int k = 0; k < 36; ++k) {
        const int linearisations = 1 + k / 6 % 3;
        cst_rod_def def = bent_rod(k % 2 ? CST_ROD_MIXED : CST_ROD_CHAINED);
        def.viscosity = 3e-4;
        def.drag = 0.05;
        def.load[0] = 0.3;
        def.clamped = k >= 18;
        if (def.clamped) {
            def.root_motion = (cst_motion){.key = keys, .keys = 2};
        } else {
            def.angular_velocity = 3.0;
            def.velocity[0] = 1.0;
        }
        cst_body_model rod = rod_create(&def);
        cst_step_frame frame = step_frame(5e-3, thetas[k / 2 % 3], 0.0, -9.81);
        frame.iterated = linearisations > 1;
        for (int step = 0; step < 20; ++step) {
            const double before = rod_energy(&rod, &frame);
            rod_step(&rod, &frame, linearisations, NULL);
            cst_body_work work = {0};
            add(&work, &rod);
            const double change = rod_energy(&rod, &frame) - before;
            worst = fmax(worst, fabs(change - total(&work)));
            moved = fmax(moved, fabs(change));
            assert_true(work.viscosity < 0.0 && work.drag < 0.0);
            assert_true(def.clamped || work.scheme <= 1e-14);
        }
        rod_destroy(&rod);
    }
    print_message("balance of steps: off by %.1e J, of up to %.2f J in a step\n", worst, moved);
    assert_true(moved > 1e-3);
    assert_true(worst < 1e-12);
}

/* The budget over a whole motion closes with dt^2 for converged midpoint steps: load, viscosity, drag, moved root, point load told
 * to the rod by push. */
static void budget(void **state)
{
    (void)state;
    static const cst_key keys[] = {
        {0.0, {0, 0, 0}, {0, 0, 0}}, {0.1, {0.1, 0.2, 0}, {0, 0, 1.0}}, {0.25, {0.0, 0.1, 0}, {0, 0, -0.5}}};
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        double unexplained[3], works[3];
        for (int level = 0; level < 3; ++level) {
            cst_rod_def def = bent_rod(formulation);
            def.clamped = true;
            def.root_motion = (cst_motion){.key = keys, .keys = 3, .smooth = true};
            def.viscosity = 3e-4;
            def.drag = 0.05;
            def.load[0] = 0.3;
            cst_body_model rod = rod_create(&def);
            int steps = 100 << level, dofs = rod.class->dynamics->dofs(rod.self);
            cst_step_frame frame = step_frame(0.2 / steps, 0.5, 0.0, -9.81);
            cst_material_point at;
            assert_true(rod.class->places->locate(rod.self, &(cst_place){.s = 0.52}, &at));
            const double pull[3] = {0.5, 0.3, 0.0}, moment[3] = {0.0, 0.0, 0.01};
            double before = rod_energy(&rod, &frame), pulled = 0.0, v[4 * N];
            cst_body_work work = {0};
            for (int step = 0; step < steps; ++step) {
                char message[256];
                int32_t dof[4 * N];
                double j[8 * N], turn[4 * N];
                cst_point_motion motion = {.dof = dof, .j = j, .j_turn = turn}, end = motion;
                assert_true(rod.class->dynamics->place(rod.self, &frame, NULL));
                rod.class->places->point(rod.self, &at, &end);
                double from[3] = {end.position[0], end.position[1], end.frame_angle};
                for (int k = 0; k < 15; ++k) {
                    assert_true(rod.class->dynamics->assemble(rod.self, &frame, k ? v : NULL, message, sizeof message));
                    rod.class->places->point(rod.self, &at, &motion);
                    memcpy(v, rod.class->dynamics->rhs(rod.self), (size_t)dofs * sizeof *v);
                    for (int i = 0; i < motion.dofs; ++i)
                        v[dof[i]] += frame.dt * (j[i] * pull[0] + j[motion.dofs + i] * pull[1] + turn[i] * moment[2]);
                    assert_true(rod.class->dynamics->solve(rod.self, v));
                }
                const double impulse[3] = {frame.dt * pull[0], frame.dt * pull[1], 0.0};
                const double twist[3] = {0.0, 0.0, frame.dt * moment[2]};
                rod.class->dynamics->push(rod.self, &at, impulse, twist);
                rod.class->dynamics->finish(rod.self, &frame, v);
                rod.class->places->point(rod.self, &at, &end);
                pulled += pull[0] * (end.position[0] - from[0]) + pull[1] * (end.position[1] - from[1]) +
                          moment[2] * (end.frame_angle - from[2]);
                frame.time += frame.dt;
                add(&work, &rod);
            }
            works[level] = work.constraint;
            unexplained[level] = rod_energy(&rod, &frame) - before - total(&work) - pulled;
            assert_true(fabs(work.constraint) > 0.01 && work.viscosity < -1e-3 && work.drag < -1e-3 && fabs(work.loads) > 1e-3 &&
                        fabs(pulled) > 1e-3);
            rod_destroy(&rod);
        }
        print_message("unexplained: %.2e %.2e %.2e J of %.3f J of work at the root\n", unexplained[0], unexplained[1],
                      unexplained[2], works[2]);
        double order = log2(fabs(unexplained[1] / unexplained[2]));
        assert_true(order > 1.7 && order < 2.3);
        assert_true(fabs(unexplained[2]) < 1e-4);
    }
}

/* Free, undamped, violent: converged midpoint steps never gain energy, and what the shape of the end does not admit falls faster than
 * dt^2. */
static void midpoint_conserves(void **state)
{
    (void)state;
    enum { QUARTERS = 4 };
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        double worst[2][QUARTERS] = {{0}}, first = 0.0, largest[2] = {0};
        for (int level = 0; level < 2; ++level) {
            cst_rod_def def = bent_rod(formulation);
            def.angular_velocity = 8.0;
            cst_body_model rod = rod_create(&def);
            int steps = 2000 << level;
            cst_step_frame frame = step_frame(4.0 / steps, 0.5, 0.0, 0.0);
            first = rod_energy(&rod, &frame);
            for (int step = 0; step < steps; ++step) {
                rod_step(&rod, &frame, 12, NULL);
                double *quarter = &worst[level][step * QUARTERS / steps];
                const double lost = first - rod_energy(&rod, &frame);
                assert_true(lost > -1e-12);
                *quarter = fmax(*quarter, lost);
                largest[level] = fmax(largest[level], *quarter);
            }
            rod_destroy(&rod);
        }
        print_message(
            "midpoint, 4 s of %.4f J: lost by the end of each second %.1e %.1e %.1e %.1e, at half the step %.1e %.1e %.1e "
            "%.1e\n",
            first, worst[0][0], worst[0][1], worst[0][2], worst[0][3], worst[1][0], worst[1][1], worst[1][2], worst[1][3]);
        assert_true(largest[0] / largest[1] > 4.0);
        assert_true(largest[1] < 1e-3 * first);
    }
}

/* A free spin keeps its energy, linearised and iterated. */
static void spin(void **state)
{
    (void)state;
    static const double dt[3] = {1e-3, 4e-3, 1.2e-2};
    double linear[3], iterated[3];
    for (int k = 0; k < 3; ++k) {
        for (int how = 0; how < 2; ++how) {
            cst_rod_def def = rod_definition(10, 1.0, 0.1, 0.05);
            def.angular_velocity = 20.0;
            def.velocity[1] = -10.0;
            cst_body_model rod = rod_create(&def);
            cst_step_frame frame = step_frame(dt[k], how ? 0.5 : 1.0, 0.0, 0.0);
            double before = rod_energy(&rod, &frame);
            while (frame.time < 2.0)
                rod_step(&rod, &frame, how ? 20 : 1, NULL);
            *(how ? &iterated[k] : &linear[k]) = rod_energy(&rod, &frame) / before;
            rod_destroy(&rod);
        }
        print_message("spin, omega dt = %.2f: energy x %.4f linearised, x %.6f midpoint iterated\n", 20.0 * dt[k], linear[k],
                      iterated[k]);
        assert_true(linear[k] > 0.99 && linear[k] < 1.0 + 1e-12);
        assert_true(iterated[k] > 0.999 && iterated[k] < 1.0 + 1e-12);
    }
}

/* Euler's steps of a damped swing lose energy, at first order: halving dt about halves the loss. */
static void euler_loses(void **state)
{
    (void)state;
    double lost[3];
    for (int k = 0; k < 3; ++k) {
        cst_rod_def def = rod_definition(8, 1.0, 0.1, 0.5);
        def.clamped = true;
        cst_body_model rod = rod_create(&def);
        cst_step_frame frame = step_frame(2e-3 / (1 << k), 1.0, 0.0, -9.81);
        double before = rod_energy(&rod, &frame), budget = 0.0;
        for (int step = 0; step < 250 << k; ++step) {
            rod_step(&rod, &frame, 1, NULL);
            cst_body_work work = {0};
            add(&work, &rod);
            assert_true(work.scheme <= 0.0);
            budget += total(&work);
        }
        lost[k] = rod_energy(&rod, &frame) - before;
        assert_true(lost[k] < 0.0);
        assert_true(fabs(lost[k] - budget) < 0.2 * fabs(lost[k])); /* the scheme's own damping explains it */
        rod_destroy(&rod);
    }
    print_message("Euler, 0.5 s: %.2e %.2e %.2e J\n", lost[0], lost[1], lost[2]);
    assert_true(lost[0] / lost[1] > 1.2 && lost[1] / lost[2] > 1.3);
}

/* ------------------------------------------------------------------------------------------------------------- vibration */

/* Lowest mode of a clamped rod at rest, by inverse iteration: a step of huge dt maps rates y to (M + dt^2 K)^-1 M y. Its
 * frequency from the kinetic and the elastic energy of y. Modes found before are projected out. */
enum { BEAM_MAX = 64, MODES = 3 };

static double find_mode(int n, double length, double mode[MODES][BEAM_MAX], int which, int formulation)
{
    cst_rod_def def = rod_definition(n, length, 1.0, 1.0);
    def.formulation = (cst_rod_formulation)formulation;
    def.clamped = true;
    cst_body_model rod = rod_create(&def);
    double q[BEAM_MAX + 3] = {0}, v[BEAM_MAX + 3] = {0}, l = length / n, omega = 0.0, before = -1.0;
    for (int i = 0; i < n; ++i)
        v[3 + i] = 1e-6 * (1.0 + sin(3.0 * which * i));
    for (int k = 0; k < 400 && fabs(omega - before) > 1e-15 * omega; ++k) {
        for (int m = 0; m < which; ++m) { /* modes are orthogonal in K = l as well */
            double along = 0.0, norm = 0.0;
            for (int i = 0; i < n; ++i) {
                along += v[3 + i] * mode[m][i];
                norm += mode[m][i] * mode[m][i];
            }
            for (int i = 0; i < n; ++i)
                v[3 + i] -= along / norm * mode[m][i];
        }
        double size = 0.0;
        for (int i = 0; i < n; ++i)
            size = fmax(size, fabs(v[3 + i]));
        for (int i = 0; i < n; ++i)
            v[3 + i] *= 1e-6 / size;
        rod_set_state(&rod, n, q, v);
        cst_step_frame frame = step_frame(1e5, 1.0, 0.0, 0.0);
        cst_body_energy energy;
        rod.class->dynamics->energy(rod.self, frame.gravity, &energy);
        double strain = 0.0, out[4 * BEAM_MAX];
        for (int i = 0; i < n; ++i) {
            mode[which][i] = v[3 + i] * 1e6;
            strain += 0.5 * l * v[3 + i] * v[3 + i];
        }
        before = omega;
        omega = sqrt(strain / energy.kinetic);
        rod_step(&rod, &frame, 1, out);
        double moved[BEAM_MAX + 3];
        rod_state(&rod, n, moved, v);
    }
    rod_destroy(&rod);
    return omega;
}

static void discrete_frequencies(void **state)
{
    (void)state;
    table t = table_read("physics/H_vibration/supercircle_discrete_frequencies.csv");
    static double mode[MODES][BEAM_MAX];
    int checked = 0;
    double worst = 0.0;
    for (int i = 0; i < t.rows; ++i) {
        const double *row = t.value + i * t.columns; /* boundary, n, mode, omega, exact, error */
        int n = (int)row[1], which = (int)row[2] - 1;
        if (strcmp(t.name[i], "cf") != 0 || which >= MODES || n > BEAM_MAX || n < which + 2)
            continue;
        for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
            for (int m = 0; m <= which; ++m) {
                double omega = find_mode(n, 1.0, mode, m, formulation);
                if (m == which)
                    worst = fmax(worst, fabs(omega / row[3] - 1.0));
            }
        }
        ++checked;
    }
    print_message("%d discrete frequencies, largest relative difference %.1e\n", checked, worst);
    assert_true(checked >= 20);
    assert_true(worst < 1e-9);
    table_free(&t);
}

/* Mean frequency over 20 cycles of a small vibration, from the times at which the first curvature changes sign. */
static double measured_frequency(int n, double length, int formulation, const double *mode, double omega, double theta, double dt)
{
    cst_rod_def def = rod_definition(n, length, 1.0, 1.0);
    def.formulation = (cst_rod_formulation)formulation;
    def.clamped = true;
    cst_body_model rod = rod_create(&def);
    double q[BEAM_MAX + 3] = {0}, v[BEAM_MAX + 3] = {0}, first = 0.0, last = 0.0;
    for (int i = 0; i < n; ++i)
        v[3 + i] = 1e-6 * omega * mode[i];
    rod_set_state(&rod, n, q, v);
    cst_step_frame frame = step_frame(dt, theta, 0.0, 0.0);
    int crossings = 0;
    while (crossings <= 40) {
        double before = q[3];
        rod_step(&rod, &frame, 1, NULL);
        rod_state(&rod, n, q, v);
        if (frame.time > 2.0 * dt && before * q[3] < 0.0) {
            double when = frame.time - dt + dt * before / (before - q[3]);
            if (crossings++ == 0)
                first = when;
            last = when;
        }
    }
    rod_destroy(&rod);
    return 3.14159265358979323846 * (crossings - 1) / (last - first);
}

/* Space error from the table of discrete frequencies, time error from the table of the integrators' shift: their product is what a
 * vibrating rod shows, for both lengths. */
static void vibration(void **state)
{
    (void)state;
    table shift = table_read("physics/H_vibration/integrator_shift.csv"); /* omega dt, Euler ratio, decay, midpoint ratio, ... */
    table exact = table_read("physics/H_vibration/beam_frequencies.csv"); /* boundary, mode, L, beta, omega, ... */
    static double mode[MODES][BEAM_MAX];
    static const int sizes[3] = {4, 8, 16};
    double worst = 0.0, error[2][3];
    for (int which_length = 0; which_length < 2; ++which_length) {
        double length = which_length + 1.0, beam = exact.value[which_length * exact.columns + 4];
        assert_true(exact.value[which_length * exact.columns + 2] == length);
        for (int k = 0; k < 3; ++k) {
            int formulation = k % 2 ? CST_ROD_MIXED : CST_ROD_CHAINED;
            double omega = find_mode(sizes[k], length, mode, 0, formulation);
            error[which_length][k] = omega / beam - 1.0;
            for (int row = 1; row < 4; ++row) { /* omega dt = 0.05, 0.1, 0.2 */
                const double *ratio = shift.value + row * shift.columns;
                double dt = ratio[0] / omega;
                double euler = measured_frequency(sizes[k], length, formulation, mode[0], omega, 1.0, dt);
                double midpoint = measured_frequency(sizes[k], length, formulation, mode[0], omega, 0.5, dt);
                worst = fmax(worst, fmax(fabs(euler / (omega * ratio[1]) - 1.0), fabs(midpoint / (omega * ratio[3]) - 1.0)));
            }
        }
        print_message("L = %g: frequency above the beam's by %.4f%%, %.4f%%, %.4f%% at n = 4, 8, 16\n", length,
                      100.0 * error[which_length][0], 100.0 * error[which_length][1], 100.0 * error[which_length][2]);
        assert_true(error[which_length][0] / error[which_length][1] > 3.9 &&
                    error[which_length][1] / error[which_length][2] > 3.9);
    }
    print_message("frequencies over 20 cycles: largest difference from space and time shifts %.1e\n", worst);
    assert_true(worst < 2e-5);
    table_free(&shift);
    table_free(&exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balance_of_steps),   cmocka_unit_test(budget),
                                       cmocka_unit_test(midpoint_conserves), cmocka_unit_test(spin),
                                       cmocka_unit_test(euler_loses),        cmocka_unit_test(discrete_frequencies),
                                       cmocka_unit_test(vibration)};
    return cmocka_run_group_tests_name("super-circle, energy and vibration", tests, NULL, NULL);
}
