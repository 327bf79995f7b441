/* Reads little-endian numbers of binary files on any machine. */
#ifndef CST_FILES_LITTLE_ENDIAN_H
#define CST_FILES_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

static inline uint32_t cst_little_unsigned(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline float cst_little_float(const unsigned char *at)
{
    const uint32_t bits = cst_little_unsigned(at);
    float out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

#endif
