/* The file probes/checksums.txt contains the length and the checksum of each probe file, because a probe file itself contains
 * only CSV rows. With checksums.txt, a reader can detect that a probe file was changed.
 *
 *     `CRC64 BYTES NAME.csv` is the format of the line of each probe file.
 *     `CRC64`, the last line of the file, is the checksum of all lines above it.
 *
 * The file checksums.txt is rewritten at every checkpoint, after the new rows of the probes are written. While a run is in
 * progress, and after it was killed, a CSV file may be longer than its listed length; if the run is resumed, the additional rows
 * are removed. */
#ifndef CST_RUN_PROBE_SUMS_H
#define CST_RUN_PROBE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a file that a checkpoint refers to: the number of bytes from the start of the file, and the checksum of these
 * bytes (cst_checksum). */
typedef struct cst_probe_mark {
    int64_t bytes;
    uint64_t sum;
} cst_probe_mark;

#define CST_PROBE_SUMS_NAME "checksums.txt"

/* Writes the length and the checksum of each probe file in the directory to the file checksums.txt; `name` lists the names of the
 * probe files. If the file checksums.txt cannot be written, the function returns false and writes a message. */
bool cst_probe_sums_write(const char *directory, const char *const *name, const cst_probe_mark *mark, int count, char *message,
                          size_t message_size);

/* Removes the probe files that checksums.txt in the directory lists, and then checksums.txt. If the directory has no
 * checksums.txt, nothing is removed. Returns false with a message if checksums.txt cannot be read. */
bool cst_probe_sums_remove(const char *directory, char *message, size_t message_size);

/* Returns true if an open file has at least mark->bytes bytes and these first bytes have the checksum in `mark`; otherwise
 * returns false with a message "PATH: reason". */
bool cst_probe_mark_check(const char *path, int descriptor, const cst_probe_mark *mark, char *message, size_t message_size);

/* Compares the start of the file at `path` with the length and the checksum that checksums.txt in the same directory lists for
 * this file. Returns true if the file agrees with checksums.txt, or if checksums.txt does not exist or does not list it. `bytes`:
 * receives the length that checksums.txt lists for the file, or -1 if the file is not listed. Returns false with a message "PATH:
 * reason" if the file is shorter than listed, if its bytes up to the listed length have another checksum, or if checksums.txt
 * itself is damaged. */
bool cst_probe_file_verify(const char *path, int64_t *bytes, char *message, size_t message_size);

#endif
