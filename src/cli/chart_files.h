/* Writes charts to files: pictures as PNG and SVG, and the underlying numbers as CSV. Each file is written completely or not at
 * all. */
#ifndef CST_CLI_CHART_FILES_H
#define CST_CLI_CHART_FILES_H

#include <stdbool.h>

#include "chart/chart.h"
#include "chart/chart_sheet.h"

/* Writes one picture; the file name extension selects .png (two pixels per point) or .svg. A chart sheet with one chart and no
 * title is drawn as that chart alone. Returns false with a message "PATH: why" on failure. */
bool cst_picture_write(const cst_chart_sheet *sheet, const char *path, char *message, size_t message_size);

/* Returns true if a path ends in .png or .svg. */
bool cst_picture_path(const char *path);

/* Writes DIRECTORY/NAME.svg, .png and .csv. Prints what was written, or the reason for a failure on standard error. A build
 * without cairo skips the PNG and says so. */
bool cst_chart_files_write(const cst_chart *chart, const char *directory, const char *name);

/* Writes the pictures of a chart sheet with several charts, without CSV. */
bool cst_sheet_files_write(const cst_chart_sheet *sheet, const char *directory, const char *name);

#endif
