/* Series over time for the charts of the page: columns of reals, thinned where there are more rows than a chart can show. */
#ifndef CST_PAGE_PAGE_TABLE_H
#define CST_PAGE_PAGE_TABLE_H

#include "cache/cache_read.h"
#include "page/page_bytes.h"

typedef struct cst_page_column {
    const char *name, *unit;
    double *value; /* (rows) */
} cst_page_column;

/* The first column is the time, increasing. */
typedef struct cst_page_table {
    const char *name;
    int columns;
    cst_page_column *column;
    int64_t rows;
    int64_t thinned; /* rows that two of these stand for; 1: all are here */
} cst_page_table;

enum { CST_PAGE_ROWS_MAX = 8000 };

/* Only rows with from <= time <= to; then, if they are still too many, two per bucket with the least and the largest value of the
 * bucket in the order they came, column by column: no peak is lost. In place. */
void cst_page_table_thin(cst_page_table *table, double from, double to);

void cst_page_table_put(const cst_page_table *table, cst_page_bytes *to);

/* What is worth knowing of all steps of a run. */
typedef struct cst_page_summary {
    int64_t steps, missed; /* missed: steps that ended above the tolerance */
    double worst_error, deepest;
    int64_t most_contacts;
} cst_page_summary;

/* Step reports of a cache; false with a message of the cache, or "" without memory. Free it either way. */
bool cst_page_steps_read(cst_cache *cache, cst_page_table *out, cst_page_summary *summary);
void cst_page_table_free(cst_page_table *table);

#endif
