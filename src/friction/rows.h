/* Explicit coupling: stores the scaled off-diagonal blocks of the Delassus matrix W row by row. Blocks are column-major: the
 * product of a block and an impulse multiplies the columns of the block by the components of the impulse, in vector operations
 * without gathering or padding. A sweep reads 8 dim^2 + 4 bytes per block of the Delassus matrix. */
#ifndef CST_FRICTION_ROWS_H
#define CST_FRICTION_ROWS_H

#include "friction/system.h"

/* Fills `out` from an explicit problem. The k-th contact of the system is contact order[k] of the problem; `order` may be NULL.
 * `V`: the velocity scale. Zero blocks are dropped. Returns false if memory ran out. */
bool cst_rows_pack(const cst_friction_problem *problem, const int32_t *order, double V, cst_arena *arena, cst_system *out);

/* Computes the compliance w of every contact: the trace of its diagonal block of the Delassus matrix, divided by dim. A contact
 * whose diagonal block has no positive trace gets the largest compliance of all contacts, or 1 if no trace is positive. */
void cst_rows_compliance(const cst_friction_problem *problem, double *w);

#endif
