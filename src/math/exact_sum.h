/* A sum of numbers and products with nearly twice the precision of a double (Ogita, Rump and Oishi 2005, algorithm Dot2). The
 * rounding error of every addition and of every product is computed and summed separately.
 *
 * The error of the result is about 2^-53 times the result plus n^2 2^-106 times the sum of the absolute values of its n terms.
 * The code must be compiled without contraction of products and sums (-ffp-contract=off). */
#ifndef CST_MATH_EXACT_SUM_H
#define CST_MATH_EXACT_SUM_H

typedef struct cst_exact_sum {
    double sum;  /* the sum, rounded after each term */
    double rest; /* sum of all rounding errors */
} cst_exact_sum;

static inline void cst_exact_add(cst_exact_sum *to, double x)
{
    const double sum = to->sum + x, part = sum - to->sum;
    to->rest += (to->sum - (sum - part)) + (x - part);
    to->sum = sum;
}

/* Splits a number x into two numbers of at most 26 bits each, whose products have no rounding error; |x| must be below 2^996. */
static inline void cst_exact_split(double x, double *high, double *low)
{
    const double scaled = 134217729.0 * x; /* 2^27 + 1 */
    *high = scaled - (scaled - x);
    *low = x - *high;
}

static inline void cst_exact_add_product(cst_exact_sum *to, double a, double b)
{
    double a_high, a_low, b_high, b_low;
    const double product = a * b;
    cst_exact_split(a, &a_high, &a_low);
    cst_exact_split(b, &b_high, &b_low);
    cst_exact_add(to, product);
    to->rest += a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

static inline double cst_exact_value(const cst_exact_sum *of)
{
    return of->sum + of->rest;
}

#endif
