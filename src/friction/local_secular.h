/* Reduces sliding in 3D to one equation in one unknown, without divisions.
 *
 * Sliding is u_N = 0, u_T = -alpha r_T with alpha > 0 and |r_T| = mu r_N. With u = W r + b and W = [w_N w_NT; w_TN W_TT], the
 * normal and the tangential rows are
 *
 *     r_N = -(b_N + w_NT . r_T) / w_N   and   (Wbar + alpha I) r_T = -btilde,
 *     with  Wbar = W_TT - w_TN w_NT / w_N   and   btilde = b_T - (b_N / w_N) w_TN.
 *
 * Daviet et al. 2011, appendix B, derive the equations of sliding with a division by b_N. W need not be symmetric: in the basis
 * of eigenvectors of the symmetric part of Wbar, Wbar = [lambda1 kappa; -kappa lambda2], because the antisymmetric part of a
 * plane matrix is the same in every basis. With d_k = lambda_k + alpha, the determinant q and the vector v are
 *
 *     q = det(Wbar + alpha I) = d1 d2 + kappa^2,   v = adj(Wbar + alpha I) btilde = (d2 b1 - kappa b2, d1 b2 + kappa b1).
 *     The impulse is q r_T = -v   and   q r_N = c q + row . v   with  c = -b_N / w_N,  row = w_NT / w_N.
 *     The secular function h(alpha) = mu q r_N - |v| is zero when sliding; h(0) >= 0 exactly if the contact can stick.
 *
 * For positive definite W and b_N < 0, q > 0 and h grows like alpha^2. The length |v| is a convex function whose second
 * derivative falls with alpha, so h is concave up to one inflection and convex beyond it. For positive definite W and b_N < 0
 * an answer therefore always exists (sticking, or a sign change of h), and there are at most three sliding answers, each in its
 * own monotone piece of h (cst_sliding_roots).
 *
 * Newton is applied to mu q r_N / |v| - 1, which is nearly linear in alpha (as in trust-region methods). */
#ifndef CST_FRICTION_LOCAL_SECULAR_H
#define CST_FRICTION_LOCAL_SECULAR_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Quantities that depend on W and mu. */
typedef struct cst_local_reduction {
    double mu;
    double inverse_normal;   /* 1 / w_N */
    double lambda1, lambda2; /* eigenvalues of the symmetric part of Wbar, 0 < lambda1 <= lambda2 */
    double kappa;            /* antisymmetric part */
    double cosine, sine;     /* first eigenvector, in the tangent frame */
    double row1, row2;       /* w_NT / w_N in the eigenbasis */
    double column1, column2; /* w_TN / w_N in the eigenbasis */
} cst_local_reduction;

/* Eigenvalues of Wbar may be zero if they are closer to zero than CST_SINGULAR_BAND times trace(W)/dim. CST_SINGULAR_BAND is an
 * upper bound of the rounding errors of W = H A^-1 H^T and of its reduction. An eigenvalue below -2 CST_SINGULAR_BAND, on the
 * same relative scale, means that W is indefinite. */
#define CST_SINGULAR_BAND (8.0 * DBL_EPSILON)

/* Whether W is positive definite. */
typedef enum cst_definiteness {
    CST_POSITIVE_DEFINITE,
    CST_POSITIVE_SINGULAR, /* lambda1 is zero to rounding; it is replaced by a positive number within rounding */
    /* w_N <= 0 or lambda1 < 0: the theory of this header does not hold, and the reduction must not be used */
    CST_INDEFINITE
} cst_definiteness;

cst_definiteness cst_local_reduce(const double W[9], double mu, cst_local_reduction *out);

/* Returns true if r_N should be computed from the cone rather than from row N (see cst_sliding_impulse). An error e in r_N
 * changes u by the normal column of W times e, and the cone condition by mu e. */
static inline bool cst_local_prefers_cone(const double W[9], double mu)
{
    return sqrt(W[0] * W[0] + W[3] * W[3] + W[6] * W[6]) < mu * (W[0] + W[4] + W[8]) / 3.0;
}

/* Quantities that depend on b. */
typedef struct cst_sliding_load {
    double c;      /* normal impulse without friction, > 0 */
    double b1, b2; /* btilde in the eigenbasis */
} cst_sliding_load;

/* Value of h and related quantities at one alpha. */
typedef struct cst_sliding_value {
    double q, v1, v2;
    double normal;     /* q r_N */
    double tangential; /* q |r_T| */
    double h;
    double rounding; /* of h */
    double newton;   /* Newton's alpha - h / slope; not finite if the slope is zero */
    double slope;    /* value with the same sign as the slope of mu r_N / |r_T| */
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

/* Returns an initial alpha for use without a warm start; this alpha is exact if Wbar is isotropic. The returned alpha is not
 * positive if the contact nearly sticks. */
static inline double cst_sliding_guess(const cst_local_reduction *w, const cst_sliding_load *load)
{
    double s1 = load->b1 * load->b1, s2 = load->b2 * load->b2;
    double square = s1 + s2;
    double coupling = w->row1 * load->b1 + w->row2 * load->b2;
    return (sqrt(square) - w->mu * coupling) / (w->mu * load->c) - (w->lambda1 * s1 + w->lambda2 * s2) / square;
}

/* Computes the impulse at alpha. Since h = 0 only to rounding, the normal impulse is taken from row N (the cone condition then
 * holds to rounding) or, if `on_cone`, from the cone (row N then holds to rounding). The caller chooses row N or the cone,
 * whichever violates the law less. */
static inline void cst_sliding_impulse(const cst_local_reduction *w, const cst_sliding_value *at, bool on_cone, double r[3])
{
    double inverse = 1.0 / at->q;
    double r1 = -at->v1 * inverse, r2 = -at->v2 * inverse;
    r[0] = on_cone ? at->tangential * inverse / w->mu : at->normal * inverse;
    r[1] = w->cosine * r1 - w->sine * r2;
    r[2] = w->sine * r1 + w->cosine * r2;
}

/* Returns the root of h in (low, high), where h has different signs at the ends (`rising`: from - to +). `start`: a guess of
 * the root, used if it is inside the interval. `high` may be infinite if h is positive at infinity. */
double cst_sliding_root(const cst_local_reduction *w, const cst_sliding_load *load, bool rising, double low, double high,
                        double start, int *iterations);

/* Finds all roots of h in (0, infinity), in increasing order; near-double roots appear at least once. Returns their number, at
 * most CST_SLIDING_ROOTS_MAX. */
enum { CST_SLIDING_ROOTS_MAX = 4 };
int cst_sliding_roots(const cst_local_reduction *w, const cst_sliding_load *load, double *alpha, int *iterations);

#endif
