/* Searches and insertions in sorted arrays. */
#ifndef CST_BASE_SORTED_H
#define CST_BASE_SORTED_H

#include <stdint.h>

/* Returns the index of the first number of the sorted list that is not below `value`; `count` if there is none. */
static inline int64_t cst_sorted_place(const int32_t *sorted, int64_t count, int32_t value)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the index i of the interval with knot[i] <= x < knot[i + 1]. If x is outside all intervals, returns the index of the
 * first or the last interval, whichever is nearer. */
static inline int cst_sorted_interval(const double *knot, int knots, double x)
{
    int low = 0, high = knots - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(knot[middle] <= x ? &low : &high) = middle;
    }
    return low;
}

/* Inserts the number x into the sorted list `list` of `count` numbers, which must have space for one more. Returns the new
 * count. */
static inline int cst_sorted_insert(double *list, int count, double x)
{
    int place = count;
    for (; place > 0 && list[place - 1] > x; --place)
        list[place] = list[place - 1];
    list[place] = x;
    return count + 1;
}

#endif
