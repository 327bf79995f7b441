#include "output/chart_scale.h"

#include <math.h>
#include <stdio.h>

/* 1, 2 or 5 times a power of ten, at least `step`. */
static double round_step(double step)
{
    double power = pow(10, floor(log10(step)));
    double leading = step / power;
    return power * (leading <= 1.0001 ? 1 : leading <= 2.0001 ? 2 : leading <= 5.0001 ? 5 : 10);
}

static void linear_ticks(cst_chart_scale *scale, bool fixed, int most)
{
    scale->step = round_step((scale->high - scale->low) / most);
    if (!fixed) {
        scale->low = scale->step * floor(scale->low / scale->step + 1e-9);
        scale->high = scale->step * ceil(scale->high / scale->step - 1e-9);
    }
    double first = ceil(scale->low / scale->step - 1e-9);
    for (int i = 0; scale->ticks < CST_TICKS_MAX; i++) {
        double value = (first + i) * scale->step;
        if (value > scale->high + 1e-9 * scale->step)
            break;
        scale->tick[scale->ticks] = value;
        scale->major[scale->ticks++] = true;
    }
}

/* Nearest of 1, 2, 5 times a power of ten at or below the value, or at or above it. */
static double round_log(double value, bool up)
{
    static const double leading[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(value) + 1e-9));
    double best = power;
    for (int i = 0; i < 4; i++) {
        if (up && leading[i] * power >= value * (1 - 1e-9))
            return leading[i] * power;
        if (!up && leading[i] * power <= value * (1 + 1e-9))
            best = leading[i] * power;
    }
    return up ? 10 * power : best;
}

static void decade_ticks(cst_chart_scale *scale, bool fixed, int most)
{
    if (!fixed) { /* whole decades would leave up to half of the chart empty */
        scale->low = round_log(scale->low, false);
        scale->high = round_log(scale->high, true);
    }
    double first = floor(log10(scale->low) + 1e-9), last = ceil(log10(scale->high) - 1e-9);
    int decades = (int)(last - first) > 0 ? (int)(last - first) : 1;
    int every = (decades + most - 1) / most;
    for (int k = 0; k <= decades; k++) {
        /* Minor ticks at 2 .. 9 while there is room for them; 2 and 5 are labelled where there are few decades. */
        for (int digit = 1; digit <= (decades <= 6 ? 9 : 1); digit++) {
            double value = digit * pow(10, first + k);
            if (value < scale->low * (1 - 1e-9) || value > scale->high * (1 + 1e-9) || scale->ticks == CST_TICKS_MAX)
                continue;
            bool labelled = digit == 1 ? k % every == 0 : decades <= 2 && (digit == 2 || digit == 5);
            scale->tick[scale->ticks] = value;
            scale->major[scale->ticks++] = labelled;
        }
    }
}

cst_chart_scale cst_chart_scale_fit(const cst_chart_axis *axis, double low, double high, int most)
{
    cst_chart_scale scale = {.logarithmic = axis->logarithmic, .percent = axis->percent, .low = low, .high = high};
    bool fixed = axis->low < axis->high;
    if (fixed) {
        scale.low = axis->low;
        scale.high = axis->high;
    } else if (low > high) {
        scale.low = axis->logarithmic ? 1 : 0;
        scale.high = axis->logarithmic ? 10 : 1;
    } else if (low == high) {
        scale.low = axis->logarithmic ? low / 2 : low - 0.5 * (fabs(low) + (low == 0));
        scale.high = axis->logarithmic ? high * 2 : high + 0.5 * (fabs(high) + (high == 0));
    }
    if (axis->logarithmic)
        decade_ticks(&scale, fixed, most);
    else
        linear_ticks(&scale, fixed, most);
    return scale;
}

bool cst_chart_scale_shows(const cst_chart_scale *scale, double value)
{
    return isfinite(value) && (!scale->logarithmic || value > 0);
}

double cst_chart_scale_place(const cst_chart_scale *scale, double value)
{
    double share = scale->logarithmic ? log(value / scale->low) / log(scale->high / scale->low)
                                      : (value - scale->low) / (scale->high - scale->low);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return scale->from + share * (scale->to - scale->from);
}

void cst_chart_scale_label(const cst_chart_scale *scale, int tick, char *text, size_t size)
{
    double value = scale->tick[tick];
    if (scale->percent) {
        snprintf(text, size, "%.4g%%", 100 * value);
        return;
    }
    if (scale->logarithmic && (value < 0.00999 || value > 9999.9)) {
        int exponent = (int)floor(log10(value) + 1e-9);
        int digit = (int)lround(value / pow(10, exponent));
        if (digit == 1)
            snprintf(text, size, "10<tspan dy=\"-5\" font-size=\"9\">%d</tspan>", exponent);
        else
            snprintf(text, size, "%d·10<tspan dy=\"-5\" font-size=\"9\">%d</tspan>", digit, exponent);
        return;
    }
    if (!scale->logarithmic && fabs(value) < 1e-9 * scale->step)
        value = 0; /* a rounding error is no label */
    snprintf(text, size, "%.4g", value);
}
