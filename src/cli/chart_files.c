#include "cli/chart_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/canvas_png.h"
#include "cli/inputs.h"
#include "write/file_write.h"

enum { PIXELS_PER_POINT = 2 };

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), own = strlen(ending);
    return length > own && strcmp(path + length - own, ending) == 0;
}

bool cst_picture_path(const char *path)
{
    return ends_in(path, ".png") || ends_in(path, ".svg");
}

static bool draw(const cst_chart_sheet *sheet, bool pixels, FILE *to, char *message, size_t message_size)
{
    double width, height;
    bool single = sheet->panels == 1 && !sheet->title;
    if (single)
        cst_chart_size(sheet->panel[0], &width, &height);
    else
        cst_chart_sheet_size(sheet, &width, &height);
    cst_canvas *canvas =
        pixels ? cst_canvas_png(width, height, PIXELS_PER_POINT, to, message, message_size) : cst_canvas_svg(width, height, to);
    if (!canvas && pixels)
        return false; /* the message is already set */
    bool drawn = single ? cst_chart_draw(sheet->panel[0], canvas) : cst_chart_sheet_draw(sheet, canvas);
    bool ended = cst_canvas_end(canvas, message, message_size);
    if (ended && !drawn)
        snprintf(message, message_size, "out of memory");
    return ended && drawn;
}

bool cst_picture_write(const cst_chart_sheet *sheet, const char *path, char *message, size_t message_size)
{
    cst_file_write file;
    if (!cst_file_write_begin(&file, path, message, message_size))
        return false;
    char why[256];
    if (draw(sheet, ends_in(path, ".png"), file.to, why, sizeof why))
        return cst_file_write_commit(&file, message, message_size);
    cst_file_write_abandon(&file);
    snprintf(message, message_size, "%s: %s", path, why);
    return false;
}

static bool picture_to(const cst_chart_sheet *sheet, const char *directory, const char *name, const char *ending)
{
    char message[512] = "out of memory";
    char *path = cst_path_join(directory, name, ending);
    bool written = path && cst_picture_write(sheet, path, message, sizeof message);
    if (!written)
        fprintf(stderr, "capstan: %s\n", message);
    free(path);
    return written;
}

static bool numbers_to(const cst_chart *chart, const char *directory, const char *name)
{
    char message[512] = "out of memory";
    char *path = cst_path_join(directory, name, ".csv");
    cst_file_write file;
    bool written = false;
    if (path && cst_file_write_begin(&file, path, message, sizeof message)) {
        if (cst_chart_write_csv(chart, file.to))
            written = cst_file_write_commit(&file, message, sizeof message);
        else
            cst_file_write_abandon(&file);
    }
    if (!written)
        fprintf(stderr, "capstan: %s\n", message);
    free(path);
    return written;
}

bool cst_chart_files_write(const cst_chart *chart, const char *directory, const char *name)
{
    const cst_chart_sheet sheet = {.panel = &chart, .panels = 1};
    char message[256];
    bool pixels = cst_canvas_png_available(message, sizeof message);
    bool written = picture_to(&sheet, directory, name, ".svg") && (!pixels || picture_to(&sheet, directory, name, ".png")) &&
                   numbers_to(chart, directory, name);
    if (written)
        printf("wrote %s/%s.svg, %s.csv\n", directory, name, pixels ? ".png, " : "");
    return written;
}

bool cst_sheet_files_write(const cst_chart_sheet *sheet, const char *directory, const char *name)
{
    char message[256];
    bool pixels = cst_canvas_png_available(message, sizeof message);
    bool written = picture_to(sheet, directory, name, ".svg") && (!pixels || picture_to(sheet, directory, name, ".png"));
    if (written)
        printf("wrote %s/%s.svg%s\n", directory, name, pixels ? ", .png" : "");
    return written;
}
