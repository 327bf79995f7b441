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

/* What a system in product form is made of: its halves (contacts x 2; `body` counts the bodies of this system), and where the
 * states of its bodies begin (bodies + 1). NULL if the system has another form. */
const cst_half *cst_product_halves(const cst_system *system, int *bodies, const int64_t **state);

#endif
