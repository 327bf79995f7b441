#include "friction/interior_path.h"

#include <math.h>
#include <string.h>

#include "friction/scaled_cone.h"
#include "math/small_matrix.h"

enum {
    PATH_MOST = 60, /* PATH_MOST: largest number of steps along one central path */
    IDLE = 4
};
/* TO_BOUNDARY: longest allowed step, divided by the step that takes an impulse or a velocity to the boundary of its cone */
static const double TO_BOUNDARY = 0.995;
static const double LEAST_CENTRING = 1e-6; /* LEAST_CENTRING: smallest value of the centring parameter sigma */
/* SHORT: a step shorter than SHORT (1: full step) is computed again with more centring. HOPELESS: a step of at most HOPELESS (1:
 * full step) ends the path. */
static const double SHORT = 0.2, HOPELESS = 1e-3;
/* PATH_END: if the path parameter t falls below PATH_END times its initial value, the path ends */
static const double PATH_END = 1e-14;
/* PATH_AGAIN: later paths start where the path parameter t of the first path was last at least PATH_AGAIN times its initial
 * value */
static const double PATH_AGAIN = 1e-3;
/* FALLEN, IDLE: the path ends if IDLE + 1 successive steps have not reduced the path parameter t to less than FALLEN times its
 * value before these steps. */
static const double FALLEN = 0.7;
static const double BILATERAL_PROXIMAL = 1e-8;
/* ENOUGH: the scaled impulse or the scaled velocity of a contact counts as zero if its length times the contact's weight
 * (system.h) is below ENOUGH times the tolerance. If the scaled impulse or the scaled velocity of a contact counts as zero, the
 * method does not reduce the product of impulse and velocity further. */
static const double ENOUGH = 0.02;

/* Cone of a contact: none (bilateral), the half-line of normal impulses (friction coefficient 0), or the friction cone. */
typedef enum kind { BILATERAL, RAY, CONE } kind;

static kind kind_of(const cst_system *system, int i)
{
    return system->law[i] == CST_LAW_BILATERAL ? BILATERAL : system->mu[i] > 0.0 ? CONE : RAY;
}

/* Returns the dimension of the cone of a contact; 0: bilateral. */
static int cone_dim(const cst_system *system, int i)
{
    const kind what = kind_of(system, i);
    return what == BILATERAL ? 0 : what == RAY ? 1 : system->dim;
}

static double *at(const cst_interior *it, double *array, int i)
{
    return array + (size_t)i * (size_t)it->system->dim;
}

static double *block_of(const cst_interior *it, double *array, int i)
{
    return array + (size_t)i * (size_t)(it->system->dim * it->system->dim);
}

/* ----------------------------------------------------------------------------------------------------------------- iterate */

static void keep_if_best(cst_interior *it, const double *x, double error)
{
    if (error < it->result.error) {
        it->result.error = error;
        memcpy(it->best, x, sizeof(double) * (size_t)it->system->contacts * (size_t)it->system->dim);
    }
}

/* Computes two quantities of one contact. The output `gap` is the defect (y_N + mu |y_T|, mu y_T) - s of the equation that
 * defines the scaled velocity s of the contact by its velocity y. The output `bend` is the derivative of (y_N + mu |y_T|, mu y_T)
 * by the contact velocity y.
 *
 * The tangential speed |y_T| has a kink at zero. Without smoothing of the kink of |y_T|, the tangential velocity of a sticking
 * contact would change its direction at every Newton step. The function |y_T| is smoothed at speeds up to about the tangential
 * speed that a sticking contact has on the central path: z.s / z_N (z: scaled impulse, z_N: its normal component, s: scaled
 * velocity). */
static void look_at_gap(cst_interior *it, int i)
{
    const cst_system *system = it->system;
    const int count = cone_dim(system, i);
    const double mu = kind_of(system, i) == CONE ? system->mu[i] : 0.0, *z = at(it, it->z, i), *s = at(it, it->s, i);
    double *gap = at(it, it->gap, i), *bend = block_of(it, it->bend, i), own = 0.0;
    for (int k = 0; k < count; k++)
        own += z[k] * s[k];
    cst_hat_velocity(system->dim, mu, count > 0 ? own / z[0] : 0.0, at(it, it->y, i), gap, bend);
    if (it->held) {
        gap[0] = at(it, it->y, i)[0] + mu * it->slip[i];
        for (int k = 1; k < system->dim; k++)
            bend[k] = 0.0;
    }
    for (int k = 0; k < count; k++)
        gap[k] -= s[k];
}

/* The complementarity condition of a contact contains the Jordan square lambda o lambda of its scaled point lambda; this square
 * has two eigenvalues. If an eigenvalue of lambda o lambda is below its limit in the array `enough`, the method does not reduce
 * the eigenvalue further, because a further reduction would be lost in the rounding error of the contact velocity. */
typedef struct spectrum {
    double w[3];       /* (1, -w), (1, w): eigenvectors, with w in w[1], w[2] */
    double lambda2[2]; /* eigenvalues of lambda o lambda */
    double enough[2];  /* limits of the eigenvalues */
} spectrum;

static spectrum look_at_spectrum(const cst_interior *it, int i)
{
    const int count = cone_dim(it->system, i);
    const double *lambda = at(it, it->lambda, i), *z = at(it, it->z, i), *s = at(it, it->s, i);
    const double little = ENOUGH * it->settings->tolerance / it->system->weight[i];
    spectrum out = {.w = {1.0, 0.0, 0.0}};
    double t = 0.0;
    for (int k = 1; k < count; k++)
        t += lambda[k] * lambda[k];
    t = sqrt(t);
    for (int k = 1; k < count; k++)
        out.w[k] = t > 0.0 ? lambda[k] / t : k == 1 ? 1.0 : 0.0;
    for (int end = 0; end < 2; end++) {
        const double sign = end == 0 ? -1.0 : 1.0, own = lambda[0] + sign * t;
        double along_z = z[0], along_s = s[0];
        for (int k = 1; k < count; k++) {
            along_z += sign * out.w[k] * z[k];
            along_s += sign * out.w[k] * s[k];
        }
        out.lambda2[end] = own * own;
        out.enough[end] = little * fmax(along_z, along_s);
    }
    return out;
}

double cst_interior_look(cst_interior *it)
{
    const size_t size = (size_t)it->system->contacts * (size_t)it->system->dim;
    cst_system_multiply(it->system, it->x, it->y);
    const double error = cst_system_error(it->system, it->x, it->y, it->settings->fischer_burmeister);
    keep_if_best(it, it->x, error);
    for (size_t k = 0; k < size; k++)
        it->y[k] += it->proximal * (it->x[k] - it->anchor[k]);
    return error;
}

/* Computes the impulses x from the scaled impulses z, then the path parameter t, the contact velocities y and the error.
 * Returns the error. */
static double judge(cst_interior *it)
{
    cst_system *system = it->system;
    double sum = 0.0;
    int cones = 0;
    for (int i = 0; i < system->contacts; i++) {
        const int count = cone_dim(system, i);
        double *x = at(it, it->x, i);
        memcpy(x, at(it, it->z, i), (size_t)system->dim * sizeof *x);
        if (count > 1)
            x[0] /= system->mu[i];
        cones += count > 0;
        if (count > 0) {
            cst_scaling(count, at(it, it->z, i), at(it, it->s, i), system->dim, block_of(it, it->scaling, i),
                        block_of(it, it->inverse, i), at(it, it->lambda, i));
            const spectrum own = look_at_spectrum(it, i);
            sum += 0.5 * fmax(0.0, own.lambda2[0] - own.enough[0]) + 0.5 * fmax(0.0, own.lambda2[1] - own.enough[1]);
        }
    }
    it->centre = cones > 0 ? sum / cones : 0.0;
    const double error = cst_interior_look(it);
    for (int i = 0; i < system->contacts; i++)
        look_at_gap(it, i);
    return error;
}

/* --------------------------------------------------------------------------------------------------------------- direction */

/* Computes the Nesterov-Todd scaling W of every contact and the blocks of the linear system. The linearised complementarity
 * condition of a contact has the left-hand side W^2 dz + ds, with the changes dz of the scaled impulse and ds of the scaled
 * velocity. The rows of the linear system for the contact are multiplied by (I + W^2)^-1 (W: Nesterov-Todd scaling), so that
 * their entries stay bounded near the boundary of the cone. */
static void linearise(cst_interior *it)
{
    const cst_system *system = it->system;
    const int dim = system->dim;
    const size_t bytes = sizeof(double) * (size_t)(dim * dim);
    for (int i = 0; i < system->contacts; i++) {
        double *f_r = block_of(it, it->newton.f_r, i), *f_u = block_of(it, it->newton.f_u, i);
        const double *bend = block_of(it, it->bend, i);
        const int count = cone_dim(system, i);
        memset(f_r, 0, bytes);
        memcpy(f_u, bend, bytes);
        for (int k = count; k < dim; k++) { /* no friction: x_T = 0 */
            f_r[k * (dim + 1)] = count == 0 ? BILATERAL_PROXIMAL : 1.0;
            if (count > 0)
                memset(f_u + k * dim, 0, (size_t)dim * sizeof *f_u);
        }
        if (count == 0)
            continue;
        double *W = block_of(it, it->scaling, i), *share = block_of(it, it->share, i);
        cst_scaling(count, at(it, it->z, i), at(it, it->s, i), dim, W, block_of(it, it->inverse, i), at(it, it->lambda, i));
        cst_scaling_share(count, dim, W, share);
        for (int r = 0; r < count; r++)
            for (int c = 0; c < count; c++) {
                double sum = 0.0, rest = 0.0;
                for (int k = 0; k < count; k++) {
                    sum += share[r * dim + k] * bend[k * dim + c];
                    for (int l = 0; l < count; l++)
                        rest += share[r * dim + k] * W[k * dim + l] * W[l * dim + c];
                }
                f_u[r * dim + c] = sum;
                f_r[r * dim + c] = rest * (c == 0 && count > 1 ? system->mu[i] : 1.0);
            }
    }
}

/* Multiplies the leading count x count block of the dim x dim matrix M by the vector x. */
static void apply(int count, int dim, const double *M, const double *x, double *out)
{
    for (int r = 0; r < count; r++) {
        out[r] = 0.0;
        for (int c = 0; c < count; c++)
            out[r] += M[r * dim + c] * x[c];
    }
}

/* Computes the right-hand side newton.f of the linear system of a step along the central path. Symbols of one contact:
 *     `z`, `s`: scaled impulse, scaled velocity.
 *     `dz`, `ds`: their changes.
 *     `dy`: change of the contact velocity.
 *     `W`: Nesterov-Todd scaling.
 *     `lambda = W*z`: scaled point.
 *     `L`: matrix of the Jordan product with the scaled point lambda: `L*x = lambda o x`.
 *     `sigma`: centring parameter.
 *     `goal`: aim for lambda o lambda.
 *     `second`: second-order term of the predictor step.
 *     `part`: factor of this second-order term.
 * The step satisfies:
 *     `W*dz+W^-1*ds = L^-1*(goal-part*second)-lambda`.
 *     `ds = (1-sigma)*gap+bend*dy`. */
static void right_side(cst_interior *it, double sigma, double part)
{
    const int dim = it->system->dim;
    for (int i = 0; i < it->system->contacts; i++) {
        const int count = cone_dim(it->system, i);
        const double *second = at(it, it->second, i), *lambda = at(it, it->lambda, i);
        double *f = at(it, it->newton.f, i), right[3] = {0}, c[3] = {0}, scaled[3] = {0};
        memcpy(f, at(it, count == 0 ? it->y : it->z, i), (size_t)dim * sizeof *f);
        if (count == 0)
            continue;
        const spectrum own = look_at_spectrum(it, i);
        const double low = fmax(sigma * it->centre, own.enough[0]), high = fmax(sigma * it->centre, own.enough[1]);
        for (int k = 0; k < count; k++)
            right[k] = 0.5 * (k == 0 ? low + high : (high - low) * own.w[k]) - part * second[k];
        cst_jordan_solve(count, lambda, right, c);
        for (int k = 0; k < count; k++)
            c[k] -= lambda[k];
        apply(count, dim, block_of(it, it->scaling, i), c, scaled);
        for (int k = 0; k < count; k++)
            scaled[k] = (1.0 - sigma) * at(it, it->gap, i)[k] - scaled[k];
        apply(count, dim, block_of(it, it->share, i), scaled, f);
    }
}

/* Computes the changes dz of the scaled impulses and ds of the scaled velocities, with the centring parameter sigma. */
static void direction(cst_interior *it, double sigma, double part)
{
    const cst_system *system = it->system;
    const int dim = system->dim;
    right_side(it, sigma, part);
    /* the error of the linear solve is not checked: an inaccurate solution only shortens the step */
    cst_newton_solve(&it->newton, it->proximal);
    for (int i = 0; i < system->contacts; i++) {
        double *dz = at(it, it->dz, i), *ds = at(it, it->ds, i);
        memcpy(dz, at(it, it->newton.direction, i), (size_t)dim * sizeof *dz);
        if (cone_dim(system, i) > 1)
            dz[0] *= system->mu[i];
        double dy[3];
        for (int k = 0; k < dim; k++)
            dy[k] = at(it, it->newton.response, i)[k] + it->proximal * at(it, it->newton.direction, i)[k];
        cst_small_apply(dim, block_of(it, it->bend, i), dy, ds);
        for (int k = 0; k < dim; k++)
            ds[k] += (1.0 - sigma) * at(it, it->gap, i)[k];
    }
}

/* Returns the largest step that keeps the scaled impulses and the scaled velocities in their cones. */
static double room(const cst_interior *it)
{
    double most = HUGE_VAL;
    for (int i = 0; i < it->system->contacts; i++) {
        const int count = cone_dim(it->system, i);
        if (count == 0)
            continue;
        most = fmin(most, cst_cone_room(count, at(it, it->z, i), at(it, it->dz, i)));
        most = fmin(most, cst_cone_room(count, at(it, it->s, i), at(it, it->ds, i)));
    }
    return most;
}

/* Returns the sum of the products z.s of all contacts after a predictor step, divided by the sum before the step (z: scaled
 * impulse, s: scaled velocity). Also computes it->second, the second-order term of the complementarity condition, which the
 * linearised condition neglects. */
static double predict(cst_interior *it, double step)
{
    const int dim = it->system->dim;
    double sum = 0.0, before = 0.0;
    for (int i = 0; i < it->system->contacts; i++) {
        const int count = cone_dim(it->system, i);
        const double *dz = at(it, it->dz, i), *ds = at(it, it->ds, i);
        double a[3] = {0}, b[3] = {0};
        for (int k = 0; k < count; k++) {
            before += at(it, it->z, i)[k] * at(it, it->s, i)[k];
            sum += (at(it, it->z, i)[k] + step * dz[k]) * (at(it, it->s, i)[k] + step * ds[k]);
        }
        apply(count, dim, block_of(it, it->scaling, i), dz, a);
        apply(count, dim, block_of(it, it->inverse, i), ds, b);
        cst_jordan_product(count, a, b, at(it, it->second, i));
    }
    return before > 0.0 ? sum / before : 0.0;
}

/* Does one predictor-corrector step along the central path and returns its length. Returns 0, without a step, if the step would
 * not be longer than HOPELESS. */
static double advance(cst_interior *it)
{
    static const struct {
        double sigma, part;
    } CAREFUL[] = {{0.0, 1.0}, {0.3, 0.0}, {0.8, 0.0}};
    const size_t size = (size_t)it->system->contacts * (size_t)it->system->dim;
    linearise(it);
    cst_newton_keep_rows(&it->newton);
    cst_newton_factor(&it->newton, it->proximal);
    it->result.iterations++;
    direction(it, 0.0, 0.0);
    const double after = predict(it, fmin(1.0, room(it)));
    const double ratio = fmax(0.0, after);
    const double sigma = fmin(1.0, fmax(LEAST_CENTRING, ratio * ratio * ratio));
    double step = 0.0;
    for (size_t k = 0; k < sizeof CAREFUL / sizeof *CAREFUL && step < SHORT; k++) {
        direction(it, fmax(sigma, CAREFUL[k].sigma), CAREFUL[k].part);
        step = fmin(1.0, TO_BOUNDARY * room(it));
    }
    if (!(step > HOPELESS)) /* or NaN */
        return 0.0;
    for (size_t k = 0; k < size; k++) {
        it->z[k] += step * it->dz[k];
        it->s[k] += step * it->ds[k];
    }
    return step;
}

/* ------------------------------------------------------------------------------------------------------------------- paths */

bool cst_interior_may_go_on(cst_interior *it)
{
    const cst_method_settings *settings = it->settings;
    it->result.interrupted =
        settings->keep_going && !settings->keep_going(settings->user, it->result.iterations, it->result.error);
    return !it->result.interrupted && it->result.iterations < settings->max_iterations;
}

/* Sets the scaled impulse and the scaled velocity of every contact that is not bilateral to (c, 0, 0), a point on the axis of its
 * cone; c is the largest absolute value of a free velocity component. */
static void start(cst_interior *it)
{
    const cst_system *system = it->system;
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    double scale = 0.0;
    for (size_t k = 0; k < size; k++)
        scale = fmax(scale, fabs(system->b[k]));
    memset(it->z, 0, size * sizeof *it->z);
    memset(it->s, 0, size * sizeof *it->s);
    for (int i = 0; i < system->contacts; i++)
        if (cone_dim(system, i) > 0)
            at(it, it->z, i)[0] = at(it, it->s, i)[0] = scale;
    it->first_centre = scale * scale;
}

void cst_interior_hold_slip(cst_interior *it)
{
    const int dim = it->system->dim;
    for (int i = 0; i < it->system->contacts; i++) {
        const double *y = at(it, it->y, i);
        it->slip[i] = dim == 2 ? fabs(y[1]) : sqrt(y[1] * y[1] + y[2] * y[2]);
    }
}

void cst_interior_follow(cst_interior *it, bool again)
{
    const size_t bytes = sizeof(double) * (size_t)it->system->contacts * (size_t)it->system->dim;
    double fallen = HUGE_VAL; /* t must fall below */
    int idle = 0;
    if (again) {
        memcpy(it->z, it->z_again, bytes);
        memcpy(it->s, it->s_again, bytes);
    } else {
        start(it);
    }
    for (int k = 0; k < PATH_MOST; k++) {
        const double error = judge(it);
        it->result.converged = error <= it->settings->tolerance;
        if (it->result.converged || !cst_interior_may_go_on(it) || it->centre < PATH_END * it->first_centre)
            return;
        idle = it->centre < fallen ? 0 : idle + 1;
        if (idle == 0)
            fallen = FALLEN * it->centre;
        if (idle > IDLE)
            return;
        if (!again && (k == 0 || it->centre >= PATH_AGAIN * it->first_centre)) {
            memcpy(it->z_again, it->z, bytes);
            memcpy(it->s_again, it->s, bytes);
        }
        if (!(advance(it) > 0.0))
            return;
    }
    judge(it);
}

bool cst_interior_begin(cst_interior *it, cst_system *system, const cst_method_settings *settings, const double *x0,
                        cst_arena *arena)
{
    const size_t n = (size_t)system->contacts, size = n * (size_t)system->dim, square = size * (size_t)system->dim;
    *it = (cst_interior){.system = system, .settings = settings, .result = {.error = HUGE_VAL}};
    double **vectors[] = {&it->x,  &it->y,   &it->z,      &it->s,      &it->z_again, &it->s_again, &it->dz,
                          &it->ds, &it->gap, &it->lambda, &it->second, &it->best,    &it->anchor};
    double **matrices[] = {&it->scaling, &it->inverse, &it->share, &it->bend};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = CST_TAKE(arena, double, size);
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = CST_TAKE(arena, double, square);
    it->slip = CST_TAKE(arena, double, n);
    if (arena->failed)
        return false;
    memcpy(it->x, x0, size * sizeof *it->x);
    memcpy(it->anchor, x0, size * sizeof *it->x);
    memcpy(it->best, x0, size * sizeof *it->x);
    return true;
}
