#include "world/hold_plane.h"

#include <math.h>

#include "collide/placed_arc.h"

void cst_plane_end_on_arc(const cst_arc *arc, double along, cst_contact_end *end)
{
    end->feature = arc->feature;
    end->along = along;
    end->s = arc->s + along;
    end->radius = arc->radius;
    end->length = arc->l;
    end->material = arc->l > 0.0 ? along * (arc->material_length / arc->l) : 0.0;
}

void cst_plane_find_center(const cst_plane_geometry *plane, cst_contact *contact)
{
    cst_placed_arc a;
    cst_place_arc(plane->arc + contact->shape[0], &a);
    cst_arc_at(&a, contact->a.along, contact->center, NULL);
}

/* Finds the point p of an arc that is nearest to the point x, and the arc length `along` of p. If the point of the full circle
 * nearest to the point x is beyond the ends of the arc, sets p to the nearer end of the arc and returns false. */
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

static void follow_on_half_plane(const cst_plane_geometry *plane, const double *x, cst_contact *out)
{
    const cst_half_plane *on = plane->half_plane + (out->shape[1] - plane->scene.arcs);
    out->normal[0] = on->normal[0];
    out->normal[1] = on->normal[1];
    out->gap = cst_dot2(on->normal, x) - on->height - out->a.radius;
    out->b.s = out->b.along = cst_cross2(on->normal, x);
}

/* Updates a contact between the point x of the first body and an arc of the second body. If the point x has passed through the
 * arc, the contact normal keeps its former direction, so that the contact pushes the point back. Returns false if the point x
 * lies on the arc, or if the point of the full circle nearest to x is beyond the ends of the arc. */
static bool follow_on_arc(const cst_plane_geometry *plane, const double *x, cst_contact *out)
{
    const cst_arc *arc = plane->arc + out->shape[1];
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
    cst_plane_end_on_arc(arc, along, &out->b);
    return inside;
}

static bool is_on_half_plane(const cst_plane_geometry *plane, const cst_contact *contact)
{
    return contact->shape[1] >= plane->scene.arcs;
}

/* Updates a contact, which keeps its material point on the first body. Returns false if the touching arc has no well-defined
 * point nearest to the contact point (follow_on_arc). */
static bool follow(const cst_plane_geometry *plane, cst_contact *contact)
{
    cst_plane_find_center(plane, contact);
    if (!is_on_half_plane(plane, contact))
        return follow_on_arc(plane, contact->center, contact);
    follow_on_half_plane(plane, contact->center, contact);
    return true;
}

/* Computes the first derivative (`slope`) and the second derivative (`bend`, in 1/m) of the gap between a rod and a half-plane
 * along the arc length of the rod. */
static void look_along(const cst_plane_geometry *plane, const cst_contact *contact, double *slope, double *bend)
{
    cst_placed_arc a;
    double t[2];
    cst_place_arc(plane->arc + contact->shape[0], &a);
    cst_arc_at(&a, contact->a.along, NULL, t);
    *slope = cst_dot2(contact->normal, t);
    *bend = a.k * cst_left_dot(t, contact->normal);
}

/* Returns true if the rod curves away from the half-plane so much that the contact is treated as rolling along the rod. A contact
 * on a nearly straight rod is not treated as rolling: the point of the rod nearest to the half-plane could move farther than one
 * element and reach other contacts. LEAST: a contact is treated as rolling only if the element of the rod curves away from the
 * half-plane by at least this angle (rad) over its length. */
static bool bends_away(const cst_plane_geometry *plane, const cst_contact *contact, double bend)
{
    static const double LEAST = 0.01;
    return bend * plane->arc[contact->shape[0]].l >= LEAST;
}

void cst_plane_find_bend(const void *self, cst_contact *contact)
{
    const cst_plane_geometry *plane = self;
    static const double LEVEL = 1e-9;
    double slope, bend;
    contact->bend = 0.0;
    if (!is_on_half_plane(plane, contact) || !(plane->arc[contact->shape[0]].l > 0.0))
        return;
    look_along(plane, contact, &slope, &bend);
    if (fabs(slope) <= LEVEL && bends_away(plane, contact, bend))
        contact->bend = bend;
}

/* Moves the contact point by the arc length `by` (m) along the rod, if necessary onto the neighbouring element, but not beyond
 * the end of the rod. */
static void move_along(const cst_plane_geometry *plane, cst_contact *contact, double by)
{
    const cst_arc *arc = plane->arc + contact->shape[0];
    const int first = plane->first_arc_of_body[cst_owner_index(contact->a.owner)];
    double along = contact->a.along + by;
    int next = contact->shape[0];
    if (along > arc->l && next + 1 < plane->scene.arcs && arc[1].owner == arc->owner) {
        along -= arc->l;
        next++;
    } else if (along < 0.0 && next > first) {
        next--;
        along += plane->arc[next].l;
    }
    arc = plane->arc + next;
    contact->shape[0] = next;
    cst_plane_end_on_arc(arc, fmax(0.0, fmin(arc->l, along)), &contact->a);
}

/* Moves the contact point towards the point of the rod with the smallest gap, in at most three Newton iterations, as long as
 * the rod curves away from the half-plane. */
static void roll(const cst_plane_geometry *plane, cst_contact *contact)
{
    enum { STEPS = 3 };
    /* largest move of the contact point per Newton iteration, divided by the element length */
    static const double FARTHEST = 0.5;
    for (int k = 0; k <= STEPS; k++) {
        const double most = FARTHEST * plane->arc[contact->shape[0]].l;
        cst_contact next = *contact;
        double slope, bend;
        look_along(plane, &next, &slope, &bend);
        if (!bends_away(plane, &next, bend))
            return;
        contact->bend = bend;
        move_along(plane, &next, fmax(-most, fmin(most, -slope / bend)));
        look_along(plane, &next, &slope, &bend);
        if (k == STEPS || !bends_away(plane, &next, bend))
            return;
        follow(plane, &next);
        *contact = next;
    }
}

/* Finds the indices of the two shapes of a contact in the present list of shapes. Returns false if a body of the contact has no
 * shapes in the list, because the body is far from all other bodies and obstacles. */
static bool find_shapes(const cst_plane_geometry *plane, cst_contact *contact)
{
    const int body = cst_owner_index(contact->a.owner), other = cst_owner_index(contact->b.owner);
    const bool with_body = cst_owner_is_body(contact->b.owner);
    const int32_t first_a = plane->first_arc_of_body[body];
    const int32_t first_b = with_body ? plane->first_arc_of_body[other] : plane->first_shape_of_obstacle[other];
    if (first_a < 0 || first_b < 0)
        return false;
    contact->shape[0] = first_a + contact->a.feature;
    contact->shape[1] = first_b + contact->b.feature;
    return true;
}

/* Returns the arc of the second body of the contact if this body is a disk, otherwise NULL. */
static const cst_arc *disk_of(const cst_plane_geometry *plane, const cst_contact *contact)
{
    if (is_on_half_plane(plane, contact))
        return NULL;
    const cst_arc *arc = plane->arc + contact->shape[1];
    return arc->l > 0.0 || arc->hollow ? NULL : arc;
}

/* Returns true if a disk is thin compared with the element that it touches. A disk counts as thin if the distance from its centre
 * to the centreline of the rod is at most the length of the element, and at most a tenth of the element's radius of curvature.
 * The point of a rod nearest to a thin disk follows the disk smoothly. The point of a rod nearest to a disk with nearly the same
 * curvature moves fast, or jumps between elements. */
static bool is_thin(const cst_arc *disk, const cst_placed_arc *arc)
{
    const double distance = fabs(cst_arc_side(arc, disk->x));
    return distance <= arc->l && fabs(arc->k) * distance <= 0.1;
}

static bool is_on_thin_disk(const cst_plane_geometry *plane, const cst_contact *contact)
{
    const cst_arc *disk = disk_of(plane, contact);
    cst_placed_arc placed;
    cst_place_arc(plane->arc + contact->shape[0], &placed);
    return disk && is_thin(disk, &placed);
}

bool cst_plane_hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out)
{
    const cst_plane_geometry *plane = self;
    (void)same_step; /* not used in 2D */
    *out = *before;
    if (!find_shapes(plane, out) || is_on_thin_disk(plane, out) || !follow(plane, out))
        return false;
    const double margin_b =
        is_on_half_plane(plane, out) ? plane->half_plane_margin[out->shape[1] - plane->scene.arcs] : plane->margin[out->shape[1]];
    return out->gap < plane->margin[out->shape[0]] + margin_b;
}

/* Moves the contact of a rod with a thin disk to the point of the rod nearest to the disk, if necessary onto another element. If
 * the contact stayed at its material point of the rod, the linearisations of the step would not converge: each of them would turn
 * the normal by about the displacement of the contact divided by the radius of the disk. */
static void slide_on_disk(const cst_plane_geometry *plane, cst_contact *contact)
{
    const cst_arc *disk = disk_of(plane, contact);
    if (!disk)
        return;
    int32_t shape = contact->shape[0];
    for (int way = 0;;) {
        const cst_arc *arc = plane->arc + shape;
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
        if (beyond != 0 && beyond != -way && next >= 0 && next < plane->scene.arcs && plane->arc[next].owner == arc->owner) {
            way = beyond;
            shape = next;
            continue;
        }
        contact->shape[0] = shape;
        cst_plane_end_on_arc(arc, along, &contact->a);
        return;
    }
}

void cst_plane_follow(const void *self, cst_contact *contact)
{
    const cst_plane_geometry *plane = self;
    find_shapes(plane, contact);
    slide_on_disk(plane, contact);
    follow(plane, contact);
    if (contact->bend > 0.0)
        roll(plane, contact);
}
