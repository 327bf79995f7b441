/* The explicit W of a body problem: W_ij = sum over shared bodies of Z_i^T Z_j (friction/half.h), as block CSR with sorted
 * columns. */
#ifndef CST_FRICTION_ASSEMBLE_H
#define CST_FRICTION_ASSEMBLE_H

#include "friction/bodies.h"

/* Everything in *out from the arena, mu and law included. No body is left out. compliance (contacts): for the judge
 * (friction/body_audit.h); NULL: not wanted. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a callback failed, with a
 * message. */
cst_status cst_assemble(const cst_bodies *bodies, int threads, cst_arena *arena, cst_friction_problem *out, double *compliance,
                        char *message, size_t message_size);

#endif
