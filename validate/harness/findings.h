/* What checks found: each figure beside its reference and its tolerance. */
#ifndef CST_VALIDATE_HARNESS_FINDINGS_H
#define CST_VALIDATE_HARNESS_FINDINGS_H

#include <stdbool.h>

typedef struct cst_checked_figure {
    char check[32];        /* "cantilever" */
    char figure[160];      /* "tip, x over the length" */
    double ours;           /* NaN: the figure is an error itself */
    double reference;      /* NaN: likewise */
    double error;          /* what the tolerance is about */
    double least, largest; /* error must lie between them */
    bool met;
} cst_checked_figure;

typedef struct cst_findings {
    cst_checked_figure *item;
    int count, room;
    bool failed; /* out of memory: some are missing */
} cst_findings;

void cst_findings_add(cst_findings *findings, const cst_checked_figure *item);
void cst_findings_free(cst_findings *findings);

/* All of them as a table on standard output; the number that is not met. */
int cst_findings_print(const cst_findings *findings);

/* The same as CSV. false with a message. */
bool cst_findings_write(const cst_findings *findings, const char *path, char *message, int message_size);

#endif
