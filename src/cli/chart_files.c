#include "cli/chart_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/inputs.h"
#include "output/file_write.h"

static bool write_one(const cst_chart *chart, const char *directory, const char *name, const char *ending,
                      bool (*write)(const cst_chart *chart, FILE *to))
{
    char message[512] = "out of memory";
    char *path = cst_path_join(directory, name, ending);
    cst_file_write file;
    bool written = false;
    if (path && cst_file_write_begin(&file, path, message, sizeof message)) {
        if (write(chart, file.to))
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
    bool written = write_one(chart, directory, name, ".svg", cst_chart_write_svg) &&
                   write_one(chart, directory, name, ".csv", cst_chart_write_csv);
    if (written)
        printf("wrote %s/%s.svg, .csv\n", directory, name);
    return written;
}
