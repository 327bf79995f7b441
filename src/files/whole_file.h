/* A file that is either there in full or not at all: written so, and read so. */
#ifndef CST_FILES_WHOLE_FILE_H
#define CST_FILES_WHOLE_FILE_H

#include "base/arena.h"
#include "files/fault.h"

#include <stdint.h>

/* Write to a temporary in the same directory, fsync, rename over fault->path. On failure the temporary is removed, whatever was
 * at the path is untouched, and the fault says why. */
bool cst_whole_file_write(const void *bytes, size_t count, cst_arena *scratch, cst_fault *fault);

/* All of the regular file at fault->path, at most `most` bytes, into the arena; a zero follows the last byte. */
bool cst_whole_file_read(int64_t most, cst_arena *arena, char **bytes, size_t *count, cst_fault *fault);

/* All `bytes` at `offset` of a descriptor; a file that shrinks meanwhile is a fault. */
bool cst_read_at(int descriptor, char *out, int64_t bytes, int64_t offset, cst_fault *fault);

/* All `count` bytes to `offset` of a descriptor. False: errno says why. */
bool cst_write_at(int descriptor, const void *bytes, size_t count, int64_t offset);

#endif
