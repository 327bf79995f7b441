/* Charts on disk: pictures as PNG and SVG, and the numbers behind them as CSV. Each file is there in full or not at all. */
#ifndef CST_CLI_CHART_FILES_H
#define CST_CLI_CHART_FILES_H

#include <stdbool.h>

#include "chart/chart.h"
#include "chart/chart_sheet.h"

/* One picture, of the kind that the path's ending says: .png (two pixels to the point) or .svg. A sheet of one panel that has no
 * title of its own is drawn as that chart alone. false and a message "PATH: why". */
bool cst_picture_write(const cst_chart_sheet *sheet, const char *path, char *message, size_t message_size);

/* Whether a path ends in .png or .svg. */
bool cst_picture_path(const char *path);

/* DIRECTORY/NAME.svg, .png, .csv. Says what was written, or on standard error why not; a build without cairo leaves out the PNG
 * and says so. */
bool cst_chart_files_write(const cst_chart *chart, const char *directory, const char *name);

/* The pictures alone, of several charts. */
bool cst_sheet_files_write(const cst_chart_sheet *sheet, const char *directory, const char *name);

#endif
