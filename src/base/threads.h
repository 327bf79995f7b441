/* Chooses the number of threads of a loop. With the macro CST_PARALLEL_FOR, a loop with one thread runs outside any OpenMP
 * parallel region.
 *
 * An OpenMP parallel region of one thread takes about 0.8 us, because libgomp makes a kernel call at the end of the region. A
 * time step of a single fiber contains more than a hundred loops that can run in parallel, and most of them take less time than
 * the kernel call at the end of a parallel region. */
#ifndef CST_BASE_THREADS_H
#define CST_BASE_THREADS_H

#include <stdint.h>

/* Returns the number of threads for a loop over `items` items. A loop over fewer than `least` items gets one thread, because
 * starting further threads takes about 10 us, which is longer than such a loop. */
static inline int cst_threads_for(int threads, int64_t items, int64_t least)
{
    return threads > 1 && items >= least ? threads : 1;
}

#define CST_PRAGMA(text) _Pragma(#text)

/* Runs a loop with `threads` threads; with one thread, the loop is an ordinary loop outside any parallel region. `clauses`:
 * clauses of the OpenMP loop, such as schedule(static). `head`: the head of the loop in parentheses, such as (int i = 0; i < n;
 * ++i). The last argument of the macro CST_PARALLEL_FOR is the body of the loop in braces. */
#define CST_PARALLEL_FOR(threads, clauses, head, ...)                 \
    do {                                                              \
        if ((threads) > 1) {                                          \
            CST_PRAGMA(omp parallel for num_threads(threads) clauses) \
            for                                                       \
                head __VA_ARGS__                                      \
        } else {                                                      \
            for                                                       \
                head __VA_ARGS__                                      \
        }                                                             \
    } while (0)

#endif
