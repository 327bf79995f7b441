/* Layout of the vector of all velocities, ordered by units. A unit is one body of the friction problem: a single body, a body
 * of a tied group, or a group of joined bodies whose constraints are eliminated before the friction solve (world/joined.h).
 * Groups and single bodies are ordered by the number of their first body, and the bodies of a group are adjacent. */
#ifndef CST_WORLD_LAYOUT_H
#define CST_WORLD_LAYOUT_H

#include "world/joined.h"

typedef struct cst_unit {
    int32_t group; /* or -1: a single body */
    int32_t body;  /* or first body of the group */
    int32_t start; /* of its velocities */
    int32_t size;
} cst_unit;

typedef struct cst_layout {
    int dofs;
    int units;
    cst_unit *unit;   /* (units) */
    int32_t *unit_of; /* (bodies) */
    /* array (bodies): index at which the velocities of each body begin in the vector of all velocities */
    int32_t *start_of;
    /* array (groups): index at which the velocities of each group begin in the vector of all velocities */
    int32_t *group_start;
} cst_layout;

/* Returns false if memory ran out. */
bool cst_layout_begin(cst_layout *layout, const cst_body_model *model, int bodies, const cst_joined *joined, cst_arena *arena);

/* Returns the index of the first dof of a body within its unit (the body itself, or a group of joined bodies). */
static inline int32_t cst_layout_offset(const cst_layout *layout, int body)
{
    return layout->start_of[body] - layout->unit[layout->unit_of[body]].start;
}

#endif
