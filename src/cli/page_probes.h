/* Reads the probes of a run (RUN/probes/NAME.csv) as tables for the HTML page of the run. */
#ifndef CST_CLI_PAGE_PROBES_H
#define CST_CLI_PAGE_PROBES_H

#include "page/page_table.h"

typedef struct cst_page_probes {
    int count;
    cst_page_table *table;
    char **text; /* names and units of each table */
} cst_page_probes;

/* Reads the rows of each probe between the given times; long tables are thinned (cst_page_table_thin). A run may have no probes.
 * Returns false with a message if a probe cannot be read. Free the probes in either case. */
bool cst_page_probes_read(cst_page_probes *probes, const char *run, double from, double to, char *message, size_t message_size);
void cst_page_probes_free(cst_page_probes *probes);

#endif
