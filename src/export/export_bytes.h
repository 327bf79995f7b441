/* Collects the bytes of a binary file (numbers and text) in memory before the file is written, with the functions of
 * page/page_bytes.h. */
#ifndef CST_EXPORT_EXPORT_BYTES_H
#define CST_EXPORT_EXPORT_BYTES_H

#include <string.h>

#include "page/page_bytes.h"

static inline void cst_export_put_i32(cst_page_bytes *bytes, int32_t value)
{
    cst_page_put_u32(bytes, (uint32_t)value);
}

static inline void cst_export_put_u64(cst_page_bytes *bytes, uint64_t value)
{
    cst_page_put_u32(bytes, (uint32_t)value);
    cst_page_put_u32(bytes, (uint32_t)(value >> 32));
}

static inline void cst_export_put_i64(cst_page_bytes *bytes, int64_t value)
{
    cst_export_put_u64(bytes, (uint64_t)value);
}

static inline void cst_export_put_floats(cst_page_bytes *bytes, const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cst_page_put_f32(bytes, (float)value[i]);
}

static inline void cst_export_put_text(cst_page_bytes *bytes, const char *text)
{
    const size_t length = strlen(text);
    uint8_t *to = cst_page_bytes_take(bytes, length);
    if (to)
        memcpy(to, text, length);
}

#endif
