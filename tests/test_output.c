/* What the command prints and writes: JSON, CSV, tables, charts, files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "chart/chart.h"
#include "chart/chart_scale.h"
#include "write/csv.h"
#include "write/file_write.h"
#include "write/json_write.h"
#include "write/table.h"
#include "write/utf8.h"

/* A stream whose text can be looked at. */
typedef struct page {
    FILE *to;
    char *text;
    size_t bytes;
} page;

static void page_open(page *p)
{
    *p = (page){0};
    p->to = open_memstream(&p->text, &p->bytes);
    assert_non_null(p->to);
}

static void page_expect(page *p, const char *expected)
{
    fclose(p->to);
    assert_string_equal(p->text, expected);
    free(p->text);
}

static void test_json(void **state)
{
    (void)state;
    page p;
    page_open(&p);
    cst_json_writer json = cst_json_begin(p.to);
    cst_json_object(&json, NULL);
    cst_json_text(&json, "a\"b", "tab\t line\n back\\ bell\a é \xff end");
    cst_json_text(&json, "none", NULL);
    cst_json_real(&json, "x", 0.1);
    cst_json_real(&json, "nan", NAN);
    cst_json_real(&json, "inf", -INFINITY);
    cst_json_integer(&json, "n", INT64_MIN);
    cst_json_array(&json, "list");
    cst_json_integer(&json, NULL, 1);
    cst_json_integer(&json, NULL, 2);
    cst_json_array_end(&json);
    cst_json_array(&json, "empty");
    cst_json_array_end(&json);
    cst_json_boolean(&json, "yes", true);
    cst_json_object_end(&json);
    cst_json_line_end(&json);
    cst_json_object(&json, NULL);
    cst_json_object_end(&json);
    cst_json_line_end(&json);
    page_expect(
        &p, "{\"a\\\"b\": \"tab\\t line\\n back\\\\ bell\\u0007 é \\ufffd end\", \"none\": null, \"x\": 0.10000000000000001, "
            "\"nan\": null, \"inf\": null, \"n\": -9223372036854775808, \"list\": [1, 2], \"empty\": [], \"yes\": true}\n{}\n");
}

static void test_csv(void **state)
{
    (void)state;
    page p;
    page_open(&p);
    cst_csv csv = cst_csv_begin(p.to);
    cst_csv_header(&csv, (const char *const[]){"name", "x", "n", NULL});
    cst_csv_text(&csv, "plain");
    cst_csv_real(&csv, 1e-300);
    cst_csv_integer(&csv, -3);
    cst_csv_row_end(&csv);
    cst_csv_text(&csv, "a,\"b\"\nc");
    cst_csv_real(&csv, NAN);
    cst_csv_text(&csv, "");
    cst_csv_row_end(&csv);
    page_expect(&p, "name,x,n\nplain,1e-300,-3\n\"a,\"\"b\"\"\nc\",,\n");
}

static void test_utf8(void **state)
{
    (void)state;
    assert_int_equal(cst_utf8_width("abc"), 3);
    assert_int_equal(cst_utf8_width("µs"), 2);
    assert_int_equal(cst_utf8_width("日本"), 4);
    assert_int_equal(cst_utf8_width("e\xcc\x81"), 1); /* a combining accent */
    assert_int_equal(cst_utf8_width(""), 0);
    static const char *const bad[] = {"\x80", "\xc0\xaf",        "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xff", "\xf0\x80\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t code;
        assert_int_equal(cst_utf8_decode(bad[i], &code), 1);
        assert_int_equal(code, CST_UTF8_REPLACEMENT);
    }
    uint32_t code;
    assert_int_equal(cst_utf8_decode("\xf0\x9f\x98\x80", &code), 4);
    assert_int_equal(code, 0x1F600);
    assert_int_equal(cst_utf8_prefix("日本語", 5), 6); /* a wide character is not halved */
}

static cst_table *small_table(void)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "problem", CST_ALIGN_LEFT);
    cst_table_column_shrinks(table);
    cst_table_column(table, "time", CST_ALIGN_RIGHT);
    cst_table_rule(table); /* none above the first row: there is one */
    cst_table_cell(table, "%s", "a_rather_long_name_of_a_problem");
    cst_table_seconds(table, 3.2e-6);
    cst_table_cell(table, "%s", "été");
    cst_table_seconds(table, NAN);
    cst_table_rule(table);
    cst_table_cell(table, "%s", "all");
    cst_table_row_end(table);
    return table;
}

static void test_table(void **state)
{
    (void)state;
    cst_table *table = small_table();
    page p;
    page_open(&p);
    cst_table_print(table, p.to, &(cst_look){0});
    page_expect(&p, "problem                            time\n"
                    "---------------------------------------\n"
                    "a_rather_long_name_of_a_problem  3.2 µs\n"
                    "été                                   -\n"
                    "---------------------------------------\n"
                    "all\n");
    page_open(&p);
    cst_table_print(table, p.to, &(cst_look){.width = 24});
    page_expect(&p, "problem             time\n"
                    "------------------------\n"
                    "a_rathe..problem  3.2 µs\n"
                    "été                    -\n"
                    "------------------------\n"
                    "all\n");
    cst_table_free(table);
}

static void test_table_tones(void **state)
{
    (void)state;
    cst_table *table = cst_table_new();
    cst_table_column(table, "x", CST_ALIGN_LEFT);
    cst_table_cell(table, "good");
    cst_table_tone(table, CST_TONE_GOOD);
    page p;
    page_open(&p);
    cst_table_print(table, p.to, &(cst_look){.colour = true, .unicode = true});
    page_expect(&p, "\033[1mx\033[0m\n\033[2m────\033[0m\n\033[32mgood\033[0m\n");
    cst_table_free(table);
}

static void test_seconds(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } samples[] = {{1.234e-7, "0.123 µs"}, {0.0456, "45.6 ms"}, {1, "1 s"}, {123.4, "123 s"}};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char text[32];
        cst_seconds_text(samples[i].seconds, text, sizeof text);
        assert_string_equal(text, samples[i].text);
    }
}

static void test_scale(void **state)
{
    (void)state;
    cst_chart_scale linear = cst_chart_scale_fit(&(cst_chart_axis){0}, 0.13, 9.2, 8);
    assert_true(linear.low <= 0.13 && linear.high >= 9.2);
    assert_true(linear.ticks >= 4 && linear.ticks <= 10);
    cst_chart_scale decades = cst_chart_scale_fit(&(cst_chart_axis){.logarithmic = true}, 3e-5, 700, 8);
    assert_true(decades.low <= 3e-5 && decades.high >= 700);
    decades.from = 0;
    decades.to = 100;
    double last = -1;
    for (int i = 0; i < decades.ticks; i++) {
        double at = cst_chart_scale_place(&decades, decades.tick[i]);
        assert_true(at > last && at >= 0 && at <= 100);
        last = at;
    }
    assert_false(cst_chart_scale_shows(&decades, 0));
    assert_false(cst_chart_scale_shows(&decades, NAN));
    cst_chart_scale_fit(&(cst_chart_axis){.logarithmic = true}, 5, 5, 8); /* one point, and none: no division by zero */
    cst_chart_scale none = cst_chart_scale_fit(&(cst_chart_axis){0}, HUGE_VAL, -HUGE_VAL, 8);
    assert_true(none.low < none.high);
}

static void test_chart(void **state)
{
    (void)state;
    cst_chart *chart = cst_chart_new(
        &(cst_chart_definition){.title = "a < b & c", .x = {.label = "x", .logarithmic = true}, .y = {.label = "y"}});
    int one = cst_chart_series(chart, &(cst_series_style){.name = "one", .line = CST_LINE_SOLID, .marker = CST_MARKER_CIRCLE});
    int two = cst_chart_series(chart, &(cst_series_style){.name = "two", .line = CST_LINE_DASHED, .step = true});
    for (int i = 0; i < 3; i++) {
        cst_chart_point(chart, one, pow(10, i), i);
        cst_chart_point(chart, two, i, i); /* x = 0 has no place on a logarithmic axis */
    }
    cst_chart_point(chart, 7, 1, 1); /* no such series */
    page p;
    page_open(&p);
    assert_true(cst_chart_write_svg(chart, p.to));
    fclose(p.to);
    assert_non_null(strstr(p.text, "a &lt; b &amp; c"));
    assert_null(strstr(p.text, "nan"));
    assert_null(strstr(p.text, "inf"));
    int circles = 0;
    for (const char *at = p.text; (at = strstr(at, "<circle")); at++)
        circles++;
    assert_int_equal(circles, 3 + 1); /* points and the legend */
    free(p.text);
    page_open(&p);
    assert_true(cst_chart_write_csv(chart, p.to));
    page_expect(&p, "series,x,y\none,1,0\none,10,1\none,100,2\ntwo,0,0\ntwo,1,1\ntwo,2,2\n");
    cst_chart_free(chart);
}

static void test_file_write(void **state)
{
    (void)state;
    char directory[] = "/tmp/capstan-output-XXXXXX";
    assert_non_null(mkdtemp(directory));
    char path[128], message[256] = "";
    snprintf(path, sizeof path, "%s/table.csv", directory);
    cst_file_write file;
    assert_true(cst_file_write_begin(&file, path, message, sizeof message));
    fputs("old\n", file.to);
    assert_true(cst_file_write_commit(&file, message, sizeof message));
    assert_true(cst_file_write_begin(&file, path, message, sizeof message));
    fputs("new\n", file.to);
    cst_file_write_abandon(&file); /* the older one stays */
    char text[16] = "";
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    assert_non_null(fgets(text, sizeof text, from));
    fclose(from);
    assert_string_equal(text, "old\n");
    unlink(path);
    assert_int_equal(rmdir(directory), 0); /* nothing else was left behind */
    assert_false(cst_file_write_begin(&file, path, message, sizeof message));
    assert_non_null(strstr(message, "table.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),  cmocka_unit_test(test_csv),         cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_table), cmocka_unit_test(test_table_tones), cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_scale), cmocka_unit_test(test_chart),       cmocka_unit_test(test_file_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
