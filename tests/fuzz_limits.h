/* For the fuzz targets: an allocator that ends the run if a reader asks for more than its input could justify, and plays out of
 * memory to the conversions, whose results may rightly be larger than the input. */
#ifndef CST_TESTS_FUZZ_LIMITS_H
#define CST_TESTS_FUZZ_LIMITS_H

#include "exchange/problem_file.h"

#include <stdlib.h>

typedef struct fuzz_limits {
    cst_allocator allocator;
    size_t held, most;
    bool reading;
} fuzz_limits;

static inline void *fuzz_acquire(void *user, size_t bytes)
{
    fuzz_limits *limits = user;
    if (bytes > limits->most - limits->held) {
        if (limits->reading)
            abort();
        return NULL;
    }
    limits->held += bytes;
    return malloc(bytes);
}

static inline void fuzz_release(void *user, void *memory, size_t bytes)
{
    fuzz_limits *limits = user;
    limits->held -= bytes;
    free(memory);
}

/* Read an image of `bytes` bytes, use it in every way there is, and give everything back. */
static inline void fuzz_read(const void *image, size_t bytes, size_t most_while_reading)
{
    fuzz_limits limits = {.most = most_while_reading, .reading = true};
    limits.allocator = (cst_allocator){fuzz_acquire, fuzz_release, &limits};
    char message[256];
    cst_problem_file *file = cst_problem_file_read_image("fuzz", image, bytes, &limits.allocator, message, sizeof message);
    if (!file && message[0] == '\0')
        abort(); /* refused without a word */
    if (file) {
        limits.reading = false;
        limits.most += (size_t)1 << 25;
        cst_body_problem bodies;
        cst_problem_file_bodies(file, &bodies, message, sizeof message);
        cst_problem_file_condense(file, message, sizeof message);
        cst_problem_file_free(file);
    }
    if (limits.held != 0)
        abort();
}

#endif
