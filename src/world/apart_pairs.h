/* Pairs of owners that never touch each other in a step. */
#ifndef CST_WORLD_APART_PAIRS_H
#define CST_WORLD_APART_PAIRS_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "world/constraint.h"

/* The pairs `given` by the user, in any order, perhaps twice, and the bodies joined to each other by a constraint that is active in
 * the step. *out: all of them in increasing order, each once, from the arena. Returns how many; -1: out of memory. */
int cst_apart_pairs(const cst_owner_pair *given, int count, const cst_constraint *constraint, int constraints,
                    const cst_step_frame *frame, cst_arena *arena, const cst_owner_pair **out);

#endif
