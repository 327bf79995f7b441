/* Runs the chosen solver on a scaled friction problem, one island of contacts after another. An island is a set of contacts that
 * share bodies, directly or through other contacts. The Delassus matrix of the problem is either assembled or known only by its
 * products with vectors. */
#ifndef CST_FRICTION_DUAL_H
#define CST_FRICTION_DUAL_H

#include "friction/system.h"

/* CST_COLOUR_FROM: number of contacts from which a graph colouring lets several threads sweep in parallel. The colouring must not
 * depend on the number of threads; otherwise the result would depend on it in its last bits. */
enum { CST_COLOUR_FROM = 2000 };

/* `island` (contacts): for each contact, the index of its island. `x` (contacts x dim): initial guess on input, best iterate on
 * output. The function adds the numbers of iterations and of local solves to the report. Sets report->solver to the solver that
 * produced the answer. Sets report->status by the error that the solver itself computed. Indices of blamed contacts refer to the
 * contacts of `system`. */
void cst_dual_solve(cst_system *system, const int32_t *island, int islands, const cst_friction_options *options, cst_arena *arena,
                    double *x, cst_friction_report *report);

#endif
