/* Sliding: r = r_N (1, mu e) with a unit vector e(theta), r_N = -b_N / den, den = w_N + mu w_NT . e > 0, and u_T = -alpha r_T,
 * alpha >= 0. The condition that u_T be parallel to e, times den, is smooth on the whole circle:
 *
 *     G(theta) = e x (-b_N (mu W_TT e + w_TN) + den b_T) = 0,
 *
 * a trigonometric polynomial of degree 2, so at most four roots. */
#include "tests/contact_oracle.h"

#include <float.h>
#include <math.h>

typedef long double real;

static real weight_of(const cst_contact_sample *c)
{
    real sum = 0;
    for (int k = 0; k < c->dim; ++k)
        sum += c->W[k * c->dim + k];
    return sum / c->dim;
}

static real speed_of(const cst_contact_sample *c)
{
    real sum = 0;
    for (int k = 0; k < c->dim; ++k)
        sum += (real)c->b[k] * c->b[k];
    return sqrtl(sum);
}

static void add(oracle *all, const cst_contact_sample *c, const real *r)
{
    if (all->count == ORACLE_ANSWERS_MAX)
        return;
    oracle_answer *answer = &all->answer[all->count++];
    real square = 0;
    for (int k = 0; k < c->dim; ++k) {
        answer->r[k] = (double)r[k];
        square += r[k] * r[k];
    }
    answer->magnitude = (double)(sqrtl(square) * weight_of(c) / speed_of(c));
    if (oracle_error_over_floor(c, answer->r) > 1.0)
        --all->count; /* lost its digits */
}

/* -------------------------------------------------------------------------------------------------------------- sticking */

/* W x = -b by Gaussian elimination with complete pivoting; false if a pivot vanishes against the largest. */
static bool stick(const cst_contact_sample *c, real *x)
{
    int dim = c->dim, place[3] = {0, 1, 2};
    real m[3][4], largest = 0;
    for (int i = 0; i < dim; ++i) {
        for (int j = 0; j < dim; ++j)
            m[i][j] = c->W[i * dim + j];
        m[i][3] = -(real)c->b[i];
    }
    for (int k = 0; k < dim; ++k) {
        int row = k, column = k;
        for (int i = k; i < dim; ++i) {
            for (int j = k; j < dim; ++j) {
                if (fabsl(m[i][j]) > fabsl(m[row][column])) {
                    row = i;
                    column = j;
                }
            }
        }
        largest = fmaxl(largest, fabsl(m[row][column]));
        if (!(fabsl(m[row][column]) > 8 * LDBL_EPSILON * largest))
            return false;
        for (int j = 0; j < 4; ++j) {
            real kept = m[k][j];
            m[k][j] = m[row][j];
            m[row][j] = kept;
        }
        for (int i = 0; i < dim; ++i) {
            real kept = m[i][k];
            m[i][k] = m[i][column];
            m[i][column] = kept;
        }
        int kept = place[k];
        place[k] = place[column];
        place[column] = kept;
        for (int i = 0; i < dim; ++i) {
            real factor = i != k ? m[i][k] / m[k][k] : 0;
            for (int j = k; j < dim; ++j)
                m[i][j] -= factor * m[k][j];
            m[i][3] -= factor * m[k][3];
        }
    }
    for (int k = 0; k < dim; ++k)
        x[place[k]] = m[k][3] / m[k][k];
    return true;
}

static bool in_cone(const cst_contact_sample *c, const real *x)
{
    real square = x[1] * x[1] + (c->dim == 3 ? x[2] * x[2] : 0);
    return x[0] >= 0 && sqrtl(square) <= c->mu * x[0];
}

int oracle_sticks_when_singular(const cst_contact_sample *c)
{
    const double *W = c->W, *b = c->b;
    int dim = c->dim, rank = 1;
    for (int i = 1; i < dim; ++i) {
        for (int j = 1; j < dim; ++j) {
            if (W[0] * W[i * dim + j] != W[i * dim] * W[j])
                rank = 2;
        }
    }
    if (rank == 1) { /* in the range of W: then r = (-b_N / w_N, 0) sticks */
        for (int i = 1; i < dim; ++i) {
            if (b[i] * W[0] != b[0] * W[i * dim])
                return 0;
        }
        return 1;
    }
    /* rank 2 in 3D: the null vector is the largest cross product of two rows, and b must be orthogonal to it */
    real n[3] = {0, 0, 0}, longest = 0;
    for (int k = 0; k < 3; ++k) {
        const double *p = W + 3 * k, *q = W + 3 * ((k + 1) % 3);
        real x[3] = {(real)p[1] * q[2] - (real)p[2] * q[1], (real)p[2] * q[0] - (real)p[0] * q[2],
                     (real)p[0] * q[1] - (real)p[1] * q[0]};
        real square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        if (square > longest) {
            longest = square;
            for (int j = 0; j < 3; ++j)
                n[j] = x[j];
        }
    }
    if (n[0] * b[0] + n[1] * b[1] + n[2] * b[2] != 0)
        return 0;
    /* W + n n^T is regular and gives the sticking impulse orthogonal to n; all others are a multiple of n away. The excess over
     * the cone is convex along that line: ternary search */
    cst_contact_sample regular = *c;
    real x[3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            regular.W[i * 3 + j] += (double)(n[i] * n[j]);
    }
    if (!stick(&regular, x))
        return -1;
    real low = -1e6L, high = 1e6L, least = INFINITY;
    for (int step = 0; step < 300; ++step) {
        real t[2] = {low + (high - low) / 3, high - (high - low) / 3}, excess[2];
        for (int k = 0; k < 2; ++k) {
            real y = x[1] + t[k] * n[1], z = x[2] + t[k] * n[2];
            excess[k] = sqrtl(y * y + z * z) - c->mu * (x[0] + t[k] * n[0]);
            least = fminl(least, excess[k]);
        }
        if (excess[0] < excess[1])
            high = t[1];
        else
            low = t[0];
    }
    return least < -1e-12L ? 1 : least > 1e-12L ? 0 : -1;
}

/* --------------------------------------------------------------------------------------------------------------- sliding */

static real G(const cst_contact_sample *c, real cosine, real sine)
{
    const double *W = c->W, *b = c->b;
    real den = W[0] + c->mu * (W[1] * cosine + W[2] * sine);
    real x = -b[0] * (c->mu * (W[4] * cosine + W[5] * sine) + W[3]) + den * b[1];
    real y = -b[0] * (c->mu * (W[7] * cosine + W[8] * sine) + W[6]) + den * b[2];
    return cosine * y - sine * x;
}

static real G_at(const cst_contact_sample *c, real theta)
{
    return G(c, cosl(theta), sinl(theta));
}

/* A double root may be there or not as rounding has it. Where den = 0, at the edge of existence, it would count as an answer
 * with a large r: is the change of sign there beyond rounding, and as close as den needs? */
static bool certain(const cst_contact_sample *c, real theta, real den)
{
    const double *W = c->W, *b = c->b;
    real coupling = c->mu * hypotl(W[1], W[2]);
    real width = fminl(1e-6L, 0.1L * den / (coupling + W[0]));
    real terms =
        fabsl(b[0]) * (c->mu * (fabsl(W[4]) + fabsl(W[8])) + hypotl(W[3], W[6])) + (W[0] + coupling) * hypotl(b[1], b[2]);
    real left = G_at(c, theta - width), right = G_at(c, theta + width);
    return (left < 0) != (right < 0) && fminl(fabsl(left), fabsl(right)) > 64 * LDBL_EPSILON * terms;
}

static void add_slide(oracle *all, const cst_contact_sample *c, real theta)
{
    real cosine = cosl(theta), sine = sinl(theta);
    real den = c->W[0] + c->mu * (c->W[1] * cosine + c->W[2] * sine);
    if (!(den > 0) || !certain(c, theta, den))
        return;
    real r[3] = {-c->b[0] / den, 0, 0};
    r[1] = c->mu * r[0] * cosine;
    r[2] = c->mu * r[0] * sine;
    real along = 0;
    for (int k = 1; k < 3; ++k) {
        real u = c->b[k];
        for (int l = 0; l < 3; ++l)
            u += c->W[k * 3 + l] * r[l];
        along += u * (k == 1 ? cosine : sine);
    }
    if (along <= 0)
        add(all, c, r);
}

static real root_between(const cst_contact_sample *c, real low, real high)
{
    bool negative = G_at(c, low) < 0;
    for (int step = 0; step < 70; ++step) {
        real middle = (low + high) / 2;
        if ((G_at(c, middle) < 0) == negative)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static void slides_in_3d(oracle *all, const cst_contact_sample *c)
{
    enum { POINTS = 4096 };
    static real cosine[POINTS], sine[POINTS];
    real turn = 2 * acosl(-1.0L) / POINTS;
    if (cosine[0] == 0) { /* once: they are most of the time */
        for (int k = 0; k < POINTS; ++k) {
            cosine[k] = cosl(k * turn);
            sine[k] = sinl(k * turn);
        }
    }
    real before = G(c, cosine[POINTS - 1], sine[POINTS - 1]), here = G(c, cosine[0], sine[0]);
    int dips = 0, crossings = 0;
    for (int k = 0; k < POINTS && crossings < 8; ++k) { /* more than four: G is zero but for rounding */
        int next = (k + 1) % POINTS;
        real theta = k * turn, after = G(c, cosine[next], sine[next]);
        if ((here < 0) != (after < 0)) {
            ++crossings;
            add_slide(all, c, root_between(c, theta, theta + turn));
        } else if (fabsl(here) < fabsl(before) && fabsl(here) <= fabsl(after) && (before < 0) == (here < 0) && dips < 8) {
            /* a dip towards zero: two roots may hide in it */
            ++dips;
            real low = theta - turn, high = theta + turn;
            for (int step = 0; step < 80; ++step) {
                real a = low + (high - low) / 3, b = high - (high - low) / 3;
                if (fabsl(G_at(c, a)) < fabsl(G_at(c, b)) && (G_at(c, a) < 0) == (here < 0))
                    high = b;
                else
                    low = a;
            }
            real bottom = (low + high) / 2;
            if ((G_at(c, bottom) < 0) != (here < 0)) {
                add_slide(all, c, root_between(c, theta - turn, bottom));
                add_slide(all, c, root_between(c, bottom, theta + turn));
            }
        }
        before = here;
        here = after;
    }
}

static void slides_in_2d(oracle *all, const cst_contact_sample *c)
{
    for (int s = -1; s <= 1; s += 2) {
        real den = c->W[0] + s * (real)c->mu * c->W[1];
        if (!(den > 0))
            continue;
        real r[3] = {-c->b[0] / den, 0, 0};
        r[1] = s * c->mu * r[0];
        if (s * (c->W[2] * r[0] + c->W[3] * r[1] + c->b[1]) <= 0)
            add(all, c, r);
    }
}

oracle oracle_all_answers(const cst_contact_sample *contact)
{
    oracle all = {.count = 0};
    real x[3];
    if (stick(contact, x) && in_cone(contact, x))
        add(&all, contact, x);
    if (contact->dim == 2)
        slides_in_2d(&all, contact);
    else
        slides_in_3d(&all, contact);
    return all;
}

double oracle_least_magnitude(const cst_contact_sample *contact)
{
    oracle all = oracle_all_answers(contact);
    double least = INFINITY;
    for (int k = 0; k < all.count; ++k)
        least = fmin(least, all.answer[k].magnitude);
    return least;
}

/* -------------------------------------------------------------------------------------------------------------- residual */

double oracle_magnitude(const cst_contact_sample *c, const double *r)
{
    real square = 0;
    for (int k = 0; k < c->dim; ++k)
        square += (real)r[k] * r[k];
    return (double)(sqrtl(square) * weight_of(c) / speed_of(c));
}

double oracle_error_over_floor(const cst_contact_sample *c, const double *r)
{
    real w = weight_of(c), V = speed_of(c), rr[3] = {0, 0, 0}, u[3] = {0, 0, 0};
    for (int k = 0; k < c->dim; ++k) {
        rr[k] = w * r[k] / V;
        u[k] = c->b[k] / V;
        for (int l = 0; l < c->dim; ++l)
            u[k] += (real)c->W[k * c->dim + l] * r[l] / V;
    }
    real normal = fmaxl(0, rr[0] - u[0]) - rr[0];
    real y1 = rr[1] - u[1], y2 = rr[2] - u[2], length = sqrtl(y1 * y1 + y2 * y2), radius = fmaxl(0, c->mu * rr[0]);
    real factor = length > radius ? radius / length : 1;
    real f1 = factor * y1 - rr[1], f2 = factor * y2 - rr[2];
    real error = sqrtl(normal * normal + f1 * f1 + f2 * f2);
    return (double)(error / (8 * DBL_EPSILON * (1 + oracle_magnitude(c, r)) * (1 + c->mu)));
}
