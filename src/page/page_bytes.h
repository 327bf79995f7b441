/* Collects the bytes of a data block of the HTML page (page/page_format.h). Numbers are little-endian; arrays are stored in byte
 * planes: first one byte of all values, then the next byte of all values and so on. */
#ifndef CST_PAGE_PAGE_BYTES_H
#define CST_PAGE_PAGE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cst_page_bytes {
    uint8_t *data;
    size_t count, room;
    bool failed; /* true if memory ran out; the flag stays set, and further data are ignored */
} cst_page_bytes;

void cst_page_bytes_free(cst_page_bytes *bytes);

/* Appends `count` bytes and returns a pointer to them, or NULL if memory ran out. Valid until the next call. */
uint8_t *cst_page_bytes_take(cst_page_bytes *bytes, size_t count);

void cst_page_put_u8(cst_page_bytes *bytes, uint8_t value);
void cst_page_put_u32(cst_page_bytes *bytes, uint32_t value);
void cst_page_put_f32(cst_page_bytes *bytes, float value);
void cst_page_put_f64(cst_page_bytes *bytes, double value);

/* The functions cst_page_put_integers and cst_page_put_floats write the array value[0], value[stride], ... in byte planes. Of
 * each integer, only the `planes` lowest bytes are written. A real becomes a 4-byte float, of which the `planes` highest bytes
 * are written. */
void cst_page_put_integers(cst_page_bytes *bytes, const int32_t *value, size_t count, size_t stride, int planes);
void cst_page_put_floats(cst_page_bytes *bytes, const double *value, size_t count, size_t stride, int planes);

/* Compresses the bytes with zlib, encodes them as base64 and writes them to a stream. Returns false if memory ran out or the
 * stream failed. */
bool cst_page_bytes_pack(const cst_page_bytes *bytes, cst_page_bytes *scratch, FILE *to);

#endif
