/* Chained formulation of a super-circle rod: the dofs are the motion of the root and the rates of curvature, and the matrix is
 * dense.
 *
 * The matrix is computed by the method of composite rigid bodies (Featherstone, Rigid Body Dynamics Algorithms, chapter 6). To
 * give the curvature of element i a unit rate while its start stays at rest, the linear and angular impulse u_i must act at this
 * start. If only the curvature of element i changes, all following elements move rigidly with its end. If element j is nearer to
 * the root than element i, the entry A_ij of the matrix of the step is the work of the impulse u_i when only the curvature of
 * element j changes, at unit rate.
 *
 * A sweep from the free end, where the inertia C is zero, computes for each element i the impulse u_i and the diagonal entry A_ii
 * of the matrix of the step:
 *     `u_i = A_rk+F_r^T*C*F_k`.
 *     `A_ii = A_kk+F_k^T*C*F_k`.
 *     `C <- A_rr+F_r^T*C*F_r`.
 *
 * Symbols:
 *     Index `r` of A or F: rows or columns for the motion of the element's start.
 *     Index `k` of A or F: row or column for the curvature of the element.
 *     `A`: matrix of one element.
 *     `F`: joint matrix of one element.
 *     `C`: inertia of all elements after element i.
 *
 * The matrix of the step is factored when it is assembled, and the friction solver gets the matrix with its factor. A step of n
 * elements costs 400 n flops for the elements, 5 n^2 for the matrix and n^3/3 for the factor. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/dense_form.h"
#include "rod/rod_class.h"
#include "rod/super_circle_rod.h"
#include "rod/super_circle_statics.h"

typedef struct chained_rod {
    cst_super_circle super;
    int root_dofs; /* 3, or 0 if clamped */
    cst_dense_form form;
    /* `bend_x`, `bend_y`: derivative of the end point of each element with respect to its curvature.
     * `length`: length of each element.
     * `end_x`, `end_y`: end point of each element.
     * Five separate arrays, with one number per element, make the loops over matrix rows fast. */
    double *bend_x, *bend_y, *length, *end_x, *end_y;
} chained_rod;

static int chained_dofs(const void *self)
{
    const chained_rod *rod = self;
    return rod->super.elements + rod->root_dofs;
}

/* Fills the entries left of the diagonal in the row of element i of the matrix of the step. `push`, `moment`: the linear and the
 * angular part of the impulse u_i at the start of element i. */
static void fill_row(const chained_rod *chained, int i, cst_plane push, double moment, double *row)
{
    const cst_circle_element *e = &chained->super.linear[i];
    const double *bend_x = chained->bend_x, *bend_y = chained->bend_y, *length = chained->length;
    const double *end_x = chained->end_x, *end_y = chained->end_y;
    if (chained->root_dofs > 0) {
        cst_plane arm = cst_plane_difference(e->start, chained->super.linear[0].start);
        row[0] = push.x;
        row[1] = push.y;
        row[2] = moment + cst_plane_cross(arm, push);
    }
    double x = e->start.x, y = e->start.y;
    double *entry = row + chained->root_dofs;
    for (int j = 0; j < i; ++j) {
        double turning = moment + (x - end_x[j]) * push.y - (y - end_y[j]) * push.x;
        entry[j] = bend_x[j] * push.x + bend_y[j] * push.y + length[j] * turning;
    }
}

/* Assembles the matrix and the right-hand side of the step. Returns false if the right-hand side or the inertia of the rod is not
 * finite. */
static bool sweep(chained_rod *chained, const cst_circle_step *step)
{
    cst_super_circle *rod = &chained->super;
    int n = rod->elements, first = chained->root_dofs, dofs = n + first;
    for (int i = 0; i < n; ++i) {
        cst_circle_joint joint = cst_circle_joint_of(&rod->linear[i], rod->material[i].length);
        chained->bend_x[i] = joint.bend.x;
        chained->bend_y[i] = joint.bend.y;
        chained->end_x[i] = rod->linear[i + 1].start.x;
        chained->end_y[i] = rod->linear[i + 1].start.y;
    }
    double m = 0.0, xt = 0.0, yt = 0.0, tt = 0.0; /* entries of the inertia C of all elements after element i */
    cst_plane push = {0.0, 0.0};                  /* sum of the right-hand sides (impulses) of all elements after element i */
    double moment = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        cst_circle_dynamics d = cst_circle_dynamics_of(rod, step, i);
        double l = chained->length[i];
        cst_plane turn = d.joint.turn, bend = d.joint.bend;

        cst_plane bent = {m * bend.x + xt * l, m * bend.y + yt * l}; /* C F[:, 3] */
        double bent_turn = xt * bend.x + yt * bend.y + tt * l;
        double *row = chained->form.matrix + (size_t)(first + i) * (size_t)dofs;
        row[first + i] = d.A.bend_bend + cst_plane_dot(bend, bent) + l * bent_turn;
        fill_row(chained, i, cst_plane_sum(d.A.bend, bent), d.A.turn_bend + cst_plane_dot(turn, bent) + bent_turn, row);

        cst_plane turned = {m * turn.x + xt, m * turn.y + yt}; /* C F[:, 2] */
        double turned_turn = xt * turn.x + yt * turn.y + tt;
        xt = d.A.turn.x + turned.x;
        yt = d.A.turn.y + turned.y;
        tt = d.A.turn_turn + cst_plane_dot(turn, turned) + turned_turn;
        m += d.A.m;

        rod->rhs[first + i] = d.rhs.kappa + cst_plane_dot(bend, push) + l * moment;
        moment += d.rhs.theta + cst_plane_dot(turn, push);
        push = cst_plane_sum(push, d.rhs.xy);
    }
    rod->root_rhs[0] = push.x;
    rod->root_rhs[1] = push.y;
    rod->root_rhs[2] = moment;
    if (first > 0) {
        double *A = chained->form.matrix;
        A[0] = m;
        A[dofs] = 0.0;
        A[dofs + 1] = m;
        A[2 * dofs] = xt;
        A[2 * dofs + 1] = yt;
        A[2 * dofs + 2] = tt;
        memcpy(rod->rhs, rod->root_rhs, sizeof rod->root_rhs);
    }
    return isfinite(push.x) && isfinite(push.y) && isfinite(moment) && isfinite(tt);
}

static bool chained_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    chained_rod *chained = self;
    cst_super_circle *rod = &chained->super;
    cst_circle_linearise(rod, frame, guess);
    const cst_circle_step step = cst_circle_step_of(rod, frame);
    bool finite = sweep(chained, &step);
    cst_dense_form_factor(&chained->form);
    if (guess && finite && !chained->form.factored && cst_circle_stiffen_only(rod)) {
        finite = sweep(chained, &step);
        cst_dense_form_factor(&chained->form);
    }
    cst_circle_forget_stiffness(rod);
    if (!finite)
        snprintf(message, message_size, "the dynamics of a rod of %d elements are not finite", rod->elements);
    return finite;
}

static bool chained_solve(void *self, double *x)
{
    return cst_dense_form_solve(&((const chained_rod *)self)->form, x);
}

static void chained_describe(void *self, cst_body *out)
{
    const chained_rod *chained = self;
    *out = cst_dense_form_body(&chained->form, chained->super.rhs);
}

static void chained_point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    const chained_rod *chained = self;
    const cst_super_circle *rod = &chained->super;
    cst_circle_point point = cst_circle_point_motion(rod, at, out);
    int first = chained->root_dofs, dofs = first + at->feature + 1;
    double *x = out->j, *y = out->j + dofs;
    out->dofs = dofs;
    for (int k = 0; k < dofs; ++k)
        out->dof[k] = k;
    if (first > 0) {
        cst_plane arm = cst_plane_difference(point.position, rod->linear[0].start);
        x[0] = 1.0;
        x[1] = 0.0;
        x[2] = -arm.y;
        y[0] = 0.0;
        y[1] = 1.0;
        y[2] = arm.x;
        out->j_turn[0] = out->j_turn[1] = 0.0;
        out->j_turn[2] = 1.0;
    }
    for (int j = 0; j < at->feature; ++j) {
        double l = rod->material[j].length;
        cst_circle_joint joint = cst_circle_joint_of(&rod->linear[j], l);
        cst_plane arm = cst_plane_difference(point.position, rod->linear[j + 1].start);
        x[first + j] = joint.bend.x - l * arm.y;
        y[first + j] = joint.bend.y + l * arm.x;
        out->j_turn[first + j] = l;
    }
    x[dofs - 1] = point.bend.x;
    y[dofs - 1] = point.bend.y;
    out->j_turn[dofs - 1] = at->s;
}

static void chained_velocities(const void *self, double *v)
{
    const chained_rod *rod = self;
    memcpy(v, rod->super.root_rate, sizeof(double) * (size_t)rod->root_dofs);
    memcpy(v + rod->root_dofs, rod->super.rate, sizeof(double) * (size_t)rod->super.elements);
}

CST_ROD_CLASS(cst_circle, chained, "super-circle, chained", chained_dofs, cst_circle_roll, cst_circle_equilibrium, NULL);

size_t cst_circle_chained_bytes(void)
{
    return sizeof(chained_rod);
}

bool cst_circle_chained_begin(cst_super_circle *rod, cst_body_model *out)
{
    chained_rod *chained = (chained_rod *)rod;
    cst_arena *arena = &rod->arena;
    chained->root_dofs = rod->clamped ? 0 : 3;
    int n = rod->elements, dofs = n + chained->root_dofs;
    CST_TAKE_VECTORS(arena, n, &chained->bend_x, &chained->bend_y, &chained->length, &chained->end_x, &chained->end_y);
    rod->rhs = CST_TAKE(arena, double, dofs);
    rod->rate_first = chained->root_dofs;
    rod->rate_stride = 1;
    if (arena->failed || !cst_dense_form_begin(&chained->form, dofs, arena))
        return false;
    for (int i = 0; i < n; ++i)
        chained->length[i] = rod->material[i].length;
    rod->hessian = CST_CIRCLE_HESSIAN_DENSE;
    *out = (cst_body_model){&chained_class, rod};
    return true;
}
