/* Computes the velocities that contacts cause at other contacts of the same bodies, without forming the Delassus matrix. Symbols:
 *     `x_i`: scaled impulse of contact i.
 *     `b_i`: free velocity of contact i.
 *     `A_ii`: diagonal block of the scaled Delassus matrix.
 *     `Z_i`: scaled half solve (half.h).
 *     `y`: vectors of the bodies; the vector of a body is the sum of `Z_i*x_i` over its contacts.
 *     `beta_i`: velocity of contact i without its own impulse.
 *
 * A sweep computes the velocity beta_i of a contact from the vectors y of its bodies, and updates y after an impulse change dx_i:
 *
 *     `beta_i = b_i+Z_i^T*y - A_ii*x_i`.
 *     `dy = Z_i*dx_i`.
 *
 * For each contact, a sweep reads at most dim numbers of 8 bytes per dof of the contact's bodies, with the dofs rounded up to a
 * multiple of four. For a SOLVE body (half.h), a sweep also reads the contact Jacobian. The number of bytes does not depend on
 * the number of other contacts on the bodies. Contacts of one colour share no body. */
#ifndef CST_FRICTION_PRODUCT_H
#define CST_FRICTION_PRODUCT_H

#include "friction/half.h"
#include "friction/system.h"

/* Fills the scaled system `out` (system.h); the caller must set out->threads before. The k-th contact of the system is contact
 * order[k] of the problem, or contact k if `order` is NULL. `V`: velocity scale. Every body must have a factor, or a callback
 * that solves its linear systems. `compliance` (contacts): output, the compliance of each contact (friction/body_audit.h), or
 * NULL. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a callback failed. */
cst_status cst_product_pack(const cst_bodies *bodies, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                            double *compliance, char *message, size_t message_size);

/* Makes a system of some contacts of a problem. Unlike cst_product_pack, the function does not compute the half solves L^-1 H^T:
 * they are given in `halves`, in the order of the system's contacts. The function replaces the values in `halves` by scaled
 * values. The memory of `halves` must not be freed before the system. `v` (dofs): velocities of the bodies without the impulses
 * of the contacts of the system. Returns false if memory ran out. */
bool cst_product_wrap(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int contacts, const double *v,
                      double V, cst_arena *arena, cst_system *out);

/* Returns the half solves L^-1 H^T (contacts x sides) of a system in the product form, or NULL for a system in any other form.
 * The field `body` of a half solve is an index among the bodies of `system`, which may be fewer than the bodies of the friction
 * problem. `state` (bodies + 1): output, index of the first entry of each body in the vector y, which holds the effect of the
 * impulses on all bodies. */
const cst_half *cst_product_halves(const cst_system *system, int *sides, int *bodies, const int64_t **state);

#endif
