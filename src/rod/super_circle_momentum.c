#include "rod/super_circle_momentum.h"

#include <math.h>
#include <string.h>

#include "rod/super_circle_rod.h"

/* stiffness_share: fraction of the stiffness dt^2 K of the step that the function `project` adds to the mass matrix, to make it
 * invertible. */
static const double stiffness_share = 1e-6;

/* rounding: largest energy gain of a step, as a fraction of the kinetic energy, that counts as rounding error. */
static const double rounding = 1e-14;

/* Lobatto rule on [0, 1]: an element has one point mass at each of its two ends and two inside. `mass_at`: positions of the two
 * inner point masses on an element, as fractions of its length. `mass_weight`: weights of the two inner point masses and of the
 * one at the end of the element.
 * `first_weight`: weight of the point mass at the start of the element. */
static const double mass_at[2] = {0.27639320225002103, 0.72360679774997897};
static const double mass_weight[CST_CIRCLE_MASSES] = {5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0}, first_weight = 1.0 / 12.0;

/* ------------------------------------------------------------------------------------------------------ masses of an element */

/* Computes the power series f_1 to f_4 (super_circle_functions.h) at the two inner point masses of an element. `phi`: angle (rad)
 * between the tangents at the two ends of the element. If |phi| is below 1 rad, seven terms of each power series give full
 * precision. */
static inline void series_within(double phi, double f[2][CST_CIRCLE_SERIES])
{
    static const double third[7] = {1.0 / 6.0,        1.0 / 120.0,        1.0 / 5040.0,         1.0 / 362880.0,
                                    1.0 / 39916800.0, 1.0 / 6227020800.0, 1.0 / 1307674368000.0};
    static const double fourth[7] = {1.0 / 24.0,        1.0 / 720.0,         1.0 / 40320.0,         1.0 / 3628800.0,
                                     1.0 / 479001600.0, 1.0 / 87178291200.0, 1.0 / 20922789888000.0};
    const double a = phi * mass_at[0], b = phi * mass_at[1], za = a * a, zb = b * b;
    if (!(phi * phi < 1.0)) {
        cst_circle_series(a, f[0]);
        cst_circle_series(b, f[1]);
        return;
    }
    double a3 = third[6], a4 = fourth[6], b3 = third[6], b4 = fourth[6];
    for (int j = 5; j >= 0; --j) {
        a3 = third[j] - za * a3;
        b3 = third[j] - zb * b3;
        a4 = fourth[j] - za * a4;
        b4 = fourth[j] - zb * b4;
    }
    f[0][1] = 1.0 - za * a3;
    f[1][1] = 1.0 - zb * b3;
    f[0][2] = 0.5 - za * a4;
    f[1][2] = 0.5 - zb * b4;
    f[0][3] = a3;
    f[1][3] = b3;
    f[0][4] = a4;
    f[1][4] = b4;
}

static inline void put_mass(cst_circle_masses *out, int g, double s, double phi, const double *f)
{
    const double ss = s * s;
    out->p[g] = cst_plane_scaled(s, cst_circle_E(phi, f));
    out->d[g] = cst_plane_scaled(ss, cst_circle_E1(phi, f));
    out->dd[g] = cst_plane_scaled(ss * s, cst_circle_E2(phi, f));
}

void cst_circle_masses_of(const cst_circle_element *e, double l, cst_circle_masses *out)
{
    const double phi = e->kappa * l;
    double f[2][CST_CIRCLE_SERIES];
    series_within(phi, f);
    put_mass(out, 0, mass_at[0] * l, mass_at[0] * phi, f[0]);
    put_mass(out, 1, mass_at[1] * l, mass_at[1] * phi, f[1]);
    put_mass(out, 2, l, phi, e->f);
}

/* Computes the velocity of point mass g in the frame of its element. `at`: velocity of the element's start, in the frame of the
 * element. */
static inline cst_plane velocity_at(const cst_circle_masses *masses, int g, cst_plane at, double turn, double rate)
{
    const cst_plane p = masses->p[g], d = masses->d[g];
    return (cst_plane){at.x - turn * p.y + rate * d.x, at.y + turn * p.x + rate * d.y};
}

/* Rotates the vector a from world axes to the axes of the element's start. */
static inline cst_plane turned_back(const cst_circle_element *e, cst_plane a)
{
    const cst_plane R = e->direction;
    return (cst_plane){R.x * a.x + R.y * a.y, R.x * a.y - R.y * a.x};
}

/* Computes the generalised momentum of an element from the velocities `a` of its point masses, given in the axes of the element's
 * start. */
static inline cst_circle_quad momentum_of(const cst_circle_element *e, const cst_circle_masses *masses, double mass,
                                          const cst_circle_field *a)
{
    cst_plane sum = cst_plane_scaled(first_weight, a->first);
    double theta = 0.0, kappa = 0.0;
    for (int g = 0; g < CST_CIRCLE_MASSES; ++g) {
        const cst_plane ma = cst_plane_scaled(mass_weight[g], a->at[g]);
        sum = cst_plane_sum(sum, ma);
        theta += cst_plane_cross(masses->p[g], ma);
        kappa += cst_plane_dot(masses->d[g], ma);
    }
    return (cst_circle_quad){cst_plane_scaled(mass, cst_plane_product(e->direction, sum)), mass * theta, mass * kappa};
}

static inline cst_circle_mass mass_of_points(const cst_circle_element *e, const cst_circle_masses *masses, double mass)
{
    cst_plane first = {0.0, 0.0}, bend = {0.0, 0.0};
    double turn_turn = 0.0, turn_bend = 0.0, bend_bend = 0.0;
    for (int g = 0; g < CST_CIRCLE_MASSES; ++g) {
        const double m = mass * mass_weight[g];
        const cst_plane p = masses->p[g], d = masses->d[g], mp = cst_plane_scaled(m, p), md = cst_plane_scaled(m, d);
        first = cst_plane_sum(first, mp);
        bend = cst_plane_sum(bend, md);
        turn_turn += cst_plane_dot(p, mp);
        turn_bend += cst_plane_cross(p, md);
        bend_bend += cst_plane_dot(d, md);
    }
    return (cst_circle_mass){.m = mass,
                             .turn = cst_plane_left(cst_plane_product(e->direction, first)),
                             .bend = cst_plane_product(e->direction, bend),
                             .turn_turn = turn_turn,
                             .turn_bend = turn_bend,
                             .bend_bend = bend_bend};
}

/* --------------------------------------------------------------------------------------------------------------- totals */

static inline void add_element(cst_circle_totals *sum, const cst_circle_mass *M, cst_plane arm, cst_circle_quad v)
{
    const cst_circle_quad p = cst_circle_mass_times(M, v);
    const cst_plane first = {M->turn.y, -M->turn.x}; /* about the element's start */
    sum->mass += M->m;
    sum->first = cst_plane_sum(sum->first, cst_plane_add(first, M->m, arm));
    sum->second += M->turn_turn + 2.0 * cst_plane_dot(arm, first) + M->m * cst_plane_dot(arm, arm);
    sum->momentum = cst_plane_sum(sum->momentum, p.xy);
    sum->moment += p.theta + cst_plane_cross(arm, p.xy);
    sum->kinetic += 0.5 * cst_circle_quad_dot(v, p);
}

cst_circle_totals cst_circle_totals_of(const cst_super_circle *rod)
{
    cst_circle_totals sum = {0};
    for (int i = 0; i < rod->elements; ++i) {
        const cst_circle_element *e = &rod->now[i];
        const cst_circle_quad v = {.xy = e->velocity, .theta = e->turn, .kappa = rod->rate[i]};
        add_element(&sum, &rod->mass[i], cst_plane_difference(e->start, rod->now[0].start), v);
    }
    return sum;
}

/* Computes the rigid motion (velocity of the root and angular velocity) with the given linear momentum and the given angular
 * momentum about the root. Returns the kinetic energy of the rigid motion of the rod. */
static double rigid_motion(const cst_circle_totals *of, cst_plane momentum, double moment, cst_plane *velocity, double *turn)
{
    const cst_plane arm = cst_plane_scaled(1.0 / of->mass, of->first), centre = cst_plane_scaled(1.0 / of->mass, momentum);
    const double inertia = of->second - of->mass * cst_plane_dot(arm, arm), spin = moment - cst_plane_cross(arm, momentum);
    *turn = spin / inertia;
    *velocity = cst_plane_add(centre, -*turn, cst_plane_left(arm));
    return 0.5 * (cst_plane_dot(momentum, centre) + spin * *turn);
}

/* ---------------------------------------------------------------------------------------------------------- within a step */

static void know_start(cst_super_circle *rod)
{
    for (int i = 0; i < rod->elements && !rod->start_known; ++i) {
        const cst_circle_element *e = &rod->now[i];
        const cst_plane local = turned_back(e, e->velocity);
        cst_circle_start *start = &rod->start[i];
        start->place.first = e->start;
        start->velocity.first = e->velocity;
        for (int g = 0; g < CST_CIRCLE_MASSES; ++g) {
            const cst_plane w = velocity_at(&rod->masses[i], g, local, e->turn, rod->rate[i]);
            start->place.at[g] = cst_plane_sum(e->start, cst_plane_product(e->direction, rod->masses[i].p[g]));
            start->velocity.at[g] = cst_plane_product(e->direction, w);
        }
    }
    rod->start_known = true;
}

/* Returns the velocity w of a point mass at the start of the step, minus its guessed velocity at the end of the step. `from`,
 * `place`: position of the point mass at the start of the step, and its guessed position at the end. */
static inline cst_plane field_of(const cst_step_frame *frame, cst_plane place, cst_plane from, cst_plane w)
{
    return cst_plane_scaled(1.0 / frame->theta, cst_plane_add(w, -1.0 / frame->dt, cst_plane_difference(place, from)));
}

void cst_circle_field_at_guess(cst_super_circle *rod, const cst_step_frame *frame, const cst_circle_element *end,
                               const double *guess)
{
    double mean[3];
    cst_circle_root_velocity(rod, frame, guess, rod->guess_root, mean);
    cst_circle_quad node = {.xy = {rod->guess_root[0], rod->guess_root[1]}, .theta = rod->guess_root[2]};
    know_start(rod);
    for (int i = 0; i < rod->elements; ++i) {
        const cst_circle_element *e = &rod->linear[i];
        const double l = rod->material[i].length;
        const cst_circle_mass M = cst_circle_mass_of(e, l, rod->mass_per_length);
        const cst_circle_joint joint = cst_circle_joint_of(e, l);
        const cst_circle_start *start = &rod->start[i];
        cst_circle_masses masses, elsewhere;
        const cst_circle_masses *there = &masses;
        cst_circle_field *field = &rod->field[i], change;
        cst_circle_masses_of(e, l, &masses);
        if (end != rod->linear) {
            cst_circle_masses_of(&end[i], l, &elsewhere);
            there = &elsewhere;
        }
        field->first = field_of(frame, end[i].start, start->place.first, start->velocity.first);
        change.first = turned_back(e, field->first);
        for (int g = 0; g < CST_CIRCLE_MASSES; ++g) {
            const cst_plane place = cst_plane_sum(end[i].start, cst_plane_product(end[i].direction, there->p[g]));
            field->at[g] = field_of(frame, place, start->place.at[g], start->velocity.at[g]);
            change.at[g] = turned_back(e, field->at[g]);
        }
        node.kappa = rod->guess_rate[i] = guess[rod->rate_first + i * rod->rate_stride];
        const cst_circle_quad had = cst_circle_mass_times(&M, node), given = momentum_of(e, &masses, M.m, &change);
        rod->momentum[i] = (cst_circle_quad){cst_plane_sum(had.xy, given.xy), had.theta + given.theta, had.kappa + given.kappa};
        node = cst_circle_joint_times(&joint, l, node);
    }
}

/* ----------------------------------------------------------------------------------------------------------------- finish */

/* Momenta and works of a step. The works on the rod are computed with the mean velocities over the step. All moments are about
 * the root in the shape where the step was linearised. */
typedef struct account {
    cst_plane momentum; /* change of momentum */
    double moment;      /* moment about the root of all impulses in the step, including that of the geometric stiffness */
    double inertial;    /* v_theta . D */
    double mean;        /* |v_theta|_M^2 */
    cst_plane way;      /* sum m J v_theta dt */
    double stiffness;   /* v_theta . N (v+ - v_k) */
    double reaction[3]; /* reaction of a clamped root */
} account;

/* Computes the final velocities of the point masses of element i in a step linearised at a guess of the velocities: the guessed
 * final velocities, plus the velocities that `motion` gives the masses. `motion`: final velocities of the element minus its
 * guessed final velocities. */
static void find_field_at_guess(cst_super_circle *rod, int i, cst_circle_quad motion)
{
    const cst_circle_element *e = &rod->linear[i];
    const cst_circle_field *w = &rod->start[i].velocity;
    cst_circle_field *field = &rod->field[i];
    cst_circle_masses masses;
    cst_circle_masses_of(e, rod->material[i].length, &masses);
    const cst_plane local = turned_back(e, motion.xy);
    field->first = cst_plane_sum(motion.xy, cst_plane_difference(w->first, field->first));
    for (int g = 0; g < CST_CIRCLE_MASSES; ++g) {
        const cst_plane more = cst_plane_product(e->direction, velocity_at(&masses, g, local, motion.theta, motion.kappa));
        field->at[g] = cst_plane_sum(more, cst_plane_difference(w->at[g], field->at[g]));
    }
}

/* Computes the final velocities of the point masses of element i in a step linearised at its start. The velocity of a point mass
 * is a sum of two parts: the velocity that `motion` gives it, and a velocity correction. The velocity correction is the
 * acceleration of the point mass at constant generalised velocities, multiplied by the time `gyration` (s). `motion`: final
 * velocities of the element. */
static inline void find_field(cst_super_circle *rod, int i, cst_circle_quad motion, double gyration)
{
    const cst_circle_element *e = &rod->linear[i];
    const cst_circle_masses *masses = &rod->masses[i];
    const double rate = rod->rate[i], w = e->turn;
    const double away = -gyration * w * w, across = 2.0 * gyration * w * rate, bent = gyration * rate * rate;
    cst_circle_field *field = &rod->field[i];
    field->first = cst_plane_add(motion.xy, gyration, e->bias);
    for (int g = 0; g < CST_CIRCLE_MASSES; ++g) {
        const cst_plane p = masses->p[g], d = masses->d[g], dd = masses->dd[g];
        const cst_plane within = {away * p.x - motion.theta * p.y + motion.kappa * d.x - across * d.y + bent * dd.x,
                                  away * p.y + motion.theta * p.x + motion.kappa * d.y + across * d.x + bent * dd.y};
        field->at[g] = cst_plane_sum(field->first, cst_plane_product(e->direction, within));
    }
}

/* Adds the contribution of element i to the reaction impulse of a clamped root: the final momentum of the element times the drag
 * factor `mass_new`.
 * `within`: final velocities of the element minus those of the rigid motion of the rod with its root. The momentum of the rigid
 * motion is already in the right-hand side of the step. */
static void add_reaction(const cst_super_circle *rod, int i, const cst_circle_mass *M, double mass_new, cst_circle_quad within,
                         double reaction[3])
{
    const cst_plane arm = cst_plane_difference(rod->linear[i].start, rod->linear[0].start);
    const cst_circle_quad p = cst_circle_mass_times(M, within);
    reaction[0] += mass_new * p.xy.x;
    reaction[1] += mass_new * p.xy.y;
    reaction[2] += mass_new * (p.theta + cst_plane_cross(arm, p.xy));
}

/* Adds to the balance `out` the work that the geometric stiffness of one element does in the step, and the moment of the impulse
 * of this stiffness. The impulse of the geometric stiffness is the stiffness times the difference between final and guessed
 * velocities of the element. If the root is clamped, the angular velocities `end_turn` and `mean_turn` are relative to the
 * root. */
static void add_stiffness(const cst_circle_bearing *bearing, double end_turn, double mean_turn, double end_rate, double mean_rate,
                          account *out)
{
    const cst_circle_block *N = &bearing->block;
    const double turn = end_turn - bearing->turn, bend = end_rate - bearing->bend;
    const double moment = N->turn_turn * turn + N->turn_bend * bend;
    out->moment += moment;
    out->stiffness += mean_turn * moment + mean_rate * (N->turn_bend * turn + N->bend_bend * bend);
}

/* Computes the momentum and energy balance of a step. Except in a quasi-static step, also writes the final velocities of the
 * point masses to rod->field. */
static void find_account(cst_super_circle *rod, const cst_step_frame *frame, const double *v, account *out)
{
    const cst_circle_step step = cst_circle_step_of(rod, frame);
    const double theta = frame->theta, start = step.scheme.inertia,
                 gyration = rod->guessed ? 0.0 : start * step.scheme.gyration * step.scheme.dt;
    double end[3], mean_root[3];
    cst_circle_root_velocity(rod, frame, v, end, mean_root);
    const double held[2] = {rod->clamped ? end[2] : 0.0, rod->clamped ? mean_root[2] : 0.0};
    cst_circle_quad motion = {.xy = {end[0], end[1]}, .theta = end[2]}, within = {{0.0, 0.0}, 0.0, 0.0};
    cst_circle_quad guess = {.xy = {rod->guess_root[0], rod->guess_root[1]}, .theta = rod->guess_root[2]};
    for (int k = 0; k < 3; ++k)
        out->reaction[k] = rod->clamped ? -rod->root_rhs[k] - rod->pushed[k] : 0.0;
    for (int i = 0; i < rod->elements; ++i) {
        const cst_circle_element *e = &rod->linear[i];
        const double l = rod->material[i].length;
        const cst_circle_mass M = cst_circle_linear_mass(rod, i);
        const cst_circle_joint joint = cst_circle_joint_of(e, l);
        const cst_circle_quad old = {cst_plane_scaled(start, e->velocity), start * e->turn, start * rod->rate[i]};
        motion.kappa = v[rod->rate_first + i * rod->rate_stride];
        const cst_circle_quad mean = {cst_plane_add(cst_plane_scaled(theta, motion.xy), 1.0 - theta, old.xy),
                                      theta * motion.theta + (1.0 - theta) * old.theta,
                                      theta * motion.kappa + (1.0 - theta) * old.kappa};
        const cst_circle_quad has = cst_circle_mass_times(&M, motion), had = rod->momentum[i];
        const cst_circle_quad D = {cst_plane_difference(has.xy, had.xy), has.theta - had.theta, has.kappa - had.kappa};
        const cst_circle_quad moving = cst_circle_mass_times(&M, mean);
        out->momentum = cst_plane_sum(out->momentum, D.xy);
        out->moment += D.theta + cst_plane_cross(cst_plane_difference(e->start, rod->linear[0].start), D.xy);
        out->inertial += cst_circle_quad_dot(mean, D);
        out->mean += cst_circle_quad_dot(mean, moving);
        out->way = cst_plane_add(out->way, step.scheme.dt, moving.xy);
        if (rod->guessed) {
            guess.kappa = rod->guess_rate[i];
            find_field_at_guess(rod, i,
                                (cst_circle_quad){cst_plane_difference(motion.xy, guess.xy), motion.theta - guess.theta,
                                                  motion.kappa - guess.kappa});
            guess = cst_circle_joint_times(&joint, l, guess);
        } else if (start > 0.0) {
            find_field(rod, i, motion, gyration);
        }
        if (rod->clamped) {
            within.kappa = motion.kappa;
            add_reaction(rod, i, &M, step.scheme.mass_new, within, out->reaction);
            within = cst_circle_joint_times(&joint, l, within);
        }
        if (rod->stiffened)
            add_stiffness(&rod->bearing[i], motion.theta - held[0], mean.theta - held[1], motion.kappa, mean.kappa, out);
        motion = cst_circle_joint_times(&joint, l, motion);
    }
}

/* Finds the velocity of the root and the rates of curvature that have, in the final shape, the same momentum as the point masses,
 * and writes them to the state of the rod. The velocities of the elements in rod->now are not updated. */
static void project(cst_super_circle *rod, double stiffness)
{
    const int n = rod->elements;
    cst_circle_inertia P = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    cst_circle_root_factor root_factor;
    double least = INFINITY, X[3] = {0.0, 0.0, 0.0};
    for (int i = n - 1; i >= 0; --i) {
        const cst_circle_element *e = &rod->now[i];
        const cst_circle_masses *masses = &rod->masses[i];
        const cst_circle_field *field = &rod->field[i];
        const double l = rod->material[i].length, mass = rod->mass_per_length * l;
        const cst_circle_joint joint = {cst_plane_left(cst_plane_product(e->direction, masses->p[CST_CIRCLE_MASSES - 1])),
                                        cst_plane_product(e->direction, masses->d[CST_CIRCLE_MASSES - 1])};
        cst_circle_field rest;
        rest.first = turned_back(e, cst_plane_difference(field->first, e->velocity));
        for (int g = 0; g < CST_CIRCLE_MASSES; ++g) {
            const cst_plane relative = turned_back(e, cst_plane_difference(field->at[g], e->velocity));
            rest.at[g] = cst_plane_difference(relative, velocity_at(masses, g, (cst_plane){0.0, 0.0}, e->turn, rod->rate[i]));
        }
        cst_circle_mass M = mass_of_points(e, masses, mass);
        M.bend_bend += stiffness * rod->material[i].stiffness;
        const double pivot = cst_circle_eliminate(&M, &joint, l, &P, &rod->factor[i]);
        const cst_circle_quad b = momentum_of(e, masses, mass, &rest);
        double x[4] = {b.xy.x, b.xy.y, b.theta, b.kappa};
        cst_circle_reduce(&rod->factor[i], x, X);
        rod->correction[i] = x[3];
        least = pivot < least ? pivot : least;
    }
    bool good = least > 0.0;
    if (rod->clamped) {
        X[0] = X[1] = X[2] = 0.0;
    } else {
        good = cst_circle_factor_root(&P, &root_factor) && good;
        cst_circle_solve_root(&root_factor, X);
    }
    if (!good) /* the shape is degenerate: keep v+ */
        return;
    for (int k = 0; k < 3; ++k)
        rod->root_rate[k] += X[k];
    for (int i = 0; i < n; ++i)
        rod->rate[i] += cst_circle_substitute(&rod->factor[i], rod->correction[i], X);
}

/* Computes the velocities of the elements in rod->now from the velocity of the root and the rates of curvature in the state of
 * the rod. */
static void move_with_rates(cst_super_circle *rod)
{
    cst_circle_trace_motion(rod, rod->root_rate, rod->rate, rod->now);
    rod->totals = cst_circle_totals_of(rod);
}

/* Makes two corrections of the velocities at the end of a step. If the root is free, the first correction adds a rigid motion, so
 * that the rod has the given linear and angular momentum. If the time stepping and the added rigid motion together add energy to
 * the rod, the second correction scales the non-rigid part of the velocities down, which takes energy from the rod. `gain`:
 * energy that the time stepping alone has added in the step. Returns the change of the rod's kinetic energy that the added rigid
 * motion and the scaling of the velocities cause. While a clamped root moves, the velocities are not corrected, because the clamp
 * then does work on the rod. */
static double settle_rates(cst_super_circle *rod, cst_plane momentum, double moment, double gain)
{
    const cst_circle_totals *has = &rod->totals;
    cst_plane velocity = {0.0, 0.0};
    double turn = 0.0, within = has->kinetic, change = 0.0, left = 1.0;
    if (!rod->clamped) {
        cst_plane velocity_now;
        double turn_now;
        const double rigid_now = rigid_motion(has, has->momentum, has->moment, &velocity_now, &turn_now);
        change = rigid_motion(has, momentum, moment, &velocity, &turn) - rigid_now;
        within -= rigid_now;
        rod->root_rate[0] += velocity.x - velocity_now.x;
        rod->root_rate[1] += velocity.y - velocity_now.y;
        rod->root_rate[2] += turn - turn_now;
    } else if (rod->root_rate[0] != 0.0 || rod->root_rate[1] != 0.0 || rod->root_rate[2] != 0.0) {
        return 0.0; /* a moving root does work */
    }
    gain += change;
    if (gain > rounding * has->kinetic && within > 0.0) {
        const double root[3] = {velocity.x, velocity.y, turn};
        left = gain < within ? 1.0 - gain / within : 0.0;
        const double factor = sqrt(left);
        for (int k = 0; k < 3; ++k)
            rod->root_rate[k] = root[k] + factor * (rod->root_rate[k] - root[k]);
        for (int i = 0; i < rod->elements; ++i)
            rod->rate[i] *= factor;
    }
    if (!rod->clamped || left < 1.0)
        move_with_rates(rod);
    return change - (1.0 - left) * within;
}

/* Computes the state of the rod, and the velocities in rod->now, at the end of a step with the final generalised velocities v. */
static void advance_state(cst_super_circle *rod, const cst_step_frame *frame, const double *v, cst_body_work *work,
                          double *strained)
{
    const double dt = frame->dt, theta = frame->theta, old = frame->quasi_static ? 0.0 : 1.0 - theta;
    double end[3], mean[3], place[3], rate[3];
    cst_circle_root_velocity(rod, frame, v, end, mean);
    for (int i = 0; i < rod->elements; ++i) {
        const double new_rate = v[rod->rate_first + i * rod->rate_stride];
        const double mean_rate = theta * new_rate + old * rod->rate[i], bent = dt * mean_rate;
        work->viscosity -= rod->material[i].damping * bent * mean_rate;
        *strained += rod->material[i].stiffness * bent * bent;
        rod->kappa[i] += bent;
        rod->rate[i] = new_rate;
    }
    if (rod->clamped)
        cst_circle_imposed_root(rod, frame, place, rate);
    for (int k = 0; k < 3; ++k) {
        rod->root[k] = rod->clamped ? place[k] : rod->root[k] + dt * mean[k];
        rod->root_rate[k] = end[k];
    }
    cst_circle_settle_shape(rod);
}

void cst_circle_finish(void *self, const cst_step_frame *frame, const double *v)
{
    cst_super_circle *rod = self;
    const double dt = frame->dt, theta = frame->theta;
    const cst_plane field = cst_circle_step_of(rod, frame).field;
    const cst_circle_totals before = rod->totals;
    const cst_plane root = rod->now[0].start, linear_root = rod->linear[0].start;
    double end[3], mean[3], strained = 0.0; /* |kappa+ - kappa|_K^2 */
    account did = {0};
    cst_circle_root_velocity(rod, frame, v, end, mean);
    find_account(rod, frame, v, &did);
    cst_body_work work = {.forgotten = frame->quasi_static ? -before.kinetic : 0.0,
                          .drag = -dt * rod->drag / rod->mass_per_length * did.mean};
    advance_state(rod, frame, v, &work, &strained);

    if (!frame->quasi_static)
        project(rod, stiffness_share * dt * dt);
    move_with_rates(rod);
    const cst_circle_totals after = rod->totals;
    const cst_plane moved = cst_plane_difference(rod->now[0].start, root);
    const cst_plane way = cst_plane_add(cst_plane_difference(after.first, before.first), after.mass, moved); /* sum m (r+ - r) */
    work.loads = cst_plane_dot(rod->load, way) / rod->mass_per_length;
    work.scheme = after.kinetic - (frame->quasi_static ? 0.0 : before.kinetic) - did.inertial - (theta - 0.5) * strained +
                  cst_plane_dot(field, cst_plane_difference(did.way, way)) - did.stiffness;
    if (!frame->quasi_static) {
        /* `moment`: angular momentum that the rod must have at the end of the step, about the final position of its root. */
        const cst_plane ahead = cst_plane_difference(linear_root, rod->now[0].start);
        const double moment =
            before.moment - cst_plane_cross(moved, before.momentum) + did.moment + cst_plane_cross(ahead, did.momentum);
        const cst_plane momentum = cst_plane_sum(before.momentum, did.momentum);
        if (rod->clamped) { /* `more`: momentum from the clamp */
            const double more[3] = {after.momentum.x - momentum.x, after.momentum.y - momentum.y, after.moment - moment};
            for (int k = 0; k < 3; ++k) {
                did.reaction[k] += more[k];
                work.scheme -= more[k] * mean[k];
            }
        }
        work.scheme += settle_rates(rod, momentum, moment, work.scheme);
    }
    for (int k = 0; k < 3 && rod->clamped; ++k) {
        work.constraint += did.reaction[k] * mean[k];
        rod->root_force[k] = did.reaction[k] / dt;
    }
    rod->work = work;
}
