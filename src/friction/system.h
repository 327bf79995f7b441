/* A friction problem in the scaled variables of the solvers for impulses:
 *
 *     y = A x + b,   (x_i, y_i) in the Coulomb law of mu_i.
 *
 * The scaling is symmetric: x_i = sqrt(w_i) r_i, y_i = u_i / sqrt(w_i), A_ij = W_ij / sqrt(w_i w_j), w_i = trace(W_ii)/dim. The
 * Coulomb law is homogeneous in the impulse r and in the velocity u, so the scaling does not change the law. Every A_ii has the
 * trace dim, and A is symmetric if W is. The error of a contact in the residual E is weight_i |f_AC(x_i, y_i)|, with weight_i =
 * sqrt(w_i) / V (docs/notation.md).
 *
 * A table of functions hides the coupling between contacts, so that the solvers do not depend on whether W was formed (rows.c)
 * or is applied through the bodies (product.c). A system may be restricted to some of its contacts. Contacts that are left out
 * are open (x = 0), so the restricted problem is a principal sub-problem with the same b. */
#ifndef CST_FRICTION_SYSTEM_H
#define CST_FRICTION_SYSTEM_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_system cst_system;

typedef struct cst_coupling {
    cst_form form;
    /* Recomputes the state of the coupling for the impulses x. Call `begin` before off_diagonal if x changed other than through
     * `moved`. May be NULL. */
    void (*begin)(cst_system *system, const double *x);
    /* Computes the velocity beta = b_i + sum over j != i of A_ij x_j of contact i without its own impulse. */
    void (*off_diagonal)(const cst_system *system, int contact, const double *x, double *beta);
    /* Tells the coupling that the impulse x_i of a contact has changed by dx. May be NULL. Several threads may call `moved` at
     * the same time for contacts of one colour. */
    void (*moved)(cst_system *system, int contact, const double *dx);
    /* Writes the blocks A_ij of row i to the caller's arrays, which hold row_length(i) entries: column indices (in any order,
     * without the diagonal) and blocks (row-major). */
    int (*row_length)(const cst_system *system, int contact);
    void (*row)(const cst_system *system, int contact, int32_t *column, double *block);
    /* Fills out->state, the coupling of the system that is restricted to the `count` contacts `chosen` (in increasing order).
     * Returns false if memory ran out (arena->failed is set). */
    bool (*restrict_to)(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);
    /* Returns the number of bytes that off_diagonal and moved read in one sweep, from which the cost of a sweep is estimated. */
    double (*bytes_per_sweep)(const cst_system *system);
} cst_coupling;

struct cst_system {
    int dim;
    int contacts;          /* n */
    double *weight;        /* (n) sqrt(w_i) / V */
    double *b;             /* (n x dim) */
    double *mu;            /* (n) */
    uint8_t *law;          /* (n) cst_law */
    double *diagonal;      /* (n x dim x dim) diagonal blocks A_ii, which need not be symmetric */
    int colours;           /* number of colours, by which the contacts are sorted; 0: natural order, swept by one thread */
    int32_t *colour_start; /* (colours + 1) */
    int threads;           /* largest number of threads; it never changes a result */
    const cst_coupling *coupling;
    void *state; /* the coupling's own */
};

/* y = A x + b. */
void cst_system_multiply(cst_system *system, const double *x, double *y);

/* Returns max_i weight_i |f(x_i, y_i)|, where f is the Alart-Curnier function or, if fischer_burmeister, the
 * Fischer-Burmeister function. */
double cst_system_error(const cst_system *system, const double *x, const double *y, bool fischer_burmeister);

/* Allocates arrays for `contacts` contacts, to be filled. Returns false if memory ran out. */
bool cst_system_take(cst_arena *arena, int dim, int contacts, cst_system *out);

/* Makes the sub-problem of the chosen contacts (increasing order). It inherits the colours. Returns false if memory ran out. */
bool cst_system_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);

/* Copy the values of the chosen contacts from x (n x dim) to part (count x dim), and back. */
void cst_system_gather(const cst_system *system, const int32_t *chosen, int count, const double *x, double *part);
void cst_system_scatter(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x);
void cst_system_put_back(const cst_system *system, const int32_t *chosen, int count, const double *part,
                         double *x); /* the others become zero */

/* Returns true if a contact is active: it is bilateral, or has an impulse, or is about to get an impulse (y_N < x_N). */
static inline bool cst_system_is_active(const cst_system *system, int contact, const double *x, const double *y)
{
    const size_t normal = (size_t)contact * (size_t)system->dim;
    return system->law[contact] == CST_LAW_BILATERAL || x[normal] > 0.0 || y[normal] < x[normal];
}

/* Dot product whose order of summation does not depend on the number of threads. */
double cst_system_dot(const cst_system *system, const double *a, const double *b);

#endif
