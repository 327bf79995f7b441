/* A sheet as a body: nodes with three velocities each, elastic elements between them, handles, wind.
 *
 * The step (theta scheme, docs/world.md) is linearised at the positions x + u, where x are the positions at the start of the
 * step. The matrix M is the lumped mass matrix, H is the sum of the elements' Hessians without their negative parts, D = damping
 * H is the damping matrix, and P is the drag matrix of the air (sheet_wind.c). The step solves A v+ = rhs for the velocities v+
 * at its end, with the force f_0 = - dE(x + u) + H u of the elements, the velocities v at its start and the velocity w of the
 * air:
 *     `A = M+theta*dt*(P+D)+theta^2*dt^2*H`.
 *     `rhs = M*v + dt*(m*g+f_0+R)`.
 *     `R = P*w-(1-theta)*((damping+theta*dt)*H+P)*v`.
 *
 *
 * The velocity of a node that a handle holds is not an unknown. The row of a held node in A contains only its mass, so that the
 * numbering of the unknowns does not depend on which nodes are held. The velocity of a held node is the mean velocity with which
 * it reaches the position of its handle at the end of the step; the effect of this velocity on other nodes is added to their
 * right-hand sides.
 *
 * The elements do the work dt z^T (f_0 - theta dt H z) in a step, where z is the mean velocity v_theta of the step and f_0 -
 * theta dt H z is the linearised elastic force. The difference between the work of the element forces and the change of the
 * elastic energy is the work of the scheme.
 *
 * Elements of one colour share no node: they can be added to A and to the forces in parallel, and every sum has a fixed order.
 *
 * The state, in the order of `save`, is x (nodes x 3), v (nodes x 3). */
#ifndef CST_CLOTH_SHEET_H
#define CST_CLOTH_SHEET_H

#include "body/body.h"
#include "cloth/element.h"
#include "sparse/block_cholesky.h"

/* Returns false with a message if the definition is not valid or memory ran out. The sheet owns copies of all data and is freed
 * by `destroy` of its class. The caller handles the fields name, surface and cookie of the definition. */
bool cst_sheet_create(const cst_sheet_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

bool cst_is_sheet(const cst_body_model *model);

/* Computes the force (N) of a handle on the sheet in the last step. Returns false if the body is not a sheet or the handle does
 * not exist. */
bool cst_sheet_handle_force(const cst_body_model *model, int handle, double *force);

/* Computes the elastic energy of the membrane and of bending at the present state. */
void cst_sheet_elastic(const cst_body_model *model, double *membrane, double *bending);

#endif
