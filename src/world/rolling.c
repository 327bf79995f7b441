#include "world/rolling.h"

#include <math.h>

#include "math/vector3.h"
#include "world/contact_track.h"

/* STRAIGHT: if a rod rotates by less than STRAIGHT (rad) in a step, the curvature of the paths of its points is neglected. */
static const double STRAIGHT = 0.01;

/* Turns the rod rigidly about the contact point x by the rotation vector `turn`. Returns how far (m) the turned rod lies below
 * the contact point x, along the normal e, at the arc length `way` from the contact. Returns 0 if the rod has no point at the arc
 * length `way` from the contact, or if the turned rod lies above the contact point x there. */
static double lower_at(const cst_body_model *model, const cst_contact_end *end, const double *x, double way, const double *e,
                       const double *turn)
{
    const cst_body_places *places = model->class->places;
    cst_place place = {.s = end->s + way};
    cst_material_point at;
    double there[3];
    if (end->period > 0.0)
        place.s -= end->period * floor(place.s / end->period);
    if (!places->locate(model->self, &place, &at))
        return 0.0;
    places->position(model->self, &at, there);
    cst_add3(-1.0, x, there);
    const double arm[3] = {there[0], there[1], there[2]};
    cst_add_cross3(turn, arm, there);
    return fmax(0.0, -cst_dot3(there, e));
}

static void find_tangent(const cst_row_input *input, const cst_body_model *model, const cst_point_motion *motion,
                         const cst_material_point *at, double *t)
{
    double x[3];
    if (input->frame->dim == 3) {
        model->class->surface->curve(model->self, at->feature, at->s, x, t);
        return;
    }
    t[0] = cos(motion->frame_angle);
    t[1] = sin(motion->frame_angle);
    t[2] = 0.0;
}

void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row)
{
    /* HARDLY: a contact counts as being at the lowest point of the rod if its height above this point is at most HARDLY times the
     * radius of the rod */
    static const double HARDLY = 1e-3;
    /* ASTRAY: largest accepted relative error of the predicted height of the rod's lowest point (rolling.h) */
    static const double ASTRAY = 0.5;
    const cst_contact_end *end = &contact->a;
    const cst_body_model *model = input->objects->model + cst_owner_index(end->owner);
    const double dt = input->frame->dt, *e = contact->normal, l = end->length;
    double acceleration[3], curvature[3], velocity[3], turn[3], turned[3], t[3];
    model->class->places->velocity(model->self, at, velocity, turn);
    for (int c = 0; c < 3; c++)
        turn[c] *= dt;
    if (cst_dot3(turn, turn) < STRAIGHT * STRAIGHT)
        return;
    find_tangent(input, model, motion, at, t);
    model->class->places->acceleration(model->self, at, acceleration, curvature);
    row->turned += 0.5 * dt * cst_dot3(acceleration, e);
    for (int c = 1; c < input->frame->dim; c++)
        row->bent_way[c] += 0.5 * dt * cst_dot3(contact->frame + 3 * c, acceleration);
    cst_cross3(turn, t, turned);
    const double slope = cst_dot3(t, e), k = cst_dot3(curvature, e), tilt = slope + cst_dot3(turned, e);
    if (!(k > 0.0))
        return;
    double lower = 0.5 * tilt * tilt / k;
    if (fabs(tilt) > k * l) { /* lowest point farther than one element */
        const double there = lower_at(model, end, motion->position, -tilt / k, e, turn);
        if (fabs(there - lower) > ASTRAY * lower)
            return;
        lower = there;
    }
    row->roll = slope * slope <= 2.0 * k * HARDLY * end->radius ? CST_ROLL_NEAREST : CST_ROLL_BESIDE;
    row->to_nearest = -slope / k;
    if (row->roll == CST_ROLL_BESIDE)
        return;
    row->turned -= lower / dt;
}

bool cst_rolling_beside(const cst_contact_set *set, int i)
{
    static const double THERE = 0.25; /* THERE: largest relative error of to_nearest */
    const cst_contact *contact = set->contact + i;
    const double to_nearest = set->row[i].to_nearest;
    if (set->row[i].roll != CST_ROLL_BESIDE)
        return false;
    cst_contact_end expected = contact->a;
    expected.s += to_nearest;
    if (expected.period > 0.0)
        expected.s -= expected.period * floor(expected.s / expected.period);
    for (int way = -1; way <= 1; way += 2) /* contacts of two owners are adjacent */
        for (int k = i + way; k >= 0 && k < set->contacts; k += way) {
            const cst_contact *other = set->contact + k;
            if (other->a.owner != contact->a.owner || other->b.owner != contact->b.owner)
                break;
            if (set->row[k].roll == CST_ROLL_NEAREST && other->gap < contact->gap &&
                cst_contact_end_distance(&other->a, &expected) <= THERE * fabs(to_nearest))
                return true;
        }
    return false;
}
