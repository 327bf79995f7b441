/* Many streams gathered in one file without a name, to be read back stream by stream.
 *
 * A text or archive that keeps all frames of one array together cannot be written frame by frame. So each frame's piece of each stream is
 * put at the end of one file, and only where it is stays in memory. A piece equal to the one before of its stream is not kept again. */
#ifndef CST_EXPORT_SPOOL_H
#define CST_EXPORT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cst_spool cst_spool;

/* A piece, and the pieces first to last of its stream that are equal to it. */
typedef struct cst_spool_piece {
    int64_t first, last;
    uint64_t offset, bytes;
} cst_spool_piece;

/* `streams` of them, in a file that is removed as soon as it is open, beside `path`. NULL: errno says why. */
cst_spool *cst_spool_new(const char *path, int streams);
void cst_spool_free(cst_spool *spool); /* NULL is fine */

/* False: errno says why. */
bool cst_spool_add(cst_spool *spool, int stream, const void *bytes, size_t count);

/* Pieces of a stream in the order they came: how many. */
int64_t cst_spool_pieces(const cst_spool *spool, int stream, const cst_spool_piece **out);

/* A piece, some bytes at a time. False: `put` said so, or the file cannot be read (errno). */
bool cst_spool_copy(cst_spool *spool, const cst_spool_piece *piece, bool (*put)(void *user, const void *bytes, size_t count),
                    void *user);

#endif
