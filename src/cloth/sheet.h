/* A sheet of cloth: a mesh of elastic elements, moved by weight, wind, contacts and handles. A handle is a group of nodes with
 * prescribed motion.
 *
 * A step of the theta scheme (docs/world.md) is linearised at the node positions x + u, which the nodes are expected to reach
 * after the fraction theta of the step. Symbols:
 *     `x`: positions at the step's start.
 *     `u`: estimated node displacements from the start of the step to its fraction theta; zero in a first linearisation.
 *     `v`, `v+`: initial and final velocities.
 *     `M`: lumped mass matrix.
 *     `H`: stiffness matrix.
 *     `D = damping*H`: damping matrix.
 *     `P`: drag matrix (sheet_wind.c).
 *     `w`: velocity of the air.
 *     `m*g`: weight.
 *     `f_0`: elastic force at the start.
 *     `R`: known damping and drag.
 *     `E(x)`: elastic energy.
 *
 * The final velocities v+ solve
 *     `A v+ = rhs`.
 *     `A = M+theta*dt*(P+D)+theta^2*dt^2*H`.
 *     `rhs = M*v + dt*(m*g+f_0+R)`.
 *     `f_0 = -dE(x+u)+H*u`.
 *     `R = P*w-(1-theta)*((damping+theta*dt)*H+P)*v`.
 *
 * The stiffness matrix H is the sum of the Hessians of all elements, in which negative eigenvalues are replaced by 0. The elastic
 * force f_0 is computed at the guessed node positions x + u and extrapolated linearly to the start of the step.
 *
 * The velocity of a node with prescribed motion is not an unknown: it is the velocity with which the node reaches its prescribed
 * position at the end of the step. The rows of a node with prescribed motion stay in the system matrix, with the mass of the node
 * on the diagonal and zeros elsewhere. The numbering of the unknowns is therefore the same for any choice of nodes with
 * prescribed motion. The terms of the system matrix that multiply prescribed velocities are moved to the right-hand sides of the
 * free nodes.
 *
 * With the mean velocities z of the nodes in the step, the linearised elastic force F and its work are:
 *     `F = f_0 - theta*dt*H*z`.
 *     `work = dt*z^T*F`.
 *
 * The code counts the difference between the work of the elastic force and the decrease of the elastic energy as work of the
 * time-stepping scheme.
 *
 * Elements of one colour share no node, so several threads can add them to the system matrix at the same time. The terms of each
 * matrix entry are added in an order that does not depend on the number of threads.
 *
 * The function `save` writes the positions x (nodes x 3) and then the velocities v (nodes x 3) of all nodes. */
#ifndef CST_CLOTH_SHEET_H
#define CST_CLOTH_SHEET_H

#include "body/body.h"
#include "cloth/element.h"
#include "sparse/block_cholesky.h"

/* Creates a sheet with copies of all data of the definition. Returns false with a message if the definition is not valid or
 * memory ran out. The function cst_sheet_create ignores the fields name, surface and cookie of cst_sheet_def, which only the
 * simulation world uses. */
bool cst_sheet_create(const cst_sheet_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

bool cst_is_sheet(const cst_body_model *model);

/* Computes the force (N) of a handle on the sheet in the last step. Returns false if the body is not a sheet or has no handle
 * with the number `handle`. */
bool cst_sheet_handle_force(const cst_body_model *model, int handle, double *force);

/* Computes the elastic energies (J) of the membrane and of bending at the present positions. */
void cst_sheet_elastic(const cst_body_model *model, double *membrane, double *bending);

#endif
