/* Functions for UTF-8 that are needed to escape and to align text. */
#ifndef CST_WRITE_UTF8_H
#define CST_WRITE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define CST_UTF8_REPLACEMENT 0xFFFDu

/* Decodes the first code point of `text` (not empty) and returns its number of bytes. If the text does not begin with valid
 * UTF-8, the code point is U+FFFD and the number of bytes is 1. */
int cst_utf8_decode(const char *text, uint32_t *code);

/* Returns the number of terminal columns of a text: 0 for combining marks, 2 for wide East Asian characters and emoji. */
int cst_utf8_width(const char *text);

/* Returns the number of bytes of the longest prefix of the text that fits in `width` columns. */
size_t cst_utf8_prefix(const char *text, int width);

#endif
