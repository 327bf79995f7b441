/* Coupling of contacts through the states of their bodies, without forming the Delassus matrix. Symbols:
 *     `x_i`: scaled impulse of contact i.
 *     `b_i`: free velocity of contact i.
 *     `A_ii`: diagonal block of the scaled Delassus matrix.
 *     `Z_i`: scaled half solve (half.h).
 *     `y`: body states, sums of `Z_i*x_i`.
 *     `beta_i`: velocity of contact i without its own impulse.
 *
 * A sweep computes the velocity beta_i of a contact from the states of its bodies, and updates the states after an impulse change
 * dx_i:
 *
 *     `beta_i = b_i+Z_i^T*y - A_ii*x_i`.
 *     `dy = Z_i*dx_i`.
 *
 * A visit of a contact reads 8 dim bytes per dof of its bodies, whatever the number of neighbours of the contact. Contacts of one
 * colour share no body. */
#ifndef CST_FRICTION_PRODUCT_H
#define CST_FRICTION_PRODUCT_H

#include "friction/half.h"
#include "friction/system.h"

/* Fills the system `out`; the caller has set its number of threads. The k-th contact of the system is contact order[k] of the
 * problem, or contact k if `order` is NULL. `V`: velocity scale. The system matrix of every body must be factorised before the
 * call. `compliance` (contacts): output, the compliance of each contact (friction/body_audit.h), or NULL. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a callback failed. */
cst_status cst_product_pack(const cst_bodies *bodies, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                            double *compliance, char *message, size_t message_size);

/* Makes a system of some contacts of a problem, like cst_product_pack, from given half solves L^-1 H^T. The k-th contact of the
 * system has the k-th entry of `halves`. The half solves in `halves` are overwritten by scaled values, and must not be freed
 * before the system. `v` (dofs): velocities of the bodies without the impulses of the contacts of the system. Returns false if
 * memory ran out. */
bool cst_product_wrap(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int contacts, const double *v,
                      double V, cst_arena *arena, cst_system *out);

/* Returns the half solves L^-1 H^T (contacts x sides) of a system, or NULL if its Delassus matrix is formed. The field `body` of
 * a half solve is the body's index in the system. `state` (bodies + 1): output, positions at which the states of the bodies start
 * in the vector y. */
const cst_half *cst_product_halves(const cst_system *system, int *sides, int *bodies, const int64_t **state);

#endif
