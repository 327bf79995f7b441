/* A file that is either there in full or not at all. */
#ifndef CST_EXCHANGE_WHOLE_FILE_H
#define CST_EXCHANGE_WHOLE_FILE_H

#include "base/arena.h"
#include "exchange/fault.h"

/* Write to a temporary in the same directory, fsync, rename over fault->path. On failure the temporary is removed, whatever was
 * at the path is untouched, and the fault says why. */
bool cst_whole_file_write(const void *bytes, size_t count, cst_arena *scratch, cst_fault *fault);

#endif
