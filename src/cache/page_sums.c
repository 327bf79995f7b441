#include "cache/page_sums.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/checksum.h"

static const char sums_magic[8] = "CSTSUMS1";

enum { HEADER = 24, FOOTER = 8, SUM = 4 };

static void put_little(uint8_t *to, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++)
        to[k] = (uint8_t)(value >> (8 * k));
}

static uint64_t little(const uint8_t *from, int bytes)
{
    uint64_t value = 0;
    for (int k = 0; k < bytes; k++)
        value |= (uint64_t)from[k] << (8 * k);
    return value;
}

uint32_t cst_page_sum(const uint8_t *page)
{
    return (uint32_t)crc32(0, page, CST_PAGE);
}

bool cst_page_sums_resize(cst_page_sums *sums, size_t pages)
{
    if (pages > sums->room) {
        size_t room = pages + pages / 2 + 64;
        uint32_t *sum = realloc(sums->sum, room * sizeof *sum);
        if (!sum)
            return false;
        sums->sum = sum;
        sums->room = room;
    }
    if (pages > sums->pages)
        memset(sums->sum + sums->pages, 0, (pages - sums->pages) * sizeof *sums->sum);
    sums->pages = pages;
    return true;
}

void cst_page_sums_free(cst_page_sums *sums)
{
    free(sums->sum);
    *sums = (cst_page_sums){0};
}

size_t cst_pages_of(uint64_t bytes)
{
    return (size_t)(bytes / CST_PAGE + (bytes % CST_PAGE != 0));
}

size_t cst_page_sums_pages(size_t pages)
{
    return cst_pages_of(HEADER + (uint64_t)pages * SUM + FOOTER);
}

void cst_page_sums_encode(const cst_page_sums *sums, uint64_t file_bytes, uint8_t *out)
{
    const size_t bytes = cst_page_sums_pages(sums->pages) * CST_PAGE;
    memset(out, 0, bytes);
    memcpy(out, sums_magic, sizeof sums_magic);
    put_little(out + 8, file_bytes, 8);
    put_little(out + 16, sums->pages, 8);
    for (size_t k = 0; k < sums->pages; k++)
        put_little(out + HEADER + SUM * k, sums->sum[k], SUM);
    put_little(out + bytes - FOOTER, cst_checksum(0, out, bytes - FOOTER), FOOTER);
}

bool cst_page_sums_begin(const uint8_t *first_page, uint64_t file_bytes)
{
    return memcmp(first_page, sums_magic, sizeof sums_magic) == 0 && little(first_page + 8, 8) == file_bytes &&
           little(first_page + 16, 8) == cst_pages_of(file_bytes);
}

bool cst_page_sums_decode(cst_page_sums *sums, uint64_t file_bytes, const uint8_t *from)
{
    const size_t pages = cst_pages_of(file_bytes), bytes = cst_page_sums_pages(pages) * CST_PAGE;
    *sums = (cst_page_sums){0};
    if (!cst_page_sums_begin(from, file_bytes) ||
        little(from + bytes - FOOTER, FOOTER) != cst_checksum(0, from, bytes - FOOTER) || !cst_page_sums_resize(sums, pages))
        return false;
    for (size_t k = 0; k < pages; k++)
        sums->sum[k] = (uint32_t)little(from + HEADER + SUM * k, SUM);
    return true;
}

bool cst_superblock_end(const uint8_t *first_page, uint64_t *end)
{
    static const uint8_t signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    enum { VERSION = 8, OFFSET_BYTES = 9, BASE = 12, END = 28 };
    const uint8_t version = first_page[VERSION];
    if (memcmp(first_page, signature, sizeof signature) != 0 || (version != 2 && version != 3) || first_page[OFFSET_BYTES] != 8 ||
        little(first_page + BASE, 8) != 0)
        return false;
    *end = little(first_page + END, 8);
    return true;
}
