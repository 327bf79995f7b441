/* Writes and reads files completely or not at all. */
#ifndef CST_FILES_WHOLE_FILE_H
#define CST_FILES_WHOLE_FILE_H

#include "base/arena.h"
#include "files/fault.h"

#include <stdint.h>

/* Writes to a temporary file in the directory of fault->path, syncs this file and renames it to fault->path. On failure, the
 * temporary file is removed, an existing file at the path is unchanged, and the fault gives the reason. */
bool cst_whole_file_write(const void *bytes, size_t count, cst_arena *scratch, cst_fault *fault);

/* Reads the regular file at fault->path into the arena, and adds a zero byte after the last byte; a file of more than `most`
 * bytes is a fault. */
bool cst_whole_file_read(int64_t most, cst_arena *arena, char **bytes, size_t *count, cst_fault *fault);

/* Reads `bytes` bytes at `offset` from a file descriptor. Returns false and records a fault if not all bytes can be read, for
 * example because the file has become shorter. */
bool cst_read_at(int descriptor, char *out, int64_t bytes, int64_t offset, cst_fault *fault);

/* Writes `count` bytes at `offset` to a file descriptor. Returns false and sets errno if not all bytes can be written. */
bool cst_write_at(int descriptor, const void *bytes, size_t count, int64_t offset);

#endif
