/* A text file that is written completely or not at all: its contents are collected in memory and then written by
 * cst_whole_file_write. */
#ifndef CST_WRITE_FILE_WRITE_H
#define CST_WRITE_FILE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cst_file_write {
    FILE *to; /* write here */
    char *path;
    char *text;
    size_t bytes;
} cst_file_write;

/* Returns false with a message "PATH: why" if the file cannot be created (no such directory, not writable), so that the caller
 * learns of the failure before computing the contents. If cst_file_write_begin fails, the caller has nothing to clean up. */
bool cst_file_write_begin(cst_file_write *file, const char *path, char *message, size_t message_size);

/* Writes the file to its path. If the file cannot be written, returns false with a message and keeps an older file at the
 * path. */
bool cst_file_write_commit(cst_file_write *file, char *message, size_t message_size);

void cst_file_write_abandon(cst_file_write *file);

#endif
