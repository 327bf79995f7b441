#include "rigid/obstacle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/motion.h"
#include "collide/mesh_space.h"
#include "rigid/draw_vertex.h"
#include "rigid/obstacle_space.h"

static const double TWO_PI = 6.283185307179586;

/* Pose of an obstacle in 2D. */
typedef struct pose {
    double x[2];
    double angle, c, s;
} pose;

static pose pose_at(const cst_obstacle *obstacle, double time)
{
    double translation[3], rotation[3];
    cst_motion_sample(&obstacle->def.motion, time, translation, rotation, NULL, NULL);
    return (pose){.x = {obstacle->def.position[0] + translation[0], obstacle->def.position[1] + translation[1]},
                  .angle = rotation[2],
                  .c = cos(rotation[2]),
                  .s = sin(rotation[2])};
}

static void to_world(const pose *at, const double *from, double *to)
{
    const double x = from[0], y = from[1];
    to[0] = at->x[0] + at->c * x - at->s * y;
    to[1] = at->x[1] + at->s * x + at->c * y;
}

static void to_own(const pose *at, const double *from, double *to)
{
    const double x = from[0] - at->x[0], y = from[1] - at->x[1];
    to[0] = at->c * x + at->s * y;
    to[1] = at->c * y - at->s * x;
}

void cst_obstacle_arc(const cst_obstacle *obstacle, double time, int index, cst_arc *out)
{
    const cst_obstacle_def *def = &obstacle->def;
    const pose now = pose_at(obstacle, time);
    *out = (cst_arc){.x = {now.x[0], now.x[1]}, .angle = now.angle, .radius = def->radius, .feature = index};
    if (def->shape == CST_OBSTACLE_DISK) {
        out->hollow = def->hollow;
        return;
    }
    out->s = obstacle->s[index];
    out->l = obstacle->s[index + 1] - obstacle->s[index];
    out->owner_length = obstacle->s[obstacle->arcs];
    out->solid = def->solid;
    if (def->shape == CST_OBSTACLE_ARC) {
        out->angle += def->angle;
        out->k = def->curvature;
        return;
    }
    const double *from = def->point + 2 * index, *to = def->point + 2 * ((index + 1) % def->points);
    to_world(&now, from, out->x);
    out->angle += atan2(to[1] - from[1], to[0] - from[0]);
    out->owner_closed = def->closed;
}

void cst_obstacle_half_plane(const cst_obstacle *obstacle, double time, cst_half_plane *out)
{
    const double *normal = obstacle->def.normal;
    const pose now = pose_at(obstacle, time);
    *out = (cst_half_plane){.normal = {now.c * normal[0] - now.s * normal[1], now.s * normal[0] + now.c * normal[1]}};
    out->height = out->normal[0] * now.x[0] + out->normal[1] * now.x[1];
}

void cst_obstacle_velocity(const cst_obstacle *obstacle, double time, double dt, double when, const double *point,
                           double *velocity, double *turn)
{
    if (obstacle->def.motion.keys == 0) {
        velocity[0] = velocity[1] = *turn = 0.0;
        return;
    }
    const pose then = pose_at(obstacle, when), before = pose_at(obstacle, time), after = pose_at(obstacle, time + dt);
    double own[2], from[2], to[2];
    to_own(&then, point, own);
    to_world(&before, own, from);
    to_world(&after, own, to);
    velocity[0] = (to[0] - from[0]) / dt;
    velocity[1] = (to[1] - from[1]) / dt;
    *turn = (after.angle - before.angle) / dt;
}

/* -------------------------------------------------------------------------------------------------------------- drawing */

enum { VERTICES_PER_TURN = 96, PIECES_LEAST = 16 };

/* Draws an arc as a polyline with vertices at equal angles. A curved arc is drawn with at least PIECES_LEAST chords: drawn as one
 * chord, an arc of length 0.2 m and curvature 0.14 1/m would have an error of 0.7 mm. The chord of an arc with the curvature k
 * and the length l has the length l sin(k l / 2) / (k l / 2). The angle between the chord of an arc and the tangent at its start
 * is half the turning angle of the arc. */
static cst_drawing draw_arc(const cst_obstacle *obstacle, double time, double *position, double *radius)
{
    cst_arc arc;
    cst_obstacle_arc(obstacle, time, 0, &arc);
    const int pieces = (arc.k != 0.0 ? PIECES_LEAST : 1) + (int)(VERTICES_PER_TURN * fabs(arc.k * arc.l) / TWO_PI);
    for (int i = 0; i <= pieces; i++) {
        const double l = arc.l * i / pieces, half = 0.5 * arc.k * l, chord = half != 0.0 ? l * sin(half) / half : l;
        cst_draw_vertex(arc.x[0] + chord * cos(arc.angle + half), arc.x[1] + chord * sin(arc.angle + half), arc.radius, i,
                        position, radius);
    }
    return (cst_drawing){.as = CST_DRAWN_CURVE, .vertices = pieces + 1};
}

cst_drawing cst_obstacle_draw(const cst_obstacle *obstacle, double time, double *position, double *radius)
{
    const cst_obstacle_def *def = &obstacle->def;
    if (cst_obstacle_is_solid(obstacle))
        return cst_obstacle_space_draw(obstacle, time, position, radius);
    const pose now = pose_at(obstacle, time);
    switch (def->shape) {
    case CST_OBSTACLE_HALF_PLANE: {
        cst_half_plane plane;
        cst_obstacle_half_plane(obstacle, time, &plane);
        cst_draw_vertex(now.x[0], now.x[1], 0.0, 0, position, radius);
        cst_draw_vertex(now.x[0] + plane.normal[0], now.x[1] + plane.normal[1], 0.0, 1, position, radius);
        return (cst_drawing){.as = CST_DRAWN_HALF_PLANE, .vertices = 2};
    }
    case CST_OBSTACLE_DISK:
        cst_draw_vertex(now.x[0], now.x[1], def->radius, 0, position, radius);
        cst_draw_vertex(now.x[0] + def->radius * now.c, now.x[1] + def->radius * now.s, def->radius, 1, position, radius);
        return (cst_drawing){.as = def->hollow ? CST_DRAWN_HOLLOW_DISK : CST_DRAWN_DISK, .vertices = 2};
    case CST_OBSTACLE_ARC:
        return draw_arc(obstacle, time, position, radius);
    default:
        break;
    }
    for (int i = 0; i < def->points; i++) {
        double x[2];
        to_world(&now, def->point + 2 * i, x);
        cst_draw_vertex(x[0], x[1], def->radius, i, position, radius);
    }
    return (cst_drawing){
        .as = def->closed && def->solid ? CST_DRAWN_OUTLINE : CST_DRAWN_CURVE, .vertices = def->points, .closed = def->closed};
}

/* ------------------------------------------------------------------------------------------------------------- creation */

static bool check_chain(const cst_obstacle_def *def, char *message, size_t size)
{
    const int least = def->closed ? 3 : 2;
    if (def->points < least || !def->point) {
        snprintf(message, size, "obstacle: a%s chain needs at least %d points, not %d", def->closed ? " closed" : "", least,
                 def->point ? def->points : 0);
        return false;
    }
    for (int i = 0; i < 2 * def->points; i++)
        if (!isfinite(def->point[i])) {
            snprintf(message, size, "obstacle: point %d of the chain is not finite", i / 2);
            return false;
        }
    for (int i = 0; i < def->points - (def->closed ? 0 : 1); i++) {
        const double *from = def->point + 2 * i, *to = def->point + 2 * ((i + 1) % def->points);
        if (!(hypot(to[0] - from[0], to[1] - from[1]) > 0.0)) {
            snprintf(message, size, "obstacle: points %d and %d of the chain are the same", i, (i + 1) % def->points);
            return false;
        }
    }
    return true;
}

static bool check_arc(const cst_obstacle_def *def, char *message, size_t size)
{
    if (!isfinite(def->angle) || !isfinite(def->curvature) || !(def->length > 0.0) || !isfinite(def->length))
        snprintf(message, size, "obstacle: an arc needs a finite angle and curvature and a positive length, not %g m",
                 def->length);
    else if (fabs(def->curvature * def->length) > TWO_PI * (1.0 + 1e-12))
        snprintf(message, size, "obstacle: the arc goes more than once round its circle (curvature x length = %g)",
                 def->curvature * def->length);
    else
        return true;
    return false;
}

static bool check(const cst_obstacle_def *def, char *message, size_t size)
{
    const double normal = hypot(def->normal[0], def->normal[1]);
    if (!isfinite(def->position[0]) || !isfinite(def->position[1]) || !isfinite(def->position[2])) {
        snprintf(message, size, "obstacle: the position is not finite");
        return false;
    }
    if (!(def->radius >= 0.0) || !isfinite(def->radius)) {
        snprintf(message, size, "obstacle: the radius must be 0 or more, not %g m", def->radius);
        return false;
    }
    if (!cst_motion_check(&def->motion, "motion of an obstacle", message, size))
        return false;
    switch (def->shape) {
    case CST_OBSTACLE_HALF_PLANE:
        if (normal > 0.0 && isfinite(normal))
            return true;
        snprintf(message, size, "obstacle: the normal of the half-plane must be a direction, not (%g, %g)", def->normal[0],
                 def->normal[1]);
        return false;
    case CST_OBSTACLE_DISK:
        if (def->radius > 0.0)
            return true;
        snprintf(message, size, "obstacle: the radius of a disk must be positive, not %g m", def->radius);
        return false;
    case CST_OBSTACLE_CHAIN:
        return check_chain(def, message, size);
    case CST_OBSTACLE_ARC:
        return check_arc(def, message, size);
    default:
        return cst_obstacle_space_check(def, message, size);
    }
}

static int arcs_of(const cst_obstacle_def *def)
{
    if (def->shape == CST_OBSTACLE_HALF_PLANE || def->shape > CST_OBSTACLE_ARC)
        return 0;
    return def->shape == CST_OBSTACLE_CHAIN ? def->points - (def->closed ? 0 : 1) : 1;
}

static void measure(cst_obstacle *obstacle)
{
    const cst_obstacle_def *def = &obstacle->def;
    if (def->shape == CST_OBSTACLE_ARC)
        obstacle->s[1] = def->length;
    if (def->shape != CST_OBSTACLE_CHAIN)
        return;
    for (int i = 0; i < obstacle->arcs; i++) {
        const double *from = def->point + 2 * i, *to = def->point + 2 * ((i + 1) % def->points);
        obstacle->s[i + 1] = obstacle->s[i] + hypot(to[0] - from[0], to[1] - from[1]);
    }
}

bool cst_obstacle_create(const cst_obstacle_def *def, cst_arena *arena, cst_obstacle *out, char *message, size_t message_size)
{
    if (!check(def, message, message_size))
        return false;
    const int coordinates = def->shape == CST_OBSTACLE_CHAIN ? 2 * def->points : 0;
    const size_t letters = def->name ? strlen(def->name) + 1 : 0;
    *out = (cst_obstacle){.def = *def, .arcs = arcs_of(def)};
    char *name = CST_TAKE(arena, char, letters);
    double *point = CST_TAKE(arena, double, coordinates);
    out->s = CST_TAKE(arena, double, out->arcs + 1);
    if (arena->failed || !cst_motion_copy(arena, &def->motion, &out->def.motion)) {
        snprintf(message, message_size, "obstacle: out of memory");
        return false;
    }
    if (letters > 0)
        memcpy(name, def->name, letters);
    if (coordinates > 0)
        memcpy(point, def->point, sizeof(double) * (size_t)coordinates);
    out->def.name = letters > 0 ? name : NULL;
    out->def.point = point;
    if (def->shape == CST_OBSTACLE_HALF_PLANE) {
        const double length = hypot(def->normal[0], def->normal[1]);
        out->def.normal[0] /= length;
        out->def.normal[1] /= length;
    }
    measure(out);
    return !cst_obstacle_is_solid(out) || cst_obstacle_space_keep(out, arena, message, message_size);
}

void cst_obstacle_destroy(cst_obstacle *obstacle)
{
    cst_mesh_space_destroy(obstacle->mesh);
    cst_feature_mesh_destroy(obstacle->features);
    obstacle->mesh = NULL;
    obstacle->features = NULL;
}
