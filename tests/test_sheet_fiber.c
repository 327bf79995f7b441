/* Fibers and balls touch sheets: one problem, judged on both sides; equal to the explicit W; weight; threads; resume; nothing goes through. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/sanitized.h"
#include "tests/sheet_fixture.h"

enum { CLOTH = 1, ROPE = 2 };

/* What the watch over the problems of a world has seen. */
typedef struct oracle {
    int problems;         /* that were compared */
    double largest_error; /* E of either form */
    double largest_v;     /* largest difference of velocities, of nodes and at contacts, over the velocity scale */
} oracle;

typedef struct trial {
    cst_arena arena;
    cst_world *world;
    oracle seen;
    char message[256];
} trial;

static cst_friction_options form_of(cst_form form)
{
    cst_friction_options options = cst_friction_options_default();
    options.form = form;
    options.tolerance = 1e-9;
    options.max_iterations = 20000;
    return options;
}

/* Each problem of a rope on a sheet, solved by nodes and by the explicit W of the same bodies. */
static void compare(void *user, const cst_body_problem *problem, const double *r)
{
    oracle *seen = user;
    bool both = false;
    int dofs = 0;
    for (int i = 0; i < problem->contacts; ++i)
        both = both || (problem->side_a[i].body >= 0 && problem->side_b[i].body >= 0);
    for (int k = 0; k < problem->bodies; ++k)
        dofs += problem->body[k].size;
    if (!both)
        return;
    const size_t size = 3 * (size_t)problem->contacts;
    double *impulse[2], *u[2], *v[2], scale = 0.0;
    for (int form = 0; form < 2; ++form) {
        const cst_friction_options options = form_of(form == 0 ? CST_FORM_MIXED : CST_FORM_EXPLICIT);
        cst_friction_report report;
        impulse[form] = malloc(size * sizeof(double));
        u[form] = calloc(size, sizeof(double));
        v[form] = calloc((size_t)dofs, sizeof(double));
        memcpy(impulse[form], r, size * sizeof(double));
        const cst_status status = cst_friction_solve_bodies(problem, &options, impulse[form], u[form], v[form], &report);
        if (status != CST_SOLVED)
            fail_msg("form %d: %s, E %g: %s", form, cst_status_name(status), report.residual.error, report.message);
        seen->largest_error = fmax(seen->largest_error, report.residual.error);
        scale = report.residual.velocity_scale;
    }
    /* The sheet; what a rope's dofs are depends on its model, and contacts see it. */
    for (int k = 0; k < problem->body[0].size; ++k)
        seen->largest_v = fmax(seen->largest_v, fabs(v[0][k] - v[1][k]) / scale);
    for (size_t k = 0; k < size; ++k)
        seen->largest_v = fmax(seen->largest_v, fabs(u[0][k] - u[1][k]) / scale);
    seen->problems++;
    for (int form = 0; form < 2; ++form) {
        free(impulse[form]);
        free(u[form]);
        free(v[form]);
    }
}

/* A cloth of 10 x 10 cm held by its corners. */
static void begin(trial *t, int threads, bool watched)
{
    static const int32_t corner[] = {0, 6, 42, 48};
    static const cst_handle held = {.node = corner, .nodes = 4, .release_time = -1.0};
    cst_world_def def = cst_world_def_default(3);
    *t = (trial){.world = NULL};
    def.time_step.dt = 2e-3;
    def.friction.threads = threads;
    def.friction_coefficient = 0.4;
    if (watched) {
        def.friction.watch = compare;
        def.friction.watch_user = &t->seen;
    }
    cst_arena_begin(&t->arena, NULL);
    t->world = cst_world_new(&def, t->message, sizeof t->message);
    assert_non_null(t->world);
    cst_sheet_def cloth = fixture_square(0.1, 6, CST_CUT_DIAGONAL, &t->arena);
    cloth.fabric.damping = 0.02;
    cloth.handle = &held;
    cloth.handles = 1;
    if (cst_world_add_sheet(t->world, &cloth, t->message, sizeof t->message) != CLOTH)
        fail_msg("%s", t->message);
}

/* Across the cloth, off its diagonal, a little above; falling with `speed`. */
static void add_rope(trial *t, cst_fiber_model model, int elements, double height, double speed)
{
    cst_fiber_def rope = cst_fiber_def_default();
    const double along[3] = {0.96, 0.28, 0.0};
    rope.model = model;
    rope.elements = elements;
    rope.length = 0.06;
    rope.radius = 1.5e-3;
    rope.mass_per_length = 0.01;
    rope.bending_stiffness[0] = rope.bending_stiffness[1] = 1e-6;
    rope.twisting_stiffness = 1e-6;
    rope.viscosity = 0.01;
    const double frame[9] = {along[0], -along[1], 0.0, along[1], along[0], 0.0, 0.0, 0.0, 1.0};
    memcpy(rope.frame, frame, sizeof frame);
    rope.position[0] = 0.021;
    rope.position[1] = 0.037;
    rope.position[2] = height;
    rope.velocity[2] = -speed;
    rope.velocity[0] = 0.3;
    if (cst_world_add_fiber(t->world, &rope, t->message, sizeof t->message) != ROPE)
        fail_msg("%s", t->message);
}

static void end(trial *t)
{
    cst_world_free(t->world);
    cst_arena_end(&t->arena);
}

static void run(trial *t, int steps)
{
    cst_step_report report;
    for (int i = 0; i < steps; ++i) {
        if (cst_world_step(t->world, &report) != CST_SOLVED)
            fail_msg("step %d: %s", i, report.message);
        assert_true(report.residual.error <= 1e-6);
    }
}

static void is_the_explicit_problem(cst_fiber_model model, int elements)
{
    trial t;
    begin(&t, 1, true);
    add_rope(&t, model, elements, 0.003, 0.5);
    run(&t, 40);
    assert_true(t.seen.problems > 20);
    assert_true(t.seen.largest_error <= 1e-9);
    if (!(t.seen.largest_v <= 1e-8))
        fail_msg("velocities of the two forms differ by %g of the scale", t.seen.largest_v);
    end(&t);
}

static void dense_rope_is_the_explicit_problem(void **state)
{
    (void)state;
    is_the_explicit_problem(CST_FIBER_SUPER_HELIX, 5);
}

static void swept_rope_is_the_explicit_problem(void **state)
{
    (void)state;
    is_the_explicit_problem(CST_FIBER_SUPER_HELIX, 12);
}

static void discrete_rod_is_the_explicit_problem(void **state)
{
    (void)state;
    is_the_explicit_problem(CST_FIBER_DISCRETE_ROD, 8);
}

/* At rest the cloth carries the rope's weight, on its upper side. */
static void carries_the_weight(void **state)
{
    (void)state;
    trial t;
    const cst_contact_view *contact;
    begin(&t, 1, false);
    add_rope(&t, CST_FIBER_SUPER_HELIX, 5, 0.003, 0.0);
    run(&t, SANITIZED ? 40 : 400);
    double force = 0.0;
    const int contacts = cst_world_contacts(t.world, &contact);
    for (int i = 0; i < contacts; ++i) {
        const double sign = contact[i].a.body == ROPE ? 1.0 : -1.0;
        if ((contact[i].a.body == ROPE) == (contact[i].b.body == ROPE))
            continue; /* the cloth with itself */
        force += sign * contact[i].force[2];
        assert_true(sign * contact[i].normal[2] > 0.0);
    }
    const double weight = 0.06 * 0.01 * 9.81;
    if (!SANITIZED && !(fabs(force - weight) <= 0.01 * weight)) /* it is not yet at rest in a tenth of the time */
        fail_msg("%g N for a weight of %g N", force, weight);
    end(&t);
}

/* The lowest point of the rope is above the cloth's lowest node, less what both are thick. */
static void stops_what_is_thrown(void **state)
{
    (void)state;
    trial t;
    double cloth[3 * 49], rope[3 * 64];
    begin(&t, 1, false);
    add_rope(&t, CST_FIBER_SUPER_HELIX, 5, 0.02, 5.0);
    run(&t, 30);
    cst_world_draw_body(t.world, CLOTH, 1, cloth, NULL, NULL);
    const cst_drawing drawn = cst_world_draw_body(t.world, ROPE, 8, NULL, NULL, NULL);
    assert_true(drawn.vertices <= 64);
    cst_world_draw_body(t.world, ROPE, 8, rope, NULL, NULL);
    double lowest_cloth = 1.0, middle_rope = rope[3 * (drawn.vertices / 2) + 2];
    for (int i = 0; i < 49; ++i)
        lowest_cloth = fmin(lowest_cloth, cloth[3 * i + 2]);
    assert_true(middle_rope > lowest_cloth - 2e-3);
    end(&t);
}

static void *state_of(const trial *t, size_t *size)
{
    *size = cst_world_save(t->world, NULL, 0);
    void *state = malloc(*size);
    cst_world_save(t->world, state, *size);
    return state;
}

static void has_the_same_bits(void **state)
{
    (void)state;
    void *saved[3];
    size_t size[3];
    for (int k = 0; k < 3; ++k) { /* one thread, two, and resumed half way */
        trial t;
        begin(&t, k == 1 ? 2 : 1, false);
        add_rope(&t, CST_FIBER_SUPER_HELIX, 12, 0.003, 0.5);
        run(&t, 20);
        if (k == 2) {
            size_t half;
            void *from = state_of(&t, &half);
            end(&t);
            begin(&t, 1, false);
            add_rope(&t, CST_FIBER_SUPER_HELIX, 12, 0.003, 0.5);
            if (!cst_world_load(t.world, from, half, t.message, sizeof t.message))
                fail_msg("%s", t.message);
            free(from);
        }
        run(&t, 20);
        saved[k] = state_of(&t, &size[k]);
        end(&t);
    }
    for (int k = 1; k < 3; ++k) {
        assert_int_equal(size[k], size[0]);
        assert_memory_equal(saved[k], saved[0], size[0]);
    }
    for (int k = 0; k < 3; ++k)
        free(saved[k]);
}

/* Round rigid bodies touch sheets as fibers do. */
static void ball_rests_on_cloth(void **state)
{
    (void)state;
    trial t;
    const cst_contact_view *contact;
    begin(&t, 1, false);
    cst_rigid_def ball = cst_rigid_def_default();
    ball.shape = CST_RIGID_SPHERE;
    ball.radius = 0.01;
    ball.mass = 5e-4;
    ball.position[0] = 0.052;
    ball.position[1] = 0.049;
    ball.position[2] = 0.0115;
    if (!cst_world_add_rigid(t.world, &ball, t.message, sizeof t.message))
        fail_msg("%s", t.message);
    run(&t, SANITIZED ? 20 : 200);
    double force = 0.0;
    for (int i = cst_world_contacts(t.world, &contact) - 1; i >= 0; --i)
        if (contact[i].a.body == 2 || contact[i].b.body == 2)
            force += fabs(contact[i].force[2]);
    assert_true(SANITIZED || (force > 0.5 * 5e-4 * 9.81 && force < 2.0 * 5e-4 * 9.81));
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_rope_is_the_explicit_problem),
        cmocka_unit_test(swept_rope_is_the_explicit_problem),
        cmocka_unit_test(discrete_rod_is_the_explicit_problem),
        cmocka_unit_test(carries_the_weight),
        cmocka_unit_test(stops_what_is_thrown),
        cmocka_unit_test(has_the_same_bits),
        cmocka_unit_test(ball_rests_on_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
