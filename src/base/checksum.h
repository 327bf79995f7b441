/* Checksum that detects changed data: CRC-64 (polynomial of ECMA-182, reflected, as in xz). The checksum detects every burst
 * of up to 64 wrong bits. The checksum is no protection against deliberate changes. */
#ifndef CST_BASE_CHECKSUM_H
#define CST_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Continues the checksum `before` (0 at the start), so that data in several parts have the same checksum as the whole. */
uint64_t cst_checksum(uint64_t before, const void *bytes, size_t count);

#endif
