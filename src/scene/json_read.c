#include "scene/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/c_locale.h"

typedef struct reader {
    const char *at, *end;
    int line, column; /* of `at` */
    char *room;       /* buffer for decoded strings; with their terminating zeros, they are never longer than the input */
    const cst_source *source;
    cst_mistakes *mistakes;
    int depth;
} reader;

typedef struct place {
    int line, column;
} place;

static place here(const reader *from)
{
    return (place){from->line, from->column};
}

/* Reports an error at the place `where` of the text. Returns NULL. */
__attribute__((format(printf, 3, 4))) static cst_json *wrong_at(const reader *from, place where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cst_mistake_list(from->mistakes, from->source, where.line, where.column, "", format, arguments);
    va_end(arguments);
    return NULL;
}

#define wrong(from, ...) wrong_at((from), here(from), __VA_ARGS__)

static void advance(reader *from)
{
    unsigned char c = (unsigned char)*from->at++;
    if (c == '\n') {
        from->line++;
        from->column = 1;
    } else if ((c & 0xC0) != 0x80) { /* a character counts as one column, however many bytes it has in UTF-8 */
        from->column++;
    }
}

static int peek(const reader *from)
{
    return from->at < from->end ? (unsigned char)*from->at : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

enum { FOUND_LENGTH = 40 };

/* Describes the next characters of the input for a message: a word, the beginning of a text, a character, or the end. */
static const char *found(const reader *from, char out[FOUND_LENGTH])
{
    int c = peek(from);
    size_t length = 0;
    while (length < FOUND_LENGTH - 8 && from->at + length < from->end && is_word(from->at[length]))
        length++;
    size_t quoted = 1;
    while (c == '"' && quoted < FOUND_LENGTH - 8 && from->at + quoted < from->end && is_word(from->at[quoted]))
        quoted++;
    if (c < 0)
        snprintf(out, FOUND_LENGTH, "the end of the text");
    else if (quoted > 1)
        snprintf(out, FOUND_LENGTH, "%.*s%s", (int)quoted, from->at,
                 from->at + quoted < from->end && from->at[quoted] == '"' ? "\"" : "...");
    else if (length > 0)
        snprintf(out, FOUND_LENGTH, "%.*s", (int)length, from->at);
    else if (c > ' ' && c < 0x7F)
        snprintf(out, FOUND_LENGTH, "%c", c);
    else
        snprintf(out, FOUND_LENGTH, c < 0x80 ? "a control character" : "a character outside texts");
    return out;
}

/* Returns the number of bytes of the UTF-8 character at `at`, or 0 if it is not valid: for example an overlong form, a surrogate,
 * or a code point beyond U+10FFFF. */
static size_t sequence_length(const char *at, const char *end)
{
    unsigned char c = (unsigned char)at[0];
    if (c < 0x80)
        return 1;
    size_t length = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (length == 0 || (size_t)(end - at) < length)
        return 0;
    for (size_t k = 1; k < length; k++)
        if (((unsigned char)at[k] & 0xC0) != 0x80)
            return 0;
    unsigned char second = (unsigned char)at[1];
    bool odd = (c == 0xE0 && second < 0xA0) || (c == 0xED && second > 0x9F) || (c == 0xF0 && second < 0x90) ||
               (c == 0xF4 && second > 0x8F);
    return odd ? 0 : length;
}

static bool check_encoding(reader from)
{
    while (from.at < from.end) {
        size_t length = sequence_length(from.at, from.end);
        if (length == 0) {
            wrong(&from, "byte 0x%02X is not UTF-8: save the file in that encoding", (unsigned char)*from.at);
            return false;
        }
        for (; length > 0; length--)
            advance(&from);
    }
    return true;
}

/* Skips blanks and comments. Returns false if a comment in the text has no end. */
static bool skip(reader *from)
{
    for (;;) {
        int c = peek(from);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            advance(from);
        } else if (c == '/' && from->at + 1 < from->end && from->at[1] == '/') {
            while (peek(from) >= 0 && peek(from) != '\n')
                advance(from);
        } else if (c == '/' && from->at + 1 < from->end && from->at[1] == '*') {
            place start = here(from);
            advance(from);
            advance(from);
            while (!(peek(from) == '*' && from->at + 1 < from->end && from->at[1] == '/')) {
                if (peek(from) < 0) {
                    wrong_at(from, start, "this comment does not end: */ was expected");
                    return false;
                }
                advance(from);
            }
            advance(from);
            advance(from);
        } else {
            return true;
        }
    }
}

static int hex_digit(int c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads four hexadecimal digits. Returns -1 if digits are missing. */
static int read_unit(reader *from)
{
    int unit = 0;
    for (int k = 0; k < 4; k++) {
        int digit = hex_digit(peek(from));
        if (digit < 0)
            return -1;
        unit = 16 * unit + digit;
        advance(from);
    }
    return unit;
}

static char *put_character(char *to, int code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* Reads the character that follows "\u" as one UTF-16 unit, or as a surrogate pair of two such units. Returns NULL on an
 * error. */
static char *read_unicode(reader *from, place start, char *to)
{
    int code = read_unit(from);
    if (code < 0) {
        wrong_at(from, start, "\\u is followed by four hexadecimal digits");
        return NULL;
    }
    if (code >= 0xD800 && code < 0xDC00) {
        int low = -1;
        if (from->end - from->at >= 2 && from->at[0] == '\\' && from->at[1] == 'u') {
            advance(from);
            advance(from);
            low = read_unit(from);
        }
        code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : 0xD800;
    }
    if (code >= 0xD800 && code < 0xE000) {
        wrong_at(from, start, "half of a surrogate pair: write the character itself");
        return NULL;
    }
    if (code == 0) {
        wrong_at(from, start, "a text cannot hold the character 0");
        return NULL;
    }
    return put_character(to, code);
}

/* Reads a JSON string from its opening quote. Returns NULL on an error. */
static const char *read_text(reader *from)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    place start = here(from);
    char *text = from->room, *to = text;
    advance(from);
    for (;;) {
        int c = peek(from);
        if (c < 0 || c == '\n' || c == '\r') {
            wrong_at(from, start, "this text does not end on its line: \" was expected");
            return NULL;
        }
        if (c < ' ') {
            wrong(from, "a control character in a text: write it as \\u%04x", c);
            return NULL;
        }
        place at = here(from);
        advance(from);
        if (c == '"')
            break;
        if (c != '\\') {
            *to++ = (char)c;
            continue;
        }
        c = peek(from);
        const char *letter = c > 0 ? strchr(letters, c) : NULL;
        if (letter) {
            *to++ = meanings[letter - letters];
            advance(from);
        } else if (c == 'u') {
            advance(from);
            to = read_unicode(from, at, to);
            if (!to)
                return NULL;
        } else {
            wrong_at(from, at, "\\ is followed by one of \" \\ / b f n r t u; a backslash itself is \\\\");
            return NULL;
        }
    }
    *to++ = '\0';
    from->room = to;
    return text;
}

static cst_json *new_node(reader *from, cst_json_kind kind, place at)
{
    cst_json *node = CST_TAKE(from->mistakes->arena, cst_json, 1);
    if (node) {
        node->kind = kind;
        node->source = from->source;
        node->line = at.line;
        node->column = at.column;
    }
    return node;
}

static void skip_digits(reader *from)
{
    while (is_digit(peek(from)))
        advance(from);
}

static cst_json *read_number(reader *from)
{
    char what[FOUND_LENGTH];
    place at = here(from);
    const char *start = from->at;
    if (peek(from) == '-')
        advance(from);
    if (!is_digit(peek(from)))
        return wrong(from, "expected a digit after -, found %s", found(from, what));
    bool zero = peek(from) == '0';
    advance(from);
    if (zero && is_digit(peek(from)))
        return wrong_at(from, at, "a number does not begin with 0 before another digit");
    skip_digits(from);
    if (peek(from) == '.') {
        advance(from);
        if (!is_digit(peek(from)))
            return wrong(from, "expected a digit after the point, found %s", found(from, what));
        skip_digits(from);
    }
    if (peek(from) == 'e' || peek(from) == 'E') {
        advance(from);
        if (peek(from) == '+' || peek(from) == '-')
            advance(from);
        if (!is_digit(peek(from)))
            return wrong(from, "expected a digit of the exponent, found %s", found(from, what));
        skip_digits(from);
    }
    if (is_word(peek(from)) || peek(from) == '.')
        return wrong(from, "expected the number to end, found %s%s", found(from, what),
                     is_word(peek(from)) ? ": units are not written, all are SI" : "");
    size_t length = (size_t)(from->at - start);
    memcpy(from->room, start, length); /* strtod needs a terminator */
    from->room[length] = '\0';
    double number = strtod(from->room, NULL);
    if (!isfinite(number))
        return wrong_at(from, at, "this number is too large: at most 1.8e308");
    cst_json *node = new_node(from, CST_JSON_NUMBER, at);
    if (node)
        node->number = number;
    return node;
}

static cst_json *read_word(reader *from)
{
    static const char *const words[] = {"null", "true", "false"};
    char word[FOUND_LENGTH];
    place at = here(from);
    found(from, word);
    for (int k = 0; k < 3; k++) {
        size_t length = strlen(words[k]);
        if (strcmp(word, words[k]) != 0)
            continue;
        for (; length > 0; length--)
            advance(from);
        cst_json *node = new_node(from, k == 0 ? CST_JSON_NULL : CST_JSON_BOOL, at);
        if (node)
            node->truth = k == 1;
        return node;
    }
    if (word[0] == '\'')
        return wrong(from, "texts are written in double quotes");
    if (word[0] == '+' || word[0] == '.')
        return wrong(from, "a number begins with a digit or with - and a digit");
    char lower[FOUND_LENGTH] = {0};
    for (size_t k = 0; word[k]; k++)
        lower[k] = (char)(word[k] >= 'A' && word[k] <= 'Z' ? word[k] - 'A' + 'a' : word[k]);
    if (strcmp(lower, "nan") == 0 || strcmp(lower, "inf") == 0 || strcmp(lower, "infinity") == 0)
        return wrong(from, "%s is no number of JSON: write a finite number, or leave the key out for its default", word);
    const char *near = is_word(peek(from)) ? cst_nearest_name(lower, words, 3) : NULL;
    if (near)
        return wrong(from, "expected a value, found %s; did you mean %s?", word, near);
    return wrong(from, "expected a value, found %s%s", word, is_word(peek(from)) ? ": texts are written in double quotes" : "");
}

static bool begins_value(int c)
{
    return c == '"' || c == '{' || c == '[' || c == '-' || is_word(c);
}

static cst_json *read_value(reader *from);

static int by_key(const void *left, const void *right)
{
    const cst_json *a = *(cst_json *const *)left, *b = *(cst_json *const *)right;
    int order = strcmp(a->key, b->key);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static void check_unique(reader *from, const cst_json *object)
{
    cst_json **sorted = CST_TAKE(from->mistakes->arena, cst_json *, object->count);
    if (!sorted)
        return;
    int count = 0;
    for (cst_json *member = object->first; member; member = member->next)
        sorted[count++] = member;
    qsort(sorted, (size_t)count, sizeof(void *), by_key);
    for (int k = 1; k < count; k++)
        if (strcmp(sorted[k - 1]->key, sorted[k]->key) == 0)
            wrong_at(from, ((place){sorted[k]->key_line, sorted[k]->key_column}),
                     "the key \"%s\" is here twice: first in line %d", sorted[k]->key, sorted[k - 1]->key_line);
}

static bool read_key(reader *from, const char **key)
{
    char what[FOUND_LENGTH];
    if (peek(from) != '"') {
        wrong(from, "expected a key in double quotes or }, found %s", found(from, what));
        return false;
    }
    *key = read_text(from);
    if (!*key || !skip(from))
        return false;
    if (peek(from) != ':') {
        wrong(from, "expected : after the key \"%s\", found %s", *key, found(from, what));
        return false;
    }
    advance(from);
    return skip(from);
}

static cst_json *read_children(reader *from)
{
    char what[FOUND_LENGTH];
    bool keyed = peek(from) == '{';
    int close = keyed ? '}' : ']';
    place start = here(from);
    cst_json *node = new_node(from, keyed ? CST_JSON_OBJECT : CST_JSON_ARRAY, start);
    advance(from);
    if (!node || !skip(from))
        return NULL;
    while (peek(from) != close) {
        const char *key = NULL;
        place at = here(from);
        if (peek(from) < 0)
            return wrong_at(from, start, "this %c is not closed: %c was expected before the end of the text", keyed ? '{' : '[',
                            close);
        if (keyed && !read_key(from, &key))
            return NULL;
        cst_json *child = read_value(from);
        if (!child || !skip(from))
            return NULL;
        child->key = key;
        child->key_line = at.line;
        child->key_column = at.column;
        cst_json_append(node, child);
        if (peek(from) == ',') {
            advance(from);
            if (!skip(from))
                return NULL;
        } else if (peek(from) >= 0 && peek(from) != close) {
            wrong(from, "expected , or %c, found %s", close, found(from, what));
            if (keyed ? peek(from) != '"' : !begins_value(peek(from)))
                return NULL;
        }
    }
    advance(from);
    if (keyed)
        check_unique(from, node);
    return node;
}

static cst_json *read_value(reader *from)
{
    int c = peek(from);
    if (c == '{' || c == '[') {
        if (from->depth == CST_JSON_DEPTH_MAX)
            return wrong(from, "nested more than %d deep", CST_JSON_DEPTH_MAX);
        from->depth++;
        cst_json *node = read_children(from);
        from->depth--;
        return node;
    }
    if (c == '"') {
        place at = here(from);
        const char *text = read_text(from);
        cst_json *node = text ? new_node(from, CST_JSON_TEXT, at) : NULL;
        if (node)
            node->text = text;
        return node;
    }
    return is_digit(c) || c == '-' ? read_number(from) : read_word(from);
}

/* Returns true if a text is in UTF-16, that is, if it begins with the byte order mark of UTF-16 or if exactly one of its first
 * two bytes is 0. A valid scene in UTF-8 contains no byte 0. */
static bool is_utf16(const char *text, size_t size)
{
    return size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0 || !text[0] != !text[1]);
}

static cst_json *nothing_there(const reader *from, size_t size)
{
    if (!from->source->lines)
        return wrong(from, "expected a value, found the end of the text");
    return wrong(from, "%s: a scene begins with {", size == 0 ? "the file is empty" : "there is nothing but blanks and comments");
}

cst_json *cst_json_read(const char *text, size_t size, const cst_source *source, cst_mistakes *mistakes)
{
    reader from = {.at = text, .end = text + size, .line = 1, .column = 1, .source = source, .mistakes = mistakes};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) /* skip a byte order mark */
        from.at += 3;
    if (is_utf16(text, size))
        return wrong(&from, "the file is in UTF-16: save it as UTF-8");
    from.room = CST_TAKE_RAW(mistakes->arena, char, size + 2);
    if (!from.room || !check_encoding(from))
        return NULL;
    const int before = mistakes->count;
    cst_c_locale locale = cst_c_locale_enter();
    const bool begun = skip(&from);
    cst_json *root = begun && from.at < from.end ? read_value(&from) : NULL;
    if (begun && !root && from.at == from.end && mistakes->count == before)
        nothing_there(&from, size);
    cst_c_locale_leave(locale);
    if (!root || !skip(&from))
        return NULL;
    char what[FOUND_LENGTH];
    return from.at == from.end ? root : wrong(&from, "expected the end of the text, found %s", found(&from, what));
}
