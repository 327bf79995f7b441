/* Runs the chosen solver on a scaled friction problem, one island of contacts (contacts that share bodies) after another. The
 * Delassus matrix of the problem is either assembled or known only by its products with vectors. */
#ifndef CST_FRICTION_DUAL_H
#define CST_FRICTION_DUAL_H

#include "friction/system.h"

/* CST_COLOUR_FROM: if there are at least CST_COLOUR_FROM contacts, they are coloured, so that several threads can sweep in
 * parallel over the contacts of one colour. The number of threads does not decide whether the contacts are coloured, so the
 * result does not depend on the number of threads. */
enum { CST_COLOUR_FROM = 2000 };

/* Solves all islands. `island` (contacts): island indices. `x` (contacts x dim): impulses, initial guess on input and best
 * iterate on output. The report gets the status, the solver that produced the answer, the numbers of iterations and local solves,
 * and the contacts to blame. */
void cst_dual_solve(cst_system *system, const int32_t *island, int islands, const cst_friction_options *options, cst_arena *arena,
                    double *x, cst_friction_report *report);

#endif
