/* The time step of a super helix: the parts of the theta scheme (docs/world.md) that the dense and the sweep formulation share
 * (super_helix.h). Symbols:
 *     `v`, `v+`: initial and final velocities.
 *     `M`, `D`, `K`: mass, damping, stiffness.
 *     `u`, `u_0`: curvatures, natural curvatures.
 *     `f`: external forces.
 *     `h`: inertial forces, with halved accelerations.
 *     `nu`: drag per length.
 *     `rhoA`: mass per length.
 *     `R`: frame of the root.
 *     `omega_theta`: mean angular velocity of R.
 *
 * A step rotates the frame R of the root with the mean angular velocity omega_theta: R <- exp(dt hat(omega_theta)) R. If theta =
 * 1 and the rod is linearised at the start of the step, the step is linearly implicit:
 *     `A*v+ = M*v + dt*(f-h-K*(u-u_0))`.
 *     `A = (1+dt*nu/rhoA)*M+dt*D+dt^2*K`. */
#include "rod/super_helix_rod.h"

#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "rod/rod_class.h"

/* ------------------------------------------------------------------------------------------------------------------ place */

void cst_helix_root_motion(const cst_super_helix *rod, double time, cst_helix_root *place, double rate[6])
{
    double translation[3], rotation[3], turn[3];
    cst_motion_sample(&rod->root_motion, time, translation, rotation, rate, turn);
    *place = rod->rest;
    cst_add3(1.0, translation, place->position);
    cst_rotation_turn(rotation, place->frame);
    /* converts the rate of the rotation vector of the root to an angular velocity */
    cst_rotation_vector_mean(rotation, turn, rate + 3);
}

static void turn_between(const double *from, const double *to, double *out)
{
    double turn[9];
    cst_product_transposed3(to, from, turn);
    cst_rotation_log(turn, out);
}

void cst_helix_imposed_root(const cst_super_helix *rod, const cst_step_frame *frame, cst_helix_root *place, double rate[6])
{
    cst_helix_root_motion(rod, cst_frame_end(frame), place, rate);
    /* With theta = 1, a step moves the root by dt times its final velocity. With theta = 1, the final velocity of a clamped root
     * is its prescribed displacement in the step, divided by dt, so that the root stays on its prescribed path. */
    if (frame->theta == 1.0) {
        cst_subtract3(place->position, rod->root->position, rate);
        turn_between(rod->root->frame, place->frame, rate + 3);
        for (int k = 0; k < 6; ++k)
            rate[k] /= frame->dt;
    }
}

/* Computes two things for a step with the final velocities v: the position and frame of the root and the curvatures after the
 * fraction `share` of the step, and the mean velocities over the step. */
static void advance(const cst_super_helix *rod, const cst_step_frame *frame, const double *v, double share, cst_helix_root *root,
                    double root_rate[6], double *u, double *rate)
{
    const double theta = frame->theta, old = frame->quasi_static ? 0.0 : 1.0 - theta, ahead = share * frame->dt;
    cst_helix_root end;
    double end_rate[6], moved[3], turned[3];
    if (rod->clamped)
        cst_helix_imposed_root(rod, frame, &end, end_rate);
    else
        memcpy(end_rate, v + rod->root_first, sizeof end_rate);
    for (int k = 0; k < 6; ++k)
        root_rate[k] = theta * end_rate[k] + old * rod->root_rate[k];
    *root = *rod->root;
    if (rod->clamped) {
        cst_subtract3(end.position, root->position, moved);
        turn_between(root->frame, end.frame, turned);
        for (int k = 0; k < 3; ++k) {
            moved[k] *= share;
            turned[k] *= share;
        }
    } else {
        for (int k = 0; k < 3; ++k) {
            moved[k] = ahead * root_rate[k];
            turned[k] = ahead * root_rate[3 + k];
        }
    }
    cst_add3(1.0, moved, root->position);
    cst_rotation_turn(turned, root->frame);
    for (int i = 0; i < rod->elements; ++i) {
        const double *v_rate = cst_helix_end_rate(rod, v, i);
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            rate[k] = theta * v_rate[k - 3 * i] + old * rod->rate[k];
            u[k] = rod->u[k] + ahead * rate[k];
        }
    }
}

bool cst_helix_place_body(void *self, const cst_step_frame *frame, const double *v)
{
    cst_super_helix *rod = self;
    if (!v) {
        rod->placed = rod->linear = rod->now;
        memcpy(rod->imposed_rate, rod->root_rate, sizeof rod->imposed_rate);
    } else { /* computes the shape for contact detection; rod->linear does not change */
        cst_helix_root root;
        double root_rate[6];
        advance(rod, frame, v, 1.0, &root, root_rate, rod->trial_u, rod->trial_rate);
        /* In the shape for contact detection, position and frame of the root are bitwise equal to those at the start of the next
         * step. The next step can therefore reuse the detected contacts (collide/kept_touches.h). */
        if (rod->clamped)
            cst_helix_imposed_root(rod, frame, &root, root_rate);
        else
            cst_rotation_mend(root.frame);
        cst_helix_path path = {.root = &root, .u = rod->trial_u};
        cst_helix_trace(rod, &path, rod->placed_buffer);
        rod->placed = rod->placed_buffer;
    }
    /* Only the end of the rod is checked: if the position of any element is not finite, that of the rod's end is not finite
     * either. */
    const cst_helix_element *end = &rod->placed[rod->elements];
    return isfinite(end->start[0]) && isfinite(end->start[1]) && isfinite(end->start[2]) && isfinite(end->frame[0]);
}

/* --------------------------------------------------------------------------------------------------------------- the step */

cst_helix_step cst_helix_step_of(const cst_super_helix *rod, const cst_step_frame *frame)
{
    cst_helix_step step = {.scheme = cst_rod_scheme_of(frame, rod->drag / rod->mass_per_length),
                           .field = {frame->gravity[0], frame->gravity[1], frame->gravity[2]}};
    if (rod->clamped)
        memcpy(step.root_rate, rod->imposed_rate, sizeof step.root_rate);
    return step;
}

void cst_helix_linearise(cst_super_helix *rod, const cst_step_frame *frame, const double *guess)
{
    memset(rod->pushed, 0, sizeof rod->pushed);
    memset(rod->root_hold, 0, sizeof rod->root_hold);
    rod->iterated = frame->iterated;
    rod->stiffening = CST_HELIX_NOT_STIFFENED;
    rod->guessed = false;
    if (rod->clamped) {
        cst_helix_root end;
        cst_helix_imposed_root(rod, frame, &end, rod->imposed_rate);
    }
    rod->linear = rod->now;
    if (!guess) {
        if (rod->iterated)
            memset(rod->bearing, 0, (size_t)rod->elements * sizeof *rod->bearing);
        return;
    }
    cst_helix_root root;
    double inertia_root_rate[6];
    advance(rod, frame, guess, frame->theta, &root, inertia_root_rate, rod->trial_u, rod->linear_rate);
    cst_helix_path path = {&root, rod->trial_u, rod->root_rate, rod->rate, inertia_root_rate, rod->linear_rate};
    cst_helix_trace(rod, &path, rod->linear_buffer);
    rod->linear = rod->linear_buffer;
    rod->guessed = true;
    if (frame->quasi_static) {
        memset(rod->field, 0, (size_t)rod->elements * sizeof *rod->field);
    } else if (frame->theta == 1.0) {
        cst_helix_field_at_guess(rod, frame, rod->linear, guess);
    } else {
        advance(rod, frame, guess, 1.0, &root, inertia_root_rate, rod->trial_u, rod->trial_rate);
        path = (cst_helix_path){.root = &root, .u = rod->trial_u};
        cst_helix_element small[CST_HELIX_SMALL + 1], *end = rod->end_buffer ? rod->end_buffer : small;
        cst_helix_trace(rod, &path, end);
        cst_helix_field_at_guess(rod, frame, end, guess);
    }
    if (rod->iterated)
        cst_helix_stiffen(rod, frame, guess);
}

void cst_helix_dynamics_of(const cst_super_helix *rod, const cst_helix_step *step, int i, cst_helix_mass *A, cst_helix_nonad *rhs)
{
    const cst_helix_element *e = &rod->linear[i];
    const cst_helix_material *material = &rod->material[i];
    const bool inertial = step->scheme.inertia > 0.0, gyroscopic = inertial && !rod->guessed;
    const double *imposed = step->root_rate, scale = gyroscopic ? step->scheme.dt * step->scheme.gyration : 0.0;
    const double old = step->scheme.inertia * (rod->guessed ? step->scheme.mass_old - 1.0 : step->scheme.mass_old);
    cst_helix_nonad h = {{0.0}, {0.0}, {0.0}}, v, b;
    if (inertial && rod->guessed) {
        cst_helix_momentum_of(e, material, rod->gauss, &rod->field[i], A, &h);
    } else {
        const bool known = rod->mass_known && rod->linear == rod->now;
        if (known)
            *A = rod->mass[i];
        if (gyroscopic || !known)
            cst_helix_mass_of(e, material, rod->gauss, rod->rate + 3 * i, step->scheme.gyration, known ? NULL : A,
                              gyroscopic ? &h : NULL);
    }
    const double inertia = gyroscopic ? -step->scheme.dt : 1.0;

    /* The right-hand side contains M v, the mass matrix M times a vector v of velocities. In a step linearised at its start, the
     * vector v is the initial velocities (reduced by drag), plus the velocity change due to gravity, minus the velocities due to
     * the bias acceleration and to the prescribed motion of the root. In a step linearised at a guess of the velocities, the
     * initial momentum is computed from rod->field. The vector v then contains neither the initial velocities nor the bias term,
     * but the loss of the initial velocities by drag. */
    double arm[3], carried[3];
    cst_subtract3(e->start, rod->linear[0].start, arm);
    cst_cross3(imposed + 3, arm, carried);
    for (int k = 0; k < 3; ++k) {
        v.v[k] = old * e->velocity[k] + step->scheme.dt * step->field[k] - scale * e->bias[k] -
                 step->scheme.mass_new * (imposed[k] + carried[k]);
        v.w[k] = old * e->turn[k] - scale * e->bias_turn[k] - step->scheme.mass_new * imposed[3 + k];
        v.u[k] = old * rod->rate[3 * i + k];
    }
    cst_helix_mass_times(A, &v, &b);
    for (int k = 0; k < 3; ++k) {
        const double K = material->stiffness[k], D = material->damping[k], rate = step->scheme.inertia * rod->rate[3 * i + k];
        rhs->v[k] = b.v[k];
        rhs->w[k] = b.w[k];
        rhs->u[k] = b.u[k] - step->scheme.dt * K * (rod->u[3 * i + k] - material->natural[k]) -
                    (step->scheme.damping_old * D + step->scheme.stiffness_old * K) * rate;
        if (inertial) {
            rhs->v[k] += inertia * h.v[k];
            rhs->w[k] += inertia * h.w[k];
            rhs->u[k] += inertia * h.u[k];
        }
    }
    if (step->scheme.mass_new != 1.0) {
        A->m *= step->scheme.mass_new;
        for (int k = 0; k < 3; ++k)
            A->first[k] *= step->scheme.mass_new;
        for (int k = 0; k < 9; ++k) {
            A->vu[k] *= step->scheme.mass_new;
            A->wu[k] *= step->scheme.mass_new;
            A->ww[k] *= step->scheme.mass_new;
            A->uu[k] *= step->scheme.mass_new;
        }
    }
    for (int k = 0; k < 3; ++k)
        A->uu[4 * k] += step->scheme.damping_new * material->damping[k] + step->scheme.stiffness_new * material->stiffness[k];
    if (rod->stiffening != CST_HELIX_NOT_STIFFENED) {
        const cst_helix_bearing *bearing = &rod->bearing[i];
        const cst_helix_block *N = &bearing->block;
        for (int k = 0; k < 9; ++k) {
            A->ww[k] += N->ww[k];
            A->wu[k] += N->wu[k];
            A->uu[k] += N->uu[k];
            rhs->w[k / 3] += N->ww[k] * bearing->turn[k % 3] + N->wu[k] * bearing->bend[k % 3];
            rhs->u[k / 3] += N->uu[k] * bearing->bend[k % 3];
            rhs->u[k % 3] += N->wu[k] * bearing->turn[k / 3];
        }
    }
}

double *cst_helix_rhs(void *self)
{
    return ((cst_super_helix *)self)->rhs;
}

void cst_helix_point_motion(const cst_super_helix *rod, const cst_material_point *at, cst_helix_point *point,
                            cst_point_motion *out)
{
    cst_helix_point_at(&rod->linear[at->feature], at->s, point);
    memset(out->drift, 0, sizeof out->drift);
    memset(out->drift_turn, 0, sizeof out->drift_turn);
    if (rod->clamped) {
        double arm[3];
        cst_subtract3(point->position, rod->linear[0].start, arm);
        cst_cross3(rod->imposed_rate + 3, arm, out->drift);
        cst_add3(1.0, rod->imposed_rate, out->drift);
        memcpy(out->drift_turn, rod->imposed_rate + 3, sizeof out->drift_turn);
    }
    const cst_helix_point *placed = point;
    cst_helix_point elsewhere;
    if (rod->placed != rod->linear) {
        cst_helix_point_at(&rod->placed[at->feature], at->s, &elsewhere);
        placed = &elsewhere;
    }
    memcpy(out->position, placed->position, sizeof out->position);
    memcpy(out->frame, placed->frame, sizeof out->frame);
    out->frame_angle = 0.0;
}

void cst_helix_velocity(const void *self, const cst_material_point *at, double *velocity, double *turn)
{
    const cst_super_helix *rod = self;
    const cst_helix_element *e = &rod->now[at->feature];
    const double *rate = rod->rate + 3 * at->feature;
    cst_helix_point point;
    cst_helix_point_at(e, at->s, &point);
    cst_apply3(point.joint.bend, rate, velocity);
    cst_add3(1.0, e->velocity, velocity);
    cst_add_cross3(e->turn, point.joint.chord, velocity);
    cst_apply3(point.joint.turning, rate, turn);
    cst_add3(1.0, e->turn, turn);
}

void cst_helix_root_velocity(const cst_super_helix *rod, const cst_step_frame *frame, const double *v, double end[6],
                             double mean[6])
{
    const double old = frame->quasi_static ? 0.0 : 1.0 - frame->theta;
    memcpy(end, rod->clamped ? rod->imposed_rate : v + rod->root_first, 6 * sizeof *end);
    for (int k = 0; k < 6; ++k)
        mean[k] = frame->theta * end[k] + old * rod->root_rate[k];
}

/* Computes how element i moves during a step with the final velocities v. `node`: mean velocity of the element's start over the
 * step on input, and of its end on return. */
static void element_way(const cst_super_helix *rod, const cst_step_frame *frame, const double *v, int i, cst_helix_nonad *node,
                        cst_piece_way *out)
{
    const double old = frame->quasi_static ? 0.0 : 1.0 - frame->theta;
    const cst_helix_element *e = &rod->linear[i];
    const double l = rod->material[i].length, *rate = cst_helix_end_rate(rod, v, i);
    for (int k = 0; k < 3; ++k) {
        node->u[k] = frame->theta * rate[k] + old * rod->rate[3 * i + k];
        out->way[0][k] = frame->dt * node->v[k];
    }
    const double turn = sqrt(cst_dot3(node->w, node->w)), bent = sqrt(cst_dot3(node->u, node->u));
    cst_helix_joint_times(&e->joint, node);
    for (int k = 0; k < 3; ++k)
        out->way[1][k] = frame->dt * node->v[k];
    /* `spread`: dt l^2/8 (l: length of the element) times an upper bound of the second derivative of the velocity with respect to
     * the arc length. At every point of the element, the displacement differs by at most `spread` from the linear interpolation
     * between the displacements of the element's ends. The second derivative of the velocity with respect to the arc length is
     * omega' x t + omega x t', with the derivatives omega' and t' of the angular velocity omega and of the tangent t. The norm of
     * omega' is that of the rates of curvature, and the norm of t' is the bending curvature. */
    out->spread = frame->dt * l * l / 8.0 * (bent + cst_helix_bending(e->u) * (turn + l * bent));
}

void cst_helix_ways(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out)
{
    const cst_super_helix *rod = self;
    double end[6], mean[6];
    cst_helix_root_velocity(rod, frame, v, end, mean);
    cst_helix_nonad node = cst_helix_node_of(mean);
    for (int i = 0; i < rod->elements; ++i)
        element_way(rod, frame, v, i, &node, out + i);
}

double cst_helix_motion(const void *self, const cst_step_frame *frame, const double *v)
{
    const cst_super_helix *rod = self;
    double end[6], mean[6], largest = 0.0;
    cst_helix_root_velocity(rod, frame, v, end, mean);
    cst_helix_nonad node = cst_helix_node_of(mean);
    for (int i = 0; i < rod->elements; ++i) {
        cst_piece_way at;
        element_way(rod, frame, v, i, &node, &at);
        largest = fmax(largest, sqrt(fmax(cst_dot3(at.way[0], at.way[0]), cst_dot3(at.way[1], at.way[1]))) + at.spread);
    }
    return largest;
}

void cst_helix_push(void *self, const cst_material_point *at, const double *impulse, const double *moment)
{
    cst_super_helix *rod = self;
    if (!rod->clamped && !rod->iterated)
        return;
    const cst_helix_element *e = &rod->linear[at->feature];
    double position[3], arm[3];
    const cst_helix_maps m = cst_helix_maps_at(e->u, at->s);
    cst_helix_place(&m, arm);
    cst_apply3(e->frame, arm, position); /* from the start of the element */
    if (rod->iterated) {
        cst_helix_bearing *bearing = &rod->bearing[at->feature];
        cst_helix_block_add(&bearing->given, e, at->s, impulse, moment);
        cst_add3(1.0, impulse, bearing->pushed);
        cst_add3(1.0, moment, bearing->moment);
        cst_add_cross3(position, impulse, bearing->moment);
    }
    cst_add3(1.0, e->start, position);
    cst_subtract3(position, rod->linear[0].start, arm);
    cst_add3(1.0, impulse, rod->pushed);
    cst_add3(1.0, moment, rod->pushed + 3);
    cst_add_cross3(arm, impulse, rod->pushed + 3);
}

/* ----------------------------------------------------------------------------------------------------------- energy, state */

void cst_helix_energy(const void *self, const double *gravity, cst_body_energy *out)
{
    const cst_super_helix *rod = self;
    if (rod->energy_known && memcmp(rod->energy_gravity, gravity, sizeof rod->energy_gravity) == 0) {
        *out = rod->energy;
        return;
    }
    *out = (cst_body_energy){0};
    for (int i = 0; i < rod->elements; ++i) {
        const cst_helix_element *e = &rod->now[i];
        const cst_helix_material *material = &rod->material[i];
        cst_helix_mass computed;
        const cst_helix_mass *M = &rod->mass[i];
        cst_helix_nonad v, p;
        if (!rod->mass_known) {
            cst_helix_mass_of(e, material, rod->gauss, NULL, 0.0, &computed, NULL);
            M = &computed;
        }
        memcpy(v.v, e->velocity, sizeof v.v);
        memcpy(v.w, e->turn, sizeof v.w);
        memcpy(v.u, rod->rate + 3 * i, sizeof v.u);
        cst_helix_mass_times(M, &v, &p);
        out->kinetic += 0.5 * cst_helix_nonad_dot(&v, &p);
        for (int k = 0; k < 3; ++k) {
            const double strain = rod->u[3 * i + k] - material->natural[k];
            out->elastic += 0.5 * material->stiffness[k] * strain * strain;
        }
        out->gravity -= cst_dot3(gravity, M->first) + M->m * cst_dot3(gravity, e->start);
    }
}

void cst_helix_work(const void *self, cst_body_work *out)
{
    *out = ((const cst_super_helix *)self)->work;
}

void cst_helix_fetch(const void *self)
{
    const cst_super_helix *rod = self;
    const size_t n = (size_t)rod->elements;
    if (n > CST_HELIX_SMALL) /* the processor itself prefetches long arrays */
        return;
    cst_prefetch(rod->material, n * sizeof *rod->material);
    cst_prefetch(rod->state, (6 * n + 18) * sizeof *rod->state);
    cst_prefetch(rod->now, (n + 1) * sizeof *rod->now);
    cst_prefetch(rod->mass, n * sizeof *rod->mass);
}

CST_ROD_STATE(cst_helix, cst_super_helix, 6 * self_->elements + 18);
