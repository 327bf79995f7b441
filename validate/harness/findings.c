#include "harness/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal.h"
#include "write/csv.h"
#include "write/file_write.h"

void cst_findings_add(cst_findings *findings, const cst_checked_figure *item)
{
    if (findings->count == findings->room) {
        const int room = findings->room ? 2 * findings->room : 64;
        cst_checked_figure *more = realloc(findings->item, (size_t)room * sizeof *more);
        findings->failed = findings->failed || !more;
        if (!more)
            return;
        findings->item = more;
        findings->room = room;
    }
    findings->item[findings->count++] = *item;
}

void cst_findings_free(cst_findings *findings)
{
    free(findings->item);
    *findings = (cst_findings){0};
}

static void put_number(cst_table *table, double value)
{
    if (isnan(value))
        cst_table_cell(table, "-");
    else
        cst_table_cell(table, "%.6g", value);
}

static void put_tolerance(cst_table *table, const cst_checked_figure *at)
{
    if (isinf(at->least))
        cst_table_cell(table, "<= %.3g", at->largest);
    else if (isinf(at->largest))
        cst_table_cell(table, ">= %.3g", at->least);
    else
        cst_table_cell(table, "%.3g to %.3g", at->least, at->largest);
}

int cst_findings_print(const cst_findings *findings)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "check", CST_ALIGN_LEFT);
    cst_table_column(table, "figure", CST_ALIGN_LEFT);
    cst_table_column(table, "ours", CST_ALIGN_RIGHT);
    cst_table_column(table, "reference", CST_ALIGN_RIGHT);
    cst_table_column(table, "error", CST_ALIGN_RIGHT);
    cst_table_column(table, "tolerance", CST_ALIGN_LEFT);
    cst_table_column(table, "", CST_ALIGN_LEFT);
    const char *check = "";
    int missed = 0;
    for (int i = 0; i < findings->count; i++) {
        const cst_checked_figure *at = &findings->item[i];
        if (strcmp(check, at->check) != 0 && i > 0)
            cst_table_rule(table);
        cst_table_cell(table, "%s", strcmp(check, at->check) == 0 ? "" : at->check);
        check = at->check;
        cst_table_cell(table, "%s", at->figure);
        put_number(table, at->ours);
        put_number(table, at->reference);
        cst_table_cell(table, "%.2e", at->error);
        put_tolerance(table, at);
        cst_table_cell(table, "%s", at->met ? "pass" : "MISSED");
        cst_table_tone(table, at->met ? CST_TONE_GOOD : CST_TONE_BAD);
        missed += !at->met;
    }
    const cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    return missed;
}

bool cst_findings_write(const cst_findings *findings, const char *path, char *message, int message_size)
{
    static const char *const header[] = {"check", "figure", "ours", "reference", "error", "least", "largest", "met", NULL};
    cst_file_write file;
    if (!cst_file_write_begin(&file, path, message, (size_t)message_size))
        return false;
    cst_csv csv = cst_csv_begin(file.to);
    cst_csv_header(&csv, header);
    for (int i = 0; i < findings->count; i++) {
        const cst_checked_figure *at = &findings->item[i];
        const double value[] = {at->ours, at->reference, at->error, at->least, at->largest};
        cst_csv_text(&csv, at->check);
        cst_csv_text(&csv, at->figure);
        for (int k = 0; k < 5; k++)
            cst_csv_real(&csv, value[k]);
        cst_csv_integer(&csv, at->met);
        cst_csv_row_end(&csv);
    }
    return cst_file_write_commit(&file, message, (size_t)message_size);
}
