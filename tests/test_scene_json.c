/* The JSON reader by itself: places, numbers, texts, and that what is written reads back the same. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "scene/c_locale.h"
#include "scene/json.h"

static cst_arena arena;
static cst_mistakes mistakes;
static const cst_source source = {.name = "text", .lines = true};

static int setup(void **state)
{
    (void)state;
    cst_arena_begin(&arena, NULL);
    mistakes = (cst_mistakes){.arena = &arena};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cst_arena_end(&arena);
    return 0;
}

static cst_json *read_good(const char *text)
{
    cst_json *root = cst_json_read(text, strlen(text), &source, &mistakes);
    if (!root || mistakes.count)
        fail_msg("%s: %s", text, mistakes.count ? cst_mistakes_sorted(&mistakes)[0].message : "no memory");
    return root;
}

static void places(void **state)
{
    (void)state;
    cst_json *root = read_good("\xEF\xBB\xBF// one\r\n{ /* two\n three */ \"\xC3\xA9\" : [1,\n\t true, null], \"b\":{},}");
    cst_json *first = root->first, *second = first->next;
    assert_int_equal(root->line, 2);
    assert_int_equal(root->column, 1);
    assert_string_equal(first->key, "\xC3\xA9");
    assert_int_equal(first->key_line, 3);
    assert_int_equal(first->key_column, 11);
    assert_int_equal(first->line, 3);
    assert_int_equal(first->column, 17); /* after a character of two bytes */
    assert_int_equal(first->first->next->line, 4);
    assert_int_equal(first->first->next->column, 3);
    assert_int_equal(second->kind, CST_JSON_OBJECT);
    assert_int_equal(second->column, 20);
    assert_null(second->next);
    assert_string_equal(cst_json_path(first->last, NULL, &arena), "\xC3\xA9[2]");
    assert_string_equal(cst_json_path(second, "c", &arena), "b.c");
}

static void texts(void **state)
{
    (void)state;
    cst_json *root = read_good("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e9\\u4e2d\\ud83d\\ude00\", \"\\uD834\\uDD1E\", \"\"]");
    assert_string_equal(root->first->text, "\"\\/\b\f\n\r\t");
    assert_string_equal(root->first->next->text, "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
    assert_string_equal(root->first->next->next->text, "\xF0\x9D\x84\x9E");
    assert_string_equal(root->last->text, "");
    cst_text out = {.arena = &arena};
    cst_json_write(root, &out);
    cst_json *again = read_good(cst_text_all(&out));
    for (cst_json *a = root->first, *b = again->first; a; a = a->next, b = b->next)
        assert_string_equal(a->text, b->text);
}

/* Every bit pattern that is a finite number is written and read back as itself, under any locale. */
static void numbers(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "C"};
    for (size_t k = 0; k < sizeof locales / sizeof locales[0] && !setlocale(LC_ALL, locales[k]); k++)
        continue;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = cst_rng_bits(&rng);
        double number;
        memcpy(&number, &bits, sizeof number);
        if (number != number || number - number != 0.0)
            continue;
        cst_arena_mark mark = cst_arena_mark_now(&arena);
        cst_json node = {.kind = CST_JSON_NUMBER, .number = number};
        cst_text out = {.arena = &arena};
        cst_c_locale locale = cst_c_locale_enter();
        cst_json_write(&node, &out);
        cst_c_locale_leave(locale);
        const cst_json *read = read_good(cst_text_all(&out));
        assert_memory_equal(&read->number, &number, sizeof number);
        cst_arena_release(&arena, mark);
    }
    assert_true(read_good("[0.1]")->first->number == 0.1);
    assert_true(read_good("[-0.0]")->first->number == 0.0);
    assert_true(read_good("[123456789012345678901234567890e-10]")->first->number == 123456789012345678901234567890e-10);
    assert_true(read_good("[1e-400]")->first->number == 0.0);
    /* Half way between two doubles: to even, whatever follows far behind. */
    assert_true(read_good("[9007199254740993]")->first->number == 9007199254740992.0);
    assert_true(read_good("[9007199254740993.0000000000000000000000000000000000000000000001]")->first->number ==
                9007199254740994.0);
    setlocale(LC_ALL, "C");
}

/* Each is refused, whatever the reason. */
static void refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "[",
                                      "]",
                                      "{",
                                      "}",
                                      "[1",
                                      "[1,,2]",
                                      "[,]",
                                      "{,}",
                                      "{1:2}",
                                      "nul",
                                      "truee",
                                      "\"",
                                      "\"\\",
                                      "-",
                                      "--1",
                                      "1.e5",
                                      "0x10",
                                      "1e+",
                                      "Infinity",
                                      "NaN",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "[1]x",
                                      "/",
                                      "/*",
                                      "/*/",
                                      "\"\\u12\"",
                                      "\"\\uDC00\"",
                                      "\x80",
                                      "\"\xC0\x80\"",
                                      "\"\xED\xA0\x80\"",
                                      "\"\xF4\x90\x80\x80\"",
                                      "\"\xE4\xB8\"",
                                      "\"\n\"",
                                      "#",
                                      "'a'"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        int before = mistakes.count;
        assert_null(cst_json_read(bad[k], strlen(bad[k]), &source, &mistakes));
        assert_int_equal(mistakes.count, before + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(places, setup, teardown), cmocka_unit_test_setup_teardown(texts, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers, setup, teardown), cmocka_unit_test_setup_teardown(refused, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
