/* Creates directories for results. */
#ifndef CST_WRITE_DIRECTORY_H
#define CST_WRITE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* Creates a directory and its missing parents (like mkdir -p), and tests if files can be created in it; if not, returns false
 * with a message. */
bool cst_directory_make(const char *path, char *message, size_t message_size);

/* Returns the path of a file in a directory. The name of the file is `name` followed by `ending`, for example ".csv". Returns
 * NULL if memory ran out. The caller must free the path. */
char *cst_path_join(const char *directory, const char *name, const char *ending);

#endif
