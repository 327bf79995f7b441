/* Lists the pairs of bodies and obstacles for which a step makes no contacts. */
#ifndef CST_WORLD_APART_PAIRS_H
#define CST_WORLD_APART_PAIRS_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "world/constraint.h"

/* Lists all pairs of bodies or obstacles between which no contacts are made: the pairs that the user gave, and the pairs of
 * bodies that a constraint joins in the step. Returns the number of pairs in *out, or -1 if memory ran out.
 *     `given`: pairs of the user, in any order; repeated pairs are allowed.
 *     `out`: all pairs in increasing order without repetition, in memory of the arena. */
int cst_apart_pairs(const cst_owner_pair *given, int count, const cst_constraint *constraint, int constraints,
                    const cst_step_frame *frame, cst_arena *arena, const cst_owner_pair **out);

#endif
