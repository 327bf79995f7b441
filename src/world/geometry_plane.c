/* Contacts in 2D between arcs and half-planes (collide/detect_plane.h). */
#include <math.h>
#include <string.h>

#include "collide/placed_arc.h"
#include "world/hold_plane.h"

static int find(void *self, double time, const double *travel, const cst_geometry_motion *motion)
{
    (void)motion;
    cst_plane_geometry *plane = self;
    cst_plane_place(plane, time, travel);
    return cst_detect_plane(plane->in.detector, &plane->scene, &plane->touch);
}

static cst_contact_end end_of(const cst_plane_geometry *plane, int shape, double along)
{
    if (shape >= plane->scene.arcs) {
        const cst_half_plane *half_plane = plane->half_plane + (shape - plane->scene.arcs);
        return (cst_contact_end){.owner = half_plane->owner, .s = along, .along = along, .reach = HUGE_VAL};
    }
    const cst_arc *arc = plane->arc + shape;
    cst_contact_end end = {
        .owner = arc->owner, .period = arc->owner_closed ? arc->owner_length : 0.0, .reach = fmax(arc->l, 2.0 * arc->radius)};
    cst_plane_end_on_arc(arc, along, &end);
    return end;
}

static void take(const void *self, int index, cst_contact *out)
{
    const cst_plane_geometry *plane = self;
    const cst_touch *touch = plane->touch + index;
    out->a = end_of(plane, touch->a, touch->s_a);
    out->b = end_of(plane, touch->b, touch->s_b);
    out->shape[0] = touch->a;
    out->shape[1] = touch->b;
    out->branch = touch->branch;
    out->normal[0] = touch->normal[0];
    out->normal[1] = touch->normal[1];
    out->gap = touch->gap;
    cst_plane_find_center(plane, out);
}

static void keep_side(const void *self, cst_contact *contact)
{
    const cst_plane_geometry *plane = self;
    cst_touch touch = {.a = contact->shape[0],
                       .b = contact->shape[1],
                       .s_a = contact->a.along,
                       .s_b = contact->b.along,
                       .normal = {contact->normal[0], contact->normal[1]},
                       .gap = contact->gap,
                       .branch = (uint8_t)contact->branch};
    if (cst_touch_keep_side(&plane->scene, contact->before, &touch)) {
        memcpy(contact->normal, touch.normal, sizeof touch.normal);
        contact->gap = touch.gap;
    }
}

static double smallest_radius(const void *self)
{
    const cst_plane_geometry *plane = self;
    return plane->smallest_radius;
}

const cst_geometry_class cst_geometry_plane = {.begin = cst_plane_begin,
                                               .find = find,
                                               .take = take,
                                               .keep_side = keep_side,
                                               .hold = cst_plane_hold,
                                               .place = cst_plane_place_all,
                                               .follow = cst_plane_follow,
                                               .find_bend = cst_plane_find_bend,
                                               .smallest_radius = smallest_radius,
                                               .by_travel = true};
