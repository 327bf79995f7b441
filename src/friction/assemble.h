/* Assembles the Delassus matrix, which maps contact impulses to contact velocities, as block CSR with sorted columns. Symbols:
 *     `W_ij`: block for contacts i, j.
 *     `H_i`: Jacobian, contact i, one body.
 *     `A`: matrix of the body.
 *
 * The block W_ij of the Delassus matrix is a sum over the bodies on which contacts i and j both act:
 *
 *     `W_ij = sum H_i*A^-1*H_j^T`. */
#ifndef CST_FRICTION_ASSEMBLE_H
#define CST_FRICTION_ASSEMBLE_H

#include "friction/bodies.h"

/* Assembles the friction problem `out`; all its arrays are allocated from the arena. Every body must have a factor or a callback
 * that solves its linear systems (no entry of bodies->left_out is set). `compliance` (contacts): output, the compliance of each
 * contact (friction/body_audit.h), or NULL. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a
 * callback failed. */
cst_status cst_assemble(const cst_bodies *bodies, int threads, cst_arena *arena, cst_friction_problem *out, double *compliance,
                        char *message, size_t message_size);

#endif
