/* Super helices for tests. Steps, energies and comparisons: tests/super_circle_fixture.h, which take any body. */
#ifndef CST_TESTS_SUPER_HELIX_FIXTURE_H
#define CST_TESTS_SUPER_HELIX_FIXTURE_H

#include "rod/super_helix.h"
#include "rod/super_helix_rod.h"
#include "tests/super_circle_fixture.h"

/* A straight fiber along x at rest, clamped; stiffness (GJ, EI1, EI2). */
cst_fiber_def helix_definition(int elements, double length, double mass_per_length, const double stiffness[3]);

/* Ends the test with the message if the fiber cannot be built. */
cst_body_model helix_create(const cst_fiber_def *def);

/* As the golden vectors have it: no spin inertia, so many Gauss points. */
void helix_plain(cst_body_model *helix, int gauss);

cst_step_frame helix_step_frame(double dt, double theta, double gx, double gy, double gz);

/* Sets the parts of the state: root (position, frame), u, root velocity and turning rate, u'. */
void helix_set_state(cst_body_model *helix, const double *position, const double *frame, const double *u, const double *root_rate,
                     const double *rate);

/* Position of the end. */
void helix_tip(const cst_body_model *helix, double *tip);

/* A rotation matrix about no axis in particular. */
void some_rotation(double *R);

#endif
