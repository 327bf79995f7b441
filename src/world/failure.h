/* Why a phase of a step failed. The phase knows the number of the body; whoever reports the failure adds its name. */
#ifndef CST_WORLD_FAILURE_H
#define CST_WORLD_FAILURE_H

#include <stdio.h>

#include "capstan/capstan.h"

typedef struct cst_failure {
    cst_status status;
    int body; /* from 0; -1: no body is to blame */
    char what[384];
} cst_failure;

/* Always false, so that a phase can return it. */
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
