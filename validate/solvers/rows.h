/* A comparison: rows of solvers, columns of problems; each cell one solve, judged by the one residual. */
#ifndef CST_VALIDATE_SOLVERS_ROWS_H
#define CST_VALIDATE_SOLVERS_ROWS_H

#include "chart/chart.h"
#include "solvers/problem_set.h"
#include "write/csv.h"
#include "write/table.h"

typedef enum cst_row_kind { CST_ROW_LOCAL, CST_ROW_GLOBAL, CST_ROW_PEER } cst_row_kind;

typedef struct cst_bench_cell {
    bool known; /* it was run */
    bool solved;
    double error;   /* E, or the Fischer-Burmeister value if that is what the row is judged by */
    double seconds; /* processor time of the solve, set-up not counted */
    double setup;   /* the same of the set-up */
    int iterations;
    cst_status status;
} cst_bench_cell;

typedef struct cst_bench_row {
    cst_row_kind kind;
    char label[48];
    /* peers: tolerance only. Judged by Fischer-Burmeister: in the scale max |w_i| of each problem */
    cst_friction_options options;
    cst_form form; /* explicit, or how problems with bodies are swept */
    double time_limit;
    cst_bench_cell *cell; /* (problems of the set) */
    int64_t local_solves, local_failures, fallbacks;
} cst_bench_row;

typedef struct cst_bench_rows {
    const cst_problem_set *set;
    cst_bench_row *row;
    int count, room;
} cst_bench_rows;

/* A new empty row; NULL without memory. Pointers to earlier rows are no longer valid. */
cst_bench_row *cst_bench_rows_add(cst_bench_rows *rows, cst_row_kind kind, const char *label);
void cst_bench_rows_free(cst_bench_rows *rows);

/* Solves every problem with the row's options. */
void cst_bench_row_run(cst_bench_row *row, const cst_problem_set *set);

/* Siconos' NSGS, nonsmooth Newton and PROX on the 3D problems without bilateral contacts, as rows. Without Siconos no rows and a
 * message that says what to install. */
void cst_bench_rows_siconos(cst_bench_rows *rows, double tolerance, double time_limit, char *message, size_t message_size);

typedef struct cst_row_summary {
    int known, solved;
    double iterations; /* mean over the cells known, the unsolved ones with what they were given */
    double seconds;    /* mean */
    double median_error, worst_error;
} cst_row_summary;

cst_row_summary cst_bench_row_summary(const cst_bench_row *row, const cst_problem_set *set);

/* Share of problems not solved within x iterations or, by_time, x seconds, as a falling staircase that starts at x = from. */
void cst_bench_row_curve(const cst_bench_row *row, const cst_problem_set *set, bool by_time, double from, cst_chart *chart,
                         const cst_series_style *style);

/* The least that any problem took in rows that are, or are not, of the local comparison: where its curves start. */
double cst_bench_rows_least(const cst_bench_rows *rows, bool local, bool by_time);

/* One line per cell, to a file; says so, or on stderr why not. */
bool cst_bench_rows_csv(const cst_bench_rows *rows, const char *path);

#endif
