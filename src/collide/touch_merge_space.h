/* Touches in order, each once.
 *
 * A minimum near the end of a segment is found by several pairs of segments, one at a joint by up to four pairs of pieces, one on
 * an edge of a mesh by each triangle there: those at the same place are one. Points inside a level interval stay only where
 * nothing else of the two pieces touches. */
#ifndef CST_COLLIDE_TOUCH_MERGE_SPACE_H
#define CST_COLLIDE_TOUCH_MERGE_SPACE_H

#include "base/arena.h"
#include "collide/shape_space.h"

/* Pieces joined to one, or -1. */
typedef struct cst_joint {
    int32_t prev, next;
} cst_joint;

/* The first places of `touch` keep those that are left, in the order of (a, b, branch). Returns how many, or -1 if memory ran
 * out. */
int cst_merge_touches_space(const cst_piece *piece, const cst_joint *joint, int pieces, cst_touch_space *touch, int touches,
                            cst_arena *arena);

/* The first places of `touch` keep those that are not dropped, branches of one pair counted from 0. Returns how many. */
int cst_touches_kept(cst_touch_space *touch, int touches, const uint8_t *dropped);

#endif
