/* The charts of a probe (quantities recorded during a run), from its CSV file: each quantity over time, the path of a point, and
 * the force over the displacement of a moved point. */
#ifndef CST_CLI_PROBE_CHARTS_H
#define CST_CLI_PROBE_CHARTS_H

#include <dirent.h>

#include "cli/run_charts.h"

enum { CST_PROBE_PANELS_MAX = 6 };

typedef struct cst_probe_charts {
    cst_chart *panel[CST_PROBE_PANELS_MAX]; /* over time */
    int panels;
    cst_chart *path; /* chart of the path of a point, y over x; NULL if the probe records no position */
    /* chart of force over displacement, along the coordinate axis of the largest motion; NULL if the point is not moved */
    cst_chart *loop;
} cst_probe_charts;

/* `name`: name of the probe, for titles. Returns false with a message if the CSV file of the probe could not be read or has no
 * column of times. Free the charts in either case. */
bool cst_probe_charts_make(cst_probe_charts *charts, const char *file, const char *name, const cst_run_chart_style *view,
                           char *message, size_t message_size);
void cst_probe_charts_free(cst_probe_charts *charts);

/* Filter for scandir: selects the CSV files in the folder of probes. */
int cst_is_probe_table(const struct dirent *entry);

#endif
