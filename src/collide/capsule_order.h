/* The order of capsules in their tree: consecutive capsules are near each other and nearly parallel.
 *
 * Capsules are sorted along a space-filling curve in six dimensions: the centre c and half the axis e. A leaf of eight
 * consecutive capsules may lie on both sides of a jump of the space-filling curve. To avoid leaves that extend across a jump of
 * the space-filling curve, each block of 64 sorted capsules (a node of the tree above the leaves) is halved repeatedly along its
 * longest axis until the parts are leaves. Measurement (3,000 hairs at the density of 100,000 on one head): the halving of blocks
 * reduces the number of leaves near a leaf from 23 to 15, and the instructions of a search for all pairs by a quarter. Halving
 * blocks of 512 capsules instead of 64 would save only 2 % more instructions. */
#ifndef CST_COLLIDE_CAPSULE_ORDER_H
#define CST_COLLIDE_CAPSULE_ORDER_H

#include "collide/capsule_tree.h"

/* Writes the numbers of the valid capsules, in the order of the tree, to `index` (capsules). Returns the number of valid
 * capsules, or -1 if memory ran out. */
int cst_capsule_order(const cst_capsule *capsule, int capsules, cst_arena *arena, int32_t *index);

#endif
