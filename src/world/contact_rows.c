#include "world/contact_rows.h"

#include <math.h>
#include <string.h>

#include "collide/placed_arc.h"

enum { A = 0, B = 1 };

/* Of a contact radius, in a whole step: what is deep within something (two rods that a joint let go) comes out at 0.5 m/s of a rod of
 * 1 cm and steps of 1 ms, not at ten times that. */
static const double RECOVERY = 0.05;

/* D x = (e . x, J2 e . x) */
static void to_contact(const double *e, const double *x, double *out)
{
    const double normal = e[0] * x[0] + e[1] * x[1], tangent = e[0] * x[1] - e[1] * x[0];
    out[0] = normal;
    out[1] = tangent;
}

/* ----------------------------------------------------------------------------------------------------------------- rows */

/* The material point of a rigid body that is at x, in its frame. */
static cst_material_point point_of_rigid(const cst_body_model *model, const double *x, cst_point_motion *room)
{
    const cst_material_point center = {0};
    model->class->point(model->self, &center, room);
    const double c = cos(room->frame_angle), s = sin(room->frame_angle);
    const double dx = x[0] - room->position[0], dy = x[1] - room->position[1];
    return (cst_material_point){.local = {c * dx + s * dy, c * dy - s * dx, 0.0}};
}

/* Where the centreline of side a is. */
static void center_of_a(const cst_attempt *attempt, const cst_contact *contact, double *x)
{
    cst_placed_arc placed;
    cst_place_arc(attempt->arc + contact->shape[A], &placed);
    cst_arc_at(&placed, contact->a.along, x, NULL);
}

/* The point of side a or b at the surface x, its motion, and the arm from it to the surface. A rod is touched beside its
 * centreline, a rigid body at a point of its own. */
static void touch_body(const cst_attempt *attempt, const cst_contact *contact, int side, const double *x, cst_material_point *at,
                       double *arm, cst_point_motion *motion)
{
    const cst_world *world = attempt->world;
    const cst_contact_end *end = side == A ? &contact->a : &contact->b;
    const cst_arc *arc = attempt->arc + contact->shape[side];
    const int body = cst_owner_index(end->owner);
    const cst_body_model *model = world->model + body;
    arm[0] = arm[1] = 0.0;
    if (world->body[body].rigid)
        *at = point_of_rigid(model, x, motion);
    else
        *at =
            (cst_material_point){.feature = end->feature, .s = arc->l > 0.0 ? end->along * (arc->material_length / arc->l) : 0.0};
    model->class->point(model->self, at, motion);
    if (!world->body[body].rigid && !world->def.contact.at_centreline) {
        arm[0] = x[0] - motion->position[0];
        arm[1] = x[1] - motion->position[1];
    }
}

/* What motions imposed on a body add to the velocity of its surface. Before the step: what its velocities do not account for. */
static void add_drift(const cst_attempt *attempt, int body, const cst_point_motion *motion, const cst_material_point *at,
                      const double *arm, double sign, const double *e, cst_contact_row *row)
{
    const cst_body_model *model = attempt->world->model + body;
    const double turn = motion->drift_turn[2], *v = attempt->v_before + attempt->start_of[body];
    if (motion->drift[0] == 0.0 && motion->drift[1] == 0.0 && turn == 0.0)
        return;
    double in_frame[2], before[3], turn_before[3], of_v[2] = {0.0, 0.0}, turn_of_v = 0.0;
    to_contact(e, (const double[2]){motion->drift[0] - arm[1] * turn, motion->drift[1] + arm[0] * turn}, in_frame);
    row->drift[0] += sign * in_frame[0];
    row->drift[1] += sign * in_frame[1];
    if (attempt->frame.quasi_static)
        return;
    model->class->velocity(model->self, at, before, turn_before);
    for (int k = 0; k < motion->dofs; k++) {
        of_v[0] += motion->j[k] * v[motion->dof[k]];
        of_v[1] += motion->j[motion->dofs + k] * v[motion->dof[k]];
        turn_of_v += motion->j_turn[k] * v[motion->dof[k]];
    }
    const double rate = turn_before[2] - turn_of_v;
    to_contact(e, (const double[2]){before[0] - of_v[0] - arm[1] * rate, before[1] - of_v[1] + arm[0] * rate}, in_frame);
    row->drift_before[0] += sign * in_frame[0];
    row->drift_before[1] += sign * in_frame[1];
}

/* What the way of a point along the surface, from the start of the step to the guess of its end, is longer than its velocity at
 * the guess makes it: J turns on the way. Without it, whatever sticks creeps by the square of each step. The turning of the arm is
 * linear in v and needs nothing. */
static double bent_way(const cst_attempt *attempt, int body, const cst_point_motion *motion, const cst_material_point *at,
                       const double *e)
{
    const cst_body_model *model = attempt->world->model + body;
    const double *v = attempt->v + attempt->start_of[body], dt = attempt->frame.dt;
    double start[3], rate[2] = {motion->drift[0], motion->drift[1]}, in_frame[2];
    if (!model->class->position || attempt->frame.theta < 1.0)
        return 0.0;
    for (int k = 0; k < motion->dofs; k++) {
        rate[0] += motion->j[k] * v[motion->dof[k]];
        rate[1] += motion->j[motion->dofs + k] * v[motion->dof[k]];
    }
    model->class->position(model->self, at, start);
    to_contact(
        e, (const double[2]){(motion->position[0] - start[0]) / dt - rate[0], (motion->position[1] - start[1]) / dt - rate[1]},
        in_frame);
    return in_frame[1];
}

/* Rows of one side, with its sign, and what the body's imposed motion adds. */
static bool make_side(cst_attempt *attempt, const cst_contact *contact, int side, const double *x, bool guess,
                      cst_contact_row *row, cst_point_motion *motion)
{
    const cst_contact_end *end = side == A ? &contact->a : &contact->b;
    const int body = cst_owner_index(end->owner);
    const double sign = side == A ? 1.0 : -1.0, *e = contact->normal;
    double *arm = row->arm[side];
    touch_body(attempt, contact, side, x, row->at + side, arm, motion);
    const int dofs = motion->dofs;
    int32_t *dof = CST_TAKE_RAW(&attempt->world->step, int32_t, dofs);
    double *h = CST_TAKE_RAW(&attempt->world->step, double, 2 * dofs);
    if (attempt->world->step.failed)
        return false;
    for (int k = 0; k < dofs; k++) {
        const double surface[2] = {motion->j[k] - arm[1] * motion->j_turn[k], motion->j[dofs + k] + arm[0] * motion->j_turn[k]};
        double in_frame[2];
        to_contact(e, surface, in_frame);
        h[k] = sign * in_frame[0];
        h[dofs + k] = sign * in_frame[1];
        dof[k] = motion->dof[k] + attempt->joined.offset_of[body];
    }
    add_drift(attempt, body, motion, row->at + side, arm, sign, e, row);
    if (guess)
        row->drift[1] += sign * bent_way(attempt, body, motion, row->at + side, e);
    *(side == A ? &row->a : &row->b) = (cst_contact_side){.body = attempt->unit_of[body], .dofs = dofs, .dof = dof, .h = h};
    return true;
}

void cst_contact_row_velocity(const cst_attempt *attempt, const cst_contact_row *row, const double *x, double *out)
{
    const cst_contact_side *side[2] = {&row->a, &row->b};
    out[0] = out[1] = 0.0;
    for (int s = 0; s < 2; s++) {
        if (side[s]->body < 0)
            continue;
        const double *of_unit = x + attempt->unit[side[s]->body].start;
        for (int k = 0; k < side[s]->dofs; k++) {
            out[0] += side[s]->h[k] * of_unit[side[s]->dof[k]];
            out[1] += side[s]->h[side[s]->dofs + k] * of_unit[side[s]->dof[k]];
        }
    }
}

void cst_contact_row_impulse(const cst_attempt *attempt, const cst_contact_row *row, const double *r, double *f)
{
    const cst_contact_side *side[2] = {&row->a, &row->b};
    for (int s = 0; s < 2; s++) {
        if (side[s]->body < 0)
            continue;
        double *of_unit = f + attempt->unit[side[s]->body].start;
        for (int k = 0; k < side[s]->dofs; k++)
            of_unit[side[s]->dof[k]] += side[s]->h[k] * r[0] + side[s]->h[side[s]->dofs + k] * r[1];
    }
}

/* ---------------------------------------------------------------------------------------------------------- the one rule */

/* Normal velocity of a relative to b at the start of the step, or at its end as known so far. */
static double normal_velocity(const cst_attempt *attempt, const cst_contact_row *row, bool end)
{
    double u[2];
    cst_contact_row_velocity(attempt, row, end ? attempt->v : attempt->v_before, u);
    return u[0] + (end ? row->drift[0] : row->drift_before[0]) - row->moved[0];
}

static double floor_of(const cst_attempt *attempt, const cst_contact *contact, const cst_contact_row *row, bool guess)
{
    const cst_contact_rules *rules = &attempt->world->def.contact;
    const double dt = attempt->frame.dt, before = normal_velocity(attempt, row, false);
    double floor = -contact->gap / dt;
    if (contact->gap <= 0.0) {
        const double radius = cst_contact_radius(contact), whole = attempt->world->def.time_step.dt;
        const double limit = rules->recovery_speed > 0.0 ? rules->recovery_speed
                             : radius > 0.0              ? RECOVERY * radius / whole
                                                         : HUGE_VAL;
        /* at a guess of an iterated step what is little is how the geometry turned in the step, and all of it is undone */
        if (!(guess && attempt->frame.theta == 1.0))
            floor = -rules->stabilisation * contact->gap / whole;
        floor = fmin(floor, limit);
    }
    if (contact->restitution > 0.0 && before < 0.0 && contact->gap + dt * before <= 0.0)
        floor = fmax(floor, -contact->restitution * before);
    return floor;
}

/* The gap at the start of the step that the motion of the guess would turn into the gap found at its end. */
static double gap_taken_back(const cst_attempt *attempt, const cst_contact *contact, const cst_contact_row *row)
{
    const double theta = attempt->frame.theta;
    const double after = normal_velocity(attempt, row, true), before = normal_velocity(attempt, row, false);
    return contact->gap - attempt->frame.dt * (theta * after + (1.0 - theta) * before);
}

/* Does it approach because it came flying, rather than by the forces of the step, which its neighbours may hold up? Only then is
 * the impact of it alone a better guess than none. attempt->v is the motion without contacts. */
static bool strikes(const cst_attempt *attempt, const cst_contact_row *row)
{
    const double before = normal_velocity(attempt, row, false) - row->floor,
                 after = normal_velocity(attempt, row, true) - row->floor;
    return after < 0.0 && before < 0.5 * after;
}

static bool make_row(cst_attempt *attempt, cst_contact *contact, bool guess, double when, cst_point_motion *motion,
                     cst_contact_row *row)
{
    const cst_world *world = attempt->world;
    const double *e = contact->normal;
    double x[2];
    *row = (cst_contact_row){.a = {.body = -1}, .b = {.body = -1}};
    center_of_a(attempt, contact, x);
    const double to_a = contact->a.radius, to_b = contact->a.radius + contact->gap;
    const double on_a[2] = {x[0] - to_a * e[0], x[1] - to_a * e[1]}, on_b[2] = {x[0] - to_b * e[0], x[1] - to_b * e[1]};
    contact->position[0] = 0.5 * (on_a[0] + on_b[0]);
    contact->position[1] = 0.5 * (on_a[1] + on_b[1]);
    if (!make_side(attempt, contact, A, on_a, guess, row, motion))
        return false;
    if (cst_owner_is_body(contact->b.owner)) {
        if (!make_side(attempt, contact, B, on_b, guess, row, motion))
            return false;
    } else {
        double velocity[2], turn;
        cst_obstacle_velocity(world->obstacle + cst_owner_index(contact->b.owner), attempt->frame.time, attempt->frame.dt, when,
                              on_b, velocity, &turn);
        to_contact(e, velocity, row->moved);
    }
    if (guess)
        contact->gap = gap_taken_back(attempt, contact, row);
    row->floor = floor_of(attempt, contact, row, guess);
    if (!guess)
        contact->fresh = contact->fresh && strikes(attempt, row);
    return true;
}

/* A point that cannot move, on something that does not either: next to a clamped root, or to a clamp by the world. Nothing can be done about
 * it, and friction would divide by rounding. */
static bool cannot_move(const cst_attempt *attempt, const cst_contact *contact, const cst_contact_row *row)
{
    static const double NEAR = 1e-3; /* of an element: its row is the square of this */
    const cst_world *world = attempt->world;
    const double l = attempt->arc[contact->shape[A]].l;
    const int body = cst_owner_index(contact->a.owner);
    double most = 0.0;
    if (cst_owner_is_body(contact->b.owner) || world->body[body].rigid)
        return false;
    for (int k = 0; k < row->a.dofs; k++)
        most = fmax(most, fabs(row->a.h[k]));
    if (most <= NEAR * NEAR * l * l)
        return true;
    for (int k = 0; k < world->constraints; k++) {
        const cst_constraint *held = world->constraint + k;
        if (held->kind == CST_CONSTRAINT_CLAMPED && held->body[0] == body && held->body[1] < 0 &&
            held->at[0].feature == contact->a.feature && fabs(held->at[0].s - row->at[A].s) <= NEAR * l &&
            cst_constraint_active(held, attempt->frame.time, attempt->frame.dt))
            return true;
    }
    return false;
}

bool cst_contact_rows_make(cst_attempt *attempt, bool guess, double when)
{
    int kept = 0;
    attempt->row = CST_TAKE_RAW(&attempt->world->step, cst_contact_row, attempt->contacts);
    if (attempt->world->step.failed)
        return false;
    for (int i = 0; i < attempt->contacts; i++) {
        if (!make_row(attempt, attempt->contact + i, guess, when, &attempt->world->point, attempt->row + kept))
            return false;
        if (cannot_move(attempt, attempt->contact + i, attempt->row + kept))
            continue;
        attempt->contact[kept] = attempt->contact[i];
        kept++;
    }
    attempt->contacts = kept;
    return true;
}
