#include "run/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "files/whole_file.h"

static const char checkpoint_magic[8] = "CSTCHKP2";

enum { PROBES_MAX = 1 << 20 };

/* A checkpoint file consists of this header, the lengths and checksums of the probe files, the saved world, and a checksum of all
 * bytes before it, in this order. */
typedef struct checkpoint_header {
    char magic[8];
    uint64_t header_bytes; /* size of the header in bytes; a file with another size was written by another version of Capstan */
    uint64_t settings;
    int64_t phase;
    int64_t rows[CST_TABLES];
    int64_t probes;
    uint64_t world_bytes;
    cst_run_totals totals;
} checkpoint_header;

bool cst_run_unexplained(const cst_run_totals *totals)
{
    static const double SHARE = 0.01, ROUNDING = 1e-9;
    const cst_energies *energy = &totals->energy;
    return totals->unexplained >
           SHARE * energy->moved + ROUNDING * (energy->kinetic + fabs(energy->elastic) + fabs(energy->gravity));
}

/* ------------------------------------------------------------------------------------------------------------- writing */

static uint8_t *encode(const cst_checkpoint *checkpoint, size_t *size)
{
    checkpoint_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, checkpoint_magic, sizeof header.magic);
    header.header_bytes = sizeof header;
    header.settings = checkpoint->settings;
    header.phase = checkpoint->phase;
    memcpy(header.rows, checkpoint->rows, sizeof header.rows);
    header.probes = checkpoint->probes;
    header.world_bytes = checkpoint->world_bytes;
    header.totals = checkpoint->totals;
    size_t probe_bytes = (size_t)checkpoint->probes * sizeof(cst_probe_mark);
    *size = sizeof header + probe_bytes + checkpoint->world_bytes + sizeof(uint64_t);
    uint8_t *bytes = malloc(*size), *at = bytes;
    if (!bytes)
        return NULL;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    if (probe_bytes > 0)
        memcpy(at, checkpoint->probe_mark, probe_bytes);
    at += probe_bytes;
    memcpy(at, checkpoint->world, checkpoint->world_bytes);
    at += checkpoint->world_bytes;
    uint64_t sum = cst_checksum(0, bytes, (size_t)(at - bytes));
    memcpy(at, &sum, sizeof sum);
    return bytes;
}

bool cst_checkpoint_write(const cst_run_directory *directory, const cst_checkpoint *checkpoint, char *message,
                          size_t message_size)
{
    size_t size;
    uint8_t *bytes = encode(checkpoint, &size);
    cst_fault fault = cst_fault_begin(directory->next, message, message_size);
    if (!bytes)
        return cst_fault_memory(&fault);
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    bool ok = cst_whole_file_write(bytes, size, &scratch, &fault);
    cst_arena_end(&scratch);
    free(bytes);
    /* If the process dies before the new checkpoint has its final name, the previous checkpoint is still in the directory. A
     * resumed run then continues from the previous checkpoint. */
    if (ok && ((rename(directory->checkpoint, directory->previous) != 0 && errno != ENOENT) ||
               rename(directory->next, directory->checkpoint) != 0))
        ok = cst_fault_set(&fault, "cannot be renamed: %s", strerror(errno));
    return ok;
}

/* ------------------------------------------------------------------------------------------------------------- reading */

static bool fits(const checkpoint_header *header, size_t size)
{
    size_t rest = size - sizeof *header - sizeof(uint64_t);
    if (header->probes < 0 || header->probes > PROBES_MAX || (size_t)header->probes * sizeof(cst_probe_mark) > rest)
        return false;
    rest -= (size_t)header->probes * sizeof(cst_probe_mark);
    return header->world_bytes == rest;
}

/* Checks that the counts, times and the phase in the header of a checkpoint are in their valid ranges. A file with a correct
 * checksum but with values out of range was not written by Capstan. */
static bool sane(const checkpoint_header *header)
{
    const cst_run_totals *totals = &header->totals;
    bool ok = header->phase >= CST_PHASE_RUNNING && header->phase <= CST_PHASE_AT_REST && totals->steps >= 0 &&
              totals->whole >= 0 && totals->frames >= 0 && isfinite(totals->time) && isfinite(totals->seconds);
    for (int t = 0; t < CST_TABLES; t++)
        ok = ok && header->rows[t] >= 0;
    return ok;
}

bool cst_checkpoint_decode(const uint8_t *bytes, size_t size, cst_checkpoint *out, char *message, size_t message_size)
{
    *out = (cst_checkpoint){0};
    checkpoint_header header;
    uint64_t sum = 0;
    /* the checksum is checked before the version, so that a damaged header is not mistaken for another version */
    if (size > sizeof sum)
        memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
    if (size <= sizeof sum || cst_checksum(0, bytes, size - sizeof sum) != sum) {
        snprintf(message, message_size, "is damaged: its checksum is wrong");
        return false;
    }
    if (size < sizeof header + sizeof sum || memcmp(bytes, checkpoint_magic, sizeof checkpoint_magic) != 0) {
        snprintf(message, message_size, "is no checkpoint, or was written by another version of Capstan");
        return false;
    }
    memcpy(&header, bytes, sizeof header);
    if (header.header_bytes != sizeof header) {
        snprintf(message, message_size, "was written by another version of Capstan");
        return false;
    }
    if (!fits(&header, size) || !sane(&header)) {
        snprintf(message, message_size, "makes no sense, though its checksum is right");
        return false;
    }
    *out = (cst_checkpoint){.settings = header.settings,
                            .phase = (cst_run_phase)header.phase,
                            .totals = header.totals,
                            .probes = (int)header.probes,
                            .world_bytes = (size_t)header.world_bytes};
    memcpy(out->rows, header.rows, sizeof header.rows);
    out->probe_mark = malloc(((size_t)header.probes + 1) * sizeof(cst_probe_mark));
    out->world = malloc(out->world_bytes + 1);
    if (!out->probe_mark || !out->world) {
        snprintf(message, message_size, "not enough memory");
        cst_checkpoint_free(out);
        return false;
    }
    const uint8_t *at = bytes + sizeof header;
    memcpy(out->probe_mark, at, (size_t)header.probes * sizeof(cst_probe_mark));
    for (int i = 0; i < out->probes; i++) {
        if (out->probe_mark[i].bytes < 0) {
            snprintf(message, message_size, "makes no sense, though its checksum is right");
            cst_checkpoint_free(out);
            return false;
        }
    }
    memcpy(out->world, at + (size_t)header.probes * sizeof(cst_probe_mark), out->world_bytes);
    return true;
}

void cst_checkpoint_free(cst_checkpoint *checkpoint)
{
    free(checkpoint->probe_mark);
    free(checkpoint->world);
    *checkpoint = (cst_checkpoint){0};
}

/* Reads a whole file; if it cannot be read, returns NULL and sets errno to the reason. */
static uint8_t *load_file(const char *path, size_t *size)
{
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (descriptor < 0)
        return NULL;
    errno = EINVAL; /* if the file is not regular */
    bool regular = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    uint8_t *bytes = regular ? malloc((size_t)about.st_size + 1) : NULL;
    *size = 0;
    while (bytes && *size < (size_t)about.st_size) {
        ssize_t got = read(descriptor, bytes + *size, (size_t)about.st_size - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(bytes);
            bytes = NULL;
        }
        if (got <= 0)
            break;
        *size += (size_t)got;
    }
    close(descriptor);
    return bytes;
}

static bool read_one(const char *path, cst_checkpoint *out, bool *missing, char *message, size_t message_size)
{
    size_t size;
    errno = 0;
    uint8_t *bytes = load_file(path, &size);
    *missing = !bytes && errno == ENOENT;
    char why[128];
    bool ok = bytes && cst_checkpoint_decode(bytes, size, out, why, sizeof why);
    if (!bytes)
        snprintf(message, message_size, "%s: cannot be read: %s", path, strerror(errno));
    else if (!ok)
        snprintf(message, message_size, "%s: %s", path, why);
    free(bytes);
    return ok;
}

cst_checkpoint_found cst_checkpoint_read(const cst_run_directory *directory, cst_checkpoint *out, char *message,
                                         size_t message_size)
{
    *out = (cst_checkpoint){0};
    bool no_last, no_previous;
    char ignored[512];
    if (read_one(directory->checkpoint, out, &no_last, message, message_size))
        return CST_CHECKPOINT_LAST;
    if (read_one(directory->previous, out, &no_previous, ignored, sizeof ignored))
        return CST_CHECKPOINT_PREVIOUS;
    return no_last && no_previous ? CST_CHECKPOINT_NONE : CST_CHECKPOINT_DAMAGED;
}
