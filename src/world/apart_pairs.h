#ifndef CST_WORLD_APART_PAIRS_H
#define CST_WORLD_APART_PAIRS_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "world/constraint.h"

/* Lists the pairs of objects (bodies or obstacles) for which a time step ignores contact: the pairs `given` by the user, and the
 * pairs of bodies that are joined by a constraint active in this step. The list `out` is sorted, without repetition, and stored
 * in the arena. Returns the number of pairs, or -1 if memory ran out. */
int cst_apart_pairs(const cst_owner_pair *given, int count, const cst_constraint *constraint, int constraints,
                    const cst_step_frame *frame, cst_arena *arena, const cst_owner_pair **out);

#endif
