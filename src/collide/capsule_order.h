/* The order of capsules in their tree: consecutive capsules are near each other and nearly parallel.
 *
 * Capsules are sorted along a space-filling curve in six dimensions: the centre c and half the axis e. The space-filling curve
 * has jumps, and a leaf of eight consecutive capsules that contains a jump would be large. To avoid large leaves, each block of
 * 64 sorted capsules (a tree node above the leaves) is halved repeatedly along the coordinate with the largest range until the
 * parts are leaves. In a test with 3,000 hairs, packed as densely as 100,000 hairs on a head, the halving of blocks reduces the
 * mean number of leaves near a leaf from 23 to 15, and the instructions of a search for all pairs of near capsules by a quarter.
 * If blocks of 512 capsules were halved instead of blocks of 64, a search would need only 2 % fewer instructions. */
#ifndef CST_COLLIDE_CAPSULE_ORDER_H
#define CST_COLLIDE_CAPSULE_ORDER_H

#include "collide/capsule_tree.h"

enum { CST_CAPSULE_BLOCK = CST_BOX_FAN * CST_BOX_FAN };

/* Writes the numbers of the valid capsules, sorted along the space-filling curve, to the array `index`. Returns the number of
 * valid capsules, or -1 if memory ran out. */
int cst_capsule_order(const cst_capsule *capsule, int capsules, cst_arena *arena, int32_t *index);

/* Sorts the numbers of a block of at most CST_CAPSULE_BLOCK capsules such that every eight consecutive capsules make a leaf of
 * the tree. */
void cst_capsule_order_block(const cst_capsule *capsule, int32_t *index, int count);

#endif
