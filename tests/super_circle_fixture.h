/* Rods for tests: definitions from golden data, and a world of one rod that steps it as the real one does, without contact. */
#ifndef CST_TESTS_SUPER_CIRCLE_FIXTURE_H
#define CST_TESTS_SUPER_CIRCLE_FIXTURE_H

#include "rod/super_circle.h"
#include "tests/json.h"

/* As cst_rod_def_default, for a straight rod of n elements at rest. */
cst_rod_def rod_definition(int elements, double length, double mass_per_length, double bending_stiffness);

/* Ends the test with the message if the rod cannot be built. */
cst_body_model rod_create(const cst_rod_def *def);
void rod_destroy(cst_body_model *rod);

cst_step_frame step_frame(double dt, double theta, double gx, double gy);

/* One step: `iterations` linearisations (1: at the start only). The velocities at the end, if out is not NULL (dofs). Moves
 * frame->time on. Ends the test if something fails. */
void rod_step(cst_body_model *rod, cst_step_frame *frame, int iterations, double *out);

/* State as chained coordinates, whatever the formulation: q (n + 3), v (n + 3). */
void rod_state(const cst_body_model *rod, int elements, double *q, double *v);
void rod_set_state(cst_body_model *rod, int elements, const double *q, const double *v);

double rod_energy(const cst_body_model *rod, const cst_step_frame *frame);
void rod_tip(const cst_body_model *rod, double *x, double *y);

/* A CSV file of tests/data as doubles, row-major; columns that are not numbers are NaN. First line skipped. */
typedef struct table {
    int rows, columns;
    double *value;
    char (*name)[40]; /* (rows) the first column as text */
} table;

table table_read(const char *name);
void table_free(table *t);

/* |a - b| <= tolerance max(|b|, floor), for all; says the largest if not. */
void assert_close(const double *a, const double *b, int count, double tolerance, double floor, const char *what);
double largest_difference(const double *a, const double *b, int count);

#endif
