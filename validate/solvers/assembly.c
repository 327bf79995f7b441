#include "solvers/assembly.h"

#include <math.h>
#include <stdio.h>

#include "capstan/friction.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "generate/family.h"
#include "harness/cpu_clock.h"
#include "solvers/plain_assembly.h"
#include "write/table.h"

enum { SMALLEST = 100, DENSE_MAX = 500, REPEAT = 3 };

static double block_sparse_seconds(const cst_body_problem *problem, cst_friction_problem *w, cst_assembled **kept)
{
    double best = HUGE_VAL;
    *kept = NULL;
    for (int i = 0; i < REPEAT; i++) {
        char message[256];
        cst_assembled_free(*kept);
        double started = cst_cpu_seconds();
        *kept = cst_friction_assemble(problem, NULL, w, message, sizeof message);
        best = fmin(best, cst_cpu_seconds() - started);
        if (!*kept)
            break;
    }
    return best;
}

bool cst_bench_assembly(double limit, int most, cst_chart **chart)
{
    *chart = cst_chart_new(&(cst_chart_definition){.title = "Time to assemble W = H A\u207b\u00b9 H\u1d40",
                                                   .subtitle = "hair-like strands, one thread; block-sparse includes factoring A",
                                                   .x = {.label = "contacts", .logarithmic = true},
                                                   .y = {.label = "processor time, s", .logarithmic = true}});
    int ours = cst_chart_series(
        *chart, &(cst_series_style){
                    .name = "block-sparse (capstan)", .line = CST_LINE_SOLID, .marker = CST_MARKER_CIRCLE, .thick = true});
    int sparse = cst_chart_series(
        *chart, &(cst_series_style){.name = "plain sparse", .line = CST_LINE_SOLID, .marker = CST_MARKER_SQUARE});
    int dense = cst_chart_series(
        *chart, &(cst_series_style){.name = "plain dense", .line = CST_LINE_DASHED, .marker = CST_MARKER_TRIANGLE});
    cst_table *table = cst_table_new();
    cst_table_column(table, "contacts", CST_ALIGN_RIGHT);
    cst_table_column(table, "blocks of W", CST_ALIGN_RIGHT);
    cst_table_column(table, "block-sparse", CST_ALIGN_RIGHT);
    cst_table_column(table, "plain sparse", CST_ALIGN_RIGHT);
    cst_table_column(table, "plain dense", CST_ALIGN_RIGHT);
    cst_table_column(table, "sparse / block", CST_ALIGN_RIGHT);

    const cst_family_def *family = cst_family_find("strands");
    bool same = true;
    for (int contacts = SMALLEST; family && contacts <= most && !cst_interrupted(); contacts *= 2) {
        cst_family_parameters parameters = cst_family_parameters_default();
        parameters.contacts = contacts;
        cst_progress progress = {0};
        cst_progress_note(&progress, "assembly of W: %d contacts", contacts);
        cst_generated *made = family->make(1, &parameters, NULL);
        cst_friction_problem w;
        cst_assembled *kept = NULL;
        double block = made ? block_sparse_seconds(&made->problem, &w, &kept) : NAN;
        cst_plain_assembly plain = {0};
        bool done = kept && cst_plain_assemble(&made->problem, &w, DENSE_MAX, &plain);
        cst_progress_end(&progress);
        if (done) {
            same = same && plain.largest_mismatch < 1e-9;
            cst_table_cell(table, "%d", w.contacts);
            cst_table_cell(table, "%lld", (long long)w.row_start[w.contacts]);
            cst_table_seconds(table, block);
            cst_table_seconds(table, plain.sparse_seconds);
            cst_table_seconds(table, plain.dense_seconds);
            cst_table_cell(table, "%.1f", plain.sparse_seconds / block);
            cst_chart_point(*chart, ours, w.contacts, block);
            cst_chart_point(*chart, sparse, w.contacts, plain.sparse_seconds);
            cst_chart_point(*chart, dense, w.contacts, plain.dense_seconds);
        }
        cst_assembled_free(kept);
        cst_generated_free(made);
        if (!done || plain.sparse_seconds > limit)
            break;
    }
    cst_look look = cst_terminal_look(stdout);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    return same;
}
