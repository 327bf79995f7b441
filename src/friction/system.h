/* A friction problem in scaled variables, for solvers whose unknowns are the impulses. Symbols:
 *     `r_i`, `u_i`: impulse and velocity of contact i.
 *     `W_ij`: block of the Delassus matrix.
 *     `w_i = trace(W_ii)/dim`: compliance of contact i.
 *     `V`: velocity scale of the residual.
 *     `x`, `y`, `b`: scaled impulses, velocities and free velocities.
 *     `A`: scaled Delassus matrix.
 *
 *     `y = A x + b`.
 *     `x_i = sqrt(w_i) r_i`.
 *     `y_i = u_i / sqrt(w_i)`.
 *     `A_ij = W_ij / sqrt(w_i*w_j)`.
 *
 * The Coulomb law is the same for scaled and unscaled variables, because it is homogeneous in impulse and velocity. Every
 * diagonal block of A has the trace dim; A is symmetric if W is. The error of contact i in the residual E (docs/notation.md) is
 * the weighted Alart-Curnier function:
 *
 *     `E_i = weight_i*|f_AC(x_i,y_i)|`.
 *     `weight_i = sqrt(w_i)/V`.
 *
 * Solvers access the coupling between contacts only through a table of functions (cst_coupling). They work equally with a
 * formed Delassus matrix (rows.c) and with a product form that goes through the bodies (product.c).
 *
 * A restricted system contains only some contacts of a system; the impulses of all other contacts are taken as zero. Its matrix
 * is a principal submatrix of A, and the free velocities stay the same. */
#ifndef CST_FRICTION_SYSTEM_H
#define CST_FRICTION_SYSTEM_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_system cst_system;

typedef struct cst_coupling {
    cst_form form;
    /* Recomputes the data that the coupling derives from the impulses x, for example the velocity changes of the bodies
     * (product.c). Must be called before off_diagonal if impulses have changed without a call of `moved`. May be NULL. */
    void (*begin)(cst_system *system, const double *x);
    /* Computes `beta`, the velocity of a contact without its own impulse: its free velocity plus the effect of the impulses x
     * of all other contacts. */
    void (*off_diagonal)(const cst_system *system, int contact, const double *x, double *beta);
    /* Updates the data derived from the impulses after the impulse of one contact has changed by `dx`. Several threads may call
     * `moved` at the same time for contacts of one colour. May be NULL. */
    void (*moved)(cst_system *system, int contact, const double *dx);
    /* `row` writes the off-diagonal blocks of A in the row of a contact, in any order: column indices and row-major blocks. If
     * `block` is NULL, it writes only the column indices. Both row_length and `row` return the number of these blocks. */
    int (*row_length)(const cst_system *system, int contact);
    int (*row)(const cst_system *system, int contact, int32_t *column, double *block);
    /* Writes the block of A in the row of `contact` and the column of the contact `other`, row-major. The block is zero if the
     * two contacts share no body. */
    void (*block)(const cst_system *system, int contact, int other, double *block);
    /* Computes the coupling data of the restricted system `out` of the `count` contacts `chosen` (in increasing order), and
     * stores them in out->state. Returns false if memory ran out (arena->failed is set). */
    bool (*restrict_to)(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);
    /* Returns the number of bytes that one sweep over the contacts reads; the cost of a sweep is estimated from it. */
    double (*bytes_per_sweep)(const cst_system *system);
} cst_coupling;

struct cst_system {
    int dim;
    int contacts;     /* n */
    double *weight;   /* array (n): weight of the error, sqrt(w_i) / V */
    double *b;        /* (n x dim) */
    double *mu;       /* (n) */
    uint8_t *law;     /* array (n): cst_law */
    double *diagonal; /* array (n x dim x dim): diagonal blocks of A; they need not be symmetric */
    /* number of colours, by which the contacts are sorted; 0: no colours, the contacts keep their order and one thread sweeps */
    int colours;
    int32_t *colour_start; /* (colours + 1) */
    int threads;           /* largest number of threads; the results do not depend on it */
    const cst_coupling *coupling;
    void *state; /* data of the coupling */
};

/* y = A x + b. */
void cst_system_multiply(cst_system *system, const double *x, double *y);

/* Returns the largest weighted error of all contacts for the impulses x and the velocities y. The error is measured by the
 * Fischer-Burmeister function if `fischer_burmeister` is true, otherwise by the Alart-Curnier function. */
double cst_system_error(const cst_system *system, const double *x, const double *y, bool fischer_burmeister);

/* Allocates the arrays of a system, which the caller must fill. Returns false if memory ran out. */
bool cst_system_take(cst_arena *arena, int dim, int contacts, cst_system *out);

/* Makes the restricted system of the contacts `chosen` (increasing indices), with the same colours. Returns false if memory ran
 * out. */
bool cst_system_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);

/* Like cst_system_restrict. Returns a copy (count x dim) of the entries of x (n x dim) that belong to the chosen contacts, or
 * NULL if memory ran out. */
double *cst_system_restrict_with(const cst_system *system, const int32_t *chosen, int count, const double *x, cst_arena *arena,
                                 cst_system *out);

/* Copy the entries of the chosen contacts from `x` (n x dim) to `part` (count x dim), or from `part` to `x`. */
void cst_system_gather(const cst_system *system, const int32_t *chosen, int count, const double *x, double *part);
void cst_system_scatter(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x);
void cst_system_put_back(const cst_system *system, const int32_t *chosen, int count, const double *part,
                         double *x); /* all other entries of x become zero */

/* Returns true if a contact is active: it is bilateral, it has a normal impulse, or its velocity is so small that it is about
 * to get one (y_N < x_N). */
static inline bool cst_system_is_active(const cst_system *system, int contact, const double *x, const double *y)
{
    const size_t normal = (size_t)contact * (size_t)system->dim;
    return system->law[contact] == CST_LAW_BILATERAL || x[normal] > 0.0 || y[normal] < x[normal];
}

/* Dot product whose order of summation does not depend on the number of threads. */
double cst_system_dot(const cst_system *system, const double *a, const double *b);

#endif
