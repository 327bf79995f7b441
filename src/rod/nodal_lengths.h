/* Fast projection (Goldenthal and others 2007, Efficient simulation of inextensible cloth): after a step, moves the nodes of a
 * nodal rod as little as possible, in the mass metric, until every edge has its natural length. Symbols:
 *     `e_i`, `l_i`: edge vector and natural length of edge i.
 *     `C_i = (|e_i|^2/l_i-l_i)/2`: violation of the length constraint of edge i.
 *     `J`: derivatives of all violations with respect to the node positions.
 *     `M`: mass matrix of the nodes.
 *     `lambda`: multipliers of all length constraints.
 *
 * Each iteration solves a linear system for the multipliers and corrects the positions x of the nodes. After the iterations, the
 * velocities v change by the total correction of the positions, divided by the step length dt:
 *     `(J M^-1 J^T) lambda = C`.
 *     `x -= M^-1 J^T lambda`.
 *     `v -= M^-1 J^T lambda/dt`.
 *
 * Fast projection is only meant for comparison with a stiff stretching energy: no time step of Capstan uses it. The tests apply
 * fast projection after a step (tests/test_nodal_dynamics.c). If fast projection is applied between the iterations of a friction
 * solver, the friction solver often converges more slowly or not at all (Daviet, Bertails-Descoubes and Boissieux 2011, A hybrid
 * iterative solver for robustly capturing Coulomb friction in hair dynamics). */
#ifndef CST_ROD_NODAL_LENGTHS_H
#define CST_ROD_NODAL_LENGTHS_H

#include "rod/nodal_rod.h"

/* Moves the nodes after a completed step of length dt until the relative length error of every edge is at most `tolerance`, or
 * until `most` iterations are made. The velocity of a moved node changes by its displacement divided by dt. Returns the number of
 * iterations of the fast projection. */
int cst_nodal_restore_lengths(cst_nodal_rod *rod, double dt, double tolerance, int most);

#endif
