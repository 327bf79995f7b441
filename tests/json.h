/* A small reader of JSON for test data: the whole file as a tree. Ends the test with a message if the file is not JSON. */
#ifndef CST_TESTS_JSON_H
#define CST_TESTS_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json {
    json_kind kind;
    double number;
    char *text;         /* STRING */
    char *key;          /* name of this member, in an object */
    size_t count;       /* ARRAY, OBJECT */
    struct json **item; /* (count) */
} json;

/* Reads CAPSTAN_TEST_DATA/name. */
json *json_read_data(const char *name);
json *json_read(const char *path);
void json_free(json *value);

/* Member of an object; NULL if absent. */
const json *json_find(const json *object, const char *key);

/* Member that must be there. */
const json *json_get(const json *object, const char *key);
double json_number(const json *object, const char *key);
const char *json_text(const json *object, const char *key);

/* All numbers of nested arrays in order, into out (limit long). Returns how many there are. */
size_t json_numbers(const json *value, double *out, size_t limit);

#endif
