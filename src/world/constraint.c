#include "world/constraint.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/motion.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "world/point_motion.h"

static const double PI = 3.141592653589793;
/* APART_MAX: largest allowed distance (m) between the points a and b when a pinned or clamped constraint is created without
 * b_follows_a */
static const double APART_MAX = 1e-6;

typedef struct frame {
    double x[3], angle, R[9];
    /* velocity and angular velocity of the constraint's point b if it is a point of the world; zero if point b is on a body */
    double velocity[3], turn[3];
} frame;

/* Rotates a vector from the frame of the constraint's point b to the world's frame. The function `turned_back` rotates a vector
 * from the world's frame to the frame of point b. */
static void turned(int dim, const frame *of_b, const double *from, double *to)
{
    if (dim == 3) {
        cst_apply3(of_b->R, from, to);
        return;
    }
    const double c = cos(of_b->angle), s = sin(of_b->angle);
    to[0] = c * from[0] - s * from[1];
    to[1] = s * from[0] + c * from[1];
    to[2] = 0.0;
}

static void turned_back(int dim, const frame *of_b, const double *from, double *to)
{
    if (dim == 3) {
        cst_apply_transposed3(of_b->R, from, to);
        return;
    }
    const double c = cos(-of_b->angle), s = sin(-of_b->angle);
    to[0] = c * from[0] - s * from[1];
    to[1] = s * from[0] + c * from[1];
    to[2] = 0.0;
}

/* Returns the angle in (-pi, pi]. */
static double wrapped(double angle)
{
    const double rest = remainder(angle, 2.0 * PI);
    return rest <= -PI ? rest + 2.0 * PI : rest;
}

static bool holds_place(cst_constraint_kind kind)
{
    return kind == CST_CONSTRAINT_PINNED || kind == CST_CONSTRAINT_CLAMPED;
}

static bool holds_rotation(cst_constraint_kind kind)
{
    return kind == CST_CONSTRAINT_CLAMPED || kind == CST_CONSTRAINT_GUIDED;
}

int cst_constraint_rows(const cst_constraint *constraint)
{
    const int dim = constraint->dim;
    return (holds_place(constraint->kind) ? dim : dim - 1) + (holds_rotation(constraint->kind) ? 2 * dim - 3 : 0);
}

bool cst_constraint_active(const cst_constraint *constraint, double time, double dt)
{
    /* A constraint that is released at the start of a step must not act in this step; the tolerance of 1e-9 dt allows for
     * rounding errors in the sum of the time steps. */
    return constraint->release_time < 0.0 || time < constraint->release_time - 1e-9 * dt;
}

static double elastic_energy(const cst_body_model *model)
{
    static const double NO_GRAVITY[3] = {0.0, 0.0, 0.0};
    cst_body_energy energy;
    model->class->dynamics->energy(model->self, NO_GRAVITY, &energy);
    return energy.elastic;
}

double cst_constraint_hold_frame(cst_constraint *constraint, const cst_body_model *body, bool held)
{
    double change = 0.0;
    for (int side = 0; side < 2 && held != constraint->frames_held; side++) {
        const cst_body_model *model = constraint->body[side] >= 0 ? body + constraint->body[side] : NULL;
        if (model && model->class->dynamics->hold_frame) {
            change -= elastic_energy(model);
            model->class->dynamics->hold_frame(model->self, constraint->at + side, held);
            change += elastic_energy(model);
        }
    }
    constraint->frames_held = held;
    return change;
}

double cst_constraints_hold_frames(cst_constraint *constraint, int constraints, const cst_body_model *body, double time,
                                   double dt)
{
    double change = 0.0;
    for (int k = 0; k < constraints; k++)
        change += cst_constraint_hold_frame(
            constraint + k, body, holds_rotation(constraint[k].kind) && cst_constraint_active(constraint + k, time, dt));
    return change;
}

/* ------------------------------------------------------------------------------------------------------------------ rows */

static frame frame_of_point(const cst_point_motion *point)
{
    frame of = {.x = {point->position[0], point->position[1], point->position[2]}, .angle = point->frame_angle};
    memcpy(of.R, point->frame, sizeof of.R);
    return of;
}

static frame frame_of_b(const cst_constraint *constraint, const cst_point_motion *b, double time)
{
    if (b)
        return frame_of_point(b);
    double translation[3], rotation[3];
    frame of = {0};
    cst_motion_sample(&constraint->motion, time, translation, rotation, of.velocity, of.turn);
    for (int c = 0; c < 3; c++)
        of.x[c] = constraint->point[c] + translation[c];
    of.angle = rotation[2];
    if (constraint->dim == 3) {
        double rate[3] = {of.turn[0], of.turn[1], of.turn[2]};
        cst_rotation_vector_exp(rotation, of.R);
        cst_rotation_vector_mean(rotation, rate, of.turn);
    }
    return of;
}

static int place_rows(const cst_constraint *constraint, const frame *of_b, const double *apart, cst_constraint_row *rows)
{
    double offset[3];
    turned(constraint->dim, of_b, constraint->offset, offset);
    for (int i = 0; i < constraint->dim; i++) {
        rows[i] = (cst_constraint_row){.value = apart[i] - offset[i]};
        rows[i].c[i] = 1.0;
        cst_cross3(offset, rows[i].c, rows[i].turn_b);
    }
    return constraint->dim;
}

/* Computes the rows (scalar equations) of a sliding constraint. The value of a row of a sliding constraint is d - d_0. The signed
 * distance d from point b to point a is measured along a unit vector m perpendicular to the sliding direction, and d_0 is the
 * initial value of d. The distance d is the dot product of m and the vector `apart` from point b to point a. The unit vector m of
 * a sliding constraint turns with the angular velocity omega_b of point b. With the velocities v_a and v_b of the points a and b,
 * the time derivative of the row's value is:
 *     `rate = m.(v_a-v_b) - cross(apart,m).omega_b`. */
static int sliding_rows(const cst_constraint *constraint, const frame *of_b, const double *apart, cst_constraint_row *rows)
{
    for (int i = 0; i < constraint->dim - 1; i++) {
        const double *n = constraint->across[i];
        rows[i] = (cst_constraint_row){0};
        turned(constraint->dim, of_b, n, rows[i].c);
        rows[i].value = cst_dot3(apart, rows[i].c) - cst_dot3(constraint->offset, n);
        cst_cross3(apart, rows[i].c, rows[i].turn_b);
    }
    return constraint->dim - 1;
}

static int rotation_rows(const cst_constraint *constraint, const cst_point_motion *a, const frame *of_b, cst_constraint_row *rows)
{
    if (constraint->dim == 2) {
        rows[0] = (cst_constraint_row){.value = wrapped(a->frame_angle - of_b->angle - constraint->angle),
                                       .turn_a = {0.0, 0.0, 1.0},
                                       .turn_b = {0.0, 0.0, 1.0}};
        return 1;
    }
    double target[9], off[9], w[3];
    cst_product3(of_b->R, constraint->relative, target);
    cst_product_transposed3(a->frame, target, off);
    cst_rotation_log(off, w);
    for (int i = 0; i < 3; i++) {
        rows[i] = (cst_constraint_row){.value = w[i]};
        rows[i].turn_a[i] = rows[i].turn_b[i] = 1.0;
    }
    return 3;
}

void cst_constraint_linearise(const cst_constraint *constraint, const cst_point_motion *a, const cst_point_motion *b, double time,
                              cst_constraint_row *rows)
{
    assert(a);
    const frame of_b = frame_of_b(constraint, b, time);
    double apart[3];
    cst_subtract3(a->position, of_b.x, apart);
    int count =
        holds_place(constraint->kind) ? place_rows(constraint, &of_b, apart, rows) : sliding_rows(constraint, &of_b, apart, rows);
    if (holds_rotation(constraint->kind))
        count += rotation_rows(constraint, a, &of_b, rows + count);
    for (int i = 0; i < count; i++)
        rows[i].target = cst_dot3(rows[i].c, of_b.velocity) + cst_dot3(rows[i].turn_b, of_b.turn);
}

double cst_constraint_error(const cst_constraint *constraint, const cst_body_model *body, double time, cst_point_motion *room)
{
    if (!cst_constraint_active(constraint, time, 0.0))
        return 0.0;
    for (int side = 0; side < 2; side++)
        if (constraint->body[side] >= 0) {
            const cst_body_model *on = body + constraint->body[side];
            on->class->places->point(on->self, constraint->at + side, room + side);
        }
    cst_constraint_row rows[CST_CONSTRAINT_ROWS_MAX];
    cst_constraint_linearise(constraint, room, constraint->body[1] >= 0 ? room + 1 : NULL, time, rows);
    double square = 0.0;
    for (int i = 0; i < (holds_place(constraint->kind) ? constraint->dim : constraint->dim - 1); i++)
        square += rows[i].value * rows[i].value;
    return sqrt(square);
}

/* -------------------------------------------------------------------------------------------------------------- creation */

static bool all_finite(const double *x)
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static bool check(const cst_constraint_def *def, int dim, int bodies, char *message, size_t size)
{
    const bool slides = !holds_place(def->kind);
    const double direction =
        dim == 2 ? hypot(def->direction[0], def->direction[1]) : sqrt(cst_dot3(def->direction, def->direction));
    if (def->kind < CST_CONSTRAINT_PINNED || def->kind > CST_CONSTRAINT_GUIDED)
        snprintf(message, size, "constraint: no such kind: %d", (int)def->kind);
    else if (def->a.body == 0 || def->a.body > (cst_body_id)bodies)
        snprintf(message, size, "constraint: a must be a place of a body, and there is no body %u", def->a.body);
    else if (def->b.body > (cst_body_id)bodies)
        snprintf(message, size, "constraint: b is on body %u, which does not exist", def->b.body);
    else if (def->b.body != 0 && def->motion.keys > 0)
        snprintf(message, size, "constraint: only the world can be moved by a motion, but b is on body %u", def->b.body);
    else if (def->b.body == 0 && !def->b_follows_a && !all_finite(def->b.point))
        snprintf(message, size, "constraint: the point of b is not finite");
    else if (slides && !(direction > 0.0 && isfinite(direction)))
        snprintf(message, size, "constraint: needs a direction to slide along, not (%g, %g, %g)", def->direction[0],
                 def->direction[1], def->direction[2]);
    else if (isnan(def->release_time))
        snprintf(message, size, "constraint: the release time is not a number");
    else
        return cst_motion_check(&def->motion, "motion of a constraint", message, size);
    return false;
}

static bool locate(const cst_place *place, const char *which, const cst_body_model *body, cst_material_point *at,
                   cst_point_motion *motion, char *message, size_t size)
{
    if (!body->class->places->locate(body->self, place, at)) {
        snprintf(message, size, "constraint: %s is not a place of body %u (s = %g m)", which, place->body, place->s);
        return false;
    }
    body->class->places->point(body->self, at, motion);
    return true;
}

/* If point b of a constraint is on a rigid body, moves point b to the position of point a, as the user has requested
 * (b_follows_a). A point b on a rod stays at its arc length, and the constraint keeps the initial offset between the points a and
 * b. */
static bool bring_b(const cst_place *given, int dim, const cst_body_model *body, const cst_point_motion *a, cst_constraint *out,
                    cst_point_motion *b, char *message, size_t size)
{
    const frame of_b = frame_of_point(b);
    double apart[3], arm[3];
    cst_subtract3(a->position, b->position, apart);
    turned_back(dim, &of_b, apart, arm);
    cst_place moved = *given;
    for (int c = 0; c < 3; c++)
        moved.point[c] += arm[c];
    return locate(&moved, "b", body, out->at + 1, b, message, size);
}

/* Computes the unit vectors perpendicular to the sliding direction, in the frame of point b: two vectors in 3D, and one vector in
 * 2D (the sliding direction turned by 90 degrees). */
static void find_across(const double *direction, int dim, const frame *of_b, cst_constraint *out)
{
    static const double Z[3] = {0.0, 0.0, 1.0};
    double unit[3] = {direction[0], direction[1], dim == 2 ? 0.0 : direction[2]}, d[3];
    const double length = dim == 2 ? hypot(unit[0], unit[1]) : sqrt(cst_dot3(unit, unit));
    for (int c = 0; c < 3; c++)
        unit[c] /= length;
    turned_back(dim, of_b, unit, d);
    if (dim == 2) {
        cst_cross3(Z, d, out->across[0]);
        return;
    }
    int least = 0;
    for (int c = 1; c < 3; c++)
        if (fabs(d[c]) < fabs(d[least]))
            least = c;
    double axis[3] = {0};
    axis[least] = 1.0;
    cst_cross3(axis, d, out->across[0]);
    cst_normalise3(out->across[0]);
    cst_cross3(d, out->across[0], out->across[1]);
}

static bool relate(const cst_constraint_def *def, const cst_body_model *body, const cst_point_motion *a, cst_point_motion *b,
                   cst_constraint *out, char *message, size_t size)
{
    const int dim = out->dim;
    if (def->b.body > 0) {
        const cst_body_model *on = body + out->body[1];
        if (!locate(&def->b, "b", on, out->at + 1, b, message, size) ||
            (def->b_follows_a && !bring_b(&def->b, dim, on, a, out, b, message, size)))
            return false;
    } else {
        static const double IDENTITY[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
        const double *point = def->b_follows_a ? a->position : def->b.point;
        for (int c = 0; c < 3; c++)
            out->point[c] = b->position[c] = c < dim ? point[c] : 0.0;
        b->frame_angle = 0.0;
        memcpy(b->frame, IDENTITY, sizeof b->frame);
    }
    double apart[3];
    cst_subtract3(a->position, b->position, apart);
    const double distance = sqrt(cst_dot3(apart, apart));
    if (holds_place(def->kind) && !def->b_follows_a && !(distance <= APART_MAX)) {
        if (dim == 2)
            snprintf(message, size, "constraint: a at (%g, %g) and b at (%g, %g) are %g m apart", a->position[0], a->position[1],
                     b->position[0], b->position[1], distance);
        else
            snprintf(message, size, "constraint: a at (%g, %g, %g) and b at (%g, %g, %g) are %g m apart", a->position[0],
                     a->position[1], a->position[2], b->position[0], b->position[1], b->position[2], distance);
        return false;
    }
    const frame of_b = frame_of_point(b);
    turned_back(dim, &of_b, apart, out->offset);
    out->angle = a->frame_angle - b->frame_angle;
    if (dim == 3)
        cst_transposed_product3(b->frame, a->frame, out->relative);
    if (!holds_place(def->kind))
        find_across(def->direction, dim, &of_b, out);
    return true;
}

bool cst_constraint_create(const cst_constraint_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena,
                           cst_constraint *out, char *message, size_t message_size)
{
    if (!check(def, dim, bodies, message, message_size))
        return false;
    *out = (cst_constraint){.kind = def->kind,
                            .dim = dim,
                            .body = {(int32_t)def->a.body - 1, (int32_t)def->b.body - 1},
                            .release_time = def->release_time};
    const cst_body_model *on_a = body + out->body[0], *on_b = out->body[1] >= 0 ? body + out->body[1] : on_a;

    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_point_motion a, b;
    bool good = cst_point_motion_take(arena, on_a, dim, &a) && cst_point_motion_take(arena, on_b, dim, &b);
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
