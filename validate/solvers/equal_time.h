/* The exact law against a four-sided cone in equal time, problem by problem (Daviet et al. 2011, figure 7, bottom, as numbers). */
#ifndef CST_VALIDATE_SOLVERS_EQUAL_TIME_H
#define CST_VALIDATE_SOLVERS_EQUAL_TIME_H

#include "solvers/problem_set.h"

/* An answer, judged by the exact law. */
typedef struct cst_equal_answer {
    double error;   /* E */
    double angle;   /* rad, mean over the contacts that slide: friction from the direction against the slip; NaN if none does */
    double seconds; /* processor time of the solve */
    int sweeps;
} cst_equal_answer;

typedef struct cst_equal_pair {
    cst_equal_answer exact, pyramid;
} cst_equal_pair;

/* Gauss-Seidel with Fischer-Burmeister's local solver and the direct one as fail-safe, to `tolerance` on E; then with the four-sided cone for as many
 * sweeps as take the same processor time. pair: (set->count). False: interrupted, or a problem that cannot be solved at all. */
bool cst_equal_time(const cst_problem_set *set, double tolerance, int sweeps, cst_equal_pair *pair);

#endif
