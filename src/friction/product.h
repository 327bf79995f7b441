/* Product coupling: W is never formed, contacts meet through the states of the bodies they touch (friction/half.h).
 *
 *     beta_i = b_i + Z_i^T y - A_ii x_i,     y += Z_i dx_i          (Z scaled by 1 / sqrt(w_i))
 *
 * Bytes per contact and visit: 8 dim (dofs of its bodies), whatever the number of its neighbours, and memory is linear in
 * contacts. y is updated as the contacts move and summed afresh by `begin`. Contacts of one colour share no body. */
#ifndef CST_FRICTION_PRODUCT_H
#define CST_FRICTION_PRODUCT_H

#include "friction/half.h"
#include "friction/system.h"

/* Fill `out` (out->threads is read). order[k]: the contact that is k-th in the system (NULL: natural order); V: the velocity
 * scale. No body is left out. compliance (contacts): for the judge (friction/body_audit.h); NULL: not wanted. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a callback failed, with a message. */
cst_status cst_product_pack(const cst_bodies *bodies, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                            double *compliance, char *message, size_t message_size);

/* The same of halves that are there already, for some contacts: order[k] is the contact of the problem whose halves are the k-th,
 * and which becomes the k-th of the system (NULL: all of them as they come). Halves are scaled in place and kept. v (dofs): the
 * velocities without the impulses of these contacts. False: out of memory. */
bool cst_product_wrap(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int contacts, const double *v,
                      double V, cst_arena *arena, cst_system *out);

/* What a system in product form is made of: its halves (contacts x sides; `body` counts the bodies of this system), and where the
 * states of its bodies begin (bodies + 1). NULL if the system has another form. */
const cst_half *cst_product_halves(const cst_system *system, int *sides, int *bodies, const int64_t **state);

#endif
