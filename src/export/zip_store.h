/* A ZIP archive without compression, written from front to back but for the head of each entry, which gets its length afterwards.
 *
 * Lengths and places are 64 bits wide (ZIP64) in every entry, so that there is one way of writing, and times are constant, so that the
 * same data make the same bytes. (PKWARE, .ZIP File Format Specification, 6.3.10, sections 4.3 to 4.5.) */
#ifndef CST_EXPORT_ZIP_STORE_H
#define CST_EXPORT_ZIP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "page/page_bytes.h"

typedef struct cst_zip {
    FILE *to; /* that can be moved about in */
    uint64_t at;
    cst_page_bytes directory;
    uint64_t entries;
    /* the open entry */
    char name[64];
    uint64_t head, bytes;
    uint32_t sum;
} cst_zip;

/* Each is false with errno, or without memory. */
bool cst_zip_begin(cst_zip *zip, FILE *to);
bool cst_zip_entry(cst_zip *zip, const char *name); /* up to 63 bytes */
bool cst_zip_put(cst_zip *zip, const void *bytes, size_t count);
bool cst_zip_entry_end(cst_zip *zip);
bool cst_zip_end(cst_zip *zip);
void cst_zip_free(cst_zip *zip);

#endif
