/* Explicit coupling: the scaled off-diagonal blocks of W, packed for streaming.
 *
 * Row i holds dim scalar rows, each contiguous over the row's blocks and padded to a multiple of four: a row product gathers
 * the x_j once and is then dim dot products of vectors. Bytes moved per contact and sweep: 8 dim^2 blocks + 4 blocks. */
#ifndef CST_FRICTION_ROWS_H
#define CST_FRICTION_ROWS_H

#include "friction/system.h"

/* Fill `out` from an explicit problem. order[k]: the contact that is k-th in the system (NULL: natural order);
 * V: the velocity scale. Zero blocks are dropped. False: out of memory. */
bool cst_rows_pack(const cst_friction_problem *problem, const int32_t *order, double V, cst_arena *arena, cst_system *out);

/* w_i = trace(W_ii)/dim; where it is not positive, the largest of the others (1 if there is none). */
void cst_rows_compliance(const cst_friction_problem *problem, double *w);

#endif
