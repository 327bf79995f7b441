/* Limits for cloth. The friction solver (nodal_condense.c, nodal_active.c) counts the cloth nodes that have contacts, and
 * chooses its method by the limits of this file. The factorisation of a sheet (cloth/sheet_expect.c) uses the limits of this
 * file to predict which method the friction solver will choose. */
#ifndef CST_FRICTION_CONDENSE_LIMITS_H
#define CST_FRICTION_CONDENSE_LIMITS_H

/* CST_CONDENSE_MOST: the cloth nodes without contacts are eliminated before the Newton steps only if the number of nodes with
 * contacts is less than CST_CONDENSE_MOST times the number of all nodes (docs/constants.md). */
#define CST_CONDENSE_MOST 0.3

/* CST_RIM_LEAST: Newton's method starts with the explicit Delassus matrix of the active contacts only if at least CST_RIM_LEAST
 * cloth nodes with contacts have a neighbour node without contacts (docs/constants.md). */
enum { CST_RIM_LEAST = 150 };

#endif
