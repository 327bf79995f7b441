/* A chart and the numbers behind it on disk: DIRECTORY/NAME.svg and DIRECTORY/NAME.csv. */
#ifndef CST_CLI_CHART_FILES_H
#define CST_CLI_CHART_FILES_H

#include <stdbool.h>

#include "output/chart.h"

/* Says what was written, or on standard error why not. */
bool cst_chart_files_write(const cst_chart *chart, const char *directory, const char *name);

#endif
