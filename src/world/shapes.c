/* Bodies come before obstacles, each in their order, so that side a of a touch is always a body.
 *
 * Margins (gaps below margin a + margin b become contacts): a quarter of the contact radius, or one and a half times the motion
 * expected in the step, whichever is larger; a moving obstacle adds its own motion.
 *
 * Most rods are far from everything most of the time, and finding nearest points costs ten times what their dynamics do: bodies
 * whose box meets no other, and which are too straight to touch themselves, are left out. */
#include "world/shapes.h"

#include <math.h>
#include <string.h>

#include "base/merge_sort.h"

static const double MARGIN = 0.25, MOTION_SAFETY = 1.5;
static const double SOLID_DEPTH = 0.05; /* of the smallest perimeter: how deep matter is looked for */
static const double HALF_TURN = 3.14;   /* rad: a rod that turns less in all cannot touch itself */

/* More owners than this are sorted out by the broad phase alone. */
enum { OWNERS_MAX = 200 };

struct cst_owner_box {
    double low[2], high[2];
};

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

int cst_shapes_list_apart(const cst_attempt *attempt, cst_owner_pair *apart, cst_owner_pair *scratch)
{
    const cst_world *world = attempt->world;
    int count = 0, kept = 0;
    for (int k = 0; k < world->aparts; k++)
        apart[count++] = world->apart[k];
    for (int k = 0; k < world->constraints; k++) {
        const cst_constraint *held = world->constraint + k;
        const int32_t a = held->body[0], b = held->body[1];
        if (a < 0 || b < 0 || a == b || !cst_constraint_active(held, attempt->frame.time, attempt->frame.dt))
            continue;
        apart[count++] = (cst_owner_pair){.low = cst_owner_of_body(a < b ? a : b), .high = cst_owner_of_body(a < b ? b : a)};
    }
    cst_merge_sort(apart, scratch, (size_t)count, sizeof *apart, compare_pairs);
    for (int k = 0; k < count; k++)
        if (kept == 0 || compare_pairs(apart + kept - 1, apart + k) != 0)
            apart[kept++] = apart[k];
    return kept;
}

bool cst_shapes_begin(cst_attempt *attempt)
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
    attempt->box = CST_TAKE(arena, cst_owner_box, owners);
    uint8_t *flags = CST_TAKE(arena, uint8_t, owners);
    cst_owner_pair *apart = CST_TAKE(arena, cst_owner_pair, world->constraints + world->aparts);
    cst_owner_pair *scratch = CST_TAKE(arena, cst_owner_pair, world->constraints + world->aparts);
    if (arena->failed)
        return false;
    for (int k = 0; k < world->bodies; k++)
        flags[cst_owner_of_body(k)] = world->def.contact.self_contact && !world->body[k].rigid ? CST_OWNER_SELF_CONTACT : 0;
    for (int k = 0; k < world->obstacles; k++)
        flags[cst_owner_of_obstacle(k)] = CST_OWNER_FIXED;
    attempt->all_arcs = arcs;
    attempt->scene = (cst_plane_scene){.arc = attempt->arc,
                                       .half_planes = half_planes,
                                       .half_plane = attempt->half_plane,
                                       .owners = owners,
                                       .owner_flags = flags,
                                       .aparts = cst_shapes_list_apart(attempt, apart, scratch),
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
    attempt->smallest_radius = 0.0;
    attempt->scene.arcs = attempt->all_arcs;
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_model *model = world->model + k;
        const int own = model->class->arcs(model->self);
        attempt->first_arc_of_body[k] = arcs;
        for (int i = 0; i < own; i++) {
            cst_arc *arc = attempt->arc + arcs++;
            model->class->arc(model->self, i, arc);
            arc->owner = cst_owner_of_body(k);
            attempt->smallest_radius = cst_smaller_length(attempt->smallest_radius, arc->radius);
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
            attempt->smallest_radius = cst_smaller_length(attempt->smallest_radius, arc->radius);
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

/* ---------------------------------------------------------------------------------------------------------- lonely bodies */

static void include(cst_owner_box *box, const cst_arc *arc, double margin)
{
    /* no point of an arc is farther from its start than its length */
    const double reach = arc->hollow ? HUGE_VAL : arc->l + arc->radius + margin;
    for (int c = 0; c < 2; c++) {
        box->low[c] = fmin(box->low[c], arc->x[c] - reach);
        box->high[c] = fmax(box->high[c], arc->x[c] + reach);
    }
}

static double margin_of(const double *margin, int shape)
{
    return margin ? margin[shape] : 0.0;
}

/* Boxes of all owners, margins included, by owner number; half-planes have none. */
static void find_boxes(cst_attempt *attempt)
{
    for (int k = 0; k < attempt->scene.owners; k++)
        attempt->box[k] = (cst_owner_box){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < attempt->scene.arcs; i++)
        include(attempt->box + attempt->arc[i].owner, attempt->arc + i, margin_of(attempt->scene.margin, i));
}

static bool boxes_meet(const cst_owner_box *a, const cst_owner_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1];
}

/* The lowest corner of a box over a half-plane. */
static bool box_meets_half_plane(const cst_owner_box *box, const cst_half_plane *plane, double margin)
{
    const double *n = plane->normal;
    const double lowest = fmin(n[0] * box->low[0], n[0] * box->high[0]) + fmin(n[1] * box->low[1], n[1] * box->high[1]);
    return !(lowest > plane->height + margin);
}

static bool touches_itself(const cst_attempt *attempt, int body, int first, int end)
{
    double turning = 0.0;
    if (!(attempt->scene.owner_flags[cst_owner_of_body(body)] & CST_OWNER_SELF_CONTACT))
        return false;
    for (int i = first; i < end; i++)
        turning += fabs(attempt->arc[i].k) * attempt->arc[i].l;
    return !(turning < HALF_TURN);
}

static bool is_lonely(const cst_attempt *attempt, int body, int first, int end)
{
    const cst_plane_scene *scene = &attempt->scene;
    const cst_owner_box *own = attempt->box + cst_owner_of_body(body);
    for (int32_t k = 0; k < scene->owners; k++)
        if (k != cst_owner_of_body(body) && boxes_meet(own, attempt->box + k))
            return false;
    for (int k = 0; k < scene->half_planes; k++)
        if (box_meets_half_plane(own, scene->half_plane + k, margin_of(scene->half_plane_margin, k)))
            return false;
    return !touches_itself(attempt, body, first, end);
}

/* The arcs of lonely bodies are taken out; what is left moves up. */
static void leave_out_lonely(cst_attempt *attempt)
{
    const cst_world *world = attempt->world;
    int kept = 0, at = 0;
    if (attempt->scene.owners > OWNERS_MAX)
        return;
    find_boxes(attempt);
    for (int k = 0; k < world->bodies; k++) {
        const int first = at;
        while (at < attempt->scene.arcs && attempt->arc[at].owner == cst_owner_of_body(k))
            at++;
        const bool lonely = is_lonely(attempt, k, first, at);
        attempt->first_arc_of_body[k] = lonely ? -1 : kept;
        if (lonely)
            continue;
        memmove(attempt->arc + kept, attempt->arc + first, sizeof *attempt->arc * (size_t)(at - first));
        memmove(attempt->margin + kept, attempt->margin + first, sizeof *attempt->margin * (size_t)(at - first));
        kept += at - first;
    }
    const int gone = at - kept, left = attempt->scene.arcs - at;
    memmove(attempt->arc + kept, attempt->arc + at, sizeof *attempt->arc * (size_t)left);
    memmove(attempt->margin + kept, attempt->margin + at, sizeof *attempt->margin * (size_t)left);
    attempt->scene.arcs -= gone;
    for (int k = 0; k < world->obstacles; k++)
        attempt->first_shape_of_obstacle[k] -= gone;
    attempt->scene.arcs = kept > 0 ? attempt->scene.arcs : 0; /* obstacles among themselves */
}

void cst_shapes_place_all(cst_attempt *attempt, double time)
{
    gather(attempt, time);
    attempt->scene.margin = attempt->scene.half_plane_margin = NULL;
}

void cst_shapes_place(cst_attempt *attempt, double time, bool margins)
{
    cst_shapes_place_all(attempt, time);
    if (margins) {
        choose_margins(attempt, time);
        attempt->scene.margin = attempt->margin;
        attempt->scene.half_plane_margin = attempt->half_plane_margin;
    }
    leave_out_lonely(attempt);
}
