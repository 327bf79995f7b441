#include "world/detection.h"

#include <math.h>
#include <string.h>

#include "world/contact_hold.h"
#include "world/contact_track.h"
#include "world/shapes.h"

static cst_contact_end end_of(const cst_attempt *attempt, int shape, double along)
{
    if (shape >= attempt->scene.arcs) {
        const cst_half_plane *half_plane = attempt->half_plane + (shape - attempt->scene.arcs);
        return (cst_contact_end){.owner = half_plane->owner, .s = along, .along = along, .reach = HUGE_VAL};
    }
    const cst_arc *arc = attempt->arc + shape;
    return (cst_contact_end){.owner = arc->owner,
                             .feature = arc->feature,
                             .s = arc->s + along,
                             .along = along,
                             .period = arc->owner_closed ? arc->owner_length : 0.0,
                             .reach = fmax(arc->l, 2.0 * arc->radius),
                             .radius = arc->radius};
}

static void take_touch(const cst_attempt *attempt, const cst_touch *touch, const cst_surface_rules *rules, cst_contact *out)
{
    *out = (cst_contact){.a = end_of(attempt, touch->a, touch->s_a),
                         .b = end_of(attempt, touch->b, touch->s_b),
                         .shape = {touch->a, touch->b},
                         .branch = touch->branch,
                         .normal = {touch->normal[0], touch->normal[1]},
                         .gap = touch->gap};
    const cst_surface_side a = cst_world_surface_side(attempt->world, &out->a);
    const cst_surface_side b = cst_world_surface_side(attempt->world, &out->b);
    const cst_surface_values values = cst_surface_of_contact(rules, &a, &b);
    out->mu = values.friction;
    out->restitution = values.restitution;
}

/* Beside a round contact of radius R the gap grows by d^2 / (2 R): a point d away that is no farther open than that says nothing
 * that the contact does not say, and would take its name when it passes (the joint of a rod that slides over a peg). */
static bool is_beside(const cst_contact *contact, const cst_contact *nearest)
{
    static const double ROUNDNESS = 1.25;
    const double R = contact->a.radius + contact->b.radius, rise = contact->gap - nearest->gap;
    return contact->a.owner == nearest->a.owner && contact->b.owner == nearest->b.owner && contact->gap > 0.0 && rise > 0.0 &&
           fabs(contact->a.s - nearest->a.s) <= ROUNDNESS * sqrt(2.0 * R * rise);
}

static int thin_out(cst_contact *contact, int count)
{
    int kept = 0;
    cst_contact before = {.a.owner = -1};
    for (int i = 0; i < count; i++) {
        const cst_contact now = contact[i];
        if (!(i > 0 && is_beside(&now, &before)) && !(i + 1 < count && is_beside(&now, contact + i + 1)))
            contact[kept++] = now;
        before = now;
    }
    return kept;
}

/* A contact that has turned round may have gone through: if so it is pushed back to where it came from. */
static void keep_sides(cst_attempt *attempt)
{
    for (int i = 0; i < attempt->contacts; i++) {
        cst_contact *contact = attempt->contact + i;
        if (!contact->turned)
            continue;
        cst_touch touch = {.a = contact->shape[0],
                           .b = contact->shape[1],
                           .s_a = contact->a.along,
                           .s_b = contact->b.along,
                           .normal = {contact->normal[0], contact->normal[1]},
                           .gap = contact->gap,
                           .branch = contact->branch};
        if (cst_touch_keep_side(&attempt->scene, contact->before, &touch)) {
            memcpy(contact->normal, touch.normal, sizeof contact->normal);
            contact->gap = touch.gap;
        }
    }
}

/* Nearer to another contact than its radius, and than a quarter of its element, a contact has nothing to add but a row that
 * depends on the others. */
static double crowding_distance(const cst_attempt *attempt, const cst_contact *contact)
{
    return fmin(contact->a.radius, 0.25 * attempt->arc[contact->shape[0]].l);
}

static bool is_near(const cst_contact *held, const cst_contact *other, double room)
{
    return other->a.owner == held->a.owner && other->b.owner == held->b.owner && fabs(other->a.s - held->a.s) < room;
}

/* `found` are sorted. */
static bool is_crowded(const cst_attempt *attempt, const cst_contact *held, const cst_contact *found, int count)
{
    const double room = crowding_distance(attempt, held);
    int low = 0, high = count; /* the first that does not come before `held` */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (cst_contacts_compare(found + middle, held) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (low > 0 && is_near(held, found + low - 1, room)) || (low < count && is_near(held, found + low, room));
}

/* ------------------------------------------------------------------------------------------------------- staying in place */

/* How far the fastest point of a body goes in a step as long as this one, or in the pass of an iterated step. Found once for each
 * body; negative: not yet. */
static double travel_of(const cst_attempt *attempt, int32_t owner, const double *x, double *travel)
{
    const int k = cst_owner_index(owner);
    if (!cst_owner_is_body(owner)) {
        double velocity[2], turn;
        cst_obstacle_velocity(attempt->world->obstacle + k, attempt->frame.time, attempt->frame.dt, attempt->frame.time, x,
                              velocity, &turn);
        return attempt->frame.dt * hypot(velocity[0], velocity[1]);
    }
    if (travel[k] < 0.0) {
        const cst_body_model *model = attempt->world->model + k;
        const double *v = attempt->newton_iterations > 0 ? attempt->v : attempt->v_before;
        travel[k] = model->class->motion(model->self, &attempt->frame, v + attempt->start_of[k]);
    }
    return travel[k];
}

/* It is there beside the one that it was taken for. */
static void make_new(cst_attempt *attempt, cst_contact *found)
{
    found->id = attempt->next_contact_id++;
    found->fresh = true;
    found->r[0] = found->r[1] = 0.0;
    attempt->new_contacts++;
}

/* A contact that pushes and whose nearest point runs away from it, faster than anything moves: the two curves nest, and which of
 * their points is nearest says little. It stays where it is as long as that is hardly farther. If it has to go some way, it is
 * held there as well: a rod that rocks on one point never comes to rest. */
static void keep_points(cst_attempt *attempt, const cst_contact *before, int32_t *successor, int count_before, double scale,
                        double *travel)
{
    static const double HARDLY = 1e-3; /* of the radius */
    static const double FASTER = 3.0;
    for (int k = 0; k < attempt->world->bodies; k++)
        travel[k] = -1.0;
    for (int j = 0; j < count_before; j++) {
        if (successor[j] < 0 || !(before[j].r[0] > 0.0))
            continue;
        cst_contact *found = attempt->contact + successor[j], held;
        const double moved = cst_contact_end_distance(&found->a, &before[j].a);
        const double motion = fmax(travel_of(attempt, found->a.owner, before[j].position, travel),
                                   travel_of(attempt, found->b.owner, before[j].position, travel));
        if (found->turned || moved <= FASTER * motion || !cst_contact_hold(attempt, before + j, &held))
            continue;
        if (held.gap - found->gap <= HARDLY * cst_contact_radius(found)) {
            *found = held;
            cst_contact_continue(before + j, false, scale, found);
        } else if (moved > crowding_distance(attempt, &held)) {
            successor[j] = -1;
            make_new(attempt, found);
        }
    }
}

/* Contacts of before that push and were not found again. There is room for them. */
static void hold_others(cst_attempt *attempt, const cst_contact *before, const int32_t *successor, int count_before, double scale,
                        cst_contact *scratch)
{
    const int found = attempt->contacts;
    for (int j = 0; j < count_before; j++) {
        cst_contact *held = attempt->contact + attempt->contacts;
        if (successor[j] >= 0 || !(before[j].r[0] > 0.0) || !cst_contact_hold(attempt, before + j, held) ||
            is_crowded(attempt, held, attempt->contact, found))
            continue;
        cst_contact_continue(before + j, false, scale, held);
        attempt->contacts++;
    }
    if (attempt->contacts > found)
        cst_contacts_sort(attempt->contact, scratch, attempt->contacts);
}

bool cst_detection_run(cst_attempt *attempt, double time, const cst_contact *before, int count_before, double scale)
{
    cst_world *world = attempt->world;
    const cst_surface_rules rules = cst_world_surface_rules(world);
    const cst_touch *touch;
    cst_shapes_place(attempt, time, true);
    const int touches = cst_detect_plane(&world->detector, &attempt->scene, &touch);
    if (touches < 0)
        return false;
    cst_contact *contact = CST_TAKE_RAW(&world->step, cst_contact, touches + count_before);
    cst_contact *scratch = CST_TAKE_RAW(&world->step, cst_contact, touches + count_before);
    int32_t *successor = CST_TAKE_RAW(&world->step, int32_t, count_before);
    double *travel = CST_TAKE_RAW(&world->step, double, world->bodies);
    if (world->step.failed)
        return false;
    for (int i = 0; i < touches; i++)
        take_touch(attempt, touch + i, &rules, contact + i);
    cst_contacts_sort(contact, scratch, touches);
    attempt->contact = contact;
    attempt->contacts = thin_out(contact, touches);
    attempt->new_contacts = cst_contacts_track(before, count_before, scale, contact, attempt->contacts, &attempt->next_contact_id,
                                               successor, &world->step);
    if (attempt->new_contacts < 0)
        return false;
    keep_sides(attempt);
    keep_points(attempt, before, successor, count_before, scale, travel);
    cst_contacts_sort(attempt->contact, scratch, attempt->contacts);
    hold_others(attempt, before, successor, count_before, scale, scratch);
    for (int i = 0; i < attempt->contacts && attempt->frame.iterated; i++)
        cst_contact_find_bend(attempt, attempt->contact + i);
    return true;
}

/* Followed along a rod to the same place of the same thing (a thin disk between them): one is enough. */
static bool has_met(const cst_contact *contact, const cst_contact *other)
{
    return contact->a.owner == other->a.owner && contact->b.owner == other->b.owner && contact->b.feature == other->b.feature &&
           cst_contact_end_distance(&contact->a, &other->a) <= 1e-9 * contact->a.reach;
}

void cst_detection_follow(cst_attempt *attempt, double time)
{
    int kept = 0;
    cst_shapes_place_all(attempt, time);
    for (int i = 0; i < attempt->contacts; i++) {
        const cst_contact before = attempt->contact[i];
        cst_contact now = before, *last = kept > 0 ? attempt->contact + kept - 1 : NULL;
        cst_contact_follow(attempt, &now);
        cst_contact_continue(&before, false, 1.0, &now);
        now.fresh = false;
        if (!last || !has_met(&now, last))
            attempt->contact[kept++] = now;
        else if (now.r[0] > last->r[0])
            *last = now;
    }
    attempt->contacts = kept;
}

double cst_detection_depth(cst_attempt *attempt, double time, double *relative)
{
    const cst_touch *touch;
    double deepest = 0.0;
    cst_shapes_place(attempt, time, false);
    const int touches = cst_detect_plane(&attempt->world->detector, &attempt->scene, &touch);
    *relative = 0.0;
    for (int i = 0; i < touches; i++) {
        const cst_contact_end a = end_of(attempt, touch[i].a, 0.0), b = end_of(attempt, touch[i].b, 0.0);
        const double radius = cst_smaller_length(a.radius, b.radius);
        deepest = fmax(deepest, -touch[i].gap);
        if (radius > 0.0)
            *relative = fmax(*relative, -touch[i].gap / radius);
    }
    return touches < 0 ? -1.0 : deepest;
}
