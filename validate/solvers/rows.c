#include "solvers/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choices.h"
#include "solvers/siconos_peer.h"
#include "solvers/timed_run.h"
#include "write/file_write.h"

cst_bench_row *cst_bench_rows_add(cst_bench_rows *rows, cst_row_kind kind, const char *label)
{
    if (rows->count == rows->room) {
        int room = rows->room ? 2 * rows->room : 16;
        cst_bench_row *grown = realloc(rows->row, (size_t)room * sizeof *grown);
        if (!grown)
            return NULL;
        rows->row = grown;
        rows->room = room;
    }
    cst_bench_cell *cell = calloc((size_t)rows->set->count + 1, sizeof *cell);
    if (!cell)
        return NULL;
    cst_bench_row *row = &rows->row[rows->count++];
    *row = (cst_bench_row){.kind = kind, .cell = cell, .form = CST_FORM_EXPLICIT, .options = cst_friction_options_default()};
    snprintf(row->label, sizeof row->label, "%s", label);
    return row;
}

void cst_bench_rows_free(cst_bench_rows *rows)
{
    for (int i = 0; i < rows->count; i++)
        free(rows->row[i].cell);
    free(rows->row);
    *rows = (cst_bench_rows){0};
}

void cst_bench_row_run(cst_bench_row *row, const cst_problem_set *set)
{
    for (int i = 0; i < set->count && !cst_interrupted(); i++) {
        bool published = row->options.judge_by_fischer_burmeister;
        if (published)
            row->options.velocity_scale = cst_friction_largest_velocity(&set->list[i]->explicit_form);
        cst_timed_run run;
        cst_timed_solve(set->list[i], row->form, &row->options, row->time_limit, 1, row->label, &run);
        row->cell[i] = (cst_bench_cell){.known = true,
                                        .solved = run.solved,
                                        .error = published ? run.report.residual.fischer_burmeister : run.report.residual.error,
                                        .seconds = run.cpu,
                                        .setup = run.cpu_setup,
                                        .iterations = run.report.iterations,
                                        .status = run.report.status};
        row->local_solves += run.report.local_solves;
        row->local_failures += run.report.local_failures;
        row->fallbacks += run.report.fallbacks;
    }
}

static bool siconos_can(const cst_friction_problem *problem)
{
    for (int i = 0; problem->law && i < problem->contacts; i++)
        if (problem->law[i] != CST_LAW_COULOMB)
            return false;
    return problem->dim == 3 && problem->contacts > 0;
}

static void take_answers(cst_bench_row *row, const cst_siconos_job *job, int count, const int *problem_of)
{
    for (int i = 0; i < count; i++) {
        bool answered = job[i].r != NULL;
        cst_residual residual = {.error = NAN};
        if (answered)
            cst_friction_residual(job[i].problem, job[i].r, 0, &residual);
        bool solved = answered && residual.error <= row->options.tolerance;
        row->cell[problem_of[i]] = (cst_bench_cell){.known = true,
                                                    .solved = solved,
                                                    .error = residual.error,
                                                    .seconds = answered ? job[i].seconds : row->time_limit,
                                                    .iterations = job[i].iterations,
                                                    .status = solved ? CST_SOLVED : CST_TOLERANCE_MISSED};
    }
}

void cst_bench_rows_siconos(cst_bench_rows *rows, double tolerance, double time_limit, char *message, size_t message_size)
{
    static const char *const solvers[] = {"nsgs", "nsn_ac", "prox"};
    static const char *const labels[] = {"Siconos NSGS", "Siconos NSN_AC", "Siconos PROX"};
    message[0] = '\0';
    if (!cst_siconos_available(message, message_size))
        return;
    const cst_problem_set *set = rows->set;
    cst_siconos_job *job = calloc((size_t)set->count + 1, sizeof *job);
    int *problem_of = calloc((size_t)set->count + 1, sizeof *problem_of);
    for (int k = 0; job && problem_of && k < 3 && !cst_interrupted(); k++) {
        int count = 0;
        for (int i = 0; i < set->count; i++) {
            if (!siconos_can(&set->list[i]->explicit_form))
                continue;
            problem_of[count] = i;
            job[count++] = (cst_siconos_job){.problem = &set->list[i]->explicit_form,
                                             .solver = solvers[k],
                                             .goal = CST_SICONOS_ERROR,
                                             .value = tolerance,
                                             .limit = time_limit};
        }
        cst_bench_row *row = count ? cst_bench_rows_add(rows, CST_ROW_PEER, labels[k]) : NULL;
        if (!row || !cst_siconos_run(job, count, message, message_size))
            break;
        row->options.tolerance = tolerance;
        row->time_limit = time_limit;
        take_answers(row, job, count, problem_of);
        cst_siconos_free(job, count);
    }
    free(job);
    free(problem_of);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

cst_row_summary cst_bench_row_summary(const cst_bench_row *row, const cst_problem_set *set)
{
    cst_row_summary sum = {.median_error = NAN};
    double *errors = calloc((size_t)set->count + 1, sizeof *errors);
    for (int i = 0; i < set->count; i++) {
        const cst_bench_cell *cell = &row->cell[i];
        if (!cell->known)
            continue;
        if (errors)
            errors[sum.known] = isnan(cell->error) ? HUGE_VAL : cell->error;
        sum.known++;
        sum.solved += cell->solved;
        sum.iterations += cell->iterations;
        sum.seconds += cell->seconds;
        sum.worst_error = fmax(sum.worst_error, cell->error);
    }
    if (sum.known) {
        sum.iterations /= sum.known;
        sum.seconds /= sum.known;
        if (errors) {
            qsort(errors, (size_t)sum.known, sizeof *errors, ascending);
            sum.median_error = errors[sum.known / 2];
        }
    }
    free(errors);
    return sum;
}

static double cost_of(const cst_bench_cell *cell, bool by_time)
{
    return by_time ? cell->seconds : cell->iterations > 0 ? cell->iterations : 1;
}

double cst_bench_rows_least(const cst_bench_rows *rows, bool local, bool by_time)
{
    double least = HUGE_VAL;
    for (int k = 0; k < rows->count; k++)
        for (int i = 0; i < rows->set->count; i++)
            if ((rows->row[k].kind == CST_ROW_LOCAL) == local && rows->row[k].cell[i].solved)
                least = fmin(least, cost_of(&rows->row[k].cell[i], by_time));
    return least;
}

void cst_bench_row_curve(const cst_bench_row *row, const cst_problem_set *set, bool by_time, double from, cst_chart *chart,
                         const cst_series_style *style)
{
    double *at = calloc((size_t)set->count + 1, sizeof *at);
    if (!at)
        return;
    int solved = 0, known = 0;
    double last = 0;
    for (int i = 0; i < set->count; i++) {
        const cst_bench_cell *cell = &row->cell[i];
        if (!cell->known)
            continue;
        known++;
        last = fmax(last, cost_of(cell, by_time));
        if (cell->solved)
            at[solved++] = cost_of(cell, by_time);
    }
    qsort(at, (size_t)solved, sizeof *at, ascending);
    int series = cst_chart_series(chart, style);
    if (known)
        cst_chart_point(chart, series, from, 1);
    for (int i = 0; i < solved; i++)
        if (i + 1 == solved || at[i + 1] > at[i])
            cst_chart_point(chart, series, at[i], (double)(known - i - 1) / known);
    if (known && last > 0 && solved < known)
        cst_chart_point(chart, series, last, (double)(known - solved) / known);
    free(at);
}

static void write_cells(const cst_bench_rows *rows, FILE *to)
{
    static const char *const kinds[] = {"local", "global", "peer"};
    cst_csv csv = cst_csv_begin(to);
    cst_csv_header(&csv, (const char *const[]){"comparison", "row", "problem", "dim", "contacts", "tolerance", "status", "error",
                                               "iterations", "seconds", NULL});
    for (int k = 0; k < rows->count; k++) {
        const cst_bench_row *row = &rows->row[k];
        for (int i = 0; i < rows->set->count; i++) {
            if (!row->cell[i].known)
                continue;
            const cst_set_problem *problem = rows->set->list[i];
            cst_csv_text(&csv, kinds[row->kind]);
            cst_csv_text(&csv, row->label);
            cst_csv_text(&csv, problem->name);
            cst_csv_integer(&csv, problem->explicit_form.dim);
            cst_csv_integer(&csv, problem->explicit_form.contacts);
            cst_csv_real(&csv, row->options.tolerance);
            cst_csv_text(&csv, cst_status_name(row->cell[i].status));
            cst_csv_real(&csv, row->cell[i].error);
            cst_csv_integer(&csv, row->cell[i].iterations);
            cst_csv_real(&csv, row->cell[i].seconds);
            cst_csv_row_end(&csv);
        }
    }
}

bool cst_bench_rows_csv(const cst_bench_rows *rows, const char *path)
{
    char message[512];
    cst_file_write file;
    bool written = cst_file_write_begin(&file, path, message, sizeof message);
    if (written) {
        write_cells(rows, file.to);
        written = cst_file_write_commit(&file, message, sizeof message);
    }
    if (written)
        printf("wrote %s\n", path);
    else
        fprintf(stderr, "capstan-bench: %s\n", message);
    return written;
}
