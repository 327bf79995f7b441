#include "world/contact_hold.h"

#include <math.h>

#include "collide/placed_arc.h"

void cst_contact_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end)
{
    end->feature = arc->feature;
    end->along = along;
    end->s = arc->s + along;
    end->radius = arc->radius;
    end->length = arc->l;
    end->material = arc->l > 0.0 ? along * (arc->material_length / arc->l) : 0.0;
}

void cst_contact_find_center(const cst_attempt *attempt, cst_contact *contact)
{
    cst_placed_arc a;
    cst_place_arc(attempt->arc + contact->shape[0], &a);
    cst_arc_at(&a, contact->a.along, contact->center, NULL);
}

/* Nearest point p of side b to x, and its material coordinate. False: beyond the ends of the feature, p is the nearer of them. */
static bool nearest_on_arc(const cst_arc *arc, const double *x, double *along, double *p)
{
    cst_placed_arc placed;
    cst_place_arc(arc, &placed);
    *along = 0.0;
    const bool inside = !(arc->l > 0.0) || cst_arc_foot(&placed, x, 0.0, along);
    if (!inside)
        *along =
            hypot(x[0] - placed.x[0], x[1] - placed.x[1]) <= hypot(x[0] - placed.end[0], x[1] - placed.end[1]) ? 0.0 : arc->l;
    cst_arc_at(&placed, *along, p, NULL);
    return inside;
}

static void follow_on_half_plane(const cst_attempt *attempt, const double *x, cst_contact *out)
{
    const cst_half_plane *plane = attempt->half_plane + (out->shape[1] - attempt->scene.arcs);
    out->normal[0] = plane->normal[0];
    out->normal[1] = plane->normal[1];
    out->gap = cst_dot2(plane->normal, x) - plane->height - out->a.radius;
    out->b.s = out->b.along = cst_cross2(plane->normal, x);
}

/* The normal keeps to the side it was on, so that what has gone through is pushed back. False: beyond the ends of side b. */
static bool follow_on_arc(const cst_attempt *attempt, const double *x, cst_contact *out)
{
    const cst_arc *arc = attempt->arc + out->shape[1];
    double p[2], along;
    const bool inside = nearest_on_arc(arc, x, &along, p);
    const double way[2] = {x[0] - p[0], x[1] - p[1]}, distance = hypot(way[0], way[1]);
    if (!(distance > 0.0))
        return false;
    const double sign = cst_dot2(way, out->normal) >= 0.0 ? 1.0 : -1.0;
    out->normal[0] = sign * way[0] / distance;
    out->normal[1] = sign * way[1] / distance;
    out->gap = sign * distance - out->a.radius - out->b.radius;
    if (arc->hollow)
        out->gap = arc->radius - distance - out->a.radius;
    cst_contact_end_on_arc(arc, along, &out->b);
    return inside;
}

static bool is_on_half_plane(const cst_attempt *attempt, const cst_contact *contact)
{
    return contact->shape[1] >= attempt->scene.arcs;
}

/* Side a stays where it is on its body. False: beyond the ends of side b. */
static bool follow(const cst_attempt *attempt, cst_contact *contact)
{
    cst_contact_find_center(attempt, contact);
    if (!is_on_half_plane(attempt, contact))
        return follow_on_arc(attempt, contact->center, contact);
    follow_on_half_plane(attempt, contact->center, contact);
    return true;
}

/* Slope and bend of the gap over a half-plane, along side a at its point. */
static void look_along(const cst_attempt *attempt, const cst_contact *contact, double *slope, double *bend)
{
    cst_placed_arc a;
    double t[2];
    cst_place_arc(attempt->arc + contact->shape[0], &a);
    cst_arc_at(&a, contact->a.along, NULL, t);
    *slope = cst_dot2(contact->normal, t);
    *bend = a.k * cst_left_dot(t, contact->normal);
}

/* Along a rod that hardly bends away, the nearest point runs farther than its element and meets others: it does not roll. */
static bool bends_away(const cst_attempt *attempt, const cst_contact *contact, double bend)
{
    static const double LEAST = 0.01;
    return bend * attempt->arc[contact->shape[0]].l >= LEAST;
}

void cst_contact_find_bend(const cst_attempt *attempt, cst_contact *contact)
{
    static const double LEVEL = 1e-9;
    double slope, bend;
    contact->bend = 0.0;
    if (!is_on_half_plane(attempt, contact) || !(attempt->arc[contact->shape[0]].l > 0.0))
        return;
    look_along(attempt, contact, &slope, &bend);
    if (fabs(slope) <= LEVEL && bends_away(attempt, contact, bend))
        contact->bend = bend;
}

/* Onto the next element, if side a is joined there; otherwise to its end. */
static void move_along(const cst_attempt *attempt, cst_contact *contact, double by)
{
    const cst_arc *arc = attempt->arc + contact->shape[0];
    const int first = attempt->first_arc_of_body[cst_owner_index(contact->a.owner)];
    double along = contact->a.along + by;
    int next = contact->shape[0];
    if (along > arc->l && next + 1 < attempt->scene.arcs && arc[1].owner == arc->owner) {
        along -= arc->l;
        next++;
    } else if (along < 0.0 && next > first) {
        next--;
        along += attempt->arc[next].l;
    }
    arc = attempt->arc + next;
    contact->shape[0] = next;
    cst_contact_end_on_arc(arc, fmax(0.0, fmin(arc->l, along)), &contact->a);
}

/* To where the gap is least, as far as the rod bends away. */
static void roll(const cst_attempt *attempt, cst_contact *contact)
{
    enum { STEPS = 3 };
    static const double FARTHEST = 0.5; /* of an element, in a step */
    for (int k = 0; k <= STEPS; k++) {
        const double most = FARTHEST * attempt->arc[contact->shape[0]].l;
        cst_contact next = *contact;
        double slope, bend;
        look_along(attempt, &next, &slope, &bend);
        if (!bends_away(attempt, &next, bend))
            return;
        contact->bend = bend;
        move_along(attempt, &next, fmax(-most, fmin(most, -slope / bend)));
        look_along(attempt, &next, &slope, &bend);
        if (k == STEPS || !bends_away(attempt, &next, bend))
            return;
        follow(attempt, &next);
        *contact = next;
    }
}

/* Which shapes they are now; false: left out. */
static bool find_shapes(const cst_attempt *attempt, cst_contact *contact)
{
    const int body = cst_owner_index(contact->a.owner), other = cst_owner_index(contact->b.owner);
    const bool with_body = cst_owner_is_body(contact->b.owner);
    const int32_t first_a = attempt->first_arc_of_body[body];
    const int32_t first_b = with_body ? attempt->first_arc_of_body[other] : attempt->first_shape_of_obstacle[other];
    if (first_a < 0 || first_b < 0)
        return false;
    contact->shape[0] = first_a + contact->a.feature;
    contact->shape[1] = first_b + contact->b.feature;
    return true;
}

/* The disk that side b is, if it is one. */
static const cst_arc *disk_of(const cst_attempt *attempt, const cst_contact *contact)
{
    if (is_on_half_plane(attempt, contact))
        return NULL;
    const cst_arc *arc = attempt->arc + contact->shape[1];
    return arc->l > 0.0 || arc->hollow ? NULL : arc;
}

/* Is a disk thin, by the distance of its centre from the centreline, for how the element curves and for its length? Then the nearest
 * point of the rod goes along with the disk. Where a rod nests on a disk it runs away, or leaps between a straight element and one
 * that nests. */
static bool is_thin(const cst_arc *disk, const cst_placed_arc *arc)
{
    const double distance = fabs(cst_arc_side(arc, disk->x));
    return distance <= arc->l && fabs(arc->k) * distance <= 0.1;
}

static bool is_on_thin_disk(const cst_attempt *attempt, const cst_contact *contact)
{
    const cst_arc *disk = disk_of(attempt, contact);
    cst_placed_arc placed;
    cst_place_arc(attempt->arc + contact->shape[0], &placed);
    return disk && is_thin(disk, &placed);
}

bool cst_contact_hold(const cst_attempt *attempt, const cst_contact *before, cst_contact *out)
{
    *out = *before;
    if (!find_shapes(attempt, out) || is_on_thin_disk(attempt, out) || !follow(attempt, out))
        return false;
    const double margin_b = is_on_half_plane(attempt, out) ? attempt->half_plane_margin[out->shape[1] - attempt->scene.arcs]
                                                           : attempt->margin[out->shape[1]];
    return out->gap < attempt->margin[out->shape[0]] + margin_b;
}

/* A rod on a thin disk: side a goes where the disk is nearest, over the joints of elements too, as it does when the disk comes first
 * in the pair. Held at its point of the rod, the normal would turn about the disk by motion / radius, with the whole force, and no
 * iteration converges. */
static void slide_on_disk(const cst_attempt *attempt, cst_contact *contact)
{
    const cst_arc *disk = disk_of(attempt, contact);
    if (!disk)
        return;
    int32_t shape = contact->shape[0];
    for (int way = 0;;) {
        const cst_arc *arc = attempt->arc + shape;
        cst_placed_arc placed;
        cst_place_arc(arc, &placed);
        const double from_end[2] = {disk->x[0] - placed.end[0], disk->x[1] - placed.end[1]};
        const double from_start[2] = {disk->x[0] - placed.x[0], disk->x[1] - placed.x[1]};
        const int beyond = cst_dot2(from_end, placed.end_t) > 0.0 ? 1 : cst_dot2(from_start, placed.t) < 0.0 ? -1 : 0;
        double along = beyond > 0 ? arc->l : 0.0;
        if (beyond == 0 && !cst_arc_foot(&placed, disk->x, 0.0, &along))
            return;
        if (!is_thin(disk, &placed))
            return;
        const int32_t next = shape + beyond;
        if (beyond != 0 && beyond != -way && next >= 0 && next < attempt->scene.arcs && attempt->arc[next].owner == arc->owner) {
            way = beyond;
            shape = next;
            continue;
        }
        contact->shape[0] = shape;
        cst_contact_end_on_arc(arc, along, &contact->a);
        return;
    }
}

void cst_contact_follow(const cst_attempt *attempt, cst_contact *contact)
{
    find_shapes(attempt, contact);
    slide_on_disk(attempt, contact);
    follow(attempt, contact);
    if (contact->bend > 0.0)
        roll(attempt, contact);
}
