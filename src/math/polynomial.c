/* Finds positive roots of a polynomial by subdivision in Bernstein form. Symbols:
 *     `p(x)`: polynomial of degree n.
 *     `c_k`: coefficients of p.
 *     `t`: new variable, 0 to 1.
 *     `s`: scale.
 *     `b_k`: Bernstein coefficients.
 *
 * The positive numbers x are mapped to the interval (0, 1) of the variable t by x = s t / (1 - t). The scale s is the geometric
 * mean of the absolute values of the roots of the polynomial p, so that the roots lie around t = 1/2:
 *     `x = s*t/(1-t)`.
 *     `(1-t)^n*p(x) = sum_k b_k*C(n,k)*t^k*(1-t)^(n-k)`.
 *     `b_k = c_k*s^k/C(n,k)`.
 *
 * By Descartes' rule of signs, an interval has no root if the Bernstein coefficients on it have no sign change, and one root if
 * they have one sign change. An interval with several sign changes, or with one sign change and no finite end, is halved (de
 * Casteljau). */
#include "math/polynomial.h"

#include <math.h>
#include <string.h>

#include "base/sorted.h"

enum { DEPTH_MAX = 56, PIECES_MAX = 2000 };

double cst_polynomial_at(int degree, const double *c, double x)
{
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; --k)
        sum = sum * x + c[k];
    return sum;
}

static int sign_changes(int degree, const double *coefficient)
{
    int changes = 0, last = 0;
    for (int k = 0; k <= degree; ++k) {
        int sign = (coefficient[k] > 0.0) - (coefficient[k] < 0.0);
        if (sign != 0 && last != 0 && sign != last)
            ++changes;
        if (sign != 0)
            last = sign;
    }
    return changes;
}

/* Computes the Bernstein coefficients of a polynomial on the left half (in place) and on the right half of an interval. */
static void halve(int degree, double *left, double *right)
{
    double work[CST_POLYNOMIAL_DEGREE_MAX + 1];
    memcpy(work, left, (size_t)(degree + 1) * sizeof *work);
    for (int level = 0; level <= degree; ++level) {
        left[level] = work[0];
        right[degree - level] = work[degree - level];
        for (int k = 0; k < degree - level; ++k)
            work[k] = 0.5 * (work[k] + work[k + 1]);
    }
}

/* Returns the root of a polynomial between `low` and `high`, where it changes its sign, by bisection and secant steps. */
static double bracketed_root(int degree, const double *c, double low, double high)
{
    double at_low = cst_polynomial_at(degree, c, low), at_high = cst_polynomial_at(degree, c, high);
    double x = low;
    for (int step = 0; step < 200 && high - low > 4e-16 * high; ++step) {
        double secant = low - at_low * (high - low) / (at_high - at_low);
        x = step % 3 != 0 && secant > low && secant < high ? secant : 0.5 * (low + high);
        double at = cst_polynomial_at(degree, c, x);
        if (at == 0.0)
            return x;
        if ((at < 0.0) == (at_low < 0.0)) {
            low = x;
            at_low = at;
        } else {
            high = x;
            at_high = at;
        }
    }
    return x;
}

static int insert(double *root, int count, int limit, double x)
{
    return count == limit ? count : cst_sorted_insert(root, count, x);
}

int cst_polynomial_positive_roots(int degree, const double *c, double *root)
{
    int lowest = 0;
    while (degree > 0 && c[degree] == 0.0)
        --degree;
    while (lowest < degree && c[lowest] == 0.0)
        ++lowest;
    c += lowest;
    degree -= lowest;
    if (degree <= 0)
        return 0;

    double scale = pow(fabs(c[0] / c[degree]), 1.0 / degree);
    scale = fmin(fmax(scale, 1e-12), 1e12);
    struct piece {
        double low, high; /* ends of the interval: multiples of 2^-depth, so that 1 - low and 1 - high have no rounding error */
        int depth;
        double coefficient[CST_POLYNOMIAL_DEGREE_MAX + 1];
    } stack[DEPTH_MAX + 2];
    stack[0] = (struct piece){.low = 0.0, .high = 1.0};
    double power = 1.0, binomial = 1.0;
    for (int k = 0; k <= degree; ++k) {
        stack[0].coefficient[k] = c[k] * power / binomial;
        power *= scale;
        binomial *= (double)(degree - k) / (k + 1);
    }
    int pieces = 1, roots = 0;
    for (int seen = 0; pieces > 0 && seen < PIECES_MAX; ++seen) {
        /* the limit PIECES_MAX ends the loop even if the coefficients are not finite */
        struct piece *piece = &stack[--pieces];
        int changes = sign_changes(degree, piece->coefficient);
        if (changes == 0)
            continue;
        double low = scale * piece->low / (1.0 - piece->low);
        double high = piece->high < 1.0 ? scale * piece->high / (1.0 - piece->high) : INFINITY;
        if (changes == 1 && high < INFINITY) {
            roots = insert(root, roots, degree, bracketed_root(degree, c, low, high));
        } else if (piece->depth == DEPTH_MAX) { /* roots too close to be separated */
            roots = insert(root, roots, degree, low);
        } else {
            struct piece left = *piece, right = *piece;
            double middle = 0.5 * (piece->low + piece->high);
            halve(degree, left.coefficient, right.coefficient);
            left.high = right.low = middle;
            left.depth = right.depth = piece->depth + 1;
            stack[pieces++] = right;
            stack[pieces++] = left;
            if (left.coefficient[degree] == 0.0) /* the middle is a root */
                roots = insert(root, roots, degree, scale * middle / (1.0 - middle));
        }
    }
    return roots;
}
