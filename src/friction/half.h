/* Half solves: what the contacts do to the reduced bodies they touch.
 *
 * With A = L L^T of a body and a contact's rows H on it, Z = L^-1 H^T gives everything that the dual forms need:
 *
 *     W_ij = sum over shared bodies of Z_i^T Z_j,     state of a body y = sum_i Z_i r_i,     u_i = sum over sides of Z_i^T y + w_i,
 *
 * so one array is streamed per visit, where H and A^-1 H^T would be two. Rows of Z above the first dof touched are zero and
 * not kept. A SOLVE body has no L: there the state is the velocity A^-1 H^T r itself, read through H, written through Y =
 * A^-1 H^T. */
#ifndef CST_FRICTION_HALF_H
#define CST_FRICTION_HALF_H

#include "friction/bodies.h"

enum {
    CST_STATE_LANES = 4, /* states and rows of Z begin at multiples of this many doubles, for vectors */
    CST_HALVES_MAX = 4   /* of one contact: two bodies, and what each of them is tied to (friction/ties.h) */
};

/* Rows of H on a SOLVE body. */
typedef struct cst_touched_dofs {
    int count;
    const int32_t *dof; /* (count) */
    double *h;          /* (dim x count) row-major */
} cst_touched_dofs;

/* One contact on one body. */
typedef struct cst_half {
    int32_t body;                  /* -1: none */
    int32_t first;                 /* first row kept, a multiple of the lanes */
    int32_t length;                /* rows kept, padded to a multiple of the lanes */
    double *z;                     /* (dim x length) Z^T or, if touch, Y^T */
    const cst_touched_dofs *touch; /* SOLVE bodies; NULL otherwise */
} cst_half;

typedef struct cst_halves {
    int sides;       /* places for halves of a contact: 2 for its two sides, more where bodies are tied; at most CST_HALVES_MAX */
    cst_half *half;  /* (contacts x sides), contacts in the order asked for; a contact with both sides on one body has one half */
    int64_t *state;  /* (bodies + 1) where a body's state begins */
    int64_t entries; /* doubles in all z */
} cst_halves;

/* order[k]: the contact that is k-th (NULL: natural order). Sides on bodies left out are ignored. CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a callback failed (the message names the body). */
cst_status cst_halves_build(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_halves *out,
                            char *message, size_t message_size);

/* block = the part of W_ii that goes through reduced bodies, without keeping Z. scratch: cst_half_scratch doubles. False: a
 * callback failed. */
int64_t cst_half_scratch(const cst_bodies *bodies);
bool cst_half_compliance_alone(const cst_bodies *bodies, int contact, double *scratch, double *block);

/* Multiply Z (or Y and H) of a contact by a factor. half (sides), here and below. */
void cst_half_scale(int dim, int sides, cst_half *half, double factor);

/* u += Z^T y and y += Z dr of a contact; `state` as in cst_halves. */
void cst_half_read(int dim, int sides, const cst_half *half, const int64_t *state, const double *y, double *u);
void cst_half_move(int dim, int sides, const cst_half *half, const int64_t *state, const double *dr, double *y);

/* y += Z dr of one half, y the state of its body. */
void cst_half_add(int dim, const cst_half *half, const double *dr, double *y);

/* block (dim x dim, row-major) += the part of W_ij that goes through one body, on which i has the half a and j the half b. */
void cst_half_couple(int dim, const cst_half *a, const cst_half *b, double *block);

/* block = W_ii. */
void cst_half_compliance(int dim, int sides, const cst_half *half, double *block);

#endif
