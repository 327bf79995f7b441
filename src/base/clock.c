#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#endif
#include "base/clock.h"

#include <time.h>

double cst_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cst_clock_lap(double *last, double *phase)
{
    const double now = cst_clock_seconds();
    *phase += now - *last;
    *last = now;
}
