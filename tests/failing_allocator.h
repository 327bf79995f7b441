/* An allocator that fails after a given number of allocations, for the tests in which each allocation fails in turn. */
#ifndef CST_TESTS_FAILING_ALLOCATOR_H
#define CST_TESTS_FAILING_ALLOCATOR_H

#include <stdlib.h>

#include "capstan/friction.h"

static inline void *fixture_acquire(void *user, size_t bytes)
{
    int *left = user;
    return (*left)-- > 0 ? malloc(bytes) : NULL;
}

static inline void fixture_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

/* Makes an allocator whose allocations succeed *left times. After a failed allocation, *left is negative. */
static inline cst_allocator fixture_failing_allocator(int *left)
{
    return (cst_allocator){.acquire = fixture_acquire, .release = fixture_release, .user = left};
}

#endif
