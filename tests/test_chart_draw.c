/* Canvases and charts: the same picture as SVG and as PNG, labels that tell ticks apart, sheets over one axis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chart/canvas_png.h"
#include "chart/chart_scale.h"
#include "chart/chart_sheet.h"

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

static int occurrences(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        count++;
    return count;
}

/* What is drawn is in the text, in the order it was drawn; what could break XML is not. */
static void test_svg(void **state)
{
    (void)state;
    page p;
    page_open(&p);
    cst_canvas *canvas = cst_canvas_svg(100, 50, p.to);
    cst_canvas_move(canvas, 1, 2);
    cst_canvas_line(canvas, 3, 4);
    cst_canvas_close(canvas);
    cst_canvas_paint(canvas,
                     &(cst_paint){.fill = 0x80ff0000u, .stroke = CST_OPAQUE(0x00ff00), .width = 2, .line = CST_LINE_DASHED});
    cst_canvas_paint(canvas, &(cst_paint){.fill = CST_OPAQUE(0)}); /* no path: nothing */
    cst_canvas_begin_group(canvas, &(cst_canvas_group){.x = 5, .y = 6, .clipped = true, .width = 7, .height = 8});
    cst_canvas_circle(canvas, 1, 1, 2, &(cst_paint){.stroke = CST_OPAQUE(1), .width = 1});
    cst_canvas_end_group(canvas);
    cst_canvas_text(canvas, 9, 9, "a<b>&\x01",
                    &(cst_text_style){.size = 10, .anchor = CST_ANCHOR_END, .angle = 90, .colour = CST_OPAQUE(0), .raised = "2"});
    char message[64];
    assert_true(cst_canvas_end(canvas, message, sizeof message));
    fclose(p.to);
    assert_non_null(
        strstr(p.text, "<path d=\"M1.00 2.00L3.00 4.00Z\" fill=\"#ff0000\" fill-opacity=\"0.502\" stroke=\"#00ff00\""));
    assert_non_null(strstr(p.text, "stroke-dasharray=\"8 5.2\""));
    assert_int_equal(occurrences(p.text, "<path"), 1);
    assert_non_null(strstr(p.text, "<g transform=\"translate(5.00 6.00)\" clip-path=\"url(#clip1)\">"));
    assert_non_null(strstr(p.text, "rotate(-90)\" text-anchor=\"end\" font-size=\"10\" fill=\"#000000\">a&lt;b&gt;&amp;<tspan"));
    assert_int_equal(occurrences(p.text, "<g"), occurrences(p.text, "</g>"));
    free(p.text);
    assert_false(cst_canvas_end(NULL, message, sizeof message));
    assert_string_equal(message, "out of memory");
}

static uint32_t big_endian(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

static void test_png(void **state)
{
    (void)state;
    char message[256] = "";
    if (!cst_canvas_png_available(message, sizeof message)) {
        assert_non_null(strstr(message, "libcairo2-dev"));
        skip();
    }
    page p[2];
    for (int k = 0; k < 2; k++) {
        page_open(&p[k]);
        cst_canvas *canvas = cst_canvas_png(120, 50, 2, p[k].to, message, sizeof message);
        assert_non_null(canvas);
        /* Outside of the clip rectangle nothing is drawn: the second picture is the first. */
        cst_canvas_begin_group(canvas, &(cst_canvas_group){.clipped = true, .width = 60, .height = 50});
        cst_canvas_circle(canvas, 30, 25, 10, &(cst_paint){.fill = CST_OPAQUE(0xd55e00)});
        if (k == 1)
            cst_canvas_text(canvas, 70, 25, "x", &(cst_text_style){.size = 12, .colour = CST_OPAQUE(0), .angle = 30});
        cst_canvas_end_group(canvas);
        assert_true(cst_canvas_end(canvas, message, sizeof message));
        fclose(p[k].to);
    }
    assert_memory_equal(p[0].text, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(big_endian(p[0].text + 16), 240);
    assert_int_equal(big_endian(p[0].text + 20), 100);
    assert_int_equal(p[0].bytes, p[1].bytes);
    assert_memory_equal(p[0].text, p[1].text, p[0].bytes);
    free(p[0].text);
    free(p[1].text);
    assert_null(cst_canvas_png(1e6, 10, 1, stdout, message, sizeof message)); /* larger than cairo can */
    assert_non_null(strstr(message, "1000000 x 10 pixels"));
}

/* Ticks that differ have labels that differ, whatever the range. */
static void test_labels(void **state)
{
    (void)state;
    static const double range[][2] = {{0, 1},       {-3e-7, 2e-7}, {1, 1.00002}, {0, 3e7},   {-5000, 12000},
                                      {0.99, 1.01}, {0, 0.0031},   {12, 12},     {-1, -0.9}, {0, 0}};
    for (size_t k = 0; k < sizeof range / sizeof range[0]; k++) {
        cst_chart_scale scale = cst_chart_scale_fit(&(cst_chart_axis){0}, range[k][0], range[k][1], 7);
        assert_true(scale.low <= range[k][0] && scale.high >= range[k][1] && scale.low < scale.high);
        assert_in_range(scale.ticks, 2, 10);
        for (int i = 1; i < scale.ticks; i++) {
            cst_tick_label before = cst_chart_scale_label(&scale, i - 1), label = cst_chart_scale_label(&scale, i);
            assert_string_not_equal(before.text, label.text);
            assert_true(strlen(label.text) <= 11);
        }
    }
    cst_chart_scale counts = cst_chart_scale_fit(&(cst_chart_axis){.whole = true}, 0, 2, 7);
    assert_int_equal(counts.ticks, 3);
    assert_string_equal(cst_chart_scale_label(&counts, 1).text, "1");

    cst_chart_scale decades = cst_chart_scale_fit(&(cst_chart_axis){.logarithmic = true}, 1e-12, 1, 4);
    cst_tick_label low = cst_chart_scale_label(&decades, 0);
    assert_string_equal(low.text, "10");
    assert_string_equal(low.raised, "\xe2\x88\x92"
                                    "12");
    cst_chart_scale micro = cst_chart_scale_fit(&(cst_chart_axis){0}, 0, 4e-6, 4);
    assert_string_equal(cst_chart_scale_unit(&micro).text, "×10");
    assert_string_equal(cst_chart_scale_label(&micro, micro.ticks - 1).text, "4");

    /* Time ends where it ends; a fixed axis is what it was said to be. */
    assert_true(cst_chart_scale_fit(&(cst_chart_axis){.tight = true}, 0, 2.03, 8).high == 2.03);
    assert_true(cst_chart_scale_fit(&(cst_chart_axis){.low = 0.3, .high = 0.7}, 0, 2, 8).low == 0.3);
}

static void draw(const cst_chart_sheet *sheet, page *p)
{
    double width, height;
    char message[64];
    page_open(p);
    cst_chart_sheet_size(sheet, &width, &height);
    cst_canvas *canvas = cst_canvas_svg(width, height, p->to);
    assert_true(cst_chart_sheet_draw(sheet, canvas));
    assert_true(cst_canvas_end(canvas, message, sizeof message));
    fclose(p->to);
}

static void test_sheet(void **state)
{
    (void)state;
    const cst_chart *panel[3];
    cst_chart *made[3];
    for (int k = 0; k < 3; k++) {
        char title[32];
        snprintf(title, sizeof title, "panel %d", k);
        made[k] = cst_chart_new(
            &(cst_chart_definition){.title = title, .x = {.label = "time (s)", .tight = true}, .y = {.logarithmic = k == 1}});
        for (int s = 0; s < 2; s++) {
            int series = cst_chart_series(made[k], &(cst_series_style){.name = "series", .line = CST_LINE_SOLID});
            for (int i = 0; i < 20000; i++)
                cst_chart_point(made[k], series, 1e-4 * i, exp(sin(0.7 * i)));
        }
        panel[k] = made[k];
    }
    page p;
    cst_chart_sheet sheet = {.title = "sheet", .panel = panel, .panels = 3};
    draw(&sheet, &p);
    assert_int_equal(occurrences(p.text, "time (s)"), 1); /* one axis */
    for (int k = 0; k < 3; k++) {
        char title[32];
        snprintf(title, sizeof title, "panel %d", k);
        assert_int_equal(occurrences(p.text, title), 1);
    }
    assert_null(strstr(p.text, "nan"));
    assert_true(p.bytes < 1000000); /* 120000 points are drawn by no more than the columns there are */
    free(p.text);
    double width, height;
    sheet.width = 400;
    sheet.height = 700;
    cst_chart_sheet_size(&sheet, &width, &height);
    assert_true(fabs(width - 400) < 1e-9 && fabs(height - 700) < 1e-9);
    sheet.panels = 0;
    assert_false(cst_chart_sheet_draw(&sheet, NULL));
    for (int k = 0; k < 3; k++)
        cst_chart_free(made[k]);
}

/* Thinning out draws the extremes of every column: none of 50000 points sticks out of the drawn band. */
static void test_thinned(void **state)
{
    (void)state;
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){.x.tight = true, .y = {.low = 0, .high = 1}});
    int series = cst_chart_series(chart, &(cst_series_style){.name = "spike", .line = CST_LINE_SOLID});
    for (int i = 0; i < 50000; i++)
        cst_chart_point(chart, series, i, i == 31234 ? 1 : 0);
    page p;
    page_open(&p);
    assert_true(cst_chart_write_svg(chart, p.to));
    fclose(p.to);
    const char *line = strstr(p.text, "clip-path");
    assert_non_null(line);
    assert_non_null(strstr(line, " 46.00L")); /* the spike reaches the top of the plot */
    assert_true(p.bytes < 100000);
    free(p.text);
    cst_chart_free(chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svg),   cmocka_unit_test(test_png),     cmocka_unit_test(test_labels),
        cmocka_unit_test(test_sheet), cmocka_unit_test(test_thinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
