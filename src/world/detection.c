/* Bodies come before obstacles, each in their order, so that side a of a touch is always a body.
 *
 * Margins (gaps below margin a + margin b become contacts): a quarter of the contact radius, or one and a half times the motion
 * expected in the step, whichever is larger; a moving obstacle adds its own motion. */
#include "world/detection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/contact_hold.h"
#include "world/contact_track.h"

static const double MARGIN = 0.25, MOTION_SAFETY = 1.5;
static const double SOLID_DEPTH = 0.05; /* of the smallest perimeter: how deep matter is looked for */

/* ---------------------------------------------------------------------------------------------------------------- shapes */

static int count_arcs(const cst_world *world)
{
    int arcs = 0;
    for (int k = 0; k < world->bodies; k++)
        arcs += world->model[k].class->arcs(world->model[k].self);
    for (int k = 0; k < world->obstacles; k++)
        arcs += world->obstacle[k].arcs;
    return arcs;
}

static int count_half_planes(const cst_world *world)
{
    int count = 0;
    for (int k = 0; k < world->obstacles; k++)
        count += world->obstacle[k].def.shape == CST_OBSTACLE_HALF_PLANE;
    return count;
}

static int compare_pairs(const void *p, const void *q)
{
    const cst_owner_pair *x = p, *y = q;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

/* Bodies joined to each other by an active constraint do not touch each other. */
static int list_apart(const cst_attempt *attempt, cst_owner_pair *apart)
{
    const cst_world *world = attempt->world;
    int count = 0, kept = 0;
    for (int k = 0; k < world->constraints; k++) {
        const cst_constraint *held = world->constraint + k;
        const int32_t a = held->body[0], b = held->body[1];
        if (a < 0 || b < 0 || a == b || !cst_constraint_active(held, attempt->frame.time, attempt->frame.dt))
            continue;
        apart[count++] = (cst_owner_pair){.low = cst_owner_of_body(a < b ? a : b), .high = cst_owner_of_body(a < b ? b : a)};
    }
    qsort(apart, (size_t)count, sizeof *apart, compare_pairs);
    for (int k = 0; k < count; k++)
        if (kept == 0 || compare_pairs(apart + kept - 1, apart + k) != 0)
            apart[kept++] = apart[k];
    return kept;
}

bool cst_detection_begin(cst_attempt *attempt)
{
    const cst_world *world = attempt->world;
    cst_arena *arena = &attempt->world->step;
    const int arcs = count_arcs(world), half_planes = count_half_planes(world);
    const int owners = 2 * (world->bodies > world->obstacles ? world->bodies : world->obstacles);
    attempt->arc = CST_TAKE(arena, cst_arc, arcs);
    attempt->margin = CST_TAKE(arena, double, arcs);
    attempt->half_plane = CST_TAKE(arena, cst_half_plane, half_planes);
    attempt->half_plane_margin = CST_TAKE(arena, double, half_planes);
    attempt->first_arc_of_body = CST_TAKE(arena, int32_t, world->bodies);
    attempt->first_shape_of_obstacle = CST_TAKE(arena, int32_t, world->obstacles);
    uint8_t *flags = CST_TAKE(arena, uint8_t, owners);
    cst_owner_pair *apart = CST_TAKE(arena, cst_owner_pair, world->constraints);
    if (arena->failed)
        return false;
    for (int k = 0; k < world->bodies; k++)
        flags[cst_owner_of_body(k)] = world->def.contact.self_contact && !world->body[k].rigid ? CST_OWNER_SELF_CONTACT : 0;
    for (int k = 0; k < world->obstacles; k++)
        flags[cst_owner_of_obstacle(k)] = CST_OWNER_FIXED;
    attempt->scene = (cst_plane_scene){.arcs = arcs,
                                       .arc = attempt->arc,
                                       .half_planes = half_planes,
                                       .half_plane = attempt->half_plane,
                                       .owners = owners,
                                       .owner_flags = flags,
                                       .aparts = list_apart(attempt, apart),
                                       .apart = apart,
                                       .threads = world->def.friction.threads};
    return true;
}

/* Bodies as placed, obstacles at `time`. */
static void gather(cst_attempt *attempt, double time)
{
    const cst_world *world = attempt->world;
    double perimeter = 0.0;
    int arcs = 0, half_planes = 0;
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        const int own = model->class->arcs(model->self);
        attempt->first_arc_of_body[k] = arcs;
        for (int i = 0; i < own; i++) {
            cst_arc *arc = attempt->arc + arcs++;
            model->class->arc(model->self, i, arc);
            arc->owner = cst_owner_of_body(k);
            if (arc->solid)
                perimeter = cst_smaller_length(perimeter, arc->owner_length);
        }
    }
    for (int k = 0; k < world->obstacles; k++) {
        const cst_obstacle *obstacle = world->obstacle + k;
        attempt->first_shape_of_obstacle[k] =
            obstacle->def.shape == CST_OBSTACLE_HALF_PLANE ? attempt->scene.arcs + half_planes : arcs;
        if (obstacle->def.shape == CST_OBSTACLE_HALF_PLANE) {
            cst_obstacle_half_plane(obstacle, time, attempt->half_plane + half_planes);
            attempt->half_plane[half_planes++].owner = cst_owner_of_obstacle(k);
        }
        for (int i = 0; i < obstacle->arcs; i++) {
            cst_arc *arc = attempt->arc + arcs++;
            cst_obstacle_arc(obstacle, time, i, arc);
            arc->owner = cst_owner_of_obstacle(k);
            if (arc->solid)
                perimeter = cst_smaller_length(perimeter, arc->owner_length);
        }
    }
    attempt->scene.solid_depth = SOLID_DEPTH * perimeter;
}

/* How far a point of the obstacle that is at x now goes in the step. */
static double obstacle_motion(const cst_attempt *attempt, const cst_obstacle *obstacle, double time, const double *x)
{
    const cst_step_frame *frame = &attempt->frame;
    double velocity[2], turn;
    cst_obstacle_velocity(obstacle, frame->time, frame->dt, time, x, velocity, &turn);
    return frame->dt * hypot(velocity[0], velocity[1]);
}

/* A half-plane that turns has no bound on its motion: what counts is where bodies are. */
static double half_plane_motion(const cst_attempt *attempt, const cst_obstacle *obstacle, double time)
{
    double largest = 0.0;
    for (int i = 0; i < attempt->scene.arcs && cst_owner_is_body(attempt->arc[i].owner); i++)
        largest = fmax(largest, obstacle_motion(attempt, obstacle, time, attempt->arc[i].x));
    return largest;
}

static void choose_margins(cst_attempt *attempt, double time)
{
    const cst_world *world = attempt->world;
    const double given = 0.5 * world->def.contact.margin;
    double largest = 0.0;
    int at = 0;
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        const double motion =
            MOTION_SAFETY * model->class->motion(model->self, &attempt->frame, attempt->v + attempt->start_of[k]);
        for (; at < attempt->scene.arcs && attempt->arc[at].owner == cst_owner_of_body(k); at++) {
            attempt->margin[at] = given > 0.0 ? given : fmax(MARGIN * attempt->arc[at].radius, motion);
            largest = fmax(largest, attempt->margin[at]);
        }
    }
    for (int k = 0, half_planes = 0; k < world->obstacles; k++) {
        const cst_obstacle *obstacle = world->obstacle + k;
        const bool moves = obstacle->def.motion.keys > 0;
        if (obstacle->def.shape == CST_OBSTACLE_HALF_PLANE)
            attempt->half_plane_margin[half_planes++] = given > 0.0 ? given
                                                        : moves     ? MOTION_SAFETY * half_plane_motion(attempt, obstacle, time)
                                                                    : 0.0;
        for (int i = 0; i < obstacle->arcs; i++, at++) {
            const cst_arc *arc = attempt->arc + at;
            const double end[2] = {arc->x[0] + arc->l * cos(arc->angle), arc->x[1] + arc->l * sin(arc->angle)};
            const double motion =
                moves ? fmax(obstacle_motion(attempt, obstacle, time, arc->x), obstacle_motion(attempt, obstacle, time, end))
                      : 0.0;
            attempt->margin[at] = given > 0.0 ? given : MOTION_SAFETY * motion;
        }
    }
    /* an element that lies down within its margin is held at both ends before it rocks */
    attempt->scene.flat = largest;
}

/* -------------------------------------------------------------------------------------------------------------- contacts */

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

static bool is_near(const cst_contact *held, const cst_contact *other, double room)
{
    return other->a.owner == held->a.owner && other->b.owner == held->b.owner && fabs(other->a.s - held->a.s) < room;
}

/* Nearer to another contact than its radius, and than a quarter of its element, a contact has nothing to add but a row that
 * depends on the others. `found` are sorted. */
static bool is_crowded(const cst_contact *held, const cst_arc *arc, const cst_contact *found, int count)
{
    const double room = fmin(held->a.radius, 0.25 * arc->l);
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

/* Contacts of before that push and were not found again. There is room for them. */
static void hold_others(cst_attempt *attempt, const cst_contact *before, const bool *continued, int count_before, double scale)
{
    const int found = attempt->contacts;
    for (int j = 0; j < count_before; j++) {
        cst_contact *held = attempt->contact + attempt->contacts;
        if (continued[j] || !(before[j].r[0] > 0.0) || !cst_contact_hold(attempt, before + j, held) ||
            is_crowded(held, attempt->arc + held->shape[0], attempt->contact, found))
            continue;
        cst_contact_continue(before + j, false, scale, held);
        attempt->contacts++;
    }
    if (attempt->contacts > found)
        cst_contacts_sort(attempt->contact, attempt->contacts);
}

bool cst_detection_run(cst_attempt *attempt, double time, const cst_contact *before, int count_before, double scale)
{
    cst_world *world = attempt->world;
    const cst_surface_rules rules = cst_world_surface_rules(world);
    const cst_touch *touch;
    gather(attempt, time);
    choose_margins(attempt, time);
    attempt->scene.margin = attempt->margin;
    attempt->scene.half_plane_margin = attempt->half_plane_margin;
    const int touches = cst_detect_plane(&world->detector, &attempt->scene, &touch);
    if (touches < 0)
        return false;
    cst_contact *contact = CST_TAKE_RAW(&world->step, cst_contact, touches + count_before);
    bool *continued = CST_TAKE_RAW(&world->step, bool, count_before);
    if (world->step.failed)
        return false;
    for (int i = 0; i < touches; i++)
        take_touch(attempt, touch + i, &rules, contact + i);
    cst_contacts_sort(contact, touches);
    attempt->contact = contact;
    attempt->contacts = thin_out(contact, touches);
    attempt->new_contacts = cst_contacts_track(before, count_before, scale, contact, attempt->contacts, &attempt->next_contact_id,
                                               continued, &world->step);
    if (attempt->new_contacts < 0)
        return false;
    keep_sides(attempt);
    hold_others(attempt, before, continued, count_before, scale);
    return true;
}

double cst_detection_depth(cst_attempt *attempt, double time, double *relative)
{
    const cst_touch *touch;
    double deepest = 0.0;
    gather(attempt, time);
    attempt->scene.margin = attempt->scene.half_plane_margin = NULL;
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
