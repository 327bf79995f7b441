/* Chooses the elimination order of tied bodies: which of two bodies that are joined by bilateral constraints (ties) is eliminated
 * first.
 *
 * A hub body is a body whose velocities are eliminated last. A leaf body is tied only to hub bodies and to the world, so that its
 * ties can be eliminated one leaf body at a time. Of two tied bodies, the one with more ties per dof is the hub body, for example
 * a head that carries hairs, or a bead on a long rod. Hub bodies that are connected by leaf bodies or ties form a group, called a
 * core, whose matrix is dense. */
#ifndef CST_FRICTION_TIE_PLAN_H
#define CST_FRICTION_TIE_PLAN_H

#include <stdint.h>

#include "base/arena.h"

enum {
    /* Largest number of dofs of a core of hub bodies. In every sweep, a contact on a leaf body reads dim numbers for each dof of
     * the core of hub bodies that the leaf body is tied to. The matrix of a core of hub bodies is factorised once, in a time that
     * grows with the cube of the dofs: 0.6 ms for 20 rigid bodies. */
    CST_TIE_CORE_MAX = 120
};

/* The two bodies of a tie; -1 is the world. If the two bodies of a tie are the same, the body is tied to itself. */
typedef struct cst_tied_pair {
    int32_t body[2];
} cst_tied_pair;

typedef enum cst_tie_role { CST_TIE_FREE = 0, CST_TIE_LEAF, CST_TIE_HUB } cst_tie_role;

typedef struct cst_tie_plan {
    uint8_t *role; /* array (bodies): cst_tie_role */
    /* array (bodies): index of the core (group of connected hub bodies) of each hub body, and of each leaf body that is tied
     * to hub bodies; -1: none */
    int32_t *core_of;
    int cores;   /* numbered by their first hubs */
    int largest; /* dofs of the largest core */
} cst_tie_plan;

/* Makes the plan. `tie`: (ties). `size` (bodies): dofs. Returns false if memory ran out. */
bool cst_tie_plan_make(const cst_tied_pair *tie, int ties, const int32_t *size, int bodies, cst_arena *arena, cst_tie_plan *out);

#endif
