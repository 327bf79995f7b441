/* Solves one contact of a sweep with the chosen local solver, and with the direct solver if the chosen local solver fails. */
#ifndef CST_FRICTION_LOCAL_CHOICE_H
#define CST_FRICTION_LOCAL_CHOICE_H

#include "capstan/friction.h"

typedef struct cst_local_choice {
    cst_local_solver solver;
    bool failsafe;    /* true: if the chosen local solver fails, the direct local solver is used */
    double tolerance; /* tolerance of iterative local solvers, relative to the contact's own scale */
} cst_local_choice;

typedef struct cst_local_count {
    int64_t solves, failures, fallbacks;
} cst_local_count;

/* Precomputed data of all contacts for the direct local solver (local.h), in one array. The function cst_local_prepared_size
 * returns the size in bytes of the precomputed data of one contact for the direct solver, and cst_local_prepare computes these
 * data. */
size_t cst_local_prepared_size(int dim);
void cst_local_prepare(int dim, const double *W, double mu, void *prepared, int contact);

/* Solves the friction problem of one contact, whose velocity is u = W r + beta; the entry `contact` of the array `prepared` holds
 * its precomputed data for the direct solver. `r`: the impulse of the contact; on input its last value, on output the solution.
 * If a contact has no local solution, it keeps its impulse, because setting the impulse to zero would prevent convergence of its
 * neighbours (docs/maths_solvers.md, misprint 12). */
void cst_local_choice_solve(const cst_local_choice *choice, int dim, uint8_t law, double mu, void *prepared, int contact,
                            const double *beta, double *r, cst_local_count *count);

#endif
