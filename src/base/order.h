/* Comparisons for qsort and cst_merge_sort, which return -1, 0 or 1. */
#ifndef CST_BASE_ORDER_H
#define CST_BASE_ORDER_H

#include <stdint.h>

/* Compares two items by the first of several keys that differs. */
static inline int cst_order_keys(const int64_t *a, const int64_t *b, int keys)
{
    int k = 0;
    while (k < keys - 1 && a[k] == b[k])
        k++;
    return (a[k] > b[k]) - (a[k] < b[k]);
}

#endif
