/* Super helices as the world sees them: what is refused and why, places, pieces and drawings, points of a fiber whose root
 * moves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/super_helix_fixture.h"

static const double stiffness[3] = {0.008, 0.01, 0.012};

static void refused(const cst_fiber_def *def, const char *word)
{
    char message[256] = "";
    cst_body_model helix;
    assert_false(cst_super_helix_create(def, NULL, &helix, message, sizeof message));
    assert_null(helix.self);
    if (!strstr(message, word))
        fail_msg("'%s' does not speak of '%s'", message, word);
}

static void definitions_that_make_no_sense(void **state)
{
    (void)state;
    const cst_fiber_def good = helix_definition(2, 1.0, 0.1, stiffness);
    double far[9] = {0.0, 0.0, 0.0, 0.6, 0.0, 0.0, 1.2, 0.0, 0.0}, same[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0};
    double curvature[6] = {0.0};
    cst_fiber_def def = good;
    def.elements = 0;
    refused(&def, "elements");
    def = good;
    def.twisting_stiffness = 0.0;
    refused(&def, "twisting_stiffness");
    def = good;
    def.formulation = (cst_fiber_formulation)7;
    refused(&def, "formulation");
    def = good;
    def.frame[0] = 0.9;
    refused(&def, "frame");
    def = good;
    def.clamped = false;
    def.radius = 0.0;
    refused(&def, "spinning");
    def = good;
    def.point = far;
    refused(&def, "too far apart");
    def.point = same;
    refused(&def, "the same");
    far[3] = 0.4;
    far[6] = 0.9;
    def.point = far;
    def.curvature = curvature;
    refused(&def, "not both");
    def = good;
    def.clamped = false;
    def.closed = true;
    refused(&def, "gap");
    def = good;
    def.natural_curvature[1] = 1e300;
    def.natural_curvature[2] = 1e300;
    refused(&def, "finite");
}

/* A helix of known radius and pitch: places, tangents, pieces, drawing. */
static void places_on_a_helix(void **state)
{
    (void)state;
    const double twist = 3.0, bend = 4.0; /* |u| = 5: radius bend/25, rise twist/25 per rad */
    cst_fiber_def def = helix_definition(10, 2.0, 0.1, stiffness);
    def.natural_curvature[0] = twist;
    def.natural_curvature[2] = bend;
    cst_body_model helix = helix_create(&def);
    assert_int_equal(helix.class->surface->pieces(helix.self), 10);
    double worst = 0.0;
    for (int i = 0; i < 10; ++i) {
        cst_curve_piece piece;
        helix.class->surface->piece(helix.self, i, &piece);
        assert_true(fabs(piece.curvature - bend) < 1e-12 && fabs(piece.s - 0.2 * i) < 1e-12 && fabs(piece.length - 0.2) < 1e-15);
        assert_true(piece.owner_length == 2.0 && !piece.owner_closed && piece.radius == def.radius);
        for (int k = 0; k <= 4; ++k) {
            /* Darboux vector (3, 0, 4)/5 is the axis; the curve turns about it by 5 rad/m at the radius 0.16 from (0, 0.16,
             * 0). */
            const double s = 0.2 * i + 0.05 * k, phi = 5.0 * s, axis[3] = {0.6, 0.0, 0.8}, across[3] = {0.8, 0.0, -0.6};
            double x[3], t[3], expected[6];
            helix.class->surface->curve(helix.self, i, 0.05 * k, x, t);
            for (int d = 0; d < 3; ++d) {
                const double y = d == 1 ? 1.0 : 0.0;
                expected[d] = 0.16 * sin(phi) * across[d] + 0.16 * (1.0 - cos(phi)) * y + 0.6 * s * axis[d];
                expected[3 + d] = 0.8 * cos(phi) * across[d] + 0.8 * sin(phi) * y + 0.6 * axis[d];
            }
            worst = fmax(worst, fmax(largest_difference(x, expected, 3), largest_difference(t, expected + 3, 3)));
        }
    }
    print_message("helix: places and tangents off by %.2g\n", worst);
    assert_true(worst < 1e-14);
    cst_material_point at;
    assert_true(helix.class->places->locate(helix.self, &(cst_place){.s = 0.55}, &at));
    assert_true(at.feature == 2 && fabs(at.s - 0.15) < 1e-12);
    assert_true(helix.class->places->locate(helix.self, &(cst_place){.s = 2.0}, &at));
    assert_true(at.feature == 9 && at.s == 0.2);
    assert_false(helix.class->places->locate(helix.self, &(cst_place){.s = 2.1}, &at));
    assert_false(helix.class->places->locate(helix.self, &(cst_place){.s = NAN}, &at));
    double position[3 * 31], radius[31], curvature[31], tip[3];
    const cst_drawing drawing = helix.class->look->draw(helix.self, 3, position, radius, curvature);
    assert_true(drawing.as == CST_DRAWN_CURVE && drawing.vertices == 31 && !drawing.closed);
    helix_tip(&helix, tip);
    assert_true(largest_difference(position + 90, tip, 3) < 1e-15 && radius[7] == def.radius &&
                fabs(curvature[30] - bend) < 1e-12);
    rod_destroy(&helix);
}

/* J v + drift of every point is its motion over the step, with a root that moves and turns; also placed at the guess. */
static void points_of_a_moved_root(void **state)
{
    (void)state;
    const cst_key key[2] = {{.time = 0.0}, {.time = 1.0, .translation = {0.4, -0.2, 0.3}, .rotation = {0.9, 0.5, -0.7}}};
    for (int k = 0; k < 2; ++k) {
        cst_fiber_def def = helix_definition(4, 1.0, 0.1, stiffness);
        def.natural_curvature[1] = 1.5;
        def.formulation = k == 0 ? CST_FIBER_DENSE : CST_FIBER_SWEEP;
        def.root_motion = (cst_motion){.key = key, .keys = 2};
        cst_body_model helix = helix_create(&def);
        double worst[2] = {0.0, 0.0}, travelled = 0.0, motion_bound[2];
        for (int half = 0; half < 2; ++half) {
            const double dt = 1e-3 / (1 << half);
            cst_step_frame frame = helix_step_frame(dt, 1.0, 0.0, 0.0, -9.81);
            double v[36], state_now[42], moved[3], before[3], j[108], j_turn[108];
            int32_t dof[36];
            char message[256];
            helix.class->state->save(helix.self, state_now);
            assert_true(helix.class->dynamics->place(helix.self, &frame, NULL));
            assert_true(helix.class->dynamics->assemble(helix.self, &frame, NULL, message, sizeof message));
            const int dofs = helix.class->dynamics->dofs(helix.self);
            memcpy(v, helix.class->dynamics->rhs(helix.self), (size_t)dofs * sizeof *v);
            assert_true(helix.class->dynamics->solve(helix.self, v));
            motion_bound[half] = helix.class->dynamics->motion(helix.self, &frame, v);
            for (int e = 0; e < 4; ++e) {
                const cst_material_point at = {.feature = e, .s = 0.17};
                cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
                helix.class->places->position(helix.self, &at, before);
                helix.class->places->point(helix.self, &at, &motion);
                double rate[3] = {motion.drift[0], motion.drift[1], motion.drift[2]};
                for (int c = 0; c < 3 * motion.dofs; ++c)
                    rate[c / motion.dofs] += j[c] * v[dof[c % motion.dofs]];
                assert_true(helix.class->dynamics->place(helix.self, &frame, v));
                helix.class->places->point(helix.self, &at, &motion);
                cst_subtract3(motion.position, before, moved);
                travelled = fmax(travelled, sqrt(cst_dot3(moved, moved)));
                assert_true(sqrt(cst_dot3(moved, moved)) < 1.01 * motion_bound[half]);
                for (int d = 0; d < 3; ++d)
                    worst[half] = fmax(worst[half], fabs(moved[d] - dt * rate[d]));
            }
            if (half == 1) { /* finish goes where place said */
                double there[3], tip[3];
                cst_material_point end;
                assert_true(helix.class->places->locate(helix.self, &(cst_place){.at_end = true}, &end));
                helix.class->surface->curve(helix.self, end.feature, end.s, there, NULL);
                helix.class->dynamics->finish(helix.self, &frame, v);
                helix_tip(&helix, tip);
                assert_true(largest_difference(there, tip, 3) < 1e-15);
            } else {
                helix.class->state->load(helix.self, state_now);
            }
        }
        print_message("%s: points travel %.2g m, J v off by %.2g m, with half the step %.2g m\n", helix.class->name, travelled,
                      worst[0], worst[1]);
        assert_true(worst[1] < 0.3 * worst[0] && worst[0] < 1e-2 * travelled);
        rod_destroy(&helix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(definitions_that_make_no_sense), cmocka_unit_test(places_on_a_helix),
                                       cmocka_unit_test(points_of_a_moved_root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
