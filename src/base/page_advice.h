/* Allocates large blocks of memory and advises the system to use large pages. On systems without the advice MADV_HUGEPAGE (for
 * example macOS, WASM, Windows), a large block of memory is allocated with malloc. */
#ifndef CST_BASE_PAGE_ADVICE_H
#define CST_BASE_PAGE_ADVICE_H

#include <stddef.h>
#include <stdlib.h>

#if defined(__unix__) && !defined(__EMSCRIPTEN__) && !defined(__wasm__)
#include <sys/mman.h>
#endif

#ifdef MADV_HUGEPAGE
/* Large blocks are read sequentially. Large pages reduce the page faults at the first use of a block and the address translations
 * later. */
static inline void *cst_large_block(size_t bytes)
{
    const size_t page = (size_t)1 << 21, rounded = (bytes + page - 1) / page * page;
    void *memory = rounded >= bytes ? aligned_alloc(page, rounded) : NULL;
    if (memory)
        (void)madvise(memory, rounded, MADV_HUGEPAGE); /* a failure has no effect */
    return memory;
}
#else
static inline void *cst_large_block(size_t bytes)
{
    return malloc(bytes);
}
#endif

#endif
