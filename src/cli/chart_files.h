/* Writes charts to files: pictures as PNG and SVG, and the underlying numbers as CSV. Each file is written completely or not at
 * all. */
#ifndef CST_CLI_CHART_FILES_H
#define CST_CLI_CHART_FILES_H

#include <stdbool.h>

#include "chart/chart.h"
#include "chart/chart_sheet.h"

/* Writes one picture; the file name extension selects .png (two pixels per point) or .svg. If a chart sheet has only one chart
 * and no title, only this chart is drawn. If the picture cannot be written, returns false and writes a message. */
bool cst_picture_write(const cst_chart_sheet *sheet, const char *path, char *message, size_t message_size);

/* Returns true if a path ends in .png or .svg. */
bool cst_picture_path(const char *path);

/* Writes DIRECTORY/NAME.svg, .png and .csv. Prints the paths of the written files or, on standard error, the reason for a
 * failure. A build without cairo does not write the PNG. */
bool cst_chart_files_write(const cst_chart *chart, const char *directory, const char *name);

/* Writes several charts as one picture, in the formats PNG and SVG, without a CSV file of the numbers. */
bool cst_sheet_files_write(const cst_chart_sheet *sheet, const char *directory, const char *name);

#endif
