#include "world/detection.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "collide/broad_phase.h"
#include "math/vector3.h"
#include "world/contact_track.h"
#include "world/dynamics.h"

enum { PARALLEL_BODIES = 64, PARALLEL_CONTACTS = 128 };

static void find_surface(const cst_detection *detection, cst_contact *contact)
{
    const cst_surface_side a = cst_objects_surface_side(detection->objects, &contact->a);
    const cst_surface_side b = cst_objects_surface_side(detection->objects, &contact->b);
    const cst_surface_values values = cst_surface_of_contact(&detection->surfaces, &a, &b);
    contact->mu = values.friction;
    contact->restitution = values.restitution;
}

/* Returns true if two contacts are at most `distance` apart on the second body, and if their normals differ by less than 26
 * degrees. */
static bool same_place_of_b(const cst_contact *x, const cst_contact *y, double distance)
{
    /* cosine of 26 degrees */
    static const double SAME_SIDE = 0.9;
    return cst_contact_end_distance(&x->b, &y->b) <= distance && cst_dot3(x->normal, y->normal) > SAME_SIDE;
}

/* Returns true if the detected point `contact` must be discarded because it lies beside `nearest`, a detected point of the same
 * two bodies with a smaller gap. Along a straight rod that touches a round body, the gap grows with the distance d from the
 * contact point by d^2 / (2 R), where R is the sum of the two radii. A detected point with a positive gap is discarded if a
 * detected point with a smaller gap is near it. Two points count as near if their distance is at most 1.25 sqrt(2 R h), where R
 * is the sum of the two radii and h is the difference of the two gaps. For example, a point at a joint of a rod that slides over
 * a peg is discarded. If a point beside a contact became a second contact, the second contact would take over the id of the first
 * contact when the first contact slides past the point. */
static bool is_beside(const cst_geometry_class *geometry, const cst_contact *contact, const cst_contact *nearest)
{
    static const double ROUNDNESS = 1.25; /* safety factor on sqrt(2 R rise) */
    const double R = contact->a.radius + contact->b.radius, rise = contact->gap - nearest->gap;
    if (contact->a.owner != nearest->a.owner || contact->b.owner != nearest->b.owner || !(contact->gap > 0.0 && rise > 0.0) ||
        cst_contact_on_features(contact))
        return false;
    const double distance = ROUNDNESS * sqrt(2.0 * R * rise);
    return fabs(contact->a.s - nearest->a.s) <= distance && (!geometry->both_ends || same_place_of_b(contact, nearest, distance));
}

static int thin_out(const cst_geometry_class *geometry, cst_contact *contact, int count)
{
    int kept = 0;
    cst_contact before = {.a.owner = -1};
    for (int i = 0; i < count; i++) {
        const cst_contact now = contact[i];
        if (!(i > 0 && is_beside(geometry, &now, &before)) && !(i + 1 < count && is_beside(geometry, &now, contact + i + 1)))
            contact[kept++] = now;
        before = now;
    }
    return kept;
}

/* Returns the distance (m) along a rod below which two contacts count as too close: the smaller of the rod's radius and a quarter
 * of the length of its touching element. Two contacts that are too close have nearly linearly dependent Jacobian rows. */
static double crowding_distance(const cst_contact *contact)
{
    return fmin(contact->a.radius, 0.25 * contact->a.length);
}

static bool is_near(const cst_geometry_class *geometry, const cst_contact *held, const cst_contact *other, double room)
{
    return other->a.owner == held->a.owner && other->b.owner == held->b.owner && fabs(other->a.s - held->a.s) < room &&
           (!geometry->both_ends || same_place_of_b(held, other, room));
}

/* `found`: sorted contacts. */
static bool is_crowded(const cst_geometry_class *geometry, const cst_contact *held, const cst_contact *found, int count)
{
    const double room = crowding_distance(held);
    const int low = cst_contacts_first(found, count, held, cst_contacts_compare);
    /* both_ends: search farther in the list */
    const int beyond = geometry->both_ends ? 8 : 1;
    for (int k = 1; k <= beyond; k++)
        if ((low >= k && is_near(geometry, held, found + low - k, room)) ||
            (low + k <= count && is_near(geometry, held, found + low + k - 1, room)))
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------------- staying in place */

/* Returns the distance (m) that the fastest point of a body, or the point x of an obstacle, moves in this step. For a body, the
 * distance is computed from before->v: the velocities at the start of the step or, if the contacts in `before` were found in this
 * step, the end velocities of the previous linearisation. `travel`: array (bodies): moved distances of bodies, known from earlier
 * calls; negative: not computed yet. */
static double travel_of(const cst_detection *detection, const cst_contacts_before *before, const cst_contact_end *end,
                        const double *x, double *travel)
{
    const cst_step_frame *frame = detection->frame;
    const int k = cst_owner_index(end->owner);
    if (!cst_owner_is_body(end->owner)) {
        double velocity[3];
        cst_obstacle_step_velocity(detection->objects->obstacle + k, frame, frame->time, end, x, velocity);
        return frame->dt * sqrt(cst_dot3(velocity, velocity));
    }
    if (travel[k] < 0.0)
        travel[k] = cst_dynamics_travel(detection->objects, detection->layout, frame, k, before->v);
    return travel[k];
}

/* Makes the detected contact `found` a new contact: it no longer continues the old contact with which it was matched. */
static void make_new(cst_contact_set *set, cst_contact *found)
{
    found->id = set->next_id++;
    found->fresh = true;
    found->turned = false;
    memset(found->r, 0, sizeof found->r);
    memset(found->start, 0, sizeof found->start);
    memset(found->start_velocity, 0, sizeof found->start_velocity);
}

/* Returns true if two bodies may have passed through each other between their old contact `old` and their new contact `found`
 * with the opposite normal. To pass through each other, the two bodies must have moved by at least the sum of the old and the new
 * distance of their centrelines. The distance of two centrelines is the sum of the two radii plus the gap. If the two bodies
 * moved too little to pass through each other, the code treats the old and the new contact as different contacts. For example, a
 * fiber that is wound around another fiber touches it from all directions. */
static bool may_have_passed(const cst_detection *detection, const cst_contacts_before *before, const cst_contact *old,
                            const cst_contact *found, double *travel)
{
    static const double SLACK = 2.0; /* safety factor: velocities change */
    const double radii = found->a.radius + found->b.radius;
    /* In quasi-static steps velocities are meaningless. If the old penetration is deeper than the sum of the two radii, the
     * centrelines have already crossed. */
    if (detection->frame->quasi_static || old->gap < -radii)
        return true;
    const double ways = travel_of(detection, before, &found->a, old->position, travel) +
                        travel_of(detection, before, &found->b, old->position, travel);
    return 2.0 * radii + old->gap + found->gap <= SLACK * ways / before->scale;
}

/* Corrects contacts whose normal is opposite to the normal of the old contact that they continue. If the two bodies may have
 * passed through each other, a contact whose normal has reversed gets the old normal again; if not, it becomes a new contact.
 * Contacts of vertices, edges and faces, and contacts with solid shapes, do not change, because their normals always point out of
 * a surface. */
static void keep_sides(const cst_detection *detection, const cst_contacts_before *before, double *travel, int32_t *successor,
                       cst_contact_set *set)
{
    const cst_geometry *geometry = detection->geometry;
    for (int j = 0; j < before->count; j++) {
        cst_contact *found = successor[j] >= 0 ? set->contact + successor[j] : NULL;
        if (!found || !found->turned)
            continue;
        if (cst_contact_on_features(found) || may_have_passed(detection, before, before->contact + j, found, travel)) {
            geometry->class->keep_side(geometry->self, found);
        } else {
            successor[j] = -1;
            make_new(set, found);
        }
    }
}

/* Keeps contacts with an impulse at their old material point where the nearest point of two bodies is ill-defined. Where two
 * curves have nearly the same curvature, the nearest point moves much faster than the bodies. A contact with an ill-defined
 * nearest point stays at its old material point if the gap there is hardly larger than at the nearest point. If the gap at the
 * old material point is clearly larger than at the nearest point, and the nearest point is far away, the old contact is kept and
 * a new contact is made at the nearest point. A rod that lies flat needs two contacts, because a rod that rocks on a single point
 * never comes to rest. */
static void keep_points(const cst_detection *detection, const cst_contacts_before *before, double *travel, int32_t *successor,
                        cst_contact_set *set)
{
    /* The limits HARDLY (of the difference of two gaps) and FASTER (of the motion of the nearest point) were chosen with six
     * piles of ten limp rods that fall flat on each other in a bin (docs/world.md). In a pile at rest, a step takes 15 friction
     * iterations if old contacts with an impulse are kept, and 202 if they are not kept. */
    static const double HARDLY = 1e-3; /* contact radii: negligible gap difference */
    static const double FASTER = 3.0;  /* times the travel of the bodies */
    const cst_geometry *geometry = detection->geometry;
    for (int j = 0; j < before->count; j++) {
        const cst_contact *old = before->contact + j;
        if (successor[j] < 0 || !(old->r[0] > 0.0))
            continue;
        cst_contact *found = set->contact + successor[j], held;
        const double moved = cst_contact_end_distance(&found->a, &old->a);
        const double motion = fmax(travel_of(detection, before, &found->a, old->position, travel),
                                   travel_of(detection, before, &found->b, old->position, travel));
        if (found->turned || moved <= FASTER * motion || !geometry->class->hold(geometry->self, old, before->same_step, &held))
            continue;
        if (held.gap - found->gap <= HARDLY * cst_contact_radius(found)) {
            *found = held;
            cst_contact_continue(old, false, before->scale, found);
        } else if (moved > crowding_distance(&held)) {
            successor[j] = -1;
            make_new(set, found);
        }
    }
}

/* Keeps old contacts that have an impulse and that detection has not found again. An old contact is not kept if the function
 * `hold` (world/geometry.h) returns false for it, or if a detected contact is nearer to it than the distance returned by
 * crowding_distance. */
static bool hold_others(const cst_detection *detection, const cst_contacts_before *before, const int32_t *successor,
                        cst_contact_set *set)
{
    const cst_geometry *geometry = detection->geometry;
    const int found = set->contacts;
    for (int j = 0; j < before->count; j++) {
        const cst_contact *old = before->contact + j;
        cst_contact *held = set->contact + set->contacts;
        if (successor[j] >= 0 || !(old->r[0] > 0.0) || !geometry->class->hold(geometry->self, old, before->same_step, held) ||
            is_crowded(geometry->class, held, set->contact, found))
            continue;
        cst_contact_continue(old, false, before->scale, held);
        set->contacts++;
    }
    return set->contacts == found || cst_contacts_sort(set->contact, set->contacts, detection->arena);
}

/* Returns an upper bound for the number of old contacts that hold_others keeps. */
static int count_pushing(const cst_contacts_before *before)
{
    int count = 0;
    for (int j = 0; j < before->count; j++)
        count += before->contact[j].r[0] > 0.0;
    return count;
}

static void deepen(const cst_contact *contact, cst_depth *depth)
{
    const double radius = cst_contact_length(contact), deep = radius > 0.0 ? -contact->gap / radius : 0.0;
    double *side = contact->soft ? &depth->sheets : &depth->others;
    depth->all = fmax(depth->all, deep);
    *side = fmax(*side, deep);
    if (cst_contact_on_features(contact))
        depth->surfaces = fmax(depth->surfaces, deep);
}

static cst_depth depth_of(const cst_contact *contact, int count)
{
    cst_depth depth = {0};
    for (int i = 0; i < count; i++)
        if (!contact[i].foreseen)
            deepen(contact + i, &depth);
    return depth;
}

/* Converts the pairs of near points from the geometry backend to contacts, looks up their friction and restitution, and sorts
 * the contacts. */
static bool take_touches(const cst_detection *detection, int touches, cst_contact *contact)
{
    const int threads = cst_threads_for(detection->threads, touches, PARALLEL_CONTACTS);
    CST_PARALLEL_FOR(threads, schedule(static), (int i = 0; i < touches; i++), {
        contact[i] = (cst_contact){0};
        detection->geometry->class->take(detection->geometry->self, i, contact + i);
        find_surface(detection, contact + i);
    });
    return cst_contacts_sort(contact, touches, detection->arena);
}

int cst_detection_find(const cst_detection *detection, double time, const cst_velocities *velocities, bool at_end)
{
    const double *v = velocities->v;
    const cst_geometry *geometry = detection->geometry;
    const int bodies = detection->objects->bodies, threads = cst_threads_for(detection->threads, bodies, PARALLEL_BODIES);
    double *travel = geometry->class->by_travel ? CST_TAKE_RAW(detection->arena, double, bodies) : NULL;
    if (detection->arena->failed)
        return -1;
    CST_PARALLEL_FOR(threads, schedule(static), (int k = 0; k < (travel ? bodies : 0); k++),
                     { travel[k] = cst_dynamics_travel(detection->objects, detection->layout, detection->frame, k, v); });
    const cst_geometry_motion motion = {
        .v = v, .free = velocities->free, .start_of = detection->layout->start_of, .at_end = at_end};
    return geometry->class->find(geometry->self, time, travel, &motion);
}

bool cst_detection_track(const cst_detection *detection, int touches, const cst_contacts_before *before, cst_contact_set *set,
                         cst_depth *depth)
{
    const cst_geometry *geometry = detection->geometry;
    cst_arena *arena = detection->arena;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_contact *contact = CST_TAKE_RAW(detection->lasting, cst_contact, cst_roomy(touches + count_pushing(before)));
    double *travel = CST_TAKE_RAW(arena, double, detection->objects->bodies);
    int32_t *successor = CST_TAKE_RAW(arena, int32_t, before->count);
    if (!contact || arena->failed || !take_touches(detection, touches, contact))
        return false;
    set->contact = contact;
    set->contacts = thin_out(geometry->class, contact, touches);
    if (cst_contacts_track(before->contact, before->count, before->scale, contact, set->contacts, detection->threads,
                           &set->next_id, successor, arena) < 0)
        return false;
    for (int k = 0; k < detection->objects->bodies; k++)
        travel[k] = -1.0;
    keep_sides(detection, before, travel, successor, set);
    *depth = depth_of(contact, set->contacts);
    keep_points(detection, before, travel, successor, set);
    if (!cst_contacts_sort(contact, set->contacts, arena) || !hold_others(detection, before, successor, set))
        return false;
    for (int i = 0; i < set->contacts && detection->frame->iterated && geometry->class->find_bend; i++)
        geometry->class->find_bend(geometry->self, contact + i);
    cst_arena_release(arena, mark);
    return true;
}

/* Returns true if two contacts between the same two bodies have moved to the same point. Of two contacts that have met, the
 * caller keeps the contact with the larger impulse. */
static bool has_met(const cst_geometry_class *geometry, const cst_contact *contact, const cst_contact *other)
{
    return contact->a.owner == other->a.owner && contact->b.owner == other->b.owner && contact->b.feature == other->b.feature &&
           cst_contact_end_distance(&contact->a, &other->a) <= 1e-9 * contact->a.reach &&
           (!geometry->both_ends || same_place_of_b(contact, other, 1e-9 * contact->a.reach));
}

void cst_detection_follow(const cst_geometry *geometry, double time, cst_contact_set *set)
{
    int kept = 0;
    geometry->class->place(geometry->self, time);
    for (int i = 0; i < set->contacts; i++) {
        const cst_contact before = set->contact[i];
        cst_contact now = before, *last = kept > 0 ? set->contact + kept - 1 : NULL;
        geometry->class->follow(geometry->self, &now);
        cst_contact_continue(&before, false, 1.0, &now);
        now.fresh = false;
        if (!last || !has_met(geometry->class, &now, last))
            set->contact[kept++] = now;
        else if (now.r[0] > last->r[0])
            *last = now;
    }
    set->contacts = kept;
}

double cst_detection_depth(const cst_geometry *geometry, double time, const cst_geometry_motion *motion, cst_depth *depth)
{
    double deepest = 0.0;
    const int touches = geometry->class->find(geometry->self, time, NULL, motion);
    *depth = (cst_depth){0};
    for (int i = 0; i < touches; i++) {
        cst_contact contact = {0};
        geometry->class->take(geometry->self, i, &contact);
        deepest = fmax(deepest, -contact.gap);
        deepen(&contact, depth);
    }
    return touches < 0 ? -1.0 : deepest;
}
