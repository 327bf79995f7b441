/* A chain with clusters: light balls on the ground with others on them, each on two. Every tenth of the upper ones is 10,000 times as heavy: the
 * contacts above and below a light ball under it see its one motion, and a sweep leaves 0.9999 of the error in their impulses. */
#ifndef CST_TESTS_PINCHED_CHAIN_H
#define CST_TESTS_PINCHED_CHAIN_H

#include "capstan/friction.h"

/* Bodies 0 .. n lie on the ground; body n + 1 + j lies on j and j + 1. Contacts: the ground under each of the lower ones, then two for each
 * of the upper ones. All bodies move without turning. */
typedef struct cst_pinched_chain {
    cst_body_problem problem;
    cst_body *body;
    cst_contact_side *a, *b;
    double *rhs, *offset, *mu;
} cst_pinched_chain;

cst_pinched_chain cst_pinched_chain_new(int n);
void cst_pinched_chain_free(cst_pinched_chain *chain);
cst_friction_report cst_pinched_chain_solve(const cst_pinched_chain *chain, cst_form form, double tolerance, int threads,
                                            double *r);

#endif
