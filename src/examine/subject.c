#include "examine/subject.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "scene/define.h"
#include "scene/define_sheet.h"
#include "scene/define_space.h"
#include "scene/scene_mesh.h"
#include "scene/values.h"

/* The slowest bending mode of a uniform rod has the angular frequency c sqrt(EI / (m L^4)), with the bending stiffness EI, the
 * mass per length m and the length L. The factor c is 3.516 for a rod clamped at one end, and 22.37 for a free rod (Timoshenko).
 * The slowest bending mode of a ring with the radius R has the angular frequency 2.683 sqrt(EI / (m R^4)), with the bending
 * stiffness EI and the mass per length m. */
static const double CANTILEVER = 3.516, FREE_ROD = 22.37, RING = 2.683 * 39.478;

static bool in_space(const cst_subject *subject)
{
    return subject->def->dim == 3;
}

static double length_of(const double *v)
{
    return sqrt(cst_dot3(v, v));
}

/* ------------------------------------------------------------------------------------------------------------------- kinds */

static void least_and_most(const double *each, int count, double one, double *least, double *most)
{
    *least = *most = each ? each[0] : one;
    for (int i = 1; each && i < count; i++) {
        *least = fmin(*least, each[i]);
        *most = fmax(*most, each[i]);
    }
}

static void describe_rod(const cst_json *node, cst_arena *scratch, cst_kind *kind)
{
    const cst_rod_def def = cst_define_rod(node, scratch);
    double least, most;
    least_and_most(def.element_radius, def.elements, def.radius, &kind->thinnest, &kind->radius);
    least_and_most(def.element_bending_stiffness, def.elements, def.bending_stiffness, &kind->stiffness, &most);
    least_and_most(def.element_length, def.elements, def.length / def.elements, &least, &kind->longest);
    kind->elements = def.elements;
    kind->length = def.length;
    kind->mass_per_length = def.mass_per_length;
    kind->damping_time = def.viscosity / kind->stiffness;
    kind->drag = def.drag * def.length;
    kind->load = length_of(def.load);
    kind->speed = kind->advance = length_of(def.velocity) + fabs(def.angular_velocity) * def.length;
    kind->held = def.clamped;
    kind->closed = def.closed;
    kind->motion = def.root_motion;
}

static void describe_fiber(const cst_subject *subject, const cst_json *node, const cst_scene_body *body, cst_arena *scratch,
                           cst_kind *kind)
{
    cst_fiber_def def = cst_define_fiber(node, body, scratch, NULL);
    if (!(def.length > 0.0)) /* strand from a file: its length is estimated by its bounding box */
        def.length = cst_extent_longest(subject->body + kind->first);
    least_and_most(def.element_radius, def.elements, def.radius, &kind->thinnest, &kind->radius);
    kind->elements = def.elements;
    kind->length = def.length;
    kind->longest = def.length / def.elements;
    kind->mass_per_length = def.mass_per_length;
    kind->stiffness = fmin(def.bending_stiffness[0], def.bending_stiffness[1]);
    kind->damping_time = def.viscosity;
    kind->drag = def.drag * def.length;
    kind->speed = kind->advance = length_of(def.velocity) + length_of(def.angular_velocity) * def.length;
    kind->held = def.clamped;
    kind->closed = def.closed;
    kind->motion = def.root_motion;
}

static void describe_rigid(const cst_subject *subject, const cst_json *node, const cst_scene_body *body, cst_arena *scratch,
                           cst_kind *kind)
{
    char why[256];
    cst_rigid_def def = in_space(subject) ? cst_define_space_rigid(node, body, scratch) : cst_define_rigid(node, scratch);
    if (in_space(subject) && def.shape == CST_RIGID_MESH)
        cst_scene_add_rigid_mesh(subject->scene, node, &def, scratch, why, sizeof why);
    kind->mass = def.mass;
    kind->radius = kind->thinnest = def.radius;
    kind->drag = def.drag;
    const bool ball = def.shape == CST_RIGID_DISK || def.shape == CST_RIGID_SPHERE;
    const cst_extent *box = subject->body + kind->first;
    double diagonal[3];
    cst_subtract3(box->high, box->low, diagonal);
    const double reach = ball ? def.radius : 0.5 * length_of(diagonal);
    kind->speed = length_of(def.velocity) + fmax(fabs(def.angular_velocity), length_of(def.spin)) * reach;
    kind->advance = ball ? length_of(def.velocity) : kind->speed;
}

/* Fills in the properties of a sheet; the definition of the sheet is valid, because the sheet has been built. */
static void describe_sheet(const cst_subject *subject, cst_arena *scratch, cst_kind *kind)
{
    char why[256];
    cst_sheet_def def;
    if (!cst_define_sheet(subject->scene, kind->node, &def, scratch, why, sizeof why))
        return;
    double area = 0.0, longest = 0.0;
    for (int i = 0; i < def.triangles; i++) {
        const double *a = def.rest + 2 * def.triangle[3 * i], *b = def.rest + 2 * def.triangle[3 * i + 1],
                     *c = def.rest + 2 * def.triangle[3 * i + 2];
        area += 0.5 * fabs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
        longest = fmax(longest, fmax(hypot(b[0] - a[0], b[1] - a[1]),
                                     fmax(hypot(c[0] - b[0], c[1] - b[1]), hypot(a[0] - c[0], a[1] - c[1]))));
    }
    kind->mass = def.fabric.density * area;
    kind->radius = kind->thinnest = 0.5 * def.fabric.thickness;
    kind->elements = def.triangles;
    kind->longest = longest;
    kind->damping_time = def.fabric.damping;
    kind->speed = kind->advance = length_of(def.velocity);
    kind->held = def.handles > 0;
}

static void describe_kind(const cst_subject *subject, cst_kind *kind, cst_arena *scratch)
{
    const cst_scene_body *body = subject->scene->names.body + kind->first;
    if (body->sheet) {
        describe_sheet(subject, scratch, kind);
        return;
    }
    if (kind->rigid) {
        describe_rigid(subject, kind->node, body, scratch, kind);
        if (in_space(subject)) /* the density is only used in 3D, because in 2D it is in kg/m2 */
            kind->density = cst_get_real_or(kind->node, "density", 0.0);
        return;
    }
    if (in_space(subject))
        describe_fiber(subject, kind->node, body, scratch, kind);
    else
        describe_rod(kind->node, scratch, kind);
    kind->mass = kind->mass_per_length * kind->length;
    kind->density = cst_get_real_or(kind->node, "density", 0.0);
    kind->young = cst_get_real_or(kind->node, "young", 0.0);
    const double factor = kind->closed ? RING : kind->held ? CANTILEVER : FREE_ROD, square = kind->length * kind->length;
    kind->rate = factor * sqrt(kind->stiffness / kind->mass_per_length) / square;
    const double weight = kind->mass_per_length * subject->gravity + kind->load;
    kind->sag = weight > 0.0 ? cbrt(kind->stiffness / weight) : HUGE_VAL;
}

static cst_kind *kind_of(const cst_subject *subject, int body)
{
    for (int i = 0; i < subject->kinds; i++)
        if (body >= subject->kind[i].first && body < subject->kind[i].first + subject->kind[i].count)
            return subject->kind + i;
    return NULL;
}

/* Marks a kind of bodies as held if a constraint connects one of these bodies with the world or with another body. */
static void mark_held(cst_subject *subject)
{
    const cst_json *list = cst_given(subject->root, "constraints");
    for (const cst_json *node = list ? list->first : NULL; node; node = node->next) {
        const cst_json *to = cst_given(node, "to");
        const cst_json *object[] = {node, to && to->kind == CST_JSON_OBJECT ? to : NULL};
        for (int i = 0; i < 2; i++) {
            const cst_body_id body = object[i] ? cst_scene_place(subject->scene, object[i]).body : 0;
            cst_kind *kind = body ? kind_of(subject, (int)body - 1) : NULL;
            if (kind)
                kind->held = true;
        }
    }
}

static bool gather_kinds(cst_subject *subject)
{
    const cst_names *names = &subject->scene->names;
    subject->kind = CST_TAKE(subject->arena, cst_kind, names->bodies);
    if (!subject->kind)
        return false;
    for (int i = 0; i < names->bodies; i++) {
        cst_kind *last = subject->kinds > 0 ? subject->kind + subject->kinds - 1 : NULL;
        if (last && last->node == names->body[i].node)
            last->count++;
        else
            subject->kind[subject->kinds++] = (cst_kind){.node = names->body[i].node,
                                                         .first = i,
                                                         .count = 1,
                                                         .rigid = names->body[i].rigid,
                                                         .slender = cst_is_slender(names->body + i)};
    }
    for (int i = 0; i < subject->kinds; i++)
        describe_kind(subject, subject->kind + i, subject->arena);
    mark_held(subject);
    return !subject->arena->failed;
}

/* ----------------------------------------------------------------------------------------------------------------- extents */

static cst_extent around(const double *position, const double *radius, int vertices)
{
    cst_extent box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = DBL_MAX;
        box.high[k] = -DBL_MAX;
        for (int i = 0; i < vertices; i++) {
            box.low[k] = fmin(box.low[k], position[3 * i + k] - radius[i]);
            box.high[k] = fmax(box.high[k], position[3 * i + k] + radius[i]);
        }
    }
    return box;
}

/* Computes the bounding box of body i, and the largest product of radius and initial curvature at a vertex of the body. */
static bool measure_body(cst_subject *subject, int i, double *tightness)
{
    const cst_body_id id = (cst_body_id)i + 1;
    const cst_drawing drawing = cst_world_draw_body(subject->world, id, 1, NULL, NULL, NULL);
    const cst_arena_mark mark = cst_arena_mark_now(subject->arena);
    double *position = CST_TAKE(subject->arena, double, 5 * (size_t)drawing.vertices);
    if (!position)
        return false;
    double *radius = position + 3 * drawing.vertices, *curvature = radius + drawing.vertices;
    cst_world_draw_body(subject->world, id, 1, position, radius, curvature);
    subject->body[i] = around(position, radius, drawing.as == CST_DRAWN_DISK ? 1 : drawing.vertices);
    *tightness = 0.0;
    for (int k = 0; k < drawing.vertices && drawing.as == CST_DRAWN_CURVE; k++)
        *tightness = fmax(*tightness, radius[k] * fabs(curvature[k]));
    cst_arena_release(subject->arena, mark);
    return true;
}

static bool measure_obstacle(cst_subject *subject, int i)
{
    const cst_obstacle_id id = (cst_obstacle_id)i + 1;
    const cst_drawing drawing = cst_world_draw_obstacle(subject->world, id, NULL, NULL);
    const cst_arena_mark mark = cst_arena_mark_now(subject->arena);
    double *position = CST_TAKE(subject->arena, double, 4 * (size_t)drawing.vertices);
    if (!position)
        return false;
    double *radius = position + 3 * drawing.vertices;
    cst_world_draw_obstacle(subject->world, id, position, radius);
    const bool disk = drawing.as == CST_DRAWN_DISK || drawing.as == CST_DRAWN_HOLLOW_DISK;
    subject->obstacle[i] = around(position, radius, disk ? 1 : drawing.vertices);
    subject->obstacle_size[i] = drawing.as == CST_DRAWN_HALF_PLANE ? 0.0 : cst_extent_longest(subject->obstacle + i);
    for (int k = 0; k < 3 && (drawing.as == CST_DRAWN_HALF_PLANE || drawing.as == CST_DRAWN_HOLLOW_DISK); k++) {
        subject->obstacle[i].low[k] = -HUGE_VAL;
        subject->obstacle[i].high[k] = HUGE_VAL;
    }
    cst_arena_release(subject->arena, mark);
    return true;
}

bool cst_subject_begin(cst_subject *subject)
{
    const int bodies = cst_world_bodies(subject->world), obstacles = cst_world_obstacles(subject->world);
    subject->gravity = length_of(subject->def->gravity);
    subject->body = CST_TAKE(subject->arena, cst_extent, bodies);
    subject->obstacle = CST_TAKE(subject->arena, cst_extent, obstacles);
    subject->obstacle_size = CST_TAKE(subject->arena, double, obstacles);
    double *tightness = CST_TAKE(subject->arena, double, bodies);
    if (subject->arena->failed)
        return false;
    for (int i = 0; i < bodies; i++)
        if (!measure_body(subject, i, tightness + i))
            return false;
    for (int i = 0; i < obstacles; i++)
        if (!measure_obstacle(subject, i))
            return false;
    if (!gather_kinds(subject))
        return false;
    subject->thinnest = HUGE_VAL;
    for (int i = 0; i < subject->kinds; i++) {
        cst_kind *kind = subject->kind + i;
        subject->thinnest = kind->thinnest > 0.0 ? fmin(subject->thinnest, kind->thinnest) : subject->thinnest;
        subject->elements += kind->slender ? (int64_t)kind->elements * kind->count : 0;
        for (int k = kind->first; k < kind->first + kind->count; k++) {
            kind->tightness = fmax(kind->tightness, tightness[k]);
            subject->longest = fmax(subject->longest, fmax(kind->length, cst_extent_longest(subject->body + k)));
            subject->vertices +=
                cst_world_draw_body(subject->world, (cst_body_id)k + 1, subject->run->samples, NULL, NULL, NULL).vertices;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------- names */

const cst_json *cst_subject_obstacle_node(const cst_subject *subject, int obstacle)
{
    const cst_json *list = cst_given(subject->root, "obstacles");
    for (const cst_json *node = list ? list->first : NULL; node; node = node->next)
        if (node->index == obstacle)
            return node;
    return NULL;
}

const char *cst_subject_kind_name(const cst_subject *subject, const cst_kind *kind, char out[96])
{
    const char *name = subject->scene->names.body[kind->first].name;
    if (kind->count == 1)
        snprintf(out, 96, "%s", name);
    else
        snprintf(out, 96, "%s and %d like it", name, kind->count - 1);
    return out;
}

double cst_motion_fastest(const cst_motion *motion, double arm, int *when)
{
    double fastest = 0.0;
    *when = 0;
    for (int i = 0; i + 1 < motion->keys; i++) {
        const cst_key *a = motion->key + i, *b = a + 1;
        double way[3], turn[3];
        cst_subtract3(b->translation, a->translation, way);
        cst_subtract3(b->rotation, a->rotation, turn);
        /* between two keyframes, a smooth motion follows 3 s^2 - 2 s^3 in the relative time s; the largest slope of this
         * function is 1.5 */
        const double peak = motion->smooth ? 1.5 : 1.0;
        const double speed = peak * (length_of(way) + arm * length_of(turn)) / (b->time - a->time);
        if (speed > fastest) {
            fastest = speed;
            *when = i;
        }
    }
    return fastest;
}
