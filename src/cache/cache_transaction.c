#include "cache/cache_transaction.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "files/whole_file.h"

enum { PAGE = 4096, FIRST_ROOM = 256 };

/* A page in memory that differs from the file, or is not in it yet. */
typedef struct page {
    uint64_t number; /* offset / PAGE */
    uint8_t *bytes;  /* NULL: the slot is free */
} page;

struct cst_transaction {
    char *path, *journal;
    int descriptor;
    bool writable;
    uint64_t committed; /* bytes of the file that a reader may rely on */
    uint64_t size;      /* with what is in memory */
    page *slot;         /* open addressing; room is a power of two */
    size_t room, used;
};

/* --------------------------------------------------------------------------------------------------------------- pages */

static size_t slot_of(const page *slot, size_t room, uint64_t number)
{
    size_t at = (size_t)(number * 0x9e3779b97f4a7c15u) & (room - 1);
    while (slot[at].bytes && slot[at].number != number)
        at = (at + 1) & (room - 1);
    return at;
}

static const uint8_t *find_page(const cst_transaction *t, uint64_t number)
{
    return t->room ? t->slot[slot_of(t->slot, t->room, number)].bytes : NULL;
}

static bool grow_pages(cst_transaction *t)
{
    size_t room = t->room ? 2 * t->room : FIRST_ROOM;
    page *slot = calloc(room, sizeof *slot);
    if (!slot)
        return false;
    for (size_t k = 0; k < t->room; k++)
        if (t->slot[k].bytes)
            slot[slot_of(slot, room, t->slot[k].number)] = t->slot[k];
    free(t->slot);
    t->slot = slot;
    t->room = room;
    return true;
}

static void forget_pages(cst_transaction *t)
{
    for (size_t k = 0; k < t->room; k++) {
        free(t->slot[k].bytes);
        t->slot[k].bytes = NULL;
    }
    t->used = 0;
}

static bool read_file(int descriptor, uint8_t *to, size_t count, uint64_t offset)
{
    while (count > 0) {
        ssize_t got = pread(descriptor, to, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0) {
            memset(to, 0, count); /* beyond the end, as in a hole */
            return true;
        }
        to += got;
        count -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

static bool write_file(int descriptor, const uint8_t *from, size_t count, uint64_t offset)
{
    while (count > 0) {
        ssize_t put = pwrite(descriptor, from, count, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        from += put;
        count -= (size_t)put;
        offset += (uint64_t)put;
    }
    return true;
}

/* The page to change. fresh: all of it will be, its bytes need not be fetched. */
static uint8_t *take_page(cst_transaction *t, uint64_t number, bool fresh)
{
    uint8_t *bytes = (uint8_t *)find_page(t, number);
    if (bytes)
        return bytes;
    if (4 * (t->used + 1) > 3 * t->room && !grow_pages(t))
        return NULL;
    bytes = malloc(PAGE);
    if (!bytes)
        return NULL;
    if (!fresh && number * PAGE < t->committed) {
        if (!read_file(t->descriptor, bytes, PAGE, number * PAGE)) {
            free(bytes);
            return NULL;
        }
    } else {
        memset(bytes, 0, PAGE);
    }
    t->slot[slot_of(t->slot, t->room, number)] = (page){number, bytes};
    t->used++;
    return bytes;
}

size_t cst_transaction_bytes(const cst_transaction *transaction)
{
    return transaction->used * PAGE;
}

/* -------------------------------------------------------------------------------------------------------- HDF5's driver */

typedef struct driver_file {
    H5FD_t base; /* HDF5's own part, first */
    cst_transaction *t;
    haddr_t end; /* of what HDF5 has allocated */
} driver_file;

/* What travels in the property list. */
typedef struct driver_access {
    cst_transaction *t;
} driver_access;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name;
    (void)flags;
    (void)most;
    const driver_access *given = H5Pget_driver_info(access);
    driver_file *file = given ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    file->t = given->t;
    return &file->base;
}

static herr_t driver_close(H5FD_t *base)
{
    free(base);
    return 0;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_end(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->end;
}

static herr_t driver_set_end(H5FD_t *base, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((driver_file *)base)->end = end;
    return 0;
}

static haddr_t driver_size(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->t->size;
}

static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t count, void *buffer)
{
    (void)type;
    (void)transfer;
    const cst_transaction *t = ((driver_file *)base)->t;
    uint8_t *to = buffer;
    while (count > 0) {
        uint64_t number = at / PAGE;
        size_t inside = (size_t)(at % PAGE), piece = PAGE - inside < count ? PAGE - inside : count;
        const uint8_t *bytes = find_page(t, number);
        if (bytes)
            memcpy(to, bytes + inside, piece);
        else if (at >= t->committed)
            memset(to, 0, piece);
        else if (!read_file(t->descriptor, to, piece, at))
            return -1;
        to += piece;
        at += piece;
        count -= piece;
    }
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t count, const void *buffer)
{
    (void)type;
    (void)transfer;
    cst_transaction *t = ((driver_file *)base)->t;
    const uint8_t *from = buffer;
    if (!t->writable)
        return -1;
    while (count > 0) {
        size_t inside = (size_t)(at % PAGE), piece = PAGE - inside < count ? PAGE - inside : count;
        uint8_t *bytes = take_page(t, at / PAGE, piece == PAGE);
        if (!bytes)
            return -1;
        memcpy(bytes + inside, from, piece);
        from += piece;
        at += piece;
        count -= piece;
        t->size = at > t->size ? at : t->size;
    }
    return 0;
}

static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    driver_file *file = (driver_file *)base;
    if (file->t->writable)
        file->t->size = file->end;
    return 0;
}

static const H5FD_class_t driver_class = {
    .name = "capstan transaction",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(driver_access),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_end,
    .set_eoa = driver_set_end,
    .get_eof = driver_size,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

bool cst_transaction_access(cst_transaction *transaction, hid_t access)
{
    driver_access given = {transaction};
    hid_t driver = H5FDregister(&driver_class);
    bool ok = driver >= 0 && H5Pset_driver(access, driver, &given) >= 0; /* the list keeps a hold on the driver */
    if (driver >= 0)
        H5FDunregister(driver);
    return ok;
}

/* -------------------------------------------------------------------------------------------------------------- commit */

static const char journal_magic[8] = "CSTJRNL1";

/* Header, numbers of the pages, the pages, checksum of all before it. In the byte order of the machine: a journal never travels,
 * and a foreign one has a wrong magic or checksum at worst. */
typedef struct journal_header {
    char magic[8];
    uint64_t pages;
    uint64_t size; /* of the file afterwards */
} journal_header;

static size_t journal_bytes(uint64_t pages)
{
    return sizeof(journal_header) + (size_t)pages * (sizeof(uint64_t) + PAGE) + sizeof(uint64_t);
}

static int by_number(const void *left, const void *right)
{
    uint64_t a = ((const page *)left)->number, b = ((const page *)right)->number;
    return (a > b) - (a < b);
}

/* The pages that change committed ones, as the journal has them. NULL without memory. */
static uint8_t *make_journal(const cst_transaction *t, const page *sorted, size_t replaced)
{
    uint8_t *journal = malloc(journal_bytes(replaced));
    if (!journal)
        return NULL;
    journal_header header = {.pages = replaced, .size = t->size};
    memcpy(header.magic, journal_magic, sizeof header.magic);
    memcpy(journal, &header, sizeof header);
    uint8_t *number = journal + sizeof header, *bytes = number + replaced * sizeof(uint64_t);
    for (size_t k = 0; k < replaced; k++) {
        memcpy(number + k * sizeof(uint64_t), &sorted[k].number, sizeof(uint64_t));
        memcpy(bytes + k * PAGE, sorted[k].bytes, PAGE);
    }
    uint64_t sum = cst_checksum(0, journal, journal_bytes(replaced) - sizeof sum);
    memcpy(bytes + replaced * PAGE, &sum, sizeof sum);
    return journal;
}

static bool write_journal(const cst_transaction *t, const uint8_t *journal, size_t bytes, char *message, size_t message_size)
{
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fault fault = cst_fault_begin(t->journal, message, message_size);
    bool ok = cst_whole_file_write(journal, bytes, &scratch, &fault);
    cst_arena_end(&scratch);
    return ok;
}

static bool disk_fault(const cst_transaction *t, char *message, size_t message_size)
{
    snprintf(message, message_size, "%s: cannot be written: %s", t->path, strerror(errno));
    return false;
}

/* Pages up to the size of the file: the tail of the last one is not part of it. */
static bool write_pages(cst_transaction *t, const page *sorted, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        uint64_t at = sorted[k].number * PAGE;
        if (at >= t->size)
            continue;
        size_t piece = t->size - at < PAGE ? (size_t)(t->size - at) : PAGE;
        if (!write_file(t->descriptor, sorted[k].bytes, piece, at))
            return false;
    }
    return true;
}

/* Nothing refers to what lies beyond the committed end: if it cannot be cut off it only takes up room. */
static void cut_tail(cst_transaction *t)
{
    int failed = ftruncate(t->descriptor, (off_t)t->committed);
    (void)failed;
}

/* Stages 1 to 3 of the header, with the pages in order. */
static bool commit_sorted(cst_transaction *t, const page *sorted, char *message, size_t message_size)
{
    size_t replaced = 0;
    while (replaced < t->used && sorted[replaced].number * PAGE < t->committed)
        replaced++;
    if (!write_pages(t, sorted + replaced, t->used - replaced) || fsync(t->descriptor) != 0) {
        disk_fault(t, message, message_size);
        cut_tail(t);
        return false;
    }
    bool in_place = replaced > 0 || t->size < t->committed;
    if (in_place) {
        uint8_t *journal = make_journal(t, sorted, replaced);
        bool ok = journal && write_journal(t, journal, journal_bytes(replaced), message, message_size);
        if (!journal)
            snprintf(message, message_size, "%s: not enough memory", t->path);
        free(journal);
        if (!ok) {
            cut_tail(t);
            return false;
        }
    }
    /* From here on the journal holds the new state: a failure is mended by whoever opens the file next. */
    if (!write_pages(t, sorted, replaced) || ftruncate(t->descriptor, (off_t)t->size) != 0 || fsync(t->descriptor) != 0)
        return disk_fault(t, message, message_size);
    if (in_place && unlink(t->journal) != 0)
        return disk_fault(t, message, message_size);
    return true;
}

bool cst_transaction_commit(cst_transaction *t, char *message, size_t message_size)
{
    page *sorted = malloc((t->used + 1) * sizeof *sorted);
    if (!sorted) {
        snprintf(message, message_size, "%s: not enough memory", t->path);
        return false;
    }
    size_t count = 0;
    for (size_t k = 0; k < t->room; k++)
        if (t->slot[k].bytes)
            sorted[count++] = t->slot[k];
    qsort(sorted, count, sizeof *sorted, by_number);
    bool ok = commit_sorted(t, sorted, message, message_size);
    free(sorted);
    if (ok) {
        t->committed = t->size;
        forget_pages(t);
    }
    return ok;
}

/* ------------------------------------------------------------------------------------------------------------- opening */

/* The journal of a commit that was cut short, taken into memory as pages. A journal that is not whole was never in force: it cannot
 * come about by dying, but copying can do it. */
static bool load_journal(cst_transaction *t, const uint8_t *journal, size_t bytes)
{
    journal_header header;
    uint64_t sum;
    if (bytes < journal_bytes(0))
        return true;
    memcpy(&header, journal, sizeof header);
    memcpy(&sum, journal + bytes - sizeof sum, sizeof sum);
    if (memcmp(header.magic, journal_magic, sizeof header.magic) != 0 || header.pages > bytes / PAGE ||
        journal_bytes(header.pages) != bytes || cst_checksum(0, journal, bytes - sizeof sum) != sum)
        return true;
    const uint8_t *number = journal + sizeof header, *from = number + header.pages * sizeof(uint64_t);
    for (uint64_t k = 0; k < header.pages; k++) {
        uint64_t own;
        memcpy(&own, number + k * sizeof own, sizeof own);
        uint8_t *to = own < INT64_MAX / PAGE ? take_page(t, own, true) : NULL;
        if (!to)
            return false;
        memcpy(to, from + k * PAGE, PAGE);
    }
    t->size = header.size;
    return true;
}

/* False: it is there and cannot be read, or memory ran out. */
static bool recover(cst_transaction *t)
{
    int descriptor = open(t->journal, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT;
    struct stat about;
    bool ok = fstat(descriptor, &about) == 0;
    size_t bytes = ok ? (size_t)about.st_size : 0;
    uint8_t *journal = ok ? malloc(bytes + 1) : NULL;
    ok = journal && read_file(descriptor, journal, bytes, 0) && load_journal(t, journal, bytes);
    free(journal);
    close(descriptor);
    return ok;
}

static bool open_file(cst_transaction *t, cst_transaction_mode mode, char *message, size_t message_size)
{
    static const int flags[] = {O_RDONLY, O_RDWR | O_CREAT | O_TRUNC, O_RDWR};
    if (mode == CST_TRANSACTION_CREATE && unlink(t->journal) != 0 && errno != ENOENT)
        return disk_fault(t, message, message_size);
    t->descriptor = open(t->path, flags[mode] | O_CLOEXEC, 0666);
    struct stat about;
    if (t->descriptor < 0 || fstat(t->descriptor, &about) != 0) {
        snprintf(message, message_size, "%s: cannot be opened: %s", t->path, strerror(errno));
        return false;
    }
    t->writable = mode != CST_TRANSACTION_READ;
    t->committed = t->size = (uint64_t)about.st_size;
    if (!recover(t)) {
        snprintf(message, message_size, "%s: cannot be read: %s", t->journal, strerror(errno));
        return false;
    }
    /* Writing goes on from a file that needs no journal. */
    return mode != CST_TRANSACTION_CONTINUE || cst_transaction_commit(t, message, message_size);
}

cst_transaction *cst_transaction_open(const char *path, cst_transaction_mode mode, char *message, size_t message_size)
{
    static const char ending[] = ".journal";
    cst_transaction *t = calloc(1, sizeof *t);
    if (t) {
        t->descriptor = -1;
        t->path = strdup(path);
        t->journal = malloc(strlen(path) + sizeof ending);
    }
    if (!t || !t->path || !t->journal) {
        snprintf(message, message_size, "%s: not enough memory", path);
        cst_transaction_close(t);
        return NULL;
    }
    snprintf(t->journal, strlen(path) + sizeof ending, "%s%s", path, ending);
    if (!open_file(t, mode, message, message_size)) {
        cst_transaction_close(t);
        return NULL;
    }
    return t;
}

void cst_transaction_close(cst_transaction *t)
{
    if (!t)
        return;
    forget_pages(t);
    free(t->slot);
    if (t->descriptor >= 0)
        close(t->descriptor);
    free(t->journal);
    free(t->path);
    free(t);
}
