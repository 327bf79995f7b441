/* Correction of the angular momentum of a free nodal rod at the end of a step with inertia. The theta scheme with theta > 1/2
 * damps a rigid rotation, because masses accelerate towards the centre of the rotation. Without a correction of the angular
 * momentum, a rod that rotates at 20 rad/s would keep only 56 % of its energy after 1 s at dt = 1 ms. Symbols:
 *     `x_c`: centre of mass.
 *     `S`, `S+`: initial, final angular momentum.
 *     `L_f`: external angular impulse about `x_c`.
 *     `nu`: drag per length.
 *     `rhoA`: mass per length.
 *     `I`: inertia tensor of the rod.
 *     `x+`, `v+`: final positions and velocities.
 *     `w`: added angular velocity.
 *     `lambda`: factor from 0 to 1 by which the added angular velocity w is multiplied.
 *     `G(lambda)`: energy that the time stepping and the added rotation together add to the rod in the step.
 *
 * Internal forces have no moment, so only drag and the impulses of contacts, constraints and loads change the angular momentum
 * about the centre of mass:
 *     `(1+theta*dt*nu/rhoA)*S+ = (1-(1-theta)*dt*nu/rhoA)*S + L_f`.
 *
 * The angular impulse L_f of contacts, constraints and loads is computed with the node positions of the shape where the step was
 * linearised. The code adds a rigid rotation of the whole rod, which supplies the angular momentum that is missing at the end of
 * the step:
 *     `I(x+) w = S+ - S(x+,v+)`.
 *     `dv+ = lambda*w x (x+-x_c)`.
 *
 * In CORDE rods, the angular velocity of an edge is a dof, and the added angular velocity lambda w is also added to this dof. The
 * added rotation must not make the rod gain energy, so the factor lambda is:
 *     `lambda = 1, if G(1) <= 0`.
 *     `lambda > 0 with G(lambda) = 0, if G(1) > 0 and G(0) < 0`.
 *     `lambda = 0, if G(1) > 0 and G(0) >= 0`. */
#include <math.h>

#include "math/vector3.h"
#include "rod/nodal_rod.h"

/* about_itself: inertia that is added to the diagonal of the inertia tensor, as a fraction of its trace. Without added inertia,
 * the inertia tensor of a straight rod is singular, because the nodes have no inertia about the axis of the rod. */
static const double about_itself = 1e-6;

/* Mass, centre of mass, angular momentum and inertia tensor of a rod in one shape; the last two are about the centre of mass. The
 * angular momentum includes the spin of every edge. The inertia tensor includes the rotational inertia of the edges only in
 * CORDE rods, where the angular velocity of an edge is a dof. */
typedef struct cloud {
    double mass, centre[3], spin[3], inertia[9];
} cloud;

void cst_nodal_add_edge_moment(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, const double *moment,
                               double scale, double *out)
{
    if (rod->stride == 6) { /* angular velocities in world axes */
        cst_add3(scale, moment, out);
    } else if (rod->stride == 4) { /* an angle about the edge */
        double t[3];
        cst_nodal_direction(rod, shape, edge, t);
        cst_add3(scale * moment[0], t, out);
    }
}

static cloud cloud_of(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const double *v)
{
    const double *q = shape->q;
    cloud sum = {0};
    for (int i = 0; i < rod->edges && rod->stride > 3; ++i) {
        const int at = cst_nodal_edge(rod, i);
        cst_nodal_add_edge_moment(rod, shape, i, v + at, rod->mass[at], sum.spin);
        for (int k = 0; k < 3 && rod->stride == 6; ++k)
            sum.inertia[4 * k] += rod->mass[at + k];
    }
    for (int i = 0; i < rod->nodes; ++i) {
        const int at = i * rod->stride;
        sum.mass += rod->mass[at];
        cst_add3(rod->mass[at], q + at, sum.centre);
    }
    for (int k = 0; k < 3; ++k)
        sum.centre[k] /= sum.mass;
    for (int i = 0; i < rod->nodes; ++i) {
        const int at = i * rod->stride;
        const double m = rod->mass[at];
        double arm[3], turning[3];
        cst_subtract3(q + at, sum.centre, arm);
        cst_cross3(arm, v + at, turning);
        cst_add3(m, turning, sum.spin);
        const double square = m * cst_dot3(arm, arm);
        for (int k = 0; k < 9; ++k)
            sum.inertia[k] += (k % 4 == 0 ? square : 0.0) - m * arm[k / 3] * arm[k % 3];
    }
    return sum;
}

void cst_nodal_spin_before(cst_nodal_rod *rod, const cst_step_frame *frame)
{
    const cloud start = cloud_of(rod, &rod->now, rod->v), linear = cloud_of(rod, &rod->linear, rod->v);
    const double dragging = frame->dt * rod->drag / rod->mass_per_length;
    double lever[3];
    cst_cross3(linear.centre, rod->outer_push, lever);
    for (int k = 0; k < 3; ++k)
        rod->spin[k] = ((1.0 - (1.0 - frame->theta) * dragging) * start.spin[k] + rod->outer_moment[k] - lever[k]) /
                       (1.0 + frame->theta * dragging);
}

/* Solves A x = b for a symmetric positive definite 3 x 3 matrix A by Cramer's rule. */
static void solve(const double *A, const double *b, double *x)
{
    double c0[3], c1[3], c2[3];
    cst_cross3(A + 3, A + 6, c0);
    cst_cross3(A + 6, A, c1);
    cst_cross3(A, A + 3, c2);
    const double det = cst_dot3(A, c0);
    for (int k = 0; k < 3; ++k)
        x[k] = (c0[k] * b[0] + c1[k] * b[1] + c2[k] * b[2]) / det;
}

/* Returns the factor lambda by which the added rigid rotation is multiplied. The energy that the time stepping and the added
 * rotation together add to the rod is G(lambda) = `scheme` + `a` lambda + `b` lambda^2, with `b` > 0. */
static double allowed(double scheme, double a, double b)
{
    if (scheme + a + b <= 0.0)
        return 1.0;
    if (scheme >= 0.0)
        return 0.0;
    return (-a + sqrt(a * a - 4.0 * b * scheme)) / (2.0 * b);
}

double cst_nodal_keep_spin(cst_nodal_rod *rod, double scheme)
{
    const bool edges_turn = rod->stride == 6; /* CORDE rods: the angular velocity of an edge is a dof */
    const cloud has = cloud_of(rod, &rod->now, rod->v);
    double missing[3], I[9], w[3], lost[3];
    cst_subtract3(rod->spin, has.spin, missing);
    const double trace = has.inertia[0] + has.inertia[4] + has.inertia[8];
    for (int k = 0; k < 9; ++k)
        I[k] = has.inertia[k] + (k % 4 == 0 ? about_itself * trace : 0.0);
    solve(I, missing, w);
    cst_apply3(has.inertia, w, lost);
    double a = cst_dot3(has.spin, w), b = 0.5 * cst_dot3(w, lost);
    for (int i = 0; i < rod->edges && rod->stride == 4; ++i) { /* angles about edges are not changed */
        double own[3] = {0.0, 0.0, 0.0};
        const int at = cst_nodal_edge(rod, i);
        cst_nodal_add_edge_moment(rod, &rod->now, i, rod->v + at, rod->mass[at], own);
        a -= cst_dot3(own, w);
    }
    if (!(b > 0.0) || !isfinite(a + b))
        return 0.0;
    const double share = allowed(scheme, a, b);
    for (int i = 0; i < rod->nodes; ++i) {
        const int at = i * rod->stride;
        double arm[3], more[3];
        cst_subtract3(rod->now.q + at, has.centre, arm);
        cst_cross3(w, arm, more);
        cst_add3(share, more, rod->v + at);
    }
    for (int i = 0; i < rod->edges && edges_turn; ++i)
        cst_add3(share, w, rod->v + cst_nodal_edge(rod, i));
    return share * (a + share * b);
}
