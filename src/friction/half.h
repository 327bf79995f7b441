/* A half solve is a product L^-1 H^T that describes the effect of a contact on a body that is not cloth.
 *
 * The half solve of contact i on a body is Z_i = L^-1 H_i^T, with the Cholesky factor L of the body's matrix A = L L^T and the
 * Jacobian H_i of the contact on this body. Solvers use three quantities:
 *
 *     Block (i, j) of the matrix from impulses to contact velocities is the sum of Z_i^T Z_j over the bodies on which both
 *     contacts act, where Z_i = L^-1 H_i^T is the half solve of contact i on a body.
 *     The state y of a body is the sum of Z_i r_i over its contacts i, where Z_i = L^-1 H_i^T is the half solve and r_i the
 *     impulse of the contact.
 *     The velocity of contact i is its velocity without impulses plus the sum of Z_i^T y over its bodies, where Z_i = L^-1 H_i^T
 *     is a half solve and y the state of a body.
 *
 * When a sweep visits a contact, it reads only the products L^-1 H^T (half solves) of this contact, instead of both its Jacobian
 * H and A^-1 H^T. The rows of the product L^-1 H^T above the first dof on which the contact acts are zero and not stored. A body
 * whose linear systems the caller solves (kind SOLVE) has no Cholesky factor; its state y is its velocity change A^-1 H^T r due
 * to the impulses r. If the caller solves the linear systems of a body with the matrix A, contact velocities are computed with
 * the contact Jacobian H, and the velocity of the body is updated with A^-1 H^T. */
#ifndef CST_FRICTION_HALF_H
#define CST_FRICTION_HALF_H

#include "friction/bodies.h"

enum {
    CST_STATE_LANES = 4, /* doubles; alignment for vector loads */
    /* two; four if bodies are tied */
    CST_HALVES_MAX = 4
};

/* Rows of the contact Jacobian H for a body whose linear systems the caller solves. */
typedef struct cst_touched_dofs {
    int count;
    const int32_t *dof; /* (count) */
    double *h;          /* array (dim x count): row-major */
} cst_touched_dofs;

/* The half solve L^-1 H^T of one contact on one body, with the Cholesky factor L of the body and the contact Jacobian H. */
typedef struct cst_half {
    int32_t body;                  /* -1: none */
    int32_t first;                 /* first stored row, aligned */
    int32_t length;                /* number of stored rows, padded */
    double *z;                     /* array (dim x length): H L^-T; SOLVE: H A^-1 */
    const cst_touched_dofs *touch; /* SOLVE bodies; NULL otherwise */
} cst_half;

typedef struct cst_halves {
    int sides; /* half solves per contact */
    /* array (contacts x sides): products L^-1 H^T (half solves) of the contacts, in the requested order; a contact that acts
     * twice on one body has only one of them */
    cst_half *half;
    int64_t *state;  /* array (bodies + 1): state starts */
    int64_t entries; /* number of doubles in all z */
} cst_halves;

/* Computes the half solves L^-1 H^T of all contacts, with the Cholesky factor L of a body and the contact Jacobian H. The k-th
 * contact of the output is contact order[k] of the problem; if the array `order` is NULL, it is contact k. No half solves L^-1
 * H^T are computed for bodies without a factorised matrix (marked in bodies->left_out). Returns CST_SOLVED, CST_OUT_OF_MEMORY, or
 * CST_BAD_PROBLEM if a callback failed (the message names the body). */
cst_status cst_halves_build(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_halves *out,
                            char *message, size_t message_size);

/* Computes the matrix `block` that maps the impulse of one contact to its own velocity, without the contribution of cloth.
 * `scratch`: cst_half_scratch doubles. Returns false if a callback failed. */
int64_t cst_half_scratch(const cst_bodies *bodies);
bool cst_half_compliance_alone(const cst_bodies *bodies, int contact, double *scratch, double *block);

/* Multiplies `sides` matrices by a factor. */
void cst_half_scale(int dim, int sides, cst_half *half, double factor);

/* The function cst_half_read adds to u the velocity of a contact due to all impulses, computed from the states y = L^-1 H^T r of
 * its bodies. The function cst_half_move adds the effect of the impulse change dr of a contact to the state y = L^-1 H^T r of
 * each of its bodies. `state` is as in cst_halves. */
void cst_half_read(int dim, int sides, const cst_half *half, const int64_t *state, const double *y, double *u);
void cst_half_move(int dim, int sides, const cst_half *half, const int64_t *state, const double *dr, double *y);

/* Adds the effect of the impulse change dr of a contact to the state y = L^-1 H^T r of one body. */
void cst_half_add(int dim, const cst_half *half, const double *dr, double *y);

/* Adds a^T b to `block`. */
void cst_half_couple(int dim, const cst_half *a, const cst_half *b, double *block);

/* block = W_ii. */
void cst_half_compliance(int dim, int sides, const cst_half *half, double *block);

#endif
