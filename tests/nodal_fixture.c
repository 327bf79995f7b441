#include "tests/nodal_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "math/vector3.h"

cst_fiber_def fiber_definition(cst_fiber_model model, int elements)
{
    return (cst_fiber_def){.model = model,
                           .elements = elements,
                           .length = 1.0,
                           .radius = 0.005,
                           .mass_per_length = 0.01,
                           .bending_stiffness = {1e-3, 1e-3},
                           .twisting_stiffness = 0.8e-3,
                           .frame = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                           .surface = {.friction = CST_UNSET, .restitution = CST_UNSET}};
}

bool fiber_try(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message, size_t size)
{
    switch (def->model) {
    case CST_FIBER_SPRINGS:
        return cst_spring_chain_create(def, allocator, out, message, size);
    case CST_FIBER_CORDE:
        return cst_corde_create(def, allocator, out, message, size);
    default:
        return cst_discrete_rod_create(def, allocator, out, message, size);
    }
}

cst_body_model fiber_create(const cst_fiber_def *def)
{
    char message[256] = "";
    cst_body_model body;
    if (!fiber_try(def, NULL, &body, message, sizeof message))
        fail_msg("%s", message);
    return body;
}

cst_step_frame space_frame(double dt, double theta, double gravity)
{
    return (cst_step_frame){.dim = 3, .dt = dt, .theta = theta, .gravity = {0.0, 0.0, -gravity}};
}

cst_nodal_rod *nodal_of(const cst_body_model *body)
{
    return body->self;
}

void disturb(cst_nodal_rod *rod, double size, unsigned seed)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 0);
    double *moved = test_malloc((size_t)rod->total * sizeof *moved);
    cst_nodal_shape to = rod->placed_buffer;
    for (int i = 0; i < rod->total; ++i) {
        const double step = size * (2.0 * cst_rng_uniform(&rng) - 1.0) * (i % rod->stride < 3 ? rod->edge_length : 1.0);
        moved[i] = i < rod->held ? 0.0 : step;
        to.q[i] = rod->now.q[i] + moved[i];
    }
    if (rod->model->carry)
        rod->model->carry(rod, &rod->now, moved, &to);
    memcpy(rod->now.q, to.q, (size_t)rod->total * sizeof *to.q);
    memcpy(rod->now.frame, to.frame, (size_t)(rod->edges * rod->model->frame_size) * sizeof *to.frame);
    cst_nodal_settle(rod);
    test_free(moved);
}

void fiber_tip(const cst_body_model *body, double *x)
{
    cst_material_point end;
    assert_true(body->class->places->locate(body->self, &(cst_place){.at_end = true}, &end));
    body->class->places->position(body->self, &end, x);
}

double fiber_energy(const cst_body_model *body, const cst_step_frame *frame)
{
    cst_body_energy energy;
    body->class->dynamics->energy(body->self, frame->gravity, &energy);
    return energy.kinetic + energy.elastic + energy.gravity;
}

void fiber_momentum(const cst_nodal_rod *rod, double *linear, double *angular)
{
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    for (int i = 0; i < rod->nodes; ++i) {
        const int at = i * rod->stride;
        double p[3] = {0};
        cst_add3(rod->mass[at], rod->v + at, p);
        cst_add3(1.0, p, linear);
        cst_add_cross3(rod->now.q + at, p, angular);
    }
    for (int i = 0; rod->stride == 4 && i < rod->edges; ++i) {
        double t[3];
        const int at = cst_nodal_edge(rod, i);
        cst_nodal_direction(rod, &rod->now, i, t);
        cst_add3(rod->mass[at] * rod->v[at], t, angular);
    }
    for (int i = 0; rod->stride == 6 && i < rod->edges; ++i)
        cst_add3(rod->mass[cst_nodal_edge(rod, i)], rod->v + cst_nodal_edge(rod, i), angular);
}
