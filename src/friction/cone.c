/* Residual functions of the Coulomb law, and their Jacobians. Symbols (N: normal, T: tangential):
 *     `r`: impulse of the contact.
 *     `u`: velocity of the contact.
 *     `v = u+mu*|u_T|*e_N` (De Saxce).
 *     `P_K`: projection on the friction cone.
 *     `P_D`: projection on the disc of radius `max(0,mu*r_N)`, with the normal impulse `r_N`.
 *
 * Natural map:
 *
 *     `f = r - P_K(r-v)`.
 *
 * Alart-Curnier function (Bertails-Descoubes et al. 2011, section 4.3 and appendix B, with corrections):
 *
 *     `f_N = max(0, r_N-u_N) - r_N`.
 *     `f_T = P_D(r_T-u_T) - r_T`.
 *
 * Fischer-Burmeister function (Daviet et al. 2011, section 3 and appendix A), with squares and square roots of the Jordan
 * product:
 *
 *     `x = (mu*r_N,r_T)`. `y = (v_N,mu*v_T)`.
 *     `s = sqrt(x^2+y^2)` (Jordan squares).
 *     `f = x+y - s`.
 *
 * The Jordan product of two vectors of the second-order cone, and the matrix of the product with a vector v, are:
 *
 *     `x o y = (x.y, x_N*y_T+y_N*x_T)`.
 *     `L_v = [v_N, v_T^T; v_T, v_N*I]`.
 *
 * The Jacobian of the Fischer-Burmeister function with respect to its first argument x is:
 *
 *     `I - L_s^-1*L_x`.
 *
 * Appendix A of Daviet et al. 2011 has the square of the root s in place of s in the Jacobian, which is a misprint. */
#include "friction/cone.h"

#include <math.h>
#include <string.h>

/* Returns the length of the tangential part of the vector x, without a check for overflow, because impulses and velocities are
 * scaled. */
static double tangential_norm(int dim, const double *x)
{
    return dim == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

void cst_cone_project(int dim, double mu, const double *x, double *p)
{
    double t = tangential_norm(dim, x);
    double normal = x[0], factor = 1.0;
    if (normal < 0.0 || t > mu * normal) { /* the first test is for mu=0 */
        if (mu * t <= -normal) {
            normal = 0.0;
            factor = 0.0;
        } else {
            normal = (normal + mu * t) / (1.0 + mu * mu);
            factor = mu * normal / t;
        }
    }
    p[0] = normal;
    for (int k = 1; k < dim; ++k)
        p[k] = factor * x[k];
}

void cst_de_saxce(int dim, double mu, const double *u, double *v)
{
    v[0] = u[0] + mu * tangential_norm(dim, u);
    for (int k = 1; k < dim; ++k)
        v[k] = u[k];
}

void cst_natural_map(int dim, double mu, const double *r, const double *u, double *f)
{
    double v[3] = {0.0, 0.0, 0.0}, p[3] = {0.0, 0.0, 0.0};
    cst_de_saxce(dim, mu, u, v);
    for (int k = 0; k < dim; ++k)
        p[k] = r[k] - v[k];
    cst_cone_project(dim, mu, p, p);
    for (int k = 0; k < dim; ++k)
        f[k] = r[k] - p[k];
}

/* ---------------------------------------------------------------------------------------------------------- Alart-Curnier */

void cst_alart_curnier(int dim, double mu, const double *r, const double *u, double *f)
{
    /* computes f_N as -min(r_N, u_N), which equals max(0, r_N - u_N) - r_N but has no cancellation (r_N, u_N: normal impulse and
     * velocity); a NaN is passed on */
    double difference = r[0] - u[0];
    f[0] = difference > 0.0 ? -u[0] : difference <= 0.0 ? -r[0] : difference;
    double radius = mu * r[0] > 0.0 ? mu * r[0] : 0.0;
    double y[3] = {0.0, 0.0, 0.0};
    for (int k = 1; k < dim; ++k)
        y[k] = r[k] - u[k];
    double length = tangential_norm(dim, y);
    if (length <= radius) {
        for (int k = 1; k < dim; ++k)
            f[k] = -u[k];
    } else {
        double c = radius / length;
        for (int k = 1; k < dim; ++k)
            f[k] = c * y[k] - r[k];
    }
}

void cst_alart_curnier_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u)
{
    cst_alart_curnier(dim, mu, r, u, f);
    memset(f_r, 0, (size_t)(dim * dim) * sizeof *f_r);
    memset(f_u, 0, (size_t)(dim * dim) * sizeof *f_u);
    if (r[0] > u[0])
        f_u[0] = -1.0;
    else
        f_r[0] = -1.0;

    double radius = mu * r[0];
    double y[3] = {0.0, 0.0, 0.0};
    for (int k = 1; k < dim; ++k)
        y[k] = r[k] - u[k];
    double length = tangential_norm(dim, y);
    if (radius <= 0.0) { /* radius 0: f_T = -r_T */
        for (int k = 1; k < dim; ++k)
            f_r[k * dim + k] = -1.0;
    } else if (length <= radius) { /* inside the disc: f_T = -u_T */
        for (int k = 1; k < dim; ++k)
            f_u[k * dim + k] = -1.0;
    } else { /* outside the disc */
        double c = radius / length;
        for (int k = 1; k < dim; ++k) {
            double n_k = y[k] / length;
            f_r[k * dim] = mu * n_k;
            for (int l = 1; l < dim; ++l) {
                double identity = k == l ? 1.0 : 0.0;
                double p = c * (identity - n_k * (y[l] / length));
                f_u[k * dim + l] = -p;
                f_r[k * dim + l] = p - identity;
            }
        }
    }
}

/* ----------------------------------------------------------------------------------------------------- Fischer-Burmeister */

/* A square root s in the Jordan algebra of the second-order cone, with the eigenvalues s1 and s2:
 *
 *     `s = s1*(1,-w)/2+s2*(1,w)/2`. */
typedef struct spectral_root {
    double s1, s2; /* 0 <= s1 <= s2 */
    double w[3];   /* unit tangential direction; w[0] unused */
} spectral_root;

static spectral_root jordan_root(int dim, const double *x, const double *y)
{
    spectral_root root = {.w = {0.0, 1.0, 0.0}}; /* kept if a = 0 */
    double a[3] = {0.0, 0.0, 0.0};
    for (int k = 1; k < dim; ++k)
        a[k] = x[0] * x[k] + y[0] * y[k];
    double length = tangential_norm(dim, a);
    double lambda1 = 0.0, lambda2 = 0.0;
    if (length > 0.0) {
        /* sums of squares give the eigenvalues of x^2 + y^2 without cancellation; the usual formula loses all digits on the
         * boundary of the cone */
        for (int k = 1; k < dim; ++k) {
            double w = a[k] / length;
            root.w[k] = w;
            lambda1 += (x[0] * w - x[k]) * (x[0] * w - x[k]) + (y[0] * w - y[k]) * (y[0] * w - y[k]);
            lambda2 += (x[0] * w + x[k]) * (x[0] * w + x[k]) + (y[0] * w + y[k]) * (y[0] * w + y[k]);
        }
    } else {
        for (int k = 0; k < dim; ++k)
            lambda1 += x[k] * x[k] + y[k] * y[k];
        lambda2 = lambda1;
    }
    root.s1 = sqrt(lambda1);
    root.s2 = sqrt(lambda2);
    return root;
}

static void fischer_burmeister_of_root(int dim, const double *x, const double *y, const spectral_root *root, double *f)
{
    f[0] = x[0] + y[0] - 0.5 * (root->s1 + root->s2);
    for (int k = 1; k < dim; ++k)
        f[k] = x[k] + y[k] - 0.5 * (root->s2 - root->s1) * root->w[k];
}

/* Inverts the matrix of the Jordan product with `root`, whose eigenvalues are s1, s2 and, in 3D, (s1 + s2) / 2. */
static void inverse_jordan_multiplication(int dim, const spectral_root *root, double *inverse)
{
    double i1 = 0.5 / root->s1, i2 = 0.5 / root->s2, rest = 2.0 / (root->s1 + root->s2);
    inverse[0] = i1 + i2;
    for (int k = 1; k < dim; ++k) {
        inverse[k] = inverse[k * dim] = (i2 - i1) * root->w[k];
        for (int l = 1; l < dim; ++l) {
            double ww = root->w[k] * root->w[l];
            inverse[k * dim + l] = (i1 + i2) * ww + rest * ((k == l ? 1.0 : 0.0) - ww);
        }
    }
}

/* jacobian = I - inverse L_v */
static void identity_minus_product(int dim, const double *inverse, const double *v, double *jacobian)
{
    for (int k = 0; k < dim; ++k) {
        const double *row = inverse + k * dim;
        double first = row[0] * v[0];
        for (int l = 1; l < dim; ++l)
            first += row[l] * v[l];
        jacobian[k * dim] = (k == 0 ? 1.0 : 0.0) - first;
        for (int l = 1; l < dim; ++l)
            jacobian[k * dim + l] = (k == l ? 1.0 : 0.0) - (row[0] * v[l] + row[l] * v[0]);
    }
}

/* Computes the Fischer-Burmeister function of the vectors x and y, and elements of its generalised Jacobians. */
static void fischer_burmeister_of_hats(int dim, const double *x, const double *y, double *f, double *f_x, double *f_y)
{
    spectral_root root = jordan_root(dim, x, y);
    fischer_burmeister_of_root(dim, x, y, &root, f);
    if (root.s1 > 1e-13 * root.s2) {
        double inverse[9];
        inverse_jordan_multiplication(dim, &root, inverse);
        identity_minus_product(dim, inverse, x, f_x);
        identity_minus_product(dim, inverse, y, f_y);
        return;
    }
    /* The root s of x^2 + y^2 (Jordan squares) has a zero eigenvalue if the vectors x and y lie on one ray of the boundary of
     * the cone, or are zero. If the root s has a zero eigenvalue, the Jacobians of the Fischer-Burmeister function are set to
     * multiples of the identity; these are limits of the Jacobians for positive eigenvalues of s. */
    double h = sqrt(x[0] * x[0] + y[0] * y[0]);
    double d_x = root.s2 > 0.0 ? 1.0 - x[0] / h : 1.0 - sqrt(0.5);
    double d_y = root.s2 > 0.0 ? 1.0 - y[0] / h : 1.0 - sqrt(0.5);
    for (int k = 0; k < dim; ++k) {
        for (int l = 0; l < dim; ++l) {
            f_x[k * dim + l] = k == l ? d_x : 0.0;
            f_y[k * dim + l] = k == l ? d_y : 0.0;
        }
    }
}

static void hats(int dim, double mu, const double *r, const double *u, double *x, double *y)
{
    x[0] = mu * r[0];
    y[0] = u[0] + mu * tangential_norm(dim, u);
    for (int k = 1; k < dim; ++k) {
        x[k] = r[k];
        y[k] = mu * u[k];
    }
}

void cst_fischer_burmeister(int dim, double mu, const double *r, const double *u, double *f)
{
    if (mu == 0.0) {
        f[0] = r[0] + u[0] - sqrt(r[0] * r[0] + u[0] * u[0]);
        for (int k = 1; k < dim; ++k)
            f[k] = r[k];
        return;
    }
    double x[3], y[3];
    hats(dim, mu, r, u, x, y);
    spectral_root root = jordan_root(dim, x, y);
    fischer_burmeister_of_root(dim, x, y, &root, f);
}

void cst_fischer_burmeister_jacobian(int dim, double mu, const double *r, const double *u, double *f, double *f_r, double *f_u)
{
    if (mu == 0.0) {
        cst_fischer_burmeister(dim, mu, r, u, f);
        memset(f_r, 0, (size_t)(dim * dim) * sizeof *f_r);
        memset(f_u, 0, (size_t)(dim * dim) * sizeof *f_u);
        double h = sqrt(r[0] * r[0] + u[0] * u[0]);
        f_r[0] = h > 0.0 ? 1.0 - r[0] / h : 1.0 - sqrt(0.5);
        f_u[0] = h > 0.0 ? 1.0 - u[0] / h : 1.0 - sqrt(0.5);
        for (int k = 1; k < dim; ++k)
            f_r[k * dim + k] = 1.0;
        return;
    }
    double x[3], y[3], f_x[9], f_y[9];
    hats(dim, mu, r, u, x, y);
    fischer_burmeister_of_hats(dim, x, y, f, f_x, f_y);
    /* chain rule:
     *     `f_r = f_x diag(mu, 1, ...)`.
     *     `f_u = f_y*diag(1,mu,...)*(I+mu*e_N*(0,u_T/|u_T|)^T)`. */
    double t = tangential_norm(dim, u);
    for (int k = 0; k < dim; ++k) {
        f_r[k * dim] = mu * f_x[k * dim];
        f_u[k * dim] = f_y[k * dim];
        for (int l = 1; l < dim; ++l) {
            double direction = t > 0.0 ? u[l] / t : 0.0;
            f_r[k * dim + l] = f_x[k * dim + l];
            f_u[k * dim + l] = mu * (f_y[k * dim + l] + f_y[k * dim] * direction);
        }
    }
}
