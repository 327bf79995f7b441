#include "write/json_write.h"

#include <inttypes.h>
#include <math.h>

#include "write/utf8.h"

cst_json_writer cst_json_begin(FILE *to)
{
    return (cst_json_writer){.to = to};
}

/* Writes a quoted string. Bytes that are not valid UTF-8 (a file name can contain any bytes) become U+FFFD, because a JSON reader
 * would reject a line that contains such bytes. */
static void quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (const char *at = text; *at;) {
        uint32_t code;
        int bytes = cst_utf8_decode(at, &code);
        if (code == '"' || code == '\\')
            fprintf(to, "\\%c", (char)code);
        else if (code == '\n')
            fputs("\\n", to);
        else if (code == '\t')
            fputs("\\t", to);
        else if (code < 0x20 || code == 0x7f)
            fprintf(to, "\\u%04x", (unsigned)code);
        else if (code == CST_UTF8_REPLACEMENT)
            fputs("\\ufffd", to);
        else
            fwrite(at, 1, (size_t)bytes, to);
        at += bytes;
    }
    fputc('"', to);
}

static void begin_value(cst_json_writer *json, const char *key)
{
    if (json->comma)
        fputs(", ", json->to);
    json->comma = true;
    if (key) {
        quoted(json->to, key);
        fputs(": ", json->to);
    }
}

static void open_level(cst_json_writer *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->to);
    json->comma = false;
}

static void close_level(cst_json_writer *json, char bracket)
{
    fputc(bracket, json->to);
    json->comma = true;
}

void cst_json_object(cst_json_writer *json, const char *key)
{
    open_level(json, key, '{');
}

void cst_json_object_end(cst_json_writer *json)
{
    close_level(json, '}');
}

void cst_json_array(cst_json_writer *json, const char *key)
{
    open_level(json, key, '[');
}

void cst_json_array_end(cst_json_writer *json)
{
    close_level(json, ']');
}

void cst_json_text(cst_json_writer *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value)
        quoted(json->to, value);
    else
        fputs("null", json->to);
}

void cst_json_real(cst_json_writer *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value))
        fprintf(json->to, "%.17g", value);
    else
        fputs("null", json->to);
}

void cst_json_integer(cst_json_writer *json, const char *key, int64_t value)
{
    begin_value(json, key);
    fprintf(json->to, "%" PRId64, value);
}

void cst_json_boolean(cst_json_writer *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->to);
}

void cst_json_line_end(cst_json_writer *json)
{
    fputc('\n', json->to);
    json->comma = false;
}
