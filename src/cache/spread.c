#include "cache/spread.h"

#include <math.h>

enum { PER_OCTAVE = 8, MIDDLE_BIN = CST_SPREAD_BINS / 2 };

/* Returns the bin of a size. The bins of the histogram are logarithmic: the upper limit of a bin is 2^(1/8) times its lower
 * limit, and all bins together cover the range from 2^-64 to 2^64. */
static double bin_of(double size)
{
    return floor(PER_OCTAVE * log2(size)) + MIDDLE_BIN;
}

void cst_spread_add(cst_spread *spread, double value)
{
    double size = fabs(value);
    if (!isfinite(size))
        return;
    if (value < 0.0)
        spread->negative = true;
    spread->largest = fmax(spread->largest, size);
    if (size <= 0.0)
        return;
    double bin = bin_of(size);
    spread->bin[bin < 0 ? 0 : bin >= CST_SPREAD_BINS ? CST_SPREAD_BINS - 1 : (int)bin]++;
}

void cst_spread_finish(cst_spread *spread)
{
    int lowest = spread->largest > 0.0 ? (int)fmax(0.0, bin_of(1e-6 * spread->largest)) : 0;
    int64_t total = 0, above = 0;
    for (int bin = lowest; bin < CST_SPREAD_BINS; bin++)
        total += spread->bin[bin];
    spread->middle = spread->typical = spread->largest;
    for (int bin = CST_SPREAD_BINS - 1; bin >= lowest; bin--) {
        above += spread->bin[bin];
        double end = fmin(spread->largest, exp2((double)(bin + 1 - MIDDLE_BIN) / PER_OCTAVE));
        if (above <= total / 50 + spread->bin[bin])
            spread->typical = end;
        if (above <= total / 2 + spread->bin[bin])
            spread->middle = end;
    }
}

void cst_bounds_add(cst_bounds *box, const double *point, double radius)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = box->any ? fmin(box->low[k], point[k] - radius) : point[k] - radius;
        box->high[k] = box->any ? fmax(box->high[k], point[k] + radius) : point[k] + radius;
    }
    box->any = true;
}

void cst_bounds_join(cst_bounds *box, const cst_bounds *other)
{
    if (!other->any)
        return;
    cst_bounds_add(box, other->low, 0.0);
    cst_bounds_add(box, other->high, 0.0);
}
