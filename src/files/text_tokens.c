#include "files/text_tokens.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TOKEN_LENGTH = 64 }; /* a number in the supported formats has at most 32 characters */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

cst_tokens cst_tokens_begin(const char *text, size_t length, cst_fault *fault)
{
    return (cst_tokens){.at = text, .end = text + length, .line = 1, .within = "header", .fault = fault};
}

void cst_tokens_record(const cst_tokens *tokens, const char *format, ...)
{
    char what[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    cst_fault_record(tokens->fault, "line %lld, token %lld: %s: %s", (long long)tokens->line, (long long)tokens->number,
                     tokens->within, what);
}

static void skip_blanks(cst_tokens *tokens)
{
    for (; tokens->at < tokens->end && is_blank(*tokens->at); tokens->at++)
        tokens->line += *tokens->at == '\n';
}

bool cst_tokens_take(cst_tokens *tokens, const char *what, const char **word, size_t *length)
{
    skip_blanks(tokens);
    tokens->number++;
    if (tokens->at == tokens->end)
        return cst_tokens_fault(tokens, "the file ends where %s should be", what);
    *word = tokens->at;
    while (tokens->at < tokens->end && !is_blank(*tokens->at))
        tokens->at++;
    *length = (size_t)(tokens->at - *word);
    return true;
}

/* Copies the next token to `out`. A token that is too long or contains unprintable characters is a fault. */
static bool next_token(cst_tokens *tokens, const char *what, char out[TOKEN_LENGTH])
{
    const char *start;
    size_t length;
    if (!cst_tokens_take(tokens, what, &start, &length))
        return false;
    bool whole = length < TOKEN_LENGTH;
    length = whole ? length : TOKEN_LENGTH - 1;
    for (size_t k = 0; k < length; k++) {
        bool printable = start[k] > ' ' && start[k] <= '~';
        whole = whole && printable;
        out[k] = printable ? start[k] : '?';
    }
    out[length] = '\0';
    return whole || cst_tokens_fault(tokens, "\"%s\" is not %s", out, what);
}

bool cst_tokens_integer(cst_tokens *tokens, const char *what, int64_t low, int64_t high, int64_t *out)
{
    char text[TOKEN_LENGTH], *rest;
    if (!next_token(tokens, what, text))
        return false;
    errno = 0;
    long long value = strtoll(text, &rest, 10);
    if (*rest != '\0')
        return cst_tokens_fault(tokens, "\"%s\" is not a whole number: %s was expected", text, what);
    if (errno == ERANGE || value < low || value > high)
        return cst_tokens_fault(tokens, "%s is %s, outside %lld .. %lld", what, text, (long long)low, (long long)high);
    *out = value;
    return true;
}

bool cst_tokens_real(cst_tokens *tokens, const char *what, double *out)
{
    char text[TOKEN_LENGTH], *rest;
    if (!next_token(tokens, what, text))
        return false;
    *out = strtod(text, &rest);
    if (*rest != '\0')
        return cst_tokens_fault(tokens, "\"%s\" is not a number: %s was expected", text, what);
    if (!isfinite(*out))
        return cst_tokens_fault(tokens, "%s is %s: not a finite number", what, text);
    return true;
}

bool cst_tokens_word(cst_tokens *tokens, const char *word)
{
    char text[TOKEN_LENGTH], what[TOKEN_LENGTH];
    snprintf(what, sizeof what, "\"%s\"", word);
    if (!next_token(tokens, what, text))
        return false;
    return strcmp(text, word) == 0 || cst_tokens_fault(tokens, "\"%s\" where \"%s\" should be", text, word);
}

bool cst_tokens_peek(const cst_tokens *tokens, const char *word)
{
    cst_tokens ahead = *tokens;
    const size_t length = strlen(word);
    skip_blanks(&ahead);
    return (size_t)(ahead.end - ahead.at) >= length && strncasecmp(ahead.at, word, length) == 0 &&
           (ahead.at + length == ahead.end || is_blank(ahead.at[length]));
}

bool cst_tokens_line(cst_tokens *tokens, const char *what, const char **line, size_t *length)
{
    skip_blanks(tokens);
    tokens->number++;
    if (tokens->at == tokens->end)
        return cst_tokens_fault(tokens, "the file ends where %s should be", what);
    *line = tokens->at;
    while (tokens->at < tokens->end && *tokens->at != '\n')
        tokens->at++;
    *length = (size_t)(tokens->at - *line);
    return true;
}

int64_t cst_tokens_count_left(const cst_tokens *tokens)
{
    int64_t count = 0;
    bool inside = false;
    for (const char *at = tokens->at; at < tokens->end; at++) {
        bool blank = is_blank(*at);
        count += !blank && !inside;
        inside = !blank;
    }
    return count;
}

int64_t cst_tokens_most_left(const cst_tokens *tokens)
{
    return (tokens->end - tokens->at + 1) / 2;
}

bool cst_tokens_room(const cst_tokens *tokens, const char *what, double count)
{
    return count <= (double)cst_tokens_most_left(tokens) ||
           cst_tokens_fault(tokens, "%s asks for %.0f values, and only %lld bytes follow", what, count,
                            (long long)(tokens->end - tokens->at));
}

void *cst_tokens_array(const cst_tokens *tokens, const char *what, int64_t count, size_t size, cst_arena *arena)
{
    if (!cst_tokens_room(tokens, what, (double)count))
        return NULL;
    void *array = cst_arena_take(arena, (size_t)count, size);
    if (!array)
        cst_fault_record_memory(tokens->fault);
    return array;
}
