#include "tests/super_helix_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation.h"

cst_fiber_def helix_definition(int elements, double length, double mass_per_length, const double stiffness[3])
{
    return (cst_fiber_def){.model = CST_FIBER_SUPER_HELIX,
                           .elements = elements,
                           .length = length,
                           .radius = 1e-3 * length,
                           .mass_per_length = mass_per_length,
                           .bending_stiffness = {stiffness[1], stiffness[2]},
                           .twisting_stiffness = stiffness[0],
                           .frame = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                           .clamped = true,
                           .surface = {.friction = CST_UNSET, .restitution = CST_UNSET}};
}

cst_body_model helix_create(const cst_fiber_def *def)
{
    char message[256] = "";
    cst_body_model helix;
    if (!cst_super_helix_create(def, NULL, &helix, message, sizeof message))
        fail_msg("%s", message);
    return helix;
}

void helix_plain(cst_body_model *helix, int gauss)
{
    cst_super_helix *rod = helix->self;
    rod->gauss = gauss;
    for (int i = 0; i < rod->elements; ++i)
        rod->material[i].spin = 0.0;
}

cst_step_frame helix_step_frame(double dt, double theta, double gx, double gy, double gz)
{
    return (cst_step_frame){.dim = 3, .dt = dt, .theta = theta, .gravity = {gx, gy, gz}};
}

void helix_set_state(cst_body_model *helix, const double *position, const double *frame, const double *u, const double *root_rate,
                     const double *rate)
{
    const size_t n = 3 * (size_t)((cst_super_helix *)helix->self)->elements;
    double *state = test_malloc((2 * n + 18) * sizeof *state);
    memcpy(state, position, 3 * sizeof *state);
    memcpy(state + 3, frame, 9 * sizeof *state);
    memcpy(state + 12, u, n * sizeof *state);
    memcpy(state + 12 + n, root_rate, 6 * sizeof *state);
    memcpy(state + 18 + n, rate, n * sizeof *state);
    helix->class->state->load(helix->self, state);
    test_free(state);
}

void helix_tip(const cst_body_model *helix, double *tip)
{
    cst_material_point at;
    assert_true(helix->class->places->locate(helix->self, &(cst_place){.at_end = true}, &at));
    helix->class->places->position(helix->self, &at, tip);
}

void some_rotation(double *R)
{
    const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, w[3] = {0.7, -1.1, 0.4};
    memcpy(R, one, sizeof one);
    cst_rotation_turn(w, R);
}
