#include "cli/csv_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cst_csv_file_free(cst_csv_file *file)
{
    free(file->text);
    free(file->field);
    *file = (cst_csv_file){0};
}

static char *read_text(const char *path)
{
    FILE *from = fopen(path, "r");
    if (!from)
        return NULL;
    size_t used = 0, room = 4096;
    char *text = malloc(room);
    while (text) {
        used += fread(text + used, 1, room - 1 - used, from);
        if (feof(from) || ferror(from))
            break;
        room *= 2;
        char *grown = realloc(text, room);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text)
        text[used] = '\0';
    fclose(from);
    return text;
}

bool cst_csv_file_read(cst_csv_file *file, const char *path, char *message, size_t message_size)
{
    *file = (cst_csv_file){.text = read_text(path)};
    if (!file->text) {
        snprintf(message, message_size, "%s: %s", path, strerror(errno));
        return false;
    }
    int lines = 0, commas = 0;
    for (const char *at = file->text; *at; at++) {
        lines += *at == '\n';
        commas += *at == ',' && lines == 0;
    }
    file->columns = commas + 1;
    file->field = calloc((size_t)(lines + 1) * (size_t)file->columns, sizeof(char *));
    if (!file->field) {
        snprintf(message, message_size, "%s: out of memory", path);
        return false;
    }
    int row = 0;
    for (char *line = file->text; *line; row++) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        int column = 0;
        for (char *at = line; at && column < file->columns; column++) {
            file->field[row * file->columns + column] = at;
            at = strchr(at, ',');
            if (at)
                *at++ = '\0';
        }
        if (column != file->columns) {
            snprintf(message, message_size, "%s: line %d has %d fields, not %d", path, row + 1, column, file->columns);
            return false;
        }
        line = next;
    }
    file->rows = row > 0 ? row - 1 : 0;
    return true;
}

const char *cst_csv_field(const cst_csv_file *file, int row, const char *column)
{
    for (int i = 0; i < file->columns && file->field; i++)
        if (strcmp(file->field[i], column) == 0)
            return file->field[(row + 1) * file->columns + i];
    return "";
}

double cst_csv_number(const cst_csv_file *file, int row, const char *column)
{
    const char *text = cst_csv_field(file, row, column);
    char *end;
    double value = strtod(text, &end);
    return end == text || *end ? NAN : value;
}
