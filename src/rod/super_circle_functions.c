#include "rod/super_circle_functions.h"

#include <math.h>

void cst_circle_series_far(double phi, double f[CST_CIRCLE_SERIES])
{
    static const double inverse_factorial[6] = {1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0};
    double inverse = 1.0 / (phi * phi);
    f[0] = cos(phi);
    f[1] = sin(phi) / phi;
    for (int k = 0; k < 6; ++k)
        f[k + 2] = (inverse_factorial[k] - f[k]) * inverse;
}
