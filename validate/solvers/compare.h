/* The comparisons of Daviet et al. 2011, section 7.3, on any set of problems: local solvers within Gauss-Seidel, then global solvers, as rows; and
 * the charts of the share unsolved (their figure 11). */
#ifndef CST_VALIDATE_SOLVERS_COMPARE_H
#define CST_VALIDATE_SOLVERS_COMPARE_H

#include "solvers/rows.h"

/* The four-sided pyramid is another law: it is asked for no more than the paper asks of it. */
#define CST_PYRAMID_TOLERANCE 5e-2

typedef struct cst_comparison {
    double tolerance;
    bool fischer_burmeister; /* judged as published, in the scale max |w_i|; otherwise by E */
    double time_limit;       /* s, of one solve */
    int sweeps;              /* of the local comparison, at most */
    int max_iterations;      /* of the global one */
} cst_comparison;

/* Adds a row for each local solver, alone and with the direct one as fail-safe, and runs it. */
void cst_compare_local(cst_bench_rows *rows, const cst_comparison *how);

/* The same for each global solver. */
void cst_compare_global(cst_bench_rows *rows, const cst_comparison *how);

/* DIRECTORY/unsolved_local, and DIRECTORY/unsolved_by_time or _by_iterations. False: not written. */
bool cst_chart_local(const cst_bench_rows *rows, const cst_comparison *how, const char *directory);
bool cst_chart_global(const cst_bench_rows *rows, const cst_comparison *how, bool by_time, const char *directory);

#endif
