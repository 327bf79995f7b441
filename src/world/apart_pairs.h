/* List of the pairs of bodies and obstacles for which no contacts are made in a step. */
#ifndef CST_WORLD_APART_PAIRS_H
#define CST_WORLD_APART_PAIRS_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "world/constraint.h"

/* Lists all pairs of bodies or obstacles between which no contacts are made: the pairs `given` by the user, and the pairs of
 * bodies that a constraint joins in this step. The pairs in the list `given` may have any order and may occur several times.
 * The list `out` contains all pairs in increasing order without duplicates; it is allocated in the arena. Returns the number of
 * pairs, or -1 if memory ran out. */
int cst_apart_pairs(const cst_owner_pair *given, int count, const cst_constraint *constraint, int constraints,
                    const cst_step_frame *frame, cst_arena *arena, const cst_owner_pair **out);

#endif
