/* A stable sort that takes no memory of its own: qsort of a C library may call malloc, and a warm step must not. */
#ifndef CST_BASE_MERGE_SORT_H
#define CST_BASE_MERGE_SORT_H

#include <stddef.h>

/* count items of `size` bytes each, with room for as many in scratch. compare as for qsort. What is sorted already costs one
 * pass. */
void cst_merge_sort(void *items, void *scratch, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
