/* Statics of a super helix: Newton's method on the potential energy as a function of the curvatures, with the load raised in
 * steps (load_path.h).
 *
 * Each element has a block of second derivatives of the energy with respect to its rotation and its curvatures. The block of an
 * element is the sum of its elastic stiffness and its geometric stiffness (super_helix_stiffness.h). The rotation at the start of
 * element i + 1 follows from the rotation and the curvatures of element i. A recursion from the free end factors the exact
 * Hessian of the energy with respect to the curvatures. Symbols:
 *     Index `w` of the matrices N and B: rows or columns for the rotation of an element.
 *     Index `u` of the matrices N and B: rows or columns for the curvatures of an element.
 *     `N_i`: block of element i.
 *     `RV`: matrix from the curvatures of an element to the rotation of its end.
 *
 * The 3 x 3 matrix P contains the second derivatives of the energy of all elements after element i with respect to the rotation
 * of the end of element i, after the curvatures of these elements are eliminated. The recursion starts with P = 0 at the free end
 * of the rod. For each element, the recursion computes a matrix B and then updates P:
 *     `B = N_i+[I,RV]^T*P*[I,RV]`.
 *     `P <- B_ww-B_wu*B_uu^-1*B_uw`.
 *
 * The equilibrium is stable if and only if every pivot block B_uu in the factorisation of the Hessian is positive definite. In
 * 3D, a moment with fixed direction has no potential. The code counts only the work of a moment with fixed direction since the
 * start of the Newton step, and makes the contribution of the moment to the Hessian symmetric. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/cholesky3.h"
#include "math/rotation.h"
#include "rod/load_path.h"
#include "rod/rod_rest.h"
#include "rod/super_helix_rod.h"

enum { LOAD_STEP_LIMIT = 2000 };

typedef struct statics {
    cst_super_helix *rod;
    double field[3]; /* full gravity */
    const cst_point_load *load;
    int loads;
    bool moments; /* some loads are moments */

    cst_helix_element *element; /* array (n + 1): trial shape */
    double *still;              /* (3 n + 6) zero */
    /* array (loads x 9): frame of each loaded point at the start of a Newton step */
    double *reference;
    cst_helix_nonad *applied; /* array (n): generalised forces of the point loads on each element */
    cst_helix_block *block;   /* (n) */
    double *gradient;         /* (3 n) */
    double energy;
    double rounding; /* sum (J) of the magnitudes of all energy terms; the rounding error is proportional to it */
    /* Factors. */
    /* array (n x 9): for each element, B_uu^-1 B_uw, from the second derivatives B of the energy with respect to its curvatures
     * (u) and its rotation (w) */
    double *gain;
    double *inverse; /* (n x 6) */
} statics;

static bool begin(statics *s, cst_super_helix *rod, const cst_step_frame *frame, const cst_point_load *load, int loads)
{
    const int n = rod->elements;
    cst_arena *arena = &rod->arena;
    *s = (statics){.rod = rod,
                   .field = {frame->gravity[0], frame->gravity[1], frame->gravity[2]},
                   .load = load,
                   .loads = loads,
                   .element = CST_TAKE(arena, cst_helix_element, n + 1),
                   .still = CST_TAKE(arena, double, 3 * n + 6),
                   .reference = CST_TAKE(arena, double, 9 * loads),
                   .applied = CST_TAKE(arena, cst_helix_nonad, n),
                   .block = CST_TAKE(arena, cst_helix_block, n),
                   .gradient = CST_TAKE(arena, double, 3 * n),
                   .gain = CST_TAKE(arena, double, 9 * n),
                   .inverse = CST_TAKE(arena, double, 6 * n)};
    for (int k = 0; k < loads; ++k)
        s->moments = s->moments || cst_dot3(load[k].moment, load[k].moment) > 0.0;
    return !arena->failed;
}

/* Adds the geometric stiffness, the generalised forces and the energy of one point load in the trial shape. `here`: true if a
 * Newton step begins at the trial shape; the present frame of the loaded point is then stored. The work of a moment is computed
 * from the rotation of the loaded point since its frame was stored. */
static void apply(statics *s, double share, int k, bool here)
{
    const cst_point_load *load = &s->load[k];
    const int i = load->at.feature;
    const cst_helix_element *e = &s->element[i];
    cst_helix_nonad *applied = &s->applied[i];
    cst_helix_point point;
    double force[3], moment[3], arm[3], part[3], turn[9], turned[3];
    cst_helix_point_at(e, load->at.s, &point);
    for (int d = 0; d < 3; ++d) {
        force[d] = share * load->force[d];
        moment[d] = share * load->moment[d];
    }
    cst_helix_block_add(&s->block[i], e, load->at.s, force, moment);
    cst_add3(1.0, force, applied->v);
    cst_add_cross3(point.joint.chord, force, applied->w);
    cst_add3(1.0, moment, applied->w);
    cst_apply_transposed3(point.joint.bend, force, part);
    cst_add3(1.0, part, applied->u);
    cst_apply_transposed3(point.joint.turning, moment, part);
    cst_add3(1.0, part, applied->u);

    if (here)
        memcpy(s->reference + 9 * k, point.frame, sizeof point.frame);
    cst_product_transposed3(point.frame, s->reference + 9 * k, turn);
    cst_rotation_log(turn, turned);
    cst_subtract3(point.position, s->element[0].start, arm);
    const double by_force = cst_dot3(force, arm), by_moment = cst_dot3(moment, turned);
    s->energy -= by_force + by_moment;
    s->rounding += fabs(by_force) + fabs(by_moment);
}

static void evaluate(void *self, double share, const double *u, bool here)
{
    statics *s = self;
    cst_super_helix *rod = s->rod;
    const int n = rod->elements;
    const cst_helix_path path = {rod->root, u, s->still, s->still, s->still, s->still};
    const double g[3] = {share * s->field[0], share * s->field[1], share * s->field[2]};
    cst_helix_trace(rod, &path, s->element);
    s->energy = s->rounding = 0.0;
    memset(s->block, 0, (size_t)n * sizeof *s->block);
    memset(s->applied, 0, (size_t)n * sizeof *s->applied);
    for (int k = 0; k < s->loads; ++k)
        apply(s, share, k, here || !s->moments);
    double pull[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0}; /* of all following elements */
    for (int i = n - 1; i >= 0; --i) {
        const cst_helix_element *e = &s->element[i];
        const cst_helix_material *material = &rod->material[i];
        const cst_helix_nonad *applied = &s->applied[i];
        cst_helix_mass M;
        double weight[3], by_pull[3], by_moment[3], arm[3];
        cst_helix_mass_of(e, material, rod->gauss, NULL, 0.0, &M, NULL);
        cst_helix_block_add_field(&s->block[i], e, material, rod->gauss, g);
        cst_helix_block_add(&s->block[i], e, material->length, pull, moment);
        cst_apply_transposed3(M.vu, g, weight);
        cst_apply_transposed3(e->joint.bend, pull, by_pull);
        cst_apply_transposed3(e->joint.turning, moment, by_moment);
        for (int k = 0; k < 3; ++k) {
            const double strain = u[3 * i + k] - material->natural[k], elastic = 0.5 * material->stiffness[k] * strain * strain;
            s->block[i].uu[4 * k] += material->stiffness[k];
            s->gradient[3 * i + k] = material->stiffness[k] * strain - (weight[k] + applied->u[k] + by_pull[k] + by_moment[k]);
            s->energy += elastic;
            s->rounding += elastic;
        }
        cst_add_cross3(e->joint.chord, pull, moment);
        cst_add_cross3(M.first, g, moment);
        cst_add3(1.0, applied->w, moment);
        cst_add3(M.m, g, pull);
        cst_add3(1.0, applied->v, pull);

        cst_subtract3(e->start, s->element[0].start, arm);
        const double work = cst_dot3(g, M.first) + M.m * cst_dot3(g, arm);
        s->energy -= work;
        s->rounding += fabs(work);
    }
}

static bool factor(void *self, double shift)
{
    statics *s = self;
    double P[9] = {0.0};
    for (int i = s->rod->elements - 1; i >= 0; --i) {
        const cst_helix_block *N = &s->block[i];
        const double *V = s->element[i].joint.turning;
        double wu[9], uu[9], l[6], Y[9];
        cst_product3(P, V, wu);
        cst_transposed_product3(V, wu, uu);
        for (int k = 0; k < 9; ++k) {
            wu[k] += N->wu[k];
            uu[k] += N->uu[k];
            P[k] += N->ww[k];
        }
        for (int k = 0; k < 3; ++k)
            uu[4 * k] += shift * s->rod->material[i].stiffness[k];
        if (!(cst_cholesky3(uu, l) > 0.0))
            return false;
        cst_cholesky3_halve(l, wu, Y);
        cst_cholesky3_complete(l, Y, s->gain + 9 * i);
        cst_cholesky3_invert(l, s->inverse + 6 * i);
        cst_subtract_gram3(Y, Y, P);
        cst_mirror3(P);
    }
    return true;
}

static void solve(const void *self, double *x)
{
    const statics *s = self;
    const int n = s->rod->elements;
    double moment[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0}, part[3];
    for (int i = n - 1; i >= 0; --i) {
        double r[3];
        cst_apply_transposed3(s->element[i].joint.turning, moment, r);
        cst_add3(1.0, x + 3 * i, r);
        cst_apply_upper3(s->inverse + 6 * i, r, x + 3 * i);
        cst_apply_transposed3(s->gain + 9 * i, r, part);
        cst_add3(-1.0, part, moment);
    }
    for (int i = 0; i < n; ++i) {
        cst_apply3(s->gain + 9 * i, turn, part);
        cst_add3(-1.0, part, x + 3 * i);
        cst_apply3(s->element[i].joint.turning, x + 3 * i, part);
        cst_add3(1.0, part, turn);
    }
}

/* Linearised about the shape evaluated last. */
static double largest_turn(const void *self, const double *x)
{
    const statics *s = self;
    double turn[3] = {0.0, 0.0, 0.0}, part[3], largest = 0.0;
    for (int i = 0; i < s->rod->elements; ++i) {
        cst_apply3(s->element[i].joint.turning, x + 3 * i, part);
        cst_add3(1.0, part, turn);
        largest = fmax(largest, sqrt(cst_dot3(turn, turn)));
    }
    return largest;
}

/* The unbalanced moment of an element in one of its curvatures is the derivative of the energy with respect to this curvature,
 * divided by the length of the element. */
static double imbalance(const void *self)
{
    const statics *s = self;
    double largest = 0.0;
    for (int k = 0; k < 3 * s->rod->elements; ++k)
        largest = fmax(largest, fabs(s->gradient[k]) / s->rod->material[k / 3].length);
    return largest;
}

/* Computes an upper bound of the moment (N m) that the full load causes in the rod. `bending_moment`: receives the smallest
 * moment (N m) that gives one of the elements a curvature or twist of 1 / (length of the rod). */
static void scales(const statics *s, double *load_moment, double *bending_moment)
{
    const cst_super_helix *rod = s->rod;
    const double length = rod->arc[rod->elements];
    *load_moment = rod->mass_per_length * length * length * sqrt(cst_dot3(s->field, s->field));
    for (int k = 0; k < s->loads; ++k)
        *load_moment +=
            length * sqrt(cst_dot3(s->load[k].force, s->load[k].force)) + sqrt(cst_dot3(s->load[k].moment, s->load[k].moment));
    *bending_moment = INFINITY;
    for (int k = 0; k < 3 * rod->elements; ++k)
        *bending_moment = fmin(*bending_moment, rod->material[k / 3].stiffness[k % 3] / (rod->material[k / 3].length * length));
}

static bool raise_load(statics *s, double tolerance, double *u, int *iterations, char *message, size_t message_size)
{
    const cst_super_helix *rod = s->rod;
    const int size = 3 * rod->elements;
    double load_moment, bending_moment, bent = 0.0;
    scales(s, &load_moment, &bending_moment);
    for (int k = 0; k < size; ++k) {
        const cst_helix_material *material = &rod->material[k / 3];
        u[k] = material->natural[k % 3];
        bent = fmax(bent, fabs(u[k]) * material->stiffness[k % 3] / material->length);
    }
    const cst_load_path path = {s,     size,         LOAD_STEP_LIMIT, s->moments,  evaluate,   factor,
                                solve, largest_turn, imbalance,       s->gradient, &s->energy, &s->rounding};
    const double goal = cst_load_path_goal(tolerance, rod->elements, load_moment, bending_moment, bent);
    return cst_load_path_follow(&path, goal, u, iterations, &s->rod->arena, message, message_size);
}

bool cst_helix_rest_here(cst_super_helix *rod, const double gravity[3])
{
    const cst_arena_mark mark = cst_arena_mark_now(&rod->arena);
    cst_step_frame frame = {.dim = 3};
    memcpy(frame.gravity, gravity, sizeof frame.gravity);
    statics s;
    const bool built = begin(&s, rod, &frame, NULL, 0);
    if (built) {
        evaluate(&s, 1.0, rod->u, true);
        /* The energy depends on the natural curvatures only through the strain, which is the curvatures minus the natural
         * curvatures. The gradient of the energy with respect to the curvatures becomes zero if this gradient, divided by the
         * stiffness, is added to the natural curvatures. */
        for (int k = 0; k < 3 * rod->elements; ++k)
            rod->material[k / 3].natural[k % 3] += s.gradient[k] / rod->material[k / 3].stiffness[k % 3];
        rod->energy_known = false;
    }
    cst_arena_release(&rod->arena, mark);
    return built;
}

bool cst_helix_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance,
                           int *iterations, char *message, size_t message_size)
{
    cst_super_helix *rod = self;
    *iterations = 0;
    if (!cst_rod_may_rest("fiber", rod->clamped, tolerance, message, message_size))
        return false;
    const cst_arena_mark mark = cst_arena_mark_now(&rod->arena);
    const size_t size = 3 * (size_t)rod->elements;
    statics s;
    double *u = CST_TAKE(&rod->arena, double, size);
    bool found = begin(&s, rod, frame, load, loads) && u;
    if (!found)
        snprintf(message, message_size, "out of memory");
    else
        found = raise_load(&s, tolerance, u, iterations, message, message_size);
    if (found) {
        memcpy(rod->u, u, size * sizeof *u);
        memset(rod->rate, 0, size * sizeof *u);
        memset(rod->root_rate, 0, 6 * sizeof *u);
        cst_helix_settle(rod);
    }
    rod->arena.failed = false;
    cst_arena_release(&rod->arena, mark);
    return found;
}
