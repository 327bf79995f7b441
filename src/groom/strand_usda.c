/* Reads curves from USD text files. The text is read as a sequence of words, numbers, strings and punctuation signs. From each
 * `def BasisCurves "NAME" { ... }`, the attributes points, curveVertexCounts, widths and type are read, in any order. Everything
 * else is skipped. For example, `int[] curveVertexCounts = [3, 2]` declares two curves with three and two points. The attribute
 * `widths` has one number for all curves, one for each curve, or one for each point; it may be missing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "groom/strand_file.h"

enum { LONGEST = 64 };

typedef enum token { END, WORD, NUMBER, STRING, SIGN } token;

typedef struct lexer {
    const char *at, *end;
    long line;
    cst_fault *fault;
    /* the current token */
    token kind;
    const char *text; /* start of the token's text; for a string, the first character after the opening quote */
    size_t length;
    double number;
} lexer;

typedef struct numbers {
    double *value;
    size_t count, room;
    long line; /* first line of the array */
} numbers;

static void skip_space(lexer *l)
{
    while (l->at < l->end) {
        if (*l->at == '#')
            while (l->at < l->end && *l->at != '\n')
                l->at++;
        else if (*l->at == '\n')
            l->line++, l->at++;
        else if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r')
            l->at++;
        else
            return;
    }
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '.';
}

static bool take_number(lexer *l)
{
    char text[LONGEST], *stop;
    const char *from = l->at;
    while (l->at < l->end && (in_word(*l->at) || *l->at == '+' || *l->at == '-'))
        l->at++;
    l->length = (size_t)(l->at - from);
    l->text = from;
    if (l->length >= LONGEST)
        return cst_fault_set(l->fault, "line %ld: a number of more than %d characters", l->line, LONGEST - 1);
    memcpy(text, from, l->length);
    text[l->length] = '\0';
    l->number = strtod(text, &stop);
    l->kind = NUMBER;
    return stop == text + l->length || cst_fault_set(l->fault, "line %ld: \"%s\" is not a number", l->line, text);
}

static bool take_string(lexer *l)
{
    const char quote = *l->at++;
    l->kind = STRING;
    l->text = l->at;
    while (l->at < l->end && *l->at != quote) {
        l->at += *l->at == '\\' && l->end - l->at > 1;
        l->line += *l->at == '\n';
        l->at++;
    }
    l->length = (size_t)(l->at - l->text);
    if (l->at == l->end)
        return cst_fault_set(l->fault, "line %ld: the file ends within a string", l->line);
    l->at++;
    return true;
}

/* Returns false after an invalid token. */
static bool next(lexer *l)
{
    skip_space(l);
    l->text = l->at;
    l->length = 1;
    if (l->at == l->end) {
        l->kind = END;
        return true;
    }
    const char c = *l->at;
    if ((c >= '0' && c <= '9') || c == '-' || c == '+')
        return take_number(l);
    if (c == '"' || c == '\'')
        return take_string(l);
    l->kind = in_word(c) ? WORD : SIGN;
    do
        l->at++;
    while (l->kind == WORD && l->at < l->end && in_word(*l->at));
    l->length = (size_t)(l->at - l->text);
    return true;
}

static bool is_sign(const lexer *l, char c)
{
    return l->kind == SIGN && *l->text == c;
}

static bool is_text(const lexer *l, token kind, const char *text)
{
    return l->kind == kind && l->length == strlen(text) && memcmp(l->text, text, l->length) == 0;
}

/* Reads "= [ ... ]" after the name of an attribute as a flat list of numbers. Parentheses and commas only separate the numbers;
 * an inner square bracket is an error. */
static bool take_array(lexer *l, const char *what, numbers *out, cst_arena *arena)
{
    out->line = l->line;
    if (!next(l))
        return false;
    if (!is_sign(l, '='))
        return cst_fault_set(l->fault, "line %ld: %s has no value: expected = [...]", l->line, what);
    out->count = 0;
    if (!next(l))
        return false;
    if (!is_sign(l, '['))
        return cst_fault_set(l->fault, "line %ld: %s: expected [ (values that change in time are not read)", l->line, what);
    for (;;) {
        if (!next(l))
            return false;
        if (is_sign(l, ']'))
            return true;
        if (is_sign(l, ',') || is_sign(l, '(') || is_sign(l, ')'))
            continue;
        if (l->kind != NUMBER || !isfinite(l->number))
            return cst_fault_set(l->fault, "line %ld: %s: expected finite numbers up to ]", l->line, what);
        if (out->count == out->room) {
            out->room = out->room ? 2 * out->room : 256;
            double *more = CST_TAKE_RAW(arena, double, out->room);
            if (!more)
                return cst_fault_memory(l->fault);
            if (out->count > 0)
                memcpy(more, out->value, out->count * sizeof *more);
            out->value = more;
        }
        out->value[out->count++] = l->number;
    }
}

/* Reads "= VALUE" after `type`. */
static bool take_type(lexer *l, bool *linear)
{
    if (!next(l))
        return false;
    if (!is_sign(l, '='))
        return cst_fault_set(l->fault, "line %ld: type has no value: expected = \"linear\"", l->line);
    if (!next(l))
        return false;
    *linear = is_text(l, STRING, "linear");
    return true;
}

typedef struct curves {
    numbers points, counts, widths;
    bool linear;
    long line;
} curves;

static bool enter(const curves *c, cst_strand_file *out, cst_fault *fault)
{
    const size_t points = c->points.count / 3, strands = c->counts.count;
    size_t done = 0;
    if (!c->linear)
        return cst_fault_set(fault, "line %ld: curves that are not of the type \"linear\": expected polylines", c->line);
    if (c->points.count % 3 != 0)
        return cst_fault_set(fault, "line %ld: points: %zu numbers are not triples", c->points.line, c->points.count);
    if (c->widths.count > 1 && c->widths.count != strands && c->widths.count != points)
        return cst_fault_set(fault, "line %ld: widths: %zu of them, for %zu curves and %zu points", c->widths.line,
                             c->widths.count, strands, points);
    for (size_t i = 0; i < strands; i++) {
        const double own = c->counts.value[i];
        if (!(own >= 2.0 && own <= (double)(points - done) && own == floor(own)))
            return cst_fault_set(fault, "line %ld: curveVertexCounts: curve %zu has %g points, %zu are left", c->counts.line,
                                 i + 1, own, points - done);
        for (size_t k = 0; k < (size_t)own; k++, done++) {
            const numbers *w = &c->widths;
            const double width = w->count == 0 ? 0.0 : w->value[w->count == 1 ? 0 : w->count == points ? done : i];
            if (width < 0.0)
                return cst_fault_set(fault, "line %ld: widths: the width of point %zu is negative", w->line, done + 1);
            if (!cst_strands_add(out, c->points.value + 3 * done, 0.5 * width, fault))
                return false;
        }
        if (!cst_strands_close(out, fault))
            return false;
    }
    return done == points ||
           cst_fault_set(fault, "line %ld: points: %zu of them, curveVertexCounts counts %zu", c->points.line, points, done);
}

/* Reads the body of a BasisCurves, after its opening brace. */
static bool read_curves(lexer *l, cst_strand_file *out)
{
    curves c = {.line = l->line};
    for (int depth = 1; depth > 0;) {
        if (!next(l))
            return false;
        bool good = true;
        if (l->kind == END)
            return cst_fault_set(l->fault, "line %ld: the file ends within BasisCurves", l->line);
        depth += is_sign(l, '{') - is_sign(l, '}');
        if (depth != 1)
            continue;
        if (is_text(l, WORD, "points"))
            good = take_array(l, "points", &c.points, &out->arena);
        else if (is_text(l, WORD, "curveVertexCounts"))
            good = take_array(l, "curveVertexCounts", &c.counts, &out->arena);
        else if (is_text(l, WORD, "widths"))
            good = take_array(l, "widths", &c.widths, &out->arena);
        else if (is_text(l, WORD, "type"))
            good = take_type(l, &c.linear);
        if (!good)
            return false;
    }
    return enter(&c, out, l->fault);
}

bool cst_strands_read_usda(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault)
{
    lexer l = {.at = text, .end = text + bytes, .line = 1, .fault = fault};
    if (bytes < 5 || memcmp(text, "#usda", 5) != 0)
        return cst_fault_set(fault, "line 1: expected \"#usda 1.0\"");
    for (;;) {
        if (!next(&l))
            return false;
        if (l.kind == END)
            return true;
        if (!is_text(&l, WORD, "BasisCurves"))
            continue;
        do {
            if (!next(&l))
                return false;
        } while (l.kind != END && !is_sign(&l, '{'));
        if (l.kind != END && !read_curves(&l, out))
            return false;
    }
}
