/* A text file that is either there in full or not at all: gathered in memory, put in place by cst_whole_file_write. */
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

/* false and a message "PATH: why" if it cannot be begun (no such directory, not writable): known before the work is done that
 * fills it. Nothing to clean up then. */
bool cst_file_write_begin(cst_file_write *file, const char *path, char *message, size_t message_size);

/* Puts the file in place. false and a message if that failed: an older file at the path is left alone. */
bool cst_file_write_commit(cst_file_write *file, char *message, size_t message_size);

void cst_file_write_abandon(cst_file_write *file);

#endif
