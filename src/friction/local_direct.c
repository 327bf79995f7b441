/* Direct local solver in 3D. The sliding solutions of a contact are the roots of the secular function h (local_secular.h); its
 * argument alpha is the ratio of tangential speed to tangential impulse.
 *
 * If the secular function h is not negative at alpha = 0, the contact sticks; otherwise it slides at a positive root of h. The
 * solver accepts an impulse r under two conditions: its residual is zero up to rounding, and its scaled length w |r| / |b| is at
 * most CST_IMPULSE_LIMIT (w: compliance of the contact, b: free velocity). If neither the sticking impulse nor the first sliding
 * impulse is accepted, the solver tries all roots of the secular function h. If no root gives an accepted impulse, the answer
 * depends on the rejected impulses and on the contact's matrix W. If an impulse was rejected only because of its residual, the
 * status stays FAILED. If all impulses were too long and W is singular to rounding, the solver reports that the contact has no
 * solution (Painleve's paradox, for example with W = (1,2,0)(1,2,0)^T, b = (-1,0,0), mu = 1). If all impulses were too long and W
 * is regular, the solver reports an ill-posed contact. */
#include "friction/local_methods.h"
#include "friction/local_secular.h"

typedef struct direct {
    const cst_local_problem *problem;
    cst_local_reduction w;
    cst_sliding_load load;
    bool on_cone; /* see cst_sliding_impulse */
    /* true: an impulse within CST_IMPULSE_LIMIT was rejected only because of its residual, so the contact may have a solution
     * that the solver did not find */
    bool inexact;
} direct;

static bool accept(direct *d, double *r, cst_local_case contact_case, double alpha, cst_local_result *result)
{
    if (!cst_local_meets(d->problem, r, 0.0)) {
        d->inexact = d->inexact || cst_local_magnitude(d->problem, r) <= CST_IMPULSE_LIMIT;
        return false;
    }
    result->status = CST_LOCAL_SOLVED;
    result->contact_case = contact_case;
    result->alpha = alpha;
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- singular W */

/* Finds a sticking impulse of a contact whose matrix W is singular along one tangential direction, up to rounding. If a contact's
 * matrix W is singular along one tangential direction, the impulses that give zero contact velocity form a line. Of the impulses
 * with zero contact velocity that are in the friction cone, the function takes the one nearest to the warm start. Symbols:
 *     `t`: tangential impulse along the tangential direction in which the matrix W is singular.
 *     `r_2`: tangential impulse orthogonal to the direction of `t`.
 *     `a-row1*t`: normal impulse, a linear function of `t`.
 *
 * The line of impulses with zero contact velocity meets the friction cone at the roots of a quadratic equation:
 *
 *     `t^2+r_2^2 = mu^2*(a-row1*t)^2`. */
static bool stick_on_line(const direct *d, double t, double *r)
{
    const cst_local_reduction *w = &d->w;
    double r2 = -d->load.b2 / w->lambda2;
    double a = d->load.c - w->row2 * r2;
    double normal = a - w->row1 * t;
    if (!(sqrt(t * t + r2 * r2) <= w->mu * normal)) {
        double curvature = 1.0 - w->mu * w->mu * w->row1 * w->row1;
        double half = w->mu * w->mu * a * w->row1;
        double discriminant = w->mu * w->mu * a * a - curvature * r2 * r2;
        if (!(discriminant >= 0.0))
            return false;
        double sum = -(half + copysign(sqrt(discriminant), half));
        double end[2] = {sum / curvature, (r2 * r2 - w->mu * w->mu * a * a) / sum};
        double nearest = INFINITY;
        for (int k = 0; k < 2; ++k) {
            if (a - w->row1 * end[k] >= 0.0 && fabs(end[k] - t) < fabs(nearest - t))
                nearest = end[k];
        }
        if (!(fabs(nearest) <= DBL_MAX))
            return false;
        t = nearest;
        normal = a - w->row1 * t;
    }
    r[0] = normal;
    r[1] = w->cosine * t - w->sine * r2;
    r[2] = w->sine * t + w->cosine * r2;
    return true;
}

/* Finds a sticking impulse of a contact whose reduced matrix Wbar (local_secular.h) is zero up to rounding, so that its
 * tangential velocity does not depend on its tangential impulse. The function shortens the tangential impulse of the warm start
 * until the whole impulse is in the friction cone. */
static void stick_on_plane(const direct *d, const double warm[3], double *r)
{
    const cst_local_reduction *w = &d->w;
    double coupling = (w->cosine * w->row1 - w->sine * w->row2) * warm[1] + (w->sine * w->row1 + w->cosine * w->row2) * warm[2];
    double length = sqrt(warm[1] * warm[1] + warm[2] * warm[2]);
    double needed = length + w->mu * coupling; /* must be at most mu c */
    double share = needed > w->mu * d->load.c ? w->mu * d->load.c / needed : 1.0;
    r[0] = d->load.c - share * coupling;
    r[1] = share * warm[1];
    r[2] = share * warm[2];
}

static bool stick_singular(const direct *d, const double warm[3], double *r)
{
    const cst_local_reduction *w = &d->w;
    const double *b = d->problem->b;
    double size = sqrt(b[1] * b[1] + b[2] * b[2]) + fabs(b[0]) * sqrt(w->column1 * w->column1 + w->column2 * w->column2);
    double rounding = 4.0 * DBL_EPSILON * size;
    if (!(fabs(d->load.b1) <= rounding))
        return false;
    if (w->lambda2 > CST_SINGULAR_BAND * d->problem->weight)
        return stick_on_line(d, w->cosine * warm[1] + w->sine * warm[2], r);
    if (!(fabs(d->load.b2) <= rounding))
        return false;
    stick_on_plane(d, warm, r);
    return true;
}

/* Tries every root of the secular function h: first the roots at which h rises, then the roots at which h falls. A root at which
 * the secular function h falls is also a solution, but small changes of the data may remove it. */
static bool slide_at_any_root(direct *d, double *r, cst_local_result *result)
{
    double alpha[CST_SLIDING_ROOTS_MAX];
    int roots = cst_sliding_roots(&d->w, &d->load, alpha, &result->iterations);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < roots; ++k) {
            cst_sliding_value at = cst_sliding_at(&d->w, &d->load, alpha[k]);
            cst_sliding_impulse(&d->w, &at, d->on_cone, r);
            if ((at.slope > 0.0) == (pass == 0) && accept(d, r, CST_CASE_SLIDE, alpha[k], result))
                return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------------------------------------------------------- the usual W */

/* Returns the ratio alpha of tangential speed to tangential impulse of the warm start, or 0 without a warm start. */
static double warm_alpha(const cst_local_problem *problem, const double warm[3])
{
    double length = sqrt(warm[1] * warm[1] + warm[2] * warm[2]);
    if (!(length > 0.0))
        return 0.0;
    double u[3];
    cst_local_velocity(problem, warm, u);
    return sqrt(u[1] * u[1] + u[2] * u[2]) / length;
}

static bool stick_or_slide(direct *d, const double warm[3], double *r, cst_local_result *result)
{
    cst_sliding_value zero = cst_sliding_at(&d->w, &d->load, 0.0);
    if (zero.h >= -zero.rounding) {
        cst_sliding_impulse(&d->w, &zero, d->on_cone && zero.h < 0.0, r);
        return accept(d, r, CST_CASE_STICK, 0.0, result);
    }
    double start = warm_alpha(d->problem, warm);
    if (!(start > 0.0))
        start = cst_sliding_guess(&d->w, &d->load);
    if (!(start > 0.0))
        start = zero.newton;
    double alpha = cst_sliding_root(&d->w, &d->load, true, 0.0, INFINITY, start, &result->iterations);
    cst_sliding_value at = cst_sliding_at(&d->w, &d->load, alpha);
    cst_sliding_impulse(&d->w, &at, d->on_cone, r);
    return accept(d, r, CST_CASE_SLIDE, alpha, result);
}

/* Solves a sliding contact with a tiny normal velocity or friction coefficient, for which alpha, the ratio of tangential speed to
 * tangential impulse, may overflow. The impulse is computed to leading order in 1 / alpha. */
static bool slide_far(direct *d, double *r, cst_local_result *result)
{
    const cst_local_reduction *w = &d->w;
    double length = sqrt(d->load.b1 * d->load.b1 + d->load.b2 * d->load.b2);
    double room = length - w->mu * (w->row1 * d->load.b1 + w->row2 * d->load.b2);
    double inverse_alpha = w->mu * d->load.c / room;
    if (!(inverse_alpha >= 0.0 && inverse_alpha <= 1e-50))
        return false;
    double r1 = -d->load.b1 * inverse_alpha, r2 = -d->load.b2 * inverse_alpha;
    r[0] = d->on_cone ? length * inverse_alpha / w->mu : d->load.c - w->row1 * r1 - w->row2 * r2;
    r[1] = w->cosine * r1 - w->sine * r2;
    r[2] = w->sine * r1 + w->cosine * r2;
    return accept(d, r, CST_CASE_SLIDE, 1.0 / inverse_alpha, result);
}

void cst_local_direct_3d(const cst_local_problem *problem, double *r, cst_local_result *result)
{
    double warm[3] = {r[0], r[1], r[2]};
    direct d = {.problem = problem};
    cst_definiteness definiteness = cst_local_reduce(problem->W, problem->mu, &d.w);
    if (definiteness == CST_INDEFINITE)
        return;
    const double *W = problem->W;
    d.on_cone = cst_local_prefers_cone(W, problem->mu);
    d.load = cst_sliding_load_of(&d.w, problem->b);
    double far = 1e-100 * sqrt(d.load.b1 * d.load.b1 + d.load.b2 * d.load.b2);
    if (problem->mu * d.load.c < far && slide_far(&d, r, result))
        return;
    if (definiteness == CST_POSITIVE_SINGULAR && stick_singular(&d, warm, r) && accept(&d, r, CST_CASE_STICK, 0.0, result))
        return;
    if (stick_or_slide(&d, warm, r, result))
        return;
    if (slide_at_any_root(&d, r, result))
        return;
    if (d.inexact)
        return;
    bool singular = definiteness == CST_POSITIVE_SINGULAR || W[0] <= CST_SINGULAR_BAND * problem->weight;
    result->status = singular ? CST_LOCAL_NO_SOLUTION : CST_LOCAL_ILL_POSED;
    if (singular)
        result->certificate =
            "W is singular to rounding: no impulse sticks, and h(alpha) has no root with an admissible impulse (Painleve)";
}
