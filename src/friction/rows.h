/* Stores the scaled off-diagonal blocks of the Delassus matrix row by row. Blocks are column-major, because vector operations
 * multiply a column of a block by one component of an impulse. A sweep reads 8 dim^2 + 4 bytes per block. */
#ifndef CST_FRICTION_ROWS_H
#define CST_FRICTION_ROWS_H

#include "friction/assemble.h"
#include "friction/system.h"

/* Makes the scaled system `out` from a problem with a given Delassus matrix; `order` may be NULL. Contact k of the system is
 * contact order[k] of the problem. `V`: velocity scale. Returns false if memory ran out. */
bool cst_rows_pack(const cst_friction_problem *problem, const int32_t *order, double V, cst_arena *arena, cst_system *out);

/* Makes the same system from half solves, without an unscaled copy of the Delassus matrix. In a mat of 20,000 fibers, such a copy
 * has 650 bytes for each contact. `root` (contacts): output, square roots of the compliances by which the contacts of the problem
 * are scaled. */
bool cst_rows_assemble(const cst_assembly *assembly, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                       double *root);

/* Computes the compliance of every contact: the trace of its diagonal block of the Delassus matrix, divided by dim. A contact
 * whose diagonal block has no positive trace gets the largest compliance of all contacts, or 1 if no diagonal block has a
 * positive trace. */
void cst_rows_compliance(const cst_friction_problem *problem, double *w);

#endif
