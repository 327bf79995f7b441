/* How many threads a loop is worth. */
#ifndef CST_BASE_THREADS_H
#define CST_BASE_THREADS_H

#include <stdint.h>

/* One if there are fewer items than `least`: they are not worth waking the other threads for, which takes some 10 us. */
static inline int cst_threads_for(int threads, int64_t items, int64_t least)
{
    return threads > 1 && items >= least ? threads : 1;
}

#endif
