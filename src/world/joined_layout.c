#include <string.h>

#include "base/sorted.h"
#include "base/union_find.h"
#include "friction/tie_plan.h"
#include "world/joined_parts.h"
#include "world/point_motion.h"

/* ------------------------------------------------------------------------------------------------------ who is with whom */

static void forget(cst_constraint *constraint)
{
    memset(constraint->impulse, 0, sizeof constraint->impulse);
    memset(constraint->force, 0, sizeof constraint->force);
    memset(constraint->moment, 0, sizeof constraint->moment);
    constraint->work = 0.0;
}

/* Numbers the groups of joined bodies in the order of their first bodies. Writes the group of each body (-1: none) to group_of,
 * and returns the number of groups. */
static int number_groups(const cst_constraint *constraint, int constraints, const cst_step_frame *frame, int bodies,
                         int32_t *parent, int32_t *group_of)
{
    for (int32_t i = 0; i < bodies; i++) {
        parent[i] = i;
        group_of[i] = -1;
    }
    for (int i = 0; i < constraints; i++)
        if (cst_constraint_active(constraint + i, frame->time, cst_frame_span(frame)) && constraint[i].body[1] >= 0)
            cst_set_join(parent, constraint[i].body[0], constraint[i].body[1]);
    for (int i = 0; i < constraints; i++) /* mark each group's first body */
        if (cst_constraint_active(constraint + i, frame->time, cst_frame_span(frame)))
            group_of[cst_set_of(parent, constraint[i].body[0])] = 0;
    int groups = 0;
    /* ordered by first body */
    for (int32_t i = 0; i < bodies; i++) {
        const int32_t root = cst_set_of(parent, i);
        if (root != i)
            group_of[i] = group_of[root];
        else if (group_of[i] == 0)
            group_of[i] = groups++;
    }
    return groups;
}

static bool list_members(cst_joined *joined, const cst_body_model *body, int bodies, cst_arena *arena)
{
    for (int i = 0; i < bodies; i++)
        if (joined->group_of[i] >= 0)
            joined->group[joined->group_of[i]].members++;
    for (int k = 0; k < joined->groups; k++) {
        cst_joined_group *group = joined->group + k;
        group->member = CST_TAKE(arena, int32_t, group->members);
        group->offset = CST_TAKE(arena, int32_t, group->members + 1);
        group->part_start = CST_TAKE(arena, int32_t, group->members + 1);
        group->body = body;
        group->members = 0;
    }
    if (arena->failed)
        return false;
    for (int32_t i = 0; i < bodies; i++) {
        if (joined->group_of[i] < 0)
            continue;
        cst_body_fetch_struct(body, bodies, i + 2);
        cst_joined_group *group = joined->group + joined->group_of[i];
        const int at = group->members++;
        group->member[at] = i;
        joined->offset_of[i] = group->offset[at];
        group->offset[at + 1] = group->offset[at] + body[i].class->dynamics->dofs(body[i].self);
        group->size = group->offset[at + 1];
    }
    return true;
}

static int32_t member_number(const cst_joined_group *group, int32_t body)
{
    return (int32_t)cst_sorted_place(group->member, group->members, body);
}

/* ------------------------------------------------------------------------------------------------------- memory of a step */

static bool list_constraints(cst_joined *joined, cst_constraint *constraint, int constraints, const cst_step_frame *frame,
                             cst_arena *arena)
{
    for (int i = 0; i < constraints; i++)
        if (cst_constraint_active(constraint + i, frame->time, cst_frame_span(frame)))
            joined->group[joined->group_of[constraint[i].body[0]]].constraints++;
    for (int k = 0; k < joined->groups; k++) {
        cst_joined_group *group = joined->group + k;
        group->held = CST_TAKE(arena, cst_joined_rows, group->constraints);
        group->constraints = 0;
    }
    if (arena->failed)
        return false;
    for (int i = 0; i < constraints; i++) {
        if (!cst_constraint_active(constraint + i, frame->time, cst_frame_span(frame))) {
            forget(constraint + i);
            continue;
        }
        cst_joined_group *group = joined->group + joined->group_of[constraint[i].body[0]];
        cst_joined_rows *held = group->held + group->constraints++;
        held->constraint = constraint + i;
        held->first = group->rows;
        held->rows = cst_constraint_rows(constraint + i);
        group->rows += held->rows;
        for (int side = 0; side < 2; side++) {
            const int32_t body = constraint[i].body[side];
            held->member[side] = body >= 0 ? member_number(group, body) : -1;
        }
    }
    return true;
}

static bool has_part(const cst_joined_rows *held, int side)
{
    return held->member[side] >= 0 && (side == 0 || held->member[1] != held->member[0]);
}

/* Sorts the blocks of constraint rows by the body on which they act; the blocks on one body keep the order of the
 * constraints. */
static bool lay_out_parts(cst_joined_group *group, cst_arena *arena)
{
    int32_t *start = group->part_start;
    for (int h = 0; h < group->constraints; h++)
        for (int side = 0; side < 2; side++)
            if (has_part(group->held + h, side))
                start[group->held[h].member[side] + 1]++;
    for (int m = 0; m < group->members; m++)
        start[m + 1] += start[m];
    group->part = CST_TAKE(arena, cst_joined_part, start[group->members]);
    int32_t *next = CST_TAKE(arena, int32_t, group->members);
    if (arena->failed)
        return false;
    memcpy(next, start, sizeof(int32_t) * (size_t)group->members);
    for (int32_t h = 0; h < group->constraints; h++) {
        cst_joined_rows *held = group->held + h;
        for (int side = 0; side < 2; side++) {
            const int32_t member = held->member[side];
            if (member < 0)
                continue;
            const cst_body_model *body = group->body + group->member[member];
            cst_point_motion_take(arena, body, held->constraint->dim, held->motion + side);
            if (!has_part(held, side))
                continue;
            const int sides = held->member[0] == held->member[1] ? 2 : 1;
            const int touched = sides * body->class->places->point_dofs(body->self);
            const int dofs = group->offset[member + 1] - group->offset[member];
            held->part[side] = group->part + next[member]++;
            *held->part[side] =
                (cst_joined_part){.held = h,
                                  .member = member,
                                  .dof = CST_TAKE_RAW(arena, int32_t, touched),
                                  .g = CST_TAKE_RAW(arena, double, held->rows *touched),
                                  .z = CST_TAKE_RAW(arena, double, group->tied ? 0 : (size_t)held->rows *(size_t)dofs)};
        }
    }
    return !arena->failed;
}

/* Decides which groups of joined bodies are tied groups, by the rule in joined.h (cst_joined_begin). */
static bool choose_tied(cst_joined *joined, const cst_body_model *body, int bodies, int rows_max, cst_arena *arena)
{
    int ties = 0;
    for (int k = 0; k < joined->groups; k++)
        if (joined->group[k].rows > rows_max && joined->group[k].members > 1)
            ties += joined->group[k].constraints;
    if (ties == 0)
        return true;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_tied_pair *pair = CST_TAKE_RAW(arena, cst_tied_pair, ties);
    int32_t *size = CST_TAKE_RAW(arena, int32_t, bodies);
    cst_tie_plan plan;
    if (arena->failed)
        return false;
    for (int i = 0; i < bodies; i++)
        size[i] = body[i].class->dynamics->dofs(body[i].self);
    ties = 0;
    for (int k = 0; k < joined->groups; k++) {
        const cst_joined_group *group = joined->group + k;
        for (int h = 0; h < group->constraints && group->rows > rows_max && group->members > 1; h++)
            pair[ties++] = (cst_tied_pair){{group->held[h].constraint->body[0], group->held[h].constraint->body[1]}};
    }
    if (!cst_tie_plan_make(pair, ties, size, bodies, arena, &plan))
        return false;
    for (int k = 0; k < joined->groups; k++) {
        cst_joined_group *group = joined->group + k;
        int core = 0;
        for (int m = 0; m < group->members; m++)
            core += plan.role[group->member[m]] == CST_TIE_HUB ? size[group->member[m]] : 0;
        group->tied = group->rows > rows_max && group->members > 1 && core <= CST_TIE_CORE_MAX;
    }
    cst_arena_release(arena, mark);
    return true;
}

/* Allocates the Schur complement of the constraints of a group. Each row of the Schur complement belongs to a constraint; the
 * stored part of the row begins at the column of the first constraint that shares a body with this constraint. */
static bool open_S(cst_joined_group *group, cst_arena *arena)
{
    if (!cst_envelope_begin(arena, group->rows, &group->S))
        return false;
    for (int h = 0; h < group->constraints; h++) {
        const cst_joined_rows *held = group->held + h;
        int32_t first = h;
        for (int side = 0; side < 2; side++)
            if (has_part(held, side)) {
                const int32_t meets = group->part[group->part_start[held->member[side]]].held;
                first = meets < first ? meets : first;
            }
        for (int row = 0; row < held->rows; row++)
            group->S.first[held->first + row] = group->held[first].first;
    }
    return cst_envelope_open(arena, &group->S);
}

static bool take_vectors(cst_joined_group *group, cst_arena *arena)
{
    group->rhs = CST_TAKE(arena, double, group->size);
    group->shift = CST_TAKE(arena, double, group->size);
    group->scratch = CST_TAKE(arena, double, group->size);
    group->g = CST_TAKE(arena, double, group->rows);
    group->lambda = CST_TAKE(arena, double, group->rows);
    group->again = CST_TAKE(arena, double, group->rows);
    return !arena->failed;
}

bool cst_joined_begin(cst_joined *joined, const cst_body_model *body, int bodies, cst_constraint *constraint, int constraints,
                      const cst_step_frame *frame, int rows_max, cst_arena *arena)
{
    *joined = (cst_joined){.group_of = CST_TAKE(arena, int32_t, bodies), .offset_of = CST_TAKE(arena, int32_t, bodies)};
    int32_t *parent = CST_TAKE(arena, int32_t, bodies);
    if (arena->failed)
        return false;
    joined->groups = number_groups(constraint, constraints, frame, bodies, parent, joined->group_of);
    joined->group = CST_TAKE(arena, cst_joined_group, joined->groups);
    if (arena->failed || !list_members(joined, body, bodies, arena) ||
        !list_constraints(joined, constraint, constraints, frame, arena) || !choose_tied(joined, body, bodies, rows_max, arena))
        return false;
    for (int k = 0; k < joined->groups; k++) {
        cst_joined_group *group = joined->group + k;
        if (!lay_out_parts(group, arena) || (!group->tied && !open_S(group, arena)) || !take_vectors(group, arena))
            return false;
    }
    return true;
}
