/* A sheet as a body: nodes with three velocities each, elastic elements between them, handles (groups of nodes with prescribed
 * motion), and wind.
 *
 * The step (theta scheme, docs/world.md) is linearised at the positions x + u, where x are the positions at the start of the step
 * and u is a guess of the displacement, or 0. Symbols:
 *     `v`, `v+`: initial and final velocities.
 *     `M`: lumped mass matrix.
 *     `H`: stiffness matrix.
 *     `D = damping*H`: damping matrix.
 *     `P`: drag matrix (sheet_wind.c).
 *     `w`: velocity of the air.
 *     `m*g`: weight.
 *     `f_0`: elastic force at the start.
 *     `R`: known damping and drag.
 *
 * The stiffness matrix is the sum of the elements' Hessians without their negative eigenvalues. The elastic force is computed at
 * the positions x + u of the linearisation and extrapolated linearly to the positions x at the start of the step, which gives the
 * force f_0:
 *     `A v+ = rhs`.
 *     `A = M+theta*dt*(P+D)+theta^2*dt^2*H`.
 *     `rhs = M*v + dt*(m*g+f_0+R)`.
 *     `f_0 = -dE(x+u)+H*u`.
 *     `R = P*w-(1-theta)*((damping+theta*dt)*H+P)*v`.
 *
 * The velocity of a node with prescribed motion (a held node) is not an unknown. A node with prescribed motion keeps its rows
 * in the system matrix A, with the mass of the node as diagonal entry and zeros elsewhere, so that the numbering of the
 * unknowns does not depend on which nodes are prescribed. The velocity of a node with prescribed motion is the mean velocity
 * with which it reaches its prescribed position at the end of the step. Products of the system matrix A with prescribed
 * velocities are known and go to the right-hand sides of the other nodes.
 *
 * With the mean velocity z of the step, the linearised elastic force F does the following work:
 *     `F = f_0 - theta*dt*H*z`.
 *     `work = dt*z^T*F`.
 *
 * The difference between the work of the elastic forces of a step and the change of the elastic energy counts as work of the
 * time-stepping scheme.
 *
 * Elements of one colour share no node, so several threads can add their matrices and forces to those of the sheet at the same
 * time, and every sum has a fixed order.
 *
 * The function `save` writes the positions x (nodes x 3) and then the velocities v (nodes x 3) of all nodes. */
#ifndef CST_CLOTH_SHEET_H
#define CST_CLOTH_SHEET_H

#include "body/body.h"
#include "cloth/element.h"
#include "sparse/block_cholesky.h"

/* Returns false with a message if the definition is not valid or memory ran out. The sheet owns copies of all data and is
 * freed by the function `destroy` of its class. The function cst_sheet_create ignores the fields name, surface and cookie (a
 * check value) of the definition; the world uses them. */
bool cst_sheet_create(const cst_sheet_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

bool cst_is_sheet(const cst_body_model *model);

/* Computes the force (N) of a handle (a group of nodes with prescribed motion) on the sheet in the last step. Returns false if
 * the body is not a sheet or has no handle (group of nodes) with the given number. */
bool cst_sheet_handle_force(const cst_body_model *model, int handle, double *force);

/* Computes the elastic energy of the membrane and of bending at the present state. */
void cst_sheet_elastic(const cst_body_model *model, double *membrane, double *bending);

#endif
