#include "world/constraint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/motion.h"
#include "world/point_motion.h"

static const double PI = 3.141592653589793;
static const double APART_MAX = 1e-6; /* m */

typedef struct frame {
    double x[2], angle;
    double velocity[2], turn; /* of the world's motion; zero for a body, whose motion is an unknown */
} frame;

static void turned(double angle, const double *from, double *to)
{
    const double c = cos(angle), s = sin(angle), x = from[0], y = from[1];
    to[0] = c * x - s * y;
    to[1] = s * x + c * y;
}

/* In (-pi, pi]. */
static double wrapped(double angle)
{
    const double rest = remainder(angle, 2.0 * PI);
    return rest <= -PI ? rest + 2.0 * PI : rest;
}

static bool holds_place(cst_constraint_kind kind)
{
    return kind == CST_CONSTRAINT_PINNED || kind == CST_CONSTRAINT_CLAMPED;
}

static bool holds_angle(cst_constraint_kind kind)
{
    return kind == CST_CONSTRAINT_CLAMPED || kind == CST_CONSTRAINT_GUIDED;
}

int cst_constraint_rows(const cst_constraint *constraint)
{
    return (holds_place(constraint->kind) ? 2 : 1) + (holds_angle(constraint->kind) ? 1 : 0);
}

bool cst_constraint_active(const cst_constraint *constraint, double time, double dt)
{
    /* A release that falls on the start of a step is not missed for the rounding of a sum of steps. */
    return constraint->release_time < 0.0 || time < constraint->release_time - 1e-9 * dt;
}

/* ------------------------------------------------------------------------------------------------------------------ rows */

static frame frame_of_b(const cst_constraint *constraint, const cst_point_motion *b, double time)
{
    if (b)
        return (frame){.x = {b->position[0], b->position[1]}, .angle = b->frame_angle};
    double translation[3], rotation[3], velocity[3], turn[3];
    cst_motion_sample(&constraint->motion, time, translation, rotation, velocity, turn);
    return (frame){.x = {constraint->point[0] + translation[0], constraint->point[1] + translation[1]},
                   .angle = rotation[2],
                   .velocity = {velocity[0], velocity[1]},
                   .turn = turn[2]};
}

void cst_constraint_linearise(const cst_constraint *constraint, const cst_point_motion *a, const cst_point_motion *b, double time,
                              cst_constraint_row *rows)
{
    const frame of_b = frame_of_b(constraint, b, time);
    const double apart[2] = {a->position[0] - of_b.x[0], a->position[1] - of_b.x[1]};
    int count = 0;
    if (holds_place(constraint->kind)) {
        double offset[2];
        turned(of_b.angle, constraint->offset, offset);
        rows[count++] = (cst_constraint_row){.value = apart[0] - offset[0], .c = {1.0, 0.0}, .turn_b = -offset[1]};
        rows[count++] = (cst_constraint_row){.value = apart[1] - offset[1], .c = {0.0, 1.0}, .turn_b = offset[0]};
    } else {
        const double *o = constraint->offset, *along = constraint->along;
        double d[2];
        turned(of_b.angle, along, d);
        rows[count++] = (cst_constraint_row){.value = (apart[1] * d[0] - apart[0] * d[1]) - (o[1] * along[0] - o[0] * along[1]),
                                             .c = {-d[1], d[0]},
                                             .turn_b = d[0] * apart[0] + d[1] * apart[1]};
    }
    if (holds_angle(constraint->kind))
        rows[count++] =
            (cst_constraint_row){.value = wrapped(a->frame_angle - of_b.angle - constraint->angle), .turn_a = 1.0, .turn_b = 1.0};
    for (int i = 0; i < count; i++)
        rows[i].target = rows[i].c[0] * of_b.velocity[0] + rows[i].c[1] * of_b.velocity[1] + rows[i].turn_b * of_b.turn;
}

double cst_constraint_error(const cst_constraint *constraint, const cst_body_model *body, double time, cst_point_motion *room)
{
    if (!cst_constraint_active(constraint, time, 0.0))
        return 0.0;
    for (int side = 0; side < 2; side++)
        if (constraint->body[side] >= 0) {
            const cst_body_model *on = body + constraint->body[side];
            on->class->point(on->self, constraint->at + side, room + side);
        }
    cst_constraint_row rows[CST_CONSTRAINT_ROWS_MAX];
    cst_constraint_linearise(constraint, room, constraint->body[1] >= 0 ? room + 1 : NULL, time, rows);
    return holds_place(constraint->kind) ? hypot(rows[0].value, rows[1].value) : fabs(rows[0].value);
}

/* -------------------------------------------------------------------------------------------------------------- creation */

static bool check(const cst_constraint_def *def, int bodies, char *message, size_t size)
{
    const bool slides = !holds_place(def->kind);
    const double direction = hypot(def->direction[0], def->direction[1]);
    if (def->kind < CST_CONSTRAINT_PINNED || def->kind > CST_CONSTRAINT_GUIDED)
        snprintf(message, size, "constraint: no such kind: %d", (int)def->kind);
    else if (def->a.body == 0 || def->a.body > (cst_body_id)bodies)
        snprintf(message, size, "constraint: a must be a place of a body, and there is no body %u", def->a.body);
    else if (def->b.body > (cst_body_id)bodies)
        snprintf(message, size, "constraint: b is on body %u, which does not exist", def->b.body);
    else if (def->b.body != 0 && def->motion.keys > 0)
        snprintf(message, size, "constraint: only the world can be moved by a motion, but b is on body %u", def->b.body);
    else if (def->b.body == 0 && !def->b_follows_a && !(isfinite(def->b.point[0]) && isfinite(def->b.point[1])))
        snprintf(message, size, "constraint: the point of b is not finite");
    else if (slides && !(direction > 0.0 && isfinite(direction)))
        snprintf(message, size, "constraint: needs a direction to slide along, not (%g, %g)", def->direction[0],
                 def->direction[1]);
    else if (isnan(def->release_time))
        snprintf(message, size, "constraint: the release time is not a number");
    else
        return cst_motion_check(&def->motion, "motion of a constraint", message, size);
    return false;
}

static bool locate(const cst_place *place, const char *which, const cst_body_model *body, cst_material_point *at,
                   cst_point_motion *motion, char *message, size_t size)
{
    if (!body->class->locate(body->self, place, at)) {
        snprintf(message, size, "constraint: %s is not a place of body %u (s = %g m)", which, place->body, place->s);
        return false;
    }
    body->class->point(body->self, at, motion);
    return true;
}

/* b at a: the world's point, or the point of a rigid body that is there now. A rod has its places along s only: there the
 * relation that is held is the one between a and the given s. */
static bool bring_b(const cst_place *given, const cst_body_model *body, const cst_point_motion *a, cst_constraint *out,
                    cst_point_motion *b, char *message, size_t size)
{
    double arm[2] = {a->position[0] - b->position[0], a->position[1] - b->position[1]};
    turned(-b->frame_angle, arm, arm);
    cst_place moved = *given;
    moved.point[0] += arm[0];
    moved.point[1] += arm[1];
    return locate(&moved, "b", body, out->at + 1, b, message, size);
}

static bool relate(const cst_constraint_def *def, const cst_body_model *body, const cst_point_motion *a, cst_point_motion *b,
                   cst_constraint *out, char *message, size_t size)
{
    if (def->b.body > 0) {
        const cst_body_model *on = body + out->body[1];
        if (!locate(&def->b, "b", on, out->at + 1, b, message, size) ||
            (def->b_follows_a && !bring_b(&def->b, on, a, out, b, message, size)))
            return false;
    } else {
        const double *point = def->b_follows_a ? a->position : def->b.point;
        memcpy(out->point, point, sizeof out->point);
        memcpy(b->position, point, sizeof out->point);
        b->frame_angle = 0.0;
    }
    const double apart[2] = {a->position[0] - b->position[0], a->position[1] - b->position[1]};
    if (holds_place(def->kind) && !def->b_follows_a && !(hypot(apart[0], apart[1]) <= APART_MAX)) {
        snprintf(message, size, "constraint: a at (%g, %g) and b at (%g, %g) are %g m apart", a->position[0], a->position[1],
                 b->position[0], b->position[1], hypot(apart[0], apart[1]));
        return false;
    }
    turned(-b->frame_angle, apart, out->offset);
    out->angle = a->frame_angle - b->frame_angle;
    if (!holds_place(def->kind)) {
        const double length = hypot(def->direction[0], def->direction[1]);
        const double unit[2] = {def->direction[0] / length, def->direction[1] / length};
        turned(-b->frame_angle, unit, out->along);
    }
    return true;
}

bool cst_constraint_create(const cst_constraint_def *def, const cst_body_model *body, int bodies, cst_arena *arena,
                           cst_constraint *out, char *message, size_t message_size)
{
    if (!check(def, bodies, message, message_size))
        return false;
    *out = (cst_constraint){
        .kind = def->kind, .body = {(int32_t)def->a.body - 1, (int32_t)def->b.body - 1}, .release_time = def->release_time};
    const cst_body_model *on_a = body + out->body[0], *on_b = out->body[1] >= 0 ? body + out->body[1] : on_a;

    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_point_motion a, b;
    bool good = cst_point_motion_take(arena, on_a, 2, &a) && cst_point_motion_take(arena, on_b, 2, &b);
    if (good && (!locate(&def->a, "a", on_a, out->at, &a, message, message_size) ||
                 !relate(def, body, &a, &b, out, message, message_size))) {
        cst_arena_release(arena, mark);
        return false;
    }
    cst_arena_release(arena, mark);

    const size_t letters = def->name ? strlen(def->name) + 1 : 0;
    char *name = CST_TAKE(arena, char, letters);
    if (!good || !name || !cst_motion_copy(arena, &def->motion, &out->motion)) {
        snprintf(message, message_size, "constraint: out of memory");
        return false;
    }
    if (letters > 0)
        out->name = memcpy(name, def->name, letters);
    return true;
}
