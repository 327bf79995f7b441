/* Just enough UTF-8 to escape and to align text. */
#ifndef CST_WRITE_UTF8_H
#define CST_WRITE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define CST_UTF8_REPLACEMENT 0xFFFDu

/* The code point that `text` (not empty) starts with, and how many bytes it takes: 1 and U+FFFD where it is not UTF-8. */
int cst_utf8_decode(const char *text, uint32_t *code);

/* Columns that a terminal gives to the text: 0 for combining marks, 2 for wide East Asian characters and emoji. */
int cst_utf8_width(const char *text);

/* Bytes of the longest prefix that fits in `width` columns. */
size_t cst_utf8_prefix(const char *text, int width);

#endif
