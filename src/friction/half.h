/* The half solve L^-1 H^T describes the effect of one contact on one body that is not cloth. Symbols:
 *     `A = L*L^T`: matrix of the body; `L`: its Cholesky factor.
 *     `H_i`: Jacobian of contact i.
 *     `Z_i = L^-1*H_i^T`: its half solve.
 *     `r_i`: impulse of contact i.
 *     `y = L^T*(v-v_f)`: state of the body (`v`, `v_f`: its velocities with and without the contact impulses).
 *     `u_i`, `b_i`: velocity, free velocity of contact i.
 *     `W_ij`: block of the Delassus matrix.
 *
 * The state y of each body, the contact velocities and the Delassus matrix are sums of products with half solves:
 *
 *     `y = sum_i Z_i*r_i`.
 *     `u_i = b_i + sum_bodies Z_i^T*y`.
 *     `W_ij = sum_bodies Z_i^T*Z_j`.
 *
 * A sweep that visits a contact reads only its half solves, instead of the Jacobian H and the product A^-1 H^T with the inverse
 * matrix of the body. The rows of a half solve that precede the first dof on which the contact acts are zero, and are not stored,
 * except a few for alignment.
 *
 * A SOLVE body, whose linear systems the caller solves, has no Cholesky factor. The state y of a SOLVE body with the matrix A is
 * its velocity change A^-1 H^T r due to the contact impulses r. For a SOLVE body, A^-1 H^T is stored in place of the half solve,
 * and contact velocities are computed with the contact Jacobian H. */
#ifndef CST_FRICTION_HALF_H
#define CST_FRICTION_HALF_H

#include "friction/bodies.h"

enum {
    CST_STATE_LANES = 4, /* doubles; alignment for vector loads */
    /* largest number of half solves of one contact: two, or four after the elimination of bilateral constraints (ties.h) */
    CST_HALVES_MAX = 4
};

/* Jacobian H of one contact on one SOLVE body. */
typedef struct cst_touched_dofs {
    int count;
    const int32_t *dof; /* array (count): increasing */
    double *h;          /* array (dim x count): row-major */
} cst_touched_dofs;

/* Half solve L^-1 H^T of one contact on one body. */
typedef struct cst_half {
    int32_t body;   /* -1: none */
    int32_t first;  /* first stored row, aligned */
    int32_t length; /* number of stored rows, padded */
    /* array (dim x length): the transposed half solve; for a SOLVE body, the contact Jacobian H times the inverse matrix A^-1
     * of the body */
    double *z;
    const cst_touched_dofs *touch; /* SOLVE bodies: H; otherwise NULL */
} cst_half;

typedef struct cst_halves {
    int sides; /* number of half solves per contact */
    /* array (contacts x sides): half solves of all contacts; a contact that acts twice on one body has only one half solve */
    cst_half *half;
    int64_t *state;  /* array (bodies + 1): state starts */
    int64_t entries; /* doubles in all half solves */
} cst_halves;

/* Computes the half solves L^-1 H^T of all contacts. The k-th contact of the output is contact order[k] of the problem, or
 * contact k if `order` is NULL. For bodies marked in bodies->left_out, no half solves are computed. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message if a caller's solve function failed. */
cst_status cst_halves_build(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_halves *out,
                            char *message, size_t message_size);

/* Computes the diagonal block W_ii of the Delassus matrix for one contact, without the contribution of cloth. `scratch`:
 * cst_half_scratch doubles. Returns false if a caller's solve function failed. */
int64_t cst_half_scratch(const cst_bodies *bodies);
bool cst_half_compliance_alone(const cst_bodies *bodies, int contact, double *scratch, double *block);

/* Multiplies the half solves L^-1 H^T of one contact on all its bodies, and its Jacobians on SOLVE bodies, by `factor`. */
void cst_half_scale(int dim, int sides, cst_half *half, double factor);

/* The function cst_half_read adds to `u` the velocity change of one contact due to the impulses of all contacts. The velocity
 * change of a contact is the sum of Z^T y over its bodies; a SOLVE body adds H y instead (Z: half solve, H: Jacobian, y: state of
 * the body). The function cst_half_move adds Z dr to the state `y` of each body of a contact, for a change `dr` of the contact's
 * impulse (Z = L^-1 H^T: half solve of the contact on the body). `state`: as in cst_halves. */
void cst_half_read(int dim, int sides, const cst_half *half, const int64_t *state, const double *y, double *u);
void cst_half_move(int dim, int sides, const cst_half *half, const int64_t *state, const double *dr, double *y);

/* Adds L^-1 H^T dr to the state `y` of one body, for a change `dr` of the impulse of one contact. */
void cst_half_add(int dim, const cst_half *half, const double *dr, double *y);

/* Adds the matrix product a^T b to `block`, a block of the Delassus matrix; `a` and `b` are the half solves L^-1 H^T of two
 * contacts on one body. */
void cst_half_couple(int dim, const cst_half *a, const cst_half *b, double *block);

/* Returns the trace of the block that cst_half_couple computes for a half solve with itself. For a body that is not a SOLVE body,
 * this is the sum of the squares of all entries of the half solve. */
double cst_half_trace(int dim, const cst_half *half);

/* Computes the diagonal block W_ii of the Delassus matrix of a contact from its half solves. */
void cst_half_compliance(int dim, int sides, const cst_half *half, double *block);

#endif
