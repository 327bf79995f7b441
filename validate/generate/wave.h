/* A smooth wave of period 1 and amplitude 1, from two parabolas: a sine without a library's last bits. */
#ifndef CST_GENERATE_WAVE_H
#define CST_GENERATE_WAVE_H

#include <math.h>

static inline double cst_wave(double phase)
{
    double f = phase - floor(phase);
    return f < 0.5 ? 16 * f * (0.5 - f) : -16 * (f - 0.5) * (1 - f);
}

#endif
