/* A stable sort that allocates no memory: qsort of a C library may call malloc, which a time step must avoid. */
#ifndef CST_BASE_MERGE_SORT_H
#define CST_BASE_MERGE_SORT_H

#include <stddef.h>

/* Sorts `count` items of `size` bytes each; the array `scratch` has the same size as the array `items`. `compare` is as for
 * qsort. If the input is sorted, the function makes `count` - 1 comparisons and moves no item. */
void cst_merge_sort(void *items, void *scratch, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
