/* Constraints on rods: rings, clamps and welds made of constraints against rods that have them of their own, rods with rigid
 * bodies, and the row that a straight inextensible rod makes dependent. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rod/super_circle.h"
#include "tests/held_bodies.h"

static const double PI = 3.141592653589793;

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g, not %.17g (off by %g)", found, expected, found - expected);
}

static cst_rod_def plain(int elements, double length)
{
    cst_rod_def def = cst_rod_def_default();
    def.elements = elements;
    def.length = length;
    def.radius = 0.01;
    def.mass_per_length = 0.1;
    def.bending_stiffness = 0.02;
    return def;
}

static cst_body_id add_rod(held_bodies *held, const cst_rod_def *def)
{
    cst_body_model body;
    char message[256] = "";
    if (!cst_super_circle_create(def, NULL, &body, message, sizeof message))
        fail_msg("%s", message);
    return held_add(held, body);
}

static cst_place along(cst_body_id body, double s)
{
    return (cst_place){.body = body, .s = s};
}

static cst_place end_of(cst_body_id body)
{
    return (cst_place){.body = body, .at_end = true};
}

static const cst_rod_formulation FORMULATION[2] = {CST_ROD_CHAINED, CST_ROD_MIXED};

/* A ring thrown, spun and squashed: it stays closed, and both formulations move alike. */
static void rings_stay_closed(void **state)
{
    (void)state;
    enum { N = 20 };
    for (int scheme = 0; scheme < 2; scheme++) {
        double where[2][3], angle[2];
        for (int k = 0; k < 2; k++) {
            held_bodies *held = held_new(1e-3, scheme == 0 ? 1.0 : 0.5);
            cst_rod_def def = plain(N, 1.0);
            def.formulation = FORMULATION[k];
            def.natural_curvature = 2.0 * PI;
            def.closed = true;
            def.angular_velocity = 3.0;
            held->predicted = scheme == 1;
            double rate[N]; /* two lobes and three: rates that leave it closed to first order, but not beyond */
            for (int i = 0; i < N; i++)
                rate[i] = 30.0 * cos(4.0 * PI * (i + 0.5) / N) + 40.0 * cos(6.0 * PI * (i + 0.5) / N + 1.0);
            def.curvature_rate = rate;
            add_rod(held, &def);
            cst_constraint_def close = cst_constraint_def_default();
            close.kind = CST_CONSTRAINT_CLAMPED;
            close.a = end_of(1);
            close.b = along(1, 0.0);
            held_constrain(held, &close);
            const double start = held_energy(held);
            double most = 0.0;
            for (int i = 0; i < 300; i++) {
                held_step(held);
                most = fmax(most, held_error(held));
            }
            held_where(held, along(1, 0.37), where[k], angle + k);
            if (k == 0)
                print_message("ring, theta %.1f: opened by %.1e m at most; unexplained energy %.1e of %.1e J\n",
                              scheme == 0 ? 1.0 : 0.5, most, held_energy(held) - start - held_works(held), start);
            assert_true(most < 1e-4);
            assert_int_equal(held->redundant, 0);
            held_free(held);
        }
        for (int i = 0; i < 2; i++)
            assert_near(where[1][i], where[0][i], 1e-8);
        assert_near(angle[1], angle[0], 1e-8);
    }
}

/* Where the tip of a falling rod is after half a second: a free rod whose start a constraint holds, or one that is clamped of its
 * own. */
static void falling_tip(cst_rod_formulation formulation, bool own, double dt, double where[3])
{
    held_bodies *held = held_new(dt, 1.0);
    cst_rod_def def = plain(12, 1.0);
    def.formulation = formulation;
    def.angle = 0.3;
    def.clamped = own;
    add_rod(held, &def);
    if (!own)
        held_hold(held, CST_CONSTRAINT_CLAMPED, along(1, 0.0), 0);
    for (int i = 0; i < lround(0.5 / dt); i++)
        held_step(held);
    held_where(held, end_of(1), where, NULL);
    held_free(held);
}

/* At the end of a step a rod takes on the velocities that its shape admits, and knows of a clamp only if it is its own: a clamp of the
 * world acts on them in the step that follows. So the two go the same way as the step gets shorter, at first order, with errors of
 * the same size. */
static void clamp_by_constraint_is_a_clamp(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double fine[3], off[2][3], apart[3];
        falling_tip(FORMULATION[k], true, 1e-3 / 64, fine);
        assert_true(fine[1] < 0.0); /* it has fallen a good way */
        for (int level = 0; level < 3; level++) {
            double where[2][3];
            for (int own = 0; own < 2; own++) {
                falling_tip(FORMULATION[k], own, 1e-3 / (1 << level), where[own]);
                off[own][level] = hypot(where[own][0] - fine[0], where[own][1] - fine[1]);
            }
            apart[level] = hypot(where[0][0] - where[1][0], where[0][1] - where[1][1]);
        }
        print_message("tips apart by %.1e, %.1e, %.1e m; off by %.1e, %.1e, %.1e (held), %.1e, %.1e, %.1e (clamped)\n", apart[0],
                      apart[1], apart[2], off[0][0], off[0][1], off[0][2], off[1][0], off[1][1], off[1][2]);
        assert_true(apart[1] < 0.6 * apart[0] && apart[2] < 0.6 * apart[1]);
        assert_true(off[0][2] < 2.0 * off[1][2]);
    }
}

/* The reaction of a clamp of a rod at rest: its weight and the moment of it. */
static void clamp_carries_the_weight(void **state)
{
    (void)state;
    held_bodies *held = held_new(1e-2, 1.0);
    cst_rod_def def = plain(12, 0.5);
    def.drag = 1.0;
    add_rod(held, &def);
    held_hold(held, CST_CONSTRAINT_CLAMPED, along(1, 0.0), 0);
    for (int i = 0; i < 2000; i++)
        held_step(held);
    assert_near(held->constraint[0].force[1], 0.05 * 9.81, 1e-9);
    assert_near(held->constraint[0].force[0], 0.0, 1e-9);
    /* moment = weight times the abscissa of the centroid = (sum of element centroids) ~ by fine samples */
    double x = 0.0;
    enum { SAMPLES = 4000 };
    for (int i = 0; i < SAMPLES; i++) {
        double position[3];
        held_where(held, along(1, 0.5 * (i + 0.5) / SAMPLES), position, NULL);
        x += position[0] / SAMPLES;
    }
    assert_near(held->constraint[0].moment[2], 0.05 * 9.81 * x, 1e-8);
    held_free(held);
}

/* Two rods welded end to end hang like one of twice the length; hinged, the second hangs straight down. */
static void welds_and_hinges(void **state)
{
    (void)state;
    double one[3], welded[3], hinged[3], joint[3];
    for (int kind = 0; kind < 3; kind++) {
        held_bodies *held = held_new(1e-2, 1.0);
        cst_rod_def def = plain(kind == 0 ? 16 : 8, kind == 0 ? 0.8 : 0.4);
        def.drag = 1.0;
        def.clamped = true;
        add_rod(held, &def);
        if (kind > 0) {
            def.clamped = false;
            def.formulation = CST_ROD_MIXED; /* with a chained one before it */
            def.position[0] = 0.4;
            add_rod(held, &def);
            cst_constraint_def joined = cst_constraint_def_default();
            joined.kind = kind == 1 ? CST_CONSTRAINT_CLAMPED : CST_CONSTRAINT_PINNED;
            joined.a = along(2, 0.0);
            joined.b = end_of(1);
            joined.b_follows_a = false;
            held_constrain(held, &joined);
        }
        for (int i = 0; i < 3000; i++)
            held_step(held);
        held_where(held, end_of(kind == 0 ? 1 : 2), kind == 0 ? one : kind == 1 ? welded : hinged, NULL);
        if (kind == 2)
            held_where(held, end_of(1), joint, NULL);
        held_free(held);
    }
    for (int i = 0; i < 2; i++)
        assert_near(welded[i], one[i], 1e-9);
    assert_near(hinged[0], joint[0], 1e-7);
    assert_near(hinged[1], joint[1] - 0.4, 1e-7);
}

/* A disk welded to the tip bends the rod like its weight. */
static void disk_on_the_tip_is_a_load(void **state)
{
    (void)state;
    double tip[2][3], angle[2];
    for (int disk = 0; disk < 2; disk++) {
        held_bodies *held = held_new(1e-2, 1.0);
        cst_rod_def def = plain(12, 0.5);
        def.drag = 1.0;
        def.viscosity = 1e-3;
        def.clamped = true;
        add_rod(held, &def);
        if (disk == 1) {
            held_add_disk(held, 0.5, 0.0, 0.05, 0.03);
            cst_constraint_def weld = cst_constraint_def_default();
            weld.kind = CST_CONSTRAINT_CLAMPED;
            weld.a = end_of(1);
            weld.b.body = 2;
            held_constrain(held, &weld);
        } else {
            cst_load_def load = cst_load_def_default();
            load.at = end_of(1);
            load.force[1] = -0.03 * 9.81;
            held_push(held, &load);
        }
        for (int i = 0; i < 4000; i++)
            held_step(held);
        held_where(held, end_of(1), tip[disk], angle + disk);
        if (disk == 1)
            assert_near(held->constraint[0].force[1], -0.03 * 9.81, 1e-9);
        held_free(held);
    }
    for (int i = 0; i < 2; i++)
        assert_near(tip[1][i], tip[0][i], 1e-9);
    assert_near(angle[1], angle[0], 1e-9);
}

/* A beam on a pin and a roller: sag 5 q L^4 / (384 EI). */
static void beam_on_two_supports_sags(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        held_bodies *held = held_new(1e-2, 1.0);
        cst_rod_def def = plain(32, 1.0);
        def.formulation = FORMULATION[k];
        def.bending_stiffness = 20.0;
        def.drag = 5.0;
        add_rod(held, &def);
        held_hold(held, CST_CONSTRAINT_PINNED, along(1, 0.0), 0);
        held_hold(held, CST_CONSTRAINT_SLIDING, end_of(1), 0);
        for (int i = 0; i < 500; i++)
            held_step(held);
        double middle[3];
        held_where(held, along(1, 0.5), middle, NULL);
        const double sag = 5.0 * 0.1 * 9.81 / (384.0 * 20.0);
        assert_near(-middle[1], sag, 3e-3 * sag); /* 32 elements: error of order 1/n^2 */
        assert_near(held->constraint[1].force[1], 0.05 * 9.81, 1e-8);
        held_free(held);
    }
}

/* Between two pins a straight inextensible rod cannot sag: to first order its ends do not feel its curvature, and the pull along it
 * is a dependent row. It must not shake itself to pieces. */
static void straight_rod_between_two_pins_stays(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++)
        for (int k = 0; k < 2; k++) {
            held_bodies *held = held_new(1e-3, scheme == 0 ? 1.0 : 0.6);
            held->predicted = scheme == 1;
            cst_rod_def def = plain(16, 1.0);
            def.formulation = FORMULATION[k];
            add_rod(held, &def);
            held_hold(held, CST_CONSTRAINT_PINNED, along(1, 0.0), 0);
            held_hold(held, CST_CONSTRAINT_PINNED, end_of(1), 0);
            double most = 0.0, deepest = 0.0, middle[3];
            for (int i = 0; i < 2000; i++) {
                held_step(held);
                most = fmax(most, held_error(held));
                held_where(held, along(1, 0.5), middle, NULL);
                deepest = fmax(deepest, fabs(middle[1]));
            }
            print_message("straight between pins, theta %.1f, %s: ends off by %.1e m, middle by %.1e m at most\n",
                          held->frame.theta, k == 0 ? "chained" : "mixed", most, deepest);
            assert_true(most < 1e-4 && deepest < 1e-2);
            held_free(held);
        }
}

/* A shallow arch between two pins, let go: at second order, linearised where its velocities lead, it keeps its energy. Linearised at
 * the start of the step it would not: the pull of the pins, ten times its weight, would act a step late. */
static void arch_between_two_pins_keeps_its_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        held_bodies *held = held_new(1e-3, 0.5);
        held->predicted = true;
        cst_rod_def def = plain(16, 1.0);
        def.formulation = FORMULATION[k];
        def.natural_curvature = 0.5;
        def.angle = 0.0;
        add_rod(held, &def);
        held_hold(held, CST_CONSTRAINT_PINNED, along(1, 0.0), 0);
        held_hold(held, CST_CONSTRAINT_PINNED, end_of(1), 0);
        const double start = held_energy(held);
        double most = 0.0, drift = 0.0;
        for (int i = 0; i < 2000; i++) {
            held_step(held);
            most = fmax(most, held_error(held));
            drift = fmax(drift, fabs(held_energy(held) - start));
        }
        print_message("arch, %s: energy off by %.1e J, pins by %.1e m in 2 s\n", k == 0 ? "chained" : "mixed", drift, most);
        assert_true(drift < 1e-6 && most < 1e-8);
        held_free(held);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_stay_closed),
        cmocka_unit_test(clamp_by_constraint_is_a_clamp),
        cmocka_unit_test(clamp_carries_the_weight),
        cmocka_unit_test(welds_and_hinges),
        cmocka_unit_test(disk_on_the_tip_is_a_load),
        cmocka_unit_test(beam_on_two_supports_sags),
        cmocka_unit_test(arch_between_two_pins_keeps_its_energy),
        cmocka_unit_test(straight_rod_between_two_pins_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
