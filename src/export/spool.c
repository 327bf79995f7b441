#include "export/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"

enum { COPY_BYTES = 1 << 16 };

typedef struct stream {
    cst_spool_piece *piece;
    int64_t pieces, room, added;
    uint64_t sum; /* checksum of the last piece */
} stream;

struct cst_spool {
    FILE *file;
    uint64_t end;
    int streams;
    stream *stream;
};

/* Creates a nameless file with mkstemp, whose files are readable only by their owner. */
static FILE *open_nameless(const char *path)
{
    static const char ending[] = ".XXXXXX";
    char *name = malloc(strlen(path) + sizeof ending);
    if (!name)
        return NULL;
    memcpy(name, path, strlen(path));
    memcpy(name + strlen(path), ending, sizeof ending);
    const int descriptor = mkstemp(name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    if (descriptor >= 0) {
        const int why = errno;
        unlink(name);
        if (!file)
            close(descriptor);
        errno = why;
    }
    free(name);
    return file;
}

cst_spool *cst_spool_new(const char *path, int streams)
{
    cst_spool *spool = calloc(1, sizeof *spool);
    if (!spool)
        return NULL;
    spool->streams = streams;
    spool->stream = calloc((size_t)streams + 1, sizeof *spool->stream);
    spool->file = spool->stream ? open_nameless(path) : NULL;
    if (spool->file)
        return spool;
    const int why = errno;
    cst_spool_free(spool);
    errno = why;
    return NULL;
}

void cst_spool_free(cst_spool *spool)
{
    if (!spool)
        return;
    for (int i = 0; i < spool->streams && spool->stream; i++)
        free(spool->stream[i].piece);
    free(spool->stream);
    if (spool->file)
        fclose(spool->file);
    free(spool);
}

static cst_spool_piece *next_piece(stream *to)
{
    if (to->pieces == to->room) {
        const int64_t room = to->room + to->room / 2 + 4;
        cst_spool_piece *piece = realloc(to->piece, (size_t)room * sizeof *piece);
        if (!piece)
            return NULL;
        to->piece = piece;
        to->room = room;
    }
    return &to->piece[to->pieces];
}

/* A record (data of one array in one frame) counts as equal to the previous record of the same array if both have the same length
 * and the same CRC-64 checksum. */
bool cst_spool_add(cst_spool *spool, int stream_index, const void *bytes, size_t count)
{
    stream *to = &spool->stream[stream_index];
    const uint64_t sum = cst_checksum(0, bytes, count);
    if (to->pieces > 0 && to->sum == sum && to->piece[to->pieces - 1].bytes == count) {
        to->piece[to->pieces - 1].last = to->added++;
        return true;
    }
    cst_spool_piece *piece = next_piece(to);
    if (!piece || (count > 0 && fwrite(bytes, 1, count, spool->file) != count))
        return false;
    *piece = (cst_spool_piece){to->added, to->added, spool->end, count};
    to->added++;
    to->pieces++;
    to->sum = sum;
    spool->end += count;
    return true;
}

int64_t cst_spool_pieces(const cst_spool *spool, int stream_index, const cst_spool_piece **out)
{
    *out = spool->stream[stream_index].piece;
    return spool->stream[stream_index].pieces;
}

bool cst_spool_copy(cst_spool *spool, const cst_spool_piece *piece, bool (*put)(void *user, const void *bytes, size_t count),
                    void *user)
{
    char block[COPY_BYTES];
    if (fseeko(spool->file, (off_t)piece->offset, SEEK_SET) != 0)
        return false;
    for (uint64_t left = piece->bytes; left > 0;) {
        const size_t count = left < COPY_BYTES ? (size_t)left : COPY_BYTES;
        if (fread(block, 1, count, spool->file) != count || !put(user, block, count))
            return false;
        left -= count;
    }
    return true;
}
