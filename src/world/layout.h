/* Where the velocities of each body stand in the one vector of all velocities.
 *
 * The vector is ordered unit by unit. A unit is what friction sees as one body: a body on its own, a body of a tied group, or a group of
 * joined bodies that is eliminated (world/joined.h). Groups and bodies without one come in the order of their first bodies; the members of
 * a group stand next to each other. */
#ifndef CST_WORLD_LAYOUT_H
#define CST_WORLD_LAYOUT_H

#include "world/joined.h"

typedef struct cst_unit {
    int32_t group; /* or -1: a single body */
    int32_t body;  /* that body, or the first of the group */
    int32_t start; /* of its velocities */
    int32_t size;
} cst_unit;

typedef struct cst_layout {
    int dofs;
    int units;
    cst_unit *unit;       /* (units) */
    int32_t *unit_of;     /* (bodies) */
    int32_t *start_of;    /* (bodies) where a body's velocities begin */
    int32_t *group_start; /* (groups) where a group's velocities begin */
} cst_layout;

/* False: out of memory. */
bool cst_layout_begin(cst_layout *layout, const cst_body_model *model, int bodies, const cst_joined *joined, cst_arena *arena);

/* Where the dofs of a body begin in its unit. */
static inline int32_t cst_layout_offset(const cst_layout *layout, int body)
{
    return layout->start_of[body] - layout->unit[layout->unit_of[body]].start;
}

#endif
