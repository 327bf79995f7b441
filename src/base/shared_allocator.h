/* An allocator that calls another allocator from one thread at a time. A caller's allocator need not be thread-safe. Several
 * threads, each with its own arena, therefore call the caller's allocator through a shared allocator. */
#ifndef CST_BASE_SHARED_ALLOCATOR_H
#define CST_BASE_SHARED_ALLOCATOR_H

#include "base/lock.h"
#include "capstan/friction.h"

typedef struct cst_shared_memory {
    cst_allocator of; /* allocator that is called by one thread at a time; if zeroed, the arenas call malloc and free directly */
    cst_lock lock;
} cst_shared_memory;

static inline void *cst_shared_acquire(void *user, size_t bytes)
{
    cst_shared_memory *shared = user;
    cst_lock_take(&shared->lock);
    void *memory = shared->of.acquire(shared->of.user, bytes);
    cst_lock_give(&shared->lock);
    return memory;
}

static inline void cst_shared_release(void *user, void *memory, size_t bytes)
{
    cst_shared_memory *shared = user;
    cst_lock_take(&shared->lock);
    shared->of.release(shared->of.user, memory, bytes);
    cst_lock_give(&shared->lock);
}

/* Returns an allocator for the arenas of several threads. The struct `shared` must stay valid as long as the arenas that use its
 * allocator. */
static inline cst_allocator cst_shared_allocator(cst_shared_memory *shared, const cst_allocator *of)
{
    shared->of = *of;
    cst_lock_begin(&shared->lock);
    if (!of->acquire)
        return *of;
    return (cst_allocator){.acquire = cst_shared_acquire, .release = cst_shared_release, .user = shared};
}

#endif
