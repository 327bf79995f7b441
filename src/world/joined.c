#include "world/joined.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "world/joined_parts.h"
#include "world/point_motion.h"

/* DEPENDENT: a constraint row is left out as linearly dependent if its pivot in the factorisation of the Schur complement S is
 * below DEPENDENT times the diagonal entry of S. The relative error of the entries of the constraints' Schur complement S is
 * about 1e-13. A nearly straight rod (length L, curvature k) that is pinned at two points has nearly dependent constraint rows:
 * the smallest pivot is about (k L)^2 times the diagonal entry of S. */
static const double DEPENDENT = 1e-11;

/* CORRECTION: fraction of the position error of a constraint that one step of the theta scheme corrects if theta < 1. */
static const double CORRECTION = 0.2;

/* ------------------------------------------------------------------------------------------------------ products with G, Z */

/* Adds sign * (G v) to `out`, with only those rows of the Jacobian G that belong to one constraint. */
static void add_G(const cst_joined_group *group, const cst_joined_rows *held, const double *v, double sign, double *out)
{
    for (int side = 0; side < 2; side++) {
        const cst_joined_part *part = held->part[side];
        if (!part)
            continue;
        const double *of_member = v + group->offset[part->member];
        for (int row = 0; row < held->rows; row++) {
            double sum = 0.0;
            for (int k = 0; k < part->dofs; k++)
                sum += part->g[row * part->dofs + k] * of_member[part->dof[k]];
            out[row] += sign * sum;
        }
    }
}

/* v += sign Z lambda */
static void add_Z(const cst_joined_group *group, const double *lambda, double sign, double *v)
{
    for (int m = 0; m < group->members; m++) {
        const int dofs = group->offset[m + 1] - group->offset[m];
        double *of_member = v + group->offset[m];
        for (int p = group->part_start[m]; p < group->part_start[m + 1]; p++) {
            const cst_joined_part *part = group->part + p;
            const cst_joined_rows *held = group->held + part->held;
            for (int row = 0; row < held->rows; row++) {
                const double weight = sign * lambda[held->first + row];
                const double *z = part->z + (int64_t)row * dofs;
                for (int i = 0; i < dofs; i++)
                    of_member[i] += weight * z[i];
            }
        }
    }
}

static void solve_S(const cst_joined_group *group, double *x)
{
    cst_envelope_forward(&group->S, 1, 0, 0, x);
    cst_envelope_backward(&group->S, x);
}

static bool solve_member(const cst_joined_group *group, int member, double *x)
{
    const cst_body_model *body = group->body + group->member[member];
    return body->class->dynamics->solve(body->self, x);
}

/* Solves A y = x, with the block-diagonal system matrix A of all bodies, and writes y to x. Skips bodies whose part of x is zero:
 * a row x of the contact Jacobian has nonzero entries for only one or two bodies. */
static bool solve_members(const cst_joined_group *group, double *x)
{
    for (int m = 0; m < group->members; m++) {
        const int end = group->offset[m + 1];
        int i = group->offset[m];
        while (i < end && x[i] == 0.0)
            i++;
        if (i < end && !solve_member(group, m, x + group->offset[m]))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------- assembling */

/* Returns the entry of the Jacobian G in the given row and in the column of dof k, for point a (`side` 0) or point b (`side`
 * 1) of the constraint. */
static double coefficient(int dim, const cst_constraint_row *row, int side, const cst_point_motion *motion, int k)
{
    return side == 0 ? cst_point_motion_along(motion, dim, k, row->c, row->turn_a)
                     : -cst_point_motion_along(motion, dim, k, row->c, row->turn_b);
}

static void fill_part(const cst_joined_rows *held, int side, cst_joined_part *part)
{
    const cst_point_motion *of = held->motion + side;
    part->dofs = of->dofs;
    memcpy(part->dof, of->dof, sizeof *part->dof * (size_t)of->dofs);
    for (int row = 0; row < held->rows; row++)
        for (int k = 0; k < of->dofs; k++)
            part->g[row * part->dofs + k] = coefficient(held->constraint->dim, held->row + row, side, of, k);
}

/* Fills in the Jacobian G of a constraint that joins two points of the same body: the dofs of the two points are merged in
 * increasing order. */
static void fill_both(const cst_joined_rows *held, cst_joined_part *part)
{
    const cst_point_motion *of[2] = {held->motion, held->motion + 1};
    int at[2] = {0, 0};
    const int end[2] = {of[0]->dofs, of[1]->dofs};
    part->dofs = 0;
    while (at[0] < end[0] || at[1] < end[1]) {
        const int32_t next[2] = {at[0] < end[0] ? of[0]->dof[at[0]] : INT32_MAX, at[1] < end[1] ? of[1]->dof[at[1]] : INT32_MAX};
        const int32_t dof = next[0] < next[1] ? next[0] : next[1];
        at[0] += next[0] == dof;
        at[1] += next[1] == dof;
        part->dof[part->dofs++] = dof;
    }
    for (int row = 0; row < held->rows; row++) {
        double *g = part->g + row * part->dofs;
        memset(g, 0, sizeof(double) * (size_t)part->dofs);
        for (int which = 0; which < 2; which++)
            for (int k = 0, to = 0; k < of[which]->dofs; k++) {
                while (part->dof[to] != of[which]->dof[k])
                    to++;
                g[to] += coefficient(held->constraint->dim, held->row + row, which, of[which], k);
            }
    }
}

/* Returns the part of the time derivative of a constraint equation that is due to imposed motions of clamped rod ends, and not to
 * the unknown velocities. */
static double drift(const cst_joined_rows *held, int row)
{
    const cst_constraint_row *of = held->row + row;
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        if (held->member[side] < 0)
            continue;
        const cst_point_motion *motion = held->motion + side;
        const double across = cst_dot3(of->c, motion->drift);
        sum += side == 0 ? across + cst_dot3(of->turn_a, motion->drift_turn) : -across - cst_dot3(of->turn_b, motion->drift_turn);
    }
    return sum;
}

static void velocities_now(const cst_joined_group *group, double *v)
{
    for (int m = 0; m < group->members; m++) {
        const cst_body_model *body = group->body + group->member[m];
        body->class->dynamics->velocities(body->self, v + group->offset[m]);
    }
}

/* Computes the positions and the Jacobians of the two points that a constraint joins. If `between` is true, computes them at the
 * intermediate positions at which the theta scheme evaluates the forces. */
static void move_points(const cst_joined_group *group, cst_joined_rows *held, const cst_step_frame *frame, const double *guess,
                        bool between)
{
    for (int side = 0; side < 2; side++) {
        const int32_t member = held->member[side];
        if (member < 0)
            continue;
        const cst_body_model *body = group->body + group->member[member];
        const cst_material_point *at = held->constraint->at + side;
        if (between && body->class->places->point_between)
            body->class->places->point_between(body->self, frame, guess ? guess + group->offset[member] : NULL, at,
                                               held->motion + side);
        else
            body->class->places->point(body->self, at, held->motion + side);
    }
}

static void linearise(cst_joined_rows *held, double time)
{
    cst_constraint_linearise(held->constraint, held->motion, held->member[1] >= 0 ? held->motion + 1 : NULL, time, held->row);
    for (int side = 0; side < 2; side++)
        if (held->part[side] && held->member[0] == held->member[1])
            fill_both(held, held->part[side]);
        else if (held->part[side])
            fill_part(held, side, held->part[side]);
}

/* Returns the fraction of the position error of a constraint that a shortened step leaves uncorrected. Correcting the whole
 * position error of a constraint in a very short step would act like an impact. For example, correcting a position error of 4 mm
 * takes a velocity of 4 m/s in a step of 1 ms, but 4 km/s in a step of 1 us. A position error of 4 mm occurs if a limp rod whips
 * around a pin (capstan-bench random --seeds 1668). */
static double left_over(const cst_step_frame *frame)
{
    return frame->whole > frame->dt && !frame->quasi_static ? 1.0 - frame->dt / frame->whole : 0.0;
}

/* Sets the right-hand side of the constraint rows for theta = 1 (implicit Euler): the position error at the end of the step
 * becomes zero or, in a shortened step, the fraction `left_over` of the error at its start. */
static void ask_for_positions(const cst_joined_group *group, cst_joined_rows *held, const cst_step_frame *frame,
                              const double *guess)
{
    const double left = left_over(frame);
    move_points(group, held, frame, guess, false);
    if (!guess && left > 0.0) {
        cst_constraint_row now[CST_CONSTRAINT_ROWS_MAX];
        cst_constraint_linearise(held->constraint, held->motion, held->member[1] >= 0 ? held->motion + 1 : NULL, frame->time,
                                 now);
        for (int row = 0; row < held->rows; row++)
            held->start[row] = now[row].value;
    }
    linearise(held, cst_frame_end(frame));
    double *g = group->g + held->first;
    for (int row = 0; row < held->rows; row++) {
        const double value = held->row[row].value - (left > 0.0 ? left * held->start[row] : 0.0);
        g[row] = (guess ? 0.0 : -drift(held, row)) - value / (frame->theta * frame->dt);
    }
    if (guess)
        add_G(group, held, guess, 1.0, g);
}

/* Sets the right-hand side of the constraint rows in the theta scheme with theta < 1, which prescribes the time derivatives of
 * the constraint equations at the end of the step. `before`: array (size): velocities of the bodies at the start of the step. */
static void ask_for_rates(const cst_joined_group *group, cst_joined_rows *held, const cst_step_frame *frame, const double *guess,
                          const double *before)
{
    if (!guess) {
        move_points(group, held, frame, NULL, false);
        linearise(held, frame->time);
        memset(held->start_rate, 0, sizeof held->start_rate);
        add_G(group, held, before, 1.0, held->start_rate);
        for (int row = 0; row < held->rows; row++)
            held->start[row] = held->row[row].value;
    }
    /* The velocity of a prescribed motion jumps at its keyframes, so the velocity just before the end of the step is taken. */
    cst_constraint_row end[CST_CONSTRAINT_ROWS_MAX];
    move_points(group, held, frame, guess, true);
    cst_constraint_linearise(held->constraint, held->motion, held->member[1] >= 0 ? held->motion + 1 : NULL,
                             frame->time + frame->dt * (1.0 - 1e-6), end);
    linearise(held, frame->time + frame->dt * frame->theta);

    double *g = group->g + held->first, changed[CST_CONSTRAINT_ROWS_MAX] = {0};
    const double whole = left_over(frame) > 0.0 ? frame->whole : frame->dt;
    add_G(group, held, before, 1.0, changed);
    for (int row = 0; row < held->rows; row++) {
        const double turning = (1.0 - frame->theta) / frame->theta * (changed[row] - held->start_rate[row]);
        g[row] = end[row].target - drift(held, row) - turning - CORRECTION * held->start[row] / whole;
    }
}

static bool make_Z(const cst_joined_group *group, cst_joined_part *part)
{
    const int dofs = group->offset[part->member + 1] - group->offset[part->member];
    for (int row = 0; row < group->held[part->held].rows; row++) {
        double *z = part->z + (int64_t)row * dofs;
        memset(z, 0, sizeof(double) * (size_t)dofs);
        for (int k = 0; k < part->dofs; k++)
            z[part->dof[k]] = part->g[row * part->dofs + k];
        if (!solve_member(group, part->member, z))
            return false;
    }
    return true;
}

static void add_to_S(cst_joined_group *group, const cst_joined_part *p, const cst_joined_part *q)
{
    const cst_joined_rows *of_p = group->held + p->held, *of_q = group->held + q->held;
    const int dofs = group->offset[p->member + 1] - group->offset[p->member];
    for (int row = 0; row < of_p->rows; row++) {
        double *to = cst_envelope_row(&group->S, of_p->first + row) + of_q->first;
        const int columns = p == q ? row + 1 : of_q->rows;
        for (int column = 0; column < columns; column++) {
            const double *z = q->z + (int64_t)column * dofs, *g = p->g + row * p->dofs;
            double sum = 0.0;
            for (int k = 0; k < p->dofs; k++)
                sum += g[k] * z[p->dof[k]];
            to[column] += sum;
        }
    }
}

static bool make_S(cst_joined_group *group)
{
    memset(group->S.entry, 0, sizeof(double) * (size_t)group->S.start[group->rows]);
    for (int m = 0; m < group->members; m++)
        for (int p = group->part_start[m]; p < group->part_start[m + 1]; p++)
            for (int q = group->part_start[m]; q <= p; q++)
                add_to_S(group, group->part + p, group->part + q);
    bool finite = true;
    for (int row = 0; row < group->rows; row++)
        finite = finite && isfinite(cst_envelope_row(&group->S, row)[row]) && isfinite(group->g[row]);
    group->redundant = cst_envelope_factor_semidefinite(&group->S, DEPENDENT);
    return finite;
}

bool cst_joined_assemble(cst_joined_group *group, const cst_step_frame *frame, const double *guess, char *message,
                         size_t message_size)
{
    for (int m = 0; m < group->members && !group->tied; m++) {
        const cst_body_model *body = group->body + group->member[m];
        const int dofs = group->offset[m + 1] - group->offset[m];
        memcpy(group->rhs + group->offset[m], body->class->dynamics->rhs(body->self), sizeof(double) * (size_t)dofs);
    }
    if (frame->theta == 1.0 || frame->quasi_static) {
        for (int h = 0; h < group->constraints; h++)
            ask_for_positions(group, group->held + h, frame, guess);
    } else {
        velocities_now(group, group->scratch);
        for (int h = 0; h < group->constraints; h++)
            ask_for_rates(group, group->held + h, frame, guess, group->scratch);
    }
    if (group->tied)
        return true;
    for (int p = 0; p < group->part_start[group->members]; p++)
        if (!make_Z(group, group->part + p)) {
            snprintf(message, message_size, "joined bodies: body %d cannot be solved", 1 + group->member[group->part[p].member]);
            return false;
        }
    if (!make_S(group)) {
        snprintf(message, message_size, "joined bodies: the constraints of body %d are not finite", 1 + group->member[0]);
        return false;
    }
    memcpy(group->lambda, group->g, sizeof(double) * (size_t)group->rows);
    solve_S(group, group->lambda);
    memset(group->shift, 0, sizeof(double) * (size_t)group->size);
    add_Z(group, group->lambda, 1.0, group->shift);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------- solving */

/* x <- A_c^-1 x */
static bool solve_joined(void *user, double *x)
{
    cst_joined_group *group = user;
    if (!solve_members(group, x))
        return false;
    memset(group->lambda, 0, sizeof(double) * (size_t)group->rows);
    for (int h = 0; h < group->constraints; h++)
        add_G(group, group->held + h, x, 1.0, group->lambda + group->held[h].first);
    solve_S(group, group->lambda);
    add_Z(group, group->lambda, -1.0, x);
    return true;
}

void cst_joined_mark(const cst_joined_group *group, bool *held)
{
    for (int m = 0; m < group->members; m++)
        for (int p = group->part_start[m]; p < group->part_start[m + 1]; p++)
            for (int k = 0; k < group->part[p].dofs; k++)
                held[group->offset[m] + group->part[p].dof[k]] = true;
}

void cst_joined_describe(cst_joined_group *group, cst_body *out)
{
    *out = (cst_body){.kind = CST_BODY_SOLVE, .size = group->size, .solve = solve_joined, .user = group, .rhs = group->rhs};
}

/* Corrects the velocities v so that they satisfy the constraints; `change` is the change of the multipliers (joined.h):
 *     `change = S^-1*(g - G*v)`.
 *     `v += Z*change`. */
static void meet(cst_joined_group *group, double *change, double *v)
{
    memcpy(change, group->g, sizeof(double) * (size_t)group->rows);
    for (int h = 0; h < group->constraints; h++)
        add_G(group, group->held + h, v, -1.0, change + group->held[h].first);
    solve_S(group, change);
    add_Z(group, change, 1.0, v);
}

static void push(const cst_joined_group *group, const cst_joined_rows *held, int side, double sign, const double *impulse,
                 const double *moment)
{
    if (held->member[side] < 0)
        return;
    const cst_body_model *body = group->body + group->member[held->member[side]];
    if (body->class->dynamics->push)
        body->class->dynamics->push(body->self, held->constraint->at + side,
                                    (const double[3]){sign * impulse[0], sign * impulse[1], sign * impulse[2]},
                                    (const double[3]){sign * moment[0], sign * moment[1], sign * moment[2]});
}

/* Writes the impulses, the force, the moment and the work of a constraint in a step. The work of the constraint is computed with
 * the mean velocities v_theta (size) of the step. */
static void tell(const cst_joined_group *group, const cst_joined_rows *held, double dt, const double *v_theta)
{
    cst_constraint *constraint = held->constraint;
    double rate[CST_CONSTRAINT_ROWS_MAX] = {0}, impulse[3] = {0}, moment_a[3] = {0}, moment_b[3] = {0};
    add_G(group, held, v_theta, 1.0, rate);
    constraint->work = 0.0;
    for (int row = 0; row < held->rows; row++) {
        const double lambda = group->lambda[held->first + row];
        const cst_constraint_row *of = held->row + row;
        constraint->impulse[row] = lambda;
        constraint->work += lambda * (rate[row] + drift(held, row));
        cst_add3(lambda, of->c, impulse);
        cst_add3(lambda, of->turn_a, moment_a);
        cst_add3(lambda, of->turn_b, moment_b);
    }
    for (int c = 0; c < 3; c++) {
        constraint->force[c] = impulse[c] / dt;
        constraint->moment[c] = moment_a[c] / dt;
    }
    push(group, held, 0, 1.0, impulse, moment_a);
    push(group, held, 1, -1.0, impulse, moment_b);
}

bool cst_joined_finish(cst_joined_group *group, const cst_step_frame *frame, const double *f, double *v)
{
    memcpy(v, f, sizeof(double) * (size_t)group->size);
    if (!solve_members(group, v))
        return false;
    meet(group, group->lambda, v);
    /* a second correction of the velocities removes rounding errors: the constraints then hold to full precision */
    meet(group, group->again, v);
    for (int row = 0; row < group->rows; row++)
        group->lambda[row] += group->again[row];
    cst_joined_tell(group, frame, v);
    return true;
}

void cst_joined_tell(cst_joined_group *group, const cst_step_frame *frame, const double *v)
{
    double *v_theta = group->scratch;
    /* with theta = 1 (implicit Euler) or at an equilibrium, the mean velocities of the step do not depend on the velocities at
     * its start */
    if (frame->quasi_static || frame->theta == 1.0)
        memset(v_theta, 0, sizeof(double) * (size_t)group->size);
    else
        velocities_now(group, v_theta);
    for (int i = 0; i < group->size; i++)
        v_theta[i] = frame->theta * v[i] + (1.0 - frame->theta) * v_theta[i];
    for (int h = 0; h < group->constraints; h++)
        tell(group, group->held + h, frame->dt, v_theta);
}
