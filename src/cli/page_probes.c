#include "cli/page_probes.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv_read.h"
#include "write/directory.h"

static int is_table(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0;
}

/* Splits "fx [N]" into "fx" and "N", in place. */
static void split_name(char *text, const char **name, const char **unit)
{
    *name = text;
    *unit = "";
    char *open = strchr(text, '[');
    size_t length = strlen(text);
    if (!open || text[length - 1] != ']')
        return;
    text[length - 1] = '\0';
    *unit = open + 1;
    *open = '\0';
    while (open > text && open[-1] == ' ')
        *--open = '\0';
}

/* Copies the name of a table and the names of its columns into one block of memory. */
static char *copy_texts(const char *name, const cst_csv_file *file)
{
    size_t bytes = strlen(name) + 1;
    for (int c = 0; c < file->columns; c++)
        bytes += strlen(file->field[c]) + 1;
    char *text = malloc(bytes), *at = text;
    if (!text)
        return NULL;
    at = stpcpy(at, name) + 1;
    for (int c = 0; c < file->columns; c++)
        at = stpcpy(at, file->field[c]) + 1;
    return text;
}

static bool make_table(const char *name, const cst_csv_file *file, cst_page_table *table, char **text)
{
    *text = copy_texts(name, file);
    *table = (cst_page_table){.name = *text, .column = calloc((size_t)file->columns, sizeof *table->column), .thinned = 1};
    if (!*text || !table->column)
        return false;
    char *at = *text + strlen(*text) + 1;
    for (int c = 0; c < file->columns; c++) {
        cst_page_column *column = &table->column[table->columns++];
        char *next = at + strlen(at) + 1;
        column->value = malloc(((size_t)file->rows + 1) * sizeof *column->value);
        if (!column->value)
            return false;
        for (int i = 0; i < file->rows; i++)
            column->value[i] = cst_csv_number(file, i, file->field[c]);
        split_name(at, &column->name, &column->unit);
        at = next;
    }
    table->rows = file->rows;
    return true;
}

static bool read_probe(cst_page_probes *probes, const char *path, const char *name, double from, double to, char *message,
                       size_t message_size)
{
    cst_csv_file file;
    bool read = cst_csv_file_read(&file, path, message, message_size);
    bool good = read && file.columns > 0 && strncmp(file.field[0], "time", 4) == 0;
    if (read && !good)
        snprintf(message, message_size, "%s: the first column should be the time", path);
    if (good) {
        int k = probes->count++;
        good = make_table(name, &file, &probes->table[k], &probes->text[k]);
        if (good)
            cst_page_table_thin(&probes->table[k], from, to);
        else
            snprintf(message, message_size, "not enough memory");
    }
    cst_csv_file_free(&file);
    return good;
}

bool cst_page_probes_read(cst_page_probes *probes, const char *run, double from, double to, char *message, size_t message_size)
{
    *probes = (cst_page_probes){0};
    char *folder = cst_path_join(run, "probes", "");
    struct dirent **entry = NULL;
    int count = folder ? scandir(folder, &entry, is_table, alphasort) : 0;
    bool good = folder != NULL;
    if (count > 0) {
        probes->table = calloc((size_t)count, sizeof *probes->table);
        probes->text = calloc((size_t)count, sizeof *probes->text);
        good = probes->table && probes->text;
    }
    if (!good)
        snprintf(message, message_size, "not enough memory");
    for (int i = 0; i < count; i++) {
        char *path = cst_path_join(folder, entry[i]->d_name, "");
        entry[i]->d_name[strlen(entry[i]->d_name) - 4] = '\0';
        good = good && path && read_probe(probes, path, entry[i]->d_name, from, to, message, message_size);
        free(path);
        free(entry[i]);
    }
    free(entry);
    free(folder);
    return good;
}

void cst_page_probes_free(cst_page_probes *probes)
{
    for (int i = 0; i < probes->count; i++) {
        cst_page_table_free(&probes->table[i]);
        free(probes->text[i]);
    }
    free(probes->table);
    free(probes->text);
    *probes = (cst_page_probes){0};
}
