/* Reduces the problem of a sliding contact in 3D to one equation with one unknown, the ratio alpha of tangential speed to
 * tangential impulse. Symbols (N: normal, T: tangential):
 *     `W = [w_N,w_NT;w_TN,W_TT]`: contact's matrix, not necessarily symmetric.
 *     `b`: velocity without the impulse.
 *     `r`: impulse.
 *     `u = W*r+b`: velocity.
 *     `alpha = |u_T|/|r_T|`: unknown.
 *     `Wbar = W_TT-w_TN*w_NT/w_N`: reduced matrix.
 *     `btilde = b_T-(b_N/w_N)*w_TN`: reduced load.
 *     `c = -b_N/w_N`: impulse without friction.
 *     `row = w_NT/w_N`.
 *
 * A sliding contact has no normal velocity, a tangential velocity opposite to its tangential impulse, and an impulse on the
 * surface of the friction cone:
 *
 *     `u_N = 0`.
 *     `u_T = -alpha*r_T`.
 *     `|r_T| = mu*r_N`.
 *
 * The conditions u_N = 0 and u_T = -alpha r_T give the impulse r as a function of alpha:
 *
 *     `q = det(Wbar+alpha*I)`.
 *     `v = adj(Wbar+alpha*I)*btilde`.
 *     `q*r_T = -v`.
 *     `q*r_N = c*q+row.v`.
 *
 * The secular function h is the cone condition |r_T| = mu r_N, multiplied by the determinant q:
 *
 *     `h(alpha) = mu*q*r_N-|v| = q*(mu*r_N-|r_T|)`.
 *
 * Sliding solutions are the roots of the secular function h; the contact can stick if and only if h(0) >= 0. If the contact
 * approaches (b_N < 0) and its matrix W is positive definite, the secular function h grows like alpha^2 for large alpha. A
 * secular function h that is negative at alpha = 0 and grows like alpha^2 has a positive root, at which the contact slides. The
 * secular function h is concave up to one inflection point and convex beyond it, so it has at most three roots
 * (cst_sliding_roots).
 *
 * In the basis of the eigenvectors of (Wbar + Wbar^T)/2, the reduced matrix Wbar is [lambda1 kappa; -kappa lambda2].
 *
 * As in trust-region methods, Newton's method is applied to a nearly linear function of alpha: mu r_N / |r_T| - 1 (r_N: normal
 * impulse, r_T: tangential impulse). Unlike the equations of Daviet et al. 2011, appendix B, the secular function h contains no
 * division by the normal velocity b_N. */
#ifndef CST_FRICTION_LOCAL_SECULAR_H
#define CST_FRICTION_LOCAL_SECULAR_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Quantities that depend only on the contact's matrix W and its friction coefficient. */
typedef struct cst_local_reduction {
    double mu;
    double inverse_normal;   /* 1 / w_N */
    double lambda1, lambda2; /* eigenvalues of the symmetric part of the reduced matrix Wbar, 0 < lambda1 <= lambda2 */
    double kappa;            /* antisymmetric part of the reduced matrix Wbar */
    double cosine, sine;     /* first eigenvector, in the tangent frame */
    double row1, row2;       /* w_NT / w_N in the eigenbasis */
    double column1, column2; /* w_TN / w_N in the eigenbasis */
} cst_local_reduction;

/* CST_SINGULAR_BAND: bound of the rounding error of an eigenvalue of the reduced matrix Wbar, relative to trace(W)/dim. If an
 * eigenvalue of the symmetric part of Wbar is below -2 CST_SINGULAR_BAND trace(W)/dim, the contact's matrix W counts as
 * indefinite; between this bound and CST_SINGULAR_BAND trace(W)/dim, the eigenvalue counts as zero. */
#define CST_SINGULAR_BAND (8.0 * DBL_EPSILON)

typedef enum cst_definiteness {
    CST_POSITIVE_DEFINITE,
    /* the smaller eigenvalue of the symmetric part of the reduced matrix Wbar and kappa are zero up to rounding; lambda1 is then
     * a tiny positive number */
    CST_POSITIVE_SINGULAR,
    /* the contact's matrix W counts as indefinite; the struct cst_local_reduction must not be used */
    CST_INDEFINITE
} cst_definiteness;

cst_definiteness cst_local_reduce(const double W[9], double mu, cst_local_reduction *out);

/* Returns true if the normal impulse r_N should be computed from the cone condition, not from the normal row of u = W r + b
 * (cst_sliding_impulse). An error e of the normal impulse r_N changes the contact velocity by e times the normal column of the
 * contact's matrix W. An error e of r_N changes the residual mu r_N - |r_T| of the cone condition by mu e. The cone condition is
 * used if the normal column of W is shorter than mu trace(W)/3, because an error of the normal impulse then has little effect on
 * the contact velocity. */
static inline bool cst_local_prefers_cone(const double W[9], double mu)
{
    return sqrt(W[0] * W[0] + W[3] * W[3] + W[6] * W[6]) < mu * (W[0] + W[4] + W[8]) / 3.0;
}

/* Quantities of a sliding contact that depend on b, its velocity for zero impulse. */
typedef struct cst_sliding_load {
    double c;      /* normal impulse without friction, > 0 */
    double b1, b2; /* reduced load btilde in the eigenbasis */
} cst_sliding_load;

/* The secular function h at one alpha, and the quantities from which it is computed. */
typedef struct cst_sliding_value {
    double q, v1, v2;
    double normal;     /* q r_N */
    double tangential; /* q |r_T| */
    double h;
    double rounding; /* rounding error of h */
    /* next iterate of Newton's method for alpha; not finite if the field `slope` is zero */
    double newton;
    /* derivative of the ratio mu r_N / |r_T| (normal impulse r_N, tangential impulse r_T) by alpha, times a positive factor */
    double slope;
} cst_sliding_value;

static inline cst_sliding_load cst_sliding_load_of(const cst_local_reduction *w, const double b[3])
{
    return (cst_sliding_load){.c = -b[0] * w->inverse_normal,
                              .b1 = w->cosine * b[1] + w->sine * b[2] - b[0] * w->column1,
                              .b2 = w->cosine * b[2] - w->sine * b[1] - b[0] * w->column2};
}

static inline cst_sliding_value cst_sliding_at(const cst_local_reduction *w, const cst_sliding_load *load, double alpha)
{
    cst_sliding_value at;
    double d1 = w->lambda1 + alpha, d2 = w->lambda2 + alpha;
    at.v1 = d2 * load->b1 - w->kappa * load->b2;
    at.v2 = d1 * load->b2 + w->kappa * load->b1;
    at.q = d1 * d2 + w->kappa * w->kappa;
    double n0 = load->c * at.q, n1 = w->row1 * at.v1, n2 = w->row2 * at.v2;
    double square = at.v1 * at.v1 + at.v2 * at.v2;
    at.normal = n0 + n1 + n2;
    at.tangential = sqrt(square);
    at.h = w->mu * at.normal - at.tangential;
    at.rounding = 4.0 * DBL_EPSILON * (w->mu * (fabs(n0) + fabs(n1) + fabs(n2)) + at.tangential);
    double normal_slope = load->c * (d1 + d2) + w->row1 * load->b1 + w->row2 * load->b2;
    double half_square_slope = at.v1 * load->b1 + at.v2 * load->b2;
    at.slope = w->mu * (normal_slope * square - at.normal * half_square_slope);
    at.newton = alpha - at.h * square / at.slope;
    return at;
}

/* Returns a guess of the ratio alpha of tangential speed to tangential impulse, for a contact without a warm start. The guess of
 * alpha is exact if the reduced matrix Wbar is isotropic. The guess of alpha is zero or negative if the contact nearly sticks. */
static inline double cst_sliding_guess(const cst_local_reduction *w, const cst_sliding_load *load)
{
    double s1 = load->b1 * load->b1, s2 = load->b2 * load->b2;
    double square = s1 + s2;
    double coupling = w->row1 * load->b1 + w->row2 * load->b2;
    return (sqrt(square) - w->mu * coupling) / (w->mu * load->c) - (w->lambda1 * s1 + w->lambda2 * s2) / square;
}

/* Computes the impulse of a sliding contact at a root alpha of the secular function h. The normal impulse r_N is computed from
 * the cone condition |r_T| = mu r_N if `on_cone` is true (cst_local_prefers_cone), otherwise from the normal row of u = W r +
 * b. Because of rounding, the impulse cannot satisfy both the cone condition and the normal row of u = W r + b exactly. */
static inline void cst_sliding_impulse(const cst_local_reduction *w, const cst_sliding_value *at, bool on_cone, double r[3])
{
    double inverse = 1.0 / at->q;
    double r1 = -at->v1 * inverse, r2 = -at->v2 * inverse;
    r[0] = on_cone ? at->tangential * inverse / w->mu : at->normal * inverse;
    r[1] = w->cosine * r1 - w->sine * r2;
    r[2] = w->sine * r1 + w->cosine * r2;
}

/* Returns the root of the secular function h in the interval (low, high), where h changes its sign once: from - to + if
 * `rising` is true, otherwise from + to -. `start`: initial guess of the root, used if it is inside the interval. The end
 * `high` of the interval may be infinity if the secular function h is positive at infinity. */
double cst_sliding_root(const cst_local_reduction *w, const cst_sliding_load *load, bool rising, double low, double high,
                        double start, int *iterations);

/* Finds all positive roots of the secular function h, in increasing order. If several roots of h are nearly equal, at least one
 * of these roots is returned. Returns their number. */
enum { CST_SLIDING_ROOTS_MAX = 4 };
int cst_sliding_roots(const cst_local_reduction *w, const cst_sliding_load *load, double *alpha, int *iterations);

#endif
