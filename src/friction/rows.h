/* Explicit coupling: the scaled off-diagonal blocks of W, packed for streaming.
 *
 * Blocks are column-major: a row product multiplies columns by the components of x_j, in vectors, without gathering or
 * padding. A sweep moves 8 dim^2 + 4 bytes per block of a contact. */
#ifndef CST_FRICTION_ROWS_H
#define CST_FRICTION_ROWS_H

#include "friction/system.h"

/* Fills `out` from an explicit problem. The entry order[k] is the k-th contact of the system (NULL: natural order). `V`: the
 * velocity scale. Zero blocks are dropped. Returns false if memory ran out. */
bool cst_rows_pack(const cst_friction_problem *problem, const int32_t *order, double V, cst_arena *arena, cst_system *out);

/* Computes w_i = trace(W_ii)/dim of every contact. A contact whose block W_ii has no positive trace gets the largest compliance
 * w of all contacts, or 1 if no trace is positive. */
void cst_rows_compliance(const cst_friction_problem *problem, double *w);

#endif
