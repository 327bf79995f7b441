/* Steps of planar rods: both formulations move alike, positions follow the root, nothing changes before `finish`, order of
 * accuracy, surroundings of a step (place, motion, drawing, state). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "body/motion.h"
#include "tests/super_circle_fixture.h"

enum { N = 11, Q = N + 3 };

static const cst_key keys[] = {{0.0, {0, 0, 0}, {0, 0, 0}},
                               {0.05, {0.1, 0.05, 0}, {0, 0, 0.6}},
                               {0.12, {0.0, -0.05, 0}, {0, 0, -0.3}},
                               {0.2, {0.05, 0, 0}, {0, 0, 0.5}}};

typedef struct setting {
    const char *name;
    double theta;
    int iterations;
    bool clamped, moved, damped, curved;
} setting;

/* An uneven rod; its arrays live as long as the call that builds it. */
static cst_body_model build(const setting *how, int formulation)
{
    double length[N], stiffness[N], natural[N], curvature[N], rate[N];
    for (int i = 0; i < N; ++i) {
        length[i] = 0.08 + 0.02 * sin(i);
        stiffness[i] = 0.01 + 0.004 * cos(2 * i);
        natural[i] = how->curved ? 3.0 * sin(1.3 * i) : 0.0;
        curvature[i] = natural[i] + 0.5 * cos(0.7 * i);
        rate[i] = 2.0 * sin(2.1 * i + 1.0);
    }
    cst_rod_def def = rod_definition(N, 0.0, 0.1, 0.0);
    def.formulation = (cst_rod_formulation)formulation;
    def.element_length = length;
    def.element_bending_stiffness = stiffness;
    def.element_natural_curvature = natural;
    def.curvature = curvature;
    def.curvature_rate = rate;
    def.position[0] = 0.2;
    def.position[1] = 0.4;
    def.angle = 0.3;
    def.clamped = how->clamped;
    if (how->damped) {
        def.viscosity = 2e-4;
        def.drag = 0.02;
        def.load[0] = 0.1;
    }
    if (how->moved)
        def.root_motion = (cst_motion){.key = keys, .keys = 4, .smooth = true};
    if (!how->clamped) {
        def.velocity[0] = 0.5;
        def.velocity[1] = 1.0;
        def.angular_velocity = 4.0;
    }
    return rod_create(&def);
}

static const setting settings[] = {
    {"free, Euler", 1.0, 1, false, false, false, true},
    {"free, damped, Euler", 1.0, 1, false, false, true, true},
    {"free, midpoint, iterated", 0.5, 12, false, false, true, true},
    {"clamped, Euler", 1.0, 1, true, false, true, true},
    {"clamped, straight", 0.6, 1, true, false, false, false},
    {"moved root, Euler", 1.0, 1, true, true, true, true},
    {"moved root, Euler, iterated", 1.0, 6, true, true, true, true},
    {"moved root, midpoint, iterated", 0.5, 12, true, true, true, true},
};

static void formulations_agree(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; ++k) {
        const setting *how = &settings[k];
        cst_body_model chained = build(how, CST_ROD_CHAINED), mixed = build(how, CST_ROD_MIXED);
        cst_step_frame frame = step_frame(2e-3, how->theta, 0.0, -9.81), same = frame;
        double worst_q = 0.0, worst_v = 0.0, moved = 0.0, q0[Q], v0[Q];
        rod_state(&chained, N, q0, v0);
        for (int step = 0; step < 80; ++step) {
            double qa[Q], va[Q], qb[Q], vb[Q];
            rod_step(&chained, &frame, how->iterations, NULL);
            rod_step(&mixed, &same, how->iterations, NULL);
            rod_state(&chained, N, qa, va);
            rod_state(&mixed, N, qb, vb);
            worst_q = fmax(worst_q, largest_difference(qa, qb, Q));
            worst_v = fmax(worst_v, largest_difference(va, vb, Q));
            moved = fmax(moved, largest_difference(qa, q0, Q));
            cst_body_work a, b;
            chained.class->dynamics->work(chained.self, &a);
            mixed.class->dynamics->work(mixed.self, &b);
            assert_close((double *)&a, (double *)&b, (int)(sizeof a / sizeof(double)), 1e-8, 1e-3, "work");
        }
        print_message("%-32s q %.1e, v %.1e after 80 steps (moved by %.2g)\n", how->name, worst_q, worst_v, moved);
        assert_true(moved > 0.5);
        assert_true(worst_q < 1e-10);
        assert_true(worst_v < 1e-8);
        rod_destroy(&chained);
        rod_destroy(&mixed);
    }
}

/* A long rod: the sweep has no limit of size, the dense matrix is factored up to 500 elements. */
static void many_elements(void **state)
{
    (void)state;
    enum { MANY = 500 };
    cst_rod_def def = rod_definition(MANY, 1.0, 0.1, 0.01);
    def.clamped = true;
    def.natural_curvature = 2.0;
    def.viscosity = 1e-4;
    double qa[MANY + 3], va[MANY + 3], qb[MANY + 3], vb[MANY + 3];
    def.formulation = CST_ROD_CHAINED;
    cst_body_model chained = rod_create(&def);
    def.formulation = CST_ROD_MIXED;
    cst_body_model mixed = rod_create(&def);
    cst_step_frame frame = step_frame(1e-3, 1.0, 0.0, -9.81), same = frame;
    for (int step = 0; step < 20; ++step) {
        rod_step(&chained, &frame, 1, NULL);
        rod_step(&mixed, &same, 1, NULL);
    }
    rod_state(&chained, MANY, qa, va);
    rod_state(&mixed, MANY, qb, vb);
    double apart = largest_difference(qa, qb, MANY + 3);
    print_message("500 elements, 20 steps: kappa %.1e apart\n", apart);
    assert_true(apart < 1e-7);
    rod_destroy(&chained);
    rod_destroy(&mixed);

    def.elements = 20000;
    def.clamped = false;
    mixed = rod_create(&def);
    frame = step_frame(1e-3, 0.5, 0.0, -9.81);
    double before = rod_energy(&mixed, &frame), x, y;
    for (int step = 0; step < 10; ++step)
        rod_step(&mixed, &frame, 3, NULL);
    /* In free fall without strain nothing else happens. */
    rod_tip(&mixed, &x, &y);
    double fallen = 0.5 * 9.81 * 0.01 * 0.01, tip_x = sin(2.0) / 2.0, tip_y = (1.0 - cos(2.0)) / 2.0;
    assert_true(fabs(x - tip_x) < 1e-11 && fabs(y - (tip_y - fallen)) < 1e-11);
    assert_true(fabs(rod_energy(&mixed, &frame) - before) < 1e-11);
    rod_destroy(&mixed);
}

/* The clamped root is exactly where the motion says, with the velocity of the secant (Euler) or of the motion. */
static void root_follows(void **state)
{
    (void)state;
    cst_motion motion = {.key = keys, .keys = 4, .smooth = true};
    for (int k = 0; k < 2; ++k) {
        setting how = {"", k ? 0.5 : 1.0, 1, true, true, false, true};
        cst_body_model rod = build(&how, CST_ROD_MIXED);
        cst_step_frame frame = step_frame(3e-3, how.theta, 0.0, -9.81);
        double q[Q], v[Q], before[Q], x[3], a[3], u[3], w[3];
        for (int step = 0; step < 80; ++step) {
            rod_state(&rod, N, before, v);
            rod_step(&rod, &frame, 1, NULL);
            rod_state(&rod, N, q, v);
            cst_motion_sample(&motion, frame.time, x, a, u, w);
            double place[3] = {0.2 + x[0], 0.4 + x[1], 0.3 + a[2]}, rate[3] = {u[0], u[1], w[2]};
            assert_memory_equal(q, place, sizeof place);
            if (how.theta == 1.0) {
                for (int i = 0; i < 3; ++i)
                    rate[i] = (q[i] - before[i]) / frame.dt;
            }
            assert_close(v, rate, 3, 1e-14, 1.0, "root velocity");

            /* Points of the first element: drift alone at the root. */
            cst_material_point at = {0};
            double velocity[3], turn[3];
            rod.class->places->velocity(rod.self, &at, velocity, turn);
            assert_true(velocity[0] == v[0] && velocity[1] == v[1] && turn[2] == v[2]);
        }
        rod_destroy(&rod);
    }
}

/* A rigid body's free flight: a stiff straight rod turns about its centre of mass, which falls as a parabola. */
static void free_flight(void **state)
{
    (void)state;
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        cst_rod_def def = rod_definition(8, 1.0, 0.1, 1e4);
        def.formulation = (cst_rod_formulation)formulation;
        def.angular_velocity = 3.0;
        def.velocity[1] = 2.0 - 1.5; /* the centre rises at 2 m/s */
        cst_body_model rod = rod_create(&def);
        cst_step_frame frame = step_frame(1e-3, 0.5, 0.0, -9.81);
        double q[Q], v[Q];
        for (int step = 0; step < 500; ++step)
            rod_step(&rod, &frame, 8, NULL);
        rod_state(&rod, 8, q, v);
        double x, y;
        rod_tip(&rod, &x, &y);
        double t = frame.time, centre_x = 0.5 * (x + q[0]), centre_y = 0.5 * (y + q[1]);
        assert_true(fabs(t - 0.5) < 1e-12);
        assert_true(fabs(centre_x - 0.5) < 1e-5);
        assert_true(fabs(centre_y - (2.0 * t - 0.5 * 9.81 * t * t)) < 1e-5);
        assert_true(fabs(q[2] - 3.0 * t) < 1e-4);
        rod_destroy(&rod);
    }
}

/* Converged steps: order 1 for theta = 1, order 2 for theta = 1/2, against a much finer solution. */
static void orders(void **state)
{
    (void)state;
    setting how = {"", 0.5, 15, true, true, true, true};
    double fine[Q], v[Q], q[Q], error[2][3];
    cst_body_model rod = build(&how, CST_ROD_MIXED);
    cst_step_frame frame = step_frame(0.1 / 6400, 0.5, 0.0, -9.81);
    for (int step = 0; step < 6400; ++step)
        rod_step(&rod, &frame, 5, NULL);
    rod_state(&rod, N, fine, v);
    rod_destroy(&rod);
    for (int k = 0; k < 2; ++k) {
        for (int level = 0; level < 3; ++level) {
            int steps = 200 << level;
            how.theta = k ? 0.5 : 1.0;
            rod = build(&how, CST_ROD_MIXED);
            frame = step_frame(0.1 / steps, how.theta, 0.0, -9.81);
            for (int step = 0; step < steps; ++step)
                rod_step(&rod, &frame, 15, NULL);
            rod_state(&rod, N, q, v);
            error[k][level] = largest_difference(q, fine, Q);
            rod_destroy(&rod);
        }
        print_message("theta %.1f: errors %.2e %.2e %.2e\n", how.theta, error[k][0], error[k][1], error[k][2]);
    }
    double euler = log2(error[0][1] / error[0][2]), midpoint = log2(error[1][1] / error[1][2]);
    assert_true(euler > 0.8 && euler < 1.2);
    assert_true(midpoint > 1.85 && midpoint < 2.15);
}

/* place(v) shows where finish will go; a step that is not finished leaves every bit; motion bounds what nodes travel. */
static void around_a_step(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; ++k) {
        for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
            const setting *how = &settings[k];
            cst_body_model rod = build(how, formulation);
            cst_step_frame frame = step_frame(4e-3, how->theta, 0.0, -9.81);
            double before[2 * Q], after[2 * Q], v[4 * N];
            char message[256];
            rod.class->state->save(rod.self, before);
            cst_arc start[N], placed[N], arc;
            for (int i = 0; i < N; ++i)
                rod.class->surface->arc(rod.self, i, &start[i]);
            assert_int_equal(rod.class->surface->arcs(rod.self), N);
            assert_true(rod.class->dynamics->assemble(rod.self, &frame, NULL, message, sizeof message));
            memcpy(v, rod.class->dynamics->rhs(rod.self), (size_t)rod.class->dynamics->dofs(rod.self) * sizeof *v);
            assert_true(rod.class->dynamics->solve(rod.self, v));
            assert_true(rod.class->dynamics->place(rod.self, &frame, v));
            for (int i = 0; i < N; ++i)
                rod.class->surface->arc(rod.self, i, &placed[i]);
            double bound = rod.class->dynamics->motion(rod.self, &frame, v), travelled = 0.0;
            rod.class->state->save(rod.self, after);
            assert_memory_equal(before, after, sizeof before);
            assert_true(rod.class->dynamics->place(rod.self, &frame, NULL));
            rod.class->surface->arc(rod.self, N - 1, &arc);
            assert_true(arc.x[0] == start[N - 1].x[0] && arc.x[1] == start[N - 1].x[1] && arc.angle == start[N - 1].angle);

            assert_true(rod.class->dynamics->assemble(rod.self, &frame, NULL, message, sizeof message));
            rod.class->dynamics->finish(rod.self, &frame, v);
            for (int i = 0; i < N; ++i) {
                rod.class->surface->arc(rod.self, i, &arc);
                double now[4] = {arc.x[0], arc.x[1], arc.angle, arc.k};
                double then[4] = {placed[i].x[0], placed[i].x[1], placed[i].angle, placed[i].k};
                assert_close(now, then, 4, 1e-14, 1.0, "arc");
                assert_int_equal(arc.feature, i);
                travelled = fmax(travelled, hypot(arc.x[0] - start[i].x[0], arc.x[1] - start[i].x[1]));
            }
            assert_true(travelled <= 1.1 * bound && bound < 3.0 * travelled);

            double bad[4 * N];
            memset(bad, 0, sizeof bad);
            bad[rod.class->dynamics->dofs(rod.self) - 1] = NAN;
            assert_false(rod.class->dynamics->place(rod.self, &frame, bad));
            assert_true(rod.class->dynamics->place(rod.self, &frame, NULL));
            rod_destroy(&rod);
        }
    }
}

/* Drawing and arcs show the same curve; a saved state goes on with the same bits. */
static void state_and_drawing(void **state)
{
    (void)state;
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        const setting *how = &settings[5];
        cst_body_model rod = build(how, formulation), twin = build(how, formulation);
        cst_step_frame frame = step_frame(2e-3, how->theta, 0.0, -9.81), later;
        for (int step = 0; step < 10; ++step)
            rod_step(&rod, &frame, 1, NULL);
        double saved[2 * Q], a[2 * Q], b[2 * Q];
        rod.class->state->save(rod.self, saved);
        twin.class->state->load(twin.self, saved);
        later = frame;
        for (int step = 0; step < 10; ++step) {
            rod_step(&rod, &frame, 1, NULL);
            rod_step(&twin, &later, 1, NULL);
        }
        rod.class->state->save(rod.self, a);
        twin.class->state->save(twin.self, b);
        assert_memory_equal(a, b, sizeof a);

        enum { SAMPLES = 3, VERTICES = SAMPLES * N + 1 };
        double position[3 * VERTICES], radius[VERTICES], curvature[VERTICES];
        cst_drawing drawing = rod.class->look->draw(rod.self, SAMPLES, position, radius, curvature);
        assert_int_equal(drawing.vertices, VERTICES);
        assert_int_equal(drawing.as, CST_DRAWN_CURVE);
        assert_false(drawing.closed);
        for (int i = 0; i < N; ++i) {
            cst_arc arc;
            rod.class->surface->arc(rod.self, i, &arc);
            assert_true(position[9 * i] == arc.x[0] && position[9 * i + 1] == arc.x[1] && curvature[3 * i] == arc.k);
            /* The end of the arc by elementary geometry. */
            double x = arc.x[0] + (sin(arc.angle + arc.k * arc.l) - sin(arc.angle)) / arc.k;
            double y = arc.x[1] - (cos(arc.angle + arc.k * arc.l) - cos(arc.angle)) / arc.k;
            assert_true(hypot(position[9 * i + 9] - x, position[9 * i + 10] - y) < 1e-13 / fabs(arc.k));
            cst_material_point at;
            assert_true(rod.class->places->locate(rod.self, &(cst_place){.s = arc.s}, &at));
            assert_true(at.feature == i && at.s == 0.0);
            assert_true(rod.class->places->locate(rod.self, &(cst_place){.s = arc.s + 0.4 * arc.l}, &at));
            assert_true(at.feature == i && fabs(at.s - 0.4 * arc.l) < 1e-15);
        }
        cst_material_point at;
        assert_true(rod.class->places->locate(rod.self, &(cst_place){.at_end = true, .s = -5.0}, &at));
        assert_int_equal(at.feature, N - 1);
        assert_false(rod.class->places->locate(rod.self, &(cst_place){.s = -1e-9}, &at));
        assert_false(rod.class->places->locate(rod.self, &(cst_place){.s = 2.0}, &at));
        assert_false(rod.class->places->locate(rod.self, &(cst_place){.s = NAN}, &at));
        rod_destroy(&rod);
        rod_destroy(&twin);
    }
}

/* Quasi-static steps forget velocities and creep to the equilibrium that statics finds. */
static void quasi_static(void **state)
{
    (void)state;
    cst_rod_def def = rod_definition(16, 1.0, 0.1, 0.05);
    def.clamped = true;
    def.formulation = CST_ROD_MIXED;
    cst_body_model rod = rod_create(&def), goal = rod_create(&def);
    cst_step_frame frame = step_frame(0.05, 1.0, 0.0, -9.81);
    frame.quasi_static = true;
    for (int step = 0; step < 1000; ++step)
        rod_step(&rod, &frame, 1, NULL);
    char message[256];
    int iterations;
    assert_true(goal.class->equilibrium(goal.self, &frame, NULL, 0, 1e-12, &iterations, message, sizeof message));
    double q[19], v[19], expected[19];
    rod_state(&rod, 16, q, v);
    rod_state(&goal, 16, expected, v);
    assert_true(largest_difference(q, expected, 19) < 1e-9);
    rod_destroy(&rod);
    rod_destroy(&goal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulations_agree), cmocka_unit_test(many_elements), cmocka_unit_test(root_follows),
        cmocka_unit_test(free_flight),        cmocka_unit_test(orders),        cmocka_unit_test(around_a_step),
        cmocka_unit_test(state_and_drawing),  cmocka_unit_test(quasi_static)};
    return cmocka_run_group_tests_name("super-circle, dynamics", tests, NULL, NULL);
}
