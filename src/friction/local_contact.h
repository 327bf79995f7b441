/* Local solver of single contacts, for Gauss-Seidel sweeps without a Delassus matrix. The local solver finds the impulse r of a
 * contact from its matrix W and its velocity beta for r = 0. */
#ifndef CST_FRICTION_LOCAL_CONTACT_H
#define CST_FRICTION_LOCAL_CONTACT_H

#include "base/arena.h"
#include "friction/local_choice.h"

typedef struct cst_local_contacts {
    int dim;
    cst_local_choice choice;
    double *mu;     /* (count) */
    uint8_t *law;   /* (count) */
    void *prepared; /* array (count): precomputed data of each contact for the direct local solver */
    cst_local_count count;
} cst_local_contacts;

/* Returns false if memory ran out. */
bool cst_local_contacts_begin(cst_local_contacts *contacts, const cst_body_problem *problem, const cst_friction_options *options,
                              cst_arena *arena);

void cst_local_contact_set(cst_local_contacts *contacts, int contact, const double *W);

/* `r`: the impulse; on input its last value, on output the solution. If the local problem has no solution, `r` does not
 * change. */
void cst_local_contact_solve(cst_local_contacts *contacts, int contact, const double *beta, double *r);

#endif
