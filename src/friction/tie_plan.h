/* Chooses the elimination order of tied bodies: which of two bodies that are joined by bilateral constraints (ties) is eliminated
 * first.
 *
 * A hub body is a constrained body that is eliminated last, together with other hub bodies. A leaf body is a body that bilateral
 * constraints join only to hub bodies (eliminated last) and to the world. No constraint joins two leaf bodies with each other, so
 * each leaf body can be eliminated by itself, before the hub bodies, which are eliminated last. Of two bodies joined by a
 * bilateral constraint, the body with more constraints per dof is eliminated last (hub body), for example a head that carries
 * hairs. Hub bodies (eliminated last) that are connected with each other, directly or through other bodies, form a group, called
 * a core, whose matrix is dense. */
#ifndef CST_FRICTION_TIE_PLAN_H
#define CST_FRICTION_TIE_PLAN_H

#include <stdint.h>

#include "base/arena.h"

enum {
    /* Largest number of dofs of a group of connected hub bodies (bodies eliminated last). In every sweep, a contact on a body
     * that is tied to a group of hub bodies (eliminated last) reads dim numbers for each dof of the group. The dense matrix of a
     * group of hub bodies (eliminated last) is factorised once, in a time that grows with the cube of the dofs: 0.6 ms for 20
     * rigid bodies. */
    CST_TIE_CORE_MAX = 120
};

/* The indices of the two bodies that a bilateral constraint (tie) joins; -1 is the world. If the two body indices of a bilateral
 * constraint are equal, it joins two points of one body. */
typedef struct cst_tied_pair {
    int32_t body[2];
} cst_tied_pair;

typedef enum cst_tie_role { CST_TIE_FREE = 0, CST_TIE_LEAF, CST_TIE_HUB } cst_tie_role;

typedef struct cst_tie_plan {
    uint8_t *role; /* array (bodies): cst_tie_role */
    /* array (bodies): for each hub body (eliminated last), and for each leaf body (eliminated first) that is tied to hub bodies,
     * the index of the group (core) of connected hub bodies; -1: none */
    int32_t *core_of;
    int cores;   /* numbered by their first hubs */
    int largest; /* dofs of the largest core */
} cst_tie_plan;

/* Makes the plan. `tie`: (ties). `size` (bodies): dofs. Returns false if memory ran out. */
bool cst_tie_plan_make(const cst_tied_pair *tie, int ties, const int32_t *size, int bodies, cst_arena *arena, cst_tie_plan *out);

#endif
