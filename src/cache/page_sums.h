/* Checksums of the pages of a file, kept in pages of their own behind it.
 *
 *     magic | bytes of the file | pages | sum of each page (32 bits) | zeros up to a multiple of a page, less 8 bytes | CRC-64
 *
 * All numbers have the least significant byte first. A page is known by its place: two pages that are swapped are found as surely
 * as a bit that is flipped. HDF5 ignores what lies behind the end that its superblock names, so every HDF5 program reads such a
 * file as if the sums were not there; the same end tells where the sums begin.
 *
 * The sum of a page is zlib's CRC-32: it finds every burst of up to 32 wrong bits, and misses other damage once in 4e9 times. The
 * sums take a thousandth of the file. */
#ifndef CST_CACHE_PAGE_SUMS_H
#define CST_CACHE_PAGE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CST_PAGE = 4096 };

typedef struct cst_page_sums {
    uint32_t *sum; /* (pages) */
    size_t pages, room;
} cst_page_sums;

uint32_t cst_page_sum(const uint8_t *page);

/* Keeps the first sums; new ones are 0. False without memory: as it was. */
bool cst_page_sums_resize(cst_page_sums *sums, size_t pages);
void cst_page_sums_free(cst_page_sums *sums);

/* Pages that a file of so many bytes has, and pages that their sums take. */
size_t cst_pages_of(uint64_t bytes);
size_t cst_page_sums_pages(size_t pages);

/* out: cst_page_sums_pages(sums->pages) pages. */
void cst_page_sums_encode(const cst_page_sums *sums, uint64_t file_bytes, uint8_t *out);

/* Whether a page that stands where the sums of a file of so many bytes begin may be their first one. */
bool cst_page_sums_begin(const uint8_t *first_page, uint64_t file_bytes);

/* False without memory, or if they are not as they were written: *sums is empty. */
bool cst_page_sums_decode(cst_page_sums *sums, uint64_t file_bytes, const uint8_t *from);

/* The end of the file that the superblock of HDF5 (its version 2 or 3, at the start of the file) names. */
bool cst_superblock_end(const uint8_t *first_page, uint64_t *end);

#endif
