/* Mixed formulation of a super-circle rod: one sweep from the free end to the root and one sweep back solve the equations of a
 * step in O(n), for n elements.
 *
 * The unknowns are the velocities (x_i', y_i', theta_i', kappa_i') of every element i and the forces in the joints. The joint
 * matrix F_i maps the four velocities of element i to the motion of its end, where the next element starts. The 7 n equations of
 * n elements are solved by elimination from the free end (super_circle_riccati.h).
 *
 * Without geometric stiffness every pivot of the elimination is positive: the bending stiffness keeps a pivot positive where the
 * mass matrix is nearly singular. The linear map from impulses on the elements to the resulting velocities of the elements is
 * symmetric and positive semi-definite, so the contribution of the rod to the Delassus matrix is, too.
 *
 * For each element, assembly and factorisation take about 290 flops, and write 200 bytes, of which 72 are the factor. For each
 * element, a solution takes 45 flops and reads 72 bytes of the factor; it reads and writes the solution vector twice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/rod_class.h"
#include "rod/super_circle_rod.h"
#include "rod/super_circle_statics.h"

typedef struct mixed_rod {
    cst_super_circle super;    /* during the step, the array super.factor contains the factors of the matrix of the step */
    cst_circle_mass *dynamics; /* array (elements): matrix of each element in the equations of the step */
    cst_circle_root_factor root;
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

/* Assembles the equations of the step and factors their matrix; returns false if the matrix is not positive definite, or if the
 * right-hand side is not finite. */
static bool sweep(mixed_rod *mixed, const cst_circle_step *step)
{
    cst_super_circle *rod = &mixed->super;
    cst_circle_inertia P = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double least = INFINITY;
    cst_plane push = {0.0, 0.0};
    double moment = 0.0;
    for (int i = rod->elements - 1; i >= 0; --i) {
        cst_circle_dynamics d = cst_circle_dynamics_of(rod, step, i);
        const double pivot = cst_circle_eliminate(&d.A, &d.joint, rod->material[i].length, &P, &rod->factor[i]);
        least = pivot < least ? pivot : least;
        mixed->dynamics[i] = d.A;

        double *b = rod->rhs + 4 * (size_t)i;
        b[0] = d.rhs.xy.x;
        b[1] = d.rhs.xy.y;
        b[2] = d.rhs.theta;
        b[3] = d.rhs.kappa;
        moment += d.rhs.theta + cst_plane_dot(d.joint.turn, push);
        push = cst_plane_sum(push, d.rhs.xy);
    }
    rod->root_rhs[0] = push.x;
    rod->root_rhs[1] = push.y;
    rod->root_rhs[2] = moment;
    bool positive = least > 0.0 && isfinite(push.x) && isfinite(push.y) && isfinite(moment);
    if (!rod->clamped)
        positive = cst_circle_factor_root(&P, &mixed->root) && positive;
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
    const cst_circle_factor *factor = mixed->super.factor;
    const int n = mixed->super.elements;
    double X[3] = {0.0, 0.0, 0.0};
    for (int i = n - 1; i >= 0; --i)
        cst_circle_reduce(&factor[i], x + 4 * (size_t)i, X);
    if (mixed->super.clamped)
        X[0] = X[1] = X[2] = 0.0;
    else
        cst_circle_solve_root(&mixed->root, X);
    for (int i = 0; i < n; ++i) {
        double *xi = x + 4 * (size_t)i, y = xi[3];
        memcpy(xi, X, sizeof X);
        xi[3] = cst_circle_substitute(&factor[i], y, X);
    }
    return isfinite(X[0]) && isfinite(X[1]) && isfinite(X[2]);
}

/* Computes the residual A x - f of the equations of one element, and the sum of the absolute values of the terms of each row. */
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

/* Computes the part of the residual A x - f of the step's equations that the forces in the joints cannot balance. The velocities
 * x are first computed from the motion of the root and the rates of curvature, so that they satisfy the joint equations. If x
 * satisfies the joint equations, the forces in the joints balance every part of the residual except the part that does work when
 * the root moves or a curvature changes. */
static bool mixed_defect(void *self, double *x, const double *f, double *defect, double *terms)
{
    const mixed_rod *mixed = self;
    const int n = mixed->super.elements;
    double v[3] = {0.0, 0.0, 0.0};
    if (!mixed->super.clamped)
        memcpy(v, x, sizeof v);
    for (int i = 0; i < n; ++i) {
        const cst_circle_factor *joint = &mixed->super.factor[i];
        double *xi = x + 4 * (size_t)i;
        memcpy(xi, v, sizeof v);
        element_defect(&mixed->dynamics[i], xi, f + 4 * (size_t)i, defect + 4 * (size_t)i, terms + 4 * (size_t)i);
        v[0] += joint->joint.turn.x * xi[2] + joint->joint.bend.x * xi[3];
        v[1] += joint->joint.turn.y * xi[2] + joint->joint.bend.y * xi[3];
        v[2] += joint->length * xi[3];
    }
    /* sum of the residuals of all elements after element i: impulse, and moment about the end of element i */
    double g[3] = {0.0, 0.0, 0.0}, size = 0.0, moment_size = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        const cst_plane turn = mixed->super.factor[i].joint.turn, bend = mixed->super.factor[i].joint.bend;
        const double l = mixed->super.factor[i].length;
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

/* Computes the velocities of all elements from the velocity of the root and the rates of curvature at the start of the step, in
 * the shape where the step is linearised. If the root is clamped, the computed velocities of the elements are relative to the
 * rigid motion of the whole rod with its root. */
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

CST_ROD_CLASS(cst_circle, mixed, "super-circle, mixed", mixed_point_dofs, cst_circle_roll, cst_circle_equilibrium, NULL);

size_t cst_circle_mixed_bytes(void)
{
    return sizeof(mixed_rod);
}

bool cst_circle_mixed_begin(cst_super_circle *rod, cst_body_model *out)
{
    mixed_rod *mixed = (mixed_rod *)rod;
    mixed->dynamics = CST_TAKE(&rod->arena, cst_circle_mass, rod->elements);
    rod->rhs = CST_TAKE(&rod->arena, double, 4 * (size_t)rod->elements);
    rod->rate_first = 3;
    rod->rate_stride = 4;
    rod->hessian = CST_CIRCLE_HESSIAN_SWEPT;
    *out = (cst_body_model){&mixed_class, rod};
    return !rod->arena.failed;
}
