/* Contacts in 3D: between centrelines, between centrelines and solids (collide/detect_space.h), and between surfaces
 * (features_space.h). */
#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "world/contact_track.h"
#include "world/geometry_space.h"

/* SLANT: a contact of the last step stays at its old material point only if, at this point, the slope of the gap along the curve
 * of the first body is at most SLANT. The slope of the gap is the cosine of the angle between the contact normal and the tangent
 * of the curve; it is zero at the nearest point, and small where two curves lie side by side. If crossing curves kept contacts
 * away from their nearest point, the curves would penetrate again and again (by 2 % of the radius in a scene of 76 spaghetti). */
static const double SLANT = 1e-3;
/* SLANT_IN_STEP: a contact that had an impulse in an earlier linearisation of the same step is kept if the slope of the gap is at
 * most SLANT_IN_STEP. If a contact were dropped as soon as it leaves the nearest point, the bodies could penetrate where its
 * impulse has just stopped them. */
static const double SLANT_IN_STEP = 0.3;

static int find(void *self, double time, const double *travel, const cst_geometry_motion *motion)
{
    cst_space_geometry *space = self;
    (void)travel;
    cst_space_place(space, time, motion);
    space->touches = cst_detect_space(space->in.detector, &space->scene, &space->touch);
    const int on_features = space->touches < 0 ? -1 : cst_space_features_find(&space->features, motion);
    return on_features < 0 ? -1 : space->touches + on_features;
}

/* Describes the touching point (cst_contact_end) on the second body of a contact, which is a solid. If the solid belongs to a
 * sheet, the result also contains the touching material point of the sheet. */
static cst_contact_end end_on_solid(const cst_space_geometry *space, const cst_touch_space *touch)
{
    const cst_solid *solid = space->solid + (touch->b - space->scene.pieces);
    cst_contact_end end = {
        .owner = solid->owner, .kind = CST_FEATURE_BODY, .feature = touch->part, .reach = HUGE_VAL, .radius = solid->rounding};
    const cst_body_model *model =
        cst_owner_is_body(solid->owner) ? space->in.objects->model + cst_owner_index(solid->owner) : NULL;
    if (model && model->class->surface->on_solid) {
        double foot[3] = {touch->x_b[0], touch->x_b[1], touch->x_b[2]};
        cst_material_place place;
        cst_add3(-solid->rounding, touch->normal, foot);
        model->class->surface->on_solid(model->self, touch->part, foot, &place, end.at);
        end.kind = place.kind;
        memcpy(end.c, place.c, sizeof end.c);
    }
    return end;
}

static cst_contact_end end_of(const cst_space_geometry *space, int shape, double along)
{
    const cst_piece *piece = space->piece + shape;
    return (cst_contact_end){.owner = piece->owner,
                             .kind = CST_FEATURE_CURVE,
                             .feature = piece->feature,
                             .s = piece->s + along,
                             .along = along,
                             .period = piece->owner_closed ? piece->owner_length : 0.0,
                             .reach = fmax(piece->length, 2.0 * piece->radius),
                             .radius = piece->radius,
                             .length = piece->length,
                             .material = along};
}

static void take_touch(const cst_space_geometry *space, const cst_touch_space *touch, cst_contact *out)
{
    out->a = end_of(space, touch->a, touch->s_a);
    out->b = touch->b >= space->scene.pieces ? end_on_solid(space, touch) : end_of(space, touch->b, touch->s_b);
    out->shape[0] = touch->a;
    out->shape[1] = touch->b;
    out->branch = touch->branch;
    memcpy(out->normal, touch->normal, sizeof out->normal);
    memcpy(out->center, touch->x_a, sizeof out->center);
    out->gap = touch->gap;
}

static void take(const void *self, int index, cst_contact *out)
{
    const cst_space_geometry *space = self;
    if (index < space->touches)
        take_touch(space, space->touch + index, out);
    else
        cst_space_features_take(&space->features, index - space->touches, out);
}

static bool is_solid(const cst_space_geometry *space, const cst_contact *contact)
{
    return contact->shape[1] >= space->scene.pieces;
}

static cst_touch_space touch_of(const cst_space_geometry *space, const cst_contact *contact)
{
    cst_touch_space touch = {.a = contact->shape[0],
                             .b = contact->shape[1],
                             .branch = contact->branch,
                             .part = is_solid(space, contact) ? contact->b.feature : 0,
                             .s_a = contact->a.along,
                             .s_b = contact->b.along,
                             .gap = contact->gap};
    memcpy(touch.normal, contact->normal, sizeof touch.normal);
    memcpy(touch.x_a, contact->center, sizeof touch.x_a);
    for (int c = 0; c < 3; c++)
        touch.x_b[c] = contact->center[c] - (contact->a.radius + contact->gap) * contact->normal[c];
    return touch;
}

static void keep_side(const void *self, cst_contact *contact)
{
    const cst_space_geometry *space = self;
    if (cst_contact_on_features(contact)) /* normals of surfaces always point outwards */
        return;
    cst_touch_space touch = touch_of(space, contact);
    if (cst_touch_space_keep_side(&space->scene, contact->before, &touch)) {
        memcpy(contact->normal, touch.normal, sizeof contact->normal);
        contact->gap = touch.gap;
    }
}

static void find_shapes(const cst_space_geometry *space, cst_contact *contact)
{
    const bool solid =
        !cst_owner_is_body(contact->b.owner) || (contact->b.reach == HUGE_VAL && space->solid_of[contact->b.owner] >= 0);
    contact->shape[0] = space->first_piece[contact->a.owner] + contact->a.feature;
    contact->shape[1] = solid ? space->scene.pieces + space->solid_of[contact->b.owner]
                              : space->first_piece[contact->b.owner] + contact->b.feature;
}

static bool follow_touch(const cst_space_geometry *space, cst_contact *contact)
{
    find_shapes(space, contact);
    cst_touch_space touch = touch_of(space, contact);
    const bool there = cst_touch_space_hold(&space->scene, &touch);
    take_touch(space, &touch, contact);
    return there;
}

static void follow(const void *self, cst_contact *contact)
{
    const cst_space_geometry *space = self;
    const int a = space->solid_of[contact->a.owner], b = space->solid_of[contact->b.owner];
    if (cst_contact_on_features(contact))
        cst_space_features_follow(space->in.objects, a >= 0 ? space->solid + a : NULL, b >= 0 ? space->solid + b : NULL, contact);
    else
        follow_touch(space, contact);
}

/* Returns true if the two points of a self-contact of a fiber have met. The second point of a contact can slide along the fiber
 * until it reaches the first point; a contact of a point with itself is dropped, because no motion can open it. Two parts of a
 * fiber that really touch each other are at least the sum of their radii apart along the fiber. */
static bool is_one_place(const cst_contact *contact)
{
    return contact->a.owner == contact->b.owner && contact->b.reach < HUGE_VAL &&
           cst_contact_end_distance(&contact->a, &contact->b) < contact->a.radius + contact->b.radius;
}

/* Returns the absolute value of the slope of the gap along a curve, at the touching point `end` of the curve. */
static double slant_of(const cst_space_geometry *space, const cst_contact *contact, const cst_contact_end *end)
{
    const cst_curve_view *curve = space->scene.curve + end->owner;
    double x[3], tangent[3];
    curve->at(curve->user, end->feature, end->along, x, tangent);
    return fabs(cst_dot3(contact->normal, tangent));
}

/* Updates an old contact to the present positions of the shapes; returns false if the contact must be dropped. If two fibers lie
 * side by side and the nearest point would lie beyond the tip of the second fiber, a contact that was found in an earlier
 * linearisation of the same step stays at this tip. If the contact at the tip of the second fiber were dropped, detection would
 * alternate between the tip and another point of the fiber. */
static bool hold(const void *self, const cst_contact *before, bool same_step, cst_contact *out)
{
    const cst_space_geometry *space = self;
    const double slant = same_step ? SLANT_IN_STEP : SLANT;
    *out = *before;
    if (cst_contact_on_features(before) || !(before->a.length > 0.0))
        return false;
    const bool there = follow_touch(space, out);
    const bool at_tip = !there && same_step && !is_solid(space, out) && slant_of(space, out, &out->b) <= slant;
    if (!(there || at_tip) || is_one_place(out))
        return false;
    const double margin_b =
        is_solid(space, out) ? space->solid_margin[out->shape[1] - space->scene.pieces] : space->margin[out->shape[1]];
    return out->gap < space->margin[out->shape[0]] + margin_b && slant_of(space, out, &out->a) <= slant;
}

static void place(void *self, double time)
{
    cst_space_place(self, time, NULL);
}

static bool crossings(const void *self, cst_arena *arena, cst_crossing_change *out)
{
    const cst_space_geometry *space = self;
    return cst_feature_crossings_change(&space->features.scene, arena, out);
}

static int crossings_at_start(const void *self, cst_arena *arena, cst_feature_crossing *first)
{
    const cst_space_geometry *space = self;
    return cst_feature_crossings(&space->features.scene, 0, arena, first);
}

static void strands(const void *self, cst_strand_check *out)
{
    const cst_space_geometry *space = self;
    out->piece = space->piece;
    out->move = space->move;
}

static double smallest_radius(const void *self)
{
    const cst_space_geometry *space = self;
    return space->smallest_radius;
}

const cst_geometry_class cst_geometry_space = {.begin = cst_space_begin,
                                               .find = find,
                                               .take = take,
                                               .keep_side = keep_side,
                                               .hold = hold,
                                               .place = place,
                                               .follow = follow,
                                               .crossings = crossings,
                                               .crossings_at_start = crossings_at_start,
                                               .strands = strands,
                                               .smallest_radius = smallest_radius,
                                               .both_ends = true};
