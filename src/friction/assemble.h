/* Assembles the matrix that maps impulses to contact velocities, as block CSR with sorted columns. The block of the matrix for
 * the contacts i and j is the sum of H_i A^-1 H_j^T over the bodies on which both contacts act, with the contact Jacobians H_i
 * and H_j and the body matrix A (friction/half.h). */
#ifndef CST_FRICTION_ASSEMBLE_H
#define CST_FRICTION_ASSEMBLE_H

#include "friction/bodies.h"

/* All arrays of the output problem *out are allocated from the arena, including out->mu and out->law. The matrix of every body
 * must be factorised: no body may be marked in the array bodies->left_out. `compliance` (contacts): output, the compliance of
 * each contact, which the residual needs (friction/body_audit.h); may be NULL. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or
 * CST_BAD_PROBLEM with a message if a callback failed. */
cst_status cst_assemble(const cst_bodies *bodies, int threads, cst_arena *arena, cst_friction_problem *out, double *compliance,
                        char *message, size_t message_size);

#endif
