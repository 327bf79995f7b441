#include "solvers/compare.h"

#include <stdio.h>

#include "cli/chart_files.h"
#include "cli/choices.h"
#include "cli/progress.h"

/* A row, judged as asked for. */
static cst_bench_row *add(cst_bench_rows *rows, cst_row_kind kind, const char *label, const cst_comparison *how)
{
    cst_bench_row *row = cst_bench_rows_add(rows, kind, label);
    if (row) {
        row->options.tolerance = how->tolerance;
        row->options.judge_by_fischer_burmeister = how->fischer_burmeister;
        row->time_limit = how->time_limit;
    }
    return row;
}

void cst_compare_local(cst_bench_rows *rows, const cst_comparison *how)
{
    cst_choices choices;
    cst_choices_fill(&choices);
    for (int i = 0; i < CST_LOCAL_CHOICES && !cst_interrupted(); i++) {
        cst_bench_row *row = add(rows, CST_ROW_LOCAL, choices.local[i], how);
        if (!row)
            return;
        cst_choices_set_local(i, &row->options);
        row->options.solver = CST_SOLVER_GAUSS_SEIDEL;
        row->options.max_iterations = how->sweeps;
        if (row->options.local == CST_LOCAL_PYRAMID && !row->options.local_failsafe) {
            row->options.tolerance = CST_PYRAMID_TOLERANCE;
            snprintf(row->label, sizeof row->label, "%s (to %g)", choices.local[i], CST_PYRAMID_TOLERANCE);
        }
        cst_bench_row_run(row, rows->set);
    }
}

void cst_compare_global(cst_bench_rows *rows, const cst_comparison *how)
{
    for (int i = 0; i < CST_SOLVER_COUNT && !cst_interrupted(); i++) {
        cst_bench_row *row = add(rows, CST_ROW_GLOBAL, cst_solver_name((cst_solver)i), how);
        if (!row)
            return;
        row->options.solver = (cst_solver)i;
        row->options.max_iterations = how->max_iterations;
        cst_bench_row_run(row, rows->set);
    }
}

static const char *measure_of(const cst_comparison *how)
{
    return how->fischer_burmeister ? "FB" : "E";
}

/* Figure 11: a hybrid and its primary share a colour, the primary alone is dashed. */
bool cst_chart_local(const cst_bench_rows *rows, const cst_comparison *how, const char *directory)
{
    char subtitle[128];
    snprintf(subtitle, sizeof subtitle, "%d one-step problems, Gauss-Seidel to %s <= %g with each local solver", rows->set->count,
             measure_of(how), how->tolerance);
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = "Problems not solved within so many sweeps",
                                              .subtitle = subtitle,
                                              .x = {.label = "sweeps", .logarithmic = true},
                                              .y = {.label = "share unsolved", .percent = true, .low = 0, .high = 1}});
    double from = cst_bench_rows_least(rows, true, false);
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind != CST_ROW_LOCAL)
            continue;
        bool alone = row->options.local != CST_LOCAL_DIRECT && !row->options.local_failsafe;
        cst_bench_row_curve(row, rows->set, false, from, chart,
                            &(cst_series_style){.name = row->label,
                                                .line = alone ? CST_LINE_DASHED : CST_LINE_SOLID,
                                                .step = true,
                                                .colour = 1 + (int)row->options.local,
                                                .thick = row->options.local == CST_LOCAL_DIRECT});
    }
    bool written = cst_chart_files_write(chart, directory, "unsolved_local");
    cst_chart_free(chart);
    return written;
}

bool cst_chart_global(const cst_bench_rows *rows, const cst_comparison *how, bool by_time, const char *directory)
{
    char subtitle[128];
    snprintf(subtitle, sizeof subtitle, "%d one-step problems, to %s <= %g", rows->set->count, measure_of(how), how->tolerance);
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){
        .title = by_time ? "Problems not solved within so much processor time" : "Problems not solved within so many iterations",
        .subtitle = subtitle,
        .x = {.label = by_time ? "processor time, s" : "iterations", .logarithmic = true},
        .y = {.label = "share unsolved", .percent = true, .low = 0, .high = 1}});
    double from = cst_bench_rows_least(rows, false, by_time);
    for (int i = 0; i < rows->count; i++) {
        const cst_bench_row *row = &rows->row[i];
        if (row->kind == CST_ROW_LOCAL)
            continue;
        bool peer = row->kind == CST_ROW_PEER;
        cst_bench_row_curve(row, rows->set, by_time, from, chart,
                            &(cst_series_style){.name = row->label,
                                                .line = peer ? CST_LINE_DASHED : CST_LINE_SOLID,
                                                .step = true,
                                                .thick = !peer && row->options.solver == CST_SOLVER_AUTO});
    }
    bool written = cst_chart_files_write(chart, directory, by_time ? "unsolved_by_time" : "unsolved_by_iterations");
    cst_chart_free(chart);
    return written;
}
