/* Construction of a nodal rod: the initial positions of its nodes, and the natural angles between its edges.
 *
 * An element with constant curvatures is a helix, which is computed exactly (math/rotation_vector.h). The edge of the element has
 * the direction of the chord of the helix. The frame of the edge is the frame in the middle of the helix, transported without
 * twist to the direction of the chord. The natural length of an edge is the length of the chord that its element has at its
 * natural curvatures. If the definition of the rod gives the points of its centreline, or if the rod is closed, the natural
 * length of an edge is instead the initial distance between its two nodes. No edge of a nodal rod is stretched initially. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/rotation_vector.h"
#include "rod/fiber_check.h"
#include "rod/nodal_curve.h"

/* Gravity of the Earth (m/s^2), used only for the default stretching stiffness. */
#define WEIGHT_PER_MASS 9.81

static const double *natural_of(const cst_fiber_def *def, int element)
{
    return def->element_natural_curvature ? def->element_natural_curvature + 3 * element : def->natural_curvature;
}

static const double *curvature_of(const cst_fiber_def *def, int element)
{
    return def->curvature ? def->curvature + 3 * element : natural_of(def, element);
}

static void column(const double *R, int which, double *out)
{
    for (int k = 0; k < 3; ++k)
        out[k] = R[3 * k + which];
}

/* Builds the frame with the columns t, d1 and t x d1 from the tangent t and a direction d1 that is nearly perpendicular to t. */
static void frame_of(const double *t, const double *d1, double *R)
{
    double across[3] = {d1[0], d1[1], d1[2]}, d2[3];
    cst_add3(-cst_dot3(t, d1), t, across);
    cst_normalise3(across);
    cst_cross3(t, across, d2);
    for (int k = 0; k < 3; ++k) {
        R[3 * k] = t[k];
        R[3 * k + 1] = across[k];
        R[3 * k + 2] = d2[k];
    }
}

/* Moves the position x and the frame R along a helix with the curvatures u, by the arc length s. */
static void follow(const double *u, double s, double *x, double *R)
{
    const double turn[3] = {s * u[0], s * u[1], s * u[2]}, ahead[3] = {s, 0.0, 0.0};
    double local[3], step[3], Q[9], turned[9];
    cst_rotation_vector_mean(turn, ahead, local);
    cst_apply3(R, local, step);
    cst_add3(1.0, step, x);
    cst_rotation_vector_exp(turn, Q);
    cst_product3(R, Q, turned);
    memcpy(R, turned, sizeof turned);
}

/* Computes the frame of the edge of an element with the curvatures u and the length l. `R`: frame at the start of the element on
 * input, and at its end on return. Returns the length of the chord of the element. */
static double follow_edge(const double *u, double l, double *R, double *edge_frame)
{
    double x[3] = {0}, middle[3] = {0}, half[9], tangent[3], d1[3];
    memcpy(half, R, sizeof half);
    follow(u, 0.5 * l, middle, half);
    follow(u, l, x, R);
    const double chord = cst_normalise3(x);
    column(half, 0, tangent);
    column(half, 1, d1);
    cst_parallel_transport(tangent, x, d1, d1);
    frame_of(x, d1, edge_frame);
    return chord;
}

static void turn_about(double angle, double *R)
{
    double t[3], d1[3], d2[3];
    column(R, 0, t);
    column(R, 1, d1);
    column(R, 2, d2);
    for (int k = 0; k < 3; ++k)
        d1[k] = cos(angle) * d1[k] + sin(angle) * d2[k];
    frame_of(t, d1, R);
}

double cst_nodal_twist(const double *a, const double *b, double near)
{
    double ta[3], tb[3], d1[3], m1[3], m2[3];
    column(a, 0, ta);
    column(a, 1, d1);
    column(b, 0, tb);
    column(b, 1, m1);
    column(b, 2, m2);
    cst_parallel_transport(ta, tb, d1, d1);
    const double angle = atan2(-cst_dot3(d1, m2), cst_dot3(d1, m1)), turn = 2.0 * acos(-1.0);
    return angle + turn * round((near - angle) / turn);
}

void cst_nodal_natural_joint(const cst_nodal_rod *rod, const cst_fiber_def *def, int joint, double *a, double *b, double *twist)
{
    const int next = cst_nodal_next(rod, joint);
    const double l = rod->edge_length, *ua = natural_of(def, joint), *ub = natural_of(def, next);
    double R[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    follow_edge(ua, l, R, a);
    follow_edge(ub, l, R, b);
    turn_about(rod->closing, b);
    *twist = 0.5 * l * (ua[0] + ub[0]) + rod->closing;
}

/* ------------------------------------------------------------------------------------------------------------------ nodes */

/* Places the nodes along the curvatures. `node`: ((edges + 1) x 3). */
static void sample_curvatures(const cst_nodal_rod *rod, const cst_fiber_def *def, double *node, cst_nodal_course *first)
{
    const double l = rod->edge_length;
    double x[3], R[9];
    memcpy(x, def->position, sizeof x);
    memcpy(R, def->frame, sizeof R);
    if (rod->clamped)
        follow(curvature_of(def, 0), -0.5 * l, x, R);
    memcpy(node, x, sizeof x);
    for (int i = 0; i < rod->edges; ++i) {
        const double *u = curvature_of(def, i), *next = curvature_of(def, cst_nodal_next(rod, i));
        double direction[3], natural[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, unused[9];
        const double chord = follow_edge(u, l, R, first->frame + 9 * i);
        rod->rest[i] = rod->closed ? chord : follow_edge(natural_of(def, i), l, natural, unused);
        column(first->frame + 9 * i, 0, direction);
        memcpy(node + 3 * (i + 1), node + 3 * i, sizeof x);
        cst_add3(rod->rest[i], direction, node + 3 * (i + 1));
        first->twist[i] = 0.5 * l * (u[0] + next[0]);
    }
}

/* Computes a point of the smooth curve through the given points (at least 3), which consists of the cubics of Catmull and Rom.
 * The curve parameter s grows by 1 from one given point to the next. */
static void between_points(const double *point, int last, double s, double *x)
{
    const int i = s < last ? (int)s : last - 1;
    const double f = s - i, *p1 = point + 3 * i, *p2 = p1 + 3;
    for (int k = 0; k < 3; ++k) {
        const double a = i > 0 ? 0.5 * (p2[k] - p1[k - 3]) : 2.0 * (p2[k] - p1[k]) - 0.5 * (p2[k + 3] - p1[k]);
        const double b = i + 1 < last ? 0.5 * (p2[k + 3] - p1[k]) : 2.0 * (p2[k] - p1[k]) - 0.5 * (p2[k] - p1[k - 3]);
        const double rise = p2[k] - p1[k];
        x[k] = p1[k] + f * (a + f * (3.0 * rise - 2.0 * a - b + f * (a + b - 2.0 * rise)));
    }
}

/* Places the nodes of a free rod on the given points, and the nodes of a clamped rod on the smooth curve through the given
 * points. The direction d1 of the first frame is transported from edge to edge without twist. */
static void sample_points(const cst_nodal_rod *rod, const cst_fiber_def *def, double *node, cst_nodal_course *first)
{
    const int n = rod->edges;
    memcpy(node, def->point, (size_t)(3 * (n + 1)) * sizeof *node);
    for (int i = 1; rod->clamped && i < n; ++i)
        between_points(def->point, n, (i - 0.5) * n / (n - 0.5), node + 3 * i);
    /* node 0 is placed so that the middle of edge 0, where the clamp is, is the first given point */
    for (int k = 0; rod->clamped && k < 3; ++k)
        node[k] = 2.0 * def->point[k] - node[3 + k];
    double d1[3], before[3];
    column(def->frame, 1, d1);
    for (int i = 0; i < n; ++i) {
        double direction[3];
        cst_subtract3(node + 3 * (i + 1), node + 3 * i, direction);
        rod->rest[i] = cst_normalise3(direction);
        if (i > 0)
            cst_parallel_transport(before, direction, d1, d1);
        frame_of(direction, d1, first->frame + 9 * i);
        column(first->frame + 9 * i, 1, d1);
        memcpy(before, direction, sizeof before);
        first->twist[i] = 0.0;
    }
}

/* A frame that is transported once around a closed rod comes back rotated about the tangent by a closing angle. An equal share
 * of the closing angle is added to the natural twist of each joint, so that the closing angle causes no strain. */
static void close_frames(cst_nodal_rod *rod, cst_nodal_course *first)
{
    const int n = rod->edges;
    rod->closing = 0.0;
    if (!rod->closed)
        return;
    const double missing = cst_nodal_twist(first->frame + 9 * (n - 1), first->frame, first->twist[n - 1]) - first->twist[n - 1];
    rod->closing = missing / n;
    for (int i = 0; i < n; ++i) {
        turn_about(i * rod->closing, first->frame + 9 * i);
        first->twist[i] += rod->closing;
    }
}

/* Moves the whole rod by the displacement and the rotation that the prescribed motion of its clamp has at time zero. */
static void move_by_root(cst_nodal_rod *rod, const cst_fiber_def *def, double *node, cst_nodal_course *first)
{
    double translation[3], rotation[3], velocity[3], rate[3], turn[3], about[9];
    cst_motion_sample(&rod->root_motion, 0.0, translation, rotation, velocity, rate);
    cst_rotation_vector_exp(rotation, about);
    cst_rotation_vector_mean(rotation, rate, turn);
    memcpy(rod->root_position, def->point ? def->point : def->position, sizeof rod->root_position);
    memcpy(rod->root_frame, first->frame, sizeof rod->root_frame);
    memcpy(first->turn, turn, sizeof turn);
    for (int i = 0; i <= rod->edges; ++i) {
        double arm[3], *x = node + 3 * i;
        cst_subtract3(x, rod->root_position, arm);
        if (i < 2)
            cst_apply_transposed3(rod->root_frame, arm, rod->root_node + 3 * i);
        cst_apply3(about, arm, x);
        for (int k = 0; k < 3; ++k)
            x[k] += rod->root_position[k] + translation[k];
    }
    for (int i = 0; i < rod->edges; ++i) {
        double turned[9];
        cst_product3(about, first->frame + 9 * i, turned);
        memcpy(first->frame + 9 * i, turned, sizeof turned);
    }
    for (int i = 0; i < 2; ++i) {
        double arm[3], *v = rod->v + i * rod->stride;
        for (int k = 0; k < 3; ++k) {
            arm[k] = node[3 * i + k] - rod->root_position[k] - translation[k];
            v[k] = velocity[k];
        }
        cst_add_cross3(turn, arm, v);
    }
}

static void set_nodes(cst_nodal_rod *rod, const cst_fiber_def *def, const double *node)
{
    const double *centre = def->point ? def->point : def->position;
    for (int i = 0; i < rod->nodes; ++i) {
        double arm[3], *v = rod->v + i * rod->stride;
        memcpy(rod->now.q + i * rod->stride, node + 3 * i, sizeof arm);
        if (rod->clamped)
            continue;
        cst_subtract3(node + 3 * i, centre, arm);
        memcpy(v, def->velocity, sizeof arm);
        cst_add_cross3(def->angular_velocity, arm, v);
    }
}

static bool check_first_shape(const cst_nodal_rod *rod, const cst_fiber_def *def, const double *node, char *message, size_t size)
{
    double gap[3];
    cst_subtract3(node + 3 * rod->edges, node, gap);
    const double apart = sqrt(cst_dot3(gap, gap));
    if (!isfinite(apart)) {
        snprintf(message, size, "the fiber is not finite: its curvatures or its length are too large");
        return false;
    }
    if (rod->closed && apart > 1e-6 * rod->length) {
        snprintf(message, size, "the fiber is closed, but its first shape leaves a gap of %g m between end and start", apart);
        return false;
    }
    for (int i = 0; i < rod->edges; ++i) {
        if (!(rod->rest[i] > 0.1 * rod->edge_length)) {
            snprintf(message, size,
                     "edge %d joins places that are %g m apart for a length of %g m: the fiber needs more elements", i,
                     rod->rest[i], rod->edge_length);
            return false;
        }
        if (def->point && fabs(rod->rest[i] / rod->edge_length - 1.0) > 0.1) {
            snprintf(message, size,
                     "edge %d of the fiber through the points would be %g m long, not %g m: points must be equally "
                     "far apart, by length / elements",
                     i, rod->rest[i], rod->edge_length);
            return false;
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- building */

static bool take(cst_nodal_rod *rod, const cst_fiber_def *def, cst_nodal_course *first, double **node)
{
    cst_arena *arena = &rod->arena;
    const cst_nodal_model *model = rod->model;
    const size_t n = (size_t)rod->edges, total = (size_t)rod->total, frames = n * (size_t)model->frame_size;
    const size_t joint_rows = (size_t)rod->joints * (size_t)model->joint.rows, edge_rows = n * (size_t)model->edge.rows;
    const size_t width = (size_t)rod->stride * 2 + 3, edge_width = (size_t)rod->stride + 3;
    CST_TAKE_VECTORS(arena, n, &rod->rest, &rod->radius, &first->twist);
    CST_TAKE_VECTORS(arena, total, &rod->mass, &rod->moved, &rod->mean, &rod->full_rhs);
    CST_TAKE_VECTORS(arena, joint_rows, &rod->joint_stiffness, &rod->joint_natural, &rod->joint_first, &rod->joint_strain);
    CST_TAKE_VECTORS(arena, edge_rows, &rod->edge_stiffness, &rod->edge_strain);
    rod->joint_more = CST_TAKE(arena, double, (size_t)rod->joints);
    rod->state = CST_TAKE(arena, double, 2 * total + frames);
    cst_nodal_shape *buffer[2] = {&rod->placed_buffer, &rod->linear_buffer};
    for (int k = 0; k < 2; ++k)
        *buffer[k] = (cst_nodal_shape){CST_TAKE(arena, double, total), CST_TAKE(arena, double, frames),
                                       CST_TAKE(arena, cst_nodal_bend, n)};
    rod->now.bend = CST_TAKE(arena, cst_nodal_bend, n);
    rod->held_rhs = CST_TAKE(arena, double, CST_NODAL_EDGE_DOFS);
    rod->joint_gradient = CST_TAKE(arena, double, joint_rows *width);
    rod->edge_gradient = CST_TAKE(arena, double, edge_rows *edge_width);
    rod->stretch = CST_TAKE(arena, cst_nodal_linear_stretch, n);
    first->frame = CST_TAKE(arena, double, 9 * n);
    *node = CST_TAKE(arena, double, 3 * (n + 1));
    if (arena->failed || !cst_motion_copy(arena, &def->root_motion, &rod->root_motion))
        return false;
    rod->now.q = rod->state;
    rod->now.frame = rod->state + 2 * total;
    rod->v = rod->state + total;
    rod->rhs = rod->full_rhs + rod->held;
    return true;
}

/* All rows of the band matrix of an open rod are stored with the same width, so that the friction solver can use the matrix
 * directly. In a closed rod, the last edge ends at node 0, so the last rows of the matrix also have entries in the first columns,
 * and are stored from column 0 on. */
static bool open_envelope(cst_nodal_rod *rod, int size, cst_envelope *out, size_t *entries)
{
    cst_arena *arena = &rod->arena;
    const int band = rod->bandwidth;
    if (!cst_envelope_begin(arena, size, out))
        return false;
    for (int i = 0; i < size; ++i)
        out->first[i] = i <= band || (rod->closed && i >= size - 2 * rod->stride) ? 0 : i - band;
    if (rod->closed) {
        const bool opened = cst_envelope_open(arena, out);
        *entries = (size_t)out->start[size];
        return opened;
    }
    for (int i = 0; i < size; ++i)
        out->start[i] = (int64_t)i * (band + 1) + band - (i - out->first[i]);
    *entries = (size_t)size * (size_t)(band + 1);
    out->entry = CST_TAKE(arena, double, *entries);
    return !arena->failed;
}

static void fill(cst_nodal_rod *rod, const cst_fiber_def *def)
{
    const double l = rod->edge_length, stiff = fmax(def->bending_stiffness[0], def->bending_stiffness[1]);
    double largest = 0.0;
    for (int i = 0; i < rod->edges; ++i) {
        rod->radius[i] = def->element_radius ? def->element_radius[i] : def->radius;
        largest = fmax(largest, rod->radius[i]);
    }
    rod->smooth = cst_nodal_is_smooth(rod);
    for (int i = 0; i < rod->nodes; ++i) {
        double share = rod->closed || (i > 0 && i < rod->edges) ? 1.0 : 0.5;
        if (rod->clamped && i == 0)
            /* Node 0 of a clamped rod has no mass, and node 1 has the mass from the clamp to the middle of edge 1. */
            share = 0.0;
        for (int k = 0; k < 3; ++k)
            rod->mass[i * rod->stride + k] = share * l * rod->mass_per_length;
    }
    /* With the default stretching stiffness, a force of ten times the rod's weight stretches the rod by at most 1e-4 of its
     * length. A force of EI/(2 a^2) also stretches the rod by at most 1e-4 of its length; EI is the bending stiffness, and `a`
     * is the larger of the edge length and the largest radius. */
    const double sharp = fmax(l, largest);
    rod->stretching = def->stretching_stiffness > 0.0
                          ? def->stretching_stiffness
                          : 1e5 * WEIGHT_PER_MASS * rod->mass_per_length * rod->length + 5e3 * stiff / (sharp * sharp);
}

cst_nodal_rod *cst_nodal_create(const cst_nodal_model *model, const cst_fiber_def *def, size_t bytes,
                                const cst_allocator *allocator, cst_nodal_course *first, char *message, size_t message_size)
{
    if (!cst_fiber_check(def, def->closed ? 3 : 2, message, message_size))
        return NULL;
    cst_nodal_rod *rod = cst_arena_begin_within(allocator, bytes, offsetof(cst_nodal_rod, arena));
    double *node = NULL;
    bool built = rod;
    if (built) {
        const int n = def->elements, stride = model->stride;
        rod->model = model;
        rod->edges = n;
        rod->clamped = def->clamped;
        rod->closed = def->closed;
        rod->nodes = n + (def->closed ? 0 : 1);
        rod->joints = n - (def->closed ? 0 : 1);
        rod->stride = stride;
        rod->total = n * stride + (def->closed ? 0 : 3);
        rod->held = def->clamped ? stride + 3 : 0;
        rod->bandwidth = model->bandwidth;
        rod->mass_per_length = def->mass_per_length;
        rod->softest_bending = fmin(def->bending_stiffness[0], def->bending_stiffness[1]);
        rod->drag = def->drag;
        rod->viscosity = def->viscosity;
        rod->length = def->length;
        rod->edge_length = def->length / (n - (def->clamped ? 0.5 : 0.0));
        built = take(rod, def, first, &node) && open_envelope(rod, rod->total, &rod->whole, &rod->entries) &&
                open_envelope(rod, rod->total - rod->held, &rod->factor, &rod->factor_entries);
    }
    if (built) {
        fill(rod, def);
        if (def->point)
            sample_points(rod, def, node, first);
        else
            sample_curvatures(rod, def, node, first);
        built = check_first_shape(rod, def, node, message, message_size);
    } else {
        snprintf(message, message_size, "out of memory for a fiber of %d elements", def->elements);
    }
    if (!built) {
        cst_nodal_destroy(rod);
        return NULL;
    }
    close_frames(rod, first);
    if (rod->clamped)
        move_by_root(rod, def, node, first);
    else
        memcpy(first->turn, def->angular_velocity, sizeof first->turn);
    set_nodes(rod, def, node);
    cst_nodal_settle(rod);
    return rod;
}
