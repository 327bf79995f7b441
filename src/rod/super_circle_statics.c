/* Equilibria of a super-circle rod by Newton's method on the potential energy as a function of the curvatures; the load is raised
 * in steps (load_path.h).
 *
 * Each element has a 2 x 2 block of second derivatives of the energy with respect to its start angle and its curvature. The block
 * of an element is the sum of its bending stiffness EI l and its geometric stiffness (super_circle_stiffness.h). Element i + 1
 * starts at the angle theta_i + l_i kappa_i at which element i ends. Only the start angle of an element couples it to its
 * neighbours. A recursion along the rod can therefore factor the exact Hessian of the energy with respect to the curvatures, or
 * compute it as a dense matrix. Symbols:
 *     `theta_i`: start angle of element i.
 *     `l_i`, `kappa_i`: length and curvature of element i.
 *     `N_i`: block of element i.
 *     Index `t` of the matrices N and B: row or column for the start angle of an element.
 *     Index `k` of the matrices N and B: row or column for the curvature of an element.
 *
 * The factorisation of the Hessian goes from the free end of the rod to its start and updates a number p, which is 0 at the free
 * end. At element i, p is the second derivative of the energy of all following elements with respect to the angle at the end of
 * element i; the curvatures of the following elements are eliminated. From element to element, the second derivative p of the
 * energy of all following elements is updated with a 2 x 2 matrix B:
 *     `B = N_i+p*(1,l_i)^T*(1,l_i)`.
 *     `p <- B_tt-B_tk^2/B_kk`.
 *
 * The lower triangle (j < i) and the diagonal of the dense Hessian H follow from a number q, which is 0 at the free end and is
 * updated from element to element:
 *     `H_ij = l_j*(N_tk+l_i*q)`.
 *     `H_ii = N_kk+l_i^2*q`.
 *     `q <- q+N_tt`.
 *
 * The equilibrium is stable if and only if every pivot B_kk in the factorisation of the Hessian is positive. */
#include "rod/super_circle_statics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/load_path.h"
#include "rod/rod_rest.h"
#include "sparse/envelope_cholesky.h"

enum { LOAD_STEP_LIMIT = 20000 };

typedef struct statics {
    cst_super_circle *rod;
    cst_circle_hessian hessian;
    cst_plane field; /* gravity plus the distributed load per mass (m/s^2), at its final value */
    const cst_point_load *load;
    int loads;

    cst_circle_element *element; /* array (n + 1): elements in the trial shape */
    double *zero;                /* (n) */
    cst_circle_quad *applied;    /* array (n): generalised forces of the point loads on each element */
    double *gradient;            /* (n) */
    cst_circle_block *block;     /* (n) */
    double energy;
    double rounding; /* sum (J) of the magnitudes of all energy terms; the rounding error is proportional to it */
    /* `gain`: array (n) for the sweep along the elements; mixed second derivative of the energy with respect to the start angle
     * and the curvature of an element, divided by the pivot of the element. `inverse`: array (n), 1 divided by the pivot of each
     * element */
    double *gain, *inverse;
    cst_envelope dense;
} statics;

static bool begin(statics *s, cst_super_circle *rod, cst_circle_hessian hessian, const cst_step_frame *frame,
                  const cst_point_load *load, int loads)
{
    int n = rod->elements;
    cst_arena *arena = &rod->arena;
    *s = (statics){
        .rod = rod,
        .hessian = hessian,
        .field = {frame->gravity[0] + rod->load.x / rod->mass_per_length, frame->gravity[1] + rod->load.y / rod->mass_per_length},
        .load = load,
        .loads = loads,
        .element = CST_TAKE(arena, cst_circle_element, n + 1),
        .applied = CST_TAKE(arena, cst_circle_quad, n),
        .block = CST_TAKE(arena, cst_circle_block, n)};
    CST_TAKE_VECTORS(arena, n, &s->zero, &s->gradient, &s->gain, &s->inverse);
    if (hessian == CST_CIRCLE_HESSIAN_DENSE)
        return !arena->failed && cst_envelope_begin(arena, n, &s->dense) && cst_envelope_open(arena, &s->dense);
    return !arena->failed;
}

static void evaluate(void *self, double share, const double *kappa, bool here)
{
    statics *s = self;
    const cst_super_circle *rod = s->rod;
    /* the argument `here` is not used: only loads without potential need it (load_path.h), and in 2D every load has a potential,
     * even a constant moment */
    (void)here;
    int n = rod->elements;
    const double still[3] = {0.0, 0.0, 0.0};
    cst_circle_path path = {rod->root, kappa, still, s->zero};
    cst_circle_trace(rod, &path, s->element);
    cst_plane g = cst_plane_scaled(share, s->field), origin = s->element[0].start;
    double energy = 0.0, rounding = 0.0;
    memset(s->block, 0, (size_t)n * sizeof *s->block);
    memset(s->applied, 0, (size_t)n * sizeof *s->applied);
    for (int k = 0; k < s->loads; ++k) {
        const cst_point_load *load = &s->load[k];
        int i = load->at.feature;
        cst_circle_point point = cst_circle_point_at(&s->element[i], load->at.s);
        cst_plane force = cst_plane_scaled(share, (cst_plane){load->force[0], load->force[1]});
        double moment = share * load->moment[2];
        cst_circle_block_add_at(&s->block[i], &s->element[i], &point, force);
        s->applied[i].xy = cst_plane_sum(s->applied[i].xy, force);
        s->applied[i].theta += cst_plane_dot(force, point.turn) + moment;
        s->applied[i].kappa += cst_plane_dot(force, point.bend) + load->at.s * moment;
        double work = cst_plane_dot(force, cst_plane_difference(point.position, origin)) + moment * (point.angle - rod->root[2]);
        energy -= work;
        rounding += fabs(work);
    }
    cst_plane pull = {0.0, 0.0}; /* force of all following elements on the end of element i */
    double moment = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        const cst_circle_element *e = &s->element[i];
        const cst_circle_material *material = &rod->material[i];
        double l = material->length, strain = kappa[i] - material->natural;
        cst_circle_mass M = cst_circle_mass_of(e, l, rod->mass_per_length);
        cst_circle_joint joint = cst_circle_joint_of(e, l);
        cst_plane first = {M.turn.y, -M.turn.x}; /* rhoA R l^2 P */
        cst_circle_block_add_field(&s->block[i], e, &M, l, g);
        cst_circle_block_add_pull(&s->block[i], e, &joint, l, pull);
        s->block[i].bend_bend += material->stiffness;

        cst_circle_quad weight = cst_circle_weight_of(&M, g);
        const cst_circle_quad *applied = &s->applied[i];
        double force = weight.kappa + applied->kappa + cst_plane_dot(pull, joint.bend) + l * moment;
        s->gradient[i] = material->stiffness * strain - force;
        moment += weight.theta + applied->theta + cst_plane_dot(pull, joint.turn);
        pull = cst_plane_sum(pull, cst_plane_sum(weight.xy, applied->xy));

        double work = cst_plane_dot(g, cst_plane_add(first, M.m, cst_plane_difference(e->start, origin)));
        double elastic = 0.5 * material->stiffness * strain * strain;
        energy += elastic - work;
        rounding += elastic + fabs(work);
    }
    s->energy = energy;
    s->rounding = rounding;
}

/* Factors the sum of the Hessian and `shift` times the bending stiffness EI l of each element of length l; returns false if this
 * sum is not positive definite. */
static bool factor_swept(statics *s, double shift)
{
    const cst_circle_material *material = s->rod->material;
    double p = 0.0;
    for (int i = s->rod->elements - 1; i >= 0; --i) {
        const cst_circle_block *N = &s->block[i];
        double l = material[i].length;
        double bend_bend = N->bend_bend + l * l * p + shift * material[i].stiffness;
        if (!(bend_bend > 0.0))
            return false;
        double turn_bend = N->turn_bend + l * p;
        s->inverse[i] = 1.0 / bend_bend;
        s->gain[i] = turn_bend * s->inverse[i];
        p = N->turn_turn + p - s->gain[i] * turn_bend;
    }
    return true;
}

static void solve_swept(const statics *s, double *x)
{
    const cst_circle_material *material = s->rod->material;
    int n = s->rod->elements;
    double moment = 0.0, turn = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        double r = x[i] + material[i].length * moment;
        x[i] = r * s->inverse[i];
        moment -= s->gain[i] * r;
    }
    for (int i = 0; i < n; ++i) {
        x[i] -= s->gain[i] * turn;
        turn += material[i].length * x[i];
    }
}

static bool factor_dense(statics *s, double shift)
{
    const cst_circle_material *material = s->rod->material;
    double q = 0.0;
    for (int i = s->rod->elements - 1; i >= 0; --i) {
        const cst_circle_block *N = &s->block[i];
        double l = material[i].length, turn_bend = N->turn_bend + l * q, *row = cst_envelope_row(&s->dense, i);
        for (int j = 0; j < i; ++j)
            row[j] = material[j].length * turn_bend;
        row[i] = N->bend_bend + l * l * q + shift * material[i].stiffness;
        q += N->turn_turn;
    }
    return cst_envelope_factor(&s->dense) < 0;
}

static bool factor(void *self, double shift)
{
    statics *s = self;
    return s->hessian == CST_CIRCLE_HESSIAN_DENSE ? factor_dense(s, shift) : factor_swept(s, shift);
}

static void solve(const void *self, double *x)
{
    const statics *s = self;
    if (s->hessian == CST_CIRCLE_HESSIAN_DENSE) {
        cst_envelope_forward(&s->dense, 1, s->dense.size, 0, x);
        cst_envelope_backward(&s->dense, x);
    } else {
        solve_swept(s, x);
    }
}

static double largest_turn(const void *self, const double *x)
{
    const cst_super_circle *rod = ((const statics *)self)->rod;
    double turn = 0.0, largest = 0.0;
    for (int i = 0; i < rod->elements; ++i) {
        turn += rod->material[i].length * x[i];
        largest = fmax(largest, fabs(turn));
    }
    return largest;
}

static double imbalance(const void *self)
{
    const statics *s = self;
    double largest = 0.0;
    for (int i = 0; i < s->rod->elements; ++i)
        largest = fmax(largest, fabs(s->gradient[i]) / s->rod->material[i].length);
    return largest;
}

/* Computes an upper bound of the bending moment (N m) that the full load causes in the rod. `bending_moment`: receives the moment
 * (N m) that bends the softest element of the rod to the curvature 1 / (length of the rod). */
static void scales(const statics *s, double *load_moment, double *bending_moment)
{
    const cst_super_circle *rod = s->rod;
    double length = rod->arc[rod->elements];
    *load_moment = rod->mass_per_length * length * length * sqrt(cst_plane_dot(s->field, s->field));
    for (int k = 0; k < s->loads; ++k)
        *load_moment += length * hypot(s->load[k].force[0], s->load[k].force[1]) + fabs(s->load[k].moment[2]);
    *bending_moment = INFINITY;
    for (int i = 0; i < rod->elements; ++i)
        *bending_moment = fmin(*bending_moment, rod->material[i].stiffness / (rod->material[i].length * length));
}

static bool raise_load(statics *s, double tolerance, double *kappa, int *iterations, char *message, size_t message_size)
{
    const cst_super_circle *rod = s->rod;
    const int n = rod->elements;
    double load_moment, bending_moment, bent = 0.0;
    scales(s, &load_moment, &bending_moment);
    for (int i = 0; i < n; ++i) {
        kappa[i] = rod->material[i].natural;
        bent = fmax(bent, fabs(kappa[i]) * rod->material[i].stiffness / rod->material[i].length);
    }
    const cst_load_path path = {s,         n,           LOAD_STEP_LIMIT, false,       evaluate, factor, solve, largest_turn,
                                imbalance, s->gradient, &s->energy,      &s->rounding};
    const double goal = cst_load_path_goal(tolerance, n, load_moment, bending_moment, bent);
    return cst_load_path_follow(&path, goal, kappa, iterations, &s->rod->arena, message, message_size);
}

bool cst_circle_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance,
                            int *iterations, char *message, size_t message_size)
{
    cst_super_circle *rod = self;
    *iterations = 0;
    if (!cst_rod_may_rest("rod", rod->clamped, tolerance, message, message_size))
        return false;
    cst_arena_mark mark = cst_arena_mark_now(&rod->arena);
    statics s;
    double *kappa = CST_TAKE(&rod->arena, double, rod->elements);
    bool found = begin(&s, rod, rod->hessian, frame, load, loads) && kappa;
    if (!found)
        snprintf(message, message_size, "out of memory");
    else
        found = raise_load(&s, tolerance, kappa, iterations, message, message_size);
    if (found) {
        memcpy(rod->kappa, kappa, (size_t)rod->elements * sizeof *kappa);
        memset(rod->rate, 0, (size_t)rod->elements * sizeof *kappa);
        memset(rod->root_rate, 0, 3 * sizeof *kappa);
        cst_circle_settle(rod);
    }
    rod->arena.failed = false;
    cst_arena_release(&rod->arena, mark);
    return found;
}

bool cst_circle_hessian_solve(cst_super_circle *rod, cst_circle_hessian hessian, const cst_step_frame *frame,
                              const cst_point_load *load, int loads, double *x)
{
    cst_arena_mark mark = cst_arena_mark_now(&rod->arena);
    statics s;
    bool solved = begin(&s, rod, hessian, frame, load, loads);
    if (solved) {
        evaluate(&s, 1.0, rod->kappa, true);
        solved = factor(&s, 0.0);
    }
    if (solved)
        solve(&s, x);
    rod->arena.failed = false;
    cst_arena_release(&rod->arena, mark);
    return solved;
}
