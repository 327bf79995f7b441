/* Constraints in motion: rows against differences, pendulums against an independent integrator, prescribed motions, statics of
 * what is held, release, the budget, refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rigid/rigid_body.h"
#include "tests/held_bodies.h"
#include "world/point_motion.h"

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g, not %.17g (off by %g)", found, expected, found - expected);
}

static cst_place on(cst_body_id body, double x, double y)
{
    return (cst_place){.body = body, .point = {x, y, 0.0}};
}

/* A thin bar of length 2 half along its own x. */
static cst_body_id add_bar(held_bodies *held, double x, double y, double angle, double half, double mass)
{
    const double thin = 0.01, corner[8] = {-half, -thin, half, -thin, half, thin, -half, thin};
    cst_rigid_def def = cst_rigid_def_default();
    def.shape = CST_RIGID_POLYGON;
    def.corner = corner;
    def.corners = 4;
    def.mass = mass;
    def.position[0] = x;
    def.position[1] = y;
    def.angle = angle;
    cst_body_model body;
    char message[256] = "";
    if (!cst_rigid_create(&def, NULL, &body, message, sizeof message))
        fail_msg("%s", message);
    return held_add(held, body);
}

/* ------------------------------------------------------------------------------------------------------------------ rows */

static void values_at(held_bodies *held, const cst_constraint *constraint, double time, const double *v, cst_constraint_row *rows,
                      cst_point_motion *room)
{
    for (int i = 0; i < held->bodies; i++)
        assert_true(held->body[i].class->dynamics->place(held->body[i].self, &held->frame, v ? v + 3 * i : NULL));
    for (int side = 0; side < 2; side++)
        if (constraint->body[side] >= 0) {
            const cst_body_model *body = held->body + constraint->body[side];
            body->class->places->point(body->self, constraint->at + side, room + side);
        }
    cst_constraint_linearise(constraint, room, constraint->body[1] >= 0 ? room + 1 : NULL, time, rows);
}

/* Every kind, a and b on bodies that have moved since, b far from a where it slides: rates against differences of values. */
static void rows_are_derivatives_of_their_values(void **state)
{
    (void)state;
    for (int kind = CST_CONSTRAINT_PINNED; kind <= CST_CONSTRAINT_GUIDED; kind++)
        for (int b = 0; b < 2; b++) {
            held_bodies *held = held_new(1.0, 1.0);
            add_bar(held, 0.3, 0.1, 0.4, 0.5, 1.0);
            add_bar(held, -0.2, 0.6, -0.8, 0.5, 1.0);
            const cst_key key[2] = {{.time = 0.0}, {.time = 10.0, .translation = {3.0, -2.0, 0.0}, .rotation = {0.0, 0.0, 4.0}}};
            cst_constraint_def def = cst_constraint_def_default();
            def.kind = (cst_constraint_kind)kind;
            def.a = on(1, 0.2, 0.05);
            def.b = b == 0 ? on(2, 0.1, 0.3) : on(0, -0.4, 0.2);
            def.b_follows_a = kind == CST_CONSTRAINT_PINNED || kind == CST_CONSTRAINT_CLAMPED;
            def.direction[0] = 0.6;
            def.direction[1] = 2.0;
            if (b == 1)
                def.motion = (cst_motion){.key = key, .keys = 2};
            held_constrain(held, &def);
            const cst_constraint *constraint = held->constraint;
            cst_point_motion room[2];
            for (int side = 0; side < 2; side++)
                assert_true(cst_point_motion_take(&held->step, held->body, 2, room + side));
            cst_constraint_row rows[CST_CONSTRAINT_ROWS_MAX], low[CST_CONSTRAINT_ROWS_MAX], high[CST_CONSTRAINT_ROWS_MAX];
            values_at(held, constraint, 0.0, NULL, rows, room);
            const int count = cst_constraint_rows(constraint);
            for (int i = 0; i < count; i++)
                assert_near(rows[i].value, 0.0, 1e-15);

            const double place[6] = {0.3, -0.2, 0.7, -0.4, 0.5, 0.9}, rate[6] = {1.1, -0.7, 0.8, 0.3, 0.9, -1.3};
            const double time = 2.0, h = 1e-6;
            double before[6], after[6];
            for (int i = 0; i < 6; i++) {
                before[i] = place[i] - h * rate[i];
                after[i] = place[i] + h * rate[i];
            }
            values_at(held, constraint, time - h, before, low, room);
            values_at(held, constraint, time + h, after, high, room);
            values_at(held, constraint, time, place, rows, room);
            double velocity[2][3] = {{0}}, turn[2][3] = {{0}};
            for (int side = 0; side < 2; side++)
                if (constraint->body[side] >= 0)
                    cst_point_motion_velocity(room + side, 2, rate + 3 * constraint->body[side], velocity[side], turn[side]);
            for (int i = 0; i < count; i++) {
                const double found = rows[i].c[0] * (velocity[0][0] - velocity[1][0]) +
                                     rows[i].c[1] * (velocity[0][1] - velocity[1][1]) + rows[i].turn_a[2] * turn[0][2] -
                                     rows[i].turn_b[2] * turn[1][2] - (b == 1 ? rows[i].target : 0.0);
                assert_true(fabs(found) > 1e-3);
                assert_near(found, (high[i].value - low[i].value) / (2.0 * h), 1e-8);
            }
            held_free(held);
        }
}

/* ------------------------------------------------------------------------------------------------------------- pendulums */

static const double HALF = 0.2, MASS = 1.3, G = 9.81;

/* Angles from straight down, and their rates, of two bars hung on each other, by Runge-Kutta on Lagrange's equations. */
static void accelerate(const double *q, double *out)
{
    const double inertia = MASS * (4.0 * HALF * HALF + 4e-4) / 12.0, L = 2.0 * HALF;
    const double m11 = inertia + MASS * HALF * HALF + MASS * L * L, m12 = MASS * L * HALF * cos(q[0] - q[1]),
                 m22 = inertia + MASS * HALF * HALF;
    const double twist = MASS * L * HALF * sin(q[0] - q[1]);
    const double f1 = -twist * q[3] * q[3] - (MASS * HALF + MASS * L) * G * sin(q[0]);
    const double f2 = twist * q[2] * q[2] - MASS * HALF * G * sin(q[1]);
    const double det = m11 * m22 - m12 * m12;
    out[0] = q[2];
    out[1] = q[3];
    out[2] = (m22 * f1 - m12 * f2) / det;
    out[3] = (m11 * f2 - m12 * f1) / det;
}

static void double_pendulum_exactly(double end, double *q)
{
    const int steps = 20000;
    const double h = end / steps;
    for (int s = 0; s < steps; s++) {
        double k[4][4], at[4];
        for (int stage = 0; stage < 4; stage++) {
            const double share = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int i = 0; i < 4; i++)
                at[i] = q[i] + (stage > 0 ? share * k[stage - 1][i] : 0.0);
            accelerate(at, k[stage]);
        }
        for (int i = 0; i < 4; i++)
            q[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

/* Two bars from rest, the first level, the second 0.5 from level; angle of bar i from straight down is its own + pi/2. */
static held_bodies *double_pendulum(double dt, double theta, int iterations)
{
    held_bodies *held = held_new(dt, theta);
    held->iterations = iterations;
    const double second = -0.5;
    add_bar(held, HALF, 0.0, 0.0, HALF, MASS);
    add_bar(held, 2.0 * HALF + HALF * cos(second), HALF * sin(second), second, HALF, MASS);
    held_hold(held, CST_CONSTRAINT_PINNED, on(1, -HALF, 0.0), 0);
    held_hold(held, CST_CONSTRAINT_PINNED, on(2, -HALF, 0.0), 1);
    return held;
}

static void swing(double dt, double theta, int iterations, double end, double *angle, double *most_error, double *unexplained,
                  double *pins)
{
    held_bodies *held = double_pendulum(dt, theta, iterations);
    const double start = held_energy(held);
    const int steps = (int)lround(end / dt);
    *most_error = *unexplained = 0.0;
    for (int i = 0; i < steps; i++) {
        held_step(held);
        *most_error = fmax(*most_error, held_error(held));
        *unexplained = fmax(*unexplained, fabs(held_energy(held) - start - held_works(held)));
    }
    for (int i = 0; i < 2; i++) {
        double state[6];
        held->body[i].class->state->save(held->body[i].self, state);
        angle[i] = state[2];
    }
    *pins = held->constraint_work;
    held_free(held);
}

static void double_pendulum_swings_as_lagrange_says(void **state)
{
    (void)state;
    const double half_pi = 1.5707963267948966, end = 0.5;
    double exact[4] = {half_pi, half_pi - 0.5, 0.0, 0.0};
    double_pendulum_exactly(end, exact);
    const struct {
        double theta;
        int iterations;
    } scheme[] = {{1.0, 1}, {1.0, 4}, {0.5, 1}, {0.5, 4}};
    for (size_t k = 0; k < sizeof scheme / sizeof *scheme; k++) {
        double coarse[2], fine[2], error[2], unexplained[2], pins[2];
        swing(5e-4, scheme[k].theta, scheme[k].iterations, end, coarse, error, unexplained, pins);
        swing(2.5e-4, scheme[k].theta, scheme[k].iterations, end, fine, error + 1, unexplained + 1, pins + 1);
        for (int i = 0; i < 2; i++) {
            const double far = coarse[i] + half_pi - exact[i], near = fine[i] + half_pi - exact[i];
            print_message("theta %.1f, %d iteration(s), bar %d: off by %.2e at dt 5e-4, %.2e at half of it\n", scheme[k].theta,
                          scheme[k].iterations, i + 1, far, near);
            assert_true(fabs(near) < (scheme[k].theta == 1.0 ? 0.01 : 1e-6)); /* first order, and second */
            assert_near(2.0 * fine[i] - coarse[i] + half_pi, exact[i], 2e-4); /* extrapolated: the first order is gone */
        }
        /* Constraints: linearised steps miss by the sagitta of a step, iterated ones do not miss. */
        print_message("    constraint error %.2e, then %.2e; unexplained energy %.1e J; the pins worked %.1e J, then %.1e J\n",
                      error[0], error[1], unexplained[1], pins[0], pins[1]);
        if (scheme[k].theta == 1.0 && scheme[k].iterations > 1)
            assert_true(error[0] < 1e-12);
        else
            assert_true(error[1] < 1e-4 && error[1] < 0.6 * error[0]);
        assert_true(unexplained[0] < 1e-12 && unexplained[1] < 1e-12);
        if (scheme[k].theta == 0.5) /* nothing damps, and pins at rest do not work */
            assert_true(fabs(pins[0]) < 2e-5 && fabs(pins[1]) < 0.3 * fabs(pins[0]));
    }
}

/* A bar that spins fast about a pin at its end, without gravity: the energy stays. */
static void fast_spin_about_a_pin_keeps_its_energy(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        const double dt = 5e-4, omega = 50.0;
        held_bodies *held = held_new(dt, scheme == 0 ? 1.0 : 0.5);
        memset(held->frame.gravity, 0, sizeof held->frame.gravity);
        add_bar(held, HALF, 0.0, 0.0, HALF, 1.0);
        held->body[0].class->state->load(held->body[0].self, (const double[6]){HALF, 0.0, 0.0, 0.0, HALF * omega, omega});
        held_hold(held, CST_CONSTRAINT_PINNED, on(1, -HALF, 0.0), 0);
        const double start = held_energy(held);
        for (int i = 0; i < 2000; i++) /* eight turns */
            held_step(held);
        print_message("theta %.1f: %.5f of the energy after 1 s at omega dt = 0.025\n", scheme == 0 ? 1.0 : 0.5,
                      held_energy(held) / start);
        assert_near(held_energy(held) / start, 1.0, 2e-3);
        /* The pin pulls with m omega^2 r. */
        assert_near(hypot(held->constraint[0].force[0], held->constraint[0].force[1]), omega * omega * HALF, 2.0);
        held_free(held);
    }
}

/* Errors do not pile up. */
static void position_error_stays_bounded(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        held_bodies *held = double_pendulum(2e-3, scheme == 0 ? 1.0 : 0.5, 1);
        double early = 0.0, late = 0.0;
        for (int i = 0; i < 1000; i++) {
            held_step(held);
            if (i < 500)
                early = fmax(early, held_error(held));
            else
                late = fmax(late, held_error(held));
        }
        print_message("theta %.1f: %.2e m in the first 500 steps, %.2e m in the next\n", scheme == 0 ? 1.0 : 0.5, early, late);
        assert_true(early > 0.0 && late < 2.0 * early && late < 2e-3);
        held_free(held);
    }
}

/* ------------------------------------------------------------------------------------------------------- statics of pins */

static void reactions_are_those_of_a_beam_on_two_supports(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        held_bodies *held = held_new(1e-3, scheme == 0 ? 1.0 : 0.5);
        add_bar(held, 0.0, 0.0, 0.0, 1.0, 2.0);
        held_hold(held, CST_CONSTRAINT_PINNED, on(1, -0.5, 0.0), 0);
        held_hold(held, CST_CONSTRAINT_SLIDING, on(1, 0.8, 0.0), 0); /* rolls along x */
        for (int i = 0; i < 3; i++)
            held_step(held);
        const double weight = 2.0 * 9.81;
        assert_near(held->constraint[0].force[1], weight * 0.8 / 1.3, 1e-10);
        assert_near(held->constraint[1].force[1], weight * 0.5 / 1.3, 1e-10);
        assert_near(held->constraint[0].force[0], 0.0, 1e-10);
        assert_near(held->constraint[1].force[0], 0.0, 1e-10);
        assert_near(held->constraint[0].moment[2], 0.0, 0.0);
        held_free(held);

        held = held_new(1e-3, scheme == 0 ? 1.0 : 0.5); /* a cantilever: force and moment */
        add_bar(held, 0.0, 0.0, 0.3, 1.0, 2.0);
        held_hold(held, CST_CONSTRAINT_CLAMPED, on(1, -1.0, 0.0), 0);
        for (int i = 0; i < 3; i++)
            held_step(held);
        assert_near(held->constraint[0].force[1], weight, 1e-10);
        assert_near(held->constraint[0].moment[2], weight * cos(0.3), 1e-10);
        held_free(held);
    }
}

/* A bar between two pins and a clamp: more than enough, and one row too many each way. The weight is carried all the same. */
static void more_supports_than_needed(void **state)
{
    (void)state;
    held_bodies *held = held_new(1e-3, 1.0);
    add_bar(held, 0.0, 0.0, 0.0, 1.0, 2.0);
    held_hold(held, CST_CONSTRAINT_PINNED, on(1, -0.5, 0.0), 0);
    held_hold(held, CST_CONSTRAINT_PINNED, on(1, 0.8, 0.0), 0);
    held_hold(held, CST_CONSTRAINT_CLAMPED, on(1, 0.1, 0.0), 0);
    for (int i = 0; i < 10; i++)
        held_step(held);
    assert_int_equal(held->redundant, 4);
    assert_near(held->constraint[0].force[1] + held->constraint[1].force[1] + held->constraint[2].force[1], 2.0 * 9.81, 1e-9);
    assert_true(held_error(held) < 1e-14);
    held_free(held);
}

/* Fifteen disks pinned rim to rim between two walls, with drag, come to rest: every pin carries the same horizontal pull, the walls
 * the weight, and each disk hangs in balance. */
static void chain_of_disks_hangs(void **state)
{
    (void)state;
    enum { LINKS = 15 };
    held_bodies *held = held_new(5e-3, 1.0);
    for (int i = 0; i < LINKS; i++) {
        cst_rigid_def def = cst_rigid_def_default();
        def.radius = 0.05;
        def.mass = 0.2;
        def.drag = 1.5;
        def.angular_drag = 1e-3;
        /* along two sides of a triangle, so that the chain is longer than the gap */
        const double along = 0.1 * (i + 0.5), half = 0.05 * LINKS, down = along < half ? along : 2.0 * half - along;
        def.position[0] = 0.8 * along;
        def.position[1] = -0.6 * down;
        if (i == LINKS / 2)
            def.position[1] += 0.6 * 0.05;
        cst_body_model body;
        char message[256] = "";
        assert_true(cst_rigid_create(&def, NULL, &body, message, sizeof message));
        held_add(held, body);
        const double from = i < (LINKS + 1) / 2 ? 0.6 : -0.6; /* where the link before is met */
        cst_constraint_def pin = cst_constraint_def_default();
        pin.a = on((cst_body_id)i + 1, i == LINKS / 2 ? -0.05 : -0.04, i == LINKS / 2 ? 0.0 : from * 0.05);
        pin.b.body = (cst_body_id)i;
        held_constrain(held, &pin);
    }
    held_hold(held, CST_CONSTRAINT_PINNED, on(LINKS, 0.04, 0.03), 0);
    for (int i = 0; i < 3000; i++)
        held_step(held);
    const double *wall = held->constraint[0].force, *other = held->constraint[LINKS].force;
    assert_near(wall[1] + other[1], LINKS * 0.2 * 9.81, 1e-6);
    for (int i = 0; i < LINKS; i++) { /* force of the link before on link i */
        assert_near(held->constraint[i].force[0], wall[0], 1e-6);
        assert_near(held->constraint[i].force[1], wall[1] - i * 0.2 * 9.81, 1e-6);
    }
    assert_near(other[0], -wall[0], 1e-6);
    assert_true(wall[0] < -0.1 && held_error(held) < 1e-10);
    held_free(held);
}

/* ----------------------------------------------------------------------------------------------------- prescribed motions */

static void prescribed_motions_are_followed_exactly(void **state)
{
    (void)state;
    const cst_key key[3] = {{.time = 0.1},
                            {.time = 0.6, .translation = {1.0, 0.5, 0.0}, .rotation = {0.0, 0.0, 9.0}},
                            {.time = 0.8, .translation = {0.2, 0.5, 0.0}, .rotation = {0.0, 0.0, 7.0}}};
    for (int smooth = 0; smooth < 2; smooth++)
        for (int iterations = 1; iterations <= 4; iterations += 3) {
            held_bodies *held = held_new(0.01, 1.0);
            held->iterations = iterations;
            const double arm = iterations == 1 ? 0.0 : 0.3; /* away from the centre a linearised step misses by a sagitta */
            add_bar(held, 0.1, 0.2, 0.0, 0.5, 1.0);
            cst_constraint_def def = cst_constraint_def_default();
            def.kind = CST_CONSTRAINT_CLAMPED;
            def.a = on(1, arm, 0.0);
            def.motion = (cst_motion){.key = key, .keys = 3, .smooth = smooth == 1};
            held_constrain(held, &def);
            const double start = held_energy(held);
            for (int i = 1; i <= 100; i++) {
                held_step(held);
                assert_true(held_error(held) < 1e-12);
                if (i == 35 && smooth == 0) { /* half way, 4.5 rad */
                    double position[3], angle;
                    held_where(held, on(1, arm, 0.0), position, &angle);
                    assert_near(position[0], 0.1 + arm + 0.5, 1e-12);
                    assert_near(position[1], 0.2 + 0.25, 1e-12);
                    assert_near(angle, 4.5, 1e-12);
                }
            }
            assert_near(held_energy(held) - start, held_works(held), 1e-10);
            assert_near(held_energy(held) - start, 9.81 * 0.5 + 9.81 * arm * (sin(0.0) - sin(7.0)), 1e-9); /* lifted, at rest */
            held_free(held);
        }
}

/* With theta < 1 the end-of-step velocity is that of the target, and errors die out. */
static void motions_are_followed_without_ringing_at_second_order(void **state)
{
    (void)state;
    const cst_key key[2] = {{.time = 0.1}, {.time = 0.5, .translation = {0.4, 0.0, 0.0}}};
    held_bodies *held = held_new(0.01, 0.5);
    held_add_disk(held, 0.0, 0.0, 0.1, 1.0);
    cst_constraint_def def = cst_constraint_def_default();
    def.a = on(1, 0.0, 0.0);
    def.motion = (cst_motion){.key = key, .keys = 2};
    held_constrain(held, &def);
    for (int i = 1; i <= 150; i++) {
        held_step(held);
        if (i == 40) {
            double v[3];
            held->body[0].class->dynamics->velocities(held->body[0].self, v);
            assert_near(v[0], 1.0, 5e-3);
        }
        assert_true(held_error(held) < 0.006); /* half a step of the jump in velocity */
    }
    assert_true(held_error(held) < 1e-8);
    held_free(held);
}

static void released_bodies_fall(void **state)
{
    (void)state;
    held_bodies *held = held_new(0.01, 0.5);
    held_add_disk(held, 0.0, 0.0, 0.1, 1.0);
    cst_constraint_def def = cst_constraint_def_default();
    def.kind = CST_CONSTRAINT_CLAMPED;
    def.a = on(1, 0.0, 0.0);
    def.release_time = 0.3;
    held_constrain(held, &def);
    double position[3];
    for (int i = 0; i < 30; i++)
        held_step(held);
    held_where(held, on(1, 0.0, 0.0), position, NULL);
    assert_near(position[1], 0.0, 1e-14);
    assert_near(held->constraint[0].force[1], 9.81, 1e-10);
    for (int i = 0; i < 20; i++)
        held_step(held);
    held_where(held, on(1, 0.0, 0.0), position, NULL);
    assert_near(position[1], -0.5 * 9.81 * 0.2 * 0.2, 1e-12);
    assert_near(held->constraint[0].force[1], 0.0, 0.0);
    assert_near(held_error(held), 0.0, 0.0);
    held_free(held);
}

/* A slide that turns with the body it is fixed to: a bead on a spinning bar is flung out as r'' = omega^2 r. */
static void bead_on_a_spinning_bar(void **state)
{
    (void)state;
    const double omega = 3.0, dt = 2.5e-4;
    const cst_key key[2] = {{.time = 0.0}, {.time = 1.0, .rotation = {0.0, 0.0, omega}}};
    held_bodies *held = held_new(dt, 1.0);
    memset(held->frame.gravity, 0, sizeof held->frame.gravity);
    cst_rigid_def def = cst_rigid_def_default();
    def.radius = 0.01;
    def.mass = 0.3;
    def.position[0] = 0.1;
    def.velocity[1] = 0.1 * omega;
    cst_body_model body;
    char message[256] = "";
    assert_true(cst_rigid_create(&def, NULL, &body, message, sizeof message));
    add_bar(held, 0.0, 0.0, 0.0, 1.0, 5.0);
    held_add(held, body);
    cst_constraint_def hub = cst_constraint_def_default();
    hub.kind = CST_CONSTRAINT_CLAMPED;
    hub.a = on(1, 0.0, 0.0);
    hub.motion = (cst_motion){.key = key, .keys = 2};
    held_constrain(held, &hub);
    cst_constraint_def slide = cst_constraint_def_default();
    slide.kind = CST_CONSTRAINT_GUIDED;
    slide.a = on(2, 0.0, 0.0);
    slide.b = on(1, 0.0, 0.0);
    slide.b_follows_a = false;
    held_constrain(held, &slide);
    for (int i = 0; i < 2000; i++)
        held_step(held);
    double position[3], angle;
    held_where(held, on(2, 0.0, 0.0), position, &angle);
    assert_near(hypot(position[0], position[1]), 0.1 * cosh(omega * 0.5), 1e-3);
    assert_near(atan2(position[1], position[0]), 1.5, 1e-4);
    assert_near(angle, 1.5, 1e-4);
    held_free(held);
}

/* --------------------------------------------------------------------------------------------------------------- refusals */

static void refused(held_bodies *held, cst_constraint_def def, const char *expected)
{
    cst_constraint constraint;
    char message[256] = "";
    if (cst_constraint_create(&def, 2, held->body, held->bodies, &held->keep, &constraint, message, sizeof message))
        fail_msg("accepted, not refused with: %s", expected);
    if (!strstr(message, expected))
        fail_msg("\"%s\" does not say \"%s\"", message, expected);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    held_bodies *held = held_new(0.01, 1.0);
    held_add_disk(held, 0.0, 0.0, 0.1, 1.0);
    held_add_disk(held, 1.0, 0.0, 0.1, 1.0);
    cst_constraint_def good = cst_constraint_def_default(), def;
    good.a = on(1, 0.0, 0.0);
    def = good;
    def.a.body = 0;
    refused(held, def, "a must be a place of a body");
    def.a.body = 3;
    refused(held, def, "there is no body 3");
    def = good;
    def.b.body = 7;
    refused(held, def, "b is on body 7");
    def = good;
    def.kind = (cst_constraint_kind)4;
    refused(held, def, "no such kind");
    def = good;
    def.b = on(2, 0.0, 0.0);
    def.b_follows_a = false;
    refused(held, def, "1 m apart");
    def.b = on(0, 1e-5, 0.0);
    refused(held, def, "apart");
    def = good;
    def.b = on(2, 0.0, 0.0);
    def.motion = (cst_motion){.key = &(cst_key){0}, .keys = 1};
    refused(held, def, "only the world can be moved");
    def = good;
    def.kind = CST_CONSTRAINT_SLIDING;
    def.direction[0] = 0.0;
    refused(held, def, "direction");
    def = good;
    def.a.point[1] = NAN;
    refused(held, def, "a is not a place of body 1");
    def = good;
    def.motion = (cst_motion){.key = (const cst_key[2]){{.time = 2.0}, {.time = 1.0}}, .keys = 2};
    refused(held, def, "motion of a constraint");
    def = good;
    def.release_time = NAN;
    refused(held, def, "release time");
    def = good;
    def.b_follows_a = false;
    def.b = on(0, 5e-7, 0.0); /* near enough */
    held_constrain(held, &def);
    held_free(held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_derivatives_of_their_values),
        cmocka_unit_test(double_pendulum_swings_as_lagrange_says),
        cmocka_unit_test(fast_spin_about_a_pin_keeps_its_energy),
        cmocka_unit_test(position_error_stays_bounded),
        cmocka_unit_test(reactions_are_those_of_a_beam_on_two_supports),
        cmocka_unit_test(more_supports_than_needed),
        cmocka_unit_test(chain_of_disks_hangs),
        cmocka_unit_test(prescribed_motions_are_followed_exactly),
        cmocka_unit_test(motions_are_followed_without_ringing_at_second_order),
        cmocka_unit_test(released_bodies_fall),
        cmocka_unit_test(bead_on_a_spinning_bar),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
