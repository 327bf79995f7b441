/* Comparisons for qsort and cst_merge_sort: -1, 0 or 1. Several keys: `if (order == 0) order = ...`. */
#ifndef CST_BASE_ORDER_H
#define CST_BASE_ORDER_H

#include <stdint.h>

static inline int cst_order_whole(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static inline int cst_order_real(double a, double b)
{
    return (a > b) - (a < b);
}

/* By the first of several keys that tells two things apart. */
static inline int cst_order_keys(const int64_t *a, const int64_t *b, int keys)
{
    int order = 0;
    for (int k = 0; order == 0 && k < keys; k++)
        order = cst_order_whole(a[k], b[k]);
    return order;
}

#endif
