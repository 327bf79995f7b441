/* Words and numbers of a text file, one after another; every fault says at which line and token. */
#ifndef CST_FILES_TEXT_TOKENS_H
#define CST_FILES_TEXT_TOKENS_H

#include "base/arena.h"
#include "files/fault.h"

#include <stdint.h>

typedef struct cst_tokens {
    const char *at, *end;
    int64_t line;       /* of `at`, from 1 */
    int64_t number;     /* tokens taken so far */
    const char *within; /* part of the file being read, for messages: "matrix M" */
    cst_fault *fault;
} cst_tokens;

cst_tokens cst_tokens_begin(const char *text, size_t length, cst_fault *fault);

/* A fault at the last token taken: "line 3, token 17: matrix M: " and the rest. As an expression, false. */
void cst_tokens_record(const cst_tokens *tokens, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define cst_tokens_fault(tokens, ...) (cst_tokens_record((tokens), __VA_ARGS__), false)

/* The next token must be a whole number in low .. high, a finite number, or this very word. `what` is for the message. */
bool cst_tokens_integer(cst_tokens *tokens, const char *what, int64_t low, int64_t high, int64_t *out);
bool cst_tokens_real(cst_tokens *tokens, const char *what, double *out);
bool cst_tokens_word(cst_tokens *tokens, const char *word);

/* Is the next token this word, in letters of any case? Takes nothing. */
bool cst_tokens_peek(const cst_tokens *tokens, const char *word);

/* The next token, whatever it is, as it stands in the file; fault if there is none. */
bool cst_tokens_take(cst_tokens *tokens, const char *what, const char **word, size_t *length);

/* The rest of the current line, or, if that is blank, the next line that is not; without its end. */
bool cst_tokens_line(cst_tokens *tokens, const char *what, const char **line, size_t *length);

int64_t cst_tokens_count_left(const cst_tokens *tokens);

/* A bound on what may still come, in time O(1): no more tokens than this fit in the bytes left. */
int64_t cst_tokens_most_left(const cst_tokens *tokens);

/* Fault unless `count` more tokens may come; ask before allocating for them. */
bool cst_tokens_room(const cst_tokens *tokens, const char *what, double count);

/* Zeroed, for `count` tokens that may come; NULL and a fault otherwise. */
void *cst_tokens_array(const cst_tokens *tokens, const char *what, int64_t count, size_t size, cst_arena *arena);

#endif
