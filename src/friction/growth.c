#include "friction/growth.h"

#include <math.h>

/* Constants of the test for infeasible problems (growth.h); their origin is not recorded (docs/constants.md). */
enum { WINDOW = 100, WINDOWS = 2 };
static const double LARGE_ERROR = 0.1;
/* BEYOND: if a scaled impulse (weight times impulse, dimensionless) exceeds BEYOND, one window of WINDOW iterations is enough to
 * call the problem infeasible, instead of two. */
static const double BEYOND = 1e10;

void cst_growth_begin(cst_growth *growth)
{
    *growth = (cst_growth){.error = HUGE_VAL};
}

bool cst_growth_seen(cst_growth *growth, const cst_system *system, const double *x, int iterations, double best_error)
{
    if (iterations - growth->since < WINDOW)
        return false;
    double size = 0.0;
    for (int i = 0; i < system->contacts; i++)
        for (int k = 0; k < system->dim; k++)
            size = fmax(size, system->weight[i] * fabs(x[(size_t)i * (size_t)system->dim + (size_t)k]));
    const bool flat = best_error > LARGE_ERROR && best_error > 0.9 * growth->error;
    const bool grew = size > 1.2 * growth->size && size > 10.0;
    const int seen = flat && size > BEYOND ? WINDOWS : flat && grew ? growth->windows + 1 : 0;
    *growth = (cst_growth){.since = iterations, .error = best_error, .size = size, .windows = seen};
    return seen >= WINDOWS;
}
