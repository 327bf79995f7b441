#include "page/page_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void cst_page_bytes_free(cst_page_bytes *bytes)
{
    free(bytes->data);
    *bytes = (cst_page_bytes){0};
}

uint8_t *cst_page_bytes_take(cst_page_bytes *bytes, size_t count)
{
    if (bytes->failed)
        return NULL;
    if (count > bytes->room - bytes->count) {
        size_t room = bytes->room + bytes->room / 2 + count + 4096;
        uint8_t *data = room > bytes->room ? realloc(bytes->data, room) : NULL;
        if (!data) {
            bytes->failed = true;
            return NULL;
        }
        bytes->data = data;
        bytes->room = room;
    }
    uint8_t *at = bytes->data + bytes->count;
    bytes->count += count;
    return at;
}

static void put(cst_page_bytes *bytes, uint64_t value, int count)
{
    uint8_t *to = cst_page_bytes_take(bytes, (size_t)count);
    for (int i = 0; to && i < count; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

void cst_page_put_u8(cst_page_bytes *bytes, uint8_t value)
{
    put(bytes, value, 1);
}

void cst_page_put_u32(cst_page_bytes *bytes, uint32_t value)
{
    put(bytes, value, 4);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void cst_page_put_f32(cst_page_bytes *bytes, float value)
{
    put(bytes, float_bits(value), 4);
}

void cst_page_put_f64(cst_page_bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bytes, bits, 8);
}

void cst_page_put_integers(cst_page_bytes *bytes, const int32_t *value, size_t count, size_t stride, int planes)
{
    uint8_t *to = cst_page_bytes_take(bytes, count * (size_t)planes);
    for (int plane = 0; to && plane < planes; plane++, to += count)
        for (size_t i = 0; i < count; i++)
            to[i] = (uint8_t)((uint32_t)value[i * stride] >> (8 * plane));
}

void cst_page_put_floats(cst_page_bytes *bytes, const double *value, size_t count, size_t stride, int planes)
{
    uint8_t *to = cst_page_bytes_take(bytes, count * (size_t)planes);
    for (int plane = 4 - planes; to && plane < 4; plane++, to += count)
        for (size_t i = 0; i < count; i++)
            to[i] = (uint8_t)(float_bits((float)value[i * stride]) >> (8 * plane));
}

/* ------------------------------------------------------------------------------------------------------------------ text */

static bool write_base64(const uint8_t *data, size_t count, FILE *to)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { GROUPS = 4096 };
    char text[4 * GROUPS];
    for (size_t at = 0; at < count;) {
        size_t written = 0;
        for (int group = 0; group < GROUPS && at < count; group++, at += 3) {
            uint32_t three = (uint32_t)data[at] << 16;
            if (at + 1 < count)
                three |= (uint32_t)data[at + 1] << 8;
            if (at + 2 < count)
                three |= data[at + 2];
            text[written++] = digit[three >> 18];
            text[written++] = digit[three >> 12 & 63];
            text[written++] = at + 1 < count ? digit[three >> 6 & 63] : '=';
            text[written++] = at + 2 < count ? digit[three & 63] : '=';
        }
        if (fwrite(text, 1, written, to) != written)
            return false;
    }
    return true;
}

bool cst_page_bytes_pack(const cst_page_bytes *bytes, cst_page_bytes *scratch, FILE *to)
{
    if (bytes->failed)
        return false;
    scratch->count = 0;
    uLongf packed = compressBound((uLong)bytes->count);
    uint8_t *into = cst_page_bytes_take(scratch, packed);
    static const uint8_t nothing;
    return into && compress2(into, &packed, bytes->count > 0 ? bytes->data : &nothing, (uLong)bytes->count, 6) == Z_OK &&
           write_base64(into, packed, to);
}
