/* Sorts the contacts of a 3D scene and removes duplicates.
 *
 * One minimum of the distance may be found several times. Near the end of a segment, several pairs of segments find the same
 * minimum. At a joint, up to four pairs of centreline pieces find the same minimum. At an edge of a mesh, two triangles find the
 * same minimum. Of several contacts at the same point, the contact with the smallest gap remains. Contacts inside intervals of
 * constant distance are dropped, except the first one if the two shapes have no other contact. */
#ifndef CST_COLLIDE_TOUCH_MERGE_SPACE_H
#define CST_COLLIDE_TOUCH_MERGE_SPACE_H

#include "base/arena.h"
#include "collide/shape_space.h"

/* Indices of the pieces joined to the start and to the end of a centreline piece; -1: none. */
typedef struct cst_joint {
    int32_t prev, next;
} cst_joint;

/* Removes duplicates from the list `touch` and sorts it by the shapes a and b, then by the rank `branch`. Returns the number of
 * remaining contacts, or -1 if memory ran out. */
int cst_merge_touches_space(const cst_piece *piece, const cst_joint *joint, int pieces, cst_touch_space *touch, int touches,
                            cst_arena *arena);

/* Removes contact t from the list `touch` if dropped[t] is 1, and numbers the remaining contacts of each pair of shapes in the
 * field `branch`. Returns the number of remaining contacts. */
int cst_touches_kept(cst_touch_space *touch, int touches, const uint8_t *dropped);

#endif
