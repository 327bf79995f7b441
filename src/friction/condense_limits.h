/* Limits for sheets. The friction solver (nodal_condense.c, nodal_active.c) and the factorisation of a sheet
 * (cloth/sheet_expect.c) use the limits of this file, so that the elimination order of a sheet suits the friction solver. */
#ifndef CST_FRICTION_CONDENSE_LIMITS_H
#define CST_FRICTION_CONDENSE_LIMITS_H

/* CST_CONDENSE_MOST: share of the nodes with contacts among all nodes; only below this share, the nodes without contacts are
 * eliminated before the Newton steps (docs/constants.md). */
#define CST_CONDENSE_MOST 0.3

/* CST_RIM_LEAST: number of nodes with contacts that have a neighbour node without contacts; only from this number on, Newton's
 * method uses the explicit Delassus matrix of the active contacts (docs/constants.md). */
enum { CST_RIM_LEAST = 150 };

#endif
