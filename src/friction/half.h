/* Half solves describe the effect of contacts on reduced bodies, which are all bodies except nodal bodies.
 *
 * A body has the Cholesky factor L of its matrix A = L L^T, and a contact has the rows H of the contact Jacobian on this body.
 * The half solve Z = L^-1 H^T gives all quantities that solvers for the impulses need:
 *
 *     The blocks of W are W_ij = sum over shared bodies of Z_i^T Z_j.
 *     The state of a body is y = sum_i Z_i r_i, over the impulses r_i of its contacts i.
 *     The velocity of contact i is u_i = w_i + sum over its sides of Z_i^T y, where w_i is its velocity without impulses.
 *
 * When a sweep visits a contact, it reads only the array Z, instead of the two arrays H and A^-1 H^T. Rows of the half solve Z
 * above the first dof on which the contact acts are zero and not stored. A SOLVE body has no factor L; its state is the velocity
 * A^-1 H^T r itself. For a SOLVE body, contact velocities are computed with H, and the state is updated with Y = A^-1 H^T. */
#ifndef CST_FRICTION_HALF_H
#define CST_FRICTION_HALF_H

#include "friction/bodies.h"

enum {
    CST_STATE_LANES = 4, /* states and rows of Z start at multiples of this number of doubles, for vector loads */
    /* largest number of half solves of one contact: two bodies, and the core of hub bodies that each body is tied to
     * (friction/ties.h) */
    CST_HALVES_MAX = 4
};

/* Rows of the contact Jacobian H on a SOLVE body. */
typedef struct cst_touched_dofs {
    int count;
    const int32_t *dof; /* (count) */
    double *h;          /* (dim x count) row-major */
} cst_touched_dofs;

/* The half solve of one contact on one body. */
typedef struct cst_half {
    int32_t body;                  /* -1: none */
    int32_t first;                 /* index of the first stored row of Z, a multiple of CST_STATE_LANES */
    int32_t length;                /* number of stored rows of Z, padded to a multiple of CST_STATE_LANES */
    double *z;                     /* (dim x length) Z^T, or Y^T = H A^-1 for a SOLVE body */
    const cst_touched_dofs *touch; /* SOLVE bodies; NULL otherwise */
} cst_half;

typedef struct cst_halves {
    int sides; /* half solves per contact: 2 for its two sides, more if bodies are tied; at most CST_HALVES_MAX */
    /* (contacts x sides), in the requested order of contacts; a contact with both sides on one body has one half solve */
    cst_half *half;
    int64_t *state;  /* (bodies + 1) position of the state of each body in the vector of all states */
    int64_t entries; /* number of doubles in all z */
} cst_halves;

/* Builds the half solves in the order of `order`, where order[k] is the k-th contact (NULL: natural order). Sides of contacts on
 * bodies that are left out of `bodies` are ignored. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a callback
 * failed (the message names the body). */
cst_status cst_halves_build(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_halves *out,
                            char *message, size_t message_size);

/* Computes `block`, the part of the diagonal block W_ii of one contact that comes from reduced (not nodal) bodies, without
 * storing half solves. `scratch`: cst_half_scratch doubles. Returns false if a callback failed. */
int64_t cst_half_scratch(const cst_bodies *bodies);
bool cst_half_compliance_alone(const cst_bodies *bodies, int contact, double *scratch, double *block);

/* Multiplies the half solves of a contact by a factor. `half` holds the `sides` half solves of the contact, here and below. */
void cst_half_scale(int dim, int sides, cst_half *half, double factor);

/* The function cst_half_read adds Z^T y to the velocity u of a contact, and cst_half_move adds Z dr, the effect of an impulse
 * change dr, to the states y of its bodies. `state` is as in cst_halves. */
void cst_half_read(int dim, int sides, const cst_half *half, const int64_t *state, const double *y, double *u);
void cst_half_move(int dim, int sides, const cst_half *half, const int64_t *state, const double *dr, double *y);

/* Adds Z dr to y, where Z is one half solve, dr is a change of the impulse, and y is the state of the body. */
void cst_half_add(int dim, const cst_half *half, const double *dr, double *y);

/* Adds to `block` (dim x dim, row-major) the part of W_ij that goes through one body, on which contact i has the half solve
 * `a` and contact j the half solve `b`. */
void cst_half_couple(int dim, const cst_half *a, const cst_half *b, double *block);

/* block = W_ii. */
void cst_half_compliance(int dim, int sides, const cst_half *half, double *block);

#endif
