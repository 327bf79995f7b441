/* A spin lock for data that the threads of one call of the library share, such as the caller's allocator or a callback. Each
 * call of the library has its own lock, whereas a named critical section of OpenMP would be shared by all calls. The lock must
 * be held only briefly, because waiting threads spin. */
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
