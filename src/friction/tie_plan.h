/* How bilateral rows (ties) are eliminated: which of two tied bodies goes first.
 *
 * A hub is a body whose velocities are kept until all others are eliminated; a leaf is tied to hubs and to the world only, so that its
 * ties can be eliminated leaf by leaf. Of two tied bodies the one with more ties for its dofs is the hub: the head of its hairs, the
 * beads on a long rod. Hubs that leaves or ties connect make one core, whose matrix is dense. */
#ifndef CST_FRICTION_TIE_PLAN_H
#define CST_FRICTION_TIE_PLAN_H

#include <stdint.h>

#include "base/arena.h"

enum {
    /* Dofs of a core: every contact of a leaf carries as many numbers per row as its core has dofs, in every sweep (a super helix of
     * five elements has 21 itself), and the core costs the cube of it once: 20 rigid bodies, 0.6 ms. */
    CST_TIE_CORE_MAX = 120
};

/* The two bodies of a tie; -1: the world; twice the same: a body tied to itself. */
typedef struct cst_tied_pair {
    int32_t body[2];
} cst_tied_pair;

typedef enum cst_tie_role { CST_TIE_FREE = 0, CST_TIE_LEAF, CST_TIE_HUB } cst_tie_role;

typedef struct cst_tie_plan {
    uint8_t *role;    /* (bodies) cst_tie_role */
    int32_t *core_of; /* (bodies) of a hub, and of a leaf that is tied to hubs; -1: none */
    int cores;        /* numbered by their first hubs */
    int largest;      /* dofs of the largest core */
} cst_tie_plan;

/* tie (ties), size (bodies): dofs. False: out of memory. */
bool cst_tie_plan_make(const cst_tied_pair *tie, int ties, const int32_t *size, int bodies, cst_arena *arena, cst_tie_plan *out);

#endif
