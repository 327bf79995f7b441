#include "world/contact_solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "world/contact_rows.h"

/* A tangential impulse this close to the cone is on it. */
static const double ON_THE_CONE = 1e-6;

/* -------------------------------------------------------------------------------------------------------------- problem */

/* Units that touch something are numbered in their order. */
static int number_units(cst_attempt *attempt)
{
    int numbered = 0;
    for (int k = 0; k < attempt->units; k++)
        attempt->unit[k].number = -1;
    for (int i = 0; i < attempt->contacts; i++) {
        attempt->unit[attempt->row[i].a.body].number = 0;
        if (attempt->row[i].b.body >= 0)
            attempt->unit[attempt->row[i].b.body].number = 0;
    }
    for (int k = 0; k < attempt->units; k++)
        if (attempt->unit[k].number == 0)
            attempt->unit[k].number = numbered++;
    return numbered;
}

static cst_contact_side side_of(const cst_attempt *attempt, const cst_contact_side *side)
{
    cst_contact_side out = *side;
    if (side->body >= 0)
        out.body = attempt->unit[side->body].number;
    return out;
}

/* u_f: imposed motions, obstacles, the floor, and the constraints' own part of the velocity of joined bodies. */
static void offset_of(const cst_attempt *attempt, const cst_contact_row *row, const double *shift, double *out)
{
    double u[3];
    cst_contact_row_velocity(attempt, row, shift, u);
    for (int c = 0; c < attempt->frame.dim; c++)
        out[c] = u[c] + (row->drift[c] + row->bent_way[c] - row->moved[c] - (c == 0 ? row->floor : 0.0));
}

typedef struct problem {
    cst_body_problem given;
    cst_body *body;
    cst_contact_side *side_a, *side_b;
    double *offset, *mu, *r, *u, *v, *error;
    uint8_t *fresh;
} problem;

static bool make_problem(cst_attempt *attempt, problem *p)
{
    cst_world *world = attempt->world;
    cst_arena *arena = &world->step;
    const int n = attempt->contacts, dim = attempt->frame.dim, bodies = number_units(attempt);
    *p = (problem){.body = CST_TAKE(arena, cst_body, bodies),
                   .side_a = CST_TAKE_RAW(arena, cst_contact_side, n),
                   .side_b = CST_TAKE_RAW(arena, cst_contact_side, n),
                   .offset = CST_TAKE_RAW(arena, double, dim *n),
                   .mu = CST_TAKE_RAW(arena, double, n),
                   .r = CST_TAKE_RAW(arena, double, dim *n),
                   .u = CST_TAKE_RAW(arena, double, dim *n),
                   .v = CST_TAKE_RAW(arena, double, attempt->dofs),
                   .error = CST_TAKE_RAW(arena, double, n),
                   .fresh = CST_TAKE_RAW(arena, uint8_t, n)};
    if (arena->failed)
        return false;
    double *shift = attempt->force;
    memset(shift, 0, sizeof(double) * (size_t)attempt->dofs);
    for (int k = 0; k < attempt->units; k++) {
        const cst_unit *unit = attempt->unit + k;
        const cst_body_model *model = world->model + unit->body;
        if (unit->group >= 0)
            memcpy(shift + unit->start, attempt->joined.group[unit->group].shift, sizeof(double) * (size_t)unit->size);
        if (unit->number < 0)
            continue;
        if (unit->group >= 0)
            cst_joined_describe(attempt->joined.group + unit->group, p->body + unit->number);
        else
            model->class->describe(model->self, p->body + unit->number);
    }
    for (int i = 0; i < n; i++) {
        const cst_contact *contact = attempt->contact + i;
        p->side_a[i] = side_of(attempt, &attempt->row[i].a);
        p->side_b[i] = side_of(attempt, &attempt->row[i].b);
        offset_of(attempt, attempt->row + i, shift, p->offset + dim * i);
        p->mu[i] = contact->mu;
        p->fresh[i] = contact->fresh;
        memcpy(p->r + dim * i, contact->r, sizeof(double) * (size_t)dim);
    }
    p->given = (cst_body_problem){.dim = dim,
                                  .bodies = bodies,
                                  .body = p->body,
                                  .contacts = n,
                                  .side_a = p->side_a,
                                  .side_b = p->side_b,
                                  .velocity_offset = p->offset,
                                  .mu = p->mu};
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- solving */

/* Groups meet their constraints with the impulses found; their velocities follow. */
static bool finish_groups(cst_attempt *attempt)
{
    double *f = attempt->force;
    memset(f, 0, sizeof(double) * (size_t)attempt->dofs);
    for (int i = 0; i < attempt->contacts; i++)
        cst_contact_row_impulse(attempt, attempt->row + i, attempt->contact[i].r, f);
    for (int k = 0; k < attempt->units; k++) {
        const cst_unit *unit = attempt->unit + k;
        if (unit->group < 0)
            continue;
        cst_joined_group *group = attempt->joined.group + unit->group;
        for (int i = 0; i < unit->size; i++)
            f[unit->start + i] += group->rhs[i];
        if (!cst_joined_finish(group, &attempt->frame, f + unit->start, attempt->v + unit->start))
            return cst_attempt_fail(attempt, CST_BAD_PROBLEM, unit->body, "its constraints could not be met");
    }
    return true;
}

/* Names whom the friction solver complains of. */
static bool tell_failure(cst_attempt *attempt, const cst_friction_report *report)
{
    char what[sizeof report->message + 64];
    int body = -1;
    snprintf(what, sizeof what, "contact forces: %s%s%s", cst_status_name(report->status), report->message[0] ? ", " : "",
             report->message);
    if (report->blamed_count > 0)
        body = cst_owner_index(attempt->contact[report->blamed[0]].a.owner);
    return cst_attempt_fail(attempt, report->status, body, what);
}

static void push_body(const cst_attempt *attempt, int32_t owner, const cst_material_point *at, const double *arm, double sign,
                      const double *impulse)
{
    const cst_body_model *model = attempt->world->model + cst_owner_index(owner);
    const double on_body[3] = {sign * impulse[0], sign * impulse[1], sign * impulse[2]};
    double moment[3];
    cst_cross3(arm, on_body, moment);
    if (model->class->push)
        model->class->push(model->self, at, on_body, moment);
}

/* Bodies are told what pushes them, where and how. */
static void push_bodies(const cst_attempt *attempt)
{
    for (int i = 0; i < attempt->contacts; i++) {
        const cst_contact *contact = attempt->contact + i;
        const cst_contact_row *row = attempt->row + i;
        push_body(attempt, contact->a.owner, row->at + 0, row->arm[0], 1.0, contact->impulse);
        const cst_body_model *model = attempt->world->model + cst_owner_index(contact->a.owner);
        if (contact->bend > 0.0 && model->class->roll)
            model->class->roll(model->self, row->at + 0, contact->r[0] / contact->bend);
        if (row->b.body >= 0)
            push_body(attempt, contact->b.owner, row->at + 1, row->arm[1], -1.0, contact->impulse);
    }
}

bool cst_contact_solve(cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    cst_friction_options options = world->def.friction;
    problem p;
    if (attempt->contacts == 0) {
        attempt->friction = (cst_friction_report){
            .status = CST_SOLVED, .solver = options.solver, .form = options.form, .residual = {.worst_contact = -1}};
        return finish_groups(attempt);
    }
    if (!make_problem(attempt, &p))
        return cst_attempt_fail(attempt, CST_OUT_OF_MEMORY, -1, "out of memory");
    options.allocator = cst_block_cache_allocator(&world->cache);
    options.fresh = p.fresh;
    options.contact_error = p.error;
    const cst_status status = cst_friction_solve_bodies(&p.given, &options, p.r, p.u, p.v, &attempt->friction);
    attempt->friction_iterations += attempt->friction.iterations;
    if (status > CST_TOLERANCE_MISSED)
        return tell_failure(attempt, &attempt->friction);
    const double *v = p.v;
    for (int k = 0; k < attempt->units; k++) {
        const cst_unit *unit = attempt->unit + k;
        if (unit->number < 0)
            continue;
        memcpy(attempt->v + unit->start, v, sizeof(double) * (size_t)unit->size);
        v += unit->size;
    }
    const int dim = attempt->frame.dim;
    for (int i = 0; i < attempt->contacts; i++) {
        cst_contact *contact = attempt->contact + i;
        memcpy(contact->r, p.r + dim * i, sizeof(double) * (size_t)dim);
        memcpy(contact->u, p.u + dim * i, sizeof(double) * (size_t)dim);
        contact->error = p.error[i];
        cst_apply_transposed3(contact->frame, contact->r, contact->impulse);
    }
    push_bodies(attempt);
    return finish_groups(attempt);
}

/* --------------------------------------------------------------------------------------------------------------- telling */

/* On the cone and moving. A velocity that the answer was not asked to resolve (below tolerance x V) is none: a rope that hangs at
 * rest with all its friction spent sticks. */
static cst_local_case case_of(const cst_contact *contact, double resolved)
{
    if (!(contact->r[0] > 0.0))
        return CST_CASE_TAKE_OFF;
    const bool on_the_cone = hypot(contact->r[1], contact->r[2]) >= (1.0 - ON_THE_CONE) * contact->mu * contact->r[0];
    return on_the_cone && hypot(contact->u[1], contact->u[2]) > resolved ? CST_CASE_SLIDE : CST_CASE_STICK;
}

/* Velocity of the bodies at a contact averaged over the step: what impulses work along. */
static void theta_velocity(const cst_attempt *attempt, const cst_contact_row *row, double *out)
{
    const double theta = attempt->frame.theta;
    double after[3], before[3];
    cst_contact_row_velocity(attempt, row, attempt->v, after);
    cst_contact_row_velocity(attempt, row, attempt->v_before, before);
    for (int c = 0; c < 3; c++)
        out[c] = theta * (after[c] + row->drift[c]) + (1.0 - theta) * (before[c] + row->drift_before[c]);
}

void cst_contact_solve_tell(cst_attempt *attempt)
{
    const double resolved = attempt->world->def.friction.tolerance * attempt->friction.residual.velocity_scale;
    attempt->work = (cst_contact_work){0};
    for (int i = 0; i < attempt->contacts; i++) {
        cst_contact *contact = attempt->contact + i;
        const cst_contact_row *row = attempt->row + i;
        double during[3], after[3];
        theta_velocity(attempt, row, during);
        attempt->work.normal += contact->r[0] * during[0];
        attempt->work.friction += contact->r[1] * during[1] + contact->r[2] * during[2];
        cst_contact_row_velocity(attempt, row, attempt->v, after);
        for (int c = 0; c < 3; c++)
            after[c] += row->drift[c] + row->bent_way[c] - row->moved[c];
        cst_apply_transposed3(contact->frame, after, contact->velocity);
        contact->contact_case = case_of(contact, resolved);
    }
}

double cst_contacts_relative_motion(const cst_attempt *attempt)
{
    double largest = 0.0;
    for (int i = 0; i < attempt->contacts; i++) {
        const cst_contact_row *row = attempt->row + i;
        const double radius = cst_contact_radius(attempt->contact + i);
        double u[3];
        theta_velocity(attempt, row, u);
        cst_add3(-1.0, row->moved, u);
        if (radius > 0.0)
            largest = fmax(largest, attempt->frame.dt * sqrt(cst_dot3(u, u)) / radius);
    }
    return largest;
}
