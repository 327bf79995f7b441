/* Nodal rods in space for tests. Steps, as for planar rods: super_circle_fixture.h. */
#ifndef CST_TESTS_NODAL_FIXTURE_H
#define CST_TESTS_NODAL_FIXTURE_H

#include "rod/corde.h"
#include "rod/discrete_rod.h"
#include "rod/nodal_rod.h"
#include "rod/spring_chain.h"
#include "tests/super_circle_fixture.h"

/* A straight fiber along x, at rest: 1 m, 10 g/m, EI = 1e-3, GJ = 0.8e-3 N m2, radius 5 mm. */
cst_fiber_def fiber_definition(cst_fiber_model model, int elements);

/* As the model has it; whether it could be built. */
bool fiber_try(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message, size_t size);

/* Ends the test with the message if it cannot be built. */
cst_body_model fiber_create(const cst_fiber_def *def);

/* dim 3, gravity along -z. */
cst_step_frame space_frame(double dt, double theta, double gravity);

/* The nodal rod within. */
cst_nodal_rod *nodal_of(const cst_body_model *body);

/* Pushes nodes and angles out of place, nodes by `size` of an edge: the same for the same seed. Free dofs only. */
void disturb(cst_nodal_rod *rod, double size, unsigned seed);

void fiber_tip(const cst_body_model *body, double *x);
double fiber_energy(const cst_body_model *body, const cst_step_frame *frame);

/* Linear and angular momentum about the origin (spin of edges included, if edges have any). */
void fiber_momentum(const cst_nodal_rod *rod, double *linear, double *angular);

#endif
