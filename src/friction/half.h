/* Half solves: the effect of contacts on reduced bodies.
 *
 * A body has the factor A = L L^T, and a contact has the rows H on the body. The half solve Z = L^-1 H^T then gives all
 * quantities that solvers for the impulses need, which are
 *
 *     W_ij = sum over shared bodies of Z_i^T Z_j,
 *     state of a body y = sum_i Z_i r_i,     u_i = sum over sides of Z_i^T y + w_i.
 *
 * A visit of a contact therefore reads one array, Z, instead of the arrays H and A^-1 H^T. Rows of Z above the first dof of
 * the contact are zero and not stored. A SOLVE body has no L; its state is the velocity A^-1 H^T r itself: the contact
 * velocity is read with H, and the state is updated with Y = A^-1 H^T. */
#ifndef CST_FRICTION_HALF_H
#define CST_FRICTION_HALF_H

#include "friction/bodies.h"

enum {
    CST_STATE_LANES = 4, /* states and rows of Z start at multiples of this number of doubles, for vector loads */
    /* largest number of half solves of one contact: two bodies, and the core that each body is tied to (friction/ties.h) */
    CST_HALVES_MAX = 4
};

/* Rows of H on a SOLVE body. */
typedef struct cst_touched_dofs {
    int count;
    const int32_t *dof; /* (count) */
    double *h;          /* (dim x count) row-major */
} cst_touched_dofs;

/* The half solve of one contact on one body. */
typedef struct cst_half {
    int32_t body;                  /* -1: none */
    int32_t first;                 /* first stored row of Z, a multiple of the lanes */
    int32_t length;                /* number of stored rows of Z, padded to a multiple of the lanes */
    double *z;                     /* (dim x length) Z^T, or Y^T if `touch` is set */
    const cst_touched_dofs *touch; /* SOLVE bodies; NULL otherwise */
} cst_half;

typedef struct cst_halves {
    int sides; /* half solves per contact: 2 for its two sides, more if bodies are tied; at most CST_HALVES_MAX */
    /* (contacts x sides), in the requested order of contacts; a contact with both sides on one body has one half solve */
    cst_half *half;
    int64_t *state;  /* (bodies + 1) where the state of a body starts */
    int64_t entries; /* number of doubles in all z */
} cst_halves;

/* Builds the half solves in the order of `order`, where order[k] is the k-th contact (NULL: natural order). Sides on bodies
 * that are left out are ignored. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a callback failed (the message
 * names the body). */
cst_status cst_halves_build(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_halves *out,
                            char *message, size_t message_size);

/* Computes `block` = the part of W_ii that goes through reduced bodies, without storing Z. `scratch`: cst_half_scratch
 * doubles. Returns false if a callback failed. */
int64_t cst_half_scratch(const cst_bodies *bodies);
bool cst_half_compliance_alone(const cst_bodies *bodies, int contact, double *scratch, double *block);

/* Multiplies Z (or Y and H) of a contact by a factor. `half` (sides), here and below. */
void cst_half_scale(int dim, int sides, cst_half *half, double factor);

/* Compute u += Z^T y, and y += Z dr, of a contact; `state` as in cst_halves. */
void cst_half_read(int dim, int sides, const cst_half *half, const int64_t *state, const double *y, double *u);
void cst_half_move(int dim, int sides, const cst_half *half, const int64_t *state, const double *dr, double *y);

/* Computes y += Z dr of one half solve, where y is the state of its body. */
void cst_half_add(int dim, const cst_half *half, const double *dr, double *y);

/* Adds to `block` (dim x dim, row-major) the part of W_ij that goes through one body, on which contact i has the half solve
 * `a` and contact j the half solve `b`. */
void cst_half_couple(int dim, const cst_half *a, const cst_half *b, double *block);

/* block = W_ii. */
void cst_half_compliance(int dim, int sides, const cst_half *half, double *block);

#endif
