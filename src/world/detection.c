#include "world/detection.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "world/contact_track.h"
#include "world/touches.h"

const cst_touch_source *cst_touch_source_of(int dim)
{
    return dim == 2 ? &cst_touches_plane : &cst_touches_space;
}

static void find_surface(const cst_attempt *attempt, const cst_surface_rules *rules, cst_contact *contact)
{
    const cst_surface_side a = cst_world_surface_side(attempt->world, &contact->a);
    const cst_surface_side b = cst_world_surface_side(attempt->world, &contact->b);
    const cst_surface_values values = cst_surface_of_contact(rules, &a, &b);
    contact->mu = values.friction;
    contact->restitution = values.restitution;
}

/* Is side b of one where it is of the other, within `distance`, and seen from the same side? */
static bool same_place_of_b(const cst_contact *x, const cst_contact *y, double distance)
{
    static const double SAME_SIDE = 0.9;
    return cst_contact_end_distance(&x->b, &y->b) <= distance && cst_dot3(x->normal, y->normal) > SAME_SIDE;
}

/* Beside a round contact of radius R the gap grows by d^2 / (2 R): a point d away that is no farther open than that says nothing
 * that the contact does not say, and would take its name when it passes (the joint of a rod that slides over a peg). */
static bool is_beside(const cst_touch_source *source, const cst_contact *contact, const cst_contact *nearest)
{
    static const double ROUNDNESS = 1.25;
    const double R = contact->a.radius + contact->b.radius, rise = contact->gap - nearest->gap;
    if (contact->a.owner != nearest->a.owner || contact->b.owner != nearest->b.owner || !(contact->gap > 0.0 && rise > 0.0))
        return false;
    const double distance = ROUNDNESS * sqrt(2.0 * R * rise);
    return fabs(contact->a.s - nearest->a.s) <= distance && (!source->both_ends || same_place_of_b(contact, nearest, distance));
}

static int thin_out(const cst_touch_source *source, cst_contact *contact, int count)
{
    int kept = 0;
    cst_contact before = {.a.owner = -1};
    for (int i = 0; i < count; i++) {
        const cst_contact now = contact[i];
        if (!(i > 0 && is_beside(source, &now, &before)) && !(i + 1 < count && is_beside(source, &now, contact + i + 1)))
            contact[kept++] = now;
        before = now;
    }
    return kept;
}

/* Nearer to another contact than its radius, and than a quarter of its element, a contact has nothing to add but a row that
 * depends on the others. */
static double crowding_distance(const cst_contact *contact)
{
    return fmin(contact->a.radius, 0.25 * contact->a.length);
}

static bool is_near(const cst_touch_source *source, const cst_contact *held, const cst_contact *other, double room)
{
    return other->a.owner == held->a.owner && other->b.owner == held->b.owner && fabs(other->a.s - held->a.s) < room &&
           (!source->both_ends || same_place_of_b(held, other, room));
}

/* `found` are sorted. */
static bool is_crowded(const cst_touch_source *source, const cst_contact *held, const cst_contact *found, int count)
{
    const double room = crowding_distance(held);
    int low = 0, high = count; /* the first that does not come before `held` */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (cst_contacts_compare(found + middle, held) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    /* where b counts as well, those that are near may stand between others that are not */
    const int beyond = source->both_ends ? 8 : 1;
    for (int k = 1; k <= beyond; k++)
        if ((low >= k && is_near(source, held, found + low - k, room)) ||
            (low + k <= count && is_near(source, held, found + low + k - 1, room)))
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------------- staying in place */

/* How far the fastest point of a body goes in a step as long as this one, or in the pass of an iterated step. Found once for each
 * body; negative: not yet. */
static double travel_of(const cst_attempt *attempt, int32_t owner, int32_t part, const double *x, double *travel)
{
    const int k = cst_owner_index(owner);
    if (!cst_owner_is_body(owner)) {
        double velocity[3];
        cst_attempt_obstacle_velocity(attempt, k, attempt->frame.time, part, x, velocity);
        return attempt->frame.dt * sqrt(cst_dot3(velocity, velocity));
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
    memset(found->r, 0, sizeof found->r);
    attempt->new_contacts++;
}

/* A contact that pushes and whose nearest point runs away from it, faster than anything moves: the two curves nest, and which of
 * their points is nearest says little. It stays where it is as long as that is hardly farther. If it has to go some way, it is
 * held there as well: a rod that rocks on one point never comes to rest. */
static void keep_points(cst_attempt *attempt, const cst_touch_source *source, const cst_contact *before, int32_t *successor,
                        int count_before, double scale, double *travel)
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
        const double motion = fmax(travel_of(attempt, found->a.owner, 0, before[j].position, travel),
                                   travel_of(attempt, found->b.owner, found->b.feature, before[j].position, travel));
        if (found->turned || moved <= FASTER * motion || !source->hold(attempt, before + j, &held))
            continue;
        if (held.gap - found->gap <= HARDLY * cst_contact_radius(found)) {
            *found = held;
            cst_contact_continue(before + j, false, scale, found);
        } else if (moved > crowding_distance(&held)) {
            successor[j] = -1;
            make_new(attempt, found);
        }
    }
}

/* Contacts of before that push and were not found again. There is room for them. */
static void hold_others(cst_attempt *attempt, const cst_touch_source *source, const cst_contact *before, const int32_t *successor,
                        int count_before, double scale, cst_contact *scratch)
{
    const int found = attempt->contacts;
    for (int j = 0; j < count_before; j++) {
        cst_contact *held = attempt->contact + attempt->contacts;
        if (successor[j] >= 0 || !(before[j].r[0] > 0.0) || !source->hold(attempt, before + j, held) ||
            is_crowded(source, held, attempt->contact, found))
            continue;
        cst_contact_continue(before + j, false, scale, held);
        attempt->contacts++;
    }
    if (attempt->contacts > found)
        cst_contacts_sort(attempt->contact, scratch, attempt->contacts);
}

/* The deepest, in contact radii. */
static double relative_depth(const cst_contact *contact, int count)
{
    double deepest = 0.0;
    for (int i = 0; i < count; i++) {
        const double radius = cst_contact_radius(contact + i);
        if (radius > 0.0)
            deepest = fmax(deepest, -contact[i].gap / radius);
    }
    return deepest;
}

bool cst_detection_run(cst_attempt *attempt, double time, const cst_contact *before, int count_before, double scale)
{
    cst_world *world = attempt->world;
    const cst_touch_source *source = cst_touch_source_of(attempt->frame.dim);
    const cst_surface_rules rules = cst_world_surface_rules(world);
    const int touches = source->find(attempt, time, true);
    if (touches < 0)
        return false;
    cst_contact *contact = CST_TAKE_RAW(&world->step, cst_contact, touches + count_before);
    cst_contact *scratch = CST_TAKE_RAW(&world->step, cst_contact, touches + count_before);
    int32_t *successor = CST_TAKE_RAW(&world->step, int32_t, count_before);
    double *travel = CST_TAKE_RAW(&world->step, double, world->bodies);
    if (world->step.failed)
        return false;
    for (int i = 0; i < touches; i++) {
        contact[i] = (cst_contact){0};
        source->take(attempt, i, contact + i);
        find_surface(attempt, &rules, contact + i);
    }
    cst_contacts_sort(contact, scratch, touches);
    attempt->contact = contact;
    attempt->contacts = thin_out(source, contact, touches);
    attempt->new_contacts = cst_contacts_track(before, count_before, scale, contact, attempt->contacts, &attempt->next_contact_id,
                                               successor, &world->step);
    if (attempt->new_contacts < 0)
        return false;
    for (int i = 0; i < attempt->contacts; i++)
        if (contact[i].turned)
            source->keep_side(attempt, contact + i);
    attempt->found_depth = relative_depth(contact, attempt->contacts);
    keep_points(attempt, source, before, successor, count_before, scale, travel);
    cst_contacts_sort(attempt->contact, scratch, attempt->contacts);
    hold_others(attempt, source, before, successor, count_before, scale, scratch);
    for (int i = 0; i < attempt->contacts && attempt->frame.iterated && source->find_bend; i++)
        source->find_bend(attempt, attempt->contact + i);
    return true;
}

/* Followed along a rod to the same place of the same thing (a thin disk between them): one is enough. */
static bool has_met(const cst_touch_source *source, const cst_contact *contact, const cst_contact *other)
{
    return contact->a.owner == other->a.owner && contact->b.owner == other->b.owner && contact->b.feature == other->b.feature &&
           cst_contact_end_distance(&contact->a, &other->a) <= 1e-9 * contact->a.reach &&
           (!source->both_ends || same_place_of_b(contact, other, 1e-9 * contact->a.reach));
}

void cst_detection_follow(cst_attempt *attempt, double time)
{
    const cst_touch_source *source = cst_touch_source_of(attempt->frame.dim);
    int kept = 0;
    source->place(attempt, time);
    for (int i = 0; i < attempt->contacts; i++) {
        const cst_contact before = attempt->contact[i];
        cst_contact now = before, *last = kept > 0 ? attempt->contact + kept - 1 : NULL;
        source->follow(attempt, &now);
        cst_contact_continue(&before, false, 1.0, &now);
        now.fresh = false;
        if (!last || !has_met(source, &now, last))
            attempt->contact[kept++] = now;
        else if (now.r[0] > last->r[0])
            *last = now;
    }
    attempt->contacts = kept;
}

double cst_detection_depth(cst_attempt *attempt, double time, double *relative)
{
    const cst_touch_source *source = cst_touch_source_of(attempt->frame.dim);
    double deepest = 0.0;
    const int touches = source->find(attempt, time, false);
    *relative = 0.0;
    for (int i = 0; i < touches; i++) {
        cst_contact contact = {0};
        source->take(attempt, i, &contact);
        const double radius = cst_contact_radius(&contact);
        deepest = fmax(deepest, -contact.gap);
        if (radius > 0.0)
            *relative = fmax(*relative, -contact.gap / radius);
    }
    return touches < 0 ? -1.0 : deepest;
}
