#include "world/layout.h"

#include <assert.h>

static void lay_out(cst_layout *layout, const cst_body_model *model, int bodies, const cst_joined *joined)
{
    for (int k = 0; k < bodies; k++) {
        const int32_t group = joined->group_of[k];
        if (group >= 0 && joined->group[group].member[0] != k) {
            layout->unit_of[k] = layout->unit_of[joined->group[group].member[0]];
        } else {
            const int size = group >= 0 ? joined->group[group].size : model[k].class->dynamics->dofs(model[k].self);
            layout->unit[layout->units] = (cst_unit){.group = group, .body = k, .start = layout->dofs, .size = size};
            layout->unit_of[k] = layout->units++;
            layout->dofs += size;
        }
        layout->start_of[k] = layout->unit[layout->unit_of[k]].start + joined->offset_of[k];
        assert(layout->start_of[k] <= layout->dofs);
    }
}

bool cst_layout_begin(cst_layout *layout, const cst_body_model *model, int bodies, const cst_joined *joined, cst_arena *arena)
{
    *layout = (cst_layout){.unit = CST_TAKE(arena, cst_unit, bodies),
                           .unit_of = CST_TAKE(arena, int32_t, bodies),
                           .start_of = CST_TAKE(arena, int32_t, bodies)};
    if (arena->failed)
        return false;
    lay_out(layout, model, bodies, joined);
    return true;
}
