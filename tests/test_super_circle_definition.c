/* Definitions of planar rods: what is refused and how that is said, what AUTO means, copies, rings, memory that runs out. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/super_circle_fixture.h"

static cst_rod_def good(void)
{
    return rod_definition(4, 1.0, 0.1, 0.01);
}

static void expect_refusal(const cst_rod_def *def, const char *part)
{
    char message[256] = "";
    cst_body_model rod = {NULL, (void *)1};
    assert_false(cst_super_circle_create(def, NULL, &rod, message, sizeof message));
    assert_null(rod.self);
    if (!strstr(message, part))
        fail_msg("\"%s\" does not say \"%s\"", message, part);
}

#define REFUSED(change, part)       \
    do {                            \
        cst_rod_def def = good();   \
        change;                     \
        expect_refusal(&def, part); \
    } while (0)

static void refusals(void **state)
{
    (void)state;
    static const double zero_length[4] = {0.1, 0.1, 0.0, 0.1}, negative[4] = {0.1, -0.1, 0.1, 0.1},
                        broken[4] = {1.0, 2.0, 3.0, NAN};
    static const cst_key key[2] = {{0.0, {0}, {0}}, {1.0, {0, 1, 0}, {0}}}, late[2] = {{1.0, {0}, {0}}, {1.0, {0}, {0}}};
    static const cst_key rising[1] = {{0.0, {0, 0, 1}, {0}}}, tilting[1] = {{0.0, {0}, {0, 1, 0}}};
    REFUSED(def.elements = 0, "elements must be from 1");
    REFUSED(def.elements = -3, "not -3");
    REFUSED(def.elements = INT_MAX, "elements must be from 1");
    REFUSED(def.formulation = (cst_rod_formulation)7, "formulation 7");
    REFUSED(def.length = 0.0, "length must be positive, not 0");
    REFUSED(def.length = INFINITY, "length must be positive");
    REFUSED(def.radius = -1e-3, "radius must be zero or more");
    REFUSED(def.mass_per_length = 0.0, "mass_per_length must be positive");
    REFUSED(def.bending_stiffness = -1.0, "bending_stiffness must be positive, not -1");
    REFUSED(def.natural_curvature = NAN, "natural_curvature must be finite");
    REFUSED(def.viscosity = -1.0, "viscosity");
    REFUSED(def.drag = NAN, "drag");
    REFUSED(def.load[2] = 1.0, "load must lie in the plane");
    REFUSED(def.load[1] = NAN, "load must be finite");
    REFUSED(def.position[2] = 0.5, "position must lie in the plane, but its third component is 0.5");
    REFUSED(def.velocity[2] = 0.5, "velocity must lie in the plane");
    REFUSED(def.angle = INFINITY, "angle");
    REFUSED(def.angular_velocity = NAN, "angular_velocity");
    REFUSED(def.element_length = zero_length, "element_length of element 2 must be positive, not 0");
    REFUSED(def.element_radius = negative, "element_radius of element 1");
    REFUSED(def.element_bending_stiffness = zero_length, "element_bending_stiffness of element 2");
    REFUSED(def.element_natural_curvature = broken, "element_natural_curvature of element 3 must be finite");
    REFUSED(def.curvature = broken, "curvature of element 3");
    REFUSED(def.curvature_rate = broken, "curvature_rate of element 3");
    REFUSED(def.element_friction = negative, "element_friction of element 1");
    REFUSED((def.root_motion = (cst_motion){.key = key, .keys = 2}), "the root is free");
    REFUSED((def.clamped = true, def.root_motion = (cst_motion){.key = late, .keys = 2}), "times must increase");
    REFUSED((def.clamped = true, def.root_motion = (cst_motion){.key = rising, .keys = 1}), "key 0 leaves the plane");
    REFUSED((def.clamped = true, def.root_motion = (cst_motion){.key = tilting, .keys = 1}), "key 0 leaves the plane");
    REFUSED((def.clamped = true, def.velocity[0] = 1.0), "root_motion");
    REFUSED(def.closed = true, "gap of 1 m");
    REFUSED((def.natural_curvature = 1e308, def.length = 100.0), "not finite");
}

/* A ring of equal elements closes; its drawing does not repeat the first vertex. */
static void ring(void **state)
{
    (void)state;
    cst_rod_def def = rod_definition(12, 1.0, 0.1, 0.01);
    def.closed = true;
    def.natural_curvature = 2.0 * 3.14159265358979323846;
    cst_body_model rod = rod_create(&def);
    cst_drawing drawing = rod.class->look->draw(rod.self, 2, NULL, NULL, NULL);
    assert_true(drawing.closed && drawing.vertices == 24);
    cst_arc arc;
    rod.class->surface->arc(rod.self, 5, &arc);
    assert_true(arc.owner_closed && fabs(arc.owner_length - 1.0) < 1e-15 && fabs(arc.s - 5.0 / 12.0) < 1e-15);
    rod_destroy(&rod);
    def.natural_curvature *= 1.0 + 1e-5;
    expect_refusal(&def, "closed");
}

static void choice_of_formulation(void **state)
{
    (void)state;
    static const struct {
        cst_rod_formulation asked;
        int elements;
        bool clamped;
        const char *name;
        int dofs;
        cst_body_kind kind;
    } cases[] = {
        {CST_ROD_AUTO, 23, false, "chained", 26, CST_BODY_DENSE},   {CST_ROD_AUTO, 24, false, "mixed", 96, CST_BODY_SOLVE},
        {CST_ROD_CHAINED, 24, true, "chained", 24, CST_BODY_DENSE}, {CST_ROD_MIXED, 1, true, "mixed", 4, CST_BODY_SOLVE},
        {CST_ROD_CHAINED, 1, false, "chained", 4, CST_BODY_DENSE},  {CST_ROD_MIXED, 1, false, "mixed", 4, CST_BODY_SOLVE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        cst_rod_def def = rod_definition(cases[k].elements, 1.0, 0.1, 0.01);
        def.formulation = cases[k].asked;
        def.clamped = cases[k].clamped;
        cst_body_model rod = rod_create(&def);
        cst_body described;
        rod.class->dynamics->describe(rod.self, &described);
        assert_non_null(strstr(rod.class->name, cases[k].name));
        assert_int_equal(rod.class->dynamics->dofs(rod.self), cases[k].dofs);
        assert_int_equal(described.kind, cases[k].kind);
        assert_int_equal(described.size, cases[k].dofs);
        assert_ptr_equal(described.rhs, rod.class->dynamics->rhs(rod.self));
        cst_step_frame frame = step_frame(1e-3, 1.0, 0.0, -9.81);
        rod_step(&rod, &frame, 2, NULL);
        rod_destroy(&rod);
    }
}

/* Arrays of the definition are copied. */
static void copies(void **state)
{
    (void)state;
    cst_key key[2] = {{0.0, {0}, {0}}, {1.0, {0, 1, 0}, {0}}};
    double length[3] = {0.1, 0.2, 0.3}, radius[3] = {0.01, 0.02, 0.03};
    cst_rod_def def = rod_definition(3, 0.0, 0.1, 0.01);
    def.element_length = length;
    def.element_radius = radius;
    def.clamped = true;
    def.root_motion = (cst_motion){.key = key, .keys = 2};
    cst_body_model rod = rod_create(&def);
    memset(key, 0x7f, sizeof key);
    memset(length, 0x7f, sizeof length);
    memset(radius, 0x7f, sizeof radius);
    cst_step_frame frame = step_frame(0.25, 1.0, 0.0, 0.0);
    rod_step(&rod, &frame, 1, NULL);
    cst_arc arc;
    rod.class->surface->arc(rod.self, 0, &arc);
    assert_true(arc.x[1] == 0.25 && arc.l == 0.1 && arc.radius == 0.01);
    rod.class->surface->arc(rod.self, 2, &arc);
    assert_true(fabs(arc.s - 0.3) < 1e-15 && arc.l == 0.3 && arc.radius == 0.03);
    rod_destroy(&rod);
}

/* ---------------------------------------------------------------------------------------------------------------- memory */

typedef struct supply {
    int left; /* allocations until it fails */
    long held;
} supply;

static void *acquire(void *user, size_t bytes)
{
    supply *s = user;
    if (s->left-- <= 0)
        return NULL;
    ++s->held;
    return malloc(bytes);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    --((supply *)user)->held;
    free(memory);
}

static void memory_runs_out(void **state)
{
    (void)state;
    for (int formulation = CST_ROD_CHAINED; formulation <= CST_ROD_MIXED; ++formulation) {
        int failures = 0;
        for (int allowed = 0;; ++allowed) {
            supply s = {.left = allowed};
            cst_allocator allocator = {acquire, release, &s};
            cst_rod_def def = rod_definition(600, 1.0, 0.1, 0.01);
            def.formulation = (cst_rod_formulation)formulation;
            def.clamped = true;
            char message[256] = "";
            cst_body_model rod;
            if (!cst_super_circle_create(&def, &allocator, &rod, message, sizeof message)) {
                assert_non_null(strstr(message, "memory"));
                assert_int_equal(s.held, 0);
                ++failures;
                continue;
            }
            /* Statics need more: they fail without a trace and can be asked again. */
            cst_step_frame frame = step_frame(1e-3, 1.0, 0.0, -9.81);
            int iterations;
            s.left = 0;
            assert_false(rod.class->equilibrium(rod.self, &frame, NULL, 0, 1e-10, &iterations, message, sizeof message));
            assert_non_null(strstr(message, "memory"));
            s.left = 1000;
            if (formulation == CST_ROD_MIXED)
                assert_true(rod.class->equilibrium(rod.self, &frame, NULL, 0, 1e-10, &iterations, message, sizeof message));
            /* A step takes nothing. */
            s.left = 0;
            rod_step(&rod, &frame, 3, NULL);
            rod_destroy(&rod);
            assert_int_equal(s.held, 0);
            break;
        }
        assert_true(failures >= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals), cmocka_unit_test(ring),
                                       cmocka_unit_test(choice_of_formulation), cmocka_unit_test(copies),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests_name("super-circle, definitions", tests, NULL, NULL);
}
