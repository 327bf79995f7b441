/* Requests the cache lines of an object before the object is used. A prefetch changes no result. The address may be invalid; the
 * prefetch then does nothing. */
#ifndef CST_BASE_PREFETCH_H
#define CST_BASE_PREFETCH_H

#include <stddef.h>

static inline void cst_prefetch(const void *from, size_t bytes)
{
    enum { LINE = 64 };
    for (size_t at = 0; at < bytes; at += LINE)
        __builtin_prefetch((const char *)from + at);
}

#endif
