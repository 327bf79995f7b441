/* What other solvers took on the published problems: PEERS.csv (its README defines the columns). */
#ifndef CST_VALIDATE_SOLVERS_PEER_TIMES_H
#define CST_VALIDATE_SOLVERS_PEER_TIMES_H

#include <stdbool.h>
#include <stddef.h>

enum { CST_PEER_PROBLEMS = 64, CST_PEER_SOLVERS = 48, CST_PEER_LEVELS = 2 };

/* Index of a tolerance in the arrays below. */
typedef enum cst_peer_level { CST_PEER_1E6 = 0, CST_PEER_1E8 = 1 } cst_peer_level;

/* Processor seconds to reach each tolerance; NaN: it did not. */
typedef struct cst_peer_cell {
    bool there;
    bool idle; /* measured on an idle machine; otherwise uncertain by up to 2x */
    double seconds[CST_PEER_LEVELS];
    double iterations[CST_PEER_LEVELS];
} cst_peer_cell;

typedef struct cst_peer_times {
    int problems, solvers;
    char problem[CST_PEER_PROBLEMS][96];
    bool idle[CST_PEER_PROBLEMS]; /* has idle rows */
    char solver[CST_PEER_SOLVERS][32];
    cst_peer_cell cell[CST_PEER_PROBLEMS][CST_PEER_SOLVERS];
} cst_peer_times;

/* Seconds that a solver was given: what a miss counts as in a geometric mean. */
#define CST_PEER_LIMIT 4.0

/* To be freed with free(). NULL and a message if it cannot be read. */
cst_peer_times *cst_peer_times_read(const char *path, char *message, size_t message_size);

int cst_peer_problem(const cst_peer_times *times, const char *name); /* -1 if it is not there */
int cst_peer_solver(const cst_peer_times *times, const char *name);

/* The fastest on one problem: its seconds, and *who. NaN and -1 if nobody reached it. idle_only: of the clean rows. */
double cst_peer_virtual_best(const cst_peer_times *times, int problem, cst_peer_level level, bool idle_only, int *who);

typedef struct cst_peer_mean {
    int solver; /* -1: there is none */
    int solved, problems;
    double seconds; /* geometric mean, a miss counted as CST_PEER_LIMIT */
} cst_peer_mean;

/* One solver over the problems with idle rows, or over all; problems < what there are if it has no rows on some. */
cst_peer_mean cst_peer_solver_mean(const cst_peer_times *times, int solver, cst_peer_level level, bool idle_only);

/* The solver with the least geometric mean among those that have rows on every problem. */
cst_peer_mean cst_peer_best_single(const cst_peer_times *times, cst_peer_level level, bool idle_only);

#endif
