/* Fast projection: restores the natural lengths of the edges of a nodal rod after a step, with the smallest motion of nodes in
 * the mass metric (Goldenthal et al. 2007, Efficient simulation of inextensible cloth). With the constraint C_i = (|e_i|^2 / l_i
 * - l_i) / 2 per edge, each iteration computes
 *
 *     (J M^-1 J^T) lambda = C,    x -= M^-1 J^T lambda,    v -= M^-1 J^T lambda / dt,      repeated until |e_i| = l_i.
 *
 * Fast projection is an alternative to a stiff stretching energy, for comparison. The friction problem does not contain the
 * projection: the literature (paper 001) reports that contact problems converge worse with fast projection. */
#ifndef CST_ROD_NODAL_LENGTHS_H
#define CST_ROD_NODAL_LENGTHS_H

#include "rod/nodal_rod.h"

/* Restores the natural lengths of all edges; called after `finish` of a step of length dt. Returns the number of iterations, at
 * most `most`, until every relative length error is at most `tolerance`. */
int cst_nodal_restore_lengths(cst_nodal_rod *rod, double dt, double tolerance, int most);

#endif
