/* Siconos (Debian's python3-siconos) as a peer in our benchmarks, through validate/solvers/siconos_rows.py in a process of its own.
 *
 * The interpreter is $CAPSTAN_PYTHON or /usr/bin/python3, which is where Debian's packages are. */
#ifndef CST_VALIDATE_SOLVERS_SICONOS_PEER_H
#define CST_VALIDATE_SOLVERS_SICONOS_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include "capstan/friction.h"

typedef enum cst_siconos_goal {
    CST_SICONOS_ITERATIONS, /* so many iterations */
    CST_SICONOS_ERROR,      /* the fewest iterations that bring E to the value */
    CST_SICONOS_FB          /* the same with the published measure */
} cst_siconos_goal;

typedef struct cst_siconos_job {
    const cst_friction_problem *problem;
    const char *solver; /* nsgs, nsn_ac, prox */
    cst_siconos_goal goal;
    bool scaled; /* the problem of the published comparison: W symmetrised, mean diagonal 1, max |w_i| = 1 */
    double value;
    double limit; /* seconds before the job is given up, searching included */
    /* answers */
    char status[32]; /* "ok", or what went wrong */
    int iterations;
    double seconds; /* processor time of the one run that did it */
    double *r;      /* (contacts x dim), to be freed; NULL unless "ok". Judge it with cst_friction_residual */
} cst_siconos_job;

/* false and a message why not: no interpreter, no Siconos, no script. */
bool cst_siconos_available(char *message, size_t message_size);

/* Runs all jobs, in order. false and a message if nothing could be run. */
bool cst_siconos_run(cst_siconos_job *job, int count, char *message, size_t message_size);

void cst_siconos_free(cst_siconos_job *job, int count); /* the answers */

#endif
