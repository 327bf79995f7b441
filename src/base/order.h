/* Functions with which the callers of qsort and cst_merge_sort compare two items. They return -1, 0 or 1. */
#ifndef CST_BASE_ORDER_H
#define CST_BASE_ORDER_H

#include <stdint.h>

/* Compares two items by several keys in order: the first key that differs decides. */
static inline int cst_order_keys(const int64_t *a, const int64_t *b, int keys)
{
    int k = 0;
    while (k < keys - 1 && a[k] == b[k])
        k++;
    return (a[k] > b[k]) - (a[k] < b[k]);
}

/* Compares two items by a number, and items with the same number by their indices i and j. */
static inline int cst_order_numbers(double a, double b, int64_t i, int64_t j)
{
    if (a != b)
        return a < b ? -1 : 1;
    return (i > j) - (i < j);
}

#endif
