/* Checksums of the pages of an HDF5 file, stored in separate pages after the last page of HDF5 data. The checksum pages begin
 * with a magic number, the size of the HDF5 data in bytes, and the number of pages of the HDF5 data. The checksum pages then
 * contain the 32-bit checksum of each page of the HDF5 data. The last 8 bytes of the last checksum page are the CRC-64 of all
 * bytes of the checksum pages before them; the space between the checksums and these 8 bytes is filled with zeros.
 *
 * All numbers are little-endian. The checksums are stored in the order of the pages, so that two swapped pages are detected as
 * damage. The superblock of an HDF5 file contains the end address of its data. HDF5 ignores all bytes behind the end address,
 * where the checksums begin, so every HDF5 program can read a file with checksums.
 *
 * The checksum of a page is the CRC-32 of zlib, which detects every burst of up to 32 wrong bits, and fails to detect other
 * damage with a probability of 1 in 4e9. The checksums take a thousandth of the file's size. */
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

/* Changes the number of pages: pages that remain keep their checksums, and new pages get the checksum 0. If memory ran out,
 * returns false and changes no checksum. */
bool cst_page_sums_resize(cst_page_sums *sums, size_t pages);
void cst_page_sums_free(cst_page_sums *sums);

/* The function cst_pages_of returns the number of pages of a file of `bytes` bytes. The function cst_page_sums_pages returns the
 * number of pages in which the checksums of `pages` pages are stored. */
size_t cst_pages_of(uint64_t bytes);
size_t cst_page_sums_pages(size_t pages);

/* out: cst_page_sums_pages(sums->pages) pages. */
void cst_page_sums_encode(const cst_page_sums *sums, uint64_t file_bytes, uint8_t *out);

/* Returns true if the magic number and the sizes at the start of `first_page` fit a file with `file_bytes` bytes of HDF5 data. */
bool cst_page_sums_begin(const uint8_t *first_page, uint64_t file_bytes);

/* Returns false, with no checksums in *sums, if memory ran out or the stored checksums are damaged. */
bool cst_page_sums_decode(cst_page_sums *sums, uint64_t file_bytes, const uint8_t *from);

/* Reads the end address of the HDF5 data from the superblock (version 2 or 3) at the start of the file. */
bool cst_superblock_end(const uint8_t *first_page, uint64_t *end);

#endif
