/* probes/checksums.txt contains the length and checksum of each probe file, so that a reader can detect a changed CSV file, and
 * the CSV file itself contains only rows.
 *
 *     CRC64 BYTES NAME.csv (a line for each file)
 *     CRC64 (the checksum of the lines above).
 *
 * The file checksums.txt is rewritten at every checkpoint, after the rows of the probes. A CSV file may be longer than listed (if
 * the run was killed, or is running): the additional rows are removed when the run is resumed. */
#ifndef CST_RUN_PROBE_SUMS_H
#define CST_RUN_PROBE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a file that a checkpoint refers to: its first `bytes`, and their checksum (cst_checksum). */
typedef struct cst_probe_mark {
    int64_t bytes;
    uint64_t sum;
} cst_probe_mark;

#define CST_PROBE_SUMS_NAME "checksums.txt"

/* `name`: name of each file in the directory. Returns false with a message "PATH: why". */
bool cst_probe_sums_write(const char *directory, const char *const *name, const cst_probe_mark *mark, int count, char *message,
                          size_t message_size);

/* Returns true if the first bytes of an open file match the mark, and false with a message "PATH: why" otherwise. */
bool cst_probe_mark_check(const char *path, int descriptor, const cst_probe_mark *mark, char *message, size_t message_size);

/* Returns true if the file at `path` matches checksums.txt in the same directory, or is not listed there. `bytes`: number of
 * valid bytes of the file, -1 for all. Returns false with a message "PATH: why" otherwise. */
bool cst_probe_file_verify(const char *path, int64_t *bytes, char *message, size_t message_size);

#endif
