/* A friction problem in the variables the dual solvers work in.
 *
 *     y = A x + b,   (x_i, y_i) in the Coulomb law of mu_i
 *
 * with the symmetric scaling  x_i = sqrt(w_i) r_i,  y_i = u_i / sqrt(w_i),  A_ij = W_ij / sqrt(w_i w_j),  w_i = trace(W_ii)/dim.
 * The law is homogeneous in r and in u, so it is unchanged; every A_ii has trace dim, A is symmetric if W is, and a contact's
 * share of the residual E is weight_i |f_AC(x_i, y_i)| with weight_i = sqrt(w_i) / V (docs/notation.md).
 *
 * The coupling between contacts is behind a small table of functions, so that the solvers do not know whether W was formed
 * (rows.c) or is applied through the bodies (product.c). A system may be restricted to some of its contacts: the others are
 * open (x = 0), hence the restricted problem is a principal sub-problem with the same b. */
#ifndef CST_FRICTION_SYSTEM_H
#define CST_FRICTION_SYSTEM_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_system cst_system;

typedef struct cst_coupling {
    cst_form form;
    /* Make the coupling's state agree with x. Needed before off_diagonal after x changed by anything but `moved`. May be NULL. */
    void (*begin)(cst_system *system, const double *x);
    /* beta = b_i + sum over j != i of A_ij x_j. */
    void (*off_diagonal)(const cst_system *system, int contact, const double *x, double *beta);
    /* x_i has moved by dx. May be NULL. Contacts of one colour may be moved at the same time by several threads. */
    void (*moved)(cst_system *system, int contact, const double *dx);
    /* The blocks A_ij of row i: column indices (in no particular order, diagonal excluded) and blocks (row-major) written to the caller's
     * arrays, which hold row_length(i) entries. */
    int (*row_length)(const cst_system *system, int contact);
    void (*row)(const cst_system *system, int contact, int32_t *column, double *block);
    /* Fill out->state for the `count` contacts `chosen` (increasing). False: out of memory (arena->failed is set). */
    bool (*restrict_to)(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);
    /* Bytes read by off_diagonal and moved over one sweep: the cost model. */
    double (*bytes_per_sweep)(const cst_system *system);
} cst_coupling;

struct cst_system {
    int dim;
    int contacts;          /* n */
    double *weight;        /* (n) sqrt(w_i) / V */
    double *b;             /* (n x dim) */
    double *mu;            /* (n) */
    uint8_t *law;          /* (n) cst_law */
    double *diagonal;      /* (n x dim x dim) A_ii as given, symmetric or not */
    int colours;           /* 0: natural order, swept by one thread. Otherwise contacts are sorted by colour */
    int32_t *colour_start; /* (colours + 1) */
    int threads;           /* at most this many; never changes a result */
    const cst_coupling *coupling;
    void *state; /* the coupling's own */
};

/* y = A x + b. */
void cst_system_multiply(cst_system *system, const double *x, double *y);

/* max_i weight_i |f(x_i, y_i)| with f Alart-Curnier or, if fischer_burmeister, the published measure's function. */
double cst_system_error(const cst_system *system, const double *x, const double *y, bool fischer_burmeister);

/* Arrays for so many contacts, to be filled. False: out of memory. */
bool cst_system_take(cst_arena *arena, int dim, int contacts, cst_system *out);

/* The sub-problem of the chosen contacts (increasing order). Colours are inherited. NULL-safe: false if memory ran out. */
bool cst_system_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);

/* Values of the chosen contacts: out of x (n x dim) into part (count x dim), and back. */
void cst_system_gather(const cst_system *system, const int32_t *chosen, int count, const double *x, double *part);
void cst_system_scatter(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x);
void cst_system_put_back(const cst_system *system, const int32_t *chosen, int count, const double *part,
                         double *x); /* the others: zero */

/* A contact that is not open: bilateral, or with an impulse, or about to have one (y_N < x_N). */
static inline bool cst_system_is_active(const cst_system *system, int contact, const double *x, const double *y)
{
    const size_t normal = (size_t)contact * (size_t)system->dim;
    return system->law[contact] == CST_LAW_BILATERAL || x[normal] > 0.0 || y[normal] < x[normal];
}

/* Reductions whose order does not depend on the number of threads. */
double cst_system_dot(const cst_system *system, const double *a, const double *b);

#endif
