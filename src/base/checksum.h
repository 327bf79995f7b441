/* Has a block of bytes come back as it was written? CRC-64 (polynomial of ECMA-182, reflected, as in xz): every burst of up to 64
 * wrong bits is found. No protection against intent. */
#ifndef CST_BASE_CHECKSUM_H
#define CST_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from `before`, 0 at the start: the checksum of two pieces in a row is that of both together. */
uint64_t cst_checksum(uint64_t before, const void *bytes, size_t count);

#endif
