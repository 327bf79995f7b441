/* The time step of a nodal rod: assembles and solves the equations of nodal_rod.h, and updates the state of the rod. */
#include "rod/nodal_rod.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "rod/nodal_curve.h"
#include "rod/nodal_stretch.h"

double cst_nodal_direction(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *t)
{
    cst_subtract3(shape->q + cst_nodal_node(rod, edge + 1), shape->q + cst_nodal_node(rod, edge), t);
    return cst_normalise3(t);
}

/* ------------------------------------------------------------------------------------------------------------------ place */

/* Computes rod->mean: the mean velocity of every dof over a step that ends with the velocities v. */
static void average(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v)
{
    const double theta = frame->theta, old = cst_nodal_old_share(frame);
    for (int i = 0; i < rod->held; ++i)
        rod->mean[i] = theta * rod->imposed[i] + old * rod->v[i];
    for (int i = rod->held; i < rod->total; ++i)
        rod->mean[i] = theta * v[i - rod->held] + old * rod->v[i];
}

void cst_nodal_advance(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v, double share, cst_nodal_shape *to)
{
    average(rod, frame, v);
    for (int i = 0; i < rod->total; ++i) {
        rod->moved[i] = share * frame->dt * rod->mean[i];
        to->q[i] = rod->now.q[i] + (i < rod->held ? share * (rod->reached[i] - rod->now.q[i]) : rod->moved[i]);
    }
    if (rod->model->carry)
        rod->model->carry(rod, &rod->now, rod->moved, to);
    cst_nodal_find_bends(rod, to);
}

void cst_nodal_settle(cst_nodal_rod *rod)
{
    cst_nodal_find_bends(rod, &rod->now);
    rod->placed = rod->linear = rod->now;
    for (int i = 0; i < rod->held; ++i)
        rod->imposed[i] = rod->v[i];
}

bool cst_nodal_place(void *self, const cst_step_frame *frame, const double *v)
{
    cst_nodal_rod *rod = self;
    if (!v) {
        cst_nodal_settle(rod);
    } else {
        /* computes rod->placed, the shape for contact detection at the end of the step; the present shape rod->now does not
         * change */
        cst_nodal_impose(rod, frame);
        cst_nodal_advance(rod, frame, v, 1.0, &rod->placed_buffer);
        rod->placed = rod->placed_buffer;
    }
    double sum = 0.0; /* `sum` stays 0 if all coordinates of the rod are finite, and becomes NaN otherwise */
    for (int i = 0; i < rod->total; ++i)
        sum += 0.0 * rod->placed.q[i];
    return isfinite(sum);
}

/* --------------------------------------------------------------------------------------------------------------- assembly */

/* Coefficients of the terms in the equations of a step (nodal_rod.h). */
typedef struct step_factors {
    double dt;
    /* `stiffness`: factor (s^2) of the stretching stiffness in the matrix of the step.
     * `damped`: factor (s^2) of the stiffness of every other strain in the matrix of the step; this factor includes the
     * viscosity. */
    double stiffness, damped;
    double ahead; /* extrapolation time of edge directions (s) */
    /* `lag`: theta (1 - theta) dt (s), or 0 in a quasi-static step. The right-hand side of the step contains the elastic forces
     * of the initial shape displaced by `lag` times the initial velocities. */
    double lag;
    /* `damping_old`: (1 - theta) dt times the viscosity (s^2), or 0 in a quasi-static step. Each strain except the stretch adds a
     * viscous impulse to the right-hand side of the step: minus `damping_old` times the stiffness and the initial rate of the
     * strain. */
    double damping_old;
    /* `drag_new`: factor of the node masses in the matrix of the step; 1 without drag.
     * `drag_old`: factor of the initial momentum of the nodes on the right-hand side of the step; 1 without drag. */
    double drag_new, drag_old;
    double inertia; /* 0 in a quasi-static step */
} step_factors;

static step_factors factors_of(const cst_nodal_rod *rod, const cst_step_frame *frame)
{
    const double dt = frame->dt, theta = frame->theta, dragging = rod->drag / rod->mass_per_length;
    return (step_factors){.dt = dt,
                          .stiffness = theta * theta * dt * dt,
                          .damped = theta * theta * dt * dt + theta * dt * rod->viscosity,
                          .ahead = frame->quasi_static ? 0.0 : theta * dt,
                          .lag = frame->quasi_static ? 0.0 : theta * (1.0 - theta) * dt,
                          .damping_old = frame->quasi_static ? 0.0 : dt * (1.0 - theta) * rod->viscosity,
                          .drag_new = 1.0 + theta * dt * dragging,
                          .drag_old = 1.0 - (1.0 - theta) * dt * dragging,
                          .inertia = frame->quasi_static ? 0.0 : 1.0};
}

/* Adds the terms of the `rows` strains of one joint or edge to the matrix and the right-hand side of the step. A strain with the
 * stiffness c and the gradient g adds c g g^T to the Gauss-Newton matrix and a force along g to the right-hand side.
 * `first`, `width`: index of the first dof on which the strains depend, and number of these dofs.
 * `kept`: receives the strains at the start of the step, extrapolated linearly from the shape where the step is linearised. */
static inline __attribute__((always_inline)) void add_strains(cst_nodal_rod *rod, const step_factors *step, int first, int width,
                                                              int rows, const double *stiffness, const double *strain,
                                                              const double *gradient, double *kept)
{
    double scaled[CST_NODAL_ROWS][CST_NODAL_JOINT_DOFS], force[CST_NODAL_JOINT_DOFS] = {0};
    const bool around = first + width > rod->total;
    for (int r = 0; r < rows; ++r) {
        const double *g = gradient + r * width;
        /* `moved`: change of the strain from the start of the step to the shape where the step is linearised.
         * `rate`: rate of the strain at the start of the step. */
        double moved = 0.0, rate = 0.0;
        for (int k = 0; k < width; ++k) {
            const int dof = around ? cst_nodal_dof(rod, first, k) : first + k;
            moved += g[k] * rod->moved[dof];
            rate += g[k] * rod->v[dof];
        }
        kept[r] = strain[r] - moved;
        const double push = -stiffness[r] * (step->dt * kept[r] + (step->dt * step->lag + step->damping_old) * rate);
        const double scale = step->damped * stiffness[r];
        for (int k = 0; k < width; ++k) {
            force[k] += push * g[k];
            scaled[r][k] = scale * g[k];
        }
    }
    for (int b = 0; b < width; ++b) {
        const int row = around ? cst_nodal_dof(rod, first, b) : first + b;
        rod->full_rhs[row] += force[b];
        double *to = cst_envelope_row(&rod->whole, row);
        for (int a = b > rod->bandwidth ? b - rod->bandwidth : 0; a <= b; ++a) {
            double entry = 0.0;
            for (int r = 0; r < rows; ++r)
                entry += scaled[r][a] * gradient[r * width + b];
            if (!around) {
                to[first + a] += entry;
            } else {
                const int column = cst_nodal_dof(rod, first, a);
                if (column <= row)
                    to[column] += entry;
                else
                    cst_envelope_row(&rod->whole, column)[row] += entry;
            }
        }
    }
}

/* Calls add_strains with constant sizes for the usual rod models, so that the compiler unrolls the loops. */
static void add_some_strains(cst_nodal_rod *rod, const step_factors *step, int first, int width, int rows,
                             const double *stiffness, const double *strain, const double *gradient, double *kept)
{
    if (width == 11 && rows == 3)
        add_strains(rod, step, first, 11, 3, stiffness, strain, gradient, kept);
    else if (width == 9 && rows == 3)
        add_strains(rod, step, first, 9, 3, stiffness, strain, gradient, kept);
    else
        add_strains(rod, step, first, width, rows, stiffness, strain, gradient, kept);
}

/* Adds the force of one stretched edge to the equations of the step. Symbols:
 *     `e`: edge vector.
 *     `t`: unit vector along which the force of the edge is linearised.
 *     `L`: length of the edge for which the tension is computed.
 *     `N`, `N'`: tension at the length L (rod/nodal_stretch.h), and its derivative with respect to the length.
 *     `T`: tension that gives the transverse stiffness; 0 in compression.
 *
 * The force f of the edge is linear in the edge vector:
 *     `f = -(N+N'(t.e-L)) t - (T/|e|)(e-t(t.e))`.
 *
 * The theta scheme uses the force of the edge at the time theta dt after the start of the step. In a step linearised at a guess
 * of the final velocities, the unit vector t is the guessed direction of the edge at the time theta dt. In a step linearised at a
 * guess, the tension T follows from the guessed edge vector at the time theta dt by the linear force law of the previous
 * linearisation. In a step linearised at its start, the tension T is the initial tension, and the unit vector t is the direction
 * between the extrapolated positions of the two nodes of the edge. The nodes are extrapolated with their initial velocities over
 * the time theta dt. In a quasi-static step linearised at its start, the unit vector t is the initial direction of the edge. The
 * linearised force of the edge is exact if, at the time theta dt, the edge has the direction of the unit vector t and is longer
 * than half of its natural length. Because the unit vector t follows the rotation of the edge, a rotation of the edge in a step
 * does not lengthen the edge. */
static void add_stretch(cst_nodal_rod *rod, const step_factors *step, bool guessed, int edge)
{
    const int a = cst_nodal_node(rod, edge), b = cst_nodal_node(rod, edge + 1);
    cst_nodal_linear_stretch *kept = rod->stretch + edge;
    double *t = kept->t, K[9], e[3], ahead[3], force[3], at;
    cst_subtract3(rod->now.q + b, rod->now.q + a, e);
    const double length = sqrt(cst_dot3(e, e));
    if (guessed) {
        cst_subtract3(rod->linear.q + b, rod->linear.q + a, ahead);
        const double tension = kept->along * cst_dot3(t, ahead) + kept->offset; /* tension of the last linearisation */
        kept->across = fmax(tension, 0.0) / length;
        at = sqrt(cst_dot3(ahead, ahead));
    } else {
        for (int k = 0; k < 3; ++k)
            ahead[k] = e[k] + step->ahead * (rod->v[b + k] - rod->v[a + k]);
        if (cst_dot3(ahead, e) <= 0.0) /* the extrapolation would reverse the edge */
            memcpy(ahead, e, sizeof ahead);
        kept->across = rod->stretching / rod->rest[edge] * fmax(length - rod->rest[edge], 0.0) / length;
        at = length;
    }
    memcpy(t, ahead, sizeof ahead);
    cst_normalise3(t);
    const double tension = cst_nodal_tension(rod, edge, at, &kept->along);
    kept->offset = at < CST_NODAL_PRESSED * rod->rest[edge] ? tension - kept->along * at : -rod->stretching;
    const double across = kept->across, along = kept->along;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            K[3 * i + j] = (along - across) * t[i] * t[j];
        K[4 * i] += across;
        e[i] += step->lag * (rod->v[b + i] - rod->v[a + i]);
    }
    cst_apply3(K, e, force);
    const int low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < 3; ++i) {
        force[i] = -step->dt * (force[i] + kept->offset * t[i]);
        rod->full_rhs[b + i] += force[i];
        rod->full_rhs[a + i] -= force[i];
        double *low_row = cst_envelope_row(&rod->whole, low + i), *high_row = cst_envelope_row(&rod->whole, high + i);
        for (int j = 0; j < 3; ++j) {
            const double entry = step->stiffness * K[3 * i + j];
            high_row[low + j] -= entry;
            if (j <= i) {
                low_row[low + j] += entry;
                high_row[high + j] += entry;
            }
        }
    }
}

static void add_masses(cst_nodal_rod *rod, const step_factors *step, const double *gravity)
{
    for (int i = 0; i < rod->total; ++i) {
        const int within = i % rod->stride;
        const double m = rod->mass[i], momentum = step->inertia * m * rod->v[i];
        double *diagonal = cst_envelope_row(&rod->whole, i) + i;
        if (within < 3) {
            *diagonal += step->drag_new * m;
            rod->full_rhs[i] += step->drag_old * momentum + step->dt * m * gravity[within];
        } else {
            *diagonal += m;
            rod->full_rhs[i] += momentum;
        }
    }
}

/* Subtracts the columns of the clamped dofs in the matrix, times their prescribed velocities, from the right-hand side of the
 * free dofs. */
static void move_imposed(cst_nodal_rod *rod)
{
    memcpy(rod->held_rhs, rod->full_rhs, (size_t)rod->held * sizeof *rod->held_rhs);
    for (int i = rod->held; i < rod->total && rod->whole.first[i] < rod->held; ++i) {
        const double *row = cst_envelope_row(&rod->whole, i);
        for (int j = rod->whole.first[i]; j < rod->held; ++j)
            rod->full_rhs[i] -= row[j] * rod->imposed[j];
    }
}

bool cst_nodal_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    cst_nodal_rod *rod = self;
    const cst_nodal_model *model = rod->model;
    const step_factors step = factors_of(rod, frame);
    memset(rod->pushed, 0, sizeof rod->pushed);
    memset(rod->outer_push, 0, sizeof rod->outer_push);
    memset(rod->outer_moment, 0, sizeof rod->outer_moment);
    cst_nodal_impose(rod, frame);
    if (guess) {
        cst_nodal_advance(rod, frame, guess, frame->theta, &rod->linear_buffer);
        rod->linear = rod->linear_buffer;
    } else {
        memset(rod->moved, 0, (size_t)rod->total * sizeof *rod->moved);
        rod->linear = rod->now;
    }
    memset(rod->full_rhs, 0, (size_t)rod->total * sizeof *rod->full_rhs);
    memset(rod->whole.entry, 0, rod->entries * sizeof *rod->whole.entry);
    add_masses(rod, &step, frame->gravity);
    const int width = cst_nodal_joint_width(rod), edge_width = rod->stride + 3;
    for (int i = 0; i < rod->edges; ++i) {
        add_stretch(rod, &step, guess, i);
        double strain[CST_NODAL_ROWS];
        if (model->edge.rows > 0) {
            double *gradient = rod->edge_gradient + (size_t)i * (size_t)(model->edge.rows * edge_width);
            model->edge.find(rod, &rod->linear, i, strain, gradient);
            const double *stiffness = rod->edge_stiffness + i * model->edge.rows;
            add_some_strains(rod, &step, i * rod->stride, edge_width, model->edge.rows, stiffness, strain, gradient,
                             rod->edge_strain + i * model->edge.rows);
        }
        if (i < rod->joints) {
            double *gradient = rod->joint_gradient + (size_t)i * (size_t)(model->joint.rows * width);
            model->joint.find(rod, &rod->linear, i, strain, gradient);
            const double *stiffness = rod->joint_stiffness + i * model->joint.rows;
            add_some_strains(rod, &step, cst_nodal_joint_first(rod, i), width, model->joint.rows, stiffness, strain, gradient,
                             rod->joint_strain + i * model->joint.rows);
        }
    }
    move_imposed(rod);
    memcpy(rod->factor.entry, rod->whole.entry + rod->held * (rod->bandwidth + 1),
           rod->factor_entries * sizeof *rod->factor.entry);
    const int bad = cst_envelope_factor(&rod->factor);
    if (bad >= 0)
        snprintf(message, message_size, "the dynamics of a fiber of %d edges are not positive definite or not finite (dof %d)",
                 rod->edges, bad);
    return bad < 0;
}

double *cst_nodal_rhs(void *self)
{
    return ((cst_nodal_rod *)self)->rhs;
}

bool cst_nodal_solve(void *self, double *x)
{
    const cst_nodal_rod *rod = self;
    /* The forward substitution starts at the first nonzero entry of the right-hand side x. If the right-hand side contains the
     * impulses of one contact, its first nonzero entry belongs to the first dof on which the contact acts. */
    int from = 0;
    while (from + 1 < rod->factor.size && x[from] == 0.0)
        from++;
    cst_envelope_forward(&rod->factor, 1, 0, from, x + from);
    cst_envelope_backward(&rod->factor, x);
    /* the back substitution computes the first entry x[0] of the solution last, and x[0] depends, directly or through other
     * entries, on all entries; so x[0] is not finite if any entry is not finite */
    return isfinite(x[0]);
}

/* Computes the residual A x - f of the linear system of the step, and for each entry of the residual an upper bound `terms` for
 * the sum of the absolute values of its terms (friction/body_defect.h). */
static bool nodal_defect(void *self, double *x, const double *f, double *defect, double *terms)
{
    const cst_nodal_rod *rod = self;
    const int held = rod->held;
    double sum_of_sizes = 0.0;
    for (int i = held; i < rod->total; ++i) {
        const double *row = cst_envelope_row(&rod->whole, i), x_i = x[i - held];
        double sum = row[i] * x_i;
        for (int j = rod->whole.first[i] > held ? rod->whole.first[i] : held; j < i; ++j) {
            sum += row[j] * x[j - held];
            defect[j - held] += row[j] * x_i;
        }
        defect[i - held] = sum - f[i - held];
        terms[i - held] = sqrt(row[i]);
        sum_of_sizes += terms[i - held] * fabs(x_i);
    }
    for (int k = 0; k < rod->total - held; ++k)
        terms[k] = terms[k] * sum_of_sizes + fabs(f[k]);
    return true;
}

void cst_nodal_describe(void *self, cst_body *out)
{
    cst_nodal_rod *rod = self;
    *out = (cst_body){.kind = CST_BODY_SOLVE,
                      .size = rod->total - rod->held,
                      .solve = cst_nodal_solve,
                      .defect = nodal_defect,
                      .user = rod,
                      .rhs = rod->rhs};
    /* the matrix of an open rod is a band matrix: the friction solver then needs only one forward substitution for each row of
     * the contact Jacobian, and no back substitution */
    if (!rod->closed) {
        out->kind = CST_BODY_BAND;
        out->matrix = rod->whole.entry + rod->held * (rod->bandwidth + 1);
        out->bandwidth = rod->bandwidth;
        out->factor = rod->factor.entry;
    }
}

void cst_nodal_velocities(const void *self, double *v)
{
    const cst_nodal_rod *rod = self;
    memcpy(v, rod->v + rod->held, (size_t)(rod->total - rod->held) * sizeof *v);
}

/* ----------------------------------------------------------------------------------------------------------------- finish */

/* Sums over the strains of all joints and edges, from which the energy balance of a step is computed. */
typedef struct strain_account {
    double rates; /* sum of the stiffness of each strain, except the stretch of edges, times its squared mean rate */
    double lost;  /* work (J) against the linearised elastic forces in the step, minus the true change of elastic energy */
} strain_account;

static void account_for(const cst_nodal_rod *rod, const cst_nodal_shape *end, const cst_step_frame *frame, bool of_joints,
                        strain_account *out)
{
    const cst_nodal_model *model = rod->model;
    const cst_nodal_strain_set *set = of_joints ? &model->joint : &model->edge;
    const int rows = set->rows;
    const int width = of_joints ? cst_nodal_joint_width(rod) : rod->stride + 3, count = of_joints ? rod->joints : rod->edges;
    const double *stiffness = of_joints ? rod->joint_stiffness : rod->edge_stiffness;
    const double *gradient = of_joints ? rod->joint_gradient : rod->edge_gradient;
    const double *kept = of_joints ? rod->joint_strain : rod->edge_strain;
    for (int i = 0; rows > 0 && i < count; ++i) {
        const int first = of_joints ? cst_nodal_joint_first(rod, i) : i * rod->stride;
        double before[CST_NODAL_ROWS], after[CST_NODAL_ROWS];
        set->find(rod, &rod->now, i, before, NULL);
        set->find(rod, end, i, after, NULL);
        for (int r = i * rows; r < (i + 1) * rows; ++r) {
            const double *g = gradient + (size_t)r * (size_t)width, old = before[r - i * rows], new = after[r - i * rows];
            double rate = 0.0;
            for (int k = 0; k < width; ++k)
                rate += g[k] * rod->mean[cst_nodal_dof(rod, first, k)];
            const double moved = frame->dt * rate, within = kept[r] + frame->theta * moved;
            out->rates += stiffness[r] * rate * rate;
            out->lost += stiffness[r] * (within * moved - 0.5 * (new - old) * (new + old));
        }
    }
}

/* Returns the energy that the time-stepping scheme takes from the stretch of all edges: the work against the linearised forces of
 * add_stretch, minus the true change of the stretching energy. */
static double lost_in_stretch(const cst_nodal_rod *rod, const cst_nodal_shape *end, double theta)
{
    double sum = 0.0;
    for (int i = 0; i < rod->edges; ++i) {
        double before[3], after[3], within[3], moved[3];
        const int a = cst_nodal_node(rod, i), b = cst_nodal_node(rod, i + 1);
        const double rest = rod->rest[i], *t = rod->stretch[i].t, across = rod->stretch[i].across;
        cst_subtract3(rod->now.q + b, rod->now.q + a, before);
        cst_subtract3(end->q + b, end->q + a, after);
        cst_subtract3(after, before, moved);
        for (int k = 0; k < 3; ++k)
            within[k] = (1.0 - theta) * before[k] + theta * after[k];
        const double old = sqrt(cst_dot3(before, before)), new = sqrt(cst_dot3(after, after)), length = cst_dot3(t, within);
        const double tension = rod->stretch[i].along * length + rod->stretch[i].offset;
        const double work = (tension - across * length) * cst_dot3(t, moved) + across * cst_dot3(within, moved);
        sum += work - 0.5 * rod->stretching / rest * (new - old) * (new + old - 2.0 * rest) -
               (cst_nodal_pressed_energy(rod, i, new) - cst_nodal_pressed_energy(rod, i, old));
    }
    return sum;
}

void cst_nodal_accept(cst_nodal_rod *rod, const double *v)
{
    memcpy(rod->now.q, rod->placed_buffer.q, (size_t)rod->total * sizeof *rod->now.q);
    memcpy(rod->now.frame, rod->placed_buffer.frame, (size_t)(rod->edges * rod->model->frame_size) * sizeof *rod->now.frame);
    memcpy(rod->v, rod->imposed, (size_t)rod->held * sizeof *rod->v);
    memcpy(rod->v + rod->held, v, (size_t)(rod->total - rod->held) * sizeof *rod->v);
    cst_nodal_settle(rod);
}

void cst_nodal_finish(void *self, const cst_step_frame *frame, const double *v)
{
    cst_nodal_rod *rod = self;
    const double dt = frame->dt, inertia = frame->quasi_static ? 0.0 : 1.0;
    cst_nodal_impose(rod, frame);
    cst_nodal_advance(rod, frame, v, 1.0, &rod->placed_buffer);
    strain_account strains = {0.0, lost_in_stretch(rod, &rod->placed_buffer, frame->theta)};
    account_for(rod, &rod->placed_buffer, frame, true, &strains);
    account_for(rod, &rod->placed_buffer, frame, false, &strains);
    double change = 0.0, kinetic = 0.0, dragged = 0.0;
    for (int i = 0; i < rod->total; ++i) {
        const double end = i < rod->held ? rod->imposed[i] : v[i - rod->held], dv = end - inertia * rod->v[i];
        change += rod->mass[i] * dv * dv;
        kinetic += 0.5 * rod->mass[i] * rod->v[i] * rod->v[i];
        if (i % rod->stride < 3)
            dragged += rod->mass[i] * rod->mean[i] * rod->mean[i];
    }
    rod->work = (cst_body_work){.viscosity = -dt * rod->viscosity * strains.rates,
                                .drag = -dt * rod->drag / rod->mass_per_length * dragged,
                                .scheme = -(frame->theta - 0.5) * change - strains.lost,
                                .constraint = cst_nodal_clamp_work(rod, frame, v),
                                .forgotten = frame->quasi_static ? -kinetic : 0.0};
    const bool keeps_spin = !rod->clamped && !frame->quasi_static;
    if (keeps_spin)
        cst_nodal_spin_before(rod, frame);
    cst_nodal_accept(rod, v);
    if (keeps_spin)
        rod->work.scheme += cst_nodal_keep_spin(rod, rod->work.scheme);
}

const cst_body_dynamics cst_nodal_dynamics =
    CST_NODAL_DYNAMICS(cst_nodal_assemble, cst_nodal_solve, cst_nodal_describe, cst_nodal_hold_frame, cst_nodal_finish);
