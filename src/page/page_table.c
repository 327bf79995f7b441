#include "page/page_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cst_page_table_thin(cst_page_table *table, double from, double to)
{
    const double *time = table->column[0].value;
    int64_t first = 0, end = table->rows;
    while (first < end && !(time[first] >= from))
        first++;
    while (end > first && !(time[end - 1] <= to))
        end--;
    int64_t rows = end - first;
    int64_t bucket = (2 * rows + CST_PAGE_ROWS_MAX - 1) / CST_PAGE_ROWS_MAX;
    if (rows <= CST_PAGE_ROWS_MAX)
        bucket = 1;
    for (int c = 0; c < table->columns; c++) {
        double *value = table->column[c].value;
        if (bucket == 1) {
            memmove(value, value + first, (size_t)rows * sizeof *value);
            continue;
        }
        int64_t out = 0;
        for (int64_t start = first; start < end; start += bucket) {
            int64_t stop = start + bucket < end ? start + bucket : end;
            int64_t least = start, most = start;
            for (int64_t k = start; k < stop; k++) {
                if (value[k] < value[least] || isnan(value[least]))
                    least = k;
                if (value[k] > value[most] || isnan(value[most]))
                    most = k;
            }
            if (c == 0)
                most = start + (stop - start) / 2;
            double early = value[least < most ? least : most], late = value[least < most ? most : least];
            value[out++] = early;
            value[out++] = late;
        }
    }
    table->rows = bucket == 1 ? rows : 2 * ((rows + bucket - 1) / bucket);
    table->thinned = bucket;
}

void cst_page_table_put(const cst_page_table *table, cst_page_bytes *to)
{
    for (int c = 0; c < table->columns; c++)
        for (int64_t k = 0; k < table->rows; k++)
            cst_page_put_f64(to, table->column[c].value[k]);
}

/* ----------------------------------------------------------------------------------------------------------------- steps */

static const struct {
    const char *name, *unit;
} wanted[] = {
    {"time", "s"},
    {"dt", "s"},
    {"contacts", ""},
    {"sticking", ""},
    {"sliding", ""},
    {"iterations", ""},
    {"newton_iterations", ""},
    {"retries", ""},
    {"error", ""},
    {"penetration", "m"},
    {"energy_kinetic", "J"},
    {"energy_elastic", "J"},
    {"energy_gravity", "J"},
    {"work_loads", "J"},
    {"work_constraints", "J"},
    {"work_normal", "J"},
    {"work_friction", "J"},
    {"work_viscosity", "J"},
    {"work_drag", "J"},
    {"work_scheme", "J"},
    {"work_forgotten", "J"},
    {"energy_unexplained", "J"},
    {"seconds_total", "s"},
};

enum { WANTED = sizeof wanted / sizeof wanted[0] };

static const double *column_named(const cst_page_table *table, const char *name)
{
    for (int c = 0; c < table->columns; c++)
        if (strcmp(table->column[c].name, name) == 0)
            return table->column[c].value;
    return NULL;
}

static void summarise(const cst_page_table *table, const double *status, cst_page_summary *out)
{
    const double *error = column_named(table, "error"), *contacts = column_named(table, "contacts"),
                 *depth = column_named(table, "penetration");
    *out = (cst_page_summary){.steps = table->rows};
    for (int64_t k = 0; k < table->rows; k++) {
        out->missed += status[k] != 0.0;
        out->worst_error = fmax(out->worst_error, error[k]);
        out->deepest = fmax(out->deepest, depth[k]);
        if (contacts[k] > (double)out->most_contacts)
            out->most_contacts = (int64_t)contacts[k];
    }
}

bool cst_page_steps_read(cst_cache *cache, cst_page_table *out, cst_page_summary *summary)
{
    size_t rows = (size_t)cst_cache_about(cache)->steps;
    *out = (cst_page_table){.name = "steps", .column = calloc(WANTED, sizeof *out->column), .rows = (int64_t)rows, .thinned = 1};
    double *status = malloc((rows + 1) * sizeof *status);
    bool ok = out->column && status && cst_cache_step_column(cache, "status", status);
    for (int c = 0; ok && c < WANTED; c++) {
        cst_page_column *column = &out->column[c];
        *column = (cst_page_column){wanted[c].name, wanted[c].unit, malloc((rows + 1) * sizeof(double))};
        out->columns = c + 1;
        ok = column->value && cst_cache_step_column(cache, column->name, column->value);
    }
    if (ok)
        summarise(out, status, summary);
    free(status);
    return ok;
}

void cst_page_table_free(cst_page_table *table)
{
    for (int c = 0; c < table->columns; c++)
        free(table->column[c].value);
    free(table->column);
    *table = (cst_page_table){0};
}
