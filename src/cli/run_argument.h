/* The directory of a run, as an argument of the commands that show runs. */
#ifndef CST_CLI_RUN_ARGUMENT_H
#define CST_CLI_RUN_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

/* False with a message that says what to give instead: there is no such directory, or it is a file, perhaps the scene. */
bool cst_is_directory(const char *path, char *message, size_t message_size);

#endif
