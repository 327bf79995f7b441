#include "base/merge_sort.h"

#include <string.h>

/* Merges the sorted runs [first, middle) and [middle, end) of `items`. */
static void merge(char *items, char *scratch, size_t first, size_t middle, size_t end, size_t size,
                  int (*compare)(const void *, const void *))
{
    if (compare(items + (middle - 1) * size, items + middle * size) <= 0)
        return;
    const size_t left = middle - first;
    memcpy(scratch, items + first * size, left * size);
    size_t a = 0, b = middle, to = first;
    while (a < left && b < end) {
        if (compare(scratch + a * size, items + b * size) <= 0)
            memcpy(items + to++ * size, scratch + a++ * size, size);
        else
            memcpy(items + to++ * size, items + b++ * size, size);
    }
    memcpy(items + to * size, scratch + a * size, (left - a) * size);
}

void cst_merge_sort(void *items, void *scratch, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    for (size_t run = 1; run < count; run *= 2)
        for (size_t first = 0; first + run < count; first += 2 * run) {
            const size_t end = first + 2 * run < count ? first + 2 * run : count;
            merge(items, scratch, first, first + run, end, size, compare);
        }
}
