/* State, energies and shapes of a super-circle rod, and the parts of a time step that do not depend on the formulation of its
 * equations. */
#include "rod/super_circle_rod.h"

#include <math.h>
#include <string.h>

#include "base/sorted.h"
#include "rod/rod_class.h"

/* ------------------------------------------------------------------------------------------------------------------ place */

void cst_circle_imposed_root(const cst_super_circle *rod, const cst_step_frame *frame, double position[3], double rate[3])
{
    double translation[3], rotation[3], velocity[3], turn[3];
    cst_motion_sample(&rod->root_motion, cst_frame_end(frame), translation, rotation, velocity, turn);
    position[0] = rod->rest_root[0] + translation[0];
    position[1] = rod->rest_root[1] + translation[1];
    position[2] = rod->rest_root[2] + rotation[2];
    rate[0] = velocity[0];
    rate[1] = velocity[1];
    rate[2] = turn[2];
    /* With theta = 1, a step moves the root by dt times its final velocity. With theta = 1, the final velocity of a clamped root
     * is its prescribed displacement in the step, divided by dt, so that the root stays on its prescribed path. */
    if (frame->theta == 1.0) {
        for (int k = 0; k < 3; ++k)
            rate[k] = (position[k] - rod->root[k]) / frame->dt;
    }
}

/* Computes two things for a step with the final velocities v: the position and angle of the root and the curvatures after the
 * fraction `share` of the step, and the mean velocities over the step. */
static void advance(const cst_super_circle *rod, const cst_step_frame *frame, const double *v, double share, double root[3],
                    double root_rate[3], double *kappa, double *rate)
{
    double theta = frame->theta, old = frame->quasi_static ? 0.0 : 1.0 - theta;
    double end[3] = {0}, end_rate[3];
    if (rod->clamped)
        cst_circle_imposed_root(rod, frame, end, end_rate);
    else
        memcpy(end_rate, v, sizeof end_rate);
    for (int k = 0; k < 3; ++k) {
        root_rate[k] = theta * end_rate[k] + old * rod->root_rate[k];
        root[k] = rod->clamped ? rod->root[k] + share * (end[k] - rod->root[k]) : rod->root[k] + share * frame->dt * root_rate[k];
    }
    const double *v_rate = v + rod->rate_first;
    for (int i = 0; i < rod->elements; ++i) {
        rate[i] = theta * v_rate[i * rod->rate_stride] + old * rod->rate[i];
        kappa[i] = rod->kappa[i] + share * frame->dt * rate[i];
    }
}

static bool is_finite(const cst_super_circle *rod, const cst_circle_element *path)
{
    /* Only the end of the rod is checked: if the position of any element is not finite, that of the rod's end is not finite
     * either. */
    const cst_circle_element *end = &path[rod->elements];
    return isfinite(end->start.x) && isfinite(end->start.y) && isfinite(end->theta);
}

bool cst_circle_place_body(void *self, const cst_step_frame *frame, const double *v)
{
    cst_super_circle *rod = self;
    if (!v) {
        rod->placed = rod->linear = rod->now;
        memcpy(rod->imposed_rate, rod->root_rate, sizeof rod->imposed_rate);
    } else { /* computes the shape for contact detection; rod->linear does not change */
        double root[3], root_rate[3];
        advance(rod, frame, v, 1.0, root, root_rate, rod->trial_kappa, rod->trial_rate);
        cst_circle_path path = {root, rod->trial_kappa, root_rate, rod->trial_rate};
        cst_circle_trace(rod, &path, rod->placed_buffer);
        rod->placed = rod->placed_buffer;
    }
    return is_finite(rod, rod->placed);
}

/* --------------------------------------------------------------------------------------------------------------- the step */

cst_circle_step cst_circle_step_of(const cst_super_circle *rod, const cst_step_frame *frame)
{
    const double *rate = rod->imposed_rate;
    return (cst_circle_step){
        .scheme = cst_rod_scheme_of(frame, rod->drag / rod->mass_per_length),
        .field = {frame->gravity[0] + rod->load.x / rod->mass_per_length, frame->gravity[1] + rod->load.y / rod->mass_per_length},
        .root_rate = rod->clamped ? (cst_plane){rate[0], rate[1]} : (cst_plane){0.0, 0.0},
        .root_turn = rod->clamped ? rate[2] : 0.0};
}

void cst_circle_linearise(cst_super_circle *rod, const cst_step_frame *frame, const double *guess)
{
    memset(rod->pushed, 0, sizeof rod->pushed);
    rod->iterated = frame->iterated;
    rod->stiffening = CST_CIRCLE_NOT_STIFFENED;
    rod->stiffened = rod->guessed = false;
    if (rod->clamped) {
        double end[3];
        cst_circle_imposed_root(rod, frame, end, rod->imposed_rate);
    }
    rod->linear = rod->now;
    if (!guess) {
        if (rod->iterated)
            memset(rod->bearing, 0, (size_t)rod->elements * sizeof *rod->bearing);
        return;
    }
    double root[3], mean_root_rate[3];
    advance(rod, frame, guess, frame->theta, root, mean_root_rate, rod->trial_kappa, rod->trial_rate);
    cst_circle_path path = {root, rod->trial_kappa, rod->root_rate, rod->rate};
    cst_circle_trace(rod, &path, rod->linear_buffer);
    rod->linear = rod->linear_buffer;
    rod->guessed = !frame->quasi_static;
    if (rod->guessed && frame->theta == 1.0) {
        cst_circle_field_at_guess(rod, frame, rod->linear, guess);
    } else if (rod->guessed) {
        advance(rod, frame, guess, 1.0, root, mean_root_rate, rod->trial_kappa, rod->trial_rate);
        cst_circle_trace(rod, &path, rod->end_buffer);
        cst_circle_field_at_guess(rod, frame, rod->end_buffer, guess);
    }
    if (rod->iterated)
        cst_circle_stiffen(rod, frame, guess);
}

double *cst_circle_rhs(void *self)
{
    return ((cst_super_circle *)self)->rhs;
}

cst_circle_point cst_circle_point_motion(const cst_super_circle *rod, const cst_material_point *at, cst_point_motion *out)
{
    cst_circle_point point = cst_circle_point_at(&rod->linear[at->feature], at->s);
    cst_circle_point placed = rod->placed == rod->linear ? point : cst_circle_point_at(&rod->placed[at->feature], at->s);
    memset(out->drift, 0, sizeof out->drift);
    memset(out->drift_turn, 0, sizeof out->drift_turn);
    if (rod->clamped) {
        cst_plane arm = cst_plane_difference(point.position, rod->linear[0].start);
        out->drift[0] = rod->imposed_rate[0] - rod->imposed_rate[2] * arm.y;
        out->drift[1] = rod->imposed_rate[1] + rod->imposed_rate[2] * arm.x;
        out->drift_turn[2] = rod->imposed_rate[2];
    }
    out->position[0] = placed.position.x;
    out->position[1] = placed.position.y;
    out->position[2] = 0.0;
    out->frame_angle = placed.angle;
    return point;
}

void cst_circle_position(const void *self, const cst_material_point *at, double *position)
{
    const cst_super_circle *rod = self;
    cst_circle_point point = cst_circle_point_at(&rod->now[at->feature], at->s);
    position[0] = point.position.x;
    position[1] = point.position.y;
    position[2] = 0.0;
}

void cst_circle_velocity(const void *self, const cst_material_point *at, double *velocity, double *turn)
{
    const cst_super_circle *rod = self;
    const cst_circle_element *e = &rod->now[at->feature];
    double rate = rod->rate[at->feature];
    cst_circle_point point = cst_circle_point_at(e, at->s);
    velocity[0] = e->velocity.x + e->turn * point.turn.x + rate * point.bend.x;
    velocity[1] = e->velocity.y + e->turn * point.turn.y + rate * point.bend.y;
    velocity[2] = 0.0;
    turn[0] = turn[1] = 0.0;
    turn[2] = e->turn + at->s * rate;
}

void cst_circle_acceleration(const void *self, const cst_material_point *at, double *acceleration, double *curvature)
{
    const cst_super_circle *rod = self;
    const cst_circle_element *e = &rod->now[at->feature];
    const cst_circle_point point = cst_circle_point_at(e, at->s);
    const double rate = rod->rate[at->feature];
    /* adds the centripetal acceleration due to the rotation of the element about its start; cst_plane_left(point.turn) is the
     * vector from the point to this start */
    cst_plane a = cst_plane_add(e->bias, e->turn * e->turn, cst_plane_left(point.turn));
    a = cst_plane_add(a, 2.0 * e->turn * rate, cst_plane_left(point.bend));
    a = cst_plane_add(a, rate * rate, point.bend_twice);
    acceleration[0] = a.x;
    acceleration[1] = a.y;
    acceleration[2] = 0.0;
    curvature[0] = -e->kappa * sin(point.angle);
    curvature[1] = e->kappa * cos(point.angle);
    curvature[2] = 0.0;
}

void cst_circle_root_velocity(const cst_super_circle *rod, const cst_step_frame *frame, const double *v, double end[3],
                              double mean[3])
{
    double old = frame->quasi_static ? 0.0 : 1.0 - frame->theta;
    memcpy(end, rod->clamped ? rod->imposed_rate : v, 3 * sizeof *end);
    for (int k = 0; k < 3; ++k)
        mean[k] = frame->theta * end[k] + old * rod->root_rate[k];
}

double cst_circle_motion(const void *self, const cst_step_frame *frame, const double *v)
{
    const cst_super_circle *rod = self;
    double end[3], mean[3], largest = 0.0, old = frame->quasi_static ? 0.0 : 1.0 - frame->theta;
    cst_circle_root_velocity(rod, frame, v, end, mean);
    cst_circle_quad node = {.xy = {mean[0], mean[1]}, .theta = mean[2]};
    for (int i = 0; i < rod->elements; ++i) {
        double l = rod->material[i].length;
        cst_circle_joint joint = cst_circle_joint_of(&rod->linear[i], l);
        node.kappa = frame->theta * v[rod->rate_first + i * rod->rate_stride] + old * rod->rate[i];
        cst_circle_quad next = cst_circle_joint_times(&joint, l, node);
        /* Inside an element of length l, the velocity differs from its linear interpolation between the ends of the element by at
         * most l^2/8 times its largest second derivative with respect to the arc length. The angular velocity of an element is
         * linear in the arc length, so it is largest at one of the element's ends. */
        double speed = sqrt(fmax(cst_plane_dot(node.xy, node.xy), cst_plane_dot(next.xy, next.xy)));
        double turn = fmax(fabs(node.theta), fabs(next.theta));
        double bulge = l * l / 8.0 * (fabs(node.kappa) + fabs(rod->linear[i].kappa) * turn);
        largest = fmax(largest, speed + bulge);
        node = next;
    }
    return largest * frame->dt;
}

void cst_circle_push(void *self, const cst_material_point *at, const double *impulse, const double *moment)
{
    cst_super_circle *rod = self;
    if (!rod->clamped && !rod->iterated)
        return;
    cst_circle_point point = cst_circle_point_at(&rod->linear[at->feature], at->s);
    cst_plane arm = cst_plane_difference(point.position, rod->linear[0].start), push = {impulse[0], impulse[1]};
    if (rod->iterated) {
        cst_circle_bearing *bearing = &rod->bearing[at->feature];
        cst_circle_block_add_at(&bearing->given, &rod->linear[at->feature], &point, push);
        bearing->pushed = cst_plane_sum(bearing->pushed, push);
    }
    rod->pushed[0] += push.x;
    rod->pushed[1] += push.y;
    rod->pushed[2] += cst_plane_cross(arm, push) + moment[2];
}

/* ---------------------------------------------------------------------------------------------------------------- looking */

void cst_circle_energy(const void *self, const double *gravity, cst_body_energy *out)
{
    const cst_super_circle *rod = self;
    cst_plane g = {gravity[0], gravity[1]};
    /* first moment of the rod's mass about the origin (kg m) */
    const cst_plane first = cst_plane_add(rod->totals.first, rod->totals.mass, rod->now[0].start);
    *out = (cst_body_energy){.kinetic = rod->totals.kinetic, .gravity = -cst_plane_dot(g, first)};
    for (int i = 0; i < rod->elements; ++i) {
        double strain = rod->kappa[i] - rod->material[i].natural;
        out->elastic += 0.5 * rod->material[i].stiffness * strain * strain;
    }
}

void cst_circle_work(const void *self, cst_body_work *out)
{
    *out = ((const cst_super_circle *)self)->work;
}

static int arcs(const void *self)
{
    return ((const cst_super_circle *)self)->elements;
}

static void arc(const void *self, int index, cst_arc *out)
{
    const cst_super_circle *rod = self;
    const cst_circle_element *e = &rod->placed[index];
    const double length = rod->material[index].length;
    *out = (cst_arc){.x = {e->start.x, e->start.y},
                     .angle = e->theta,
                     .k = e->kappa,
                     .l = length,
                     .material_length = length,
                     .radius = rod->radius[index],
                     .feature = index,
                     .s = rod->arc[index],
                     .owner_length = rod->arc[rod->elements],
                     .owner_closed = rod->closed};
    if (rod->chords) {
        const double dx = e[1].start.x - e->start.x, dy = e[1].start.y - e->start.y;
        out->angle = atan2(dy, dx);
        out->k = 0.0;
        out->l = hypot(dx, dy);
    }
}

/* Computes the motion of the contact shape of each element, an arc or its chord, since the start of the step. If the contact
 * shape is a chord, it stays straight, so its displacement varies linearly between its ends. The angle between two neighbouring
 * chords is at most half the sum of the angles by which the tangent turns along their two arcs. */
static void moved(const void *self, cst_piece_move *out)
{
    const cst_super_circle *rod = self;
    for (int i = 0; i < rod->elements; ++i) {
        const cst_circle_element *was = &rod->now[i], *is = &rod->placed[i];
        const double l = rod->material[i].length, bent = fabs(is->kappa - was->kappa), bend = fabs(was->kappa);
        const double turned = 2.0 * fabs(sin(0.5 * (is->theta - was->theta)));
        out[i] = (cst_piece_move){.bend = bend};
        for (int end = 0; end < 2; ++end) {
            out[i].went.way[end][0] = is[end].start.x - was[end].start.x;
            out[i].went.way[end][1] = is[end].start.y - was[end].start.y;
        }
        /* the direction angle of a chord is the mean of the tangent angles at the two ends of its arc */
        out[i].turned = turned + l * bent;
        if (!rod->chords) {
            out[i].went.spread = l * l / 8.0 * (bent + bend * out[i].turned);
            continue;
        }
        const int last = i > 0 ? i - 1 : rod->closed ? rod->elements - 1 : i;
        out[i].bend = 0.0;
        out[i].corner = 0.5 * (l * bend + rod->material[last].length * fabs(rod->now[last].kappa));
    }
}

static void before(const void *self, int index, double s, const double *x, double *out)
{
    const cst_super_circle *rod = self;
    const cst_circle_element *was = &rod->now[index], *is = &rod->placed[index];
    if (!rod->chords) {
        const cst_material_point at = {.feature = index, .s = s};
        cst_circle_position(self, &at, out);
        return;
    }
    const double dx = is[1].start.x - is->start.x, dy = is[1].start.y - is->start.y, square = dx * dx + dy * dy;
    const double share = square > 0.0 ? ((x[0] - is->start.x) * dx + (x[1] - is->start.y) * dy) / square : 0.0;
    out[0] = was->start.x + share * (was[1].start.x - was->start.x);
    out[1] = was->start.y + share * (was[1].start.y - was->start.y);
    out[2] = 0.0;
}

bool cst_circle_locate(const void *self, const cst_place *place, cst_material_point *out)
{
    const cst_super_circle *rod = self;
    const double length = rod->arc[rod->elements], s = place->at_end ? length : place->s;
    if (!(s >= 0.0 && s <= length))
        return false;
    const int low = cst_sorted_interval(rod->arc, rod->elements + 1, s);
    *out = (cst_material_point){.feature = low, .s = fmin(s - rod->arc[low], rod->material[low].length)};
    if (s == length)
        /* the point at the end of the rod is placed exactly at the end of the last element, without the rounding error of the
         * summed lengths */
        out->s = rod->material[low].length;
    return true;
}

static cst_drawing draw(const void *self, int samples, double *position, double *radius, double *curvature)
{
    const cst_super_circle *rod = self;
    int per_element = samples > 1 ? samples : 1, vertices = per_element * rod->elements + (rod->closed ? 0 : 1);
    for (int k = 0; k < vertices; ++k) {
        double share;
        const int i = cst_element_sample(k, per_element, rod->elements, &share);
        if (position) {
            cst_circle_point point = cst_circle_point_at(&rod->now[i], share * rod->material[i].length);
            position[3 * k] = point.position.x;
            position[3 * k + 1] = point.position.y;
            position[3 * k + 2] = 0.0;
        }
        if (radius)
            radius[k] = rod->radius[i];
        if (curvature)
            curvature[k] = rod->kappa[i];
    }
    return (cst_drawing){.as = CST_DRAWN_CURVE, .vertices = vertices, .closed = rod->closed};
}

CST_ROD_STATE(cst_circle, cst_super_circle, 2 * (self_->elements + 3));
CST_ROD_LOOK(cst_circle, cst_super_circle, elements, self_->material[self_->elements - 1].length);

const cst_body_surface cst_circle_surface = {.self_contact = true, .arcs = arcs, .arc = arc, .moved = moved, .before = before};
