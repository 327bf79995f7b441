#include "cli/csv_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/whole_file.h"
#include "run/probe_sums.h"

static const int64_t BYTES_MAX = (int64_t)1 << 34;

void cst_csv_file_free(cst_csv_file *file)
{
    free(file->text);
    free(file->field);
    *file = (cst_csv_file){0};
}

/* Returns the first `bytes` bytes of a file (-1: all), or NULL with a message. */
static char *read_text(const char *path, int64_t bytes, char *message, size_t message_size)
{
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fault fault = cst_fault_begin(path, message, message_size);
    char *read = NULL, *text = NULL;
    size_t size;
    if (cst_whole_file_read(BYTES_MAX, &scratch, &read, &size, &fault)) {
        size = bytes >= 0 && (size_t)bytes < size ? (size_t)bytes : size;
        text = malloc(size + 1);
        if (!text)
            cst_fault_record_memory(&fault);
    }
    if (text) {
        memcpy(text, read, size);
        text[size] = '\0';
    }
    cst_arena_end(&scratch);
    return text;
}

bool cst_csv_file_read(cst_csv_file *file, const char *path, char *message, size_t message_size)
{
    int64_t bytes;
    *file = (cst_csv_file){0};
    if (!cst_probe_file_verify(path, &bytes, message, message_size))
        return false;
    file->text = read_text(path, bytes, message, message_size);
    if (!file->text)
        return false;
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
        for (char *at = line; at; column++) {
            if (column < file->columns)
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
