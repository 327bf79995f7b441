/* The charts of a run, from its cache: energies, works, error of the energy budget, contacts, residual of the Coulomb law,
 * iterations, time step, penetration. */
#ifndef CST_CLI_RUN_CHARTS_H
#define CST_CLI_RUN_CHARTS_H

#include "cache/cache_read.h"
#include "chart/chart.h"

typedef enum cst_run_chart {
    CST_RUN_ENERGIES = 0,
    CST_RUN_WORKS,
    CST_RUN_UNEXPLAINED,
    CST_RUN_CONTACTS,
    CST_RUN_RESIDUAL,
    CST_RUN_ITERATIONS,
    CST_RUN_DT,
    CST_RUN_PENETRATION,
    CST_RUN_CHARTS
} cst_run_chart;

/* Time range and size of the charts of a run. */
typedef struct cst_run_chart_style {
    double from, to;   /* from < to (s) */
    int width, height; /* points; 0: default size of charts */
} cst_run_chart_style;

/* A chart is NULL if it has nothing to show, for example if no work was done or nothing ever penetrated. */
typedef struct cst_run_charts {
    cst_chart *chart[CST_RUN_CHARTS];
} cst_run_charts;

/* Returns false with a message if the cache could not be read or memory ran out. Free the charts in either case. */
bool cst_run_charts_make(cst_run_charts *charts, cst_cache *cache, const cst_run_chart_style *view, char *message,
                         size_t message_size);
void cst_run_charts_free(cst_run_charts *charts);

#endif
