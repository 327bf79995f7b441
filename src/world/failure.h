/* The reason why a phase of a step failed. The failed phase gives only the index of the body concerned; the function that reports
 * the failure adds the name of the body. */
#ifndef CST_WORLD_FAILURE_H
#define CST_WORLD_FAILURE_H

#include <stdio.h>

#include "capstan/capstan.h"

typedef struct cst_failure {
    cst_status status;
    int body; /* index of the body; -1: none */
    char what[384];
} cst_failure;

/* Fills in `failure` and returns false, so that a function that fails can end with "return cst_fail(...)". */
static inline bool cst_fail(cst_failure *failure, cst_status status, int body, const char *what)
{
    failure->status = status;
    failure->body = body;
    snprintf(failure->what, sizeof failure->what, "%s", what);
    return false;
}

static inline bool cst_fail_memory(cst_failure *failure)
{
    return cst_fail(failure, CST_OUT_OF_MEMORY, -1, "out of memory");
}

#endif
