/* Random single contacts. |W| ranges over 8 decades and |b| over 6; mu is log-uniform in [0.01, 10] unless the family says
 * otherwise. */
#include "generate/contact.h"

#include <math.h>
#include <string.h>

const char *cst_contact_family_name(cst_contact_family family)
{
    static const char *const names[CST_CONTACT_FAMILY_COUNT] = {
        "gram",        "condition-1e1", "condition-1e4", "condition-1e8", "condition-1e12",      "known-slide",
        "known-stick", "on-cone",       "grazing",       "diagonal",      "isotropic",           "aligned",
        "rough",       "slippery",      "skew",          "singular",      "singular-consistent", "singular-whole"};
    return (unsigned)family < CST_CONTACT_FAMILY_COUNT ? names[family] : "unknown";
}

static void gram(cst_contact_sample *out, int columns, cst_rng *rng)
{
    double H[3][8];
    for (int i = 0; i < out->dim; ++i) {
        for (int k = 0; k < columns; ++k)
            H[i][k] = cst_rng_normal(rng);
    }
    for (int i = 0; i < out->dim; ++i) {
        for (int j = 0; j < out->dim; ++j) {
            double sum = 0.0;
            for (int k = 0; k < columns; ++k)
                sum += H[i][k] * H[j][k];
            out->W[i * out->dim + j] = sum;
        }
    }
}

/* Rows of a random rotation, by Gram-Schmidt. */
static void random_rotation(int dim, cst_rng *rng, double Q[3][3])
{
    for (int i = 0; i < dim; ++i) {
        double length = 0.0;
        while (length < 0.1) { /* again if nearly in the span of the rows before */
            cst_rng_direction(rng, dim, Q[i]);
            for (int j = 0; j < i; ++j) {
                double along = 0.0;
                for (int k = 0; k < dim; ++k)
                    along += Q[i][k] * Q[j][k];
                for (int k = 0; k < dim; ++k)
                    Q[i][k] -= along * Q[j][k];
            }
            length = 0.0;
            for (int k = 0; k < dim; ++k)
                length += Q[i][k] * Q[i][k];
            length = sqrt(length);
        }
        for (int k = 0; k < dim; ++k)
            Q[i][k] /= length;
    }
}

static void with_condition(cst_contact_sample *out, double condition, cst_rng *rng)
{
    double Q[3][3], eigenvalue[3] = {1.0, 1.0 / condition, cst_rng_log_range(rng, 1.0 / condition, 1.0)};
    random_rotation(out->dim, rng, Q);
    for (int i = 0; i < out->dim; ++i) {
        for (int j = 0; j < out->dim; ++j) {
            double sum = 0.0;
            for (int k = 0; k < out->dim; ++k)
                sum += eigenvalue[k] * Q[k][i] * Q[k][j];
            out->W[i * out->dim + j] = sum;
        }
    }
}

static double random_condition(cst_rng *rng)
{
    return cst_rng_log_range(rng, 1.0, 1e12);
}

static void random_b(cst_contact_sample *out, cst_rng *rng)
{
    for (int k = 0; k < out->dim; ++k)
        out->b[k] = cst_rng_normal(rng);
    out->b[0] = -fabs(out->b[0]);
}

/* b = u - W r for an impulse r at `fill` times the radius of the cone and u_T = -alpha r_T. */
static void known_answer(cst_contact_sample *out, double fill, double alpha, cst_rng *rng)
{
    int dim = out->dim;
    double direction[3] = {0.0, 1.0, 0.0};
    if (dim == 2)
        direction[1] = cst_rng_integer(rng, 2) ? 1.0 : -1.0;
    else
        cst_rng_direction(rng, 2, direction + 1);
    out->known = true;
    out->r[0] = cst_rng_log_range(rng, 0.1, 10.0);
    for (int k = 1; k < dim; ++k)
        out->r[k] = fill * out->mu * out->r[0] * direction[k];
    for (int k = 0; k < dim; ++k) {
        double sum = 0.0;
        for (int l = 0; l < dim; ++l)
            sum += out->W[k * dim + l] * out->r[l];
        out->b[k] = (k > 0 ? -alpha * out->r[k] : 0.0) - sum;
    }
}

/* W diagonal, or with one tangential value. */
static void diagonal(cst_contact_sample *out, bool isotropic, cst_rng *rng)
{
    memset(out->W, 0, sizeof out->W);
    for (int k = 0; k < out->dim; ++k)
        out->W[k * out->dim + k] = cst_rng_log_range(rng, 0.01, 1.0);
    if (isotropic && out->dim == 3)
        out->W[8] = out->W[4];
}

/* b = b_N (1, w_TN / w_N): then btilde is zero to rounding; or b_T along a tangential axis that is an eigenvector of Wbar. */
static void aligned(cst_contact_sample *out, cst_rng *rng)
{
    int dim = out->dim;
    random_b(out, rng);
    if (cst_rng_integer(rng, 2)) {
        with_condition(out, cst_rng_log_range(rng, 1.0, 1e4), rng);
        for (int k = 1; k < dim; ++k)
            out->b[k] = out->b[0] * out->W[k * dim] / out->W[0];
        return;
    }
    diagonal(out, false, rng);
    out->W[1] = out->W[dim] = cst_rng_range(rng, -0.9, 0.9) * sqrt(out->W[0] * out->W[dim + 1]);
    if (dim == 3)
        out->b[1 + cst_rng_integer(rng, 2)] = 0.0;
}

static void singular_whole(cst_contact_sample *out, cst_rng *rng)
{
    int dim = out->dim, columns = 1 + cst_rng_integer(rng, dim - 1);
    double H[3][2];
    do {
        for (int i = 0; i < dim; ++i) {
            for (int k = 0; k < columns; ++k)
                H[i][k] = cst_rng_integer(rng, 7) - 3;
        }
        for (int i = 0; i < dim; ++i) {
            for (int j = 0; j < dim; ++j) {
                double sum = 0.0;
                for (int k = 0; k < columns; ++k)
                    sum += H[i][k] * H[j][k];
                out->W[i * dim + j] = sum;
            }
        }
    } while (out->W[0] == 0.0);
    for (int k = 0; k < dim; ++k)
        out->b[k] = cst_rng_integer(rng, 11) - 5;
    out->b[0] = -1.0 - cst_rng_integer(rng, 5);
    if (cst_rng_integer(rng, 2)) { /* in the range of W */
        double x[2] = {cst_rng_integer(rng, 5) - 2, cst_rng_integer(rng, 5) - 2};
        for (int i = 0; i < dim; ++i) {
            double sum = 0.0;
            for (int k = 0; k < columns; ++k)
                sum += H[i][k] * x[k];
            out->b[i] = sum;
        }
        if (out->b[0] >= 0.0) {
            for (int i = 0; i < dim; ++i)
                out->b[i] = -out->b[i];
        }
        if (out->b[0] == 0.0)
            out->b[0] = -1.0;
    }
    out->mu = 0.25 * (1 + cst_rng_integer(rng, 8));
}

static void antisymmetric_part(cst_contact_sample *out, cst_rng *rng)
{
    int dim = out->dim;
    double size = cst_rng_log_range(rng, 1e-16, 1.0);
    for (int i = 0; i < dim; ++i) {
        for (int j = 0; j < i; ++j) {
            double skew = size * cst_rng_normal(rng) * sqrt(out->W[i * dim + i] * out->W[j * dim + j]);
            out->W[i * dim + j] += skew;
            out->W[j * dim + i] -= skew;
        }
    }
}

static void scale(cst_contact_sample *out, cst_rng *rng)
{
    double w = cst_rng_log_range(rng, 1e-4, 1e4), b = cst_rng_log_range(rng, 1e-3, 1e3);
    for (int k = 0; k < out->dim * out->dim; ++k)
        out->W[k] *= w;
    for (int k = 0; k < out->dim; ++k) {
        out->b[k] *= b;
        out->r[k] *= b / w;
    }
}

void cst_generate_contact(cst_contact_family family, int dim, cst_rng *rng, cst_contact_sample *out)
{
    *out = (cst_contact_sample){.dim = dim, .definite = true};
    out->mu = cst_rng_log_range(rng, 0.01, 10.0);
    switch (family) {
    case CST_CONTACT_GRAM:
    case CST_CONTACT_GRAZING:
        gram(out, 4 + cst_rng_integer(rng, 5), rng);
        random_b(out, rng);
        if (family == CST_CONTACT_GRAZING)
            out->b[0] = -cst_rng_log_range(rng, 1e-16, 1e-6);
        break;
    case CST_CONTACT_CONDITION_1E1:
        with_condition(out, 1e1, rng);
        random_b(out, rng);
        break;
    case CST_CONTACT_CONDITION_1E4:
        with_condition(out, 1e4, rng);
        random_b(out, rng);
        break;
    case CST_CONTACT_CONDITION_1E8:
        with_condition(out, 1e8, rng);
        random_b(out, rng);
        break;
    case CST_CONTACT_CONDITION_1E12:
        with_condition(out, 1e12, rng);
        random_b(out, rng);
        break;
    case CST_CONTACT_KNOWN_SLIDE:
        with_condition(out, random_condition(rng), rng);
        known_answer(out, 1.0, cst_rng_log_range(rng, 1e-4, 1e2), rng);
        break;
    case CST_CONTACT_KNOWN_STICK:
        with_condition(out, random_condition(rng), rng);
        known_answer(out, cst_rng_uniform(rng), 0.0, rng);
        break;
    case CST_CONTACT_ON_CONE:
        with_condition(out, random_condition(rng), rng);
        known_answer(out, 1.0, 0.0, rng);
        break;
    case CST_CONTACT_DIAGONAL:
    case CST_CONTACT_ISOTROPIC:
        diagonal(out, family == CST_CONTACT_ISOTROPIC, rng);
        random_b(out, rng);
        break;
    case CST_CONTACT_ALIGNED:
        aligned(out, rng);
        break;
    case CST_CONTACT_ROUGH:
    case CST_CONTACT_SLIPPERY:
        with_condition(out, cst_rng_log_range(rng, 1.0, 1e8), rng);
        random_b(out, rng);
        out->mu = family == CST_CONTACT_ROUGH ? cst_rng_log_range(rng, 10.0, 1e3) : cst_rng_log_range(rng, 1e-8, 0.01);
        break;
    case CST_CONTACT_SKEW:
        with_condition(out, cst_rng_log_range(rng, 1.0, 1e8), rng);
        antisymmetric_part(out, rng);
        random_b(out, rng);
        break;
    case CST_CONTACT_SINGULAR:
    case CST_CONTACT_SINGULAR_CONSISTENT:
        out->definite = false;
        gram(out, 1 + cst_rng_integer(rng, dim - 1), rng);
        if (family == CST_CONTACT_SINGULAR)
            random_b(out, rng);
        else
            known_answer(out, cst_rng_uniform(rng), 0.0, rng);
        break;
    case CST_CONTACT_SINGULAR_WHOLE:
        out->definite = false;
        singular_whole(out, rng);
        return; /* scaling would round */
    case CST_CONTACT_FAMILY_COUNT:
        break;
    }
    scale(out, rng);
}
