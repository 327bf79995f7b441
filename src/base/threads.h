/* Number of threads for a loop. */
#ifndef CST_BASE_THREADS_H
#define CST_BASE_THREADS_H

#include <stdint.h>

/* Returns 1 if there are fewer items than `least`: starting the other threads takes about 10 us, more than the work itself. */
static inline int cst_threads_for(int threads, int64_t items, int64_t least)
{
    return threads > 1 && items >= least ? threads : 1;
}

#endif
