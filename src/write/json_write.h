/* Writes JSON on one line, in the order of the calls. Commas and quotes are added automatically; the caller must end each object
 * and array that it has begun. Real numbers are written with up to 17 significant digits; NaN and infinity, which do not exist in
 * JSON, become null. */
#ifndef CST_WRITE_JSON_WRITE_H
#define CST_WRITE_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cst_json_writer {
    FILE *to;
    bool comma; /* true if a value has been written at the present nesting level */
} cst_json_writer;

cst_json_writer cst_json_begin(FILE *to);

/* The argument `key` is the name of the value in a JSON object; NULL in an array or at the top level. */
void cst_json_object(cst_json_writer *json, const char *key);
void cst_json_object_end(cst_json_writer *json);
void cst_json_array(cst_json_writer *json, const char *key);
void cst_json_array_end(cst_json_writer *json);
void cst_json_text(cst_json_writer *json, const char *key, const char *value); /* UTF-8; NULL is null */
void cst_json_real(cst_json_writer *json, const char *key, double value);
void cst_json_integer(cst_json_writer *json, const char *key, int64_t value);
void cst_json_boolean(cst_json_writer *json, const char *key, bool value);
void cst_json_line_end(cst_json_writer *json); /* one record per line */

#endif
