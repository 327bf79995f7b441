/* Sweep formulation of super helices: every element has 9 dofs, the velocity and the angular velocity of its start and its rates
 * of curvature. The joints couple neighbouring elements, and the elimination of super_helix_riccati.h solves the linear system of
 * a step.
 *
 * Without geometric stiffness, every pivot block of the elimination is positive definite: where the mass matrix is nearly
 * singular, the stiffness dt^2 K keeps the block positive definite. The linear map from impulses on the elements to the resulting
 * velocities of the elements is symmetric and positive semi-definite, so the contribution of the rod to the Delassus matrix is,
 * too. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/rod_class.h"
#include "rod/super_helix_riccati.h"
#include "rod/super_helix_rod.h"

static int sweep_dofs(const void *self)
{
    return 9 * ((const cst_super_helix *)self)->elements;
}

static int sweep_point_dofs(const void *self)
{
    (void)self;
    return 9;
}

/* Computes and factors the system matrix of a step, and computes the right-hand side. Returns false if the matrix is not positive
 * definite or the right-hand side is not finite. */
static bool assemble(cst_super_helix *rod, const cst_helix_step *step)
{
    cst_helix_inertia P = {{0.0}, {0.0}, {0.0}};
    double least = INFINITY, push[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0};
    for (int i = rod->elements - 1; i >= 0; --i) {
        const cst_helix_joint *F = &rod->linear[i].joint;
        cst_helix_mass *A = &rod->dynamics[i];
        cst_helix_nonad rhs;
        cst_helix_dynamics_of(rod, step, i, A, &rhs);
        const double pivot = cst_helix_eliminate(A, F, &P, &rod->factor[i]);
        if (!(pivot >= least))
            least = pivot;
        memcpy(rod->rhs + 9 * (size_t)i, &rhs, sizeof rhs);
        cst_add_cross3(F->chord, push, moment);
        cst_add3(1.0, rhs.w, moment);
        cst_add3(1.0, rhs.v, push);
    }
    bool positive = least > 0.0;
    for (int k = 0; k < 3; ++k)
        positive = positive && isfinite(push[k]) && isfinite(moment[k]);
    return positive && (rod->clamped || cst_helix_factor_root(&P, &rod->root_factor));
}

static bool sweep_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    cst_super_helix *rod = self;
    cst_helix_linearise(rod, frame, guess);
    const cst_helix_step step = cst_helix_step_of(rod, frame);
    bool positive = assemble(rod, &step);
    if (!positive && cst_helix_stiffen_less(rod, frame->quasi_static))
        positive = assemble(rod, &step);
    if (!positive)
        snprintf(message, message_size, "the dynamics of a fiber of %d elements are not positive definite or not finite",
                 rod->elements);
    return positive;
}

static bool sweep_solve(void *self, double *x)
{
    const cst_super_helix *rod = self;
    return cst_helix_riccati_solve(rod->factor, rod->elements, rod->clamped ? NULL : &rod->root_factor, x);
}

/* Computes for each of the 9 equations of one element an upper bound of the sum of the absolute values of its terms. The upper
 * bound of a cross product is the product of the norms of its two vectors. */
static void element_terms(const cst_helix_mass *A, const cst_helix_nonad *x, const double *f, double *terms)
{
    const double first = sqrt(cst_dot3(A->first, A->first));
    const double by_turning = first * sqrt(cst_dot3(x->w, x->w)), by_moving = first * sqrt(cst_dot3(x->v, x->v));
    for (int k = 0; k < 3; ++k) {
        double v = A->m * fabs(x->v[k]) + by_turning, w = by_moving, u = 0.0;
        for (int j = 0; j < 3; ++j) {
            v += fabs(A->vu[3 * k + j] * x->u[j]);
            w += fabs(A->ww[3 * k + j] * x->w[j]) + fabs(A->wu[3 * k + j] * x->u[j]);
            u += fabs(A->vu[3 * j + k] * x->v[j]) + fabs(A->wu[3 * j + k] * x->w[j]) + fabs(A->uu[3 * k + j] * x->u[j]);
        }
        terms[k] = v + fabs(f[k]);
        terms[3 + k] = w + fabs(f[3 + k]);
        terms[6 + k] = u + fabs(f[6 + k]);
    }
}

/* Norm of column k. */
static double column_size(const double *m, int k)
{
    return sqrt(m[k] * m[k] + m[3 + k] * m[3 + k] + m[6 + k] * m[6 + k]);
}

/* Computes the residual A x - f of the equations of a step, without the part that joint forces balance. Symbols:
 *     `A`, `f`: matrix and right-hand side of all elements, without joint forces.
 *     `x`: velocities of all elements.
 *     `F`: matrix from the motion of the root and the rates of curvature to the velocities of all elements.
 *
 * First, the velocities x are computed anew from the motion of the root and the rates of curvature in x, so that x satisfies the
 * joint equations. A sweep from the free end of the rod then computes the part of the residual that joint forces cannot balance:
 *     `F^T*(A*x-f)`. */
static bool sweep_defect(void *self, double *x, const double *f, double *defect, double *terms)
{
    const cst_super_helix *rod = self;
    const int n = rod->elements;
    cst_helix_nonad node = {{0.0}, {0.0}, {0.0}}, product;
    if (!rod->clamped)
        node = cst_helix_node_of(x);
    for (int i = 0; i < n; ++i) {
        const size_t at = 9 * (size_t)i;
        memcpy(node.u, x + at + 6, sizeof node.u);
        memcpy(x + at, &node, sizeof node);
        cst_helix_mass_times(&rod->dynamics[i], &node, &product);
        memcpy(defect + at, &product, sizeof product);
        for (int k = 0; k < 9; ++k)
            defect[at + (size_t)k] -= f[at + (size_t)k];
        element_terms(&rod->dynamics[i], &node, f + at, terms + at);
        cst_helix_joint_times(&rod->linear[i].joint, &node);
    }
    double push[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0}, size = 0.0, moment_size = 0.0; /* of the elements after i */
    for (int i = n - 1; i >= 0; --i) {
        const cst_helix_joint *F = &rod->linear[i].joint;
        double *d = defect + 9 * (size_t)i, *t = terms + 9 * (size_t)i, force[3], couple[3];
        cst_apply_transposed3(F->bend, push, force);
        cst_apply_transposed3(F->turning, moment, couple);
        for (int k = 0; k < 3; ++k) {
            d[6 + k] += force[k] + couple[k];
            t[6 + k] += column_size(F->bend, k) * size + column_size(F->turning, k) * moment_size;
        }
        cst_add_cross3(F->chord, push, moment);
        cst_add3(1.0, d + 3, moment);
        cst_add3(1.0, d, push);
        moment_size += sqrt(cst_dot3(F->chord, F->chord)) * size + sqrt(cst_dot3(t + 3, t + 3));
        size += sqrt(cst_dot3(t, t));
        memset(d, 0, 6 * sizeof *d);
    }
    for (int k = 0; k < 3 && !rod->clamped; ++k) {
        defect[k] = push[k];
        defect[3 + k] = moment[k];
        terms[k] = size;
        terms[3 + k] = moment_size;
    }
    return true;
}

static void sweep_describe(void *self, cst_body *out)
{
    *out = (cst_body){.kind = CST_BODY_SOLVE,
                      .size = sweep_dofs(self),
                      .solve = sweep_solve,
                      .defect = sweep_defect,
                      .user = self,
                      .rhs = ((cst_super_helix *)self)->rhs};
}

static void sweep_point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    cst_helix_point point;
    cst_helix_point_motion(self, at, &point, out);
    const double *c = point.joint.chord, turned[9] = {0.0, c[2], -c[1], -c[2], 0.0, c[0], c[1], -c[0], 0.0}; /* -hat(c) */
    out->dofs = 9;
    for (int k = 0; k < 9; ++k)
        out->dof[k] = 9 * at->feature + k;
    for (int k = 0; k < 9; ++k) {
        const int row = 9 * (k / 3), column = k % 3;
        out->j[row + column] = out->j_turn[row + 3 + column] = k % 4 == 0 ? 1.0 : 0.0;
        out->j_turn[row + column] = 0.0;
        out->j[row + 3 + column] = turned[k];
        out->j[row + 6 + column] = point.joint.bend[k];
        out->j_turn[row + 6 + column] = point.joint.turning[k];
    }
}

/* Computes the velocities of all elements at the start of the step, for the shape where the step is linearised. If the root is
 * clamped, the velocities that the elements would have in a rigid motion of the rod with its root are subtracted. */
static void sweep_velocities(const void *self, double *v)
{
    const cst_super_helix *rod = self;
    static const double none[6] = {0.0};
    const double *root = rod->clamped ? rod->root_rate : none;
    for (int i = 0; i < rod->elements; ++i) {
        const cst_helix_element *e = &rod->linear[i];
        double arm[3], carried[3], *vi = v + 9 * (size_t)i;
        cst_subtract3(e->start, rod->linear[0].start, arm);
        cst_cross3(root + 3, arm, carried);
        for (int k = 0; k < 3; ++k) {
            vi[k] = e->velocity[k] - root[k] - carried[k];
            vi[3 + k] = e->turn[k] - root[3 + k];
            vi[6 + k] = rod->rate[3 * i + k];
        }
    }
}

CST_ROD_CLASS(cst_helix, sweep, "super-helix, sweep", sweep_point_dofs, NULL, cst_helix_equilibrium, cst_helix_fetch);

size_t cst_helix_sweep_bytes(void)
{
    return sizeof(cst_super_helix);
}

bool cst_helix_sweep_begin(cst_super_helix *rod, cst_body_model *out)
{
    cst_arena *arena = &rod->arena;
    rod->rhs = CST_TAKE(arena, double, 9 * (size_t)rod->elements);
    rod->dynamics = CST_TAKE(arena, cst_helix_mass, rod->elements);
    rod->rate_first = 6;
    rod->rate_stride = 9;
    rod->root_first = 0;
    *out = (cst_body_model){&sweep_class, rod};
    return !arena->failed;
}
