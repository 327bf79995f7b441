/* Writes PNG (ISO/IEC 15948) with 8 bits for each of red, green and blue. Each row is stored with one of three filters: its
 * bytes, the differences to the pixel on the left, or the differences to the pixel above. The chosen filter is the one with the
 * smallest sum of the absolute values of the filtered bytes, as the PNG standard recommends. */
#include "render/png_write.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum { PIXEL_BYTES = 3, FILTERS = 3 }; /* FILTERS: number of PNG filters that are tried (none, left, above) */

static void put_number(unsigned char *to, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        to[k] = (unsigned char)(value >> (24 - 8 * k));
}

static bool put_chunk(FILE *to, const char *name, const unsigned char *bytes, size_t count)
{
    unsigned char head[8], tail[4];
    put_number(head, (uint32_t)count);
    memcpy(head + 4, name, 4);
    uLong sum = crc32(crc32(0, head + 4, 4), bytes, (uInt)count);
    put_number(tail, (uint32_t)sum);
    return fwrite(head, 1, 8, to) == 8 && (count == 0 || fwrite(bytes, 1, count, to) == count) && fwrite(tail, 1, 4, to) == 4;
}

static size_t magnitude(const unsigned char *bytes, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += bytes[i] < 128 ? bytes[i] : 256u - bytes[i];
    return sum;
}

/* `row`: receives the number of the filter and then the filtered bytes, 1 + `bytes` bytes in total. `trial`: as long. `above`:
 * zeros for the first row. */
static void filter_row(const unsigned char *plain, const unsigned char *above, size_t bytes, unsigned char *trial,
                       unsigned char *row)
{
    size_t best = SIZE_MAX;
    for (int filter = 0; filter < FILTERS; filter++) {
        trial[0] = (unsigned char)filter;
        for (size_t i = 0; i < bytes; i++) {
            unsigned char from = filter == 1 ? (i >= PIXEL_BYTES ? plain[i - PIXEL_BYTES] : 0) : filter == 2 ? above[i] : 0;
            trial[1 + i] = (unsigned char)(plain[i] - from);
        }
        size_t size = magnitude(trial + 1, bytes);
        if (size < best) {
            best = size;
            memcpy(row, trial, bytes + 1);
        }
    }
}

static void filter(const uint32_t *pixel, int width, int height, unsigned char *plain, unsigned char *rows)
{
    size_t bytes = PIXEL_BYTES * (size_t)width;
    unsigned char *now = plain, *above = plain + bytes, *trial = plain + 2 * bytes;
    memset(above, 0, bytes);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint32_t colour = pixel[(size_t)y * (size_t)width + (size_t)x];
            for (int c = 0; c < PIXEL_BYTES; c++)
                now[PIXEL_BYTES * (size_t)x + (size_t)c] = (unsigned char)(colour >> (16 - 8 * c));
        }
        filter_row(now, above, bytes, trial, rows + (size_t)y * (bytes + 1));
        unsigned char *swapped = now;
        now = above;
        above = swapped;
    }
}

bool cst_png_write(FILE *to, const uint32_t *pixel, int width, int height)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    size_t bytes = PIXEL_BYTES * (size_t)width, whole = (bytes + 1) * (size_t)height;
    uLongf packed_bytes = compressBound((uLong)whole);
    unsigned char *plain = malloc(3 * bytes + 1), *rows = malloc(whole), *packed = malloc(packed_bytes), head[13] = {0};
    put_number(head, (uint32_t)width);
    put_number(head + 4, (uint32_t)height);
    head[8] = 8; /* bits */
    head[9] = 2; /* red, green, blue */
    bool good = plain && rows && packed;
    if (good) {
        filter(pixel, width, height, plain, rows);
        good = compress2(packed, &packed_bytes, rows, (uLong)whole, 6) == Z_OK && packed_bytes <= INT32_MAX &&
               fwrite(signature, 1, 8, to) == 8 && put_chunk(to, "IHDR", head, sizeof head) &&
               put_chunk(to, "IDAT", packed, packed_bytes) && put_chunk(to, "IEND", head, 0);
    }
    free(plain);
    free(rows);
    free(packed);
    return good;
}
