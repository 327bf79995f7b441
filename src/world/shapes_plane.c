/* Places the contact shapes of a 2D world and chooses their search margins. In the lists of shapes, bodies come before obstacles,
 * so that the first of the two shapes of a contact always belongs to a body.
 *
 * Two shapes make a contact if their gap is smaller than the sum of their search margins. The search margin of a body is the
 * larger of two lengths: a quarter of its contact radius, and one and a half times the expected displacement of its fastest point
 * in the step. The contact radius of a rod is the radius of its cross-section. The search margin of an obstacle is one and a half
 * times its displacement in the step. If the user sets a contact margin, the search margin of every shape is half of this contact
 * margin.
 *
 * A body is left out of the search if its bounding box touches no other box and no half-plane, and if the body is too straight to
 * touch itself. In large worlds (OWNERS_MAX) no body is left out. Leaving a rod out of the search saves time, because the contact
 * search for a rod takes ten times as long as the computation of the motion of the rod. */
#include "world/geometry_plane.h"

#include <math.h>
#include <string.h>

/* MARGIN: search margin of a body at rest, divided by its contact radius. MOTION_SAFETY: the search margin is at least
 * MOTION_SAFETY times the motion expected in the step. With half the value of MOTION_SAFETY, falling shells penetrate 1.8 times
 * as deep (docs/constants.md). */
static const double MARGIN = 0.25, MOTION_SAFETY = 1.5;
/* SOLID_DEPTH: largest depth at which penetrations of closed shapes are searched, as a fraction of the smallest perimeter of a
 * closed shape. */
static const double SOLID_DEPTH = 0.05;
/* HALF_TURN: a rod cannot touch itself if its tangent turns by less than this angle (rad) over the whole length of the rod */
static const double HALF_TURN = 3.14;

/* OWNERS_MAX: all pairs of bounding boxes are compared only if there are at most OWNERS_MAX / 2 bodies and at most OWNERS_MAX / 2
 * obstacles. In worlds with more bodies or obstacles, pairs of distant bodies are excluded only by the broad phase of contact
 * detection. */
enum { OWNERS_MAX = 200 };

static int count_arcs(const cst_objects *objects)
{
    int arcs = 0;
    for (int k = 0; k < objects->bodies; k++)
        arcs += objects->model[k].class->surface->arcs(objects->model[k].self);
    for (int k = 0; k < objects->obstacles; k++)
        arcs += objects->obstacle[k].arcs;
    return arcs;
}

static int count_half_planes(const cst_objects *objects)
{
    int count = 0;
    for (int k = 0; k < objects->obstacles; k++)
        count += objects->obstacle[k].def.shape == CST_OBSTACLE_HALF_PLANE;
    return count;
}

void *cst_plane_begin(const cst_geometry_input *input, cst_arena *arena)
{
    const cst_objects *objects = input->objects;
    const int arcs = count_arcs(objects), half_planes = count_half_planes(objects), owners = cst_objects_owners(objects);
    cst_plane_geometry *plane = CST_TAKE(arena, cst_plane_geometry, 1);
    uint8_t *flags = CST_TAKE(arena, uint8_t, owners);
    if (arena->failed)
        return NULL;
    *plane = (cst_plane_geometry){.in = *input,
                                  .arc = CST_TAKE(arena, cst_arc, arcs),
                                  .margin = CST_TAKE(arena, double, arcs),
                                  .half_plane = CST_TAKE(arena, cst_half_plane, half_planes),
                                  .half_plane_margin = CST_TAKE(arena, double, half_planes),
                                  .first_arc_of_body = CST_TAKE(arena, int32_t, objects->bodies),
                                  .first_shape_of_obstacle = CST_TAKE(arena, int32_t, objects->obstacles),
                                  .box = CST_TAKE(arena, cst_owner_box, owners),
                                  .all_arcs = arcs};
    if (arena->failed)
        return NULL;
    for (int k = 0; k < objects->bodies; k++)
        flags[cst_owner_of_body(k)] =
            input->rules->self_contact && objects->model[k].class->surface->self_contact ? CST_OWNER_SELF_CONTACT : 0;
    for (int k = 0; k < objects->obstacles; k++)
        flags[cst_owner_of_obstacle(k)] = CST_OWNER_FIXED;
    plane->scene = (cst_plane_scene){.arc = plane->arc,
                                     .half_planes = half_planes,
                                     .half_plane = plane->half_plane,
                                     .owners = owners,
                                     .owner_flags = flags,
                                     .aparts = input->aparts,
                                     .apart = input->apart,
                                     .threads = input->threads};
    return plane;
}

static void gather(cst_plane_geometry *plane, double time)
{
    const cst_objects *objects = plane->in.objects;
    double perimeter = 0.0;
    int arcs = 0, half_planes = 0;
    plane->smallest_radius = 0.0;
    plane->scene.arcs = plane->all_arcs;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        const int own = model->class->surface->arcs(model->self);
        plane->first_arc_of_body[k] = arcs;
        for (int i = 0; i < own; i++) {
            cst_arc *arc = plane->arc + arcs++;
            model->class->surface->arc(model->self, i, arc);
            arc->owner = cst_owner_of_body(k);
            plane->smallest_radius = cst_smaller_length(plane->smallest_radius, arc->radius);
            if (arc->solid)
                perimeter = cst_smaller_length(perimeter, arc->owner_length);
        }
    }
    for (int k = 0; k < objects->obstacles; k++) {
        const cst_obstacle *obstacle = objects->obstacle + k;
        plane->first_shape_of_obstacle[k] =
            obstacle->def.shape == CST_OBSTACLE_HALF_PLANE ? plane->scene.arcs + half_planes : arcs;
        if (obstacle->def.shape == CST_OBSTACLE_HALF_PLANE) {
            cst_obstacle_half_plane(obstacle, time, plane->half_plane + half_planes);
            plane->half_plane[half_planes++].owner = cst_owner_of_obstacle(k);
        }
        for (int i = 0; i < obstacle->arcs; i++) {
            cst_arc *arc = plane->arc + arcs++;
            cst_obstacle_arc(obstacle, time, i, arc);
            arc->owner = cst_owner_of_obstacle(k);
            plane->smallest_radius = cst_smaller_length(plane->smallest_radius, arc->radius);
            if (arc->solid)
                perimeter = cst_smaller_length(perimeter, arc->owner_length);
        }
    }
    plane->scene.solid_depth = SOLID_DEPTH * perimeter;
}

/* Returns the distance (m) that the point of an obstacle at the position x moves in the step. */
static double obstacle_motion(const cst_plane_geometry *plane, const cst_obstacle *obstacle, double time, const double *x)
{
    const cst_step_frame *frame = plane->in.frame;
    double velocity[2], turn;
    cst_obstacle_velocity(obstacle, frame->time, cst_frame_span(frame), time, x, velocity, &turn);
    return cst_frame_span(frame) * hypot(velocity[0], velocity[1]);
}

/* Returns the largest distance (m) that a half-plane moves in the step, measured only at the positions of the bodies: at a great
 * distance, a rotating half-plane moves arbitrarily far. */
static double half_plane_motion(const cst_plane_geometry *plane, const cst_obstacle *obstacle, double time)
{
    double largest = 0.0;
    for (int i = 0; i < plane->scene.arcs && cst_owner_is_body(plane->arc[i].owner); i++)
        largest = fmax(largest, obstacle_motion(plane, obstacle, time, plane->arc[i].x));
    return largest;
}

static void choose_margins(cst_plane_geometry *plane, double time, const double *travel)
{
    const cst_objects *objects = plane->in.objects;
    const double given = 0.5 * plane->in.rules->margin;
    double largest = 0.0;
    int at = 0;
    for (int k = 0; k < objects->bodies; k++) {
        const double motion = MOTION_SAFETY * travel[k];
        for (; at < plane->scene.arcs && plane->arc[at].owner == cst_owner_of_body(k); at++) {
            plane->margin[at] = given > 0.0 ? given : fmax(MARGIN * plane->arc[at].radius, motion);
            largest = fmax(largest, plane->margin[at]);
        }
    }
    for (int k = 0, half_planes = 0; k < objects->obstacles; k++) {
        const cst_obstacle *obstacle = objects->obstacle + k;
        const bool moves = obstacle->def.motion.keys > 0;
        if (obstacle->def.shape == CST_OBSTACLE_HALF_PLANE)
            plane->half_plane_margin[half_planes++] = given > 0.0 ? given
                                                      : moves     ? MOTION_SAFETY * half_plane_motion(plane, obstacle, time)
                                                                  : 0.0;
        for (int i = 0; i < obstacle->arcs; i++, at++) {
            const cst_arc *arc = plane->arc + at;
            const double end[2] = {arc->x[0] + arc->l * cos(arc->angle), arc->x[1] + arc->l * sin(arc->angle)};
            const double motion =
                moves ? fmax(obstacle_motion(plane, obstacle, time, arc->x), obstacle_motion(plane, obstacle, time, end)) : 0.0;
            plane->margin[at] = given > 0.0 ? given : MOTION_SAFETY * motion;
        }
    }
    /* If the gap varies along an element by less than the largest search margin of all bodies, the element gets a contact at
     * each end, so that it cannot rock on a single point. */
    plane->scene.flat = largest;
}

/* ---------------------------------------------------------------------------------------------------------- lonely bodies */

static void include(cst_owner_box *box, const cst_arc *arc, double margin)
{
    /* bound for the whole arc */
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

/* Computes the bounding box of each body and obstacle, enlarged by its search margin; half-planes have no box. */
static void find_boxes(cst_plane_geometry *plane)
{
    for (int k = 0; k < plane->scene.owners; k++)
        plane->box[k] = (cst_owner_box){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < plane->scene.arcs; i++)
        include(plane->box + plane->arc[i].owner, plane->arc + i, margin_of(plane->scene.margin, i));
}

static bool boxes_meet(const cst_owner_box *a, const cst_owner_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1];
}

/* Returns true if the nearest corner of the bounding box is at most `margin` above the half-plane. */
static bool box_meets_half_plane(const cst_owner_box *box, const cst_half_plane *plane, double margin)
{
    const double *n = plane->normal;
    const double lowest = fmin(n[0] * box->low[0], n[0] * box->high[0]) + fmin(n[1] * box->low[1], n[1] * box->high[1]);
    return !(lowest > plane->height + margin);
}

static bool touches_itself(const cst_plane_geometry *plane, int body, int first, int end)
{
    double turning = 0.0;
    if (!(plane->scene.owner_flags[cst_owner_of_body(body)] & CST_OWNER_SELF_CONTACT))
        return false;
    for (int i = first; i < end; i++)
        turning += fabs(plane->arc[i].k) * plane->arc[i].l;
    return !(turning < HALF_TURN);
}

static bool is_lonely(const cst_plane_geometry *plane, int body, int first, int end)
{
    const cst_plane_scene *scene = &plane->scene;
    const cst_owner_box *own = plane->box + cst_owner_of_body(body);
    for (int32_t k = 0; k < scene->owners; k++)
        if (k != cst_owner_of_body(body) && boxes_meet(own, plane->box + k))
            return false;
    for (int k = 0; k < scene->half_planes; k++)
        if (box_meets_half_plane(own, scene->half_plane + k, margin_of(scene->half_plane_margin, k)))
            return false;
    return !touches_itself(plane, body, first, end);
}

/* Removes from the list of shapes the arcs of bodies that are far from all other bodies and obstacles. */
static void leave_out_lonely(cst_plane_geometry *plane)
{
    const cst_objects *objects = plane->in.objects;
    int kept = 0, at = 0;
    if (plane->scene.owners > OWNERS_MAX)
        return;
    find_boxes(plane);
    for (int k = 0; k < objects->bodies; k++) {
        const int first = at;
        while (at < plane->scene.arcs && plane->arc[at].owner == cst_owner_of_body(k))
            at++;
        const bool lonely = is_lonely(plane, k, first, at);
        plane->first_arc_of_body[k] = lonely ? -1 : kept;
        if (lonely)
            continue;
        memmove(plane->arc + kept, plane->arc + first, sizeof *plane->arc * (size_t)(at - first));
        memmove(plane->margin + kept, plane->margin + first, sizeof *plane->margin * (size_t)(at - first));
        kept += at - first;
    }
    const int gone = at - kept, left = plane->scene.arcs - at;
    memmove(plane->arc + kept, plane->arc + at, sizeof *plane->arc * (size_t)left);
    memmove(plane->margin + kept, plane->margin + at, sizeof *plane->margin * (size_t)left);
    plane->scene.arcs -= gone;
    for (int k = 0; k < objects->obstacles; k++)
        plane->first_shape_of_obstacle[k] -= gone;
    plane->scene.arcs = kept > 0 ? plane->scene.arcs : 0; /* obstacles do not touch each other */
}

void cst_plane_place_all(void *self, double time)
{
    cst_plane_geometry *plane = self;
    gather(plane, time);
    plane->scene.margin = plane->scene.half_plane_margin = NULL;
}

void cst_plane_place(cst_plane_geometry *plane, double time, const double *travel)
{
    cst_plane_place_all(plane, time);
    if (travel) {
        choose_margins(plane, time, travel);
        plane->scene.margin = plane->margin;
        plane->scene.half_plane_margin = plane->half_plane_margin;
    }
    leave_out_lonely(plane);
}
