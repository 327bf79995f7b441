#include "rod/super_helix_momentum.h"

#include <assert.h>
#include <string.h>

#include "math/rotation.h"
#include "rod/super_helix_riccati.h"
#include "rod/super_helix_rod.h"

/* stiffness_share: the small matrix E that is added to the mass matrix M (super_helix_momentum.h) is stiffness_share times the
 * stiffness term dt^2 K of the time step. The sum M + E is positive definite even if the mass matrix M is singular. */
static const double stiffness_share = 1e-6;

/* A point mass of an element. `m`: coefficients of the functions of super_helix_maps.h at the point mass. `p`: vector from the
 * start of the element to the point mass, in the frame of the element. */
typedef struct mass_point {
    cst_helix_maps m;
    double mass, inertia; /* kg; kg m2 about the tangent */
    double p[3], chord[3], bend[9], tangent[3];
} mass_point;

static inline void point_at(const cst_helix_element *e, const cst_helix_material *material, int gauss, int g, mass_point *out)
{
    double local[9];
    out->m = cst_helix_maps_at(e->u, cst_helix_gauss_points(gauss)[g] * material->length);
    out->mass = cst_helix_gauss_weights(gauss)[g] * material->mass;
    out->inertia = out->mass * material->spin;
    cst_helix_place(&out->m, out->p);
    cst_apply3(e->frame, out->p, out->chord);
    cst_helix_bend(&out->m, local);
    cst_product3(e->frame, local, out->bend);
    cst_helix_tangent(&out->m, local);
    cst_apply3(e->frame, local, out->tangent);
}

static inline void velocity_at(const mass_point *point, const cst_helix_nonad *v, double *out)
{
    cst_apply3(point->bend, v->u, out);
    cst_add3(1.0, v->v, out);
    cst_add_cross3(v->w, point->chord, out);
}

static inline double spin_at(const mass_point *point, const cst_helix_nonad *v)
{
    return cst_dot3(v->w, point->tangent) + cst_dot3(v->u, point->p);
}

static inline void turn_at(const cst_helix_element *e, const mass_point *point, const cst_helix_nonad *v, double *out)
{
    double local[3];
    cst_helix_turning_times(&point->m, 1.0, v->u, local);
    cst_apply3(e->frame, local, out);
    cst_add3(1.0, v->w, out);
}

static inline void scaled(double scale, const double *a, double *out)
{
    for (int k = 0; k < 3; ++k)
        out[k] = scale * a[k];
}

/* ---------------------------------------------------------------------------------------------------------- within a step */

static cst_helix_nonad motion_of(const cst_helix_element *e, const double *rate)
{
    cst_helix_nonad v;
    memcpy(v.v, e->velocity, sizeof v.v);
    memcpy(v.w, e->turn, sizeof v.w);
    memcpy(v.u, rate, sizeof v.u);
    return v;
}

/* For a step linearised at its start: adds the correction c of super_helix_momentum.h to the velocity and the spin of a point
 * mass. The correction of the velocity is dt times `share` times the acceleration of the point mass at constant generalised
 * velocities. */
static void add_gyration(const cst_helix_element *e, const mass_point *point, const double *rate, double dt, double share,
                         double *velocity, double *spin)
{
    const double *w = e->inertia_turn;
    double local[3], a[3], inner[3], added[3], alpha[3], turn[3];
    cst_helix_place_rate2(&point->m, rate, local);
    cst_apply3(e->frame, local, a);
    cst_apply3(point->bend, rate, inner);
    scaled(2.0, inner, inner);
    cst_add_cross3(w, point->chord, inner);
    cst_add_cross3(w, inner, a);
    cst_add3(1.0, e->bias, a);
    cst_add_cross3(e->bias_turn, point->chord, a);
    cst_add3(dt * share, a, velocity);

    cst_helix_turning_times(&point->m, 1.0, rate, local);
    cst_apply3(e->frame, local, added);
    cst_helix_turning_rate2(&point->m, rate, local);
    cst_apply3(e->frame, local, alpha);
    cst_add_cross3(w, added, alpha);
    cst_add3(1.0, e->bias_turn, alpha);
    for (int k = 0; k < 3; ++k)
        turn[k] = w[k] + added[k];
    cst_cross3(turn, point->tangent, inner);
    cst_add3(dt * cst_dot3(turn, point->tangent), inner, spin);
    cst_add3(dt * share * cst_dot3(alpha, point->tangent), point->tangent, spin);
}

static void know_start(cst_super_helix *rod)
{
    for (int i = 0; i < rod->elements && !rod->start_known; ++i) {
        const cst_helix_element *e = &rod->now[i];
        const cst_helix_nonad v = motion_of(e, rod->rate + 3 * i);
        cst_helix_start *start = &rod->start[i];
        for (int g = 0; g < rod->gauss; ++g) {
            mass_point point;
            point_at(e, &rod->material[i], rod->gauss, g, &point);
            velocity_at(&point, &v, start->field.velocity[g]);
            start->spin[g] = spin_at(&point, &v);
            scaled(start->spin[g], point.tangent, start->field.spin[g]);
            for (int k = 0; k < 3; ++k)
                start->place[g][k] = e->start[k] + point.chord[k];
        }
    }
    rod->start_known = true;
}

void cst_helix_field_at_guess(cst_super_helix *rod, const cst_step_frame *frame, const cst_helix_element *end,
                              const double *guess)
{
    const double theta = frame->theta;
    double root_end[6], root_mean[6];
    cst_helix_root_velocity(rod, frame, guess, root_end, root_mean);
    cst_helix_nonad at_end = cst_helix_node_of(root_end), mean = cst_helix_node_of(root_mean);
    know_start(rod);
    for (int i = 0; i < rod->elements; ++i) {
        const cst_helix_element *e = &rod->linear[i];
        const cst_helix_start *start = &rod->start[i];
        cst_helix_field *rest = &rod->field[i];
        memcpy(at_end.u, cst_helix_end_rate(rod, guess, i), sizeof at_end.u);
        memcpy(mean.u, rod->linear_rate + 3 * i, sizeof mean.u);
        for (int g = 0; g < rod->gauss; ++g) {
            const mass_point *there;
            mass_point point, elsewhere;
            point_at(e, &rod->material[i], rod->gauss, g, &point);
            there = &point;
            if (end != rod->linear) {
                point_at(&end[i], &rod->material[i], rod->gauss, g, &elsewhere);
                there = &elsewhere;
            }
            double along[3];
            velocity_at(&point, &at_end, along);
            for (int k = 0; k < 3; ++k) {
                const double secant = (end[i].start[k] + there->chord[k] - start->place[g][k]) / frame->dt;
                rest->velocity[g][k] = along[k] - (secant - start->field.velocity[g][k]) / theta;
            }
            scaled(spin_at(&point, &at_end), point.tangent, rest->spin[g]);
            cst_add3(1.0, start->field.spin[g], rest->spin[g]);
            cst_add3(-(spin_at(&point, &mean) - (1.0 - theta) * start->spin[g]) / theta, there->tangent, rest->spin[g]);
        }
        cst_helix_joint_times(&e->joint, &at_end);
        cst_helix_joint_times(&e->joint, &mean);
    }
}

/* ----------------------------------------------------------------------------------------------------------------- finish */

/* Works on the rod in one time step, computed with the mean velocities over the step. */
typedef struct account {
    double kinetic;        /* at the start */
    double inertial, drag; /* work of inertia and of drag */
    double weight;         /* work of gravity in the linearised step: weight times mean velocity times dt */
    double stiffness;      /* work of the geometric stiffness */
    double moment[3];      /* sum of mass times initial position */
    double reaction[6];    /* impulse of the clamp, and moment */
} account;

/* Computes the works on the rod in the time step, and writes the final velocities of the point masses to the array `all`. In a
 * step linearised at a guess of the velocities, `all` must be the array rod->field, which on entry contains the initial
 * velocities of the point masses minus the velocity correction c (super_helix_momentum.h). */
static void find_momentum(cst_super_helix *rod, const cst_step_frame *frame, const double *v, cst_helix_field *all, account *out)
{
    const double start = frame->quasi_static ? 0.0 : 1.0, theta = frame->theta, dt = frame->dt;
    const double dragging = dt * rod->drag / rod->mass_per_length;
    double root_end[6], root_mean[6];
    cst_helix_root_velocity(rod, frame, v, root_end, root_mean);
    cst_helix_nonad at_end = cst_helix_node_of(root_end), mean = cst_helix_node_of(root_mean);
    if (rod->guessed)
        know_start(rod);
    for (int i = 0; i < rod->elements; ++i) {
        const cst_helix_element *e = &rod->linear[i];
        cst_helix_field *field = &all[i];
        const double *rate = rod->rate + 3 * i;
        const cst_helix_nonad first = motion_of(e, rate);
        memcpy(at_end.u, cst_helix_end_rate(rod, v, i), sizeof at_end.u);
        for (int k = 0; k < 3; ++k)
            mean.u[k] = theta * at_end.u[k] + (1.0 - theta) * start * rate[k];
        for (int g = 0; g < rod->gauss; ++g) {
            mass_point point;
            double before[3] = {0.0}, spin_before[3] = {0.0}, place[3], along[3], moving[3], turning[3], impulse[3], spun[3],
                   arm[3];
            double *after = field->velocity[g], *spin_after = field->spin[g];
            point_at(e, &rod->material[i], rod->gauss, g, &point);
            velocity_at(&point, &at_end, along);
            velocity_at(&point, &mean, moving);
            turn_at(e, &point, &mean, turning);
            for (int k = 0; k < 3; ++k)
                place[k] = arm[k] = e->start[k] + point.chord[k];
            if (!rod->guessed) {
                memset(after, 0, 3 * sizeof *after);
                memset(spin_after, 0, 3 * sizeof *after);
                velocity_at(&point, &first, before);
                scaled(spin_at(&point, &first), point.tangent, spin_before);
                if (!frame->quasi_static)
                    add_gyration(e, &point, rate, dt, 0.5 / theta, after, spin_after);
            } else {
                memcpy(before, rod->start[i].field.velocity[g], sizeof before);
                memcpy(spin_before, rod->start[i].field.spin[g], sizeof before);
                memcpy(place, rod->start[i].place[g], sizeof place);
                for (int k = 0; k < 3; ++k) { /* c */
                    after[k] = start * before[k] - after[k];
                    spin_after[k] = start * spin_before[k] - spin_after[k];
                }
            }
            cst_add3(1.0, along, after);
            cst_add3(spin_at(&point, &at_end), point.tangent, spin_after);
            out->kinetic += 0.5 * (point.mass * cst_dot3(before, before) + point.inertia * cst_dot3(spin_before, spin_before));
            for (int k = 0; k < 3; ++k) {
                impulse[k] = point.mass * (after[k] - start * before[k]);
                spun[k] = point.inertia * (spin_after[k] - start * spin_before[k]);
                out->moment[k] += point.mass * place[k];
            }
            out->inertial += cst_dot3(impulse, moving) + cst_dot3(spun, turning);
            const double spinning = spin_at(&point, &mean);
            out->drag -= dragging * (point.mass * cst_dot3(moving, moving) + point.inertia * spinning * spinning);
            out->weight += dt * point.mass * cst_dot3(frame->gravity, moving);
            cst_add3(dragging * point.mass, moving, impulse);
            cst_add3(dragging * point.inertia * spinning, point.tangent, spun);
            cst_add3(-dt * point.mass, frame->gravity, impulse);
            cst_add3(-1.0, rod->linear[0].start, arm);
            cst_add3(1.0, impulse, out->reaction);
            cst_add3(1.0, spun, out->reaction + 3);
            cst_add_cross3(arm, impulse, out->reaction + 3);
        }
        if (rod->stiffening != CST_HELIX_NOT_STIFFENED) {
            cst_helix_nonad end_within = at_end, mean_within = mean;
            for (int k = 0; k < 3 && rod->clamped; ++k) {
                end_within.w[k] -= root_end[3 + k];
                mean_within.w[k] -= root_mean[3 + k];
            }
            out->stiffness += cst_helix_stiffness_work(rod, i, &end_within, &mean_within);
        }
        cst_helix_joint_times(&e->joint, &at_end);
        cst_helix_joint_times(&e->joint, &mean);
    }
    for (int k = 0; k < 6; ++k)
        out->reaction[k] -= rod->pushed[k] + rod->root_hold[k];
}

/* Adds `sign` times the momentum of an element (argument `of`) to the momentum of the whole rod (`root`): three components of
 * linear momentum, then three of angular momentum about the root. */
static void add_to_root(const cst_super_helix *rod, const cst_helix_element *e, double sign, const cst_helix_nonad *of,
                        double *root)
{
    double arm[3], moment[3];
    cst_subtract3(e->start, rod->now[0].start, arm);
    cst_cross3(arm, of->v, moment);
    cst_add3(sign, of->v, root);
    cst_add3(sign, of->w, root + 3);
    cst_add3(sign, moment, root + 3);
}

/* Replaces the final velocities `field` of the point masses by generalised velocities that have the same momentum in the final
 * shape, and writes these to the rod's state. `reaction`: if the rod is clamped, receives the momentum (linear, and angular about
 * the root) that the clamp supplies, that is, the momentum of the generalised velocities minus the momentum of the point
 * masses. */
static void project(cst_super_helix *rod, double stiffness, const cst_helix_field *field, double *reaction)
{
    const int n = rod->elements;
    cst_helix_factor small_factor[CST_HELIX_SMALL], *factor = rod->factor ? rod->factor : small_factor;
    double small_correction[9 * CST_HELIX_SMALL], *correction = rod->correction ? rod->correction : small_correction;
    cst_helix_inertia P = {{0.0}, {0.0}, {0.0}};
    bool positive = true;
    assert(n <= CST_HELIX_SMALL || (rod->factor && rod->correction));
    for (int i = n - 1; i >= 0; --i) {
        const cst_helix_element *e = &rod->now[i];
        const cst_helix_material *material = &rod->material[i];
        cst_helix_mass *kept = &rod->mass[i], M;
        cst_helix_nonad rest, has, v = motion_of(e, rod->rate + 3 * i);
        cst_helix_momentum_of(e, material, rod->gauss, &field[i], kept, &rest);
        cst_helix_mass_times(kept, &v, &has);
        add_to_root(rod, e, -1.0, &rest, reaction);
        double *to = correction + 9 * (size_t)i;
        cst_subtract3(rest.v, has.v, to);
        cst_subtract3(rest.w, has.w, to + 3);
        cst_subtract3(rest.u, has.u, to + 6);
        M = *kept;
        for (int k = 0; k < 3; ++k)
            M.uu[4 * k] += stiffness * material->stiffness[k];
        positive = cst_helix_eliminate(&M, &e->joint, &P, &factor[i]) > 0.0 && positive;
    }
    if (positive && (rod->clamped || cst_helix_factor_root(&P, &rod->root_factor)) &&
        cst_helix_riccati_solve(factor, n, rod->clamped ? NULL : &rod->root_factor, correction)) {
        for (int k = 0; k < 6 && !rod->clamped; ++k)
            rod->root_rate[k] += correction[k];
        for (int k = 0; k < 3 * n; ++k)
            rod->rate[k] += correction[9 * (k / 3) + 6 + k % 3];
        cst_helix_settle(rod);
        rod->mass_known = true; /* the shape has not changed */
    }
    for (int i = 0; i < n && rod->clamped; ++i) {
        cst_helix_nonad has, v = motion_of(&rod->now[i], rod->rate + 3 * i);
        cst_helix_mass_times(&rod->mass[i], &v, &has);
        add_to_root(rod, &rod->now[i], 1.0, &has, reaction);
    }
}

void cst_helix_finish(void *self, const cst_step_frame *frame, const double *v)
{
    cst_super_helix *rod = self;
    const double dt = frame->dt, theta = frame->theta, old = frame->quasi_static ? 0.0 : 1.0 - theta;
    double end[6], mean[6], strained = 0.0; /* |u+ - u|_K^2 */
    account before = {0};
    /* In a step linearised at its start, only this function (cst_helix_finish) uses the velocities of the point masses. If the
     * rod has few elements, the array `field` of these velocities is then on the stack, which saves the transfer of 1 kB between
     * cache and memory for each fiber of 5 elements. */
    cst_helix_field small[CST_HELIX_SMALL], *field = rod->guessed || rod->elements > CST_HELIX_SMALL ? rod->field : small;
    cst_helix_root_velocity(rod, frame, v, end, mean);
    find_momentum(rod, frame, v, field, &before);
    cst_body_work work = {.forgotten = frame->quasi_static ? -before.kinetic : 0.0, .drag = before.drag};
    for (int i = 0; i < rod->elements; ++i) {
        const double *new_rate = cst_helix_end_rate(rod, v, i);
        const cst_helix_material *material = &rod->material[i];
        for (int k = 0; k < 3; ++k) {
            const double mean_rate = theta * new_rate[k] + old * rod->rate[3 * i + k], bent = dt * mean_rate;
            work.viscosity -= material->damping[k] * bent * mean_rate;
            strained += material->stiffness[k] * bent * bent;
            rod->u[3 * i + k] += bent;
            rod->rate[3 * i + k] = new_rate[k];
        }
    }
    if (rod->clamped) {
        double rate[6];
        cst_helix_root place;
        cst_helix_imposed_root(rod, frame, &place, rate);
        *rod->root = place;
    } else {
        const double turned[3] = {dt * mean[3], dt * mean[4], dt * mean[5]};
        cst_add3(dt, mean, rod->root->position);
        cst_rotation_turn(turned, rod->root->frame);
        cst_rotation_mend(rod->root->frame);
    }
    memcpy(rod->root_rate, end, sizeof end);
    cst_helix_settle(rod);
    double more[6] = {0.0};
    if (!frame->quasi_static)
        project(rod, stiffness_share * dt * dt, field, more);
    double held = 0.0; /* clamp's work in the projection */
    for (int k = 0; k < 6 && rod->clamped; ++k) {
        work.constraint += (before.reaction[k] + more[k]) * mean[k];
        held += more[k] * mean[k];
        rod->root_force[k] = (before.reaction[k] + more[k]) / dt;
    }
    cst_helix_energy(rod, frame->gravity, &rod->energy);
    memcpy(rod->energy_gravity, frame->gravity, sizeof rod->energy_gravity);
    rod->energy_known = true;
    const cst_body_energy energy = rod->energy;
    const double sunk = -energy.gravity - cst_dot3(frame->gravity, before.moment);
    work.scheme = energy.kinetic - (frame->quasi_static ? 0.0 : before.kinetic) - before.inertial - (theta - 0.5) * strained +
                  before.weight - sunk - before.stiffness - held;
    rod->work = work;
}
