/* Contacts of the plane: arcs and half-planes (collide/detect_plane.h). */
#include <math.h>
#include <string.h>

#include "collide/placed_arc.h"
#include "world/contact_hold.h"
#include "world/shapes.h"
#include "world/touches.h"

static int find(cst_attempt *attempt, double time, bool margins)
{
    cst_shapes_place(attempt, time, margins);
    return cst_detect_plane(&attempt->world->detector, &attempt->scene, &attempt->touch);
}

static cst_contact_end end_of(const cst_attempt *attempt, int shape, double along)
{
    if (shape >= attempt->scene.arcs) {
        const cst_half_plane *half_plane = attempt->half_plane + (shape - attempt->scene.arcs);
        return (cst_contact_end){.owner = half_plane->owner, .s = along, .along = along, .reach = HUGE_VAL};
    }
    const cst_arc *arc = attempt->arc + shape;
    cst_contact_end end = {
        .owner = arc->owner, .period = arc->owner_closed ? arc->owner_length : 0.0, .reach = fmax(arc->l, 2.0 * arc->radius)};
    cst_contact_end_on_arc(arc, along, &end);
    return end;
}

static void take(const cst_attempt *attempt, int index, cst_contact *out)
{
    const cst_touch *touch = attempt->touch + index;
    out->a = end_of(attempt, touch->a, touch->s_a);
    out->b = end_of(attempt, touch->b, touch->s_b);
    out->shape[0] = touch->a;
    out->shape[1] = touch->b;
    out->branch = touch->branch;
    out->normal[0] = touch->normal[0];
    out->normal[1] = touch->normal[1];
    out->gap = touch->gap;
    cst_contact_find_center(attempt, out);
}

/* A contact that has turned round may have gone through: if so it is pushed back to where it came from. */
static void keep_side(const cst_attempt *attempt, cst_contact *contact)
{
    cst_touch touch = {.a = contact->shape[0],
                       .b = contact->shape[1],
                       .s_a = contact->a.along,
                       .s_b = contact->b.along,
                       .normal = {contact->normal[0], contact->normal[1]},
                       .gap = contact->gap,
                       .branch = (uint8_t)contact->branch};
    if (cst_touch_keep_side(&attempt->scene, contact->before, &touch)) {
        memcpy(contact->normal, touch.normal, sizeof touch.normal);
        contact->gap = touch.gap;
    }
}

const cst_touch_source cst_touches_plane = {.begin = cst_shapes_begin,
                                            .find = find,
                                            .take = take,
                                            .keep_side = keep_side,
                                            .hold = cst_contact_hold,
                                            .place = cst_shapes_place_all,
                                            .follow = cst_contact_follow,
                                            .find_bend = cst_contact_find_bend};
