/* Checks the directory of a run that is given as an argument of a command. */
#ifndef CST_CLI_RUN_ARGUMENT_H
#define CST_CLI_RUN_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

/* If the path does not exist or is a file (for example the scene file), returns false with a message that says which argument is
 * expected. */
bool cst_is_directory(const char *path, char *message, size_t message_size);

#endif
