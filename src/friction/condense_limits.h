/* Limits that decide in which form Newton's method solves the contacts of a sheet. The friction solver (nodal_condense.c,
 * nodal_active.c) and the factorisation of a sheet (cloth/sheet_expect.c) use the same limits, so that a sheet factorises its
 * matrix in the order that the friction solver can use. */
#ifndef CST_FRICTION_CONDENSE_LIMITS_H
#define CST_FRICTION_CONDENSE_LIMITS_H

/* Nodes without contacts are eliminated only if the nodes with contacts are less than this fraction of all nodes
 * (docs/constants.md). */
#define CST_CONDENSE_MOST 0.3

/* Nodes with contacts are scattered if at least so many of them have a neighbour without contacts (docs/constants.md). */
enum { CST_RIM_LEAST = 150 };

#endif
