/* Rigid bodies in space for tests: made, or the test fails with the refusal. Include after cmocka. */
#ifndef CST_TESTS_RIGID_FIXTURE_H
#define CST_TESTS_RIGID_FIXTURE_H

#include <math.h>

#include "rigid/rigid_space.h"

static inline void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", found, expected, tolerance);
}

static inline void near3(const double *found, const double *expected, double tolerance)
{
    for (int k = 0; k < 3; k++)
        near(found[k], expected[k], tolerance);
}

static inline cst_body_model made(const cst_rigid_def *def)
{
    cst_body_model body;
    char message[256] = "";
    if (!cst_rigid_space_create(def, NULL, &body, message, sizeof message))
        fail_msg("%s", message);
    return body;
}

#endif
