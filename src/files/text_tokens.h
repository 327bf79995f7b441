/* Reads words and numbers of a text file one after another; every fault in the text gives the line and the token. */
#ifndef CST_FILES_TEXT_TOKENS_H
#define CST_FILES_TEXT_TOKENS_H

#include "base/arena.h"
#include "files/fault.h"

#include <stdint.h>

typedef struct cst_tokens {
    const char *at, *end;
    int64_t line;       /* line of `at`, from 1 */
    int64_t number;     /* tokens taken so far */
    const char *within; /* part of the file that is being read, for messages: "matrix M", for example */
    cst_fault *fault;
} cst_tokens;

cst_tokens cst_tokens_begin(const char *text, size_t length, cst_fault *fault);

/* Records a fault with the place of the token that was read last ("line 3, token 17: matrix M: "), followed by the formatted
 * text. The macro cst_tokens_fault records a fault and is an expression with the value false. */
void cst_tokens_record(const cst_tokens *tokens, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define cst_tokens_fault(tokens, ...) (cst_tokens_record((tokens), __VA_ARGS__), false)

/* The functions cst_tokens_integer, cst_tokens_real and cst_tokens_word read the next token of the text. cst_tokens_integer
 * requires an integer from `low` to `high`, cst_tokens_real a finite number, and cst_tokens_word the word `word`. `what` is for
 * the message. */
bool cst_tokens_integer(cst_tokens *tokens, const char *what, int64_t low, int64_t high, int64_t *out);
bool cst_tokens_real(cst_tokens *tokens, const char *what, double *out);
bool cst_tokens_word(cst_tokens *tokens, const char *word);

/* Returns true if the next token of the text is `word`, ignoring case. Takes nothing. */
bool cst_tokens_peek(const cst_tokens *tokens, const char *word);

/* Reads the next token of the text without any check of its contents. Records a fault if the text has no token left. */
bool cst_tokens_take(cst_tokens *tokens, const char *what, const char **word, size_t *length);

/* Reads the rest of the current line, without the line end; if the rest is blank, reads the next line that is not blank. */
bool cst_tokens_line(cst_tokens *tokens, const char *what, const char **line, size_t *length);

int64_t cst_tokens_count_left(const cst_tokens *tokens);

/* Returns an upper bound for the number of remaining tokens, computed from the number of remaining bytes in O(1) time. */
int64_t cst_tokens_most_left(const cst_tokens *tokens);

/* Records a fault if the rest of the file is too short to contain `count` tokens. Call cst_tokens_room before allocating
 * memory for the tokens. */
bool cst_tokens_room(const cst_tokens *tokens, const char *what, double count);

/* Allocates an array of `count` entries in the memory pool `arena`, sets it to zero and returns it. Returns NULL and records a
 * fault if the rest of the file is too short to contain `count` tokens, or if memory ran out. */
void *cst_tokens_array(const cst_tokens *tokens, const char *what, int64_t count, size_t size, cst_arena *arena);

#endif
