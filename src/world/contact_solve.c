#include "world/contact_solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "world/contact_rows.h"

/* -------------------------------------------------------------------------------------------------------------- problem */

typedef struct problem {
    cst_body_problem given;
    int32_t *number; /* (units) among the bodies of the problem, or -1: touches nothing */
    cst_body *body;
    cst_contact_side *side_a, *side_b;
    double *offset, *mu, *r, *u, *v, *error;
    uint8_t *fresh;
} problem;

/* Units that touch something are numbered in their order. Returns how many. */
static int number_units(const cst_layout *layout, const cst_contact_set *set, int32_t *number)
{
    int numbered = 0;
    for (int k = 0; k < layout->units; k++)
        number[k] = -1;
    for (int i = 0; i < set->contacts; i++) {
        number[set->row[i].a.body] = 0;
        if (set->row[i].b.body >= 0)
            number[set->row[i].b.body] = 0;
    }
    for (int k = 0; k < layout->units; k++)
        if (number[k] == 0)
            number[k] = numbered++;
    return numbered;
}

static cst_contact_side side_of(const int32_t *number, const cst_contact_side *side)
{
    cst_contact_side out = *side;
    if (side->body >= 0)
        out.body = number[side->body];
    return out;
}

/* u_f: imposed motions, obstacles, the floor, and the constraints' own part of the velocity of joined bodies. */
static void offset_of(int dim, const cst_layout *layout, const cst_contact_row *row, const double *shift, double *out)
{
    double u[3];
    cst_contact_row_velocity(dim, layout, row, shift, u);
    for (int c = 0; c < dim; c++)
        out[c] = u[c] + (row->drift[c] + row->bent_way[c] - row->moved[c] - (c == 0 ? row->floor : 0.0));
}

/* Bodies of the problem, and the shift of all units. */
static void describe_units(cst_dynamics *dynamics, problem *p, double *shift)
{
    const cst_layout *layout = &dynamics->layout;
    memset(shift, 0, sizeof(double) * (size_t)layout->dofs);
    for (int k = 0; k < layout->units; k++) {
        const cst_unit *unit = layout->unit + k;
        const cst_body_model *model = dynamics->objects.model + unit->body;
        cst_joined_group *group = unit->group >= 0 ? dynamics->joined.group + unit->group : NULL;
        if (group)
            memcpy(shift + unit->start, group->shift, sizeof(double) * (size_t)unit->size);
        if (p->number[k] < 0)
            continue;
        if (group)
            cst_joined_describe(group, p->body + p->number[k]);
        else
            model->class->describe(model->self, p->body + p->number[k]);
    }
}

static bool make_problem(cst_dynamics *dynamics, int dim, const cst_contact_set *set, double *scratch, cst_arena *arena,
                         problem *p)
{
    const cst_layout *layout = &dynamics->layout;
    const int n = set->contacts;
    int32_t *number = CST_TAKE_RAW(arena, int32_t, layout->units);
    if (arena->failed)
        return false;
    const int bodies = number_units(layout, set, number);
    *p = (problem){.number = number,
                   .body = CST_TAKE(arena, cst_body, bodies),
                   .side_a = CST_TAKE_RAW(arena, cst_contact_side, n),
                   .side_b = CST_TAKE_RAW(arena, cst_contact_side, n),
                   .offset = CST_TAKE_RAW(arena, double, dim *n),
                   .mu = CST_TAKE_RAW(arena, double, n),
                   .r = CST_TAKE_RAW(arena, double, dim *n),
                   .u = CST_TAKE_RAW(arena, double, dim *n),
                   .v = CST_TAKE_RAW(arena, double, layout->dofs),
                   .error = CST_TAKE_RAW(arena, double, n),
                   .fresh = CST_TAKE_RAW(arena, uint8_t, n)};
    if (arena->failed)
        return false;
    describe_units(dynamics, p, scratch);
    for (int i = 0; i < n; i++) {
        const cst_contact *contact = set->contact + i;
        p->side_a[i] = side_of(p->number, &set->row[i].a);
        p->side_b[i] = side_of(p->number, &set->row[i].b);
        offset_of(dim, layout, set->row + i, scratch, p->offset + dim * i);
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
static bool finish_groups(cst_dynamics *dynamics, const cst_step_frame *frame, const cst_contact_set *set,
                          cst_velocities *velocities, cst_failure *failure)
{
    const cst_layout *layout = &dynamics->layout;
    double *f = velocities->scratch;
    memset(f, 0, sizeof(double) * (size_t)layout->dofs);
    for (int i = 0; i < set->contacts; i++)
        cst_contact_row_impulse(frame->dim, layout, set->row + i, set->contact[i].r, f);
    for (int k = 0; k < layout->units; k++) {
        const cst_unit *unit = layout->unit + k;
        if (unit->group < 0)
            continue;
        cst_joined_group *group = dynamics->joined.group + unit->group;
        for (int i = 0; i < unit->size; i++)
            f[unit->start + i] += group->rhs[i];
        if (!cst_joined_finish(group, frame, f + unit->start, velocities->v + unit->start))
            return cst_fail(failure, CST_BAD_PROBLEM, unit->body, "its constraints could not be met");
    }
    return true;
}

/* Names whom the friction solver complains of. */
static bool fail_with(const cst_friction_report *report, const cst_contact_set *set, cst_failure *failure)
{
    char what[sizeof report->message + 64];
    int body = -1;
    snprintf(what, sizeof what, "contact forces: %s%s%s", cst_status_name(report->status), report->message[0] ? ", " : "",
             report->message);
    if (report->blamed_count > 0)
        body = cst_owner_index(set->contact[report->blamed[0]].a.owner);
    return cst_fail(failure, report->status, body, what);
}

static void push_body(const cst_objects *objects, int32_t owner, const cst_material_point *at, const double *arm, double sign,
                      const double *impulse)
{
    const cst_body_model *model = objects->model + cst_owner_index(owner);
    const double on_body[3] = {sign * impulse[0], sign * impulse[1], sign * impulse[2]};
    double moment[3];
    cst_cross3(arm, on_body, moment);
    if (model->class->push)
        model->class->push(model->self, at, on_body, moment);
}

/* Bodies get the impulses of their contacts, and where they act. */
static void push_bodies(const cst_objects *objects, const cst_contact_set *set)
{
    for (int i = 0; i < set->contacts; i++) {
        const cst_contact *contact = set->contact + i;
        const cst_contact_row *row = set->row + i;
        push_body(objects, contact->a.owner, row->at + 0, row->arm[0], 1.0, contact->impulse);
        const cst_body_model *model = objects->model + cst_owner_index(contact->a.owner);
        if (contact->bend > 0.0 && model->class->roll)
            model->class->roll(model->self, row->at + 0, contact->r[0] / contact->bend);
        if (row->b.body >= 0)
            push_body(objects, contact->b.owner, row->at + 1, row->arm[1], -1.0, contact->impulse);
    }
}

/* The answer, from the order of the problem to the velocities of all units and to the contacts. */
static void take_answer(const problem *p, const cst_layout *layout, cst_contact_set *set, double *v)
{
    const double *from = p->v;
    const int dim = p->given.dim;
    for (int k = 0; k < layout->units; k++) {
        const cst_unit *unit = layout->unit + k;
        if (p->number[k] < 0)
            continue;
        memcpy(v + unit->start, from, sizeof(double) * (size_t)unit->size);
        from += unit->size;
    }
    for (int i = 0; i < set->contacts; i++) {
        cst_contact *contact = set->contact + i;
        memcpy(contact->r, p->r + dim * i, sizeof(double) * (size_t)dim);
        memcpy(contact->u, p->u + dim * i, sizeof(double) * (size_t)dim);
        contact->error = p->error[i];
        cst_apply_transposed3(contact->frame, contact->r, contact->impulse);
    }
}

bool cst_contact_solve(cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options, cst_contact_set *set,
                       cst_velocities *velocities, cst_arena *arena, cst_friction_report *report, cst_failure *failure)
{
    problem p;
    if (set->contacts == 0) {
        *report = (cst_friction_report){
            .status = CST_SOLVED, .solver = options.solver, .form = options.form, .residual = {.worst_contact = -1}};
        return finish_groups(dynamics, frame, set, velocities, failure);
    }
    if (!make_problem(dynamics, frame->dim, set, velocities->scratch, arena, &p))
        return cst_fail_memory(failure);
    options.fresh = p.fresh;
    options.contact_error = p.error;
    if (cst_friction_solve_bodies(&p.given, &options, p.r, p.u, p.v, report) > CST_TOLERANCE_MISSED)
        return fail_with(report, set, failure);
    take_answer(&p, &dynamics->layout, set, velocities->v);
    push_bodies(&dynamics->objects, set);
    return finish_groups(dynamics, frame, set, velocities, failure);
}
