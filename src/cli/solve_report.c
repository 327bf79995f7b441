#include "cli/solve_report.h"

#include <string.h>

#include "cli/choices.h"
#include "cli/terminal.h"
#include "write/json_write.h"
#include "write/table.h"

static cst_tone status_tone(const cst_solve_record *record)
{
    switch (cst_solve_exit(record)) {
    case CST_EXIT_SOLVED:
        return CST_TONE_GOOD;
    case CST_EXIT_MISSED:
        return CST_TONE_DOUBTFUL;
    default:
        return CST_TONE_BAD;
    }
}

static void add_row(cst_table *table, const cst_solve_record *record)
{
    cst_table_cell(table, "%s", record->input->name);
    if (!record->solvable) {
        for (int i = 0; i < 4; i++)
            cst_table_cell(table, "%s", "");
        cst_table_cell(table, "%s", cst_status_name(record->status));
        cst_table_tone(table, CST_TONE_BAD);
        cst_table_row_end(table);
        return;
    }
    const cst_friction_report *report = &record->report;
    cst_table_cell(table, "%d", record->dim);
    cst_table_cell(table, "%d", record->contacts);
    cst_table_cell(table, "%s", cst_form_name(report->form));
    cst_table_cell(table, "%s", cst_solver_name(report->solver));
    cst_table_cell(table, "%s", cst_status_name(record->status));
    cst_table_tone(table, status_tone(record));
    cst_table_cell(table, "%.2e", record->error);
    cst_table_cell(table, "%.2e", record->fischer_burmeister);
    cst_table_cell(table, "%d", report->iterations);
    cst_table_seconds(table, report->seconds);
}

static void print_summary(FILE *to, const cst_look *look, const cst_solve_settings *settings, const cst_solve_record *record,
                          int count)
{
    int solved = 0, bad = 0;
    const cst_solve_record *worst = NULL;
    double total = 0;
    for (int i = 0; i < count; i++) {
        solved += record[i].solvable && record[i].status == CST_SOLVED;
        bad += !record[i].solvable;
        if (!record[i].solvable)
            continue;
        total += record[i].report.seconds + record[i].report.setup_seconds;
        if (!worst || record[i].error > worst->error)
            worst = &record[i];
    }
    bool by_fb = settings->options.judge_by_fischer_burmeister;
    char seconds[32];
    cst_seconds_text(total, seconds, sizeof seconds);
    cst_look_print(to, look, solved == count ? CST_TONE_GOOD : CST_TONE_DOUBTFUL, "%d of %d solved", solved, count);
    fprintf(to, " to %s <= %g in %s", by_fb ? "FB" : "E", settings->options.tolerance, seconds);
    if (worst)
        fprintf(to, "; worst E %.2e%s%s", worst->error, count > 1 ? ", " : "", count > 1 ? worst->input->name : "");
    if (bad)
        fprintf(to, "; %d with bad input", bad);
    fputc('\n', to);
}

void cst_solve_print_table(FILE *to, const cst_solve_settings *settings, const cst_solve_record *record, int count)
{
    cst_look look = cst_terminal_look(to);
    cst_table *table = cst_table_new();
    cst_table_column(table, "problem", CST_ALIGN_LEFT);
    cst_table_column_shrinks(table);
    cst_table_column(table, "dim", CST_ALIGN_RIGHT);
    cst_table_column(table, "contacts", CST_ALIGN_RIGHT);
    cst_table_column(table, "form", CST_ALIGN_LEFT);
    cst_table_column(table, "solver", CST_ALIGN_LEFT);
    cst_table_column_shrinks(table);
    cst_table_column(table, "status", CST_ALIGN_LEFT);
    cst_table_column(table, "E", CST_ALIGN_RIGHT);
    cst_table_column(table, "FB", CST_ALIGN_RIGHT);
    cst_table_column(table, "iterations", CST_ALIGN_RIGHT);
    cst_table_column(table, "time", CST_ALIGN_RIGHT);
    for (int i = 0; i < count; i++)
        add_row(table, &record[i]);
    cst_table_print(table, to, &look);
    cst_table_free(table);
    print_summary(to, &look, settings, record, count);
    for (int i = 0; i < count; i++) {
        /* Errors are already on standard error. */
        if (*record[i].message && record[i].solvable && !record[i].written_badly)
            cst_look_print(to, &look, CST_TONE_FAINT, "%s: %s\n", record[i].input->name, record[i].message);
    }
}

void cst_solve_print_json(FILE *to, const cst_solve_settings *settings, const cst_solve_record *record)
{
    const cst_friction_report *report = &record->report;
    char local[CST_LOCAL_CHOICE_LENGTH];
    cst_local_label(&settings->options, local, sizeof local);
    cst_json_writer json = cst_json_begin(to);
    cst_json_object(&json, NULL);
    cst_json_text(&json, "name", record->input->name);
    cst_json_text(&json, "path", record->input->path);
    if (record->solvable) {
        cst_json_integer(&json, "dim", record->dim);
        cst_json_integer(&json, "contacts", record->contacts);
        cst_json_text(&json, "form", cst_form_name(report->form));
        cst_json_text(&json, "solver", cst_solver_name(report->solver));
        cst_json_text(&json, "local", local);
    }
    cst_json_text(&json, "status", cst_status_name(record->status));
    if (record->solvable) {
        cst_json_real(&json, "residual", record->error);
        cst_json_real(&json, "fischer_burmeister", record->fischer_burmeister);
        cst_json_text(&json, "measure", settings->options.judge_by_fischer_burmeister ? "fb" : "error");
        cst_json_real(&json, "tolerance", settings->options.tolerance);
        cst_json_real(&json, "velocity_scale", report->residual.velocity_scale);
        cst_json_integer(&json, "worst_contact", report->residual.worst_contact);
        cst_json_integer(&json, "iterations", report->iterations);
        cst_json_integer(&json, "iterations_total", report->iterations_total);
        cst_json_integer(&json, "newton_iterations", report->newton_iterations);
        cst_json_real(&json, "seconds", report->seconds);
        cst_json_real(&json, "setup_seconds", report->setup_seconds);
        cst_json_integer(&json, "threads", report->threads);
        cst_json_integer(&json, "islands", report->islands);
        cst_json_integer(&json, "colours", report->colours);
        cst_json_integer(&json, "local_solves", report->local_solves);
        cst_json_integer(&json, "local_failures", report->local_failures);
        cst_json_integer(&json, "fallbacks", report->fallbacks);
        cst_json_real(&json, "asymmetry", report->asymmetry);
        cst_json_boolean(&json, "symmetrised", record->symmetrised);
        cst_json_integer(&json, "memory_bytes", (int64_t)report->memory_bytes);
        cst_json_array(&json, "blamed");
        for (int i = 0; i < report->blamed_count && i < CST_BLAMED_MAX; i++)
            cst_json_integer(&json, NULL, report->blamed[i]);
        cst_json_array_end(&json);
    }
    cst_json_text(&json, "message", *record->message ? record->message : NULL);
    cst_json_object_end(&json);
    cst_json_line_end(&json);
    fflush(to);
}
