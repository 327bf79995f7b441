/* A friction problem in scaled variables, for solvers whose unknowns are the impulses. Symbols of contact i:
 *     `r_i`, `u_i`: impulse and velocity, not scaled.
 *     `W_ij`: block of the Delassus matrix for the contacts i and j.
 *     `w_i = trace(W_ii)/dim`: compliance.
 *     `V`: velocity scale of the residual.
 *     `x_i`, `y_i`, `b_i`: scaled impulse, scaled velocity, scaled free velocity.
 *     `A_ij`: block of the scaled Delassus matrix for the contacts i and j.
 *
 *     `y = A x + b`.
 *     `x_i = sqrt(w_i) r_i`.
 *     `y_i = u_i / sqrt(w_i)`.
 *     `A_ij = W_ij / sqrt(w_i*w_j)`.
 *
 * The scaling does not change the Coulomb law, which is homogeneous in impulse and velocity. The diagonal block of the scaled
 * Delassus matrix A has the trace dim for every contact with a positive compliance. A contact without a positive compliance is
 * scaled with the largest compliance of all contacts. If the Delassus matrix W is symmetric, the scaled Delassus matrix A is
 * symmetric, too. The error of a contact in the residual E (docs/notation.md) is the weighted Alart-Curnier function:
 *
 *     `E_i = weight_i*|f_AC(x_i,y_i)|`.
 *     `weight_i = sqrt(w_i)/V`.
 *
 * The solvers use the coupling between contacts only through a table of functions (cst_coupling). A solver that uses only the
 * functions of cst_coupling works both with a stored Delassus matrix (rows.c) and with a Delassus matrix applied through the
 * bodies (product.c).
 *
 * A restricted system contains only some contacts of a system; the impulses of all other contacts are taken as zero. The matrix
 * of the restricted system consists of the rows and columns of the chosen contacts in the scaled Delassus matrix; the free
 * velocities of these contacts are unchanged. */
#ifndef CST_FRICTION_SYSTEM_H
#define CST_FRICTION_SYSTEM_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_system cst_system;

typedef struct cst_coupling {
    cst_form form;
    /* Recomputes the solver's stored data that depend on the impulses x of all contacts, for example the velocity changes of
     * the bodies (product.c). If impulses have changed without a call of `moved`, the solver must call `begin` before
     * off_diagonal. May be NULL. */
    void (*begin)(cst_system *system, const double *x);
    /* Returns the array of stored data that `begin` recomputes; *count: output, number of its entries. The data that `begin`
     * recomputes must be a linear function of the impulses. Only solvers that extrapolate impulses call linear_data, and only if
     * `begin` is not NULL; in all other cases, linear_data may be NULL. */
    double *(*linear_data)(const cst_system *system, long *count);
    /* Computes the velocity `beta` of a contact without its own impulse: the free velocity plus the effect of the impulses x of
     * all other contacts. */
    void (*off_diagonal)(const cst_system *system, int contact, const double *x, double *beta);
    /* Updates the stored data that depend on the impulses, after the impulse of one contact has changed by `dx`. Several threads
     * are allowed to call `moved` at the same time for contacts of one colour. May be NULL. */
    void (*moved)(cst_system *system, int contact, const double *dx);
    /* The function `row` writes the off-diagonal blocks of one row of the scaled Delassus matrix, in any order: column indices
     * and row-major blocks. If the output array `block` is NULL, `row` writes only the column indices. The functions row_length
     * and `row` return the number of off-diagonal blocks in the row of one contact. */
    int (*row_length)(const cst_system *system, int contact);
    int (*row)(const cst_system *system, int contact, int32_t *column, double *block);
    /* Writes the block of the scaled Delassus matrix in the row of `contact` and the column of `other`, row-major. The block is
     * zero if the contacts `contact` and `other` share no body. */
    void (*block)(const cst_system *system, int contact, int other, double *block);
    /* Computes the coupling data of the restricted system with the `count` contacts `chosen` (increasing), and stores them in
     * out->state. Returns false if memory ran out (arena->failed is set). */
    bool (*restrict_to)(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);
    /* Returns the number of bytes that one sweep reads, from which the cost of a sweep is estimated. */
    double (*bytes_per_sweep)(const cst_system *system);
} cst_coupling;

struct cst_system {
    int dim;
    int contacts;     /* n */
    double *weight;   /* array (n): sqrt(w_i) / V */
    double *b;        /* (n x dim) */
    double *mu;       /* (n) */
    uint8_t *law;     /* array (n): cst_law */
    double *diagonal; /* array (n x dim x dim): diagonal blocks, not necessarily symmetric */
    /* number of colours; the contacts are sorted by colour. 0: the contacts have no colours and keep the order of the problem,
     * and one thread does the sweeps. */
    int colours;
    int32_t *colour_start; /* (colours + 1) */
    int threads;           /* largest number of threads */
    const cst_coupling *coupling;
    void *state; /* data of the coupling */
};

/* y = A x + b. */
void cst_system_multiply(cst_system *system, const double *x, double *y);

/* Computes the velocity `y` of one contact, a row of A x + b. If the coupling has a function `begin`, it must have been called
 * with x. */
void cst_system_contact_velocity(const cst_system *system, int contact, const double *x, double *y);

/* Returns the weighted error of one contact, given its impulse and velocity (cst_system_error). */
double cst_system_contact_error(const cst_system *system, int contact, const double *x, const double *y, bool fischer_burmeister);

/* Returns the largest weighted error of all contacts for the impulses x and the velocities y. The error of a contact is the norm
 * of the Fischer-Burmeister function if `fischer_burmeister` is true, otherwise that of the Alart-Curnier function. */
double cst_system_error(const cst_system *system, const double *x, const double *y, bool fischer_burmeister);

/* Allocates the arrays of a system; the caller fills them. Returns false if memory ran out. */
bool cst_system_take(cst_arena *arena, int dim, int contacts, cst_system *out);

/* Makes the restricted system of the contacts `chosen` (increasing indices); each contact keeps its colour. Returns false if
 * memory ran out. */
bool cst_system_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out);

/* Makes the restricted system as cst_system_restrict does, and returns a copy (count x dim) of the entries of x for the chosen
 * contacts, or NULL if memory ran out. */
double *cst_system_restrict_with(const cst_system *system, const int32_t *chosen, int count, const double *x, cst_arena *arena,
                                 cst_system *out);

/* Makes the restricted system as cst_system_restrict_with does, but the impulses of all other contacts stay as they are: the free
 * velocities of the restricted system include their effect. `y`: velocities A x + b of all contacts. */
double *cst_system_hold_others(const cst_system *system, const int32_t *chosen, int count, const double *x, const double *y,
                               cst_arena *arena, cst_system *out);

/* The function cst_system_gather copies the entries of the chosen contacts from `x` (n x dim) to `part` (count x dim). The
 * functions cst_system_scatter and cst_system_put_back copy the entries of the chosen contacts from `part` to `x`;
 * cst_system_put_back also sets all other entries of `x` to zero. */
void cst_system_gather(const cst_system *system, const int32_t *chosen, int count, const double *x, double *part);
void cst_system_scatter(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x);
void cst_system_put_back(const cst_system *system, const int32_t *chosen, int count, const double *part, double *x);

/* Convert between the impulses r of a problem and the scaled impulses x of its system; contact k of the system is contact
 * order[k] of the problem. `V`: velocity scale. */
void cst_system_scale(const cst_system *system, const int32_t *order, double V, const double *r, double *x);
void cst_system_unscale(const cst_system *system, const int32_t *order, double V, const double *x, double *r);

/* Returns true if a contact is active: it is bilateral, it has a normal impulse x_N > 0, or it is about to get a normal impulse
 * (the normal velocity y_N is below x_N). */
static inline bool cst_system_is_active(const cst_system *system, int contact, const double *x, const double *y)
{
    const size_t normal = (size_t)contact * (size_t)system->dim;
    return system->law[contact] == CST_LAW_BILATERAL || x[normal] > 0.0 || y[normal] < x[normal];
}

/* Dot product that has the same bits for any number of threads. */
double cst_system_dot(const cst_system *system, const double *a, const double *b);

#endif
