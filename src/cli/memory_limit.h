/* Limit on the memory of this process.
 *
 * Linux ends a process that outgrows the memory of the machine with SIGKILL, without a message. With a limit, an allocation fails
 * instead: the run stops with a message and its last checkpoint, and can be resumed. */
#ifndef CST_CLI_MEMORY_LIMIT_H
#define CST_CLI_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cst_memory_limit {
    double bytes; /* memory (bytes) that the process could still take when the limit was set; 0: this code has set no limit */
    bool asked;   /* true: the user's limit; false: the memory that was free when the process began */
} cst_memory_limit;

/* Sets the limit. `text`: a size such as "20G" or "500M" (powers of 1024), "none", or NULL for all memory that is free at
 * present, with swap. No limit is set if the system gives no figures, or if a limit of the system or of the shell is tighter.
 * Returns false with a message if the text is not a size. */
bool cst_memory_limit_set(const char *text, cst_memory_limit *limit, char *message, size_t message_size);

#endif
