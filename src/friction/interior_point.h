/* The method for assemblies of rigid bodies whose contacts hold each other up (card houses, arches, walls): W is singular, and nearly
 * singular where corners of a face are not quite in a plane.
 *
 * A proximal point method whose problems are solved to the end,
 *
 *     x_k+1 solves  y = A x + b + rho_k (x - x_k),  (x_i, y_i) in the law,      rho_k from 1e-7
 *
 * (Rockafellar 1976). rho is far below what bodies feel and far above W's eigenvalues along impulses that it hardly sees (1e-13 in card
 * houses): x moves along these by E / rho at a time until a contact opens or slides. Each problem is tried by Newton's method on the
 * Alart-Curnier function from x_k, which is all it takes in an assembly at rest (one or two factorisations); where that fails an interior
 * path (interior_path.h) finds the states of all contacts first, in 10 to 30 factorisations from anywhere. */
#ifndef CST_FRICTION_INTERIOR_POINT_H
#define CST_FRICTION_INTERIOR_POINT_H

#include "friction/method.h"

/* x: first guess in, best iterate out. iterations: factorisations. Given up before the first step (stalled, x untouched) if one
 * factorisation costs more than flops_max; stalled too if several paths led nowhere. arena->failed: out of memory. */
cst_method_result cst_interior_point(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                                     double *x);

/* Whether the method is the first to try: rigid bodies in space, in product form, with more contact unknowns than dofs. */
bool cst_interior_point_leads(const cst_system *system);

#endif
