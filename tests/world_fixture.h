/* Small worlds for tests: built in a line or two, and every refusal fails the test with its message. */
#ifndef CST_TESTS_WORLD_FIXTURE_H
#define CST_TESTS_WORLD_FIXTURE_H

#include "capstan/capstan.h"

cst_world *world_of(const cst_world_def *def);
cst_body_id world_rod(cst_world *world, const cst_rod_def *def);
cst_body_id world_rigid(cst_world *world, const cst_rigid_def *def);
cst_obstacle_id world_obstacle(cst_world *world, const cst_obstacle_def *def);

/* A half-plane through the origin, rising to the left: downhill is (cos alpha, -sin alpha). */
cst_obstacle_id world_incline(cst_world *world, double alpha);
cst_body_id world_disk(cst_world *world, double radius, double x, double y);

/* A straight rod of one metre whose surface lies on the incline. */
cst_rod_def rod_on_incline(double alpha, int elements, cst_rod_formulation formulation);

/* A step that must be solved; its report. */
cst_step_report world_step(cst_world *world);

/* Velocity of a place along downhill. */
double downhill_speed(const cst_world *world, const cst_place *place, double alpha);

/* |a - b| <= tolerance, or the test fails with all three. */
void assert_near(double a, double b, double tolerance);

/* The whole state as bytes, by malloc. */
void *world_bytes(const cst_world *world, size_t *size);

/* Lines of a CSV file of reference data, without the first: fields separated by commas. */
typedef struct reference_row {
    char text[512];
    const char *field[16];
    int fields;
} reference_row;

/* Opens tests/data/physics/<name>. Returns the rows (malloc) and their number. */
reference_row *reference_rows(const char *name, int *rows);
double reference_number(const reference_row *row, int field);

#endif
