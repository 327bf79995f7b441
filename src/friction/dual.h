/* Runs the chosen solver on a scaled friction problem, one island (group of coupled contacts) after another. The function
 * cst_dual_solve is used both if the Delassus matrix is assembled and if only products with it are computed. */
#ifndef CST_FRICTION_DUAL_H
#define CST_FRICTION_DUAL_H

#include "friction/system.h"

/* With at least CST_COLOUR_FROM contacts, a graph colouring allows several threads to sweep in parallel. Whether contacts are
 * coloured depends only on their number, so the bits of the result do not depend on the number of threads. */
enum { CST_COLOUR_FROM = 2000 };

/* The entry island[i] is the index (from 0) of the island, a group of coupled contacts, to which contact i belongs. `x` (contacts
 * x dim): the impulses, initial guess on input and best iterate on output. Adds the numbers of iterations and of local solves to
 * the report, and sets its field `solver` to the solver that produced the answer. Sets the status of the report to SOLVED,
 * TOLERANCE_MISSED, NO_SOLUTION, ILL_POSED, INTERRUPTED or OUT_OF_MEMORY, according to the error that the solver computed. Blamed
 * contacts are in system order. */
void cst_dual_solve(cst_system *system, const int32_t *island, int islands, const cst_friction_options *options, cst_arena *arena,
                    double *x, cst_friction_report *report);

#endif
