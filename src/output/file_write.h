/* A text file that is either whole or not there: written beside its path, then renamed over it. */
#ifndef CST_OUTPUT_FILE_WRITE_H
#define CST_OUTPUT_FILE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cst_file_write {
    FILE *to; /* write here */
    char *path;
    char *aside;
} cst_file_write;

/* false and a message "PATH: why" if it cannot be begun; nothing to clean up then. */
bool cst_file_write_begin(cst_file_write *file, const char *path, char *message, size_t message_size);

/* Puts the file in place. false and a message if anything, the writes before it included, went wrong: the part written is
 * removed and an older file at the path is left alone. */
bool cst_file_write_commit(cst_file_write *file, char *message, size_t message_size);

void cst_file_write_abandon(cst_file_write *file);

#endif
