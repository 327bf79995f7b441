/* What the tests of whole friction problems share: explicit problems that own their arrays, a judge written from the formulas of
 * the law alone, and random problems with a known answer that is the only one. */
#ifndef CST_TESTS_FRICTION_FIXTURE_H
#define CST_TESTS_FRICTION_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "capstan/friction.h"
#include "sanitized.h"

/* ------------------------------------------------------------------------------------------------------------- problems */

/* A problem whose arrays can be written. `problem` points to them. */
typedef struct owned_problem {
    cst_friction_problem problem;
    int64_t *row_start;
    int32_t *column;
    double *block;
    double *free_velocity;
    double *mu;
    uint8_t *law;
} owned_problem;

/* Zeroed arrays for so many contacts and blocks; all laws Coulomb. Running out of memory ends the test. */
owned_problem problem_new(int dim, int contacts, int64_t blocks);
void problem_free(owned_problem *owned);

/* From dense W (dim n x dim n, row-major), blocks of zeros left out unless diagonal. w, mu and law (may be NULL) are copied. */
owned_problem problem_from_dense(int dim, int contacts, const double *W, const double *w, const double *mu, const uint8_t *law);
owned_problem problem_copy(const cst_friction_problem *problem);

/* The diagonal block of a contact. */
double *problem_diagonal(const owned_problem *owned, int contact);

/* Contacts of `a`, then those of `b`, not coupled. */
owned_problem problem_side_by_side(const cst_friction_problem *a, const cst_friction_problem *b);

/* u = W r + w. */
void problem_velocities(const cst_friction_problem *problem, const double *r, double *u);

/* calloc that ends the test when there is no memory. */
double *new_doubles(size_t count);

/* Bit by bit: NaN equals itself, and zeros of different signs differ. */
bool same_bits(const double *a, const double *b, size_t count);

/* ---------------------------------------------------------------------------------------------------------------- judge */

typedef struct verdict {
    double alart_curnier; /* E: max_i |f_AC|; infinite as soon as anything is not finite */
    double natural;       /* max_i |r' - P_K(r' - u~')| */
    double V;
    int worst; /* contact where E is attained; -1 if there is none */
} verdict;

/* From the formulas of docs/notation.md, in extended precision. scale > 0 overrides V. */
verdict judge(const cst_friction_problem *problem, const double *r, double scale);

/* max_i |a_i - b_i| / V over contacts, V as the judge takes it. */
double velocity_distance(const cst_friction_problem *problem, const double *a, const double *b);
/* max_i w_i |a_i - b_i| / V. */
double impulse_distance(const cst_friction_problem *problem, const double *a, const double *b);

/* -------------------------------------------------------------------------------------------------------- known answers */

typedef struct known_problem {
    owned_problem owned;
    double *r, *u; /* (n x dim) the answer */
} known_problem;

typedef struct known_shape {
    int dim, contacts;
    double bilateral;   /* share of bilateral contacts */
    double spread;      /* contacts are rescaled by factors in 1/spread .. spread: 1 for none */
    bool natural_order; /* contact i coupled with i +- 1, +- 2, rather than with any others */
} known_shape;

/* W = D (I + S) D with S symmetric, its rows' absolute sums below 1/2, hence cond(I + S) < 3, and mu < 0.3: r -> P_K(r - rho u~) is
 * then a contraction in the scaled variables (|I - rho A| + rho mu |A| < 1 for rho = 2/(m + M) as soon as mu < m/M), so the answer
 * drawn is the only one. D = s_i I per contact: the law is homogeneous and does not see it. All cases of the law are drawn, the
 * edges between them and mu = 0 too. */
known_problem known_unique(uint64_t seed, known_shape shape);
void known_free(known_problem *known);

/* (r, u) in the law of mu, drawn at random with magnitudes about 1. */
void draw_in_law(cst_rng *rng, int dim, double mu, bool bilateral, double *r, double *u);

/* -------------------------------------------------------------------------------------------------------------- solving */

typedef struct outcome {
    cst_friction_report report;
    double *r, *u; /* (n x dim) */
} outcome;

/* From r = 0. */
outcome solve_with(const cst_friction_problem *problem, cst_solver solver, double tolerance, int max_iterations);
outcome solve_with_options(const cst_friction_problem *problem, const cst_friction_options *options);
void outcome_free(outcome *out);

/* Fails, with names and numbers, unless the report says solved and the judge of this file agrees. */
#define assert_solved(problem, out, tolerance, name) check_solved(problem, out, tolerance, name, __FILE__, __LINE__)
void check_solved(const cst_friction_problem *problem, const outcome *out, double tolerance, const char *name, const char *file,
                  int line);

#endif
