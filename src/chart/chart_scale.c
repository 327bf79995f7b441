#include "chart/chart_scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `step`. */
static double round_step(double step)
{
    double power = pow(10, floor(log10(step)));
    double leading = step / power;
    return power * (leading <= 1.0001 ? 1 : leading <= 2.0001 ? 2 : leading <= 5.0001 ? 5 : 10);
}

static void linear_ticks(cst_chart_scale *scale, const cst_chart_axis *axis, bool fixed, int most)
{
    scale->step = round_step((scale->high - scale->low) / most);
    if (axis->whole && scale->step < 1)
        scale->step = 1;
    if (!fixed) {
        scale->low = scale->step * floor(scale->low / scale->step + 1e-9);
        scale->high = scale->step * ceil(scale->high / scale->step - 1e-9);
        if (scale->high <= scale->low)
            scale->high = scale->low + scale->step;
    }
    double first = ceil(scale->low / scale->step - 1e-9);
    for (int i = 0; scale->ticks < CST_TICKS_MAX; i++) {
        double value = (first + i) * scale->step;
        if (value > scale->high + 1e-9 * scale->step)
            break;
        scale->tick[scale->ticks] = value;
        scale->major[scale->ticks++] = true;
    }
    double largest = fmax(fabs(scale->low), fabs(scale->high));
    if (!axis->percent && (largest < 0.00999 || largest > 99999))
        scale->exponent = (int)floor(log10(largest) + 1e-9);
}

/* Returns a number of the form 1, 2 or 5 times a power of ten: the largest one not above `value` or, if `up` is true, the
 * smallest one not below `value`. */
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
    /* the limits of a logarithmic axis are rounded to 1, 2 or 5 times a power of ten; rounding to full decades would leave up to
     * half of the chart empty */
    if (!fixed) {
        scale->low = round_log(scale->low, false);
        scale->high = round_log(scale->high, true);
    }
    double first = floor(log10(scale->low) + 1e-9), last = ceil(log10(scale->high) - 1e-9);
    int decades = (int)(last - first) > 0 ? (int)(last - first) : 1;
    int every = (decades + most - 1) / most;
    bool between = 3 * log10(scale->high / scale->low) <= most + 0.5;
    for (int k = 0; k <= decades; k++) {
        /* On an axis of at most six decades, minor ticks are drawn at 2 to 9 times a power of ten. Minor ticks at 2 and 5 times a
         * power of ten are labelled if the axis has room for three labels per decade. */
        for (int digit = 1; digit <= (decades <= 6 ? 9 : 1); digit++) {
            double value = digit * pow(10, first + k);
            if (value < scale->low * (1 - 1e-9) || value > scale->high * (1 + 1e-9) || scale->ticks == CST_TICKS_MAX)
                continue;
            bool labelled = digit == 1 ? ((int)first + k) % every == 0 : between && (digit == 2 || digit == 5);
            scale->tick[scale->ticks] = value;
            scale->major[scale->ticks++] = labelled;
        }
    }
    scale->powers = scale->low < 0.00999 || scale->high > 9999.9;
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
    } else if (high - low <= 1e-9 * fmax(fabs(low), fabs(high))) { /* a single value, up to rounding */
        scale.low = axis->logarithmic ? low / 2 : low - 0.5 * (fabs(low) + (low == 0));
        scale.high = axis->logarithmic ? high * 2 : high + 0.5 * (fabs(high) + (high == 0));
    }
    if (axis->logarithmic)
        decade_ticks(&scale, fixed || axis->tight, most);
    else
        linear_ticks(&scale, axis, fixed || axis->tight, most);
    return scale;
}

bool cst_chart_scale_shows(const cst_chart_scale *scale, double value)
{
    return isfinite(value) && (!scale->logarithmic || value > 0);
}

bool cst_chart_scale_inside(const cst_chart_scale *scale, double value)
{
    /* tolerance for points that lie outside the range of the axis only because of rounding errors */
    double slack = 1e-9 * (scale->high - scale->low);
    return cst_chart_scale_shows(scale, value) && value >= scale->low - slack && value <= scale->high + slack;
}

double cst_chart_scale_place(const cst_chart_scale *scale, double value)
{
    double share = scale->logarithmic ? log(value / scale->low) / log(scale->high / scale->low)
                                      : (value - scale->low) / (scale->high - scale->low);
    /* a point outside the plot is placed at most 20 axis lengths away: far enough for correct clipping, and near enough for the
     * drawing library */
    share = fmax(-20, fmin(share, 21));
    return scale->from + share * (scale->to - scale->from);
}

/* Replaces a leading hyphen by a minus sign, which is as wide as a plus. */
static void true_minus(char *text, size_t size)
{
    size_t length = strlen(text);
    if (*text != '-' || length + 3 > size)
        return;
    memmove(text + 3, text + 1, length);
    memcpy(text, "\xe2\x88\x92", 3);
}

static void set_raised(cst_tick_label *label, int exponent)
{
    snprintf(label->raised, sizeof label->raised, "%d", exponent);
    true_minus(label->raised, sizeof label->raised);
}

cst_tick_label cst_chart_scale_label(const cst_chart_scale *scale, int tick)
{
    cst_tick_label label = {.text = ""};
    double value = scale->tick[tick];
    if (scale->percent) {
        snprintf(label.text, sizeof label.text, "%.4g%%", 100 * value);
    } else if (scale->powers) {
        int exponent = (int)floor(log10(value) + 1e-9);
        int digit = (int)lround(value / pow(10, exponent));
        if (exponent == 0 || exponent == 1)
            snprintf(label.text, sizeof label.text, "%d", exponent == 0 ? digit : 10 * digit);
        else if (digit == 1)
            snprintf(label.text, sizeof label.text, "10");
        else
            snprintf(label.text, sizeof label.text, "%d·10", digit);
        if (exponent != 0 && exponent != 1)
            set_raised(&label, exponent);
    } else if (scale->logarithmic) {
        snprintf(label.text, sizeof label.text, "%.4g", value);
    } else {
        double unit = pow(10, scale->exponent);
        double decimals = -floor(log10(scale->step / unit) + 1e-9);
        if (fabs(value) < 1e-9 * scale->step)
            value = 0; /* do not label a rounding error */
        snprintf(label.text, sizeof label.text, "%.*f", decimals <= 0 ? 0 : decimals > 12 ? 12 : (int)decimals, value / unit);
    }
    true_minus(label.text, sizeof label.text);
    return label;
}

cst_tick_label cst_chart_scale_unit(const cst_chart_scale *scale)
{
    cst_tick_label label = {.text = ""};
    if (scale->exponent != 0) {
        snprintf(label.text, sizeof label.text, "×10");
        set_raised(&label, scale->exponent);
    }
    return label;
}

double cst_chart_scale_width(const cst_chart_scale *scale, double size)
{
    double widest = 0;
    for (int i = 0; i < scale->ticks; i++) {
        if (!scale->major[i])
            continue;
        cst_tick_label label = cst_chart_scale_label(scale, i);
        widest = fmax(widest, cst_text_width(label.text, size, false) + cst_text_width(label.raised, 0.75 * size, false));
    }
    return widest;
}
