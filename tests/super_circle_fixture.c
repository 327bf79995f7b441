#include "tests/super_circle_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

cst_rod_def rod_definition(int elements, double length, double mass_per_length, double bending_stiffness)
{
    return (cst_rod_def){.elements = elements,
                         .length = length,
                         .radius = 0.001,
                         .mass_per_length = mass_per_length,
                         .bending_stiffness = bending_stiffness,
                         .surface = {.friction = CST_UNSET, .restitution = CST_UNSET}};
}

cst_body_model rod_create(const cst_rod_def *def)
{
    char message[256] = "";
    cst_body_model rod;
    if (!cst_super_circle_create(def, NULL, &rod, message, sizeof message))
        fail_msg("%s", message);
    return rod;
}

void rod_destroy(cst_body_model *rod)
{
    rod->class->destroy(rod->self);
    *rod = (cst_body_model){NULL, NULL};
}

cst_step_frame step_frame(double dt, double theta, double gx, double gy)
{
    return (cst_step_frame){.dim = 2, .dt = dt, .theta = theta, .gravity = {gx, gy, 0.0}};
}

void rod_step(cst_body_model *rod, cst_step_frame *frame, int iterations, double *out)
{
    int dofs = rod->class->dynamics->dofs(rod->self);
    double *v = test_malloc((size_t)dofs * sizeof *v);
    char message[256] = "";
    assert_true(rod->class->dynamics->place(rod->self, frame, NULL));
    for (int k = 0; k < iterations; ++k) {
        if (k > 0)
            assert_true(rod->class->dynamics->place(rod->self, frame, v));
        if (!rod->class->dynamics->assemble(rod->self, frame, k > 0 ? v : NULL, message, sizeof message))
            fail_msg("%s", message);
        memcpy(v, rod->class->dynamics->rhs(rod->self), (size_t)dofs * sizeof *v);
        assert_true(rod->class->dynamics->solve(rod->self, v));
    }
    rod->class->dynamics->finish(rod->self, frame, v);
    frame->time += frame->dt;
    if (out)
        memcpy(out, v, (size_t)dofs * sizeof *v);
    test_free(v);
}

void rod_state(const cst_body_model *rod, int elements, double *q, double *v)
{
    size_t half = (size_t)elements + 3;
    double *state = test_malloc(2 * half * sizeof *state);
    assert_int_equal(rod->class->state->size(rod->self), (int)(2 * half));
    rod->class->state->save(rod->self, state);
    memcpy(q, state, half * sizeof *q);
    memcpy(v, state + half, half * sizeof *v);
    test_free(state);
}

void rod_set_state(cst_body_model *rod, int elements, const double *q, const double *v)
{
    size_t half = (size_t)elements + 3;
    double *state = test_malloc(2 * half * sizeof *state);
    memcpy(state, q, half * sizeof *q);
    memcpy(state + half, v, half * sizeof *v);
    rod->class->state->load(rod->self, state);
    test_free(state);
}

double rod_energy(const cst_body_model *rod, const cst_step_frame *frame)
{
    cst_body_energy energy;
    rod->class->dynamics->energy(rod->self, frame->gravity, &energy);
    return energy.kinetic + energy.elastic + energy.gravity;
}

void rod_tip(const cst_body_model *rod, double *x, double *y)
{
    int vertices = rod->class->look->draw(rod->self, 1, NULL, NULL, NULL).vertices;
    double *position = test_malloc(3 * (size_t)vertices * sizeof *position);
    rod->class->look->draw(rod->self, 1, position, NULL, NULL);
    *x = position[3 * vertices - 3];
    *y = position[3 * vertices - 2];
    test_free(position);
}

table table_read(const char *name)
{
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/%s", CAPSTAN_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        fail_msg("cannot read %s", path);
    table t = {.columns = 1};
    for (const char *c = line; *c; ++c)
        t.columns += *c == ',';
    enum { ROWS_MAX = 1000 };
    t.value = test_malloc((size_t)ROWS_MAX * (size_t)t.columns * sizeof *t.value);
    t.name = test_calloc(ROWS_MAX, sizeof *t.name);
    while (fgets(line, sizeof line, file)) {
        assert_true(t.rows < ROWS_MAX);
        const char *at = line;
        for (int k = 0; k < t.columns; ++k) {
            size_t length = strcspn(at, ",\n");
            char *end;
            double value = strtod(at, &end);
            t.value[t.rows * t.columns + k] = end == at + length && length > 0 ? value : NAN;
            if (k == 0)
                snprintf(t.name[t.rows], sizeof *t.name, "%.*s", (int)length, at);
            at += length + (at[length] == ',');
        }
        ++t.rows;
    }
    fclose(file);
    return t;
}

void table_free(table *t)
{
    test_free(t->value);
    test_free(t->name);
}

double largest_difference(const double *a, const double *b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= largest))
            largest = difference;
    }
    return largest;
}

void assert_close(const double *a, const double *b, int count, double tolerance, double floor, const char *what)
{
    double worst = 0.0;
    int where = 0;
    for (int i = 0; i < count; ++i) {
        double error = fabs(a[i] - b[i]) / fmax(fabs(b[i]), floor);
        if (!(error <= worst)) {
            worst = error;
            where = i;
        }
    }
    if (!(worst <= tolerance))
        fail_msg("%s[%d]: %.17g instead of %.17g, off by %.3g", what, where, a[where], b[where], worst);
}
