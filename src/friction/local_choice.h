/* Solves one contact of a sweep with the chosen local solver. If the chosen local solver fails and `failsafe` is true, the direct
 * local solver solves the contact. */
#ifndef CST_FRICTION_LOCAL_CHOICE_H
#define CST_FRICTION_LOCAL_CHOICE_H

#include "capstan/friction.h"

typedef struct cst_local_choice {
    cst_local_solver solver;
    bool failsafe; /* true: if the chosen local solver fails, the direct local solver solves the contact */
    /* tolerance of iterative local solvers; it applies to the contact problem in units in which the compliance and the free speed
     * |b| are 1 */
    double tolerance;
} cst_local_choice;

typedef struct cst_local_count {
    int64_t solves, failures, fallbacks;
} cst_local_count;

/* The direct local solver (local.h) uses precomputed data of each contact. The function cst_local_prepared_size returns the size
 * in bytes of the data of one contact. The function cst_local_prepare computes the data of the contact `contact` from its matrix
 * W, and writes them to the array `prepared` of all contacts. */
size_t cst_local_prepared_size(int dim);
void cst_local_prepare(int dim, const double *W, double mu, void *prepared, int contact);

/* Solves the friction problem of one contact with the impulse r and the velocity u = W r + beta. The array `prepared` contains
 * the matrix W of the contact. `beta`: velocity of the contact if its own impulse
 * r is zero and the other impulses keep their values. `r`: impulse, last value on input, solution on output.
 * A contact without a local solution keeps its impulse, because an impulse of zero would prevent the convergence of neighbouring
 * contacts (docs/maths_solvers.md, misprint 12). */
void cst_local_choice_solve(const cst_local_choice *choice, int dim, uint8_t law, double mu, void *prepared, int contact,
                            const double *beta, double *r, cst_local_count *count);

#endif
