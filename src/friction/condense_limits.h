/* Limits that decide whether Newton's method eliminates those nodes of a sheet that have no contacts, and whether it uses an
 * explicit Delassus matrix. The friction solver (nodal_condense.c, nodal_active.c) and the factorisation of a sheet
 * (cloth/sheet_expect.c) use the same limits, so that a sheet factorises its matrix in an order that the friction solver can
 * use. */
#ifndef CST_FRICTION_CONDENSE_LIMITS_H
#define CST_FRICTION_CONDENSE_LIMITS_H

/* The solver eliminates the nodes without contacts of a sheet only if less than the share CST_CONDENSE_MOST of all nodes have
 * contacts (docs/constants.md). */
#define CST_CONDENSE_MOST 0.3

/* The contacts of a sheet count as scattered if at least CST_RIM_LEAST nodes with contacts have a neighbour without contacts
 * (docs/constants.md). */
enum { CST_RIM_LEAST = 150 };

#endif
