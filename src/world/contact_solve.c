#include "world/contact_solve.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "friction/body_residual.h"
#include "friction/solve.h"
#include "math/vector3.h"
#include "world/contact_rows.h"
#include "world/restitution.h"

enum { PARALLEL_CONTACTS = 128 };

/* HELD_BACK: the friction residual is divided by a velocity scale that is at least HELD_BACK times the largest velocity at which
 * joined bodies would separate without their constraints. Rounding errors violate the constraints by up to 3e-12 times the
 * velocity at which the bodies would separate if the constraints did not act. */
static const double HELD_BACK = 1e-2;

/* KNOWN: the friction residual is divided by a velocity scale that is at least KNOWN times the largest term of a contact velocity
 * (friction/body_residual.c uses the same fraction). The rounding error of a contact velocity is 1e-16 of its largest term, or
 * 1e-14 with a stiff body. With a smaller KNOWN, rounding errors alone could make the friction residual exceed the friction
 * tolerance. Measured with 25 touching fibers that fly together at 2 m/s: rounding errors cause a relative friction residual of
 * up to 2e-8. */
static const double KNOWN = 1e-6;

/* -------------------------------------------------------------------------------------------------------------- problem */

typedef struct problem {
    cst_body_problem given;
    /* array (units): index of each unit (body or group of joined bodies) in the friction problem; -1: not in the problem */
    int32_t *number;
    cst_body *body;
    /* Jacobian rows of both sides of all contacts, followed by the rows of the constraints that are part of the friction problem
     * (world/tied.h) */
    cst_contact_side *side_a, *side_b;
    double *offset, *mu, *r, *u, *v, *error;
    uint8_t *fresh, *law;
} problem;

/* Numbers the units (bodies or groups of joined bodies) that have a contact or a constraint row in the friction problem, and
 * returns how many there are. */
static int number_units(const cst_layout *layout, const cst_contact_set *set, const cst_tied *tied, int32_t *number)
{
    int numbered = 0;
    for (int k = 0; k < layout->units; k++)
        number[k] = -1;
    for (int i = 0; i < set->contacts; i++) {
        if (set->row[i].a.dofs > 0)
            number[set->row[i].a.body] = 0;
        if (set->row[i].b.body >= 0 && set->row[i].b.dofs > 0)
            number[set->row[i].b.body] = 0;
    }
    for (int i = 0; i < tied->blocks; i++) {
        if (tied->side_a[i].body >= 0)
            number[tied->side_a[i].body] = 0;
        if (tied->side_b[i].body >= 0)
            number[tied->side_b[i].body] = 0;
    }
    for (int k = 0; k < layout->units; k++)
        if (number[k] == 0)
            number[k] = numbered++;
    return numbered;
}

/* Returns a copy of one side of a contact. The member `body` of the copy is the index of the touching body, or of its group of
 * joined bodies, in the friction problem; -1 if no dof moves the contact point. */
static cst_contact_side side_of(const int32_t *number, const cst_contact_side *side)
{
    cst_contact_side out = *side;
    out.body = side->body >= 0 && side->dofs > 0 ? number[side->body] : -1;
    return out;
}

/* Describes the two sides of a contact to the friction solver. The friction solver requires that the body on the first side can
 * move; if it cannot, the two sides of the contact are exchanged. */
static void sides_of(const int32_t *number, const cst_contact_row *row, cst_contact_side *a, cst_contact_side *b)
{
    *a = side_of(number, &row->a);
    *b = side_of(number, &row->b);
    if (a->body < 0) {
        const cst_contact_side fixed = *a;
        *a = *b;
        *b = fixed;
    }
    assert(a->body >= 0); /* contact_rows.c has dropped the contacts at which neither body can move */
}

/* Computes the offset of a contact velocity: the part that does not depend on the unknown velocities. The offset of a contact
 * velocity is due to prescribed motions, moving obstacles, the lower bound of the normal velocity, and the constraints of joined
 * bodies (`shift`). */
static void offset_of(int dim, const cst_layout *layout, const cst_contact_row *row, const double *shift, double *out)
{
    double u[3];
    cst_contact_row_velocity(dim, layout, row, shift, u);
    for (int c = 0; c < dim; c++)
        out[c] = u[c] + (row->drift[c] + row->bent_way[c] - row->moved[c] - (c == 0 ? row->floor : 0.0));
}

/* Describes the bodies and groups of joined bodies in the friction problem to the friction solver. Writes to `shift` the
 * velocities that constraints impose on all groups of joined bodies. */
static void describe_units(cst_dynamics *dynamics, problem *p, double *shift)
{
    const cst_layout *layout = &dynamics->layout;
    const int threads = cst_dynamics_threads(dynamics);
    (void)threads; /* unused in a build without OpenMP */
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
        cst_body_fetch_struct(dynamics->objects.model, dynamics->objects.bodies, unit->body + 2);
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
    const cst_tied *tied = &dynamics->tied;
    const int n = set->contacts, all = n + tied->blocks;
    const int threads = cst_threads_for(dynamics->threads, n, PARALLEL_CONTACTS);
    (void)threads; /* unused in a build without OpenMP */
    int32_t *number = CST_TAKE_RAW(arena, int32_t, layout->units);
    if (arena->failed)
        return false;
    const int bodies = number_units(layout, set, tied, number);
    *p = (problem){.number = number,
                   .body = CST_TAKE(arena, cst_body, bodies),
                   .side_a = CST_TAKE_RAW(arena, cst_contact_side, all),
                   .side_b = CST_TAKE_RAW(arena, cst_contact_side, all),
                   .offset = CST_TAKE_RAW(arena, double, dim *all),
                   .mu = CST_TAKE(arena, double, all),
                   .r = CST_TAKE(arena, double, dim *all),
                   .u = CST_TAKE_RAW(arena, double, dim *all),
                   .v = CST_TAKE_RAW(arena, double, layout->dofs),
                   .error = CST_TAKE(arena, double, all),
                   .fresh = CST_TAKE(arena, uint8_t, all),
                   .law = CST_TAKE(arena, uint8_t, all)};
    if (arena->failed)
        return false;
    describe_units(dynamics, p, scratch);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < n; i++) {
        const cst_contact *contact = set->contact + i;
        sides_of(p->number, set->row + i, p->side_a + i, p->side_b + i);
        offset_of(dim, layout, set->row + i, scratch, p->offset + dim * i);
        p->mu[i] = contact->mu;
        p->fresh[i] = contact->fresh;
        memcpy(p->r + dim * i, contact->r, sizeof(double) * (size_t)dim);
    }
    for (int i = 0; i < tied->blocks; i++) {
        p->side_a[n + i] = side_of(p->number, tied->side_a + i);
        p->side_b[n + i] = side_of(p->number, tied->side_b + i);
        p->law[n + i] = CST_LAW_BILATERAL;
    }
    if (tied->blocks > 0)
        memcpy(p->offset + dim * n, tied->offset, sizeof(double) * (size_t)(dim * tied->blocks));
    p->given = (cst_body_problem){.dim = dim,
                                  .bodies = bodies,
                                  .body = p->body,
                                  .contacts = all,
                                  .side_a = p->side_a,
                                  .side_b = p->side_b,
                                  .velocity_offset = p->offset,
                                  .mu = p->mu,
                                  .law = tied->blocks > 0 ? p->law : NULL};
    return true;
}

/* Computes the velocity scale by which the friction residual is divided, from the motion without contacts that satisfies all
 * constraints. The motion without constraints would give a far too large velocity scale: a bent fiber whose tip meets another
 * fiber at 2 cm/s would move at 3.5 m/s without its constraints. `shift` (dofs): velocities that constraints impose. Returns
 * false if memory ran out. */
static bool scale_of_tied(const cst_dynamics *dynamics, const problem *p, const double *shift, const double *free_motion,
                          cst_arena *arena, double *scale)
{
    const cst_layout *layout = &dynamics->layout;
    int64_t *offset = CST_TAKE(arena, int64_t, p->given.bodies + 1);
    double *v = p->v;
    if (arena->failed)
        return false;
    for (int k = 0; k < layout->units; k++) {
        const cst_unit *unit = layout->unit + k;
        if (p->number[k] < 0)
            continue;
        offset[p->number[k] + 1] = offset[p->number[k]] + unit->size;
        for (int i = 0; i < unit->size; i++)
            v[offset[p->number[k]] + i] = free_motion[unit->start + i] - shift[unit->start + i];
    }
    *scale = fmax(cst_body_velocity_scale(&p->given, offset, dynamics->threads, v), HELD_BACK * dynamics->tied.held_back);
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- solving */

/* Computes the velocities and the constraint impulses of all groups of joined bodies from the contact impulses. If the
 * constraints of a group are rows of the friction problem (a tied group, world/tied.h), the friction solver has already computed
 * the velocities of the group. */
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
    for (int k = 0; k < dynamics->joined.groups; k++) {
        cst_joined_group *group = dynamics->joined.group + k;
        const int start = layout->group_start[k];
        if (group->tied) {
            cst_joined_tell(group, frame, velocities->v + start);
            continue;
        }
        for (int i = 0; i < group->size; i++)
            f[start + i] += group->rhs[i];
        if (!cst_joined_finish(group, frame, f + start, velocities->v + start))
            return cst_fail(failure, CST_BAD_PROBLEM, group->member[0], "its constraints could not be met");
    }
    return true;
}

/* Writes a failure message, with the first body of the contact at which the friction solver failed. */
static bool fail_with(const cst_friction_report *report, const cst_contact_set *set, cst_failure *failure)
{
    char what[sizeof report->message + 64];
    int body = -1;
    snprintf(what, sizeof what, "contact forces: %s%s%s", cst_status_name(report->status), report->message[0] ? ", " : "",
             report->message);
    if (report->blamed_count > 0 && report->blamed[0] < set->contacts)
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

/* Returns the index of the body on one side of a contact, or -1 if this side is an obstacle. */
static int body_of(const cst_contact_set *set, int contact, int side)
{
    const int32_t owner = side == 0 ? set->contact[contact].a.owner : set->contact[contact].b.owner;
    return side == 0 || set->row[contact].b.body >= 0 ? cst_owner_index(owner) : -1;
}

/* Lists the contacts of each body, as increasing numbers: 2 i stands for contact i if the body is its first body, 2 i + 1 if the
 * body is its second body. `start`: array (bodies + 1), index in `list` of the first entry of each body; `list`: array (2 x
 * contacts). */
static void list_sides(const cst_contact_set *set, int bodies, int64_t *start, int32_t *list)
{
    const int32_t sides = 2 * set->contacts;
    for (int32_t s = 0; s < sides; s++)
        if (body_of(set, s / 2, s % 2) >= 0)
            start[body_of(set, s / 2, s % 2) + 1]++;
    for (int k = 0; k < bodies; k++)
        start[k + 1] += start[k];
    const int64_t total = start[bodies];
    for (int32_t s = sides - 1; s >= 0; s--) /* filled backwards, in increasing order */
        if (body_of(set, s / 2, s % 2) >= 0)
            list[--start[body_of(set, s / 2, s % 2) + 1]] = s;
    for (int k = 0; k < bodies; k++)
        start[k] = start[k + 1];
    start[bodies] = total;
}

/* Applies the contact impulses to the bodies. Each body receives its impulses in the order of the contacts, so the sum is bitwise
 * the same for any number of threads. Returns false if memory ran out. */
static bool push_bodies(const cst_dynamics *dynamics, const cst_contact_set *set, cst_arena *arena)
{
    const cst_objects *objects = &dynamics->objects;
    const int threads = cst_threads_for(dynamics->threads, set->contacts, PARALLEL_CONTACTS);
    (void)threads; /* unused in a build without OpenMP */
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

/* Copies the solution of the friction problem to the vector of all velocities and to the contacts. */
static void take_answer(const problem *p, const cst_layout *layout, int threads, cst_contact_set *set, double *v)
{
    const double *from = p->v;
    const int dim = p->given.dim, used = cst_threads_for(threads, set->contacts, PARALLEL_CONTACTS);
    (void)used; /* unused in a build without OpenMP */
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

/* For a friction problem with constraint rows but without contacts: computes the friction residual of tied->motion, the motion
 * that satisfies all constraints (world/tied.h). Sets *judged to true if the friction residual is within the friction tolerance.
 * Returns false if memory ran out. */
static bool ties_alone(const cst_dynamics *dynamics, const cst_friction_options *options, cst_arena *arena,
                       cst_friction_report *report, bool *judged)
{
    const cst_tied *tied = &dynamics->tied;
    const cst_tied_motion *motion = &tied->motion;
    const double start = cst_clock_seconds();
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    *report = (cst_friction_report){
        .status = CST_SOLVED, .solver = options->solver, .form = CST_FORM_PRODUCT, .residual = {.worst_contact = -1}};
    const double scale = fmax(cst_body_velocity_scale(&tied->problem, motion->bodies.offset, dynamics->threads, motion->v),
                              HELD_BACK * tied->held_back);
    /* constraint rows need no compliance */
    const cst_loan loan = {.bodies = motion->bodies, .w = CST_TAKE(arena, double, tied->blocks)};
    const cst_status status =
        arena->failed ? CST_OUT_OF_MEMORY
                      : cst_body_judge_once(&tied->problem, &loan, dynamics->threads, scale, 0.0, arena, motion->v, motion->r,
                                            &report->residual, NULL, report->message, sizeof report->message);
    report->total_seconds = report->judge_seconds = cst_clock_seconds() - start;
    *judged = status == CST_SOLVED && report->residual.error <= options->tolerance;
    if (status == CST_OUT_OF_MEMORY)
        return false;
    cst_arena_release(arena, mark);
    return true;
}

/* For each body or group of joined bodies in the friction problem, returns its index in tied->problem (the friction problem
 * without contacts), or -1 if no constraint row acts on it. Returns NULL if memory ran out. */
static const int32_t *tied_bodies(const cst_dynamics *dynamics, const problem *p, cst_arena *arena)
{
    int32_t *body = CST_TAKE_RAW(arena, int32_t, p->given.bodies);
    for (int k = 0; !arena->failed && k < dynamics->layout.units; k++)
        if (p->number[k] >= 0)
            body[p->number[k]] = dynamics->tied.number[k];
    return arena->failed ? NULL : body;
}

static bool solve(const problem *p, const cst_tie_loan *ties, const cst_friction_options *options, cst_friction_report *report)
{
    return cst_solve_bodies_tied(&p->given, options, ties, p->r, p->u, p->v, report) <= CST_TOLERANCE_MISSED;
}

static void add_report(const cst_friction_report *before, cst_friction_report *report)
{
    report->iterations += before->iterations;
    report->iterations_total += before->iterations_total;
    report->seconds += before->seconds;
    report->judge_seconds += before->judge_seconds;
    report->total_seconds += before->total_seconds;
}

/* Solves the friction problem again with smaller coefficients of restitution, as long as impacts gain energy
 * (world/restitution.h). Returns false if the friction solver failed (a missed tolerance is no failure) or memory ran out. */
static bool lower_restitution(const cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options,
                              cst_contact_set *set, const cst_velocities *velocities, cst_arena *arena, problem *p,
                              const cst_tie_loan *ties, cst_friction_report *report)
{
    cst_restitution restitution;
    const int dim = frame->dim;
    if (!cst_restitution_begin(&restitution, frame, &dynamics->layout, &dynamics->tied, velocities, set, arena))
        return !arena->failed;
    options.fresh = NULL;
    for (int i = 0; i < set->contacts; i++)
        p->offset[dim * i] += set->row[i].floor;
    bool solved = true;
    while (solved && cst_restitution_lower(&restitution, p->r, p->u, options.tolerance * report->residual.velocity_scale)) {
        const cst_friction_report before = *report;
        for (int i = 0; i < set->contacts; i++)
            p->offset[dim * i] -= set->row[i].floor;
        solved = solve(p, ties, &options, report);
        add_report(&before, report);
        for (int i = 0; i < set->contacts; i++)
            p->offset[dim * i] += set->row[i].floor;
    }
    return solved;
}

/* Returns true if the friction problem may have no solution, so that it is solved again with relaxed contact conditions
 * (solve_jammed). */
static bool may_be_jammed(cst_status status)
{
    return status == CST_TOLERANCE_MISSED || status == CST_NO_SOLUTION || status == CST_ILL_POSED;
}

/* Marks the islands (contacts that share bodies) in which the residual of a contact exceeds the tolerance; marks all islands if
 * there is no such contact. */
static void find_stuck(const problem *p, const cst_layout *layout, const cst_contact_set *set, double tolerance,
                       const int32_t *island, bool *stuck)
{
    bool any = false;
    for (int i = 0; i < set->contacts; i++)
        if (!(p->error[i] <= tolerance))
            any = stuck[island[set->row[i].a.body]] = true;
    for (int k = 0; k < layout->units && !any; k++)
        stuck[k] = true;
}

/* If a friction problem seems to have no solution, solves it again: in the unsolved islands (contacts that share bodies),
 * restitution is ignored, and shallow penetrations are not removed. Without restitution, without removal of penetrations and
 * without moving obstacles, a friction problem has a solution (Cadoux 2009), because bodies at rest satisfy all contact
 * conditions. A contact whose conditions were relaxed is marked as jammed, and stays jammed in later steps as long as it carries
 * an impulse. Returns false if the solve failed or memory ran out. */
static bool solve_jammed(const cst_dynamics *dynamics, const cst_friction_options *options, int dim, cst_contact_set *set,
                         cst_arena *arena, problem *p, const cst_tie_loan *ties, cst_friction_report *report)
{
    const cst_friction_report before = *report;
    const cst_layout *layout = &dynamics->layout;
    int32_t *island = CST_TAKE_RAW(arena, int32_t, layout->units);
    bool *stuck = CST_TAKE(arena, bool, layout->units);
    if (arena->failed)
        return false;
    cst_contact_islands(layout, set, &dynamics->tied, island);
    find_stuck(p, layout, set, options->tolerance, island, stuck);
    for (int i = 0; i < set->contacts; i++)
        p->offset[dim * i] += set->row[i].floor;
    const int jammed = cst_contact_rows_jam(island, stuck, set);
    for (int i = 0; i < set->contacts; i++)
        p->offset[dim * i] -= set->row[i].floor;
    if (jammed == 0)
        return report->status <= CST_TOLERANCE_MISSED;
    for (int i = 0; i < set->contacts; i++)
        memcpy(p->r + dim * i, set->contact[i].r, sizeof(double) * (size_t)dim);
    const bool solved = solve(p, ties, options, report);
    add_report(&before, report);
    return solved;
}

/* Returns a lower bound (m/s) of the velocity scale by which the friction residual is divided. A gap is the distance between two
 * centrelines minus two radii, so the rounding error of a gap is proportional to the radii. A contact velocity contains the term
 * gap / dt; the friction solver cannot estimate the rounding error of this term, because it does not know the radii. Measured
 * without the lower bound of the velocity scale: 100 touching fibers at rest have a velocity scale of 1e-15 m/s, and a step takes
 * 90 to 690 friction iterations. */
static double known_velocity(const cst_contact_set *set, double dt)
{
    double largest = 0.0;
    for (int i = 0; i < set->contacts; i++) {
        const double terms = set->contact[i].a.radius + set->contact[i].b.radius;
        largest = terms > largest ? terms : largest;
    }
    return isfinite(largest) ? KNOWN * largest / dt : 0.0;
}

static bool solve_problem(cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options, cst_contact_set *set,
                          cst_velocities *velocities, cst_arena *arena, cst_friction_report *report, cst_failure *failure)
{
    const int dim = frame->dim;
    problem p;
    cst_tie_loan loan = {.motion = &dynamics->tied.motion, .first = set->contacts};
    const bool tied = dynamics->tied.blocks > 0;
    if (!make_problem(dynamics, dim, set, velocities->scratch, arena, &p))
        return cst_fail_memory(failure);
    options.velocity_floor = known_velocity(set, frame->dt);
    if (tied && !(options.velocity_scale > 0.0)) {
        if (!scale_of_tied(dynamics, &p, velocities->scratch, velocities->free, arena, &options.velocity_scale))
            return cst_fail_memory(failure);
        options.velocity_scale = fmax(options.velocity_scale, options.velocity_floor);
    }
    if (tied && !(loan.body = tied_bodies(dynamics, &p, arena)))
        return cst_fail_memory(failure);
    const cst_tie_loan *ties = tied ? &loan : NULL;
    options.fresh = p.fresh;
    options.contact_error = p.error;
    bool solved = solve(&p, ties, &options, report);
    if (may_be_jammed(report->status) && !frame->quasi_static)
        solved = solve_jammed(dynamics, &options, dim, set, arena, &p, ties, report);
    if (!solved)
        return arena->failed ? cst_fail_memory(failure) : fail_with(report, set, failure);
    if (!lower_restitution(dynamics, frame, options, set, velocities, arena, &p, ties, report))
        return arena->failed ? cst_fail_memory(failure) : fail_with(report, set, failure);
    /* if the largest residual is at a constraint row, the report names no worst contact */
    if (report->residual.worst_contact >= set->contacts)
        report->residual.worst_contact = -1;
    cst_tied_take_impulses(&dynamics->tied, &dynamics->joined, dim, p.r + dim * set->contacts);
    take_answer(&p, &dynamics->layout, dynamics->threads, set, velocities->v);
    return push_bodies(dynamics, set, arena) || cst_fail_memory(failure);
}

bool cst_contact_solve(cst_dynamics *dynamics, const cst_step_frame *frame, cst_friction_options options, cst_contact_set *set,
                       cst_velocities *velocities, cst_arena *arena, cst_friction_report *report, cst_failure *failure)
{
    const cst_tied *tied = &dynamics->tied;
    bool done = set->contacts == 0 && tied->blocks == 0;
    if (done) {
        *report = (cst_friction_report){
            .status = CST_SOLVED, .solver = options.solver, .form = options.form, .residual = {.worst_contact = -1}};
    } else if (set->contacts == 0 && !(options.velocity_scale > 0.0)) {
        if (!ties_alone(dynamics, &options, arena, report, &done))
            return cst_fail_memory(failure);
        report->residual.worst_contact = -1;
        if (done)
            cst_tied_take_impulses(tied, &dynamics->joined, frame->dim, tied->motion.r);
    }
    if (!done && !solve_problem(dynamics, frame, options, set, velocities, arena, report, failure))
        return false;
    return finish_groups(dynamics, frame, set, velocities, failure);
}
