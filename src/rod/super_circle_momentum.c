#include "rod/super_circle_momentum.h"

#include <math.h>
#include <string.h>

#include "rod/super_circle_rod.h"

/* Of the step's dt^2 K: E. As for super helices. */
static const double stiffness_share = 1e-6;

/* Of the kinetic energy: a smaller gain is rounding. */
static const double rounding = 1e-14;

/* Places and weights of Gauss points on (0, 1). */
static const double gauss_at[CST_CIRCLE_GAUSS] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double gauss_weight[CST_CIRCLE_GAUSS] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/* ------------------------------------------------------------------------------------------------------ masses of an element */

/* In the frame of the element: p, dp/dkappa, d2p/dkappa2. */
typedef struct mass_points {
    cst_plane p[CST_CIRCLE_GAUSS], d[CST_CIRCLE_GAUSS], dd[CST_CIRCLE_GAUSS];
} mass_points;

static inline void points_of(double kappa, double l, mass_points *out)
{
    for (int g = 0; g < CST_CIRCLE_GAUSS; ++g) {
        const double s = gauss_at[g] * l, phi = kappa * s, ss = s * s;
        double f[CST_CIRCLE_SERIES];
        cst_circle_series_short(phi, f);
        out->p[g] = cst_plane_scaled(s, cst_circle_E(phi, f));
        out->d[g] = cst_plane_scaled(ss, cst_circle_E1(phi, f));
        out->dd[g] = cst_plane_scaled(ss * s, cst_circle_E2(phi, f));
    }
}

/* Velocity of a mass in the frame of the element; at: that of the element's start there. */
static inline cst_plane velocity_at(const mass_points *points, int g, cst_plane at, double turn, double rate)
{
    const cst_plane p = points->p[g], d = points->d[g];
    return (cst_plane){at.x - turn * p.y + rate * d.x, at.y + turn * p.x + rate * d.y};
}

/* a in the frame of the element. */
static inline cst_plane turned_back(const cst_circle_element *e, cst_plane a)
{
    const cst_plane R = e->direction;
    return (cst_plane){R.x * a.x + R.y * a.y, R.x * a.y - R.y * a.x};
}

/* J^T m a of the masses of an element, a in its frame. */
static inline cst_circle_quad momentum_of(const cst_circle_element *e, const mass_points *points, double mass,
                                          const cst_plane a[CST_CIRCLE_GAUSS])
{
    cst_plane sum = {0.0, 0.0};
    cst_circle_quad out = {{0.0, 0.0}, 0.0, 0.0};
    for (int g = 0; g < CST_CIRCLE_GAUSS; ++g) {
        const cst_plane ma = cst_plane_scaled(mass * gauss_weight[g], a[g]);
        sum = cst_plane_sum(sum, ma);
        out.theta += cst_plane_cross(points->p[g], ma);
        out.kappa += cst_plane_dot(points->d[g], ma);
    }
    out.xy = cst_plane_product(e->direction, sum);
    return out;
}

/* sum m J^T J. */
static inline cst_circle_mass gauss_mass(const cst_circle_element *e, const mass_points *points, double mass)
{
    cst_plane first = {0.0, 0.0}, bend = {0.0, 0.0};
    cst_circle_mass M = {.m = mass};
    for (int g = 0; g < CST_CIRCLE_GAUSS; ++g) {
        const double m = mass * gauss_weight[g];
        const cst_plane p = points->p[g], d = points->d[g];
        first = cst_plane_add(first, m, p);
        bend = cst_plane_add(bend, m, d);
        M.turn_turn += m * cst_plane_dot(p, p);
        M.turn_bend += m * cst_plane_cross(p, d);
        M.bend_bend += m * cst_plane_dot(d, d);
    }
    M.turn = cst_plane_left(cst_plane_product(e->direction, first));
    M.bend = cst_plane_product(e->direction, bend);
    return M;
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

/* The rigid motion with the momentum and moment of `of`: velocity of the root, turning rate; returns its kinetic energy. */
static double rigid_motion(const cst_circle_totals *of, cst_plane momentum, double moment, cst_plane *velocity, double *turn)
{
    const cst_plane arm = cst_plane_scaled(1.0 / of->mass, of->first), centre = cst_plane_scaled(1.0 / of->mass, momentum);
    const double inertia = of->second - of->mass * cst_plane_dot(arm, arm), spin = moment - cst_plane_cross(arm, momentum);
    *turn = spin / inertia;
    *velocity = cst_plane_add(centre, -*turn, cst_plane_left(arm));
    return 0.5 * (cst_plane_dot(momentum, centre) + spin * *turn);
}

/* ---------------------------------------------------------------------------------------------------------- within a step */

/* Where the masses were and how they moved at the start of the step. */
static void know_start(cst_super_circle *rod)
{
    for (int i = 0; i < rod->elements && !rod->start_known; ++i) {
        const cst_circle_element *e = &rod->now[i];
        const cst_plane local = turned_back(e, e->velocity);
        mass_points points;
        points_of(e->kappa, rod->material[i].length, &points);
        for (int g = 0; g < CST_CIRCLE_GAUSS; ++g) {
            const cst_plane w = velocity_at(&points, g, local, e->turn, rod->rate[i]);
            rod->start[i].place.at[g] = cst_plane_sum(e->start, cst_plane_product(e->direction, points.p[g]));
            rod->start[i].velocity.at[g] = cst_plane_product(e->direction, w);
        }
    }
    rod->start_known = true;
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
        mass_points points, elsewhere;
        const mass_points *there = &points;
        cst_plane change[CST_CIRCLE_GAUSS];
        points_of(e->kappa, l, &points);
        if (end != rod->linear) {
            points_of(end[i].kappa, l, &elsewhere);
            there = &elsewhere;
        }
        for (int g = 0; g < CST_CIRCLE_GAUSS; ++g) {
            const cst_plane place = cst_plane_sum(end[i].start, cst_plane_product(end[i].direction, there->p[g]));
            const cst_plane way = cst_plane_difference(place, rod->start[i].place.at[g]);
            const cst_plane w = rod->start[i].velocity.at[g];
            rod->field[i].at[g] =
                cst_plane_scaled(1.0 / frame->theta, cst_plane_add(w, -1.0 / frame->dt, way)); /* w - w_k */
            change[g] = turned_back(e, rod->field[i].at[g]);
        }
        node.kappa = rod->guess_rate[i] = guess[rod->rate_first + i * rod->rate_stride];
        const cst_circle_quad had = cst_circle_mass_times(&M, node), given = momentum_of(e, &points, M.m, change);
        rod->momentum[i] = (cst_circle_quad){cst_plane_sum(had.xy, given.xy), had.theta + given.theta, had.kappa + given.kappa};
        node = cst_circle_joint_times(&joint, l, node);
    }
}

/* ----------------------------------------------------------------------------------------------------------------- finish */

/* What a step did, all of it at the velocities that its works are counted by; moments about the root where it was linearised. */
typedef struct account {
    cst_plane momentum; /* D of the root: its change */
    double moment;
    double inertial;    /* v_theta . D */
    double mean;        /* |v_theta|_M^2 */
    cst_plane way;      /* sum m J v_theta dt */
    double stiffness;   /* v_theta . N (v+ - v_k) */
    double reaction[3]; /* on a clamped root */
} account;

/* w+ at the masses of element i: of v+ (at_end), in a step linearised at its start, or of v+ - v_k. */
static inline void find_field(cst_super_circle *rod, int i, cst_circle_quad motion, double gyration)
{
    const cst_circle_element *e = &rod->linear[i];
    const double rate = rod->rate[i], w = e->turn;
    cst_circle_field *field = &rod->field[i];
    mass_points points;
    points_of(e->kappa, rod->material[i].length, &points);
    if (rod->guessed) {
        const cst_plane local = turned_back(e, motion.xy);
        for (int g = 0; g < CST_CIRCLE_GAUSS; ++g) {
            const cst_plane more = cst_plane_product(e->direction, velocity_at(&points, g, local, motion.theta, motion.kappa));
            field->at[g] =
                cst_plane_sum(more, cst_plane_difference(rod->start[i].velocity.at[g], field->at[g])); /* w_k + J (v+ - v_k) */
        }
        return;
    }
    /* J v+ + gyration (bias - w^2 p + 2 i w rate d + rate^2 dd) */
    const cst_plane local = turned_back(e, cst_plane_add(motion.xy, gyration, e->bias));
    const double away = -gyration * w * w, across = 2.0 * gyration * w * rate, bent = gyration * rate * rate;
    for (int g = 0; g < CST_CIRCLE_GAUSS; ++g) {
        const cst_plane p = points.p[g], d = points.d[g], dd = points.dd[g];
        const cst_plane at = velocity_at(&points, g, local, motion.theta, motion.kappa);
        field->at[g] = cst_plane_product(e->direction, (cst_plane){at.x + away * p.x - across * d.y + bent * dd.x,
                                                                   at.y + away * p.y + across * d.x + bent * dd.y});
    }
}

/* D of element i. */
static inline cst_circle_quad change_of(const cst_super_circle *rod, int i, const cst_circle_mass *M, cst_circle_quad motion,
                                        cst_circle_quad old, double gyration)
{
    if (rod->guessed) {
        const cst_circle_quad now = cst_circle_mass_times(M, motion), kept = rod->momentum[i];
        return (cst_circle_quad){cst_plane_difference(now.xy, kept.xy), now.theta - kept.theta, now.kappa - kept.kappa};
    }
    const cst_circle_element *e = &rod->linear[i];
    const cst_circle_quad dv = {
        cst_plane_add(cst_plane_difference(motion.xy, old.xy), gyration, e->bias), motion.theta - old.theta, motion.kappa - old.kappa};
    cst_circle_quad D = cst_circle_mass_times(M, dv);
    if (gyration > 0.0) {
        const cst_circle_quad h = cst_circle_inertia_of(e, rod->material[i].length, rod->mass_per_length, rod->rate[i]);
        D = (cst_circle_quad){cst_plane_add(D.xy, gyration, h.xy), D.theta + gyration * h.theta, D.kappa + gyration * h.kappa};
    }
    return D;
}

/* The account of a step, and w+ into rod->field. */
static void find_account(cst_super_circle *rod, const cst_step_frame *frame, const double *v, account *out)
{
    const cst_circle_step step = cst_circle_step_of(rod, frame);
    const double theta = frame->theta, start = step.inertia, gyration = rod->guessed ? 0.0 : start * step.gyration * step.dt;
    double end[3], mean_root[3];
    cst_circle_root_velocity(rod, frame, v, end, mean_root);
    cst_circle_quad motion = {.xy = {end[0], end[1]}, .theta = end[2]}, within = {{0.0, 0.0}, 0.0, 0.0};
    cst_circle_quad guess = {.xy = {rod->guess_root[0], rod->guess_root[1]}, .theta = rod->guess_root[2]};
    for (int k = 0; k < 3; ++k)
        out->reaction[k] = -rod->root_rhs[k] - rod->pushed[k];
    for (int i = 0; i < rod->elements; ++i) {
        const cst_circle_element *e = &rod->linear[i];
        const double l = rod->material[i].length;
        const cst_circle_mass M = cst_circle_linear_mass(rod, i);
        const cst_circle_joint joint = cst_circle_joint_of(e, l);
        const cst_circle_quad old = {cst_plane_scaled(start, e->velocity), start * e->turn, start * rod->rate[i]};
        const cst_plane arm = cst_plane_difference(e->start, rod->linear[0].start);
        motion.kappa = within.kappa = v[rod->rate_first + i * rod->rate_stride];
        const cst_circle_quad mean = {cst_plane_add(cst_plane_scaled(theta, motion.xy), 1.0 - theta, old.xy),
                                      theta * motion.theta + (1.0 - theta) * old.theta,
                                      theta * motion.kappa + (1.0 - theta) * old.kappa};
        const cst_circle_quad D = change_of(rod, i, &M, motion, old, gyration), moving = cst_circle_mass_times(&M, mean);
        out->momentum = cst_plane_sum(out->momentum, D.xy);
        out->moment += D.theta + cst_plane_cross(arm, D.xy);
        out->inertial += cst_circle_quad_dot(mean, D);
        out->mean += cst_circle_quad_dot(mean, moving);
        out->way = cst_plane_add(out->way, step.dt, moving.xy);
        if (start > 0.0) {
            cst_circle_quad more = motion;
            if (rod->guessed) {
                guess.kappa = rod->guess_rate[i];
                more = (cst_circle_quad){cst_plane_difference(motion.xy, guess.xy), motion.theta - guess.theta,
                                         motion.kappa - guess.kappa};
                guess = cst_circle_joint_times(&joint, l, guess);
            }
            find_field(rod, i, more, gyration);
        }
        if (rod->clamped) { /* A v+ - rhs, v+ relative to the motion with the root, which is in rhs */
            const cst_circle_quad p = cst_circle_mass_times(&M, within);
            out->reaction[0] += step.mass_new * p.xy.x;
            out->reaction[1] += step.mass_new * p.xy.y;
            out->reaction[2] += step.mass_new * (p.theta + cst_plane_cross(arm, p.xy));
        }
        if (rod->stiffened) {
            const cst_circle_bearing *bearing = &rod->bearing[i];
            const double imposed = rod->clamped ? mean_root[2] : 0.0, end_turn = rod->clamped ? end[2] : 0.0;
            const double turn = motion.theta - end_turn - bearing->turn, bend = motion.kappa - bearing->bend;
            out->stiffness += (mean.theta - imposed) * (bearing->block.turn_turn * turn + bearing->block.turn_bend * bend) +
                              mean.kappa * (bearing->block.turn_bend * turn + bearing->block.bend_bend * bend);
        }
        motion = cst_circle_joint_times(&joint, l, motion);
        within = cst_circle_joint_times(&joint, l, within);
    }
}

/* v+ of the state, in the shape of the end, to the velocities with the momentum of rod->field; totals with them. Only rates of the
 * state are changed: `now` still moves with v+. */
static void project(cst_super_circle *rod, double stiffness, cst_circle_totals *totals)
{
    const int n = rod->elements;
    cst_circle_inertia P = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    cst_circle_root_factor root_factor;
    double least = INFINITY, X[3] = {0.0, 0.0, 0.0};
    for (int i = n - 1; i >= 0; --i) {
        const cst_circle_element *e = &rod->now[i];
        const double l = rod->material[i].length, mass = rod->mass_per_length * l;
        const cst_plane local = turned_back(e, e->velocity);
        const cst_circle_joint joint = cst_circle_joint_of(e, l);
        mass_points points;
        cst_plane rest[CST_CIRCLE_GAUSS];
        points_of(e->kappa, l, &points);
        for (int g = 0; g < CST_CIRCLE_GAUSS; ++g)
            rest[g] = cst_plane_difference(turned_back(e, rod->field[i].at[g]),
                                           velocity_at(&points, g, local, e->turn, rod->rate[i]));
        cst_circle_mass M = gauss_mass(e, &points, mass);
        M.bend_bend += stiffness * rod->material[i].stiffness;
        const double pivot = cst_circle_eliminate(&M, &joint, l, &P, &rod->factor[i]);
        const cst_circle_quad b = momentum_of(e, &points, mass, rest);
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
    if (!good) /* only if the shape is beyond any use: v+ stays */
        return;
    cst_circle_quad node = {{rod->root_rate[0] + X[0], rod->root_rate[1] + X[1]}, rod->root_rate[2] + X[2], 0.0};
    for (int k = 0; k < 3; ++k)
        rod->root_rate[k] += X[k];
    *totals = (cst_circle_totals){0};
    for (int i = 0; i < n; ++i) {
        const cst_circle_element *e = &rod->now[i];
        rod->rate[i] += cst_circle_substitute(&rod->factor[i], rod->correction[i], X);
        node.kappa = rod->rate[i];
        add_element(totals, &rod->mass[i], cst_plane_difference(e->start, rod->now[0].start), node);
        node = cst_circle_joint_times(&rod->factor[i].joint, rod->factor[i].length, node);
    }
}

/* The rates of the state, to the momentum that the rod must have; then without what they gain. gain: as they are. Returns how much of
 * it is taken. has: totals of the rates. */
static double settle_rates(cst_super_circle *rod, const cst_circle_totals *has, cst_plane momentum, double moment, double gain)
{
    cst_plane velocity = {0.0, 0.0}, velocity_now;
    double turn = 0.0, turn_now, rigid = 0.0, rigid_now = 0.0, change = 0.0;
    if (!rod->clamped) {
        rigid_now = rigid_motion(has, has->momentum, has->moment, &velocity_now, &turn_now);
        rigid = rigid_motion(has, momentum, moment, &velocity, &turn);
        rod->root_rate[0] += velocity.x - velocity_now.x;
        rod->root_rate[1] += velocity.y - velocity_now.y;
        rod->root_rate[2] += turn - turn_now;
        change = rigid - rigid_now;
    } else if (rod->root_rate[0] != 0.0 || rod->root_rate[1] != 0.0 || rod->root_rate[2] != 0.0) {
        return 0.0; /* a moved root works */
    }
    gain += change;
    const double within = has->kinetic - rigid_now;
    if (gain <= rounding * has->kinetic || within <= 0.0)
        return change;
    const double left = gain < within ? 1.0 - gain / within : 0.0, factor = sqrt(left);
    const double root[3] = {velocity.x, velocity.y, turn};
    for (int k = 0; k < 3; ++k)
        rod->root_rate[k] = root[k] + factor * (rod->root_rate[k] - root[k]);
    for (int i = 0; i < rod->elements; ++i)
        rod->rate[i] *= factor;
    return change - (1.0 - left) * within;
}

/* The state after the step, `now` moving with v+. */
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
    cst_circle_settle(rod);
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
    for (int k = 0; k < 3 && rod->clamped; ++k)
        work.constraint += did.reaction[k] * mean[k];
    advance_state(rod, frame, v, &work, &strained);

    cst_circle_totals after = rod->totals;
    if (!frame->quasi_static)
        project(rod, stiffness_share * dt * dt, &after);
    const cst_plane moved = cst_plane_difference(rod->now[0].start, root);
    const cst_plane way = cst_plane_add(cst_plane_difference(after.first, before.first), after.mass, moved); /* sum m (r+ - r) */
    work.loads = cst_plane_dot(rod->load, way) / rod->mass_per_length;
    work.scheme = after.kinetic - (frame->quasi_static ? 0.0 : before.kinetic) - did.inertial - (theta - 0.5) * strained +
                  cst_plane_dot(field, cst_plane_difference(did.way, way)) - did.stiffness;
    if (!frame->quasi_static) {
        /* The angular momentum about the place of the root now. */
        const cst_plane ahead = cst_plane_difference(linear_root, rod->now[0].start);
        const double moment =
            before.moment - cst_plane_cross(moved, before.momentum) + did.moment + cst_plane_cross(ahead, did.momentum);
        work.scheme += settle_rates(rod, &after, cst_plane_sum(before.momentum, did.momentum), moment, work.scheme);
        cst_circle_trace_motion(rod, rod->root_rate, rod->rate, rod->now);
        rod->totals = cst_circle_totals_of(rod);
    }
    rod->work = work;
}
