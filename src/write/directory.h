/* Directories that results go to. */
#ifndef CST_WRITE_DIRECTORY_H
#define CST_WRITE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* mkdir -p, and whether files can be made in it. false and a message if not. */
bool cst_directory_make(const char *path, char *message, size_t message_size);

/* DIRECTORY/NAMEENDING, to be freed; NULL without memory. */
char *cst_path_join(const char *directory, const char *name, const char *ending);

#endif
