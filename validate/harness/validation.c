#include "harness/validation.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/progress.h"
#include "cli/terminal.h"
#include "harness/bench_data.h"
#include "write/directory.h"

bool cst_validation_begin(cst_validation *about, int argc, char **argv, const char *name, const char *what, int *code)
{
    return cst_validation_begin_with(about, argc, argv, name, what, "Exits with 1 if a figure misses its bound.", NULL, 0, code);
}

bool cst_validation_begin_with(cst_validation *about, int argc, char **argv, const char *name, const char *what, const char *more,
                               const cst_option *option, int options, int *code)
{
    *about = (cst_validation){.name = name, .met = true};
    cst_option all[2 + CST_VALIDATION_MORE_MAX] = {
        cst_option_flag("quick", &about->quick, "a few seconds: fewer and coarser cases"),
        cst_option_text("out", &about->out, "DIR", "write tables as CSV and charts as PNG and SVG"),
    };
    assert(options <= CST_VALIDATION_MORE_MAX);
    for (int i = 0; i < options; i++)
        all[2 + i] = option[i];
    char full[64];
    snprintf(full, sizeof full, "capstan-bench %s", name);
    const cst_command command = {.name = full, .usage = "[options]", .about = what, .more = more};
    char message[512] = "it takes no arguments but options";
    const int operands = cst_arguments_parse(&command, all, 2 + options, argc, argv, code);
    if (operands < 0)
        return false;
    *code = CST_EXIT_BAD;
    if (operands > 0 || (about->out && !cst_directory_make(about->out, message, sizeof message)))
        return cst_validation_fault(about, "%s", message);
    about->findings = cst_table_new();
    cst_table_column(about->findings, "figure", CST_ALIGN_LEFT);
    cst_table_column(about->findings, "measured", CST_ALIGN_RIGHT);
    cst_table_column(about->findings, "bound", CST_ALIGN_LEFT);
    cst_table_column(about->findings, "", CST_ALIGN_LEFT);
    return true;
}

/* Who gets the findings of all studies (capstan-bench physics); NULL: each prints its own. */
static cst_findings *listener;

void cst_validation_listen(cst_findings *to)
{
    listener = to;
}

static void put_row(cst_validation *about, const cst_checked_figure *item, const char *bound)
{
    cst_table_cell(about->findings, "%s", item->figure);
    if (isnan(item->ours))
        cst_table_cell(about->findings, "%.3g", item->error);
    else
        cst_table_cell(about->findings, "%.8g (%.8g, off by %.2g)", item->ours, item->reference, item->error);
    cst_table_cell(about->findings, "%s", bound);
    cst_table_cell(about->findings, "%s", *bound == '\0' ? "" : item->met ? "met" : "MISSED");
    cst_table_tone(about->findings, item->met ? CST_TONE_GOOD : CST_TONE_BAD);
}

static void finding(cst_validation *about, cst_checked_figure item, const char *figure, va_list arguments)
{
    char bound[64];
    const bool judged = !isinf(item.least) || !isinf(item.largest);
    snprintf(item.check, sizeof item.check, "%s", about->name);
    vsnprintf(item.figure, sizeof item.figure, figure, arguments);
    if (!judged)
        bound[0] = '\0';
    else if (isinf(item.least))
        snprintf(bound, sizeof bound, "<= %.3g", item.largest);
    else if (isinf(item.largest))
        snprintf(bound, sizeof bound, ">= %.3g", item.least);
    else
        snprintf(bound, sizeof bound, "%.3g to %.3g", item.least, item.largest);
    item.met = !judged || (item.error >= item.least && item.error <= item.largest);
    put_row(about, &item, bound);
    if (judged && listener)
        cst_findings_add(listener, &item);
    if (judged && about->keep)
        cst_findings_add(about->keep, &item);
    about->met = about->met && item.met;
}

void cst_validation_at_most(cst_validation *about, double value, double bound, const char *figure, ...)
{
    va_list arguments;
    va_start(arguments, figure);
    finding(about, (cst_checked_figure){.ours = NAN, .reference = NAN, .error = value, .least = -INFINITY, .largest = bound},
            figure, arguments);
    va_end(arguments);
}

void cst_validation_between(cst_validation *about, double value, double low, double high, const char *figure, ...)
{
    va_list arguments;
    va_start(arguments, figure);
    finding(about, (cst_checked_figure){.ours = NAN, .reference = NAN, .error = value, .least = low, .largest = high}, figure,
            arguments);
    va_end(arguments);
}

void cst_validation_compare(cst_validation *about, double ours, double reference, bool relative, double tolerance,
                            const char *figure, ...)
{
    const double error = fabs(ours - reference) / (relative ? fabs(reference) : 1.0);
    va_list arguments;
    va_start(arguments, figure);
    finding(about,
            (cst_checked_figure){.ours = ours, .reference = reference, .error = error, .least = -INFINITY, .largest = tolerance},
            figure, arguments);
    va_end(arguments);
}

void cst_validation_note(cst_validation *about, double value, const char *figure, ...)
{
    va_list arguments;
    va_start(arguments, figure);
    finding(about, (cst_checked_figure){.ours = NAN, .reference = NAN, .error = value, .least = -INFINITY, .largest = INFINITY},
            figure, arguments);
    va_end(arguments);
}

int cst_validation_end(cst_validation *about)
{
    cst_validation_print(about->findings);
    return about->met ? CST_EXIT_SOLVED : CST_EXIT_MISSED;
}

int cst_validation_abandon(cst_validation *about)
{
    cst_table_free(about->findings);
    return CST_EXIT_BAD;
}

bool cst_validation_fault(const cst_validation *about, const char *format, ...)
{
    fprintf(stderr, "capstan-bench %s: ", about->name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

bool cst_validation_reference(const cst_validation *about, cst_csv_file *file, const char *name)
{
    char local[256], path[1200], message[512];
    *file = (cst_csv_file){0};
    snprintf(local, sizeof local, "reference/%s", name);
    if (!cst_bench_data_find(local, path, sizeof path))
        return cst_validation_fault(about, "validate/%s is missing; CAPSTAN_BENCH_DATA says where validate/ is", local);
    return cst_csv_file_read(file, path, message, sizeof message) || cst_validation_fault(about, "%s", message);
}

bool cst_validation_csv_begin(const cst_validation *about, cst_file_write *file, cst_csv *csv, const char *name,
                              const char *const *header)
{
    char message[512] = "out of memory";
    char *path = cst_path_join(about->out, name, ".csv");
    bool begun = path && cst_file_write_begin(file, path, message, sizeof message);
    free(path);
    if (!begun)
        return cst_validation_fault(about, "%s", message);
    *csv = cst_csv_begin(file->to);
    cst_csv_header(csv, header);
    return true;
}

bool cst_validation_csv_end(const cst_validation *about, cst_file_write *file)
{
    char message[512];
    return cst_file_write_commit(file, message, sizeof message) || cst_validation_fault(about, "%s", message);
}

cst_table *cst_validation_table(const char *const *headings)
{
    cst_table *table = cst_table_new();
    for (; *headings; headings++)
        cst_table_column(table, *headings, CST_ALIGN_RIGHT);
    return table;
}

void cst_validation_print(cst_table *table)
{
    cst_look look = cst_terminal_look(stdout);
    if (!listener)
        cst_table_print(table, stdout, &look);
    cst_table_free(table);
}

void cst_validation_cell(cst_table *table, const char *format, double value)
{
    if (isnan(value))
        cst_table_cell(table, "-");
    else
        cst_table_cell(table, format, value);
}
