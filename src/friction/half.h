/* The half solve L^-1 H^T describes the effect of one contact on one body that is not cloth. Symbols:
 *     `A = L*L^T`: matrix, Cholesky factor.
 *     `H_i`: Jacobian of contact i.
 *     `Z_i = L^-1*H_i^T`: half solve of contact i.
 *     `r_i`: impulse of contact i.
 *     `y`: state of the body.
 *     `u_i`: velocity of contact i.
 *     `b_i`: velocity without impulses.
 *     `W_ij`: block of the Delassus matrix.
 *
 * The half solves give the state of a body, the contact velocities and the Delassus matrix:
 *
 *     `y = sum_i Z_i*r_i`.
 *     `u_i = b_i + sum_bodies Z_i^T*y`.
 *     `W_ij = sum_bodies Z_i^T*Z_j`.
 *
 * A sweep that visits a contact reads only its half solves, instead of both H and A^-1 H^T. The rows of a half solve above the
 * first dof on which the contact acts are zero and are not stored.
 *
 * A body whose linear systems the caller solves (kind SOLVE) has no Cholesky factor. For a SOLVE body, A^-1 H^T replaces the
 * half solve, the state is the velocity change A^-1 H^T r due to the impulses r, and contact velocities are computed with H. */
#ifndef CST_FRICTION_HALF_H
#define CST_FRICTION_HALF_H

#include "friction/bodies.h"

enum {
    CST_STATE_LANES = 4, /* number of doubles in a vector load; alignment of states */
    /* largest number of half solves of a contact: two, or four if bilateral constraints join bodies */
    CST_HALVES_MAX = 4
};

/* The contact Jacobian H on a body whose linear systems the caller solves. */
typedef struct cst_touched_dofs {
    int count;
    const int32_t *dof; /* array (count): increasing dofs on which the contact acts */
    double *h;          /* array (dim x count): row-major */
} cst_touched_dofs;

/* The half solve L^-1 H^T of one contact on one body. */
typedef struct cst_half {
    int32_t body;                  /* -1: none */
    int32_t first;                 /* first stored row, a multiple of CST_STATE_LANES */
    int32_t length;                /* number of stored rows, padded to a multiple of CST_STATE_LANES */
    double *z;                     /* array (dim x length): H L^-T; SOLVE body: H A^-1 */
    const cst_touched_dofs *touch; /* SOLVE body: the Jacobian H; otherwise NULL */
} cst_half;

typedef struct cst_halves {
    int sides; /* number of half solves per contact */
    /* array (contacts x sides): half solves of the contacts; a contact that acts twice on one body has only one */
    cst_half *half;
    int64_t *state;  /* array (bodies + 1): start of the state of each body */
    int64_t entries; /* number of doubles in all half solves */
} cst_halves;

/* Computes the half solves L^-1 H^T of all contacts. The k-th contact of the output is contact order[k] of the problem, or
 * contact k if `order` is NULL. Bodies marked in bodies->left_out get no half solves. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or
 * CST_BAD_PROBLEM if a caller's solve function failed; the message names the body. */
cst_status cst_halves_build(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_halves *out,
                            char *message, size_t message_size);

/* Computes the diagonal block W_ii of the Delassus matrix for one contact, without the contribution of cloth. `scratch`:
 * cst_half_scratch doubles. Returns false if a caller's solve function failed. */
int64_t cst_half_scratch(const cst_bodies *bodies);
bool cst_half_compliance_alone(const cst_bodies *bodies, int contact, double *scratch, double *block);

/* Multiplies the half solves of one contact by a factor. */
void cst_half_scale(int dim, int sides, cst_half *half, double factor);

/* The function cst_half_read adds to u the velocity of a contact due to all impulses, computed from the states y of its bodies.
 * The function cst_half_move adds the effect of the impulse change `dr` of a contact to the states y of its bodies. `state`: as
 * in cst_halves. */
void cst_half_read(int dim, int sides, const cst_half *half, const int64_t *state, const double *y, double *u);
void cst_half_move(int dim, int sides, const cst_half *half, const int64_t *state, const double *dr, double *y);

/* Adds the effect of the impulse change `dr` of a contact to the state y of one body. */
void cst_half_add(int dim, const cst_half *half, const double *dr, double *y);

/* Adds the product a^T b of two half solves on one body to `block`. */
void cst_half_couple(int dim, const cst_half *a, const cst_half *b, double *block);

/* Computes the diagonal block W_ii of the Delassus matrix for one contact from its half solves. */
void cst_half_compliance(int dim, int sides, const cst_half *half, double *block);

#endif
