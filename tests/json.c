#include "tests/json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *path, *start, *at;
} reader;

static _Noreturn void fail(const reader *in, const char *what)
{
    fprintf(stderr, "%s: byte %td: %s\n", in->path, in->at - in->start, what);
    abort();
}

static void *grow(void *memory, size_t bytes)
{
    void *grown = realloc(memory, bytes);
    if (!grown)
        abort();
    return grown;
}

static void skip_space(reader *in)
{
    while (isspace((unsigned char)*in->at))
        ++in->at;
}

static char *read_string(reader *in)
{
    const char *end = ++in->at; /* after the quote */
    while (*end != '"' && *end != '\0')
        end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    if (*end == '\0')
        fail(in, "a string without end");
    char *text = grow(NULL, (size_t)(end - in->at) + 1);
    size_t length = 0;
    for (; in->at < end; ++in->at) {
        if (*in->at == '\\')
            ++in->at; /* right for quotes and backslashes; \u and the like lose their meaning, which no test needs */
        text[length++] = *in->at;
    }
    text[length] = '\0';
    ++in->at;
    return text;
}

static bool read_word(reader *in, const char *word)
{
    if (strncmp(in->at, word, strlen(word)) != 0)
        return false;
    in->at += strlen(word);
    return true;
}

static json *read_value(reader *in);

static void read_items(reader *in, json *value, char close)
{
    ++in->at;
    skip_space(in);
    while (*in->at != close) {
        char *key = NULL;
        if (value->kind == JSON_OBJECT) {
            if (*in->at != '"')
                fail(in, "expected a name");
            key = read_string(in);
            skip_space(in);
            if (*in->at++ != ':')
                fail(in, "expected a colon");
        }
        value->item = grow(value->item, (value->count + 1) * sizeof(json *));
        value->item[value->count] = read_value(in);
        value->item[value->count++]->key = key;
        skip_space(in);
        if (*in->at == ',') {
            ++in->at;
            skip_space(in);
        } else if (*in->at != close) {
            fail(in, "expected a comma or the end of the list");
        }
    }
    ++in->at;
}

static json *read_value(reader *in)
{
    json *value = grow(NULL, sizeof *value);
    *value = (json){.kind = JSON_NULL};
    skip_space(in);
    if (*in->at == '{') {
        value->kind = JSON_OBJECT;
        read_items(in, value, '}');
    } else if (*in->at == '[') {
        value->kind = JSON_ARRAY;
        read_items(in, value, ']');
    } else if (*in->at == '"') {
        value->kind = JSON_STRING;
        value->text = read_string(in);
    } else if (read_word(in, "true")) {
        value->kind = JSON_TRUE;
    } else if (read_word(in, "false")) {
        value->kind = JSON_FALSE;
    } else if (!read_word(in, "null")) {
        char *end;
        value->kind = JSON_NUMBER;
        value->number = strtod(in->at, &end);
        if (end == in->at)
            fail(in, "not a value");
        in->at = end;
    }
    return value;
}

json *json_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        abort();
    }
    char *text = NULL;
    size_t length = 0, got;
    do {
        text = grow(text, length + 65536 + 1);
        got = fread(text + length, 1, 65536, file);
        length += got;
    } while (got > 0);
    fclose(file);
    text[length] = '\0';
    reader in = {.path = path, .start = text, .at = text};
    json *value = read_value(&in);
    skip_space(&in);
    if (*in.at != '\0')
        fail(&in, "something after the end");
    free(text);
    return value;
}

json *json_read_data(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", CAPSTAN_TEST_DATA, name);
    return json_read(path);
}

void json_free(json *value)
{
    for (size_t k = 0; k < value->count; ++k)
        json_free(value->item[k]);
    free(value->item);
    free(value->text);
    free(value->key);
    free(value);
}

const json *json_find(const json *object, const char *key)
{
    for (size_t k = 0; k < object->count; ++k) {
        if (object->item[k]->key && strcmp(object->item[k]->key, key) == 0)
            return object->item[k];
    }
    return NULL;
}

const json *json_get(const json *object, const char *key)
{
    const json *found = json_find(object, key);
    if (!found) {
        fprintf(stderr, "JSON: no member '%s'\n", key);
        abort();
    }
    return found;
}

double json_number(const json *object, const char *key)
{
    const json *found = json_get(object, key);
    if (found->kind != JSON_NUMBER) {
        fprintf(stderr, "JSON: '%s' is not a number\n", key);
        abort();
    }
    return found->number;
}

const char *json_text(const json *object, const char *key)
{
    const json *found = json_get(object, key);
    if (found->kind != JSON_STRING) {
        fprintf(stderr, "JSON: '%s' is not a string\n", key);
        abort();
    }
    return found->text;
}

size_t json_numbers(const json *value, double *out, size_t limit)
{
    if (value->kind == JSON_NUMBER) {
        if (limit > 0)
            *out = value->number;
        return 1;
    }
    size_t total = 0;
    for (size_t k = 0; k < value->count; ++k)
        total += json_numbers(value->item[k], total < limit ? out + total : NULL, total < limit ? limit - total : 0);
    return total;
}
