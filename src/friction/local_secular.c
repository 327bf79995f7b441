/* Reduction of a sliding contact to the tangent plane, and roots of its secular function h (local_secular.h). */
#include "friction/local_secular.h"

cst_definiteness cst_local_reduce(const double W[9], double mu, cst_local_reduction *out)
{
    double scale = (W[0] + W[4] + W[8]) / 3.0;
    *out = (cst_local_reduction){.mu = mu};
    if (!(W[0] > 0.0))
        return CST_INDEFINITE;
    double inverse = 1.0 / W[0];
    out->inverse_normal = inverse;
    double row_x = W[1] * inverse, row_y = W[2] * inverse;
    double column_x = W[3] * inverse, column_y = W[6] * inverse;
    double xx = W[4] - W[3] * row_x, xy = W[5] - W[3] * row_y;
    double yx = W[7] - W[6] * row_x, yy = W[8] - W[6] * row_y;
    double off = 0.5 * (xy + yx);
    out->kappa = 0.5 * (xy - yx);

    /* one Jacobi rotation diagonalises the symmetric part of the reduced matrix Wbar */
    double t = 0.0;
    if (off != 0.0) {
        double tau = (yy - xx) / (2.0 * off);
        t = (tau >= 0.0 ? -1.0 : 1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
    }
    double cosine = 1.0 / sqrt(1.0 + t * t), sine = t * cosine;
    double first = xx + t * off, second = yy - t * off;
    if (first > second) {
        double kept = first;
        first = second;
        second = kept;
        kept = cosine;
        cosine = -sine;
        sine = kept;
    }
    out->cosine = cosine;
    out->sine = sine;
    out->row1 = cosine * row_x + sine * row_y;
    out->row2 = cosine * row_y - sine * row_x;
    out->column1 = cosine * column_x + sine * column_y;
    out->column2 = cosine * column_y - sine * column_x;

    /* An eigenvalue of the reduced matrix Wbar below `floor`, which is about the rounding error of the contact's matrix W, is
     * replaced by `floor`, so that the contact problem has a solution. The impulse computed with the replaced eigenvalue
     * solves the given problem up to rounding, unless the impulse is huge; the caller checks the size of the impulse. */
    double floor = 2.0 * DBL_EPSILON * scale, band = CST_SINGULAR_BAND * scale;
    out->lambda1 = first > floor ? first : floor;
    out->lambda2 = second > floor ? second : floor;
    if (!(first >= -2.0 * band)) /* also if not finite */
        return CST_INDEFINITE;
    return first <= band && fabs(out->kappa) <= band ? CST_POSITIVE_SINGULAR : CST_POSITIVE_DEFINITE;
}

/* Returns the mean of the two ends of an interval or, if the upper end is more than 16 times the lower end, their geometric
 * mean, so that bisection also finds tiny roots. */
static double middle(double low, double high)
{
    double floor = high * 0x1p-60;
    double from = low > floor ? low : floor;
    return high > 16.0 * from ? sqrt(from) * sqrt(high) : 0.5 * (low + high);
}

/* Upper bound of the roots alpha of the secular function h, from |r_T| <= |btilde| / alpha, with the tangential impulse r_T
 * and the reduced load btilde (local_secular.h). */
static double certain_bound(const cst_local_reduction *w, const cst_sliding_load *load)
{
    double coupling = sqrt(w->row1 * w->row1 + w->row2 * w->row2);
    double length = sqrt(load->b1 * load->b1 + load->b2 * load->b2);
    return 2.0 * (coupling + 1.0 / w->mu) * length / load->c;
}

double cst_sliding_root(const cst_local_reduction *w, const cst_sliding_load *load, bool rising, double low, double high,
                        double start, int *iterations)
{
    if (high > DBL_MAX) {
        high = certain_bound(w, load);
        if (!(high > low))
            high = 2.0 * low;
    }
    double alpha = start > low && start < high ? start : middle(low, high);
    for (int step = 1; step <= 200; ++step) {
        ++*iterations;
        cst_sliding_value at = cst_sliding_at(w, load, alpha);
        if (!(fabs(at.h) >= at.rounding))
            break;
        if ((at.h < 0.0) == rising)
            low = alpha;
        else
            high = alpha;
        if (!(high - low > 2.0 * DBL_EPSILON * high))
            break;
        /* every eighth step is a bisection, because Newton's method is slow if all its iterates are on one side of the root */
        alpha = at.newton > low && at.newton < high && step % 8 != 0 ? at.newton : middle(low, high);
    }
    return alpha;
}

/* ----------------------------------------------------------------------------------------------------------- enumeration */

static double slope_of_h(const cst_local_reduction *w, const cst_sliding_load *load, double alpha)
{
    cst_sliding_value at = cst_sliding_at(w, load, alpha);
    double normal_slope = load->c * (w->lambda1 + w->lambda2 + 2.0 * alpha) + w->row1 * load->b1 + w->row2 * load->b2;
    return w->mu * normal_slope - (at.v1 * load->b1 + at.v2 * load->b2) / at.tangential;
}

/* Returns the argument alpha of the extremum of the secular function h between `low` and `high`. The slope of the secular
 * function changes its sign once between `low` and `high`: from - to + if `rising` is true, otherwise from + to -. */
static double extremum_of_h(const cst_local_reduction *w, const cst_sliding_load *load, bool rising, double low, double high,
                            int *iterations)
{
    double alpha = middle(low, high);
    for (int step = 0; step < 200 && high - low > 2.0 * DBL_EPSILON * high; ++step) {
        ++*iterations;
        if ((slope_of_h(w, load, alpha) < 0.0) == rising)
            low = alpha;
        else
            high = alpha;
        alpha = middle(low, high);
    }
    return alpha;
}

/* Returns the argument alpha of the inflection point of the secular function h, or 0 if h has none at positive alpha. Symbols:
 *     `c`: impulse without friction.
 *     `btilde`: reduced load (local_secular.h).
 *     `v`: minus the tangential impulse, times the determinant q (local_secular.h).
 *     `cross`: cross product of the vectors btilde and v (a number), which does not depend on alpha.
 *
 * At the inflection point, the second derivative h'' of the secular function is zero, which gives a quadratic equation for alpha:
 *
 *     `h'' = 2*mu*c - cross^2/|v|^3`.
 *     `|v|^2 = (cross^2 / (2*mu*c))^(2/3)`. */
static double inflection_of_h(const cst_local_reduction *w, const cst_sliding_load *load)
{
    cst_sliding_value zero = cst_sliding_at(w, load, 0.0);
    double cross = load->b1 * zero.v2 - load->b2 * zero.v1;
    double wanted = cbrt(cross * cross / (2.0 * w->mu * load->c)); /* |v| at the inflection point */
    double excess = wanted * wanted - zero.tangential * zero.tangential;
    if (!(excess > 0.0))
        return 0.0;
    double half_slope = zero.v1 * load->b1 + zero.v2 * load->b2; /* >= 0 */
    double square = load->b1 * load->b1 + load->b2 * load->b2;
    return excess / (half_slope + sqrt(half_slope * half_slope + square * excess));
}

int cst_sliding_roots(const cst_local_reduction *w, const cst_sliding_load *load, double *alpha, int *iterations)
{
    /* h is monotone between these ends */
    double end[5];
    int ends = 0;
    double inflection = inflection_of_h(w, load), last = certain_bound(w, load);
    end[ends++] = 0.0;
    if (inflection > 0.0 && inflection < last) {
        if (slope_of_h(w, load, 0.0) > 0.0 && slope_of_h(w, load, inflection) < 0.0)
            end[ends++] = extremum_of_h(w, load, false, 0.0, inflection, iterations);
        end[ends++] = inflection;
    } else {
        inflection = 0.0;
    }
    if (slope_of_h(w, load, inflection) < 0.0)
        end[ends++] = extremum_of_h(w, load, true, inflection, last, iterations);
    end[ends++] = last;

    int roots = 0;
    cst_sliding_value left = cst_sliding_at(w, load, end[0]);
    for (int k = 1; k < ends; ++k) {
        cst_sliding_value right = cst_sliding_at(w, load, end[k]);
        if ((left.h < 0.0) != (right.h < 0.0))
            alpha[roots++] = cst_sliding_root(w, load, left.h < 0.0, end[k - 1], end[k], -1.0, iterations);
        else if (k < ends - 1 && fabs(right.h) <= 16.0 * right.rounding)
            alpha[roots++] = end[k]; /* a double root that rounding hides */
        left = right;
    }
    return roots;
}
