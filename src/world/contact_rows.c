#include "world/contact_rows.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "math/vector3.h"
#include "world/rolling.h"

enum { A = 0, B = 1, PARALLEL_CONTACTS = 128 };

/* RECOVERY: unless the user has set a recovery speed, a step of the full length dt reduces a penetration by at most RECOVERY
 * times the smaller radius of the two bodies. For example, two rods of 1 cm radius penetrate deeply after a joint is released:
 * with steps of 1 ms, they separate at 0.5 m/s with RECOVERY = 0.05, and would separate at 5 m/s with RECOVERY = 0.5. */
static const double RECOVERY = 0.05;
/* SHARP_RECOVERY: if both bodies have sharp edges, and unless the user has set a recovery speed, a step of the full length dt
 * reduces a penetration by at most SHARP_RECOVERY times half the thickness of the thinner body. In each step, a thin spinning
 * card penetrates by a depth of second order in the angle of rotation, and one step must remove that depth. If SHARP_RECOVERY
 * were 0.05 instead of 0.5, cards of 0.3 mm thickness thrown at a sheet would sink deeper in each step until they pass through
 * the sheet (tests/test_world_surfaces.c). */
static const double SHARP_RECOVERY = 0.5;
/* NOT_DEEP: a penetration of at most NOT_DEEP times the smaller radius of the two bodies is not removed, because the tolerance of
 * the friction solver leaves penetrations of this size after a landing. A disk jammed in a corner cannot move out of a
 * penetration of 1e-12 m; if the contact law demanded it, the friction problem would have no solution. If penetrations of at most
 * NOT_DEEP radii were removed, the friction solver would use all its 1e5 iterations in each step of capstan-bench random --seeds
 * 72. */
static const double NOT_DEEP = 1e-9;
/* JAMMED: if the friction problem of a contact had no solution, a penetration of at most JAMMED times the smaller radius of the
 * two bodies is not removed. */
static const double JAMMED = 1e-2;

/* ----------------------------------------------------------------------------------------------------------------- rows */

/* Finds the material point of one body on which a contact at the surface point x acts, the motion of the material point, and
 * the lever arm from the material point to x. */
static void touch_body(const cst_row_input *input, const cst_contact *contact, int side, const double *x, cst_contact_row *row,
                       cst_point_motion *motion)
{
    const cst_contact_end *end = side == A ? &contact->a : &contact->b;
    const cst_body_model *model = input->objects->model + cst_owner_index(end->owner);
    const cst_body_places *places = model->class->places;
    const cst_material_place at = {.owner = end->owner, .kind = end->kind, .index = end->feature, .c = {end->c[0], end->c[1]}};
    row->beside[side] = places->touched(model->self, &at, end->material, x, row->at + side);
    if (input->relinearised && input->frame->theta < 1.0 && end->radius == 0.0 && places->point_between)
        /* In the theta scheme with theta < 1, the impulse on a sharp corner acts at an intermediate position of the corner,
         * between its positions at the start and at the end of the step. */
        places->point_between(model->self, input->frame,
                              input->velocities->v + input->layout->start_of[cst_owner_index(end->owner)], row->at + side,
                              motion);
    else
        places->point(model->self, row->at + side, motion);
    if (row->beside[side] && !input->rules->at_centreline)
        cst_subtract3(x, motion->position, row->arm[side]);
}

/* Computes the velocity that a surface point has if the k-th dof changes at unit rate: the velocity of the material point plus
 * the cross product of the angular velocity and the lever arm. */
static void surface_column(int dim, const cst_point_motion *motion, const double *arm, int k, double *out)
{
    const int dofs = motion->dofs;
    const double *j = motion->j + k, *turn = motion->j_turn + k;
    if (dim == 2) {
        out[0] = j[0] - arm[1] * turn[0];
        out[1] = j[dofs] + arm[0] * turn[0];
        out[2] = 0.0;
    } else {
        out[0] = j[0] + (turn[dofs] * arm[2] - turn[2 * dofs] * arm[1]);
        out[1] = j[dofs] + (turn[2 * dofs] * arm[0] - turn[0] * arm[2]);
        out[2] = j[2 * dofs] + (turn[0] * arm[1] - turn[dofs] * arm[0]);
    }
}

/* Adds to the contact row the velocity that an imposed motion, such as the motion of a clamped root, gives to the touching
 * surface point of a body. The imposed velocity at the start of the step is the whole velocity of the surface point minus the
 * velocity due to the dofs of the body. */
static void add_drift(const cst_row_input *input, int body, const cst_point_motion *motion, const cst_material_point *at,
                      const double *arm, double sign, const double *frame, cst_contact_row *row)
{
    const cst_body_model *model = input->objects->model + body;
    const double *drift = motion->drift, *turn = motion->drift_turn,
                 *v = input->velocities->before + input->layout->start_of[body];
    if (cst_dot3(drift, drift) == 0.0 && cst_dot3(turn, turn) == 0.0)
        return;
    double rate[3] = {drift[0], drift[1], drift[2]}, in_frame[3], before[3], turn_before[3];
    cst_add_cross3(turn, arm, rate);
    cst_apply3(frame, rate, in_frame);
    cst_add3(sign, in_frame, row->drift);
    if (input->frame->quasi_static)
        return;
    model->class->places->velocity(model->self, at, before, turn_before);
    cst_add_cross3(turn_before, arm, before);
    for (int k = 0; k < motion->dofs; k++) {
        double column[3];
        surface_column(input->frame->dim, motion, arm, k, column);
        cst_add3(-v[motion->dof[k]], column, before);
    }
    cst_apply3(frame, before, in_frame);
    cst_add3(sign, in_frame, row->drift_before);
}

/* Corrects the tangential velocity of a contact in a step that is linearised again at its predicted end:
 *
 *     `correction = (x_end-x_start)/dt - v_end`.
 *     `x_start`, `x_end`: positions of the touching material point at the start and at the predicted end of the step.
 *     `v_end`: velocity of the touching material point, computed with the Jacobian at the predicted end of the step.
 *
 * Without the correction of the tangential velocity, a sticking contact would creep in each step by a distance of second order
 * in dt, because the Jacobian changes during the step. The correction of the tangential velocity does not include the motion of
 * the lever arm from the material point to the surface. */
static void add_bent_way(const cst_row_input *input, int body, const cst_point_motion *motion, const cst_material_point *at,
                         double sign, const double *frame, cst_contact_row *row)
{
    const cst_body_model *model = input->objects->model + body;
    const double *v = input->velocities->v + input->layout->start_of[body], dt = input->frame->dt;
    const int dim = input->frame->dim;
    double start[3], way[3], in_frame[3];
    if (!model->class->places->position || input->frame->theta < 1.0)
        return;
    model->class->places->position(model->self, at, start);
    for (int c = 0; c < dim; c++) {
        double rate = motion->drift[c];
        for (int k = 0; k < motion->dofs; k++)
            rate += motion->j[c * motion->dofs + k] * v[motion->dof[k]];
        way[c] = (motion->position[c] - start[c]) / dt - rate;
    }
    for (int c = dim; c < 3; c++)
        way[c] = 0.0;
    cst_apply3(frame, way, in_frame);
    for (int c = 1; c < dim; c++)
        row->bent_way[c] += sign * in_frame[c];
}

/* Memory for the Jacobian rows of contacts, used by one thread. */
typedef struct row_room {
    cst_point_motion *motion;
    int64_t start; /* index in `dof` at which the entries of the present contact begin */
    int32_t *dof;  /* dofs of all contacts */
    double *h;     /* rows: dim numbers for each dof */
} row_room;

/* Computes the Jacobian rows of one body of a contact, with the sign + for the first body and - for the second body. If the body
 * has an imposed motion, adds the velocity of this motion at the contact point to the members `drift` and `drift_before` of the
 * row. */
static void make_side(const cst_row_input *input, const cst_contact *contact, int side, const double *x, const row_room *room,
                      cst_contact_row *row)
{
    const cst_contact_end *end = side == A ? &contact->a : &contact->b;
    const int body = cst_owner_index(end->owner);
    const double sign = side == A ? 1.0 : -1.0, *frame = contact->frame;
    const double *arm = row->arm[side];
    cst_point_motion *motion = room->motion;
    touch_body(input, contact, side, x, row, motion);
    const int dofs = motion->dofs, dim = input->frame->dim;
    const int32_t offset = cst_layout_offset(input->layout, body);
    const int64_t begin = room->start + (side == A ? 0 : row->a.dofs);
    int32_t *dof = room->dof + begin;
    double *h = room->h + dim * begin;
    for (int k = 0; k < dofs; k++) {
        double surface[3], in_frame[3];
        surface_column(dim, motion, arm, k, surface);
        cst_apply3(frame, surface, in_frame);
        for (int c = 0; c < dim; c++)
            h[c * dofs + k] = sign * in_frame[c];
        dof[k] = motion->dof[k] + offset;
    }
    add_drift(input, body, motion, row->at + side, arm, sign, frame, row);
    if (input->relinearised)
        add_bent_way(input, body, motion, row->at + side, sign, frame, row);
    else if (row->beside[side] && !cst_owner_is_body(contact->b.owner) && !input->frame->quasi_static &&
             input->objects->model[body].class->places->acceleration)
        cst_rolling_add(input, contact, motion, row->at + side, row);
    *(side == A ? &row->a : &row->b) = (cst_contact_side){.body = input->layout->unit_of[body], .dofs = dofs, .dof = dof, .h = h};
}

void cst_contact_row_velocity(int dim, const cst_layout *layout, const cst_contact_row *row, const double *x, double *out)
{
    const cst_contact_side *side[2] = {&row->a, &row->b};
    out[0] = out[1] = out[2] = 0.0;
    for (int s = 0; s < 2; s++) {
        if (side[s]->body < 0)
            continue;
        const double *of_unit = x + layout->unit[side[s]->body].start;
        for (int c = 0; c < dim; c++) {
            const double *h = side[s]->h + c * side[s]->dofs;
            for (int k = 0; k < side[s]->dofs; k++)
                out[c] += h[k] * of_unit[side[s]->dof[k]];
        }
    }
}

void cst_contact_row_impulse(int dim, const cst_layout *layout, const cst_contact_row *row, const double *r, double *f)
{
    const cst_contact_side *side[2] = {&row->a, &row->b};
    for (int s = 0; s < 2; s++) {
        if (side[s]->body < 0)
            continue;
        double *of_unit = f + layout->unit[side[s]->body].start;
        for (int k = 0; k < side[s]->dofs; k++) {
            double sum = 0.0;
            for (int c = 0; c < dim; c++)
                sum += side[s]->h[c * side[s]->dofs + k] * r[c];
            of_unit[side[s]->dof[k]] += sum;
        }
    }
}

/* ---------------------------------------------------------------------------------------- gap, restitution, recovery */

/* Returns true if the frame of a contact is built on the mean of the normals at the start and at the end of the step. The mean
 * normal is used if theta < 1, the step is linearised again, the contact existed at the start of the step, and the normal has
 * turned by less than 60 degrees. */
static bool is_between(const cst_row_input *input, const cst_contact *contact)
{
    static const double SAME_SIDE = 0.5; /* cosine of 60 degrees */
    return input->relinearised && input->frame->theta < 1.0 && cst_dot3(contact->start, contact->normal) > SAME_SIDE;
}

/* Computes the velocity of the first surface of a contact relative to the second surface, in the contact frame. If `end` is
 * true, uses the velocities of the bodies predicted for the end of the step; otherwise, their velocities at the start of the
 * step. */
static void row_velocity(const cst_row_input *input, const cst_contact_row *row, bool end, double *u)
{
    cst_contact_row_velocity(input->frame->dim, input->layout, row, end ? input->velocities->v : input->velocities->before, u);
    cst_add3(1.0, end ? row->drift : row->drift_before, u);
    cst_add3(-1.0, row->moved, u);
}

static double normal_velocity(const cst_row_input *input, const cst_contact_row *row, bool end)
{
    double u[3];
    row_velocity(input, row, end, u);
    return u[0];
}

/* Returns true if the contact normal can turn when a fiber slides: the fiber touches another fiber or the mesh of an obstacle. */
static bool may_turn(const cst_row_input *input, const cst_contact *contact)
{
    const cst_contact_end *b = &contact->b;
    return contact->a.kind == CST_FEATURE_CURVE &&
           (b->kind == CST_FEATURE_CURVE ||
            (!cst_owner_is_body(b->owner) && input->objects->obstacle[cst_owner_index(b->owner)].mesh));
}

/* Returns the part (m) of a penetration that comes only from the turning of the contact normal in the step:
 *
 *     `part = sqrt((R+g)^2+w^2) - (R+g)`.
 *     `R`: sum of the two radii.
 *     `g`: gap (negative) at the start of the step, extrapolated from the predicted end along the normal at the end.
 *     `w`: sliding distance in the step.
 *
 * The normal turns if a fiber slides around another fiber or over the edges of a mesh. For two fibers, the extrapolated gap g
 * corresponds to a distance R + g of the centrelines at the start of the step (R: sum of the radii). If one fiber slides sideways
 * by w in the step, the true distance of the two centrelines at the start is up to sqrt((R + g)^2 + w^2). The result is at most
 * |g| - p r, with the deepest penetration p of any contact at the start of the step, relative to its radius, and the smaller
 * radius r at the present contact. Only the growth of the penetration in the step therefore counts. The penetration due to the
 * turning of the normal is removed without the limit of the recovery speed. With the limit of the recovery speed, the tips of
 * sliding hairs in scenes/hair/pony.json would penetrate by 2 to 4 % of a radius, and the mean step length would be 0.19 ms
 * instead of 0.40 ms. */
static double turned_gap(const cst_row_input *input, const cst_contact *contact, const cst_contact_row *row)
{
    const double R = contact->a.radius + contact->b.radius, dt = input->frame->dt;
    const double deep = -contact->gap, left = R - deep;
    if (!may_turn(input, contact) || !(left > 0.0))
        return 0.0;
    double u[3];
    row_velocity(input, row, true, u);
    const double rise = hypot(left, dt * hypot(u[1], u[2])) - left;
    return fmax(0.0, fmin(rise, deep - input->depth_before * cst_contact_length(contact)));
}

/* Returns the lower bound (m/s) of the normal velocity that follows from the gap of a contact, without restitution
 * (contact_rows.h). */
static double floor_of(const cst_row_input *input, const cst_contact *contact, const cst_contact_row *row)
{
    const cst_contact_rules *rules = input->rules;
    const double dt = input->frame->dt;
    double floor = -contact->gap / dt;
    if (contact->gap <= 0.0) {
        const double radius = cst_contact_length(contact), whole = input->whole_dt;
        const double limit = rules->recovery_speed > 0.0                                      ? rules->recovery_speed
                             : contact->thickness > 0.0 && cst_contact_radius(contact) == 0.0 ? SHARP_RECOVERY * radius / whole
                             : radius > 0.0                                                   ? RECOVERY * radius / whole
                                                                                              : HUGE_VAL;
        const double deep = -contact->gap;
        floor = fmin(rules->stabilisation * deep / whole, limit);
        /* In a repeated linearisation with theta = 1 (implicit Euler), a penetration counts as a linearisation error due to
         * rotations in the step, and is removed in one step (contact_rows.h). */
        if (input->relinearised && input->frame->theta == 1.0) {
            const double by_turning = fmin(deep, turned_gap(input, contact, row));
            floor = by_turning / dt + fmin((deep - by_turning) / dt, limit);
        }
        if (deep <= (contact->jammed ? JAMMED : NOT_DEEP) * radius)
            floor = 0.0;
    }
    return floor;
}

/* Returns the normal velocity (m/s) of the first surface relative to the second surface at the start of the step; it is
 * negative if the two surfaces approach each other. */
static double coming(const cst_row_input *input, const cst_contact *contact, const cst_contact_row *row)
{
    return row->between ? cst_dot3(contact->start, contact->start_velocity) : normal_velocity(input, row, false);
}

static void know_start(const cst_row_input *input, const cst_contact_row *row, cst_contact *contact)
{
    double u[3];
    row_velocity(input, row, false, u);
    cst_apply_transposed3(contact->frame, u, contact->start_velocity);
    memcpy(contact->start, contact->normal, sizeof contact->start);
}

/* In the theta scheme with theta < 1, corrects the contact velocity for the turning of the contact frame in the step
 * (contact_rows.h). The present contact Jacobian times the velocities of the bodies at the start of the step is not exactly the
 * true contact velocity at the start. The error of the contact velocity at the start, times (1 - theta) / theta, is added to the
 * contact velocity at the end of the step. The tangential components of the contact velocity are corrected only if the contact
 * frame is built on the mean normal (row->between). */
static void add_turned(const cst_row_input *input, const cst_contact *contact, cst_contact_row *row)
{
    const double theta = input->frame->theta;
    double u[3], was[3];
    row_velocity(input, row, false, u);
    row->turned += (1.0 - theta) / theta * (u[0] - fmin(coming(input, contact, row), 0.0));
    if (!row->between)
        return;
    cst_apply3(contact->frame, contact->start_velocity, was);
    for (int c = 1; c < input->frame->dim; c++)
        row->bent_way[c] += (1.0 - theta) / theta * (u[c] - was[c]);
}

/* Returns by how much (m/s) the forces other than contact forces increase the approach velocity of two bodies in the step. */
static double pressing(const cst_row_input *input, const cst_contact_row *row)
{
    double before[3], free_motion[3];
    cst_contact_row_velocity(input->frame->dim, input->layout, row, input->velocities->before, before);
    cst_contact_row_velocity(input->frame->dim, input->layout, row, input->velocities->free, free_motion);
    return before[0] - free_motion[0];
}

/* Returns the normal velocity (m/s) after an impact by Newton's law, or 0 if the two bodies do not collide in this step. A body
 * that leaves a contact with the velocity w, and has the acceleration a back towards the contact, returns after the time 2 w /
 * a. The code ignores a bounce from which the body would return within the same step. */
static double bounce_of(const cst_row_input *input, const cst_contact *contact, const cst_contact_row *row)
{
    const double before = contact->restitution > 0.0 && !contact->jammed ? coming(input, contact, row) : 0.0;
    const double at_rest =
        /* slower approach is rounding */
        NOT_DEEP * cst_contact_length(contact) / input->whole_dt;
    if (!(before < -at_rest && contact->gap + input->frame->dt * before <= 0.0))
        return 0.0;
    const double bounce = -input->restitution * contact->restitution * before;
    return 2.0 * bounce > pressing(input, row) ? bounce : 0.0;
}

/* Returns the gap at the start of the step, extrapolated from the gap at the predicted end of the step with the mean normal
 * velocity. */
static double gap_taken_back(const cst_row_input *input, const cst_contact *contact, const cst_contact_row *row)
{
    const double theta = input->frame->theta;
    const double after = normal_velocity(input, row, true), before = normal_velocity(input, row, false);
    return contact->gap - input->frame->dt * (theta * after + (1.0 - theta) * before);
}

/* Returns true if a new contact is an impact: the approach velocity at the start of the step is more than half of the approach
 * velocity that the bodies would have at the end of the step without contact forces. Both approach velocities are measured from
 * the lower bound of the normal velocity (row->floor). A contact that closes only because of forces in the step does not count as
 * an impact, because neighbouring contacts may carry the forces. For an impact, the friction solver starts from the impulse of an
 * isolated impact; for any other new contact, it starts from zero. Call the function `strikes` while velocities->v contains the
 * motion without contacts. */
static bool strikes(const cst_row_input *input, const cst_contact_row *row)
{
    const double before = normal_velocity(input, row, false) - row->floor, after = normal_velocity(input, row, true) - row->floor;
    return after < 0.0 && before < 0.5 * after;
}

/* Returns the smallest normal velocity (m/s) that the contact law allows at the end of the step. */
static double floor_of_row(const cst_contact_row *row)
{
    return (row->bounce > 0.0 ? fmax(row->rest, row->bounce) : row->rest) - row->turned;
}

int cst_contact_rows_jam(const int32_t *island, const bool *stuck, cst_contact_set *set)
{
    int count = 0;
    for (int i = 0; i < set->contacts; i++) {
        cst_contact *contact = set->contact + i;
        cst_contact_row *row = set->row + i;
        const bool shallow = row->rest > 0.0 && -contact->gap <= JAMMED * cst_contact_length(contact);
        if (!stuck[island[row->a.body]] || (!shallow && !(row->bounce > 0.0)))
            continue;
        contact->jammed = true;
        row->bounce = 0.0;
        row->rest = shallow ? 0.0 : row->rest;
        row->floor = floor_of_row(row);
        count++;
    }
    return count;
}

static void make_row(const cst_row_input *input, cst_contact *contact, const row_room *room, cst_contact_row *row)
{
    double on_a[3], on_b[3];
    *row = (cst_contact_row){.a = {.body = -1}, .b = {.body = -1}};
    for (int c = 0; c < 3; c++) /* round: centre; sharp: surface point */
        on_b[c] = contact->center[c] - (contact->a.radius + contact->gap + contact->b.radius) * contact->normal[c];
    row->between = is_between(input, contact);
    if (row->between) {
        cst_add3(1.0, contact->start, contact->normal);
        cst_normalise3(contact->normal);
    }
    cst_contact_set_frame(contact);
    for (int c = 0; c < 3; c++) {
        on_a[c] = contact->center[c] - contact->a.radius * contact->normal[c];
        on_b[c] += contact->b.radius * contact->normal[c];
        contact->position[c] = 0.5 * (on_a[c] + on_b[c]);
    }
    make_side(input, contact, A, on_a, room, row);
    if (cst_owner_is_body(contact->b.owner)) {
        make_side(input, contact, B, on_b, room, row);
    } else {
        double velocity[3];
        const cst_obstacle *obstacle = input->objects->obstacle + cst_owner_index(contact->b.owner);
        cst_obstacle_step_velocity(obstacle, input->frame, input->when, &contact->b, on_b, velocity);
        cst_apply3(contact->frame, velocity, row->moved);
    }
    if (input->relinearised)
        contact->gap = gap_taken_back(input, contact, row);
    if (!input->relinearised)
        know_start(input, row, contact);
    if (input->frame->theta < 1.0)
        add_turned(input, contact, row);
    row->rest = floor_of(input, contact, row);
    row->bounce = bounce_of(input, contact, row);
    row->floor = floor_of_row(row);
    if (!input->relinearised)
        contact->fresh = contact->fresh && strikes(input, row);
}

/* Material points that are clamped to the world, sorted by body. The clamped points of body k have the indices start[k] to
 * start[k + 1] - 1. */
typedef struct clamps {
    int32_t *start;      /* (bodies + 1) */
    int32_t *constraint; /* constraint that clamps each point */
} clamps;

static bool is_clamp(const cst_row_input *input, int k)
{
    const cst_constraint *held = input->constraint + k;
    return held->kind == CST_CONSTRAINT_CLAMPED && held->body[1] < 0 &&
           cst_constraint_active(held, input->frame->time, cst_frame_span(input->frame));
}

/* Returns false if memory ran out. */
static bool list_clamps(const cst_row_input *input, cst_arena *arena, clamps *out)
{
    const int bodies = input->objects->bodies;
    *out =
        (clamps){.start = CST_TAKE(arena, int32_t, bodies + 2), .constraint = CST_TAKE_RAW(arena, int32_t, input->constraints)};
    if (arena->failed)
        return false;
    int32_t *next = out->start + 1; /* shifted by one while filling */
    for (int k = 0; k < input->constraints; k++)
        if (is_clamp(input, k))
            next[input->constraint[k].body[0] + 1]++;
    for (int b = 0; b < bodies; b++)
        next[b + 1] += next[b];
    for (int k = 0; k < input->constraints; k++)
        if (is_clamp(input, k))
            out->constraint[next[input->constraint[k].body[0]]++] = k;
    return true;
}

/* Returns true if a body cannot move at a contact, because no dof moves the touching material point, or because the point is next
 * to a clamped root or next to a clamp to the world. For a point that cannot move, the friction solver would divide by rounding
 * errors. */
static bool is_clamped(const cst_row_input *input, const clamps *clamped, const cst_contact_end *end, const cst_contact_row *row,
                       int side)
{
    /* NEAR: distance from a clamp, in element lengths, up to which a material point counts as clamped. Near a clamped root, the
     * Jacobian entries of a material point are of the order of the square of the distance from the root. */
    static const double NEAR = 1e-3;
    const cst_contact_side *rows = side == A ? &row->a : &row->b;
    const double l = end->length;
    const int body = cst_owner_index(end->owner);
    double most = 0.0;
    if (rows->dofs == 0)
        return true;
    if (!row->beside[side])
        return false;
    for (int k = 0; k < rows->dofs; k++)
        most = fmax(most, fabs(rows->h[k]));
    if (most <= NEAR * NEAR * l * l)
        return true;
    for (int32_t k = clamped->start[body]; k < clamped->start[body + 1]; k++) {
        const cst_material_point *at = input->constraint[clamped->constraint[k]].at;
        if (at->feature == end->feature && fabs(at->s - row->at[side].s) <= NEAR * l)
            return true;
    }
    return false;
}

static bool cannot_move(const cst_row_input *input, const clamps *clamped, const cst_contact *contact, const cst_contact_row *row)
{
    return is_clamped(input, clamped, &contact->a, row, A) &&
           (!cst_owner_is_body(contact->b.owner) || is_clamped(input, clamped, &contact->b, row, B));
}

static int side_dofs(const cst_row_input *input, const cst_contact_end *end)
{
    if (!cst_owner_is_body(end->owner))
        return 0;
    const cst_body_model *model = input->objects->model + cst_owner_index(end->owner);
    return model->class->places->point_dofs(model->self);
}

/* Writes to `start` (contacts + 1) the index at which the dofs of each contact begin in the list of the dofs of all contacts.
 * Returns the largest number of dofs of one body at a contact. */
static int lay_out_rows(const cst_row_input *input, const cst_contact_set *set, int64_t *start)
{
    int most = 0;
    start[0] = 0;
    for (int i = 0; i < set->contacts; i++) {
        const int on_a = side_dofs(input, &set->contact[i].a), on_b = side_dofs(input, &set->contact[i].b);
        start[i + 1] = start[i] + on_a + on_b;
        most = on_a > most ? on_a : most;
        most = on_b > most ? on_b : most;
    }
    return most;
}

/* Allocates one buffer per thread for the motion of a material point that depends on at most `dofs` dofs. */
static cst_point_motion *take_motions(int dim, int dofs, int threads, cst_arena *arena)
{
    const size_t turns = dim == 2 ? 1 : 3;
    cst_point_motion *motion = CST_TAKE(arena, cst_point_motion, threads);
    for (int k = 0; k < threads && motion; k++) {
        motion[k].dof = CST_TAKE_RAW(arena, int32_t, dofs);
        motion[k].j = CST_TAKE_RAW(arena, double, dim *dofs);
        motion[k].j_turn = CST_TAKE_RAW(arena, double, turns *(size_t)dofs);
    }
    return arena->failed ? NULL : motion;
}

void cst_contact_set_drop(const bool *dropped, cst_contact_set *set)
{
    int kept = 0;
    for (int i = 0; i < set->contacts; i++) {
        if (dropped[i])
            continue;
        if (kept < i) {
            set->contact[kept] = set->contact[i];
            set->row[kept] = set->row[i];
        }
        kept++;
    }
    set->contacts = kept;
}

bool cst_contact_rows_make(const cst_row_input *input, cst_arena *arena, cst_contact_set *set)
{
    const int n = set->contacts, dim = input->frame->dim, threads = cst_threads_for(input->threads, n, PARALLEL_CONTACTS);
    int64_t *start = CST_TAKE_RAW(arena, int64_t, n + 1);
    bool *dropped = CST_TAKE_RAW(arena, bool, n);
    set->row = CST_TAKE_RAW(arena, cst_contact_row, n);
    if (arena->failed)
        return false;
    const int most = lay_out_rows(input, set, start);
    int32_t *dof = CST_TAKE_RAW(arena, int32_t, start[n]);
    double *h = CST_TAKE_RAW(arena, double, dim *start[n]);
    cst_point_motion *motion = take_motions(dim, most, threads, arena);
    clamps clamped;
    if (!motion || !list_clamps(input, arena, &clamped))
        return false;
    int begun = 0; /* threads that have taken their buffer */
#pragma omp parallel num_threads(threads)
    {
        row_room room = {.dof = dof, .h = h};
        int thread;
#pragma omp atomic capture
        thread = begun++;
        room.motion = motion + thread;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            room.start = start[i];
            make_row(input, set->contact + i, &room, set->row + i);
            dropped[i] = cannot_move(input, &clamped, set->contact + i, set->row + i);
        }
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            dropped[i] = dropped[i] || cst_rolling_beside(set, i);
    }
    cst_contact_set_drop(dropped, set);
    return true;
}
