/* Mixed formulation: the dynamics of a super-circle rod solved by one sweep to the root and one back, O(n).
 *
 * In coordinates Q_i of every element with the joints F_i (x_i, y_i, theta_i, kappa_i)' = (x_{i+1}, y_{i+1}, theta_{i+1})' the
 * 7 n system of element equations and joint forces is eliminated from the free end: what follows element i acts on its end as a
 * 3 x 3 inertia P and an impulse g (a Riccati recursion, or articulated bodies; Featherstone, Rigid Body Dynamics Algorithms):
 *
 *     P = 0, g = 0;  i = n-1 .. 0:   B = A_i + F_i^T P F_i,  r = b_i + F_i^T g,  k = B[0:3, 3] / B_33,
 *                                    y_i = r_3 / B_33,  g = r[0:3] - k r_3,  P = B[0:3, 0:3] - k B[3, 0:3]
 *     root:                          clamped X = 0, free P X = g;    i = 0 .. n-1:  kappa_i' = y_i - k.X,  X = F_i (X, kappa_i')
 *
 * Every pivot B_33 is positive: the stiffness dt^2 K carries it where the mass degenerates. Only six entries of P are kept, so it
 * stays symmetric: the lower triangle would drift away otherwise. As an operator x -> A^-1 x is symmetric and positive
 * semi-definite: it maps any impulses to velocities that the joints allow.
 *
 * Cost per element, assembly and factorisation fused in one backward pass: about 290 flops, 208 bytes read (element, material,
 * state), 104 written; a solution: 45 flops, 72 bytes of factor and the vector twice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/super_circle_rod.h"
#include "rod/super_circle_statics.h"

typedef struct factor {
    cst_circle_joint joint;
    double length;
    double gain[3]; /* k */
    double inverse; /* 1 / B_33 */
} factor;

typedef struct mixed_rod {
    cst_super_circle super;
    factor *factor;            /* (elements) */
    cst_circle_mass *dynamics; /* (elements) A_i, for what multiplies with A */
    double root[6];            /* free: LDL^T of P at the root: L10, L20, L21, 1/D */
} mixed_rod;

static int mixed_dofs(const void *self)
{
    return 4 * ((const cst_super_circle *)self)->elements;
}

static int mixed_point_dofs(const void *self)
{
    (void)self;
    return 4;
}

/* LDL^T of the upper triangle (xx, xt, yy, yt, tt, xy). */
static bool factor_root(mixed_rod *rod, double xx, double xy, double xt, double yy, double yt, double tt)
{
    double l10 = xy / xx, l20 = xt / xx;
    double d1 = yy - l10 * xy;
    double l21 = (yt - l20 * xy) / d1;
    double d2 = tt - l20 * xt - l21 * (yt - l20 * xy);
    double root[6] = {l10, l20, l21, 1.0 / xx, 1.0 / d1, 1.0 / d2};
    memcpy(rod->root, root, sizeof root);
    return xx > 0.0 && d1 > 0.0 && d2 > 0.0;
}

/* False: not positive definite, or not finite. */
static bool sweep(mixed_rod *mixed, const cst_circle_step *step)
{
    cst_super_circle *rod = &mixed->super;
    double xx = 0.0, xy = 0.0, xt = 0.0, yy = 0.0, yt = 0.0, tt = 0.0; /* P */
    double least = INFINITY;
    cst_plane push = {0.0, 0.0};
    double moment = 0.0;
    for (int i = rod->elements - 1; i >= 0; --i) {
        cst_circle_dynamics d = cst_circle_dynamics_of(rod, step, i);
        double l = rod->material[i].length;
        const cst_plane *turn = &d.joint.turn, *bend = &d.joint.bend;

        /* Columns theta and kappa of P F. */
        double turn_x = xx * turn->x + xy * turn->y + xt, turn_y = xy * turn->x + yy * turn->y + yt;
        double turn_t = xt * turn->x + yt * turn->y + tt;
        double bend_x = xx * bend->x + xy * bend->y + xt * l, bend_y = xy * bend->x + yy * bend->y + yt * l;
        double bend_t = xt * bend->x + yt * bend->y + tt * l;

        double b03 = d.A.bend.x + bend_x, b13 = d.A.bend.y + bend_y;
        double b23 = d.A.turn_bend + turn->x * bend_x + turn->y * bend_y + bend_t;
        double b33 = d.A.bend_bend + bend->x * bend_x + bend->y * bend_y + l * bend_t;
        least = b33 < least ? b33 : least;
        double inverse = 1.0 / b33, k0 = b03 * inverse, k1 = b13 * inverse, k2 = b23 * inverse;
        mixed->factor[i] = (factor){d.joint, l, {k0, k1, k2}, inverse};
        mixed->dynamics[i] = d.A;

        xt = d.A.turn.x + turn_x - k0 * b23;
        yt = d.A.turn.y + turn_y - k1 * b23;
        tt = d.A.turn_turn + turn->x * turn_x + turn->y * turn_y + turn_t - k2 * b23;
        xx = d.A.m + xx - k0 * b03;
        xy = xy - k0 * b13;
        yy = d.A.m + yy - k1 * b13;

        double *b = rod->rhs + 4 * (size_t)i;
        b[0] = d.rhs.xy.x;
        b[1] = d.rhs.xy.y;
        b[2] = d.rhs.theta;
        b[3] = d.rhs.kappa;
        moment += d.rhs.theta + cst_plane_dot(*turn, push);
        push = cst_plane_sum(push, d.rhs.xy);
    }
    rod->root_rhs[0] = push.x;
    rod->root_rhs[1] = push.y;
    rod->root_rhs[2] = moment;
    bool positive = least > 0.0 && isfinite(push.x) && isfinite(push.y) && isfinite(moment);
    if (!rod->clamped)
        positive = factor_root(mixed, xx, xy, xt, yy, yt, tt) && positive;
    return positive;
}

static bool mixed_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    mixed_rod *mixed = self;
    cst_super_circle *rod = &mixed->super;
    cst_circle_linearise(rod, frame, guess);
    const cst_circle_step step = cst_circle_step_of(rod, frame);
    bool positive = sweep(mixed, &step);
    if (!positive && cst_circle_stiffen_only(rod))
        positive = sweep(mixed, &step);
    cst_circle_forget_stiffness(rod);
    if (!positive)
        snprintf(message, message_size, "the dynamics of a rod of %d elements are not positive definite or not finite",
                 rod->elements);
    return positive;
}

static bool mixed_solve(void *self, double *x)
{
    const mixed_rod *mixed = self;
    int n = mixed->super.elements;
    double g0 = 0.0, g1 = 0.0, g2 = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        const factor *f = &mixed->factor[i];
        double *xi = x + 4 * (size_t)i;
        double r2 = xi[2] + f->joint.turn.x * g0 + f->joint.turn.y * g1 + g2;
        double r3 = xi[3] + f->joint.bend.x * g0 + f->joint.bend.y * g1 + f->length * g2;
        g0 = xi[0] + g0 - f->gain[0] * r3;
        g1 = xi[1] + g1 - f->gain[1] * r3;
        g2 = r2 - f->gain[2] * r3;
        xi[3] = r3 * f->inverse;
    }
    double v0 = 0.0, v1 = 0.0, v2 = 0.0;
    if (!mixed->super.clamped) {
        const double *L = mixed->root;
        double c1 = g1 - L[0] * g0, c2 = g2 - L[1] * g0 - L[2] * c1;
        v2 = c2 * L[5];
        v1 = c1 * L[4] - L[2] * v2;
        v0 = g0 * L[3] - L[0] * v1 - L[1] * v2;
    }
    for (int i = 0; i < n; ++i) {
        const factor *f = &mixed->factor[i];
        double *xi = x + 4 * (size_t)i;
        double rate = xi[3] - f->gain[0] * v0 - f->gain[1] * v1 - f->gain[2] * v2;
        xi[0] = v0;
        xi[1] = v1;
        xi[2] = v2;
        xi[3] = rate;
        v0 += f->joint.turn.x * v2 + f->joint.bend.x * rate;
        v1 += f->joint.turn.y * v2 + f->joint.bend.y * rate;
        v2 += f->length * rate;
    }
    return isfinite(v0) && isfinite(v1) && isfinite(v2);
}

/* A_i x_i - f_i of one element, and the sizes of its terms. */
static void element_defect(const cst_circle_mass *A, const double *x, const double *f, double *defect, double *terms)
{
    const cst_circle_quad v = {.xy = {x[0], x[1]}, .theta = x[2], .kappa = x[3]};
    const cst_circle_quad out = cst_circle_mass_times(A, v);
    const double row[4][4] = {{A->m, 0.0, A->turn.x, A->bend.x},
                              {0.0, A->m, A->turn.y, A->bend.y},
                              {A->turn.x, A->turn.y, A->turn_turn, A->turn_bend},
                              {A->bend.x, A->bend.y, A->turn_bend, A->bend_bend}};
    const double product[4] = {out.xy.x, out.xy.y, out.theta, out.kappa};
    for (int k = 0; k < 4; ++k) {
        defect[k] = product[k] - f[k];
        terms[k] = fabs(f[k]);
        for (int j = 0; j < 4; ++j)
            terms[k] += fabs(row[k][j] * x[j]);
    }
}

/* x from its root and its rates of curvature, as the joints let the elements move; then A_i x_i - f_i, from the free end on, seen by
 * the root and by the rates: F^T (A x - f), which is what the joints do not carry. */
static bool mixed_defect(void *self, double *x, const double *f, double *defect, double *terms)
{
    const mixed_rod *mixed = self;
    const int n = mixed->super.elements;
    double v[3] = {0.0, 0.0, 0.0};
    if (!mixed->super.clamped)
        memcpy(v, x, sizeof v);
    for (int i = 0; i < n; ++i) {
        const factor *joint = &mixed->factor[i];
        double *xi = x + 4 * (size_t)i;
        memcpy(xi, v, sizeof v);
        element_defect(&mixed->dynamics[i], xi, f + 4 * (size_t)i, defect + 4 * (size_t)i, terms + 4 * (size_t)i);
        v[0] += joint->joint.turn.x * xi[2] + joint->joint.bend.x * xi[3];
        v[1] += joint->joint.turn.y * xi[2] + joint->joint.bend.y * xi[3];
        v[2] += joint->length * xi[3];
    }
    double g[3] = {0.0, 0.0, 0.0}, size = 0.0, moment_size = 0.0; /* impulse and moment of what follows */
    for (int i = n - 1; i >= 0; --i) {
        const cst_plane turn = mixed->factor[i].joint.turn, bend = mixed->factor[i].joint.bend;
        const double l = mixed->factor[i].length;
        double *d = defect + 4 * (size_t)i, *t = terms + 4 * (size_t)i;
        d[3] += bend.x * g[0] + bend.y * g[1] + l * g[2];
        t[3] += hypot(bend.x, bend.y) * size + l * moment_size;
        g[2] += d[2] + turn.x * g[0] + turn.y * g[1];
        moment_size += t[2] + hypot(turn.x, turn.y) * size;
        g[0] += d[0];
        g[1] += d[1];
        size += hypot(t[0], t[1]);
        memset(d, 0, sizeof g);
    }
    if (!mixed->super.clamped) {
        memcpy(defect, g, sizeof g);
        terms[0] = terms[1] = size;
        terms[2] = moment_size;
    }
    return true;
}

static void mixed_describe(void *self, cst_body *out)
{
    *out = (cst_body){.kind = CST_BODY_SOLVE,
                      .size = mixed_dofs(self),
                      .solve = mixed_solve,
                      .defect = mixed_defect,
                      .user = self,
                      .rhs = ((cst_super_circle *)self)->rhs};
}

static void mixed_point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    cst_circle_point point = cst_circle_point_motion(self, at, out);
    const double j[8] = {1.0, 0.0, point.turn.x, point.bend.x, 0.0, 1.0, point.turn.y, point.bend.y};
    const double j_turn[4] = {0.0, 0.0, 1.0, at->s};
    out->dofs = 4;
    for (int k = 0; k < 4; ++k)
        out->dof[k] = 4 * at->feature + k;
    memcpy(out->j, j, sizeof j);
    memcpy(out->j_turn, j_turn, sizeof j_turn);
}

/* Of the elements where they were linearised; relative to the motion with a clamped root. */
static void mixed_velocities(const void *self, double *v)
{
    const cst_super_circle *rod = self;
    const double none[3] = {0.0, 0.0, 0.0}, *root = rod->clamped ? rod->root_rate : none;
    for (int i = 0; i < rod->elements; ++i) {
        const cst_circle_element *e = &rod->linear[i];
        cst_plane arm = cst_plane_difference(e->start, rod->linear[0].start);
        v[4 * i] = e->velocity.x - (root[0] - root[2] * arm.y);
        v[4 * i + 1] = e->velocity.y - (root[1] + root[2] * arm.x);
        v[4 * i + 2] = e->turn - root[2];
        v[4 * i + 3] = rod->rate[i];
    }
}

static bool mixed_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance,
                              int *iterations, char *message, size_t message_size)
{
    return cst_circle_equilibrium(self, CST_CIRCLE_HESSIAN_SWEPT, frame, load, loads, tolerance, iterations, message,
                                  message_size);
}

static const cst_body_dynamics mixed_dynamics = {.dofs = mixed_dofs,
                                                 .place = cst_circle_place,
                                                 .assemble = mixed_assemble,
                                                 .rhs = cst_circle_rhs,
                                                 .solve = mixed_solve,
                                                 .describe = mixed_describe,
                                                 .velocities = mixed_velocities,
                                                 .motion = cst_circle_motion,
                                                 .push = cst_circle_push,
                                                 .roll = cst_circle_roll,
                                                 .finish = cst_circle_finish,
                                                 .energy = cst_circle_energy,
                                                 .work = cst_circle_work};

static const cst_body_places mixed_places = {.point_dofs = mixed_point_dofs,
                                             .locate = cst_circle_locate,
                                             .touched = cst_touched_centreline,
                                             .point = mixed_point,
                                             .velocity = cst_circle_velocity,
                                             .position = cst_circle_position};

static const cst_body_class mixed_class = {.name = "super-circle, mixed",
                                           .dynamics = &mixed_dynamics,
                                           .state = &cst_circle_state,
                                           .places = &mixed_places,
                                           .surface = &cst_circle_surface,
                                           .look = &cst_circle_look,
                                           .equilibrium = mixed_equilibrium,
                                           .destroy = cst_circle_destroy};

size_t cst_circle_mixed_bytes(void)
{
    return sizeof(mixed_rod);
}

bool cst_circle_mixed_begin(cst_super_circle *rod, cst_body_model *out)
{
    mixed_rod *mixed = (mixed_rod *)rod;
    mixed->factor = CST_TAKE(&rod->arena, factor, rod->elements);
    mixed->dynamics = CST_TAKE(&rod->arena, cst_circle_mass, rod->elements);
    rod->rhs = CST_TAKE(&rod->arena, double, 4 * (size_t)rod->elements);
    rod->rate_first = 3;
    rod->rate_stride = 4;
    *out = (cst_body_model){&mixed_class, rod};
    return !rod->arena.failed;
}
