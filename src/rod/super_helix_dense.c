/* Dense formulation of a super helix (a rod of helical elements), for rods with few elements: the dofs are the velocities of the
 * root and the rates of curvature of all elements.
 *
 * The system matrix of the time step is computed by the method of composite rigid bodies (Featherstone, Rigid Body Dynamics
 * Algorithms, chapter 6), with one sweep from the free end. When only the curvatures of one element change, all elements after it
 * move as one rigid body, which has a mass, a first moment and a second moment about the end of the element.
 *
 * To give the curvatures of element i unit rates while its start stays at rest, the impulse v_i and the moment w_i must act at
 * this start. If element j is nearer to the root than element i, the block A_ij of the system matrix is the work of the impulse
 * v_i and the moment w_i when only the curvatures of element j change, at unit rates. If only the curvatures of element j change,
 * all elements after it move rigidly with its end, so the block A_ij of the system matrix is:
 *     `A_ij = v_i^T*(RG)_j+(w_i+hat(r_i-r_{j+1})*v_i)^T*(RV)_j`.
 *
 * Symbols:
 *     `r_i`: start of element i.
 *     `v_i`: impulses at the start of element i, one column for each of its three curvatures.
 *     `w_i`: moments at the start of element i, one column for each of its three curvatures.
 *     `R G`: velocities of an element's end, with its start at rest, one column for a unit rate of each of its curvatures.
 *     `R V`: angular velocities of an element's end, with its start at rest, one column for a unit rate of each curvature.
 *     `R`: frame of an element.
 *     `G`, `V`: matrices of super_helix_maps.h.
 *
 * The dofs are ordered from the free end to the root. A contact acts only on the root and on the curvatures of the elements
 * between the root and the contact, so these dofs are the last ones. The half solve L^-1 H^T of a contact (friction/half.h), with
 * the Cholesky factor L of the system matrix and the contact Jacobian H, has zero rows above the first dof on which the contact
 * acts. The friction solver does not store the zero rows of half solves, so this order of the dofs keeps half solves short.
 *
 * The system matrix is factored when it is assembled, and the friction solver gets the matrix with its factor. With n elements
 * there are 3 n dofs if the root is clamped, and 3 n + 6 if it is free. A time step of n elements costs 3500 n flops for the
 * terms of the single elements, 60 n^2 for the system matrix and 9 n^3 for its factorisation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/dense_form.h"
#include "rod/rod_class.h"
#include "rod/super_helix_rod.h"

typedef struct dense_rod {
    cst_super_helix super;
    int root_dofs; /* 6, or 0 if clamped */
    cst_dense_form form;
} dense_rod;

static int dense_dofs(const void *self)
{
    const dense_rod *rod = self;
    return 3 * rod->super.elements + rod->root_dofs;
}

/* All elements after a given element, as one rigid body: mass, first and second moments of mass about the end of the given
 * element, and the impulse and the moment on the body. */
typedef struct composite {
    double m, first[3], second[9];
    double push[3], moment[3];
} composite;

/* Moves the reference point of the composite rigid body from the end to the start of an element with the chord vector c, and adds
 * the element to the body. */
static void take_in(composite *all, const cst_helix_mass *A, const cst_helix_nonad *rhs, const double *c)
{
    const double along = 2.0 * cst_dot3(c, all->first) + all->m * cst_dot3(c, c);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            all->second[3 * i + j] +=
                A->ww[3 * i + j] + (i == j ? along : 0.0) - all->first[i] * c[j] - c[i] * all->first[j] - all->m * c[i] * c[j];
    }
    cst_add3(all->m, c, all->first);
    cst_add3(1.0, A->first, all->first);
    all->m += A->m;
    cst_add_cross3(c, all->push, all->moment);
    cst_add3(1.0, rhs->w, all->moment);
    cst_add3(1.0, rhs->v, all->push);
}

/* Writes a 3 x 3 block to the columns `at` to `at` + 2 of three matrix rows with `dofs` entries each. */
static void put(const double *block, double *rows, int dofs, int at)
{
    for (int k = 0; k < 9; ++k)
        rows[(k / 3) * dofs + at + k % 3] = block[k];
}

/* Fills the columns of the lower triangle of the system matrix for the three curvatures of element i. `v`, `w`: the matrices v_i
 * and w_i (impulses and moments) of element i. */
static void fill_columns(dense_rod *dense, int i, const double *v, const double *w, const double *uu)
{
    const cst_super_helix *rod = &dense->super;
    const cst_helix_element *e = rod->linear;
    const int dofs = dense_dofs(dense), column = rod->rate_first + i * rod->rate_stride;
    double *M = dense->form.matrix, arm[3];
    put(uu, M + (size_t)column * (size_t)dofs, dofs, column);
    if (dense->root_dofs > 0) {
        double about[9], *row = M + (size_t)rod->root_first * (size_t)dofs;
        memcpy(about, w, sizeof about);
        cst_subtract3(e[i].start, e[0].start, arm);
        cst_add_hat_product3(arm, v, about);
        put(v, row, dofs, column);
        put(about, row + 3 * dofs, dofs, column);
    }
    for (int j = 0; j < i; ++j) {
        double about[9], by_bend[9], by_turning[9];
        memcpy(about, w, sizeof about);
        cst_subtract3(e[i].start, e[j + 1].start, arm);
        cst_add_hat_product3(arm, v, about);
        cst_transposed_product3(e[j].joint.bend, v, by_bend);
        cst_transposed_product3(e[j].joint.turning, about, by_turning);
        for (int k = 0; k < 9; ++k)
            by_bend[k] += by_turning[k];
        put(by_bend, M + (size_t)(rod->rate_first + j * rod->rate_stride) * (size_t)dofs, dofs, column);
    }
}

/* Assembles the system matrix and the right-hand side of the time step. Returns false if the right-hand side or the inertia of
 * the rod is not finite. */
static bool assemble(dense_rod *dense, const cst_helix_step *step)
{
    cst_super_helix *rod = &dense->super;
    const int dofs = dense_dofs(dense);
    composite all = {0};
    for (int i = rod->elements - 1; i >= 0; --i) {
        const cst_helix_joint *F = &rod->linear[i].joint;
        cst_helix_mass A;
        cst_helix_nonad rhs;
        cst_helix_dynamics_of(rod, step, i, &A, &rhs);

        double v[9], w[9], by_bend[9], by_turning[9], force[3], couple[3];
        const double opposite[3] = {-all.first[0], -all.first[1], -all.first[2]};
        for (int k = 0; k < 9; ++k)
            v[k] = all.m * F->bend[k];
        cst_add_hat_product3(opposite, F->turning, v);
        cst_product3(all.second, F->turning, w);
        cst_add_hat_product3(all.first, F->bend, w);
        cst_transposed_product3(F->bend, v, by_bend);
        cst_transposed_product3(F->turning, w, by_turning);
        for (int k = 0; k < 9; ++k)
            A.uu[k] += by_bend[k] + by_turning[k];
        cst_add_hat_product3(F->chord, v, w);
        for (int k = 0; k < 9; ++k) {
            v[k] += A.vu[k];
            w[k] += A.wu[k];
        }
        fill_columns(dense, i, v, w, A.uu);

        cst_apply_transposed3(F->bend, all.push, force);
        cst_apply_transposed3(F->turning, all.moment, couple);
        for (int k = 0; k < 3; ++k)
            rod->rhs[rod->rate_first + i * rod->rate_stride + k] = rhs.u[k] + force[k] + couple[k];
        take_in(&all, &A, &rhs, F->chord);
    }
    if (dense->root_dofs > 0) {
        double *row = dense->form.matrix + (size_t)rod->root_first * (size_t)dofs;
        const double *f = all.first, hat[9] = {0.0, -f[2], f[1], f[2], 0.0, -f[0], -f[1], f[0], 0.0};
        const double mass[9] = {all.m, 0.0, 0.0, 0.0, all.m, 0.0, 0.0, 0.0, all.m};
        put(mass, row, dofs, rod->root_first);
        put(hat, row + 3 * dofs, dofs, rod->root_first);
        put(all.second, row + 3 * dofs, dofs, rod->root_first + 3);
        memcpy(rod->rhs + rod->root_first, all.push, sizeof all.push);
        memcpy(rod->rhs + rod->root_first + 3, all.moment, sizeof all.moment);
    }
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
        sum += all.push[k] + all.moment[k] + all.second[4 * k];
    return isfinite(sum);
}

static bool dense_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    dense_rod *dense = self;
    cst_super_helix *rod = &dense->super;
    cst_helix_linearise(rod, frame, guess);
    const cst_helix_step step = cst_helix_step_of(rod, frame);
    bool finite = assemble(dense, &step);
    cst_dense_form_factor(&dense->form);
    if (guess && finite && !dense->form.factored && cst_helix_stiffen_less(rod, frame->quasi_static)) {
        finite = assemble(dense, &step);
        cst_dense_form_factor(&dense->form);
    }
    if (!finite)
        snprintf(message, message_size, "the dynamics of a fiber of %d elements are not finite", rod->elements);
    return finite;
}

static bool dense_solve(void *self, double *x)
{
    return cst_dense_form_solve(&((const dense_rod *)self)->form, x);
}

static void dense_describe(void *self, cst_body *out)
{
    const dense_rod *dense = self;
    *out = cst_dense_form_body(&dense->form, dense->super.rhs);
}

static void dense_point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    static const double zero[9] = {0.0}, one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const dense_rod *dense = self;
    const cst_super_helix *rod = &dense->super;
    const int bent = 3 * (at->feature + 1), dofs = bent + dense->root_dofs;
    cst_helix_point point;
    double arm[3];
    cst_helix_point_motion(rod, at, &point, out);
    out->dofs = dofs;
    for (int k = 0; k < dofs; ++k)
        out->dof[k] = rod->rate_first + at->feature * rod->rate_stride + k;
    put(point.joint.bend, out->j, dofs, 0);
    put(point.joint.turning, out->j_turn, dofs, 0);
    for (int j = 0; j < at->feature; ++j) {
        const cst_helix_joint *F = &rod->linear[j].joint;
        double bend[9];
        memcpy(bend, F->bend, sizeof bend);
        cst_subtract3(rod->linear[j + 1].start, point.position, arm);
        cst_add_hat_product3(arm, F->turning, bend); /* - hat(r - r_{j+1}) R V */
        put(bend, out->j, dofs, 3 * (at->feature - j));
        put(F->turning, out->j_turn, dofs, 3 * (at->feature - j));
    }
    if (dense->root_dofs > 0) {
        cst_subtract3(point.position, rod->linear[0].start, arm);
        const double turned[9] = {0.0, arm[2], -arm[1], -arm[2], 0.0, arm[0], arm[1], -arm[0], 0.0}; /* -hat(arm) */
        put(one, out->j, dofs, bent);
        put(turned, out->j, dofs, bent + 3);
        put(zero, out->j_turn, dofs, bent);
        put(one, out->j_turn, dofs, bent + 3);
    }
}

static void dense_velocities(const void *self, double *v)
{
    const dense_rod *dense = self;
    const cst_super_helix *rod = &dense->super;
    for (int i = 0; i < rod->elements; ++i)
        memcpy(v + rod->rate_first + i * rod->rate_stride, rod->rate + 3 * i, 3 * sizeof *v);
    memcpy(v + rod->root_first, rod->root_rate, sizeof(double) * (size_t)dense->root_dofs);
}

CST_ROD_CLASS(cst_helix, dense, "super-helix, dense", dense_dofs, NULL, cst_helix_equilibrium, cst_helix_fetch);

size_t cst_helix_dense_bytes(void)
{
    return sizeof(dense_rod);
}

bool cst_helix_dense_begin(cst_super_helix *rod, cst_body_model *out)
{
    dense_rod *dense = (dense_rod *)rod;
    cst_arena *arena = &rod->arena;
    dense->root_dofs = rod->clamped ? 0 : 6;
    const int dofs = dense_dofs(dense);
    rod->rhs = CST_TAKE(arena, double, dofs);
    rod->rate_first = 3 * (rod->elements - 1);
    rod->rate_stride = -3;
    rod->root_first = 3 * rod->elements;
    *out = (cst_body_model){&dense_class, rod};
    return !arena->failed && cst_dense_form_begin(&dense->form, dofs, arena);
}
