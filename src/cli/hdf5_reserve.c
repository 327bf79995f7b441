/* A memory reserve for HDF5.
 *
 * HDF5 1.10 does not survive a failed allocation. In a test without a memory reserve, one allocation was made to fail in each of
 * 200 processes: 102 processes crashed, nearly all inside HDF5, and in 5 others HDF5 called exit(255). Checks outside HDF5 cannot
 * prevent this. The program `capstan` therefore replaces malloc. If an allocation fails while HDF5 is active (between
 * cst_h5_silence and cst_h5_restore), the allocation is served from a memory reserve. With memory from the reserve, HDF5 finishes
 * its call normally. The function cst_h5_starved tells the caller that an allocation failed, and the caller stops using the file.
 * After the first failed allocation inside HDF5, the reserve serves every further failed allocation of the same thread, also
 * during the cleanup of HDF5 at process exit. Before the first failed allocation inside HDF5, an allocation that fails outside
 * HDF5 returns NULL as usual, and Capstan's own code handles this.
 *
 * The memory reserve is part of the program `capstan` on Linux, not of the library, because a library must not replace a
 * program's malloc. Builds with a sanitizer do not use the memory reserve, because a sanitizer has a malloc of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/hdf5_memory.h"

#define SEEN __attribute__((visibility("default")))

/* Size of the reserve in bytes. A memory reserve of 16 MiB is enough for the 1,000 failed allocations of the test
 * validate/scenes/failed_allocations.py. The chunks of a cache file have at most 100 kB, so that the reserve has space for many
 * chunks. Large scenes were not tested. An unused reserve takes no memory. */
enum { RESERVE = 16 << 20, ALIGN = 16 };

typedef struct block {
    size_t bytes; /* with this header */
    size_t used;
} block;

static alignas(ALIGN) uint8_t reserve[RESERVE];
static size_t ready; /* number of bytes at the start of the memory reserve that are already divided into blocks */
static int begun;    /* 1: all libraries are initialised */
static _Thread_local int inside;
static _Thread_local int starved;

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int looking;
} next;

/* -------------------------------------------------------------------------------------------------------------- reserve */

static int is_ours(const void *at)
{
    return (uintptr_t)at >= (uintptr_t)reserve && (uintptr_t)at < (uintptr_t)reserve + RESERVE;
}

static block *block_at(size_t at)
{
    return (block *)(void *)(reserve + at);
}

/* Takes the first free block of the reserve that has at least `bytes` bytes, and returns its memory. The search joins
 * neighbouring free blocks. No lock is needed, because only one thread is ever inside HDF5. */
static void *take(size_t bytes)
{
    if (bytes > RESERVE / 2)
        return NULL;
    const size_t wanted = (bytes + sizeof(block) + ALIGN - 1) / ALIGN * ALIGN;
    for (size_t at = 0; at < ready; at += block_at(at)->bytes) {
        block *own = block_at(at);
        while (!own->used && at + own->bytes < ready && !block_at(at + own->bytes)->used)
            own->bytes += block_at(at + own->bytes)->bytes;
        if (own->used || own->bytes < wanted)
            continue;
        if (own->bytes >= wanted + 2 * sizeof(block)) {
            *block_at(at + wanted) = (block){own->bytes - wanted, 0};
            own->bytes = wanted;
        }
        own->used = 1;
        return own + 1;
    }
    if (wanted > RESERVE - ready)
        return NULL;
    block *fresh = block_at(ready);
    *fresh = (block){wanted, 1};
    ready += wanted;
    return fresh + 1;
}

static size_t size_of(void *at)
{
    return is_ours(at) ? ((block *)at - 1)->bytes - sizeof(block) : malloc_usable_size(at);
}

static void *fall_back(size_t bytes)
{
    if (begun && !inside && !starved)
        return NULL;
    starved = 1;
    return take(bytes);
}

/* --------------------------------------------------------------------------------------------------------------- malloc */

/* Finds the allocation functions of the system with dlsym. If dlsym itself allocates memory, its request is served from the
 * memory reserve. */
static int found(void)
{
    if (next.free)
        return 1;
    if (next.looking)
        return 0;
    next.looking = 1;
    *(void **)&next.malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&next.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&next.free = dlsym(RTLD_NEXT, "free");
    return 1;
}

SEEN void *malloc(size_t bytes)
{
    if (!found())
        return take(bytes);
    void *at = next.malloc(bytes);
    return at ? at : fall_back(bytes);
}

SEEN void *calloc(size_t count, size_t bytes)
{
    void *at = found() ? next.calloc(count, bytes) : NULL;
    if (at || (bytes > 0 && count > SIZE_MAX / bytes))
        return at;
    at = next.free ? fall_back(count * bytes) : take(count * bytes);
    return at ? memset(at, 0, count * bytes) : NULL;
}

SEEN void free(void *at)
{
    const int error = errno;
    if (is_ours(at))
        ((block *)at - 1)->used = 0;
    else if (at && found())
        next.free(at);
    errno = error;
}

SEEN void *realloc(void *old, size_t bytes)
{
    void *at = is_ours(old) || !found() ? NULL : next.realloc(old, bytes);
    if (at || (old && bytes == 0 && !is_ours(old)))
        return at;
    if (is_ours(old) && found())
        at = next.malloc(bytes);
    if (!at)
        at = fall_back(bytes);
    if (!at || !old)
        return at;
    const size_t before = size_of(old);
    memcpy(at, old, before < bytes ? before : bytes);
    free(old);
    return at;
}

/* ----------------------------------------------------------------------------------------------------------------- hdf5 */

/* Called after all libraries are initialised. */
__attribute__((constructor)) static void begin(void)
{
    begun = 1;
}

void cst_h5_enter(void)
{
    inside++;
}

void cst_h5_leave(void)
{
    inside--;
}

bool cst_h5_was_starved(void)
{
    return starved;
}
