/* Explicit vector operations on eight floats, because compilers do not vectorise loops with comparisons. SIMD vectors are passed
 * by address, because the calling convention for vectors passed by value depends on the processor. */
#ifndef CST_COLLIDE_EIGHT_LANES_H
#define CST_COLLIDE_EIGHT_LANES_H

#include <stdint.h>
#include <string.h>

/* Inlines a function into each processor-specific version of its caller (base/simd.h), so that the function is compiled for the
 * same processor. */
#define CST_LANES_INLINE inline __attribute__((always_inline))

typedef float cst_lanes __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t cst_lane_bits __attribute__((vector_size(32), may_alias));

static CST_LANES_INLINE const cst_lanes *cst_lanes_at(const float *x)
{
    return (const cst_lanes *)x;
}

/* Returns an integer whose bit i is set if entry i of the vector `which` is not zero. */
static CST_LANES_INLINE uint32_t cst_lanes_set(const cst_lane_bits *which)
{
    const cst_lane_bits each = {1, 2, 4, 8, 16, 32, 64, 128}, chosen = *which & each;
    uint64_t part[4];
    memcpy(part, &chosen, sizeof part);
    const uint64_t both = (part[0] | part[1]) | (part[2] | part[3]);
    return (uint32_t)(both | both >> 32);
}

#endif
