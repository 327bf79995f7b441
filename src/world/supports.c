#include "world/supports.h"

#include <math.h>
#include <string.h>

#include "world/contact_rows.h"

/* RIGID: the code treats the compliance of a body along a contact normal as zero if the constraints reduce it to at most RIGID
 * times its value without constraints. The ratio of the compliance with constraints to the compliance without them is 1e-16 to
 * 1e-13 (rounding) if a constraint holds the contact point itself. The ratio of the compliance with constraints to the compliance
 * without them is 1e-4 or more if a constraint holds a rod at a hundredth of its length from the contact point. */
static const double RIGID = 1e-10;

/* Returns the compliance of one body of a contact along the contact normal, or NaN if the solve failed.
 *
 *     `side`: Jacobian rows of the body at the contact.
 *     `offset`: index of the body's first dof in its group if `solve` solves for the body alone; 0 if `solve` solves for the
 *     group.
 *     `size`: number of dofs of the body or group.
 *     `solve`: replaces a right-hand side by the solution of the equations of the body or group.
 *     `x`: (size) scratch vector. */
static double normal_compliance(const cst_contact_side *side, int32_t offset, int size, bool (*solve)(void *, double *),
                                void *user, double *x)
{
    double sum = 0.0;
    memset(x, 0, sizeof(double) * (size_t)size);
    for (int k = 0; k < side->dofs; k++)
        x[side->dof[k] - offset] = side->h[k];
    if (!solve(user, x))
        return NAN;
    for (int k = 0; k < side->dofs; k++)
        sum += side->h[k] * x[side->dof[k] - offset];
    return sum;
}

/* For each dof of all groups of joined bodies, true if a constraint acts on the dof. */
typedef struct held_dofs {
    int32_t *start; /* array (groups): first dof in `held` */
    bool *held;
} held_dofs;

static bool mark_held(const cst_joined *joined, cst_arena *arena, held_dofs *out)
{
    int32_t count = 0;
    out->start = CST_TAKE_RAW(arena, int32_t, joined->groups);
    for (int k = 0; k < joined->groups && !arena->failed; k++) {
        out->start[k] = count;
        count += joined->group[k].size;
    }
    out->held = CST_TAKE(arena, bool, count);
    for (int k = 0; k < joined->groups && !arena->failed; k++)
        cst_joined_mark(joined->group + k, out->held + out->start[k]);
    return !arena->failed;
}

static bool is_beside(const held_dofs *dofs, int group, const cst_contact_side *side)
{
    for (int k = 0; k < side->dofs; k++)
        if (side->h[k] != 0.0 && dofs->held[dofs->start[group] + side->dof[k]])
            return false;
    return true;
}

/* Returns true if an impulse along the contact normal can move one body of the contact. */
static bool can_move(const cst_dynamics *dynamics, const held_dofs *dofs, const cst_contact_side *side, int32_t owner, double *x)
{
    if (side->body < 0 || side->dofs == 0)
        return false;
    const cst_unit *unit = dynamics->layout.unit + side->body;
    if (unit->group < 0 || is_beside(dofs, unit->group, side))
        return true;
    const int body = cst_owner_index(owner);
    const cst_body_model *model = dynamics->objects.model + body;
    cst_body joined;
    cst_joined_describe(dynamics->joined.group + unit->group, &joined);
    const double held = normal_compliance(side, 0, unit->size, joined.solve, joined.user, x);
    const double alone =
        normal_compliance(side, cst_layout_offset(&dynamics->layout, body), model->class->dynamics->dofs(model->self),
                          model->class->dynamics->solve, model->self, x);
    /* If a solve fails (NaN), the contact stays: the friction solver solves the same system and reports the error. */
    return !(held <= RIGID * alone);
}

bool cst_supports_drop(const cst_dynamics *dynamics, cst_arena *arena, cst_contact_set *set)
{
    if (dynamics->joined.groups == 0)
        return true;
    double *x = CST_TAKE_RAW(arena, double, dynamics->layout.dofs);
    bool *dropped = CST_TAKE_RAW(arena, bool, set->contacts);
    held_dofs dofs;
    if (!mark_held(&dynamics->joined, arena, &dofs))
        return false;
    for (int i = 0; i < set->contacts; i++) {
        const cst_contact_row *row = set->row + i;
        dropped[i] = !can_move(dynamics, &dofs, &row->a, set->contact[i].a.owner, x) &&
                     !can_move(dynamics, &dofs, &row->b, set->contact[i].b.owner, x);
    }
    cst_contact_set_drop(dropped, set);
    return true;
}
