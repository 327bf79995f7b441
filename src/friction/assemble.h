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

#include "friction/meeting.h"

/* Everything that the Delassus matrix is assembled from, and the rest of the friction problem. Row i of the matrix has the
 * columns column[start[i]] to column[start[i + 1] - 1], which increase and contain i. */
typedef struct cst_assembly {
    int dim, contacts;
    cst_halves halves;
    cst_meetings meetings;
    int64_t *start;        /* array (contacts + 1) */
    int32_t *column;       /* array (start[contacts]) */
    double *free_velocity; /* array (contacts x dim) */
    double *mu;            /* array (contacts) */
    uint8_t *law;          /* array (contacts) */
    double *compliance;    /* array (contacts): trace of the diagonal block of the Delassus matrix, divided by dim */
} cst_assembly;

/* Computes everything except the blocks of the Delassus matrix; all arrays are allocated from the arena. Every body must have a
 * factor or a callback that solves its linear systems (no entry of bodies->left_out is set). `compliance` (contacts): output, the
 * compliance of each contact (friction/body_audit.h), or NULL. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a
 * message if a callback failed. */
cst_status cst_assembly_begin(const cst_bodies *bodies, int threads, cst_arena *arena, cst_assembly *out, double *compliance,
                              char *message, size_t message_size);

/* Computes the blocks of the Delassus matrix. Calls `put` once for each block W_ij with i <= j: `at` is the position of column j
 * in row i, `mirror` the position of column i in row j, `block` is row-major, and W_ji is its transpose. Several threads call
 * `put` at the same time for different blocks. */
typedef void (*cst_block_put)(void *user, int32_t i, int32_t j, int64_t at, int64_t mirror, const double *block);
void cst_assembly_blocks(const cst_assembly *assembly, int threads, cst_block_put put, void *user);

/* Assembles the friction problem `out` with an explicit Delassus matrix. Arguments and result are as in cst_assembly_begin. */
cst_status cst_assemble(const cst_bodies *bodies, int threads, cst_arena *arena, cst_friction_problem *out, char *message,
                        size_t message_size);

#endif
