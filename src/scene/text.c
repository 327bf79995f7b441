#include "scene/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(cst_text *text, size_t more)
{
    if (text->length + more + 1 <= text->room)
        return true;
    size_t room = 2 * text->room + more + 64;
    char *at = CST_TAKE_RAW(text->arena, char, room);
    if (!at)
        return false;
    if (text->length)
        memcpy(at, text->at, text->length);
    at[text->length] = '\0';
    text->at = at;
    text->room = room;
    return true;
}

void cst_text_add_bytes(cst_text *text, const char *bytes, size_t count)
{
    if (!make_room(text, count))
        return;
    memcpy(text->at + text->length, bytes, count);
    text->length += count;
    text->at[text->length] = '\0';
}

void cst_text_add(cst_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length <= 0 || !make_room(text, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(text->at + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void cst_text_add_number(cst_text *text, double number)
{
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    cst_text_add_bytes(text, digits, strlen(digits));
}

const char *cst_text_all(const cst_text *text)
{
    return text->at ? text->at : "";
}
