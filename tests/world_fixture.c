#include "world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

cst_world *world_of(const cst_world_def *def)
{
    char message[256] = "";
    cst_world *world = cst_world_new(def, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    return world;
}

cst_body_id world_rod(cst_world *world, const cst_rod_def *def)
{
    char message[256] = "";
    const cst_body_id id = cst_world_add_rod(world, def, message, sizeof message);
    if (!id)
        fail_msg("%s", message);
    return id;
}

cst_body_id world_rigid(cst_world *world, const cst_rigid_def *def)
{
    char message[256] = "";
    const cst_body_id id = cst_world_add_rigid(world, def, message, sizeof message);
    if (!id)
        fail_msg("%s", message);
    return id;
}

cst_obstacle_id world_obstacle(cst_world *world, const cst_obstacle_def *def)
{
    char message[256] = "";
    const cst_obstacle_id id = cst_world_add_obstacle(world, def, message, sizeof message);
    if (!id)
        fail_msg("%s", message);
    return id;
}

cst_obstacle_id world_incline(cst_world *world, double alpha)
{
    cst_obstacle_def def = cst_obstacle_def_default();
    def.normal[0] = sin(alpha);
    def.normal[1] = cos(alpha);
    return world_obstacle(world, &def);
}

cst_body_id world_disk(cst_world *world, double radius, double x, double y)
{
    cst_rigid_def def = cst_rigid_def_default();
    def.radius = radius;
    def.mass = 1.0;
    def.position[0] = x;
    def.position[1] = y;
    return world_rigid(world, &def);
}

cst_rod_def rod_on_incline(double alpha, int elements, cst_rod_formulation formulation)
{
    cst_rod_def def = cst_rod_def_default();
    def.formulation = formulation;
    def.elements = elements;
    def.length = 1.0;
    def.radius = 0.01;
    def.mass_per_length = 0.1;
    def.bending_stiffness = 1e-2;
    def.angle = -alpha;
    def.position[0] = def.radius * sin(alpha);
    def.position[1] = def.radius * cos(alpha);
    return def;
}

cst_step_report world_step(cst_world *world)
{
    cst_step_report report;
    if (cst_world_step(world, &report) != CST_SOLVED)
        fail_msg("step %lld: %s, %s (E %g)", (long long)report.step, cst_status_name(report.status), report.message,
                 report.residual.error);
    return report;
}

double downhill_speed(const cst_world *world, const cst_place *place, double alpha)
{
    double velocity[3];
    assert_true(cst_world_place(world, place, NULL, NULL, velocity));
    return velocity[0] * cos(alpha) - velocity[1] * sin(alpha);
}

void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g and %.17g are %g apart, not %g", a, b, fabs(a - b), tolerance);
}

void *world_bytes(const cst_world *world, size_t *size)
{
    *size = cst_world_save(world, NULL, 0);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(cst_world_save(world, bytes, *size), *size);
    return bytes;
}

reference_row *reference_rows(const char *name, int *rows)
{
    char path[512];
    snprintf(path, sizeof path, "%s/physics/%s", CAPSTAN_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read", path);
    enum { ROWS_MAX = 300 };
    reference_row *row = calloc(ROWS_MAX, sizeof *row);
    assert_non_null(row);
    *rows = -1; /* the names */
    while (*rows < ROWS_MAX && fgets(row[*rows < 0 ? 0 : *rows].text, sizeof row->text, file)) {
        if (++*rows == 0)
            continue;
        reference_row *last = row + *rows - 1;
        last->fields = 0;
        for (char *at = last->text; at && last->fields < 16;) {
            last->field[last->fields++] = at;
            at = strchr(at, ',');
            if (at)
                *at++ = '\0';
        }
    }
    fclose(file);
    assert_true(*rows > 0);
    return row;
}

double reference_number(const reference_row *row, int field)
{
    assert_true(field < row->fields);
    return atof(row->field[field]);
}
