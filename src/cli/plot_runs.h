/* Plots several runs in the same charts: one chart for each quantity, one curve for each run. */
#ifndef CST_CLI_PLOT_RUNS_H
#define CST_CLI_PLOT_RUNS_H

#include "cli/run_charts.h"

/* Names of the groups of charts that `capstan plot --only` can select. */
typedef enum cst_plot_group {
    CST_PLOT_ENERGIES = 0,
    CST_PLOT_CONTACTS,
    CST_PLOT_RESIDUAL,
    CST_PLOT_ITERATIONS,
    CST_PLOT_DT,
    CST_PLOT_PENETRATION,
    CST_PLOT_PROBES,
    CST_PLOT_GROUPS
} cst_plot_group;

extern const char *const cst_plot_group_name[CST_PLOT_GROUPS];

/* Reads the runs and writes their charts to files in `directory`, which must exist. Each file has the name of its group of
 * charts. A probe (a set of quantities that a run records) is plotted only if all runs have it; its charts are written to a file
 * probe_NAME, where NAME is the name of the probe. `view`: time range and size of the charts; if the fields `from` and `to` are
 * NaN, the time axis covers the longest run. Returns the number of pictures written or, on failure, -1 with a message. */
int cst_plot_runs(const char *const *run, int runs, const bool chosen[CST_PLOT_GROUPS], const cst_run_chart_style *view,
                  const char *directory, char *message, size_t message_size);

#endif
