/* A lock for the few things that threads of one call share: memory of the caller, a callback. It lies in the data of the call, where a
 * named critical section of OpenMP would be a global. Held for short: whoever waits spins. */
#ifndef CST_BASE_LOCK_H
#define CST_BASE_LOCK_H

#include <stdatomic.h>

typedef struct cst_lock {
    atomic_flag held;
} cst_lock;

static inline void cst_lock_begin(cst_lock *lock)
{
    atomic_flag_clear(&lock->held);
}

static inline void cst_lock_take(cst_lock *lock)
{
    while (atomic_flag_test_and_set_explicit(&lock->held, memory_order_acquire))
        ;
}

static inline void cst_lock_give(cst_lock *lock)
{
    atomic_flag_clear_explicit(&lock->held, memory_order_release);
}

#endif
