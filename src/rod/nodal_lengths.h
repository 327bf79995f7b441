/* Fast projection moves the nodes of a nodal rod after a step, so that every edge has its natural length again (Goldenthal et al.
 * 2007, Efficient simulation of inextensible cloth). Fast projection moves the nodes as little as possible, measured in the mass
 * metric. Symbols:
 *     `e_i`, `l_i`: edge vector, natural length.
 *     `C_i = (|e_i|^2/l_i-l_i)/2`: constraint, edge i.
 *     `J`: Jacobian of the constraints.
 *     `M`: mass matrix.
 *     `lambda`: multipliers of all edges.
 *
 * Each iteration of fast projection solves a linear system for the multipliers of all edges, and then corrects the node positions
 * x and the velocities v:
 *     `(J M^-1 J^T) lambda = C`.
 *     `x -= M^-1 J^T lambda`.
 *     `v -= M^-1 J^T lambda/dt`.
 *
 * Fast projection repeats the iteration until all edges have their natural lengths.
 *
 * Fast projection is an alternative to a stiff stretching energy, for comparison. The nodes are moved after the friction problem
 * is solved, not between friction iterations. Daviet, Bertails-Descoubes and Boissieux (A hybrid iterative solver for robustly
 * capturing Coulomb friction in hair dynamics, 2011) found that steps of fast projection between friction iterations often
 * degrade convergence. */
#ifndef CST_ROD_NODAL_LENGTHS_H
#define CST_ROD_NODAL_LENGTHS_H

#include "rod/nodal_rod.h"

/* Moves the nodes after a completed time step, so that all edges have their natural lengths. When a node is moved to restore
 * the edge lengths, its velocity changes by the displacement divided by the step length dt. Iterates until the relative length
 * errors of all edges are at most `tolerance`, at most `most` times, and returns the number of iterations. */
int cst_nodal_restore_lengths(cst_nodal_rod *rod, double dt, double tolerance, int most);

#endif
