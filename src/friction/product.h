/* Product coupling: W is never formed. Contacts are coupled through the states of their bodies (friction/half.h):
 *
 *     Without its own impulse, contact i has the velocity beta_i = b_i + Z_i^T y - A_ii x_i, with the states y of its bodies.
 *     A change dx_i of the impulse changes the states by Z_i dx_i; the half solves Z_i are scaled by 1 / sqrt(w_i).
 *
 * A visit of a contact moves 8 dim bytes per dof of its bodies, whatever the number of its neighbours. Memory is linear in
 * contacts. The states of the bodies are updated when an impulse changes, and recomputed by the function `begin` of the
 * coupling. Contacts of one colour share no body. */
#ifndef CST_FRICTION_PRODUCT_H
#define CST_FRICTION_PRODUCT_H

#include "friction/half.h"
#include "friction/system.h"

/* Fills `out` (out->threads is read). The entry order[k] is the k-th contact of the system (NULL: natural order). `V`: the
 * velocity scale. No body may be left out. `compliance` (contacts): output, the compliance of each contact, which the residual
 * needs (friction/body_audit.h); may be NULL. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a
 * callback failed. */
cst_status cst_product_pack(const cst_bodies *bodies, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                            double *compliance, char *message, size_t message_size);

/* Like cst_product_pack, but with existing half solves and for some of the contacts: the k-th contact of the system has the k-th
 * half solves and is contact order[k] of the problem (`order` NULL: all contacts in order). The half solves are scaled in place
 * and kept. `v` (dofs): the velocities of the bodies without the impulses of the contacts of this system. Returns false if
 * memory ran out. */
bool cst_product_wrap(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int contacts, const double *v,
                      double V, cst_arena *arena, cst_system *out);

/* Returns the half solves of a system in product form (contacts x sides; `body` is an index among the bodies of this system),
 * and the start of the state of each body (bodies + 1). Returns NULL if the system has another form. */
const cst_half *cst_product_halves(const cst_system *system, int *sides, int *bodies, const int64_t **state);

#endif
