#include "world/layout.h"

#include <assert.h>

static void add_unit(cst_layout *layout, int32_t group, int32_t body, int size)
{
    layout->unit[layout->units] = (cst_unit){.group = group, .body = body, .start = layout->dofs, .size = size};
    layout->unit_of[body] = layout->units++;
    layout->start_of[body] = layout->dofs;
    layout->dofs += size;
}

/* Adds a group of joined bodies to the layout: as one unit if its constraints are eliminated before the friction solve;
 * otherwise each body of the group is a unit. */
static void add_group(cst_layout *layout, const cst_body_model *model, const cst_joined *joined, int32_t index)
{
    const cst_joined_group *group = joined->group + index;
    const int32_t start = layout->group_start[index] = layout->dofs;
    if (!group->tied)
        add_unit(layout, index, group->member[0], group->size);
    for (int m = 0; m < group->members; m++) {
        const int32_t body = group->member[m];
        if (group->tied)
            add_unit(layout, -1, body, model[body].class->dynamics->dofs(model[body].self));
        layout->unit_of[body] = group->tied ? layout->unit_of[body] : layout->unit_of[group->member[0]];
        layout->start_of[body] = start + group->offset[m];
    }
}

static void lay_out(cst_layout *layout, const cst_body_model *model, int bodies, const cst_joined *joined)
{
    for (int32_t k = 0; k < bodies; k++) {
        const int32_t group = joined->group_of[k];
        if (group < 0)
            add_unit(layout, -1, k, model[k].class->dynamics->dofs(model[k].self));
        else if (joined->group[group].member[0] == k)
            add_group(layout, model, joined, group);
        assert(layout->start_of[k] <= layout->dofs);
    }
}

bool cst_layout_begin(cst_layout *layout, const cst_body_model *model, int bodies, const cst_joined *joined, cst_arena *arena)
{
    *layout = (cst_layout){.unit = CST_TAKE(arena, cst_unit, bodies),
                           .unit_of = CST_TAKE(arena, int32_t, bodies),
                           .start_of = CST_TAKE(arena, int32_t, bodies),
                           .group_start = CST_TAKE(arena, int32_t, joined->groups)};
    if (arena->failed)
        return false;
    lay_out(layout, model, bodies, joined);
    return true;
}
