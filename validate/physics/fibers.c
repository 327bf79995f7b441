/* capstan-bench fibers: fibers and rigid bodies in space against theory (validate/reference/README.md, docs/fibers/theory.md). Each line
 * of the first table is a case: what was measured, what theory says, the error, and the order at which it falls with the elements or
 * the step. */
#include "physics/fibers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"

const cst_fiber_model cst_theory_model[CST_THEORY_MODELS] = {CST_FIBER_SUPER_HELIX, CST_FIBER_DISCRETE_ROD, CST_FIBER_CORDE};
const char *const cst_theory_model_name[CST_THEORY_MODELS] = {"super helix", "discrete rod", "CORDE"};

cst_theory_row *cst_theory_add(cst_theory *about, const char *line, const char *model, int elements, double value,
                               double reference)
{
    if (about->rows == CST_THEORY_ROWS_MAX) {
        cst_validation_fault(&about->base, "too many rows");
        return NULL;
    }
    cst_theory_row *row = &about->row[about->rows++];
    *row = (cst_theory_row){.line = line,
                            .model = model,
                            .elements = elements,
                            .value = value,
                            .reference = reference,
                            .error = fabs(value / reference - 1),
                            .order = NAN,
                            .finest = true};
    return row;
}

void cst_theory_refine(cst_theory_row *coarse, cst_theory_row *fine, double refined)
{
    if (!coarse)
        return;
    fine->order = log(coarse->error / fine->error) / log(refined);
    coarse->finest = false;
}

static bool taken(const cst_theory_row *at, const char *line, const char *model)
{
    return strcmp(at->line, line) == 0 && (!model || strcmp(at->model, model) == 0) && at->finest;
}

double cst_theory_worst(const cst_theory *about, const char *line, const char *model)
{
    double worst = 0;
    int found = 0;
    for (int i = 0; i < about->rows; i++)
        if (taken(&about->row[i], line, model)) {
            worst = fmax(worst, about->row[i].error);
            found++;
        }
    return found ? worst : NAN;
}

void cst_theory_orders(const cst_theory *about, const char *line, const char *model, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < about->rows; i++)
        if (taken(&about->row[i], line, model) && !isnan(about->row[i].order)) {
            *low = fmin(*low, about->row[i].order);
            *high = fmax(*high, about->row[i].order);
        }
}

static void print_rows(const cst_theory *about)
{
    static const char *const headings[] = {"n", "dt", "measured", "theory", "error", "order", NULL};
    cst_table *table = cst_table_new();
    cst_table_column(table, "line", CST_ALIGN_LEFT);
    cst_table_column(table, "case", CST_ALIGN_LEFT);
    cst_table_column(table, "model", CST_ALIGN_LEFT);
    for (int i = 0; headings[i]; i++)
        cst_table_column(table, headings[i], CST_ALIGN_RIGHT);
    const char *line = "";
    for (int i = 0; i < about->rows; i++) {
        const cst_theory_row *at = &about->row[i];
        if (!at->finest) /* the order tells; the CSV has all */
            continue;
        if (strcmp(line, at->line) != 0)
            cst_table_rule(table);
        cst_table_cell(table, "%s", strcmp(line, at->line) == 0 ? "" : at->line);
        line = at->line;
        cst_table_cell(table, "%s", at->of);
        cst_table_cell(table, "%s", at->model);
        if (at->elements > 0)
            cst_table_cell(table, "%d", at->elements);
        else
            cst_table_cell(table, "-");
        cst_validation_cell(table, "%g", at->dt > 0 ? at->dt : NAN);
        cst_table_cell(table, "%.6g", at->value);
        cst_table_cell(table, "%.6g", at->reference);
        cst_table_cell(table, "%.1e", at->error);
        cst_validation_cell(table, "%.2f", at->order);
    }
    cst_validation_print(table);
}

static bool write_csv(const cst_theory *about)
{
    static const char *const header[] = {"line", "case", "model", "n", "dt", "x", "measured", "theory", "error", "order", NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "fibers", header))
        return false;
    for (int i = 0; i < about->rows; i++) {
        const cst_theory_row *at = &about->row[i];
        const double number[] = {at->dt, at->x, at->value, at->reference, at->error, at->order};
        cst_csv_text(&csv, at->line);
        cst_csv_text(&csv, at->of);
        cst_csv_text(&csv, at->model);
        cst_csv_integer(&csv, at->elements);
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
            cst_csv_real(&csv, number[k]);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

int cst_bench_fibers(int argc, char **argv)
{
    static const char what[] =
        "Fibers and rigid bodies in space against theory: cantilevers, buckling, twisted rods, helices, the "
        "capstan to two turns, blocks and balls with friction.";
    cst_validation base;
    int code;
    if (!cst_validation_begin(&base, argc, argv, "fibers", what, &code))
        return code;
    cst_theory *about = calloc(1, sizeof *about);
    if (!about) {
        cst_validation_fault(&base, "out of memory");
        return cst_validation_abandon(&base);
    }
    about->base = base;
    bool done = cst_theory_cantilever(about) && cst_theory_stability(about) && cst_theory_helices(about) &&
                cst_theory_capstan(about) && cst_theory_rigid(about);
    if (about->rows > 0)
        print_rows(about);
    done = done && (!base.out || write_csv(about));
    code = done ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
    free(about);
    return code;
}
