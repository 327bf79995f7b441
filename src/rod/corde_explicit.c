#include "rod/corde_explicit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "rod/nodal_stretch.h"

enum { WIDTH = 9, ROWS = 3, POWER_ITERATIONS = 200 };

/* MARGIN: longest allowed time step, divided by the longest stable time step that power iteration gives. Power iteration
 * underestimates the highest frequency of the rod, and the highest frequency changes with the rod's shape. */
#define MARGIN 0.95

/* EDGE_DAMPING: largest damping of the edge strains (angles between edges and their frames), as a fraction of the critical
 * damping of their fastest vibration. */
#define EDGE_DAMPING 0.1

/* ---------------------------------------------------------------------------------------------------------------- stability */

/* For each strain of one joint or edge, with stiffness c and gradient g, adds the vector c g (g . x) to the vector y. */
static void add_curvature(const cst_nodal_rod *rod, int first, const double *stiffness, const double *gradient, const double *x,
                          double *y)
{
    for (int r = 0; r < ROWS; ++r) {
        const double *g = gradient + r * WIDTH;
        double along = 0.0;
        for (int k = 0; k < WIDTH; ++k)
            along += g[k] * x[cst_nodal_dof(rod, first, k)];
        for (int k = 0; k < WIDTH; ++k)
            y[cst_nodal_dof(rod, first, k)] += stiffness[r] * along * g[k];
    }
}

typedef enum parts { ALL, JOINTS, EDGES } parts;

/* Computes y = H x. The matrix H is the Gauss-Newton approximation of the Hessian of the elastic energy; it is computed from the
 * stored gradients of the strains. `which`: all strains, only the strains of joints, or only the shear strains of edges. */
static void apply(const cst_nodal_rod *rod, parts which, const double *x, double *y)
{
    memset(y, 0, (size_t)rod->total * sizeof *y);
    for (int i = 0; i < rod->edges; ++i) {
        if (which == ALL) {
            const int a = cst_nodal_node(rod, i), b = cst_nodal_node(rod, i + 1);
            double d[3];
            cst_subtract3(x + b, x + a, d);
            const double *t = rod->stretch[i].t, pull = rod->stretching / rod->rest[i] * cst_dot3(t, d);
            cst_add3(pull, t, y + b);
            cst_add3(-pull, t, y + a);
        }
        if (which != JOINTS)
            add_curvature(rod, i * rod->stride, rod->edge_stiffness + ROWS * i, rod->edge_gradient + ROWS * WIDTH * i, x, y);
        if (which != EDGES && i < rod->joints)
            add_curvature(rod, cst_nodal_joint_first(rod, i), rod->joint_stiffness + ROWS * i,
                          rod->joint_gradient + ROWS * WIDTH * i, x, y);
    }
}

/* Returns the square of the highest angular frequency of vibration of the rod; clamped dofs do not move. `x`, `y`: scratch
 * (total). */
static double fastest(const cst_nodal_rod *rod, parts which, double *x, double *y)
{
    double largest = 0.0;
    for (int i = 0; i < rod->total; ++i) /* alternating signs, like the fastest vibrations */
        x[i] = i < rod->held ? 0.0 : ((i / rod->stride) % 2 ? -1.0 : 1.0) * (1.0 + 0.3 * sin(1.7 * i));
    for (int step = 0; step < POWER_ITERATIONS; ++step) {
        double size = 0.0, energy = 0.0;
        apply(rod, which, x, y);
        for (int i = rod->held; i < rod->total; ++i) {
            size += rod->mass[i] * x[i] * x[i];
            energy += x[i] * y[i];
        }
        if (!(size > 0.0))
            break;
        largest = fmax(largest, energy / size);
        const double scale = 1.0 / sqrt(size);
        for (int i = rod->held; i < rod->total; ++i)
            x[i] = scale / largest * y[i] / rod->mass[i];
    }
    return largest;
}

bool cst_corde_explicit_prepare(cst_corde_explicit *rod)
{
    cst_nodal_rod *super = &rod->super;
    rod->diagonal = CST_TAKE(&super->arena, double, super->total);
    rod->force = CST_TAKE(&super->arena, double, super->total);
    if (super->arena.failed)
        return false;
    for (int i = 0; i < super->edges; ++i) {
        double strain[ROWS];
        cst_nodal_direction(super, &super->now, i, super->stretch[i].t);
        super->model->edge.find(super, &super->now, i, strain, super->edge_gradient + ROWS * WIDTH * i);
        if (i < super->joints)
            super->model->joint.find(super, &super->now, i, strain, super->joint_gradient + ROWS * WIDTH * i);
    }
    const double all = fastest(super, ALL, rod->diagonal, rod->force), edges = fastest(super, EDGES, rod->diagonal, rod->force);
    const double joints = fastest(super, JOINTS, rod->diagonal, rod->force);
    rod->edge_viscosity = fmin(super->viscosity, 2.0 * EDGE_DAMPING / sqrt(edges));
    const double damping = super->viscosity * joints + rod->edge_viscosity * edges;
    rod->longest_step = MARGIN * 4.0 / (damping + sqrt(damping * damping + 4.0 * all));
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- the step */

static void add_strains(cst_corde_explicit *rod, int first, double viscosity, const double *stiffness, const double *strain,
                        const double *gradient)
{
    const cst_nodal_rod *super = &rod->super;
    for (int r = 0; r < ROWS; ++r) {
        const double *g = gradient + r * WIDTH;
        double rate = 0.0;
        for (int k = 0; k < WIDTH; ++k)
            rate += g[k] * super->v[cst_nodal_dof(super, first, k)];
        const double push = -stiffness[r] * (strain[r] + viscosity * rate);
        for (int k = 0; k < WIDTH; ++k)
            rod->force[cst_nodal_dof(super, first, k)] += push * g[k];
        rod->elastic += 0.5 * stiffness[r] * strain[r] * strain[r];
        rod->dissipation += viscosity * stiffness[r] * rate * rate;
    }
}

static void add_stretch(cst_corde_explicit *rod, int edge)
{
    const cst_nodal_rod *super = &rod->super;
    const double rest = super->rest[edge];
    double t[3], slope;
    const double length = cst_nodal_direction(super, &super->now, edge, t), longer = length - rest,
                 pull = cst_nodal_tension(super, edge, length, &slope);
    cst_add3(pull, t, rod->force + cst_nodal_node(super, edge));
    cst_add3(-pull, t, rod->force + cst_nodal_node(super, edge + 1));
    rod->elastic += 0.5 * super->stretching / rest * longer * longer + cst_nodal_pressed_energy(super, edge, length);
}

bool cst_corde_explicit_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    cst_corde_explicit *rod = self;
    cst_nodal_rod *super = &rod->super;
    const double dt = frame->dt, inertia = frame->quasi_static ? 0.0 : 1.0;
    (void)guess; /* an explicit step uses the forces at its start, so it needs no guess of the final velocities */
    if (frame->theta != 1.0) {
        snprintf(message, message_size, "an explicit CORDE rod steps with theta = 1 only, not %g", frame->theta);
        return false;
    }
    if (!(dt <= rod->longest_step)) {
        snprintf(
            message, message_size,
            "an explicit CORDE rod of %d edges is stable in steps of %.3g s at most, not %.3g s (longer ones: fewer edges, less "
            "stretching_stiffness, more radius, or not explicit)",
            super->edges, rod->longest_step, dt);
        return false;
    }
    memset(super->pushed, 0, sizeof super->pushed);
    cst_nodal_impose(super, frame);
    super->linear = super->now;
    memset(rod->force, 0, (size_t)super->total * sizeof *rod->force);
    rod->elastic = rod->dissipation = 0.0;
    double strain[ROWS], gradient[ROWS * WIDTH];
    for (int i = 0; i < super->edges; ++i) {
        add_stretch(rod, i);
        super->model->edge.find(super, &super->now, i, strain, gradient);
        add_strains(rod, i * super->stride, inertia * rod->edge_viscosity, super->edge_stiffness + ROWS * i, strain, gradient);
        if (i < super->joints) {
            super->model->joint.find(super, &super->now, i, strain, gradient);
            add_strains(rod, cst_nodal_joint_first(super, i), inertia * super->viscosity, super->joint_stiffness + ROWS * i,
                        strain, gradient);
        }
    }
    const double dragged = 1.0 + dt * super->drag / super->mass_per_length;
    for (int i = 0; i < super->total; ++i) {
        const int within = i % super->stride;
        const double m = super->mass[i], weight = within < 3 ? m * frame->gravity[within] : 0.0;
        rod->diagonal[i] = within < 3 ? dragged * m : m;
        super->full_rhs[i] = inertia * m * super->v[i] + dt * (weight + rod->force[i]);
    }
    memcpy(super->held_rhs, super->full_rhs, (size_t)super->held * sizeof *super->held_rhs);
    return true;
}

bool cst_corde_explicit_solve(void *self, double *x)
{
    const cst_corde_explicit *rod = self;
    double sum = 0.0; /* finite only if x is finite */
    for (int i = rod->super.held; i < rod->super.total; ++i) {
        double *to = x + i - rod->super.held;
        *to /= rod->diagonal[i];
        sum += 0.0 * *to;
    }
    return isfinite(sum);
}

void cst_corde_explicit_describe(void *self, cst_body *out)
{
    cst_corde_explicit *rod = self;
    const int held = rod->super.held;
    *out =
        (cst_body){.kind = CST_BODY_BAND, .size = rod->super.total - held, .matrix = rod->diagonal + held, .rhs = rod->super.rhs};
}

/* The works of gravity, drag and the clamp are computed with the velocities v+ at the end of the step, as are the works of
 * contacts and loads. The work of viscosity is computed with the velocities at the start of the step. The work of the
 * time-stepping scheme is the change of energy minus all works of forces and of viscosity. */
void cst_corde_explicit_finish(void *self, const cst_step_frame *frame, const double *v)
{
    cst_corde_explicit *rod = self;
    cst_nodal_rod *super = &rod->super;
    const double dt = frame->dt, inertia = frame->quasi_static ? 0.0 : 1.0;
    cst_nodal_impose(super, frame);
    cst_nodal_advance(super, frame, v, 1.0, &super->placed_buffer);
    double change = 0.0, kinetic = 0.0, dragged = 0.0, inner = 0.0, clamp = 0.0;
    for (int i = 0; i < super->total; ++i) {
        const double m = super->mass[i], end = super->mean[i], dv = end - inertia * super->v[i];
        change += m * dv * dv;
        kinetic += 0.5 * m * super->v[i] * super->v[i];
        inner += rod->force[i] * end;
        if (i % super->stride < 3)
            dragged += m * end * end;
        if (i < super->held)
            clamp += (rod->diagonal[i] * end - super->held_rhs[i] - super->pushed[i]) * end;
    }
    const double gained = cst_nodal_elastic_energy(super, &super->placed_buffer) - rod->elastic;
    super->work = (cst_body_work){.viscosity = -dt * rod->dissipation,
                                  .drag = -dt * super->drag / super->mass_per_length * dragged,
                                  .scheme = dt * (inner + rod->dissipation) + gained - 0.5 * change,
                                  .constraint = clamp,
                                  .forgotten = frame->quasi_static ? -kinetic : 0.0};
    cst_nodal_accept(super, v);
}
