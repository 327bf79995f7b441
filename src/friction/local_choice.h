/* Solves one contact of a sweep with the chosen local solver, or with the direct local solver if the chosen local solver
 * fails. */
#ifndef CST_FRICTION_LOCAL_CHOICE_H
#define CST_FRICTION_LOCAL_CHOICE_H

#include "capstan/friction.h"

typedef struct cst_local_choice {
    cst_local_solver solver;
    bool failsafe;    /* use the direct solver after a failure */
    double tolerance; /* tolerance of iterative local solvers, for the contact scaled to compliance 1 and free speed 1 */
} cst_local_choice;

typedef struct cst_local_count {
    int64_t solves, failures, fallbacks;
} cst_local_count;

/* Size in bytes, and computation, of the precomputed data of one contact with the matrix W for the direct local solver
 * (local.h). `prepared`: array over all contacts. */
size_t cst_local_prepared_size(int dim);
void cst_local_prepare(int dim, const double *W, double mu, void *prepared, int contact);

/* Solves the friction problem of one contact, whose velocity is u = W r + beta, with the precomputed matrix W. `r`: impulse,
 * last value on input, solution on output. A contact without a local solution keeps its impulse, because an impulse of zero
 * would prevent the convergence of neighbouring contacts (docs/maths_solvers.md, misprint 12). */
void cst_local_choice_solve(const cst_local_choice *choice, int dim, uint8_t law, double mu, void *prepared, int contact,
                            const double *beta, double *r, cst_local_count *count);

#endif
