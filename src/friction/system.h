/* A friction problem in scaled variables, for solvers whose unknowns are the impulses. Symbols:
 *     `r_i`, `u_i`: impulse, velocity, contact i.
 *     `W_ij`: blocks of the Delassus matrix.
 *     `w_i = trace(W_ii)/dim`: compliance.
 *     `V`: velocity scale of the residual.
 *
 * The scaled problem has the impulses x, the velocities y, the free velocities b and the matrix A:
 *
 *     `y = A x + b`.
 *     `x_i = sqrt(w_i) r_i`.
 *     `y_i = u_i / sqrt(w_i)`.
 *     `A_ij = W_ij / sqrt(w_i*w_j)`.
 *
 * The Coulomb law is homogeneous in the impulse and in the velocity of a contact, so the scaling does not change the law. Every
 * diagonal block of the scaled Delassus matrix A has the trace dim, and A is symmetric if the Delassus matrix W is symmetric. The
 * error of a contact in the residual E (docs/notation.md) is its weighted Alart-Curnier function:
 *
 *     `E_i = weight_i*|f_AC(x_i,y_i)|`.
 *     `weight_i = sqrt(w_i)/V`.
 *
 * A table of functions hides the coupling between contacts, so that the solvers do not depend on whether the Delassus matrix was
 * formed (rows.c) or is applied through the bodies (product.c). A restricted system contains only some of the contacts of a
 * system. In the restricted system, the impulses of all contacts that do not belong to it are taken as zero. The matrix of the
 * restricted system is a principal submatrix of the matrix of the whole system, and the free velocities are unchanged. */
#ifndef CST_FRICTION_SYSTEM_H
#define CST_FRICTION_SYSTEM_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_system cst_system;

typedef struct cst_coupling {
    cst_form form;
    /* Recomputes the stored data that depend on the impulses x of all contacts, for example the velocity changes of the bodies
     * (product.c). If impulses have changed without a call of the function `moved`, the solver must call `begin` before the
     * function off_diagonal. May be NULL. */
    void (*begin)(cst_system *system, const double *x);
    /* Computes the velocity `beta` of a contact without its own impulse: its free velocity plus the effect of the impulses x of
     * all other contacts. */
    void (*off_diagonal)(const cst_system *system, int contact, const double *x, double *beta);
    /* Updates the stored data that depend on the impulses (for example velocity changes of the bodies) after the impulse of one
     * contact has changed by `dx`. May be NULL. Several threads may call the function `moved` at the same time for contacts that
     * are not coupled (contacts of one colour). */
    void (*moved)(cst_system *system, int contact, const double *dx);
    /* The function `row` writes the off-diagonal blocks in the row of one contact of the scaled Delassus matrix to the caller's
     * arrays, in any order: column indices and row-major blocks. If the output array `block` is NULL, only the column indices are
     * written. The functions `row` and row_length both return the number of off-diagonal blocks in the row of a contact. */
    int (*row_length)(const cst_system *system, int contact);
    int (*row)(const cst_system *system, int contact, int32_t *column, double *block);
    /* Writes the block of the scaled Delassus matrix in the row of `contact` and the column of the other contact `other`, in
     * row-major order. The block of the Delassus matrix is zero if the two contacts share no body. */
    void (*block)(const cst_system *system, int contact, int other, double *block);
    /* For the smaller system of the `count` contacts `chosen` (in increasing order), computes the data that couple its contacts,
     * and stores them in out->state. Returns false if memory ran out (arena->failed is set). */
    bool (*restrict_to)(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);
    /* Returns the number of bytes that one sweep over the contacts reads, from which the cost of a sweep is estimated. */
    double (*bytes_per_sweep)(const cst_system *system);
} cst_coupling;

struct cst_system {
    int dim;
    int contacts;     /* n */
    double *weight;   /* array (n): sqrt(w_i) / V */
    double *b;        /* (n x dim) */
    double *mu;       /* (n) */
    uint8_t *law;     /* array (n): cst_law */
    double *diagonal; /* array (n x dim x dim): diagonal blocks of the scaled Delassus matrix, which need not be symmetric */
    /* number of colours; the contacts are sorted by colour; 0: the contacts have no colours and keep the order of the problem,
     * and one thread sweeps */
    int colours;
    int32_t *colour_start; /* (colours + 1) */
    int threads;           /* largest number of threads; results do not depend on it */
    const cst_coupling *coupling;
    void *state; /* the coupling's own */
};

/* y = A x + b. */
void cst_system_multiply(cst_system *system, const double *x, double *y);

/* Returns the largest weighted error of the contacts for the impulses x and the velocities y, measured by the Fischer-Burmeister
 * function if `fischer_burmeister` is true, otherwise by the Alart-Curnier function. */
double cst_system_error(const cst_system *system, const double *x, const double *y, bool fischer_burmeister);

/* Allocates the arrays of a system, which the caller must fill. Returns false if memory ran out. */
bool cst_system_take(cst_arena *arena, int dim, int contacts, cst_system *out);

/* Makes a smaller system that contains only the contacts `chosen` (indices in increasing order). It inherits the colours. Returns
 * false if memory ran out. */
bool cst_system_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);

/* Makes a smaller system of the contacts `chosen`, as cst_system_restrict does, and returns a copy (count x dim) of the entries
 * of `x` (n x dim) that belong to these contacts. Returns NULL if memory ran out. */
double *cst_system_restrict_with(const cst_system *system, const int32_t *chosen, int count, const double *x, cst_arena *arena,
                                 cst_system *out);

/* The vector x (n x dim) has an entry for each contact; the functions copy the entries of the chosen contacts from `x` to `part`
 * (count x dim), or from `part` to `x`. */
void cst_system_gather(const cst_system *system, const int32_t *chosen, int count, const double *x, double *part);
void cst_system_scatter(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x);
void cst_system_put_back(const cst_system *system, const int32_t *chosen, int count, const double *part,
                         double *x); /* the others become zero */

/* Returns true if a contact is active: it is bilateral, or it has an impulse, or it is about to get an impulse (its normal
 * velocity y_N is below its normal impulse x_N). */
static inline bool cst_system_is_active(const cst_system *system, int contact, const double *x, const double *y)
{
    const size_t normal = (size_t)contact * (size_t)system->dim;
    return system->law[contact] == CST_LAW_BILATERAL || x[normal] > 0.0 || y[normal] < x[normal];
}

/* Dot product whose order of summation does not depend on the number of threads. */
double cst_system_dot(const cst_system *system, const double *a, const double *b);

#endif
