#include "write/utf8.h"

int cst_utf8_decode(const char *text, uint32_t *code)
{
    /* smallest code point for each number of bytes; a code point below it has an overlong encoding, which is not valid
     * UTF-8 */
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)text[0];
    if (lead < 0x80) {
        *code = lead;
        return 1;
    }
    int bytes = lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
    uint32_t value = bytes ? lead & (0xFFu >> (bytes + 1)) : 0;
    for (int i = 1; i < bytes; i++) {
        /* the terminating zero is not a continuation byte, so no byte after it is read */
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80) {
            bytes = 0;
            break;
        }
        value = value << 6 | (next & 0x3Fu);
    }
    if (bytes == 0 || value < least[bytes] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
        *code = CST_UTF8_REPLACEMENT;
        return 1;
    }
    *code = value;
    return bytes;
}

static int code_width(uint32_t code)
{
    if (code < 0x20 || (code >= 0x7f && code < 0xa0))
        return 0;
    if ((code >= 0x300 && code < 0x370) || (code >= 0x200B && code <= 0x200F) || (code >= 0x20D0 && code < 0x2100) ||
        (code >= 0xFE00 && code < 0xFE10))
        return 0;
    if ((code >= 0x1100 && code < 0x1160) || (code >= 0x2E80 && code < 0xA4D0) || (code >= 0xAC00 && code < 0xD7A4) ||
        (code >= 0xF900 && code < 0xFB00) || (code >= 0xFE30 && code < 0xFE70) || (code >= 0xFF00 && code < 0xFF61) ||
        (code >= 0x1F300 && code < 0x1F650) || (code >= 0x1F900 && code < 0x1FA00) || (code >= 0x20000 && code < 0x3FFFE))
        return 2;
    return 1;
}

int cst_utf8_width(const char *text)
{
    int width = 0;
    while (*text) {
        uint32_t code;
        text += cst_utf8_decode(text, &code);
        width += code_width(code);
    }
    return width;
}

size_t cst_utf8_prefix(const char *text, int width)
{
    size_t bytes = 0;
    while (text[bytes]) {
        uint32_t code;
        int step = cst_utf8_decode(text + bytes, &code);
        width -= code_width(code);
        if (width < 0)
            break;
        bytes += (size_t)step;
    }
    return bytes;
}
