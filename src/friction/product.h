/* Product coupling: W is never formed. Contacts are coupled through the states of their bodies: the state of a body is the sum of
 * Z x over its contacts, with Z = L^-1 H^T (friction/half.h). Symbols:
 *     `x_i`: scaled impulse of contact i.
 *     `b_i`: free velocity of contact i.
 *     `A_ii`: block of scaled Delassus matrix.
 *     `y`: states of the bodies.
 *     `Z_i`: scaled half solve, contact i.
 *     `beta_i`: velocity without own impulse.
 *
 * A sweep computes the velocity of a contact without its own impulse from the states y of its bodies, and updates these states
 * after an impulse change dx_i:
 *
 *     `beta_i = b_i+Z_i^T*y - A_ii*x_i`.
 *     `dy = Z_i*dx_i`.
 *
 * When a sweep visits a contact, it reads 8 dim bytes per dof of the bodies of the contact, whatever the number of neighbours.
 * Memory is linear in contacts. The states of the bodies (sums of L^-1 H^T x over their contacts) are updated when an impulse
 * changes, and recomputed from all impulses by the function `begin` of cst_coupling. Contacts of one colour share no body. */
#ifndef CST_FRICTION_PRODUCT_H
#define CST_FRICTION_PRODUCT_H

#include "friction/half.h"
#include "friction/system.h"

/* Fills `out` (out->threads is read). The k-th contact of the system is contact order[k] of the problem; `order` may be NULL.
 * `V`: the velocity scale. No body may be left out. `compliance` (contacts): output, the compliance of each contact, which the
 * residual needs (friction/body_audit.h); may be NULL. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message
 * if a callback failed. */
cst_status cst_product_pack(const cst_bodies *bodies, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                            double *compliance, char *message, size_t message_size);

/* Makes a system of some contacts of a problem, like cst_product_pack, but the caller gives the half solves L^-1 H^T. The k-th
 * contact of the system is contact order[k] of the problem (contact k if `order` is NULL), and the k-th entry of `halves` is
 * the half solve of this contact. The given half solves L^-1 H^T are overwritten by scaled values, and must not be freed before
 * the system. `v` (dofs): the velocities of the bodies without the impulses of the contacts of this system. Returns false if
 * memory ran out. */
bool cst_product_wrap(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int contacts, const double *v,
                      double V, cst_arena *arena, cst_system *out);

/* If the Delassus matrix of a system is not formed, returns the half solves L^-1 H^T (contacts x sides) that replace it,
 * otherwise NULL. The field `body` of a half solve L^-1 H^T is the index of a body in this system, not in the whole problem.
 * The output `state` is an array (bodies + 1) of the indices at which the vectors y of the bodies start (half.h). */
const cst_half *cst_product_halves(const cst_system *system, int *sides, int *bodies, const int64_t **state);

#endif
