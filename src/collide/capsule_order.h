/* The order in which a tree takes capsules: what stands together is near AND parallel.
 *
 * They are sorted along a space-filling curve in six dimensions, those of the middle c and of half the line e. A leaf of eight that follow each
 * other on that curve may lie on both sides of one of its jumps. So each block of 64, a node of the tree above the leaves, is halved again
 * and again along the axis on which it is longest: of 3,000 hairs at the density of 100,000 on one head a leaf is near 15 others in place of 23,
 * and a search for all pairs takes three quarters of the instructions. Blocks of 512 would take 2 % less yet. */
#ifndef CST_COLLIDE_CAPSULE_ORDER_H
#define CST_COLLIDE_CAPSULE_ORDER_H

#include "collide/capsule_tree.h"

/* index: (capsules) those that are there, in that order. Returns how many they are; -1: memory ran out. */
int cst_capsule_order(const cst_capsule *capsule, int capsules, cst_arena *arena, int32_t *index);

#endif
