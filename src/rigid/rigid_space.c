#include "rigid/rigid_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "math/cholesky3.h"
#include "math/rotation.h"
#include "math/vector3.h"
#include "rigid/rigid_class.h"
#include "rigid/rigid_shape_space.h"
#include "rigid/solid_check.h"
#include "rigid/tumbling.h"

enum { DOFS = 6, STATE = 18 };

typedef struct rigid {
    cst_arena arena; /* arena that holds the struct `rigid` and all arrays */
    cst_rigid_shape_space shape;
    double mass, drag, angular_drag;
    double inertia[9], mobility[9]; /* inertia of the rigid body in body axes, and the inverse of the inertia */
    double fastest;                 /* upper bound of the largest eigenvalue of `mobility` (inverse of the inertia) */

    cst_rigid_pose now;
    double velocity[3], momentum[3];
    double spin[3]; /* angular velocity, from R and momentum */
    cst_rigid_pose placed;
    double matrix[DOFS * DOFS], inverse[6], rhs[DOFS];
    /* Cholesky factor for the friction solver */
    double factor[DOFS * (DOFS + 1) / 2];
    cst_body_work work;
} rigid;

/* ------------------------------------------------------------------------------------------------------------- dynamics */

/* Computes R S R^T x, with the rotation matrix R of a body and a matrix S in body axes. */
static void apply_in_body(const double *R, const double *S, const double *x, double *out)
{
    double own[3], moved[3];
    cst_apply_transposed3(R, x, own);
    cst_apply3(S, own, moved);
    cst_apply3(R, moved, out);
}

static void find_spin(rigid *body)
{
    apply_in_body(body->now.R, body->mobility, body->momentum, body->spin);
}

/* Rotation and angular velocity of the body at the end of a step without forces; a quasi-static step leaves the rotation
 * unchanged. */
typedef struct flight {
    double R[9], spin[3];
    double momentum[3], velocity[3]; /* at the start; 0 if quasi-static */
} flight;

static flight fly(const rigid *body, const cst_step_frame *frame, double time)
{
    flight out = {{0}, {0}, {0}, {0}};
    memcpy(out.R, body->now.R, sizeof out.R);
    if (frame->quasi_static)
        return out;
    memcpy(out.momentum, body->momentum, sizeof out.momentum);
    memcpy(out.velocity, body->velocity, sizeof out.velocity);
    cst_tumble(body->mobility, body->fastest, body->momentum, time, out.R);
    apply_in_body(out.R, body->mobility, body->momentum, out.spin);
    return out;
}

static double theta_mean(const cst_step_frame *frame, double before, double after)
{
    return frame->theta * after + (1.0 - frame->theta) * before;
}

/* Computes the pose of the body after the fraction `share` of a step that ends with the velocities v. */
static cst_rigid_pose pose_in_step(const rigid *body, const cst_step_frame *frame, const double *v, double share)
{
    const flight free = fly(body, frame, frame->dt);
    cst_rigid_pose out;
    double turn[3];
    for (int k = 0; k < 3; k++) {
        out.x[k] = body->now.x[k] + share * frame->dt * theta_mean(frame, free.velocity[k], v[k]);
        turn[k] = share * frame->dt * frame->theta * (v[3 + k] - free.spin[k]);
    }
    if (share == 1.0) {
        memcpy(out.R, free.R, sizeof out.R);
    } else {
        const flight part = fly(body, frame, share * frame->dt);
        memcpy(out.R, part.R, sizeof out.R);
    }
    cst_rotation_turn(turn, out.R);
    cst_rotation_mend(out.R);
    return out;
}

static int dofs(const void *self)
{
    (void)self;
    return DOFS;
}

static bool place(void *self, const cst_step_frame *frame, const double *v)
{
    rigid *body = self;
    body->placed = v ? pose_in_step(body, frame, v, 1.0) : body->now;
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += body->placed.x[k];
    for (int k = 0; k < 9; k++)
        sum += body->placed.R[k];
    return isfinite(sum);
}

/* Assembles the equations of a step, which are linear in the velocities, so that `guess` is not used. The system matrix contains
 * I_f, the inertia in world axes at the end of a step without forces; with theta = 1/2, this makes the scheme accurate to second
 * order in the time step. */
static bool assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    rigid *body = self;
    (void)guess;
    const flight free = fly(body, frame, frame->dt);
    const double implicit = frame->theta * frame->dt, explicit = (1.0 - frame->theta) * frame->dt;
    double half[9], block[9], factor[6], sum = 0.0;
    cst_product_transposed3(body->inertia, free.R, half);
    cst_product3(free.R, half, block);
    for (int k = 0; k < 3; k++) {
        block[4 * k] += implicit * body->angular_drag;
        body->rhs[k] =
            body->mass * free.velocity[k] + frame->dt * body->mass * frame->gravity[k] - explicit * body->drag * free.velocity[k];
        body->rhs[3 + k] = free.momentum[k] - explicit * body->angular_drag * free.spin[k];
        sum += body->rhs[k] + body->rhs[3 + k];
    }
    cst_mirror3(block);
    if (!(cst_cholesky3(block, factor) > 0.0) || !isfinite(sum)) {
        snprintf(message, message_size, "a rigid body's motion is not finite");
        return false;
    }
    cst_cholesky3_invert(factor, body->inverse);
    for (int i = 0; i < 3; i++) {
        body->matrix[i * (DOFS + 1)] = body->mass + implicit * body->drag;
        memcpy(body->matrix + (3 + i) * DOFS + 3, block + 3 * i, 3 * sizeof *block);
        body->factor[i * (i + 3) / 2] = 1.0 / sqrt(body->matrix[i * (DOFS + 1)]);
        memcpy(body->factor + (3 + i) * (4 + i) / 2 + 3, factor + i * (i + 1) / 2, sizeof *factor * (size_t)(i + 1));
    }
    return true;
}

static double *rhs(void *self)
{
    return ((rigid *)self)->rhs;
}

static bool solve(void *self, double *x)
{
    const rigid *body = self;
    const double turning[3] = {x[3], x[4], x[5]};
    for (int k = 0; k < 3; k++)
        x[k] /= body->matrix[0];
    cst_apply_upper3(body->inverse, turning, x + 3);
    return true;
}

static void describe(void *self, cst_body *out)
{
    const rigid *body = self;
    *out = (cst_body){.kind = CST_BODY_DENSE, .size = DOFS, .matrix = body->matrix, .factor = body->factor, .rhs = body->rhs};
}

/* Computes the translation and the rotation vector of the body in a step that ends with the velocities v. */
static void find_way(const rigid *body, const cst_step_frame *frame, const double *v, double *travel, double *turn)
{
    const double still = frame->quasi_static ? 0.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        travel[k] = frame->dt * theta_mean(frame, still * body->velocity[k], v[k]);
        turn[k] = frame->dt * theta_mean(frame, still * body->spin[k], v[3 + k]);
    }
}

/* A rotation does not move the surface of a sphere, but it moves the vertices of a box or mesh and the ends of a capsule. */
static double motion(const void *self, const cst_step_frame *frame, const double *v)
{
    const rigid *body = self;
    double travel[3], turn[3];
    find_way(body, frame, v, travel, turn);
    return sqrt(cst_dot3(travel, travel)) + sqrt(cst_dot3(turn, turn)) * body->shape.reach;
}

/* Returns an upper bound (m) of the error of displacements that are linearised in the rotation vector. The linearisation error of
 * a displacement is at most half the squared rotation angle times the distance of the point from the centre of mass. */
static double arc_spread(const rigid *body, const double *turn)
{
    return 0.5 * cst_dot3(turn, turn) * body->shape.reach;
}

static void piece_ways(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out)
{
    const rigid *body = self;
    double travel[3], turn[3];
    find_way(body, frame, v, travel, turn);
    if (cst_rigid_shape_pieces(&body->shape) == 0)
        return;
    cst_curve_piece piece = {0}; /* the centreline has one element */
    cst_rigid_shape_piece(&body->shape, &piece);
    for (int end = 0; end < 2; end++) {
        double x[3], arm[3];
        cst_rigid_shape_curve(&body->shape, &body->placed, end * piece.length, x, NULL);
        cst_subtract3(x, body->placed.x, arm);
        cst_cross3(turn, arm, out->way[end]);
        cst_add3(1.0, travel, out->way[end]);
    }
    out->spread = arc_spread(body, turn);
}

static void solid_way(const void *self, const cst_step_frame *frame, const double *v, int index, cst_solid_way *out)
{
    const rigid *body = self;
    cst_solid of;
    double arm[3];
    (void)index; /* there is only one solid */
    cst_rigid_shape_solid(&body->shape, &body->placed, &of);
    find_way(body, frame, v, out->way, out->turn);
    cst_subtract3(of.position, body->placed.x, arm);
    cst_add_cross3(out->turn, arm, out->way);
    out->spread = arc_spread(body, out->turn);
}

static double kinetic_energy(const rigid *body)
{
    return 0.5 * (body->mass * cst_dot3(body->velocity, body->velocity) + cst_dot3(body->spin, body->momentum));
}

static void finish(void *self, const cst_step_frame *frame, const double *v)
{
    rigid *body = self;
    const flight free = fly(body, frame, frame->dt);
    const cst_rigid_pose after = pose_in_step(body, frame, v, 1.0);
    double change[3], turned[3], momentum_change[3];
    body->work = (cst_body_work){.forgotten = frame->quasi_static ? -kinetic_energy(body) : 0.0};
    cst_subtract3(v + 3, free.spin, turned);
    cst_subtract3(v, free.velocity, change);
    apply_in_body(free.R, body->inertia, turned, momentum_change);
    body->work.scheme = -(frame->theta - 0.5) * (body->mass * cst_dot3(change, change) + cst_dot3(turned, momentum_change));
    for (int k = 0; k < 3; k++) {
        const double along = theta_mean(frame, free.velocity[k], v[k]), about = theta_mean(frame, free.spin[k], v[3 + k]);
        body->work.drag -= frame->dt * (body->drag * along * along + body->angular_drag * about * about);
        body->momentum[k] = free.momentum[k] + momentum_change[k];
        body->velocity[k] = v[k];
    }
    body->now = body->placed = after;
    find_spin(body);
}

static void energy(const void *self, const double *gravity, cst_body_energy *out)
{
    const rigid *body = self;
    *out = (cst_body_energy){.kinetic = kinetic_energy(body), .gravity = -body->mass * cst_dot3(gravity, body->now.x)};
}

static void work(const void *self, cst_body_work *out)
{
    *out = ((const rigid *)self)->work;
}

/* --------------------------------------------------------------------------------------------------------------- points */

static void point_of(const cst_rigid_pose *pose, const cst_material_point *at, cst_point_motion *out)
{
    double p[3];
    cst_apply3(pose->R, at->local, p);
    out->dofs = DOFS;
    for (int i = 0; i < DOFS; i++)
        out->dof[i] = i;
    const double j[3 * DOFS] = {1.0,   0.0, 0.0,  0.0, p[2], -p[1], 0.0,  1.0,   0.0,
                                -p[2], 0.0, p[0], 0.0, 0.0,  1.0,   p[1], -p[0], 0.0};
    memcpy(out->j, j, sizeof j);
    memset(out->j_turn, 0, sizeof(double[3 * DOFS]));
    for (int i = 0; i < 3; i++) {
        out->j_turn[i * DOFS + 3 + i] = 1.0;
        out->drift[i] = out->drift_turn[i] = 0.0;
        out->position[i] = pose->x[i] + p[i];
    }
    memcpy(out->frame, pose->R, sizeof out->frame);
    out->frame_angle = 0.0;
}

static void point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    point_of(&((const rigid *)self)->placed, at, out);
}

static void point_between(const void *self, const cst_step_frame *frame, const double *guess, const cst_material_point *at,
                          cst_point_motion *out)
{
    const rigid *body = self;
    double v[DOFS];
    if (guess) {
        memcpy(v, guess, sizeof v);
    } else { /* end of a step without forces */
        const flight free = fly(body, frame, frame->dt);
        memcpy(v, free.velocity, sizeof free.velocity);
        memcpy(v + 3, free.spin, sizeof free.spin);
    }
    const cst_rigid_pose pose = pose_in_step(body, frame, v, frame->theta);
    point_of(&pose, at, out);
}

static void velocities(const void *self, double *v)
{
    const rigid *body = self;
    memcpy(v, body->velocity, sizeof body->velocity);
    memcpy(v + 3, body->spin, sizeof body->spin);
}

static void velocity(const void *self, const cst_material_point *at, double *out, double *turn)
{
    const rigid *body = self;
    double p[3];
    cst_apply3(body->now.R, at->local, p);
    memcpy(out, body->velocity, sizeof body->velocity);
    cst_add_cross3(body->spin, p, out);
    memcpy(turn, body->spin, sizeof body->spin);
}

static void position(const void *self, const cst_material_point *at, double *out)
{
    const rigid *body = self;
    cst_apply3(body->now.R, at->local, out);
    cst_add3(1.0, body->now.x, out);
}

static bool locate(const void *self, const cst_place *at, cst_material_point *out)
{
    (void)self;
    *out = (cst_material_point){.local = {at->point[0], at->point[1], at->point[2]}};
    return isfinite(at->point[0]) && isfinite(at->point[1]) && isfinite(at->point[2]);
}

/* Contact points are material points. */
static bool touched(const void *self, const cst_material_place *at, double along, const double *x, cst_material_point *out)
{
    const rigid *body = self;
    double from_center[3];
    (void)at, (void)along;
    *out = (cst_material_point){0};
    cst_subtract3(x, body->placed.x, from_center);
    cst_apply_transposed3(body->placed.R, from_center, out->local);
    return false;
}

/* ---------------------------------------------------------------------------------------------------------------- state */

static void save(const void *self, double *to)
{
    const rigid *body = self;
    memcpy(to, body->now.x, sizeof body->now.x);
    memcpy(to + 3, body->now.R, sizeof body->now.R);
    memcpy(to + 12, body->velocity, sizeof body->velocity);
    memcpy(to + 15, body->momentum, sizeof body->momentum);
}

static void load(void *self, const double *from)
{
    rigid *body = self;
    memcpy(body->now.x, from, sizeof body->now.x);
    memcpy(body->now.R, from + 3, sizeof body->now.R);
    memcpy(body->velocity, from + 12, sizeof body->velocity);
    memcpy(body->momentum, from + 15, sizeof body->momentum);
    body->placed = body->now;
    find_spin(body);
}

/* --------------------------------------------------------------------------------------------------------------- shapes */

static int pieces(const void *self)
{
    return cst_rigid_shape_pieces(&((const rigid *)self)->shape);
}

static void piece(const void *self, int index, cst_curve_piece *out)
{
    (void)index;
    cst_rigid_shape_piece(&((const rigid *)self)->shape, out);
}

static void curve(const void *self, int index, double s, double *x, double *tangent)
{
    const rigid *body = self;
    (void)index;
    cst_rigid_shape_curve(&body->shape, &body->placed, s, x, tangent);
}

static int solids(const void *self)
{
    return cst_rigid_shape_solids(&((const rigid *)self)->shape);
}

static void solid(const void *self, int index, cst_solid *out)
{
    const rigid *body = self;
    cst_rigid_shape_solid(&body->shape, &body->placed, out);
    out->feature = index;
}

static bool features(const void *self, const cst_step_frame *frame, const double *v, cst_feature_body *out)
{
    const rigid *body = self;
    if (!body->shape.features)
        return false;
    const cst_rigid_pose pose[2] = {body->now, v ? pose_in_step(body, frame, v, 1.0) : body->now};
    *out = (cst_feature_body){.mesh = body->shape.features, .rounding = body->shape.radius};
    for (int k = 0; k < 2; k++) {
        memcpy(out->x[k], pose[k].x, sizeof out->x[k]);
        memcpy(out->R[k], pose[k].R, sizeof out->R[k]);
    }
    return true;
}

static cst_drawing draw(const void *self, int samples, double *vertex, double *radius, double *curvature)
{
    const rigid *body = self;
    (void)samples;
    return cst_rigid_shape_draw(&body->shape, &body->now, vertex, radius, curvature);
}

static int triangles(const void *self, int32_t *out)
{
    return cst_rigid_shape_triangles(&((const rigid *)self)->shape, out);
}

/* ------------------------------------------------------------------------------------------------------------- creation */

static void destroy(void *self)
{
    rigid *body = self;
    cst_rigid_shape_destroy(&body->shape);
    cst_arena_end_from_within(&body->arena);
}

static bool check(const cst_rigid_def *def, char *message, size_t size)
{
    double sum = def->mass + def->drag + def->angular_drag;
    for (int k = 0; k < 3; k++)
        sum += def->position[k] + def->velocity[k] + def->spin[k];
    if (!isfinite(sum))
        snprintf(message, size, "rigid body: a number is not finite");
    else if (!(def->mass > 0.0))
        snprintf(message, size, "rigid body: the mass must be positive, not %g kg", def->mass);
    else if (!(def->drag >= 0.0) || !(def->angular_drag >= 0.0))
        snprintf(message, size, "rigid body: drag must be 0 or more, not %g kg/s and %g N m s", def->drag, def->angular_drag);
    else
        return true;
    return false;
}

/* Checks that a body with the given inertia I can exist. The matrix I must be symmetric and positive definite, and the matrix
 * of second moments, trace(I) / 2 times the identity minus I, positive semi-definite. The tolerance of the inertia check is
 * 1e-9 trace(I), because the given numbers are rounded. */
static bool check_inertia(const double *inertia, char *message, size_t size)
{
    const double trace = inertia[0] + inertia[4] + inertia[8];
    double factor[6], second[9], skew = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            skew = fmax(skew, fabs(inertia[3 * i + j] - inertia[3 * j + i]));
    for (int k = 0; k < 9; k++)
        second[k] = (k % 4 == 0 ? (0.5 + 1e-9) * trace : 0.0) - inertia[k];
    if (!isfinite(trace) || !(skew <= 1e-9 * trace) || !(cst_cholesky3(inertia, factor) > 0.0))
        snprintf(message, size, "rigid body: the matrix of inertia must be symmetric and positive");
    else if (!(cst_cholesky3(second, factor) > 0.0))
        snprintf(message, size,
                 "rigid body: no mass has this inertia: one of its moments is larger than the two others together");
    else
        return true;
    return false;
}

static void keep_inertia(rigid *body, const double *inertia)
{
    double factor[6], upper[6], sum = 0.0;
    memcpy(body->inertia, inertia, sizeof body->inertia);
    cst_mirror3(body->inertia);
    cst_cholesky3(body->inertia, factor);
    cst_cholesky3_invert(factor, upper);
    memcpy(body->mobility, (const double[9]){upper[0], upper[1], upper[2], 0.0, upper[3], upper[4], 0.0, 0.0, upper[5]},
           sizeof body->mobility);
    cst_mirror3(body->mobility);
    for (int k = 0; k < 9; k++)
        sum += body->mobility[k] * body->mobility[k];
    body->fastest = sqrt(sum);
}

static const cst_body_surface rigid_surface = {.pieces = pieces,
                                               .piece = piece,
                                               .curve = curve,
                                               .piece_ways = piece_ways,
                                               .solids = solids,
                                               .solid = solid,
                                               .solid_way = solid_way,
                                               .features = features};

CST_RIGID_CLASS("rigid, in space", position, triangles, shape.radius, mass);

bool cst_rigid_space_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size)
{
    cst_solid_measure measure;
    double inertia[9], frame[9];
    memcpy(frame, def->frame, sizeof frame);
    memcpy(inertia, def->inertia_matrix, sizeof inertia);
    if (!check(def, message, message_size) || !cst_frame_mend(frame, "rigid body", message, message_size) ||
        !cst_rigid_shape_measure(def, &measure, message, message_size))
        return false;
    for (int k = 0; k < 9 && def->inertia_matrix[0] == CST_UNSET; k++)
        inertia[k] = def->mass * measure.gyration[k];
    if (!check_inertia(inertia, message, message_size))
        return false;

    cst_arena arena;
    cst_arena_begin(&arena, allocator);
    rigid *body = CST_TAKE(&arena, rigid, 1);
    cst_rigid_shape_space shape;
    if (!body || !cst_rigid_shape_keep(def, &measure, &arena, &shape, message, message_size)) {
        if (!body)
            snprintf(message, message_size, "rigid body: out of memory");
        cst_arena_end(&arena);
        return false;
    }
    *body = (rigid){.arena = arena, .shape = shape, .mass = def->mass, .drag = def->drag, .angular_drag = def->angular_drag};
    keep_inertia(body, inertia);
    memcpy(body->now.x, def->position, sizeof body->now.x);
    memcpy(body->now.R, frame, sizeof frame);
    memcpy(body->velocity, def->velocity, sizeof body->velocity);
    apply_in_body(frame, body->inertia, def->spin, body->momentum);
    find_spin(body);
    body->placed = body->now;
    *out = (cst_body_model){.class = &rigid_class, .self = body};
    return true;
}
