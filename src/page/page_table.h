/* Series over time for the charts of the page: columns of reals, thinned if there are more rows than a chart can show. */
#ifndef CST_PAGE_PAGE_TABLE_H
#define CST_PAGE_PAGE_TABLE_H

#include "cache/cache_read.h"
#include "page/page_bytes.h"

typedef struct cst_page_column {
    const char *name, *unit;
    double *value; /* (rows) */
} cst_page_column;

/* A table of values over time: its first column is the time, which increases from row to row. */
typedef struct cst_page_table {
    const char *name;
    int columns;
    cst_page_column *column;
    int64_t rows;
    int64_t thinned; /* number of rows in each group that cst_page_table_thin replaced by two rows; 1: nothing replaced */
} cst_page_table;

enum { CST_PAGE_ROWS_MAX = 8000 };

/* Keeps the rows with from <= time <= to. If more than CST_PAGE_ROWS_MAX rows are kept, divides them into groups of successive
 * rows and replaces each group by two rows. In the first column, the two rows that replace a group have the first and the middle
 * time of the group. In each other column, the two rows have the least and the largest value of their group, in the order in
 * which these values occur, so that no peak is lost. Works in place. */
void cst_page_table_thin(cst_page_table *table, double from, double to);

void cst_page_table_put(const cst_page_table *table, cst_page_bytes *to);

/* Summary of all steps of a run. */
typedef struct cst_page_summary {
    int64_t steps, missed; /* `missed`: number of steps in which friction solver or step iteration missed its tolerance */
    double worst_error, deepest;
    int64_t most_contacts;
} cst_page_summary;

/* Reads the step reports of a cache. Returns false if the step reports cannot be read; cst_cache_message then gives the reason,
 * but is unchanged if memory ran out. Free the table in either case. */
bool cst_page_steps_read(cst_cache *cache, cst_page_table *out, cst_page_summary *summary);
void cst_page_table_free(cst_page_table *table);

#endif
