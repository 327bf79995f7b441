#include "rigid/rigid_body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "rigid/draw_vertex.h"
#include "rigid/polygon.h"
#include "rigid/rigid_class.h"

enum { DOFS = 3, STATE = 6 };

typedef struct rigid {
    cst_arena arena; /* holds this struct and its arrays */
    cst_rigid_shape shape;
    bool collides;
    double radius;
    int corners;
    double *corner; /* array (corners x 2): corners relative to the centre of mass, clockwise */
    double *s;      /* array (corners + 1): length along the perimeter from the first corner to each corner (m) */
    /* distance of the farthest corner from the centre of mass (m); 0 for a disk */
    double reach;
    double mass[DOFS], drag[DOFS];

    double q[DOFS], v[DOFS];
    /* position and angle for which the body's outline and material points are computed: those of the present time, or those at
     * the end of a step */
    double placed[DOFS];
    double matrix[DOFS * DOFS], rhs[DOFS];
    /* Cholesky factor of the diagonal system matrix, stored with inverse diagonal entries */
    double factor[DOFS * (DOFS + 1) / 2];
    cst_body_work work;
} rigid;

/* ------------------------------------------------------------------------------------------------------------- dynamics */

static double start_velocity(const rigid *body, const cst_step_frame *frame, int i)
{
    return frame->quasi_static ? 0.0 : body->v[i];
}

static double theta_velocity(const rigid *body, const cst_step_frame *frame, const double *v, int i)
{
    return frame->theta * v[i] + (1.0 - frame->theta) * start_velocity(body, frame, i);
}

static int dofs(const void *self)
{
    (void)self;
    return DOFS;
}

static bool place(void *self, const cst_step_frame *frame, const double *v)
{
    rigid *body = self;
    bool finite = true;
    for (int i = 0; i < DOFS; i++) {
        body->placed[i] = v ? body->q[i] + frame->dt * theta_velocity(body, frame, v, i) : body->q[i];
        finite = finite && isfinite(body->placed[i]);
    }
    return finite;
}

/* The equations of a step are linear in the velocities, so the initial guess of the velocities (`guess`) is not used. */
static bool assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    rigid *body = self;
    (void)guess;
    for (int i = 0; i < DOFS; i++) {
        const double v = start_velocity(body, frame, i), force = i < 2 ? body->mass[i] * frame->gravity[i] : 0.0;
        body->matrix[i * (DOFS + 1)] = body->mass[i] + frame->theta * frame->dt * body->drag[i];
        body->factor[i * (i + 3) / 2] = 1.0 / sqrt(body->matrix[i * (DOFS + 1)]);
        body->rhs[i] = body->mass[i] * v + frame->dt * (force - (1.0 - frame->theta) * body->drag[i] * v);
        if (!isfinite(body->rhs[i])) {
            snprintf(message, message_size, "a rigid body's motion is not finite");
            return false;
        }
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
    for (int i = 0; i < DOFS; i++)
        x[i] /= body->matrix[i * (DOFS + 1)];
    return true;
}

static void describe(void *self, cst_body *out)
{
    const rigid *body = self;
    *out = (cst_body){.kind = CST_BODY_DENSE, .size = DOFS, .matrix = body->matrix, .factor = body->factor, .rhs = body->rhs};
}

/* A rotation does not move the outline of a disk, but it moves the corners of a polygon on circles. */
static double motion(const void *self, const cst_step_frame *frame, const double *v)
{
    const rigid *body = self;
    const double travel = hypot(theta_velocity(body, frame, v, 0), theta_velocity(body, frame, v, 1));
    return frame->dt * (travel + fabs(theta_velocity(body, frame, v, 2)) * body->reach);
}

/* Computes the work of drag and the work of the time-stepping scheme (numerical damping) in a step, separately for each of the
 * body's three coordinates (x, y, angle). Symbols for one coordinate:
 *     `m`: mass or inertia.
 *     `v`, `v+`: initial and final velocities.
 *     `v_theta = theta*v+ + (1-theta)*v`: mean velocity over the step.
 *
 *     `forces: m*(v+ - v)*v_theta`.
 *     `scheme: -(theta-1/2)*m*(v+ - v)^2`.
 *
 * In a step, the work of all forces and the work of the time-stepping scheme (0 or negative for theta >= 1/2) add up to the
 * change of the kinetic energy. */
static void finish(void *self, const cst_step_frame *frame, const double *v)
{
    rigid *body = self;
    body->work = (cst_body_work){0};
    for (int i = 0; i < DOFS; i++) {
        const double before = start_velocity(body, frame, i), during = theta_velocity(body, frame, v, i), change = v[i] - before;
        body->work.drag -= frame->dt * body->drag[i] * during * during;
        body->work.scheme -= (frame->theta - 0.5) * body->mass[i] * change * change;
        if (frame->quasi_static)
            body->work.forgotten -= 0.5 * body->mass[i] * body->v[i] * body->v[i];
        body->q[i] += frame->dt * during;
    }
    memcpy(body->v, v, sizeof body->v);
    memcpy(body->placed, body->q, sizeof body->placed);
}

static void energy(const void *self, const double *gravity, cst_body_energy *out)
{
    const rigid *body = self;
    *out = (cst_body_energy){.gravity = -body->mass[0] * (gravity[0] * body->q[0] + gravity[1] * body->q[1])};
    for (int i = 0; i < DOFS; i++)
        out->kinetic += 0.5 * body->mass[i] * body->v[i] * body->v[i];
}

static void work(const void *self, cst_body_work *out)
{
    *out = ((const rigid *)self)->work;
}

/* --------------------------------------------------------------------------------------------------------------- points */

static void turned(double angle, const double *from, double *to)
{
    const double c = cos(angle), s = sin(angle), x = from[0], y = from[1];
    to[0] = c * x - s * y;
    to[1] = s * x + c * y;
}

static void point_of(const double *pose, const cst_material_point *at, cst_point_motion *out)
{
    double arm[2];
    turned(pose[2], at->local, arm);
    out->dofs = DOFS;
    for (int i = 0; i < DOFS; i++)
        out->dof[i] = i;
    memcpy(out->j, (const double[2 * DOFS]){1.0, 0.0, -arm[1], 0.0, 1.0, arm[0]}, sizeof(double[2 * DOFS]));
    memcpy(out->j_turn, (const double[DOFS]){0.0, 0.0, 1.0}, sizeof(double[DOFS]));
    for (int i = 0; i < 3; i++)
        out->drift[i] = out->drift_turn[i] = 0.0;
    out->position[0] = pose[0] + arm[0];
    out->position[1] = pose[1] + arm[1];
    out->position[2] = 0.0;
    out->frame_angle = pose[2];
}

static void point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    point_of(((const rigid *)self)->placed, at, out);
}

static void point_between(const void *self, const cst_step_frame *frame, const double *guess, const cst_material_point *at,
                          cst_point_motion *out)
{
    const rigid *body = self;
    double pose[DOFS];
    for (int i = 0; i < DOFS; i++)
        pose[i] = body->q[i] + frame->theta * frame->dt * theta_velocity(body, frame, guess ? guess : body->v, i);
    point_of(pose, at, out);
}

static void velocities(const void *self, double *v)
{
    memcpy(v, ((const rigid *)self)->v, sizeof(double[DOFS]));
}

static void velocity(const void *self, const cst_material_point *at, double *out, double *turn)
{
    const rigid *body = self;
    double arm[2];
    turned(body->q[2], at->local, arm);
    out[0] = body->v[0] - body->v[2] * arm[1];
    out[1] = body->v[1] + body->v[2] * arm[0];
    turn[2] = body->v[2];
    out[2] = turn[0] = turn[1] = 0.0;
}

static bool locate(const void *self, const cst_place *at, cst_material_point *out)
{
    (void)self;
    *out = (cst_material_point){.local = {at->point[0], at->point[1], 0.0}};
    return isfinite(at->point[0]) && isfinite(at->point[1]);
}

static bool touched(const void *self, const cst_material_place *at, double along, const double *x, cst_material_point *out)
{
    const double *pose = ((const rigid *)self)->placed, from_center[2] = {x[0] - pose[0], x[1] - pose[1]};
    const double c = cos(pose[2]), s = sin(pose[2]);
    (void)at, (void)along;
    *out = (cst_material_point){.local = {c * from_center[0] + s * from_center[1], c * from_center[1] - s * from_center[0], 0.0}};
    return false;
}

/* ---------------------------------------------------------------------------------------------------------------- state */

static void save(const void *self, double *to)
{
    const rigid *body = self;
    memcpy(to, body->q, sizeof body->q);
    memcpy(to + DOFS, body->v, sizeof body->v);
}

static void load(void *self, const double *from)
{
    rigid *body = self;
    memcpy(body->q, from, sizeof body->q);
    memcpy(body->v, from + DOFS, sizeof body->v);
    memcpy(body->placed, from, sizeof body->placed);
}

/* --------------------------------------------------------------------------------------------------------------- shapes */

static int arcs(const void *self)
{
    const rigid *body = self;
    if (!body->collides)
        return 0;
    return body->shape == CST_RIGID_DISK ? 1 : body->corners;
}

static void corner_now(const rigid *body, int index, double *out)
{
    turned(body->placed[2], body->corner + 2 * (index % body->corners), out);
    out[0] += body->placed[0];
    out[1] += body->placed[1];
}

static void arc(const void *self, int index, cst_arc *out)
{
    const rigid *body = self;
    *out = (cst_arc){.radius = body->radius, .feature = index, .angle = body->placed[2], .x = {body->placed[0], body->placed[1]}};
    if (body->shape == CST_RIGID_DISK)
        return;
    const double *from = body->corner + 2 * index, *to = body->corner + 2 * ((index + 1) % body->corners);
    corner_now(body, index, out->x);
    out->angle += atan2(to[1] - from[1], to[0] - from[0]);
    out->s = body->s[index];
    out->l = body->s[index + 1] - body->s[index];
    out->owner_length = body->s[body->corners];
    out->owner_closed = true;
    out->solid = true;
}

/* Symbols, with index 0 at the start and index 1 at the end of a step:
 *     `c_0`, `c_1`: centre of mass.
 *     `R_0`, `R_1`: rotation matrix.
 *
 * A material point that is at x at the start of the step is displaced by:
 *     `(c_1-c_0) + (R_1-R_0)*R_0^T*(x-c_0)`. */
static void moved(const void *self, cst_piece_move *out)
{
    const rigid *body = self;
    const double turned_by = 2.0 * fabs(sin(0.5 * (body->placed[2] - body->q[2])));
    for (int i = 0; i < arcs(self); i++) {
        out[i] = (cst_piece_move){.went = {.spread = turned_by * body->reach}, .turned = turned_by};
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 2; k++)
                out[i].went.way[end][k] = body->placed[k] - body->q[k];
    }
}

static void before(const void *self, int index, double s, const double *x, double *out)
{
    const rigid *body = self;
    const double arm[2] = {x[0] - body->placed[0], x[1] - body->placed[1]};
    (void)index, (void)s;
    turned(body->q[2] - body->placed[2], arm, out);
    out[0] += body->q[0];
    out[1] += body->q[1];
    out[2] = 0.0;
}

static void draw_vertex(double x, double y, double thickness, int at, double *position, double *radius, double *curvature)
{
    cst_draw_vertex(x, y, thickness, at, position, radius);
    if (curvature)
        curvature[at] = 0.0;
}

static cst_drawing draw(const void *self, int samples, double *position, double *radius, double *curvature)
{
    const rigid *body = self;
    (void)samples;
    if (body->shape == CST_RIGID_DISK) {
        const double r = body->radius, x = body->q[0], y = body->q[1];
        draw_vertex(x, y, r, 0, position, radius, curvature);
        draw_vertex(x + r * cos(body->q[2]), y + r * sin(body->q[2]), r, 1, position, radius, curvature);
        return (cst_drawing){.as = CST_DRAWN_DISK, .vertices = 2};
    }
    for (int i = 0; i < body->corners; i++) {
        double x[2];
        turned(body->q[2], body->corner + 2 * i, x);
        draw_vertex(x[0] + body->q[0], x[1] + body->q[1], body->radius, i, position, radius, curvature);
    }
    return (cst_drawing){.as = CST_DRAWN_OUTLINE, .vertices = body->corners, .closed = true};
}

/* ------------------------------------------------------------------------------------------------------------- creation */

static void destroy(void *self)
{
    cst_arena_end_from_within(&((rigid *)self)->arena);
}

static bool numbers_are_finite(const cst_rigid_def *def)
{
    const double number[] = {def->radius,      def->mass,        def->inertia,     def->position[0],
                             def->position[1], def->velocity[0], def->angle,       def->angular_velocity,
                             def->velocity[1], def->drag,        def->angular_drag};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (!isfinite(number[i]))
            return false;
    for (int i = 0; def->shape == CST_RIGID_POLYGON && i < 2 * def->corners; i++)
        if (!isfinite(def->corner[i]))
            return false;
    return true;
}

static bool check(const cst_rigid_def *def, char *message, size_t size)
{
    if (def->shape != CST_RIGID_DISK && def->shape != CST_RIGID_POLYGON)
        snprintf(message, size, "rigid body: no such shape: %d", (int)def->shape);
    else if (def->shape == CST_RIGID_POLYGON && (def->corners < 3 || !def->corner))
        snprintf(message, size, "rigid body: a polygon needs at least 3 corners, not %d", def->corner ? def->corners : 0);
    else if (!numbers_are_finite(def))
        snprintf(message, size, "rigid body: a number is not finite");
    else if (def->shape == CST_RIGID_DISK ? !(def->radius > 0.0) : !(def->radius >= 0.0))
        snprintf(message, size, "rigid body: the radius must be %s, not %g m",
                 def->shape == CST_RIGID_DISK ? "positive" : "0 or more", def->radius);
    else if (!(def->mass > 0.0))
        snprintf(message, size, "rigid body: the mass must be positive, not %g kg", def->mass);
    else if (def->inertia != CST_UNSET && !(def->inertia > 0.0))
        snprintf(message, size, "rigid body: the inertia must be positive, not %g kg m2", def->inertia);
    else if (!(def->drag >= 0.0) || !(def->angular_drag >= 0.0))
        snprintf(message, size, "rigid body: drag must be 0 or more, not %g kg/s and %g N m s", def->drag, def->angular_drag);
    else
        return true;
    return false;
}

static bool check_polygon(const cst_rigid_def *def, const cst_polygon_measure *measure, char *message, size_t size)
{
    int first, second;
    if (!cst_polygon_is_simple(def->corner, def->corners, &first, &second))
        snprintf(message, size, "rigid body: the polygon is not simple: its edges %d and %d meet", first, second);
    else if (!(measure->area > 0.0))
        snprintf(message, size, "rigid body: the corners must go round counter-clockwise (area %g m2)", measure->area);
    else
        return true;
    return false;
}

/* Stores the given counter-clockwise corners in clockwise order, relative to the centroid, so that the material is on the right
 * of each edge. */
static void keep_polygon(rigid *body, const cst_rigid_def *def, const cst_polygon_measure *measure)
{
    for (int i = 0; i < body->corners; i++) {
        const double *from = def->corner + 2 * (body->corners - 1 - i);
        double *to = body->corner + 2 * i;
        to[0] = from[0] - measure->centroid[0];
        to[1] = from[1] - measure->centroid[1];
        body->reach = fmax(body->reach, hypot(to[0], to[1]));
    }
    for (int i = 0; i < body->corners; i++) {
        const double *from = body->corner + 2 * i, *to = body->corner + 2 * ((i + 1) % body->corners);
        body->s[i + 1] = body->s[i] + hypot(to[0] - from[0], to[1] - from[1]);
    }
}

static const cst_body_surface rigid_surface = {.arcs = arcs, .arc = arc, .moved = moved, .before = before};

CST_RIGID_CLASS("rigid", NULL, NULL, radius, mass[0]);

bool cst_rigid_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size)
{
    if (!check(def, message, message_size))
        return false;
    const bool polygon = def->shape == CST_RIGID_POLYGON;
    double gyration2 = 0.5 * def->radius * def->radius;
    cst_polygon_measure measure = {0};
    if (polygon) {
        measure = cst_polygon_measure_of(def->corner, def->corners);
        if (!check_polygon(def, &measure, message, message_size))
            return false;
        gyration2 = measure.gyration2;
    }

    cst_arena arena;
    cst_arena_begin(&arena, allocator);
    rigid *body = CST_TAKE(&arena, rigid, 1);
    double *corner = CST_TAKE(&arena, double, polygon ? 2 * def->corners : 0);
    double *s = CST_TAKE(&arena, double, polygon ? def->corners + 1 : 0);
    if (arena.failed) {
        cst_arena_end(&arena);
        snprintf(message, message_size, "rigid body: out of memory");
        return false;
    }
    const double inertia = def->inertia == CST_UNSET ? def->mass * gyration2 : def->inertia;
    *body = (rigid){.arena = arena,
                    .shape = def->shape,
                    .collides = def->collides,
                    .radius = def->radius,
                    .corners = polygon ? def->corners : 0,
                    .corner = corner,
                    .s = s,
                    .mass = {def->mass, def->mass, inertia},
                    .drag = {def->drag, def->drag, def->angular_drag},
                    .q = {def->position[0], def->position[1], def->angle},
                    .v = {def->velocity[0], def->velocity[1], def->angular_velocity}};
    if (polygon)
        keep_polygon(body, def, &measure);
    memcpy(body->placed, body->q, sizeof body->placed);
    *out = (cst_body_model){.class = &rigid_class, .self = body};
    return true;
}
