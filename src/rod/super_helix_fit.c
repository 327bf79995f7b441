/* Fits a super helix to given points, so that its joints come as near as possible to the points. The Gauss-Newton method
 * minimises the sum of a distance term, a smoothness term and a twist term over the position and frame of the root and the
 * curvatures of the fiber. Symbols:
 *     `x_j`, `r_j`: given point, joint.
 *     `l`: element length.
 *     `u_i`: bending curvatures of element i.
 *     `w_i`: bending curvatures of the frame that follows the given points without twist.
 *     `twist_i`: twist of element i.
 *     `epsilon`: 1e-3.
 *
 * The three terms are:
 *     `distance = sum_j |r_j-x_j|^2/l^2`.
 *     `smoothness = epsilon^2*sum_i l^2*|u_i-w_i|^2`.
 *     `twist = 10^8*sum_i l^2*twist_i^2`.
 *
 * The Gauss-Newton iteration starts with the bending curvatures w_i of the given points and no twist. The smoothness term
 * suppresses curvatures that alternate from element to element, which hardly move the joints. The matrix of a Gauss-Newton step
 * is like the mass matrix of a chain with point masses at the joints, so the elimination along the rod (super_helix_riccati.h)
 * solves each step. The first and the last joint of a closed fiber must coincide, so the distances of these two joints from their
 * given points have a larger weight. */
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "rod/super_helix_riccati.h"
#include "rod/super_helix_rod.h"

enum { STEPS = 60, HALVINGS = 12 };
static const double smoothness = 1e-3; /* epsilon in the smoothness term */
static const double twist_weight = 1e8;
static const double closing_weight = 1e8;

typedef struct fit {
    cst_super_helix *rod;
    const double *point; /* ((n + 1) x 3) */
    double *u, *smooth;  /* (3 n) present curvatures, and w */
    double *step;        /* (9 n) */
    cst_helix_root root;
    cst_helix_element *element;
    cst_helix_factor *factor;
    cst_envelope at_root;
    double *still; /* (3 n + 6) zero */
} fit;

static bool begin(fit *f, cst_super_helix *rod, const double *point)
{
    cst_arena *arena = &rod->arena;
    const int n = rod->elements;
    *f = (fit){.rod = rod,
               .point = point,
               .u = CST_TAKE(arena, double, 3 * n),
               .smooth = CST_TAKE(arena, double, 3 * n),
               .step = CST_TAKE(arena, double, 9 * (size_t)n),
               .element = CST_TAKE(arena, cst_helix_element, n + 1),
               .factor = CST_TAKE(arena, cst_helix_factor, n),
               .still = CST_TAKE(arena, double, 3 * n + 6)};
    return !arena->failed && cst_envelope_begin(arena, 6, &f->at_root) && cst_envelope_open(arena, &f->at_root);
}

/* Computes the tangent at point j of the circle through this point and its two neighbours. The tangent at the first point is that
 * of the circle through the first three points, and the tangent at the last point that of the circle through the last three
 * points. If there are only two points, the tangent is the direction from the first to the second. */
static void tangent_at(const fit *f, int j, double *t)
{
    const int n = f->rod->elements;
    const double *x = f->point;
    if (n == 1) {
        cst_subtract3(x + 3, x, t);
        cst_normalise3(t);
        return;
    }
    const int middle = j == 0 ? 1 : j == n ? n - 1 : j;
    double before[3], after[3];
    cst_subtract3(x + 3 * middle, x + 3 * (middle - 1), before);
    cst_subtract3(x + 3 * (middle + 1), x + 3 * middle, after);
    const double lb = cst_normalise3(before), la = cst_normalise3(after);
    for (int k = 0; k < 3; ++k)
        t[k] = (before[k] * la + after[k] * lb) / (la + lb);
    if (j != middle) { /* mirror image about the chord */
        const double *chord = j == 0 ? before : after, along = 2.0 * cst_dot3(chord, t);
        for (int k = 0; k < 3; ++k)
            t[k] = along * chord[k] - t[k];
    }
    if (!(cst_normalise3(t) > 0.0))
        memcpy(t, after, sizeof after);
}

static void set_column(const double *v, int column, double *R)
{
    for (int k = 0; k < 3; ++k)
        R[3 * k + column] = v[k];
}

/* Transports a frame along the given points without twist: from point to point, the frame makes the shortest rotation between the
 * two tangents. Stores the frame at the root and the bending curvatures of the transported frame. */
static void begin_smooth(fit *f)
{
    const int n = f->rod->elements;
    double t[3], next[3], d1[3], d2[3], frame[9], after[9], turn[9], axis[3];
    tangent_at(f, 0, t);
    for (int k = 0; k < 3; ++k)
        d1[k] = f->rod->root->frame[3 * k + 1];
    cst_add3(-cst_dot3(d1, t), t, d1);
    /* if the given director d1 is parallel to the tangent, any perpendicular direction is used */
    if (!(cst_normalise3(d1) > 1e-6)) {
        memset(d1, 0, sizeof d1);
        d1[fabs(t[0]) < 0.5 ? 0 : 1] = 1.0;
        cst_add3(-cst_dot3(d1, t), t, d1);
        cst_normalise3(d1);
    }
    cst_cross3(t, d1, d2);
    set_column(t, 0, frame);
    set_column(d1, 1, frame);
    set_column(d2, 2, frame);
    memcpy(f->root.position, f->point, sizeof f->root.position);
    memcpy(f->root.frame, frame, sizeof frame);
    for (int i = 0; i < n; ++i) {
        tangent_at(f, i + 1, next);
        cst_cross3(t, next, axis);
        const double sine = cst_normalise3(axis), angle = atan2(sine, cst_dot3(t, next));
        for (int k = 0; k < 3; ++k)
            axis[k] *= angle;
        memcpy(after, frame, sizeof after);
        cst_rotation_turn(axis, after);
        cst_transposed_product3(frame, after, turn);
        cst_rotation_log(turn, f->smooth + 3 * i);
        for (int k = 0; k < 3; ++k)
            f->smooth[3 * i + k] /= f->rod->material[i].length;
        memcpy(frame, after, sizeof frame);
        memcpy(t, next, sizeof t);
    }
    memcpy(f->u, f->smooth, 3 * (size_t)n * sizeof *f->u);
}

static double weight_of(const fit *f, int joint)
{
    const double l = f->rod->material[0].length;
    const bool end = f->rod->closed && (joint == 0 || joint == f->rod->elements);
    return (end ? closing_weight : 1.0) / (l * l);
}

static double penalty(const fit *f, int i, int k)
{
    const double l = f->rod->material[i].length;
    return l * l * (k == 0 ? twist_weight : smoothness * smoothness);
}

/* Computes the elements for the given root and curvatures, and returns the weighted sum that the fit minimises. */
static double evaluate(fit *f, const cst_helix_root *root, const double *u)
{
    const cst_helix_path path = {root, u, f->still, f->still, f->still, f->still};
    double sum = 0.0;
    cst_helix_trace(f->rod, &path, f->element);
    for (int j = 0; j <= f->rod->elements; ++j) {
        double miss[3];
        cst_subtract3(f->element[j].start, f->point + 3 * j, miss);
        sum += weight_of(f, j) * cst_dot3(miss, miss);
    }
    for (int k = 0; k < 3 * f->rod->elements; ++k) {
        const double off = u[k] - (k % 3 == 0 ? 0.0 : f->smooth[k]);
        sum += penalty(f, k / 3, k % 3) * off * off;
    }
    return sum;
}

/* Gauss-Newton step from the evaluated shape. */
static bool find_step(fit *f)
{
    const int n = f->rod->elements;
    const double end = weight_of(f, n);
    cst_helix_inertia P = {.vv = {end, 0.0, 0.0, 0.0, end, 0.0, 0.0, 0.0, end}};
    double least = INFINITY;
    for (int i = n - 1; i >= 0; --i) {
        cst_helix_mass A = {.m = weight_of(f, i)};
        for (int k = 0; k < 3; ++k)
            A.uu[4 * k] = penalty(f, i, k);
        least = fmin(least, cst_helix_eliminate(&A, &f->element[i].joint, &P, &f->factor[i]));
    }
    if (!(least > 0.0) || !cst_helix_factor_root(&P, &f->at_root))
        return false;
    /* The distance term of a joint acts like a force at the joint, in the equations of the element that starts there. No element
     * starts at the last joint of the fiber, so its distance term is added to the equations of the last element, through the
     * transposed joint matrix F^T. */
    for (int i = 0; i < n; ++i) {
        double *b = f->step + 9 * (size_t)i;
        memset(b, 0, 9 * sizeof *b);
        for (int k = 0; k < 3; ++k) {
            const double wanted = k == 0 ? 0.0 : f->smooth[3 * i + k];
            b[k] = weight_of(f, i) * (f->point[3 * i + k] - f->element[i].start[k]);
            b[6 + k] = penalty(f, i, k) * (wanted - f->u[3 * i + k]);
        }
    }
    const cst_helix_joint *F = &f->element[n - 1].joint;
    double pull[3], bend[3], *b = f->step + 9 * (size_t)(n - 1);
    for (int k = 0; k < 3; ++k)
        pull[k] = end * (f->point[3 * n + k] - f->element[n].start[k]);
    cst_add3(1.0, pull, b);
    cst_add_cross3(F->chord, pull, b + 3);
    cst_apply_transposed3(F->bend, pull, bend);
    cst_add3(1.0, bend, b + 6);
    return cst_helix_riccati_solve(f->factor, n, &f->at_root, f->step);
}

static void follow(const fit *f, double alpha, cst_helix_root *root, double *trial)
{
    const double turned[3] = {alpha * f->step[3], alpha * f->step[4], alpha * f->step[5]};
    *root = f->root;
    cst_add3(alpha, f->step, root->position);
    cst_rotation_turn(turned, root->frame);
    for (int k = 0; k < 3 * f->rod->elements; ++k)
        trial[k] = f->u[k] + alpha * f->step[9 * (size_t)(k / 3) + 6 + (size_t)(k % 3)];
}

static void minimise(fit *f)
{
    cst_super_helix *rod = f->rod;
    const int n = rod->elements;
    double sum = evaluate(f, &f->root, f->u);
    for (int round = 0; round < STEPS && find_step(f); ++round) {
        cst_helix_root root;
        double alpha = 1.0, fallen = -1.0;
        for (int k = 0; k < HALVINGS; ++k, alpha *= 0.5) {
            follow(f, alpha, &root, rod->trial_u);
            fallen = sum - evaluate(f, &root, rod->trial_u);
            if (fallen > 0.0)
                break;
        }
        if (!(fallen > 0.0)) {
            evaluate(f, &f->root, f->u);
            break;
        }
        f->root = root;
        cst_rotation_mend(f->root.frame);
        memcpy(f->u, rod->trial_u, 3 * (size_t)n * sizeof *f->u);
        sum -= fallen;
        if (fallen < 1e-14 * sum)
            break;
    }
}

bool cst_helix_fit_points(cst_super_helix *rod, const double *point)
{
    const cst_arena_mark mark = cst_arena_mark_now(&rod->arena);
    const int n = rod->elements;
    fit f;
    const bool built = begin(&f, rod, point);
    if (built) {
        begin_smooth(&f);
        minimise(&f);
        *rod->root = f.root;
        memcpy(rod->u, f.u, 3 * (size_t)n * sizeof *f.u);
        rod->fit = 0.0;
        for (int j = 0; j <= n; ++j) {
            double miss[3];
            cst_subtract3(f.element[j].start, point + 3 * j, miss);
            rod->fit = fmax(rod->fit, sqrt(cst_dot3(miss, miss)));
        }
    }
    cst_arena_release(&rod->arena, mark);
    return built;
}
