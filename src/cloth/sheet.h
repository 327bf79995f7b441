/* A sheet as a body: nodes with three velocities each, elastic elements between them, handles, wind.
 *
 * Step (theta scheme, docs/world.md), linearised at the displacement u from the state x, M lumped, H the sum of the elements' Hessians without
 * their negative parts, D = damping H, P of the air (sheet_wind.c):
 *
 *     [ M + theta dt P + theta dt D + theta^2 dt^2 H ] v+
 *         = M v + dt (m g + f_0) - (1 - theta) dt (damping + theta dt) H v + dt P (w - (1 - theta) v),    f_0 = - dE(x + u) + H u
 *
 * A node that a handle holds is no unknown. Its row of A is its mass alone, so that every node keeps its place among the unknowns whatever is
 * held: its velocity is the secant to where the handle is at the end of the step, and what it does to others is on their right-hand side.
 *
 * Works of a step: with z = v_theta, the elements' forces worked dt z . (f_0 - theta dt H z), and what their energy changed by besides is the
 * scheme's.
 *
 * Elements of one colour share no node: they add to A and to the forces at the same time, and every sum has a fixed order.
 *
 * State, in the order of save: x (nodes x 3), v (nodes x 3). */
#ifndef CST_CLOTH_SHEET_H
#define CST_CLOTH_SHEET_H

#include "body/body.h"
#include "cloth/element.h"
#include "sparse/block_cholesky.h"

/* False with a message if the definition makes no sense or memory ran out. The sheet owns copies of all it was given and is freed by its class's
 * destroy. Name, surface and cookie are the world's business. */
bool cst_sheet_create(const cst_sheet_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

bool cst_is_sheet(const cst_body_model *model);

/* N: of a handle on the sheet in the last step; false: the body is no sheet, or there is no such handle. */
bool cst_sheet_handle_force(const cst_body_model *model, int handle, double *force);

/* Elastic energy of where it is, of the membrane and of bending. */
void cst_sheet_elastic(const cst_body_model *model, double *membrane, double *bending);

#endif
