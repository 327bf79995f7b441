#include "world/contact_solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "math/vector3.h"
#include "world/contact_rows.h"

enum { PARALLEL_CONTACTS = 128 };

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
    const int threads = cst_dynamics_threads(dynamics);
    (void)threads; /* nobody reads it in a build without OpenMP */
    memset(shift, 0, sizeof(double) * (size_t)layout->dofs);
#pragma omp parallel for schedule(static) num_threads(threads)
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
            model->class->dynamics->describe(model->self, p->body + p->number[k]);
    }
}

static bool make_problem(cst_dynamics *dynamics, int dim, const cst_contact_set *set, double *scratch, cst_arena *arena,
                         problem *p)
{
    const cst_layout *layout = &dynamics->layout;
    const int n = set->contacts, threads = cst_threads_for(dynamics->threads, n, PARALLEL_CONTACTS);
    (void)threads; /* nobody reads it in a build without OpenMP */
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
#pragma omp parallel for schedule(static) num_threads(threads)
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
    if (dynamics->joined.groups == 0)
        return true;
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
    if (model->class->dynamics->push)
        model->class->dynamics->push(model->self, at, on_body, moment);
}

/* One side of a contact pushes its body. */
static void push_side(const cst_objects *objects, const cst_contact_set *set, int contact, int side)
{
    const cst_contact *of = set->contact + contact;
    const cst_contact_row *row = set->row + contact;
    const int32_t owner = side == 0 ? of->a.owner : of->b.owner;
    const cst_body_model *model = objects->model + cst_owner_index(owner);
    push_body(objects, owner, row->at + side, row->arm[side], side == 0 ? 1.0 : -1.0, of->impulse);
    if (side == 0 && of->bend > 0.0 && model->class->dynamics->roll)
        model->class->dynamics->roll(model->self, row->at + 0, of->r[0] / of->bend);
}

/* The body of a side, or -1. */
static int body_of(const cst_contact_set *set, int contact, int side)
{
    const int32_t owner = side == 0 ? set->contact[contact].a.owner : set->contact[contact].b.owner;
    return side == 0 || set->row[contact].b.body >= 0 ? cst_owner_index(owner) : -1;
}

/* Lists of the sides of contacts (2 contact + side, increasing) by their bodies. start (bodies + 1), list (2 contacts). */
static void list_sides(const cst_contact_set *set, int bodies, int64_t *start, int32_t *list)
{
    const int32_t sides = 2 * set->contacts;
    for (int32_t s = 0; s < sides; s++)
        if (body_of(set, s / 2, s % 2) >= 0)
            start[body_of(set, s / 2, s % 2) + 1]++;
    for (int k = 0; k < bodies; k++)
        start[k + 1] += start[k];
    const int64_t total = start[bodies];
    for (int32_t s = sides - 1; s >= 0; s--) /* from their ends: each start is left in the place of the next */
        if (body_of(set, s / 2, s % 2) >= 0)
            list[--start[body_of(set, s / 2, s % 2) + 1]] = s;
    for (int k = 0; k < bodies; k++)
        start[k] = start[k + 1];
    start[bodies] = total;
}

/* Bodies get the impulses of their contacts, and where they act: body by body, each in the order of its contacts. False: out of
 * memory. */
static bool push_bodies(const cst_dynamics *dynamics, const cst_contact_set *set, cst_arena *arena)
{
    const cst_objects *objects = &dynamics->objects;
    const int threads = cst_threads_for(dynamics->threads, set->contacts, PARALLEL_CONTACTS);
    (void)threads; /* nobody reads it in a build without OpenMP */
    int64_t *start = CST_TAKE(arena, int64_t, objects->bodies + 1);
    int32_t *list = CST_TAKE_RAW(arena, int32_t, 2 * (size_t)set->contacts);
    if (arena->failed)
        return false;
    list_sides(set, objects->bodies, start, list);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < objects->bodies; k++)
        for (int64_t t = start[k]; t < start[k + 1]; t++)
            push_side(objects, set, list[t] / 2, list[t] % 2);
    return true;
}

/* The answer, from the order of the problem to the velocities of all units and to the contacts. */
static void take_answer(const problem *p, const cst_layout *layout, int threads, cst_contact_set *set, double *v)
{
    const double *from = p->v;
    const int dim = p->given.dim, used = cst_threads_for(threads, set->contacts, PARALLEL_CONTACTS);
    (void)used; /* nobody reads it in a build without OpenMP */
    for (int k = 0; k < layout->units; k++) {
        const cst_unit *unit = layout->unit + k;
        if (p->number[k] < 0)
            continue;
        memcpy(v + unit->start, from, sizeof(double) * (size_t)unit->size);
        from += unit->size;
    }
#pragma omp parallel for schedule(static) num_threads(used)
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
    take_answer(&p, &dynamics->layout, dynamics->threads, set, velocities->v);
    if (!push_bodies(dynamics, set, arena))
        return cst_fail_memory(failure);
    return finish_groups(dynamics, frame, set, velocities, failure);
}
