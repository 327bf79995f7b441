#include "rod/discrete_rod.h"

#include <math.h>
#include <string.h>

#include "math/rotation_vector.h"
#include "rod/nodal_rod.h"

enum { WIDTH = 11, ROWS = 3, FRAME = 4 };

/* Writes the derivatives of one strain of the joint between the edges e and f with respect to the 11 dofs of the joint.
 * `by_e`, `by_f`: derivatives of the strain with respect to the edge vectors of e and f.
 * `by_theta_e`, `by_theta_f`: derivatives of the strain with respect to the angles theta of the edges e and f. */
static inline void spread(const double *by_e, const double *by_f, double by_theta_e, double by_theta_f, double *row)
{
    for (int k = 0; k < 3; ++k) {
        row[k] = -by_e[k];
        row[4 + k] = by_e[k] - by_f[k];
        row[8 + k] = by_f[k];
    }
    row[3] = by_theta_e;
    row[7] = by_theta_f;
}

void cst_discrete_joint_strains(const cst_discrete_edge *e, const cst_discrete_edge *f, double kappa[2], double *gradient)
{
    double kb[3], sum1[3], sum2[3], tilde[3];
    const double chi = 1.0 + cst_dot3(e->t, f->t);
    cst_cross3(e->t, f->t, kb);
    for (int k = 0; k < 3; ++k) {
        kb[k] *= 2.0 / chi;
        sum1[k] = e->m1[k] + f->m1[k];
        sum2[k] = e->m2[k] + f->m2[k];
        tilde[k] = (e->t[k] + f->t[k]) / chi;
    }
    kappa[0] = 0.5 * cst_dot3(kb, sum2);
    kappa[1] = -0.5 * cst_dot3(kb, sum1);
    if (!gradient)
        return;
    double f2[3], e2[3], f1[3], e1[3], by_e[3], by_f[3];
    cst_cross3(f->t, sum2, f2);
    cst_cross3(e->t, sum2, e2);
    cst_cross3(f->t, sum1, f1);
    cst_cross3(e->t, sum1, e1);
    for (int k = 0; k < 3; ++k) {
        by_e[k] = (-kappa[0] * tilde[k] + f2[k] / chi) / e->length;
        by_f[k] = (-kappa[0] * tilde[k] - e2[k] / chi) / f->length;
    }
    spread(by_e, by_f, -0.5 * cst_dot3(kb, e->m1), -0.5 * cst_dot3(kb, f->m1), gradient);
    for (int k = 0; k < 3; ++k) {
        by_e[k] = (-kappa[1] * tilde[k] - f1[k] / chi) / e->length;
        by_f[k] = (-kappa[1] * tilde[k] + e1[k] / chi) / f->length;
    }
    spread(by_e, by_f, -0.5 * cst_dot3(kb, e->m2), -0.5 * cst_dot3(kb, f->m2), gradient + WIDTH);
    for (int k = 0; k < 3; ++k) {
        by_e[k] = 0.5 * kb[k] / e->length;
        by_f[k] = 0.5 * kb[k] / f->length;
    }
    spread(by_e, by_f, -1.0, 1.0, gradient + 2 * WIDTH);
}

static cst_discrete_edge edge_of(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge)
{
    cst_discrete_edge out;
    const double *d1 = shape->frame + FRAME * edge, theta = shape->q[cst_nodal_edge(rod, edge)];
    const double c = cos(theta), s = sin(theta);
    double d2[3];
    out.length = cst_nodal_direction(rod, shape, edge, out.t);
    cst_cross3(out.t, d1, d2);
    for (int k = 0; k < 3; ++k) {
        out.m1[k] = c * d1[k] + s * d2[k];
        out.m2[k] = c * d2[k] - s * d1[k];
    }
    return out;
}

static void joint(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain, double *gradient)
{
    const double *natural = rod->joint_natural + ROWS * which;
    const int next = cst_nodal_next(rod, which);
    const cst_discrete_edge e = edge_of(rod, shape, which), f = edge_of(rod, shape, next);
    double kappa[2];
    cst_discrete_joint_strains(&e, &f, kappa, gradient);
    strain[0] = kappa[0] - natural[0];
    strain[1] = kappa[1] - natural[1];
    strain[2] =
        shape->q[cst_nodal_edge(rod, next)] - shape->q[cst_nodal_edge(rod, which)] + shape->frame[FRAME * which + 3] - natural[2];
}

/* Computes the frame whose columns are t, d1 and d2 = t x d1, from the orthogonal unit vectors t and d1. */
static void columns(const double *t, const double *d1, double *R)
{
    double d2[3];
    cst_cross3(t, d1, d2);
    for (int k = 0; k < 3; ++k) {
        R[3 * k] = t[k];
        R[3 * k + 1] = d1[k];
        R[3 * k + 2] = d2[k];
    }
}

/* Transports the direction d1 of an edge's reference frame without twist, from the edge direction `from` to the edge direction
 * `to`. */
static void carry_edge(const double *from, const double *to, const double *d1, double *out)
{
    cst_parallel_transport(from, to, d1, out);
    cst_add3(-cst_dot3(to, out), to, out);
    cst_normalise3(out);
}

static void carry(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *displacement, cst_nodal_shape *to)
{
    (void)displacement;
    double first[9] = {0}, before[9] = {0}, now[9];
    for (int i = 0; i < rod->edges; ++i) {
        double old[3], t[3], *d1 = to->frame + FRAME * i;
        cst_nodal_direction(rod, from, i, old);
        cst_nodal_direction(rod, to, i, t);
        carry_edge(old, t, from->frame + FRAME * i, d1);
        columns(t, d1, now);
        if (i == 0)
            memcpy(first, now, sizeof now);
        else
            to->frame[FRAME * (i - 1) + 3] = cst_nodal_twist(before, now, from->frame[FRAME * (i - 1) + 3]);
        memcpy(before, now, sizeof now);
    }
    const int last = FRAME * (rod->edges - 1) + 3;
    to->frame[last] = rod->closed ? cst_nodal_twist(before, first, from->frame[last]) : 0.0;
}

static void hold(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *nodes, const double *R, const double *turn,
                 double dt, bool secant, double *q, double *velocity)
{
    double old[3], t[3], d1[3], reference[9];
    cst_nodal_direction(rod, from, 0, old);
    cst_subtract3(nodes + 3, nodes, t);
    cst_normalise3(t);
    carry_edge(old, t, from->frame, d1);
    columns(t, d1, reference);
    const double theta = from->q[3], spin = cst_dot3(turn, t);
    *q = cst_nodal_twist(reference, R, theta + dt * spin);
    *velocity = secant ? (*q - theta) / dt : spin;
}

static void frame(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *R)
{
    const cst_discrete_edge e = edge_of(rod, shape, edge);
    columns(e.t, e.m1, R);
}

static void turn_by_angle(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *j_turn)
{
    double t[3];
    cst_nodal_direction(rod, shape, edge, t);
    for (int k = 0; k < 3; ++k)
        j_turn[k * (rod->stride + 3) + 3] = t[k];
}

static const cst_nodal_model model = {.stride = 4,
                                      .bandwidth = 10,
                                      .frame_size = FRAME,
                                      .joint = {.rows = ROWS, .find = joint},
                                      .carry = carry,
                                      .hold = hold,
                                      .frame = frame,
                                      .turn = turn_by_angle};

static const cst_body_class class = CST_NODAL_CLASS("discrete elastic rod", &cst_nodal_dynamics, &cst_nodal_statics);

/* Returns an edge with the material frame R. The length of the edge is set to 1, because the strains of a joint do not depend on
 * the lengths of its edges. */
static cst_discrete_edge edge_of_frame(const double *R)
{
    cst_discrete_edge e = {.length = 1.0};
    for (int k = 0; k < 3; ++k) {
        e.t[k] = R[3 * k];
        e.m1[k] = R[3 * k + 1];
        e.m2[k] = R[3 * k + 2];
    }
    return e;
}

/* LEAST_RADIUS: lower bound of the radius of an edge, divided by the edge length, in the formula for the inertia of the edge
 * about its own axis. Without a lower bound of the radius, an edge of radius 0 would have no inertia about its own axis. */
#define LEAST_RADIUS 1e-3

bool cst_discrete_rod_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size)
{
    cst_nodal_course first;
    *out = (cst_body_model){NULL, NULL};
    cst_nodal_rod *rod = cst_nodal_create(&model, def, sizeof(cst_nodal_rod), allocator, &first, message, message_size);
    if (!rod)
        return false;
    const double l = rod->edge_length;
    for (int i = 0; i < rod->joints; ++i) {
        double a[9], b[9], twist;
        cst_nodal_natural_joint(rod, def, i, a, b, &twist);
        const cst_discrete_edge e = edge_of_frame(a), f = edge_of_frame(b);
        double *stiffness = rod->joint_stiffness + ROWS * i, *natural = rod->joint_natural + ROWS * i;
        cst_discrete_joint_strains(&e, &f, natural, NULL);
        natural[2] = cst_nodal_twist(a, b, twist);
        stiffness[0] = def->bending_stiffness[1] / l;
        stiffness[1] = def->bending_stiffness[0] / l;
        stiffness[2] = def->twisting_stiffness / l;
        rod->now.frame[FRAME * i + 3] =
            cst_nodal_twist(first.frame + 9 * i, first.frame + 9 * cst_nodal_next(rod, i), first.twist[i]);
    }
    for (int i = 0; i < rod->edges; ++i) {
        const double radius = fmax(rod->radius[i], LEAST_RADIUS * l);
        const double share = rod->clamped && i == 0 ? 0.5 : 1.0;
        const cst_discrete_edge e = edge_of_frame(first.frame + 9 * i);
        memcpy(rod->now.frame + FRAME * i, e.m1, sizeof e.m1);
        rod->mass[cst_nodal_edge(rod, i)] = 0.5 * share * l * rod->mass_per_length * radius * radius;
        if (!rod->clamped || i == 0)
            rod->v[cst_nodal_edge(rod, i)] = cst_dot3(first.turn, e.t);
    }
    cst_nodal_settle(rod);
    *out = (cst_body_model){&class, rod};
    return true;
}
