#include "rod/corde.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quaternion.h"
#include "math/rotation.h"
#include "math/vector3.h"
#include "rod/corde_explicit.h"

enum { WIDTH = 9, ROWS = 3, FRAME = 4, STRIDE = 6 };

/* PARALLEL: stiffness of the strain that keeps the frame of an edge parallel to the edge, divided by EI / l (EI: larger bending
 * stiffness of the rod, l: edge length). */
#define PARALLEL 100.0

/* LEAST_RADIUS: lower bound of the radius of an edge, divided by the edge length, in the formula for the rotational inertia of
 * the edge. Without the lower bound, an edge of radius zero would have no rotational inertia. */
#define LEAST_RADIUS 1e-3

/* EXPLICIT_STRETCH: default stretching stiffness of a rod with explicit steps, divided by that of a rod with implicit steps. The
 * longest stable explicit step is proportional to 1 / sqrt(EA), where EA is the stretching stiffness. */
#define EXPLICIT_STRETCH 1e-2

/* ---------------------------------------------------------------------------------------------------------------- strains */

/* Computes the quaternion p of the rotation from frame a to frame b. The quaternions p and -p are the same rotation; the one
 * nearer to the natural rotation of the joint is chosen. `natural`: twice the vector part of the quaternion from frame a to frame
 * b in the natural shape. */
static void joint_turn(const double *a, const double *b, const double *natural, double *p)
{
    cst_quaternion_between(a, b, p);
    const double least = 0.25 * cst_dot3(natural, natural);
    const double along = p[0] * sqrt(fmax(1.0 - least, 0.0)) + 0.5 * cst_dot3(p + 1, natural);
    for (int k = 0; k < 4 && along < 0.0; ++k)
        p[k] = -p[k];
}

/* Computes the three strains of the joint between the edges a and b. `gradient`: their gradient with respect to the rotation w_a,
 * the position x of the node between the edges (zero) and the rotation w_b. */
static void joint(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain, double *gradient)
{
    const double *a = shape->frame + FRAME * which, *b = shape->frame + FRAME * cst_nodal_next(rod, which);
    const double *natural = rod->joint_natural + ROWS * which;
    double p[4];
    joint_turn(a, b, natural, p);
    for (int k = 0; k < 3; ++k)
        strain[k] = 2.0 * p[1 + k] - natural[k];
    if (!gradient)
        return;
    const double turned[9] = {p[0], p[3], -p[2], -p[3], p[0], p[1], p[2], -p[1], p[0]}; /* p_0 I - hat(p) */
    double R[9], G[9];
    cst_quaternion_matrix(a, R);
    cst_product_transposed3(turned, R, G);
    for (int r = 0; r < 3; ++r) {
        double *row = gradient + r * WIDTH;
        for (int k = 0; k < 3; ++k) {
            row[k] = -G[3 * r + k];
            row[3 + k] = 0.0;
            row[6 + k] = G[3 * r + k];
        }
    }
}

static void tangent_of(const double *q, double *t)
{
    t[0] = 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]);
    t[1] = 2.0 * (q[1] * q[2] + q[0] * q[3]);
    t[2] = 2.0 * (q[1] * q[3] - q[0] * q[2]);
}

/* Computes the three strains of an edge, and their gradient with respect to the positions x_a and x_b of its two nodes and its
 * rotation w. */
static void parallel(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain, double *gradient)
{
    double e[3], t[3];
    const double length = cst_nodal_direction(rod, shape, which, e);
    tangent_of(shape->frame + FRAME * which, t);
    cst_subtract3(e, t, strain);
    if (!gradient)
        return;
    const double hat[9] = {0.0, -t[2], t[1], t[2], 0.0, -t[0], -t[1], t[0], 0.0};
    for (int r = 0; r < 3; ++r) {
        double *row = gradient + r * WIDTH;
        for (int k = 0; k < 3; ++k) {
            row[6 + k] = ((r == k ? 1.0 : 0.0) - e[r] * e[k]) / length;
            row[k] = -row[6 + k];
            row[3 + k] = hat[3 * r + k];
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------------ turning */

static void carry(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *displacement, cst_nodal_shape *to)
{
    (void)displacement; /* already contained in q */
    for (int i = 0; i < rod->edges; ++i) {
        const int at = cst_nodal_edge(rod, i);
        double turn[3], by[4], *q = to->frame + FRAME * i;
        cst_subtract3(to->q + at, from->q + at, turn);
        cst_quaternion_exp(turn, by);
        cst_quaternion_product(by, from->frame + FRAME * i, q);
        cst_quaternion_normalise(q);
    }
}

static void frame(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *R)
{
    (void)rod;
    cst_quaternion_matrix(shape->frame + FRAME * edge, R);
}

static void hold(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *nodes, const double *R, const double *turn,
                 double dt, bool secant, double *q, double *velocity)
{
    (void)nodes;
    double now[9], by[9], angle[3];
    frame(rod, from, 0, now);
    cst_product_transposed3(R, now, by);
    cst_rotation_log(by, angle);
    for (int k = 0; k < 3; ++k) {
        q[k] = from->q[3 + k] + angle[k];
        velocity[k] = secant ? angle[k] / dt : turn[k];
    }
}

/* The angular velocity of an edge is itself a dof: it does not depend on the velocities of the nodes. */
static void turn_by_frame(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *j_turn)
{
    (void)rod;
    (void)shape;
    (void)edge;
    memset(j_turn, 0, 3 * WIDTH * sizeof *j_turn);
    for (int k = 0; k < 3; ++k)
        j_turn[k * WIDTH + 3 + k] = 1.0;
}

static const cst_nodal_model model = {.stride = STRIDE,
                                      .bandwidth = 8,
                                      .frame_size = FRAME,
                                      .joint_skip = 3,
                                      .joint = {.rows = ROWS, .find = joint},
                                      .edge = {.rows = ROWS, .find = parallel},
                                      .carry = carry,
                                      .hold = hold,
                                      .frame = frame,
                                      .turn = turn_by_frame};

static const cst_body_class implicit_class = CST_NODAL_CLASS("CORDE", &cst_nodal_dynamics, &cst_nodal_statics);

static const cst_body_dynamics explicit_dynamics = CST_NODAL_DYNAMICS(
    cst_corde_explicit_assemble, cst_corde_explicit_solve, cst_corde_explicit_describe, NULL, cst_corde_explicit_finish);

static const cst_body_class explicit_class = CST_NODAL_CLASS("CORDE, explicit", &explicit_dynamics, NULL);

/* ----------------------------------------------------------------------------------------------------------------- creation */

static void quaternion_of(const double *R, double *q)
{
    double angle[3];
    cst_rotation_log(R, angle);
    cst_quaternion_exp(angle, q);
}

static void fill_joint(cst_nodal_rod *rod, const cst_fiber_def *def, int which)
{
    const double l = rod->edge_length;
    double *stiffness = rod->joint_stiffness + ROWS * which, *natural = rod->joint_natural + ROWS * which;
    double a[9], b[9], twist, between[9], p[4];
    cst_nodal_natural_joint(rod, def, which, a, b, &twist);
    cst_transposed_product3(a, b, between);
    quaternion_of(between, p); /* p_0 >= 0 */
    for (int k = 0; k < 3; ++k)
        natural[k] = 2.0 * p[1 + k];
    stiffness[0] = def->twisting_stiffness / l;
    stiffness[1] = def->bending_stiffness[0] / l;
    stiffness[2] = def->bending_stiffness[1] / l;
}

static void fill_edge(cst_nodal_rod *rod, const cst_fiber_def *def, const cst_nodal_course *first, int which)
{
    const double l = rod->edge_length, radius = fmax(rod->radius[which], LEAST_RADIUS * l);
    const double share = rod->clamped && which == 0 ? 0.5 : 1.0;
    const int at = cst_nodal_edge(rod, which);
    quaternion_of(first->frame + 9 * which, rod->now.frame + FRAME * which);
    for (int k = 0; k < 3; ++k) {
        rod->edge_stiffness[ROWS * which + k] = PARALLEL * fmax(def->bending_stiffness[0], def->bending_stiffness[1]) / l;
        rod->mass[at + k] = 0.5 * share * l * rod->mass_per_length * radius * radius;
        if (!rod->clamped || which == 0)
            rod->v[at + k] = first->turn[k];
    }
}

bool cst_corde_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size)
{
    cst_nodal_course first;
    *out = (cst_body_model){NULL, NULL};
    cst_nodal_rod *rod = cst_nodal_create(&model, def, def->explicit_step ? sizeof(cst_corde_explicit) : sizeof(cst_nodal_rod),
                                          allocator, &first, message, message_size);
    if (!rod)
        return false;
    for (int i = 0; i < rod->joints; ++i)
        fill_joint(rod, def, i);
    for (int i = 0; i < rod->edges; ++i)
        fill_edge(rod, def, &first, i);
    cst_nodal_settle(rod);
    if (def->explicit_step) {
        if (!(def->stretching_stiffness > 0.0))
            rod->stretching *= EXPLICIT_STRETCH;
        if (!cst_corde_explicit_prepare((cst_corde_explicit *)rod)) {
            snprintf(message, message_size, "out of memory for a fiber of %d elements", def->elements);
            cst_nodal_destroy(rod);
            return false;
        }
    }
    *out = (cst_body_model){def->explicit_step ? &explicit_class : &implicit_class, rod};
    return true;
}
