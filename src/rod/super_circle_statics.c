/* Statics by Newton's method on the potential energy of the curvatures, the load raised in steps.
 *
 * Each element has the 2 x 2 block N_i of super_circle_stiffness.h in (theta_i, kappa_i), of its own weight, its point loads and the
 * pull of all that follows, plus EI l on kappa. Since theta_{i+1} = theta_i + l_i kappa_i, the exact Hessian is
 * that of a chain in which 2 x 2 blocks meet in one angle, and it is factored by a recursion of one number p:
 *
 *     p = 0;  i = n-1 .. 0:   B = N_i + p (1, l)^T (1, l),    p = B_tt - B_tk^2 / B_kk            (swept, O(n))
 *     q = 0;  i = n-1 .. 0:   H_ij = l_j (N_tk + l_i q) for j < i,  H_ii = N_kk + l_i^2 q,   q = q + N_tt       (dense)
 *
 * H is positive definite exactly if every B_kk is positive: the equilibrium is stable. The load grows from zero, where the natural
 * shape is the equilibrium, by steps small enough for the shape to follow the branch; Newton steps are shifted to descend where H
 * is not positive definite, limited in rotation, and halved until the energy falls. */
#include "rod/super_circle_statics.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/rod_rest.h"
#include "sparse/envelope_cholesky.h"

enum { NEWTON_LIMIT = 60, LOAD_STEP_LIMIT = 20000, HALVINGS_LIMIT = 40 };
static const double turn_per_newton_step = 0.5; /* rad */
static const double turn_per_load_step = 0.35;  /* rad: more, and the load step may have left the branch */
static const double smallest_load_step = 1e-7;  /* then the branch ends, and the rod snaps to the next minimum */

typedef struct statics {
    cst_super_circle *rod;
    cst_circle_hessian hessian;
    cst_plane field; /* full load: acceleration of gravity and distributed load */
    const cst_point_load *load;
    int loads;
    double factor; /* share of the load that acts */

    cst_circle_element *element; /* (n + 1) at the trial shape */
    double *zero;                /* (n) */
    cst_circle_quad *applied;    /* (n) point loads, as generalised forces of their element */
    double *gradient;            /* (n) */
    cst_circle_block *block;     /* (n) */
    double energy;
    double rounding; /* magnitude that the energy's terms sum to */
    /* Factors. */
    double *gain, *inverse; /* (n) swept */
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
        .factor = 1.0,
        .element = CST_TAKE(arena, cst_circle_element, n + 1),
        .zero = CST_TAKE(arena, double, n),
        .applied = CST_TAKE(arena, cst_circle_quad, n),
        .gradient = CST_TAKE(arena, double, n),
        .block = CST_TAKE(arena, cst_circle_block, n),
        .gain = CST_TAKE(arena, double, n),
        .inverse = CST_TAKE(arena, double, n)};
    if (hessian == CST_CIRCLE_HESSIAN_DENSE)
        return !arena->failed && cst_envelope_begin(arena, n, &s->dense) && cst_envelope_open(arena, &s->dense);
    return !arena->failed;
}

/* Forces, gradient, blocks and energy at the shape kappa under the present share of the load. */
static void evaluate(statics *s, const double *kappa)
{
    const cst_super_circle *rod = s->rod;
    int n = rod->elements;
    const double still[3] = {0.0, 0.0, 0.0};
    cst_circle_path path = {rod->root, kappa, still, s->zero};
    cst_circle_trace(rod, &path, s->element);
    cst_plane g = cst_plane_scaled(s->factor, s->field), origin = s->element[0].start;
    double energy = 0.0, rounding = 0.0;
    memset(s->block, 0, (size_t)n * sizeof *s->block);
    memset(s->applied, 0, (size_t)n * sizeof *s->applied);
    for (int k = 0; k < s->loads; ++k) {
        const cst_point_load *load = &s->load[k];
        int i = load->at.feature;
        cst_circle_point point = cst_circle_point_at(&s->element[i], load->at.s);
        cst_plane force = cst_plane_scaled(s->factor, (cst_plane){load->force[0], load->force[1]});
        double moment = s->factor * load->moment[2];
        cst_circle_block_add_at(&s->block[i], &s->element[i], &point, force);
        s->applied[i].xy = cst_plane_sum(s->applied[i].xy, force);
        s->applied[i].theta += cst_plane_dot(force, point.turn) + moment;
        s->applied[i].kappa += cst_plane_dot(force, point.bend) + load->at.s * moment;
        double work = cst_plane_dot(force, cst_plane_difference(point.position, origin)) + moment * (point.angle - rod->root[2]);
        energy -= work;
        rounding += fabs(work);
    }
    cst_plane pull = {0.0, 0.0}; /* of all that follows, on the end of the element */
    double moment = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        const cst_circle_element *e = &s->element[i];
        const cst_circle_material *material = &rod->material[i];
        double l = material->length, strain = kappa[i] - material->natural;
        cst_circle_mass M = cst_circle_mass_of(e, l, rod->mass_per_length);
        cst_circle_joint joint = cst_circle_joint_of(e, l);
        cst_plane first = {M.turn.y, -M.turn.x}; /* -i M.turn = rhoA R l^2 P */
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

/* Factors H + shift diag(EI l); false if that is not positive definite. */
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

static bool factor(statics *s, double shift)
{
    return s->hessian == CST_CIRCLE_HESSIAN_DENSE ? factor_dense(s, shift) : factor_swept(s, shift);
}

static void solve(const statics *s, double *x)
{
    if (s->hessian == CST_CIRCLE_HESSIAN_DENSE) {
        cst_envelope_forward(&s->dense, 1, s->dense.size, 0, x);
        cst_envelope_backward(&s->dense, x);
    } else {
        solve_swept(s, x);
    }
}

/* Largest rotation of a node between two shapes that differ by x. */
static double largest_turn(const cst_super_circle *rod, const double *x)
{
    double turn = 0.0, largest = 0.0;
    for (int i = 0; i < rod->elements; ++i) {
        turn += rod->material[i].length * x[i];
        largest = fmax(largest, fabs(turn));
    }
    return largest;
}

/* The largest moment out of balance. */
static double imbalance(const statics *s)
{
    double largest = 0.0;
    for (int i = 0; i < s->rod->elements; ++i)
        largest = fmax(largest, fabs(s->gradient[i]) / s->rod->material[i].length);
    return largest;
}

/* Newton from kappa under the present share of the load, to a stable equilibrium. Counts its linear solves. */
static bool newton(statics *s, double *kappa, double *step, double *trial, double goal, int *iterations)
{
    const cst_super_circle *rod = s->rod;
    int n = rod->elements;
    evaluate(s, kappa);
    for (int k = 0; k < NEWTON_LIMIT; ++k) {
        bool balanced = imbalance(s) <= goal;
        double shift = 0.0;
        while (!factor(s, shift)) {
            if (balanced || shift > 1e12)
                return false; /* an equilibrium, but not a stable one; or not finite */
            shift = shift > 0.0 ? 4.0 * shift : 1e-3;
        }
        if (balanced)
            return true;
        double slope = 0.0;
        for (int i = 0; i < n; ++i)
            step[i] = -s->gradient[i];
        solve(s, step);
        ++*iterations;
        for (int i = 0; i < n; ++i)
            slope += s->gradient[i] * step[i];
        double turn = largest_turn(rod, step), alpha = turn > turn_per_newton_step ? turn_per_newton_step / turn : 1.0;
        double before = s->energy, fuzz = 64.0 * DBL_EPSILON * s->rounding;
        int halvings = 0;
        for (;; ++halvings) {
            for (int i = 0; i < n; ++i)
                trial[i] = kappa[i] + alpha * step[i];
            evaluate(s, trial);
            if (s->energy <= before + 1e-4 * alpha * slope + fuzz)
                break;
            if (halvings == HALVINGS_LIMIT)
                return false;
            alpha *= 0.5;
        }
        memcpy(kappa, trial, (size_t)n * sizeof *kappa);
    }
    return false;
}

/* The moment that the whole load can exert, and the bending moments of the rod at a curvature of one over its length. */
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

/* Raises the load along the branch that begins at the natural shape. */
static bool raise_load(statics *s, double tolerance, double *kappa, int *iterations, char *message, size_t message_size)
{
    const cst_super_circle *rod = s->rod;
    cst_arena *arena = &s->rod->arena;
    int n = rod->elements;
    double *shape = CST_TAKE(arena, double, n), *step = CST_TAKE(arena, double, n), *trial = CST_TAKE(arena, double, n);
    if (arena->failed) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    double load_moment, bending_moment;
    scales(s, &load_moment, &bending_moment);
    double bent = 0.0;
    for (int i = 0; i < n; ++i) {
        kappa[i] = rod->material[i].natural;
        bent = fmax(bent, fabs(kappa[i]) * rod->material[i].stiffness / rod->material[i].length);
    }
    /* Moments are sums along the rod: their rounding grows with the square root of its elements. */
    double rounding = 8.0 * DBL_EPSILON * (4.0 + sqrt(n)) * (load_moment + bent);
    double goal = fmax(tolerance * fmin(load_moment, bending_moment), rounding);
    double reached = 0.0, increment = 1.0;
    for (int k = 0; k < LOAD_STEP_LIMIT && reached < 1.0; ++k) {
        s->factor = fmin(1.0, reached + increment);
        memcpy(shape, kappa, (size_t)n * sizeof *shape);
        bool found = newton(s, shape, step, trial, goal, iterations);
        for (int i = 0; i < n; ++i)
            step[i] = shape[i] - kappa[i];
        bool smallest = increment <= smallest_load_step;
        if (found && (smallest || largest_turn(rod, step) <= turn_per_load_step)) {
            memcpy(kappa, shape, (size_t)n * sizeof *kappa);
            reached = s->factor;
            increment *= 2.0;
        } else if (!smallest) {
            increment = fmax(0.25 * increment, smallest_load_step);
        } else {
            break;
        }
    }
    if (reached < 1.0)
        snprintf(message, message_size, "no stable equilibrium was found beyond %.1f%% of the load", 100.0 * reached);
    return reached >= 1.0;
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
        evaluate(&s, rod->kappa);
        solved = factor(&s, 0.0);
    }
    if (solved)
        solve(&s, x);
    rod->arena.failed = false;
    cst_arena_release(&rod->arena, mark);
    return solved;
}
