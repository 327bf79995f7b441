/* How values and places spread over a run: for scales of colours, lengths of arrows and cameras. */
#ifndef CST_CACHE_SPREAD_H
#define CST_CACHE_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

enum { CST_SPREAD_BINS = 1024 };

/* Zero it, add, finish. */
typedef struct cst_spread {
    double largest; /* of absolute values */
    /* Of those above a millionth of the largest, half are not above the middle and 98% not above what is typical, to a tenth. */
    double middle, typical;
    bool negative; /* some are below zero */
    int64_t bin[CST_SPREAD_BINS];
} cst_spread;

void cst_spread_add(cst_spread *spread, double value); /* what is not finite is left out */
void cst_spread_finish(cst_spread *spread);

/* Zero it, add. */
typedef struct cst_bounds {
    bool any;
    double low[3], high[3];
} cst_bounds;

void cst_bounds_add(cst_bounds *box, const double *point, double radius);
void cst_bounds_join(cst_bounds *box, const cst_bounds *other);

#endif
