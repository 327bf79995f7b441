/* Explicit coupling: the scaled off-diagonal blocks of W, packed for streaming.
 *
 * Blocks are column-major, so that a row product multiplies columns by the components of x_j, in vectors, and needs neither
 * gathering nor padding. Bytes moved per contact and sweep: 8 dim^2 + 4 for each of its blocks. */
#ifndef CST_FRICTION_ROWS_H
#define CST_FRICTION_ROWS_H

#include "friction/system.h"

/* Fill `out` from an explicit problem. order[k]: the contact that is k-th in the system (NULL: natural order);
 * V: the velocity scale. Zero blocks are dropped. False: out of memory. */
bool cst_rows_pack(const cst_friction_problem *problem, const int32_t *order, double V, cst_arena *arena, cst_system *out);

/* w_i = trace(W_ii)/dim; where it is not positive, the largest of the others (1 if there is none). */
void cst_rows_compliance(const cst_friction_problem *problem, double *w);

#endif
