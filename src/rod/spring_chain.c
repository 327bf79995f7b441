#include "rod/spring_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "rod/nodal_rod.h"

enum { WIDTH = 9 };

/* x_{i-1} - 2 x_i + x_{i+1} */
static void second_difference(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain, double *gradient)
{
    const double *a = shape->q + cst_nodal_node(rod, which), *b = shape->q + cst_nodal_node(rod, which + 1);
    const double *c = shape->q + cst_nodal_node(rod, which + 2 <= rod->edges ? which + 2 : 1);
    if (gradient)
        memset(gradient, 0, 3 * WIDTH * sizeof *gradient);
    for (int k = 0; k < 3; ++k) {
        strain[k] = a[k] - 2.0 * b[k] + c[k];
        if (gradient) {
            double *row = gradient + k * WIDTH + k;
            row[0] = 1.0;
            row[3] = -2.0;
            row[6] = 1.0;
        }
    }
}

static void any_across(const double *t, double *out)
{
    const int least = fabs(t[0]) <= fabs(t[1]) ? (fabs(t[0]) <= fabs(t[2]) ? 0 : 2) : (fabs(t[1]) <= fabs(t[2]) ? 1 : 2);
    memset(out, 0, 3 * sizeof *out);
    out[least] = 1.0;
    cst_add3(-t[least], t, out);
    cst_normalise3(out);
}

/* Computes the bending strain of a joint: 2 tan(alpha/2) minus its natural value, where alpha is the angle between the two edges
 * of the joint. A straight joint has no bending axis, so any axis perpendicular to the edge is used. */
static void angle(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain, double *gradient)
{
    double e[3], f[3], axis[3], fb[3], eb[3];
    const double length_e = cst_nodal_direction(rod, shape, which, e);
    const double length_f = cst_nodal_direction(rod, shape, cst_nodal_next(rod, which), f);
    const double chi = 1.0 + cst_dot3(e, f);
    cst_cross3(e, f, axis);
    const double kappa = 2.0 * cst_normalise3(axis) / chi;
    if (!(kappa > 0.0))
        any_across(e, axis);
    strain[0] = kappa - rod->joint_natural[which];
    if (!gradient)
        return;
    cst_cross3(f, axis, fb);
    cst_cross3(e, axis, eb);
    for (int k = 0; k < 3; ++k) {
        const double tilde = (e[k] + f[k]) / chi;
        const double by_e = (-kappa * tilde + 2.0 * fb[k] / chi) / length_e,
                     by_f = (-kappa * tilde - 2.0 * eb[k] / chi) / length_f;
        gradient[k] = -by_e;
        gradient[3 + k] = by_e - by_f;
        gradient[6 + k] = by_f;
    }
}

/* A mass-spring chain has no material frame. The first column of the returned frame is the tangent of the edge; the rotation of
 * the frame about the tangent is arbitrary. */
static void frame(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *R)
{
    double t[3], d1[3], d2[3];
    cst_nodal_direction(rod, shape, edge, t);
    any_across(t, d1);
    cst_cross3(t, d1, d2);
    for (int k = 0; k < 3; ++k) {
        R[3 * k] = t[k];
        R[3 * k + 1] = d1[k];
        R[3 * k + 2] = d2[k];
    }
}

static const cst_nodal_model straight_model = {
    .stride = 3, .bandwidth = 6, .joint = {.rows = 3, .find = second_difference}, .frame = frame};
static const cst_nodal_model curved_model = {.stride = 3, .bandwidth = 8, .joint = {.rows = 1, .find = angle}, .frame = frame};

static const cst_body_class class = CST_NODAL_CLASS("mass-spring chain", &cst_nodal_dynamics, &cst_nodal_statics);

static bool is_straight(const cst_fiber_def *def)
{
    for (int i = 0; i < (def->element_natural_curvature ? def->elements : 1); ++i) {
        const double *u = def->element_natural_curvature ? def->element_natural_curvature + 3 * i : def->natural_curvature;
        if (u[1] != 0.0 || u[2] != 0.0)
            return false;
    }
    return true;
}

bool cst_spring_chain_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size)
{
    cst_nodal_course first;
    *out = (cst_body_model){NULL, NULL};
    const double stiff = def->bending_stiffness[0];
    if (def->bending_stiffness[1] != stiff) {
        snprintf(message, message_size,
                 "a mass-spring chain bends alike in all directions: bending_stiffness must be one value twice");
        return false;
    }
    const bool straight = is_straight(def);
    cst_nodal_rod *rod = cst_nodal_create(straight ? &straight_model : &curved_model, def, sizeof(cst_nodal_rod), allocator,
                                          &first, message, message_size);
    if (!rod)
        return false;
    const double l = rod->edge_length;
    for (int i = 0; !straight && i < rod->joints; ++i) {
        double a[9], b[9], twist, across[3];
        cst_nodal_natural_joint(rod, def, i, a, b, &twist);
        const double e[3] = {a[0], a[3], a[6]}, f[3] = {b[0], b[3], b[6]};
        cst_cross3(e, f, across);
        rod->joint_natural[i] = 2.0 * sqrt(cst_dot3(across, across)) / (1.0 + cst_dot3(e, f));
    }
    for (int i = 0; i < rod->joints * rod->model->joint.rows; ++i)
        rod->joint_stiffness[i] = straight ? stiff / (l * l * l) : stiff / l;
    cst_nodal_settle(rod);
    *out = (cst_body_model){&class, rod};
    return true;
}
