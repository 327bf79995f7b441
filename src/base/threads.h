/* Number of threads for a loop. */
#ifndef CST_BASE_THREADS_H
#define CST_BASE_THREADS_H

#include <stdint.h>

/* Returns the number of threads for a loop over `items` items. A loop of fewer than `least` items gets one thread, because
 * starting more threads takes about 10 us, longer than the loop itself. */
static inline int cst_threads_for(int threads, int64_t items, int64_t least)
{
    return threads > 1 && items >= least ? threads : 1;
}

#endif
