/* probes/checksums.txt: length and checksum of each probe's file, so that whoever reads a CSV knows whether it is as it was written,
 * and the CSV itself holds nothing but rows.
 *
 *     CRC64 BYTES NAME.csv     (a line for each)
 *     CRC64                    of the lines above
 *
 * It is renewed at every checkpoint, after the rows. A file may be longer than it says (a run that was killed, or goes on): rows beyond
 * are cut off when the run is resumed. */
#ifndef CST_RUN_PROBE_SUMS_H
#define CST_RUN_PROBE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a checkpoint counts on: the first `bytes` of a file, and their checksum (cst_checksum). */
typedef struct cst_probe_mark {
    int64_t bytes;
    uint64_t sum;
} cst_probe_mark;

#define CST_PROBE_SUMS_NAME "checksums.txt"

/* name: of each file in the directory. False with a message "PATH: why". */
bool cst_probe_sums_write(const char *directory, const char *const *name, const cst_probe_mark *mark, int count, char *message,
                          size_t message_size);

/* Whether the first bytes of an open file are those of the mark. False with a message "PATH: why". */
bool cst_probe_mark_check(const char *path, int descriptor, const cst_probe_mark *mark, char *message, size_t message_size);

/* Whether the file at `path` is as checksums.txt beside it says; true if nothing is said about it, as of a file that is no probe.
 * *bytes: how many of its bytes count, -1: all. False with a message "PATH: why". */
bool cst_probe_file_verify(const char *path, int64_t *bytes, char *message, size_t message_size);

#endif
