/* Collects the data of many arrays, frame by frame, in one temporary file without a name, from which they are read array by
 * array.
 *
 * Some file formats store the values of one array for all frames together, so they cannot be written frame by frame. The data of
 * one array in one frame are a record, and all records of an array are a stream. Records are appended to a temporary file without
 * a name, and only their positions are stored in memory. A record (data of one array in one frame) that equals the previous
 * record of its stream is not stored again. */
#ifndef CST_EXPORT_SPOOL_H
#define CST_EXPORT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cst_spool cst_spool;

/* A stored record of a stream: the data of one array in the frames `first` to `last`, in which these data are equal. */
typedef struct cst_spool_piece {
    int64_t first, last;
    uint64_t offset, bytes;
} cst_spool_piece;

/* Creates a file beside `path` for the data of `streams` arrays; the file is unlinked at once, so that it has no name. Returns
 * NULL with errno on failure. */
cst_spool *cst_spool_new(const char *path, int streams);
void cst_spool_free(cst_spool *spool); /* NULL is fine */

/* Returns false with errno on failure. */
bool cst_spool_add(cst_spool *spool, int stream, const void *bytes, size_t count);

/* Returns the number of stored records of a stream (records are the data of one array in one frame). `out`: output, the frames
 * and the file positions of these records, in the order in which they were added. */
int64_t cst_spool_pieces(const cst_spool *spool, int stream, const cst_spool_piece **out);

/* Passes the bytes of a record (data of one array in one frame) to the callback `put`, block by block. Returns false if the
 * callback `put` returns false, or if the file cannot be read (errno). */
bool cst_spool_copy(cst_spool *spool, const cst_spool_piece *piece, bool (*put)(void *user, const void *bytes, size_t count),
                    void *user);

#endif
