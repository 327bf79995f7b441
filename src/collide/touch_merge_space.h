/* Sorts contacts and removes duplicates.
 *
 * One minimum of the distance can be found several times: near the end of a segment by several pairs of segments, at a joint by
 * up to four pairs of centreline pieces, and on an edge of a mesh by both adjacent triangles. Several contacts at the same
 * point are merged into one. A contact that lies inside an interval of constant distance remains only if the two centreline
 * pieces have no other contact. */
#ifndef CST_COLLIDE_TOUCH_MERGE_SPACE_H
#define CST_COLLIDE_TOUCH_MERGE_SPACE_H

#include "base/arena.h"
#include "collide/shape_space.h"

/* Indices of the centreline pieces joined to a piece at its start and at its end, or -1. */
typedef struct cst_joint {
    int32_t prev, next;
} cst_joint;

/* Moves the remaining contacts to the front of `touch`, ordered by their shapes a and b and then by their rank `branch`. Returns
 * the number of remaining contacts, or -1 if memory ran out. */
int cst_merge_touches_space(const cst_piece *piece, const cst_joint *joint, int pieces, cst_touch_space *touch, int touches,
                            cst_arena *arena);

/* Moves the contacts that are not dropped to the front of `touch`, and numbers the contacts of each pair of shapes from 0 in
 * their field `branch`. Returns the number of remaining contacts. */
int cst_touches_kept(cst_touch_space *touch, int touches, const uint8_t *dropped);

#endif
