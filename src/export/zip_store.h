/* Writes a ZIP archive without compression. The ZIP file is written sequentially, except that the length and the checksum in the
 * header of each entry are filled in after its data.
 *
 * Lengths and offsets have 64 bits (ZIP64) in every entry, so that small and large archives need no different code. All entries
 * have the same date and time, so that equal data give equal bytes. The ZIP format is specified in PKWARE, .ZIP File Format
 * Specification, 6.3.10, sections 4.3 to 4.5. */
#ifndef CST_EXPORT_ZIP_STORE_H
#define CST_EXPORT_ZIP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "page/page_bytes.h"

typedef struct cst_zip {
    FILE *to; /* must be seekable */
    uint64_t at;
    cst_page_bytes directory;
    uint64_t entries;
    /* the open entry */
    char name[64];
    uint64_t head, bytes;
    uint32_t sum;
} cst_zip;

/* The functions of this header return false if writing failed (errno is then set) or if memory ran out. */
bool cst_zip_begin(cst_zip *zip, FILE *to);
bool cst_zip_entry(cst_zip *zip, const char *name); /* up to 63 bytes */
bool cst_zip_put(cst_zip *zip, const void *bytes, size_t count);
bool cst_zip_entry_end(cst_zip *zip);
bool cst_zip_end(cst_zip *zip);
void cst_zip_free(cst_zip *zip);

#endif
