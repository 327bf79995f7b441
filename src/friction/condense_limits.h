/* Limits for cloth. The friction solver (nodal_condense.c, nodal_active.c) counts the cloth nodes that have contacts, and
 * chooses its method by the limits of this file. The factorisation of a sheet (cloth/sheet_expect.c) uses the limits of this
 * file to predict which method the friction solver will choose. */
#ifndef CST_FRICTION_CONDENSE_LIMITS_H
#define CST_FRICTION_CONDENSE_LIMITS_H

/* CST_CONDENSE_MOST: the solver eliminates the cloth nodes without contacts before the Newton steps only if the share of nodes
 * with contacts is less than CST_CONDENSE_MOST (docs/constants.md). */
#define CST_CONDENSE_MOST 0.3

/* CST_RIM_LEAST: the solver first tries Newton's method on the active contacts alone (nodal_active.h) only if at least
 * CST_RIM_LEAST cloth nodes have both a contact and a neighbour node without contacts (docs/constants.md). */
enum { CST_RIM_LEAST = 150 };

#endif
