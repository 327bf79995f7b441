/* Random body problems of every kind for the tests of the forms, with the dense algebra that judges them. */
#ifndef CST_TESTS_BODY_PROBLEMS_H
#define CST_TESTS_BODY_PROBLEMS_H

#include "base/arena.h"
#include "base/rng.h"
#include "capstan/friction.h"

enum {
    TEST_DENSE = 1,
    TEST_BAND = 2,
    TEST_SOLVE = 4,
    TEST_NODAL = 8,
    TEST_REDUCED = TEST_DENSE | TEST_BAND | TEST_SOLVE,
    TEST_ALL = TEST_REDUCED | TEST_NODAL
};

typedef struct test_bodies_options {
    int dim, kinds, bodies, contacts;
    double mu;        /* < 0: varied, a quarter of them 0 */
    double bilateral; /* share of bilateral contacts */
    bool one_node;    /* contacts touch one node per side through a rotation (nodal bodies only) */
    bool same_body;   /* some contacts have both sides on one body */
    double stiffness; /* of nodal bodies and bands, relative to the mass; 0: 3 */
    int nodes;        /* of a nodal body; 0: 6 to 12 */
} test_bodies_options;

typedef struct test_bodies {
    cst_body_problem problem; /* feasible: v = 0 separates every contact (bilateral ones rest) */
    int dofs;
    int *offset;         /* (bodies + 1) */
    double *A;           /* (dofs x dofs) all bodies, dense */
    double *H;           /* (dim contacts x dofs) */
    double *W, *w;       /* explicit problem by dense elimination */
    int solve_calls;     /* of SOLVE bodies; count with one thread */
    int defect_calls;    /* the same for defect, if test_bodies_lend was called */
    double solve_factor; /* SOLVE bodies answer so many times A^-1 x, if not 0 */
    int blind_dof;       /* > 0: SOLVE bodies do not move their dof blind_dof - 1 */
    int solve_failing;   /* > 0: that call and all later ones fail */
    cst_arena arena;
} test_bodies;

test_bodies *test_bodies_make(uint64_t seed, const test_bodies_options *options);
void test_bodies_free(test_bodies *made);

/* Factors of DENSE and BAND bodies are lent from now on, and SOLVE bodies multiply. factor[b] (or NULL) can be written. */
void test_bodies_lend(test_bodies *made, double **factor);

/* x <- A^-1 x by elimination with partial pivoting; A (size x size) is kept. */
void test_dense_solve(int size, const double *A, int columns, double *x);

#endif
