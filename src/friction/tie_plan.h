/* Chooses the order in which bodies joined by bilateral constraints (ties) are eliminated.
 *
 * Of two bodies joined by a constraint, the body with more constraints to other bodies per dof becomes a hub body, for example a
 * head that carries hairs. A leaf body is joined only to hub bodies and to the world, so each leaf body is eliminated by itself,
 * before the hub bodies. Hub bodies that are connected by constraints, directly or through other bodies, form a group (core),
 * which has one dense matrix. */
#ifndef CST_FRICTION_TIE_PLAN_H
#define CST_FRICTION_TIE_PLAN_H

#include <stdint.h>

#include "base/arena.h"

enum {
    /* CST_TIE_CORE_MAX: largest number of dofs of a group of connected hub bodies (bodies that carry others). If a group has more
     * than CST_TIE_CORE_MAX dofs, the bilateral constraints are not eliminated, but solved iteratively, like contacts. In every
     * sweep, a contact on a body joined to a group of hub bodies reads dim numbers per dof of the group. The dense matrix of a
     * group of hub bodies is factorised once, in a time that grows with the cube of its dofs (0.6 ms for 20 rigid bodies). */
    CST_TIE_CORE_MAX = 120
};

/* The two bodies that a bilateral constraint joins; -1 is the world. Two equal indices: the constraint joins two points of one
 * body. */
typedef struct cst_tied_pair {
    int32_t body[2];
} cst_tied_pair;

typedef enum cst_tie_role { CST_TIE_FREE = 0, CST_TIE_LEAF, CST_TIE_HUB } cst_tie_role;

typedef struct cst_tie_plan {
    uint8_t *role; /* array (bodies): cst_tie_role */
    /* array (bodies): for a hub body, the index of its group of hub bodies; for a leaf body, the index of the group to which it
     * is joined; -1: none */
    int32_t *core_of;
    int cores;   /* numbered by their first hub bodies */
    int largest; /* dofs of the largest group */
} cst_tie_plan;

/* Chooses leaf bodies and hub bodies. `size` (bodies): dofs. Returns false if memory ran out. */
bool cst_tie_plan_make(const cst_tied_pair *tie, int ties, const int32_t *size, int bodies, cst_arena *arena, cst_tie_plan *out);

#endif
