/* The distribution of values and the bounding box of positions over a run: for colour scales, arrow lengths and cameras. */
#ifndef CST_CACHE_SPREAD_H
#define CST_CACHE_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

enum { CST_SPREAD_BINS = 1024 };

/* Zero it, add, finish. */
typedef struct cst_spread {
    double largest; /* of absolute values */
    /* `middle` is the median and `typical` the 98th percentile of the absolute values; both ignore values whose magnitude is
     * below a millionth of the largest. The median and the percentile are computed from a histogram and are accurate to 10 %. */
    double middle, typical;
    bool negative; /* some values are below zero */
    int64_t bin[CST_SPREAD_BINS];
} cst_spread;

/* adds a value to the distribution; values that are not finite are ignored */
void cst_spread_add(cst_spread *spread, double value);
void cst_spread_finish(cst_spread *spread);

/* Zero it, add. */
typedef struct cst_bounds {
    bool any;
    double low[3], high[3];
} cst_bounds;

void cst_bounds_add(cst_bounds *box, const double *point, double radius);
void cst_bounds_join(cst_bounds *box, const cst_bounds *other);

#endif
