/* The chosen global solver on a scaled system, island by island; shared by the explicit and the product form. */
#ifndef CST_FRICTION_DUAL_H
#define CST_FRICTION_DUAL_H

#include "friction/system.h"

/* Sweeps are coloured from this many contacts on, whatever the number of threads: so the bits do not depend on it. */
enum { CST_COLOUR_FROM = 2000 };

/* island[i] of contact i of the system, numbered from 0. x: first guess in, best iterate out. Adds iterations, counts and the
 * solver that had the last word to the report, and sets its status to SOLVED, TOLERANCE_MISSED, NO_SOLUTION, ILL_POSED,
 * INTERRUPTED or OUT_OF_MEMORY as the solver believes; blamed contacts are in system order. */
void cst_dual_solve(cst_system *system, const int32_t *island, int islands, const cst_friction_options *options, cst_arena *arena,
                    double *x, cst_friction_report *report);

#endif
