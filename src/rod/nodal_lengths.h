/* Fast projection: the edges of a nodal rod brought back to their natural lengths after a step, by moving nodes as little as
 * possible in the metric of their masses (Goldenthal et al. 2007, Efficient simulation of inextensible cloth, with the constraint
 * C_i = (|e_i|^2 / l_i - l_i) / 2 per edge):
 *
 *     (J M^-1 J^T) lambda = C,    x -= M^-1 J^T lambda,    v -= M^-1 J^T lambda / dt,      repeated until |e_i| = l_i
 *
 * For comparison with a stiff stretch. Contacts do not know of it: paper 001 reports that contact problems converge worse with it. */
#ifndef CST_ROD_NODAL_LENGTHS_H
#define CST_ROD_NODAL_LENGTHS_H

#include "rod/nodal_rod.h"

/* After `finish` of a step of dt. Returns the iterations taken, at most `most`, until no length is off by more than tolerance of it. */
int cst_nodal_restore_lengths(cst_nodal_rod *rod, double dt, double tolerance, int most);

#endif
