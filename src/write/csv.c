#include "write/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

cst_csv cst_csv_begin(FILE *to)
{
    return (cst_csv){.to = to};
}

static void separate(cst_csv *csv)
{
    if (csv->fields++ > 0)
        fputc(',', csv->to);
}

void cst_csv_text(cst_csv *csv, const char *value)
{
    separate(csv);
    if (!strpbrk(value, ",\"\r\n")) {
        fputs(value, csv->to);
        return;
    }
    fputc('"', csv->to);
    for (; *value; value++) {
        if (*value == '"')
            fputc('"', csv->to);
        fputc(*value, csv->to);
    }
    fputc('"', csv->to);
}

void cst_csv_real(cst_csv *csv, double value)
{
    separate(csv);
    if (isfinite(value))
        fprintf(csv->to, "%.17g", value);
}

void cst_csv_integer(cst_csv *csv, int64_t value)
{
    separate(csv);
    fprintf(csv->to, "%" PRId64, value);
}

void cst_csv_row_end(cst_csv *csv)
{
    fputc('\n', csv->to);
    csv->fields = 0;
}

void cst_csv_header(cst_csv *csv, const char *const *names)
{
    for (; *names; names++)
        cst_csv_text(csv, *names);
    cst_csv_row_end(csv);
}
