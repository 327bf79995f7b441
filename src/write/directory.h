/* Creates directories for results. */
#ifndef CST_WRITE_DIRECTORY_H
#define CST_WRITE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* Creates a directory and its missing parents (like mkdir -p), and tests if files can be created in it; if not, returns false
 * with a message. */
bool cst_directory_make(const char *path, char *message, size_t message_size);

/* Returns the path of the file with the given name and ending in a directory, or NULL if memory ran out. The caller must free
 * the path. */
char *cst_path_join(const char *directory, const char *name, const char *ending);

#endif
