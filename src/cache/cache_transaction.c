#include "cache/cache_transaction.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "cache/cache_pages.h"
#include "files/whole_file.h"

size_t cst_transaction_bytes(const cst_transaction *transaction)
{
    return transaction->used * CST_PAGE;
}

/* -------------------------------------------------------------------------------------------------------------- commit */

static const char journal_magic[8] = "CSTJRNL1";

/* The journal file consists of a header, the numbers of its pages, the contents of these pages, and a checksum of all preceding
 * bytes. A journal has the byte order of the machine, because it is not meant to be moved to another machine. A journal with
 * another byte order is ignored, because its number of pages and its checksum are wrong. */
typedef struct journal_header {
    char magic[8];
    uint64_t pages;
    uint64_t size; /* size in bytes of the file on the disk after the commit */
} journal_header;

/* The pages that a commit writes to the file, sorted by page number. */
typedef struct page_list {
    cst_page_slot *page;
    size_t count;
    uint8_t *sums; /* contents of the pages that hold the checksums; the commit writes these pages too */
    uint64_t size;
} page_list;

static size_t journal_bytes(uint64_t pages)
{
    return sizeof(journal_header) + (size_t)pages * (sizeof(uint64_t) + CST_PAGE) + sizeof(uint64_t);
}

static int by_number(const void *left, const void *right)
{
    uint64_t a = ((const cst_page_slot *)left)->number, b = ((const cst_page_slot *)right)->number;
    return (a > b) - (a < b);
}

/* Makes the journal of a commit from the first `replaced` pages of `list`: these pages will overwrite existing pages of the file.
 * Returns NULL if memory ran out. */
static uint8_t *make_journal(const page_list *list, size_t replaced)
{
    uint8_t *journal = malloc(journal_bytes(replaced));
    if (!journal)
        return NULL;
    journal_header header = {.pages = replaced, .size = list->size};
    memcpy(header.magic, journal_magic, sizeof header.magic);
    memcpy(journal, &header, sizeof header);
    uint8_t *number = journal + sizeof header, *bytes = number + replaced * sizeof(uint64_t);
    for (size_t k = 0; k < replaced; k++) {
        memcpy(number + k * sizeof(uint64_t), &list->page[k].number, sizeof(uint64_t));
        memcpy(bytes + k * CST_PAGE, list->page[k].bytes, CST_PAGE);
    }
    uint64_t sum = cst_checksum(0, journal, journal_bytes(replaced) - sizeof sum);
    memcpy(bytes + replaced * CST_PAGE, &sum, sizeof sum);
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

static bool memory_fault(const cst_transaction *t, char *message, size_t message_size)
{
    snprintf(message, message_size, "%s: not enough memory", t->path);
    return false;
}

static bool write_pages(cst_transaction *t, const cst_page_slot *sorted, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!cst_write_at(t->descriptor, sorted[k].bytes, CST_PAGE, (int64_t)(sorted[k].number * CST_PAGE)))
            return false;
    return true;
}

/* Removes bytes beyond the committed end of the file. Bytes beyond the committed end do no harm if they cannot be removed,
 * because no data of the file refer to them. */
static void cut_tail(cst_transaction *t)
{
    int failed = ftruncate(t->descriptor, (off_t)t->physical);
    (void)failed;
}

/* Stage 3 of a commit: writes the pages of the journal to the file. */
static bool put_in_place(cst_transaction *t, const cst_page_slot *sorted, size_t count, uint64_t size)
{
    return write_pages(t, sorted, count) && ftruncate(t->descriptor, (off_t)size) == 0 && fsync(t->descriptor) == 0;
}

/* Writes the pages of a commit to the disk, in the three stages of cache_transaction.h. */
static bool commit_list(cst_transaction *t, const page_list *list, char *message, size_t message_size)
{
    size_t replaced = 0;
    while (replaced < list->count && list->page[replaced].number * CST_PAGE < t->physical)
        replaced++;
    if (!write_pages(t, list->page + replaced, list->count - replaced) || fsync(t->descriptor) != 0) {
        disk_fault(t, message, message_size);
        cut_tail(t);
        return false;
    }
    bool in_place = replaced > 0 || list->size < t->physical;
    if (in_place) {
        uint8_t *journal = make_journal(list, replaced);
        bool ok = journal ? write_journal(t, journal, journal_bytes(replaced), message, message_size)
                          : memory_fault(t, message, message_size);
        free(journal);
        if (!ok) {
            cut_tail(t);
            return false;
        }
    }
    if (!put_in_place(t, list->page, replaced, list->size) || (in_place && unlink(t->journal) != 0))
        return disk_fault(t, message, message_size);
    return true;
}

/* Zeroes all pages beyond the committed HDF5 data that HDF5 has allocated but not written, because these pages may contain old
 * checksums. */
static bool fill_holes(cst_transaction *t, size_t pages)
{
    for (uint64_t number = cst_pages_of(t->committed); number < pages; number++)
        if (!cst_pages_take(t, number, true))
            return false;
    return true;
}

/* Lists the changed pages of the file, then all pages that hold checksums. Returns false if memory ran out. */
static bool list_pages(cst_transaction *t, page_list *list)
{
    const size_t pages = cst_pages_of(t->size), behind = cst_page_sums_pages(pages);
    *list = (page_list){.size = (uint64_t)(pages + behind) * CST_PAGE};
    if (!fill_holes(t, pages) || !cst_page_sums_resize(&t->sums, pages))
        return false;
    list->page = malloc((t->used + behind) * sizeof *list->page);
    list->sums = malloc(behind * CST_PAGE);
    if (!list->page || !list->sums)
        return false;
    for (size_t k = 0; k < t->room; k++)
        if (t->slot[k].bytes && t->slot[k].number < pages)
            list->page[list->count++] = t->slot[k];
    qsort(list->page, list->count, sizeof *list->page, by_number);
    for (size_t k = 0; k < list->count; k++)
        t->sums.sum[list->page[k].number] = cst_page_sum(list->page[k].bytes);
    cst_page_sums_encode(&t->sums, t->size, list->sums);
    for (size_t k = 0; k < behind; k++)
        list->page[list->count++] = (cst_page_slot){pages + k, list->sums + k * CST_PAGE};
    return true;
}

bool cst_transaction_damage(const cst_transaction *transaction, uint64_t *at)
{
    *at = transaction->damaged_at;
    return transaction->damaged;
}

static bool damage_fault(const cst_transaction *t, char *message, size_t message_size)
{
    snprintf(message, message_size, "%s: is damaged: the %d bytes from byte %llu on do not match their checksum", t->path,
             CST_PAGE, (unsigned long long)t->damaged_at);
    return false;
}

/* Checks that no other program has removed or truncated the file, because data written to such a file would be lost or
 * inconsistent. */
static bool still_there(const cst_transaction *t, char *message, size_t message_size)
{
    struct stat about;
    const bool known = fstat(t->descriptor, &about) == 0;
    if (known && about.st_nlink > 0 && (uint64_t)about.st_size >= t->physical)
        return true;
    snprintf(message, message_size, "%s: was %s while it was being written", t->path,
             known && about.st_nlink == 0 ? "removed" : "cut short by another program");
    return false;
}

bool cst_transaction_commit(cst_transaction *t, char *message, size_t message_size)
{
    if (!still_there(t, message, message_size))
        return false;
    if (t->damaged)
        return damage_fault(t, message, message_size);
    if (t->starved)
        return memory_fault(t, message, message_size);
    page_list list;
    bool ok = list_pages(t, &list) ? commit_list(t, &list, message, message_size) : memory_fault(t, message, message_size);
    free(list.page);
    free(list.sums);
    if (ok) {
        t->committed = t->size;
        t->physical = list.size;
        cst_pages_forget(t);
    }
    return ok;
}

/* ------------------------------------------------------------------------------------------------------------- opening */

/* Loads the journal of an interrupted commit into memory as pages. An incomplete journal is ignored: it cannot result from a
 * crash, only from an incomplete copy of the journal file. */
static bool load_journal(cst_transaction *t, const uint8_t *journal, size_t bytes)
{
    journal_header header;
    uint64_t sum;
    if (bytes < journal_bytes(0))
        return true;
    memcpy(&header, journal, sizeof header);
    memcpy(&sum, journal + bytes - sizeof sum, sizeof sum);
    if (memcmp(header.magic, journal_magic, sizeof header.magic) != 0 || header.pages > bytes / CST_PAGE ||
        journal_bytes(header.pages) != bytes || cst_checksum(0, journal, bytes - sizeof sum) != sum)
        return true;
    const uint8_t *number = journal + sizeof header, *from = number + header.pages * sizeof(uint64_t);
    for (uint64_t k = 0; k < header.pages; k++) {
        uint64_t own;
        memcpy(&own, number + k * sizeof own, sizeof own);
        uint8_t *to = own < INT64_MAX / CST_PAGE ? cst_pages_take(t, own, true) : NULL;
        if (!to)
            return false;
        memcpy(to, from + k * CST_PAGE, CST_PAGE);
    }
    t->size = t->physical = header.size;
    t->recovered = true;
    return true;
}

/* Returns false if the journal exists and cannot be read, or if memory ran out. */
static bool recover(cst_transaction *t)
{
    int descriptor = open(t->journal, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT;
    struct stat about;
    errno = EINVAL;
    bool ok = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    size_t bytes = ok ? (size_t)about.st_size : 0;
    uint8_t *journal = ok ? malloc(bytes + 1) : NULL;
    ok = journal && cst_pages_read_file(descriptor, journal, bytes, 0) && load_journal(t, journal, bytes);
    free(journal);
    close(descriptor);
    return ok;
}

/* Writes the pages of the journal to the file and removes the journal; called before new pages are written. */
static bool finish_journal(cst_transaction *t, char *message, size_t message_size)
{
    cst_page_slot *sorted = malloc((t->used + 1) * sizeof *sorted);
    if (!sorted)
        return memory_fault(t, message, message_size);
    size_t count = 0;
    for (size_t k = 0; k < t->room; k++)
        if (t->slot[k].bytes)
            sorted[count++] = t->slot[k];
    bool ok = put_in_place(t, sorted, count, t->physical) && unlink(t->journal) == 0;
    free(sorted);
    cst_pages_forget(t);
    return ok || disk_fault(t, message, message_size);
}

/* Reads page `number` from the journal if the journal contains it, otherwise from the file on the disk. */
static bool look_at(const cst_transaction *t, uint64_t number, uint8_t *to)
{
    const uint8_t *bytes = cst_pages_find(t, number);
    if (bytes)
        memcpy(to, bytes, CST_PAGE);
    return bytes || cst_pages_read_file(t->descriptor, to, CST_PAGE, number * CST_PAGE);
}

/* Reads the checksums of all pages from the end of the file, if the checksums exist and are undamaged; files of the formats 1 to
 * 3 have no checksums. Returns false if memory ran out. */
static bool find_sums(cst_transaction *t, char *message, size_t message_size)
{
    uint8_t first[CST_PAGE];
    uint64_t end;
    if (!look_at(t, 0, first) || !cst_superblock_end(first, &end) || end > t->physical)
        return true;
    const size_t pages = cst_pages_of(end), behind = cst_page_sums_pages(pages);
    if (!look_at(t, pages, first) || !cst_page_sums_begin(first, end))
        return true;
    uint8_t *bytes = malloc(behind * CST_PAGE);
    if (!bytes)
        return memory_fault(t, message, message_size);
    bool ok = true;
    for (size_t k = 0; k < behind && ok; k++)
        ok = look_at(t, pages + k, bytes + k * CST_PAGE);
    t->summed = ok && cst_page_sums_decode(&t->sums, end, bytes);
    free(bytes);
    if (t->summed) {
        t->committed = t->size = end;
        t->physical = (uint64_t)(pages + behind) * CST_PAGE;
    }
    return true;
}

bool cst_transaction_summed(const cst_transaction *transaction)
{
    return transaction->summed;
}

bool cst_transaction_verify(cst_transaction *t, char *message, size_t message_size)
{
    uint8_t page_bytes[CST_PAGE];
    if (!t->summed) {
        snprintf(message, message_size, "%s: is damaged: its checksums are missing, or not as they were written", t->path);
        return false;
    }
    for (uint64_t number = 0; number < t->sums.pages; number++) {
        const uint8_t *journalled = cst_pages_find(t, number);
        if (journalled && cst_page_sum(journalled) == t->sums.sum[number])
            continue;
        if (!cst_pages_read(t, number, page_bytes))
            return t->damaged ? damage_fault(t, message, message_size)
                              : (snprintf(message, message_size, "%s: cannot be read: %s", t->path, strerror(errno)), false);
    }
    return true;
}

static bool open_file(cst_transaction *t, cst_transaction_mode mode, char *message, size_t message_size)
{
    static const int flags[] = {O_RDONLY, O_RDWR | O_CREAT | O_TRUNC, O_RDWR};
    if (mode == CST_TRANSACTION_CREATE && unlink(t->journal) != 0 && errno != ENOENT)
        return disk_fault(t, message, message_size);
    /* with O_NONBLOCK, `open` does not wait for a writer if the path names a pipe; the test for a regular file then rejects the
     * pipe */
    t->descriptor = open(t->path, flags[mode] | O_NONBLOCK | O_CLOEXEC, 0666);
    struct stat about;
    if (t->descriptor < 0 || fstat(t->descriptor, &about) != 0) {
        snprintf(message, message_size, "%s: cannot be opened: %s", t->path, strerror(errno));
        return false;
    }
    if (!S_ISREG(about.st_mode)) {
        snprintf(message, message_size, "%s: is not a regular file", t->path);
        return false;
    }
    t->writable = mode != CST_TRANSACTION_READ;
    t->committed = t->physical = t->size = (uint64_t)about.st_size;
    if (mode == CST_TRANSACTION_CREATE) {
        t->summed = true;
        return true;
    }
    if (!recover(t)) {
        snprintf(message, message_size, "%s: cannot be read: %s", t->journal, strerror(errno));
        return false;
    }
    if (mode == CST_TRANSACTION_CONTINUE && t->recovered && !finish_journal(t, message, message_size))
        return false;
    return find_sums(t, message, message_size) &&
           (mode == CST_TRANSACTION_READ || cst_transaction_verify(t, message, message_size));
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
    cst_pages_forget(t);
    free(t->slot);
    cst_page_sums_free(&t->sums);
    if (t->descriptor >= 0)
        close(t->descriptor);
    free(t->journal);
    free(t->path);
    /* If HDF5 runs out of memory, it may fail to close its file, and then tries again at process exit. If HDF5 could not close
     * its file, the struct of the transaction is not freed, because HDF5 uses it again at process exit. */
    if (t->opened > 0) {
        *t = (cst_transaction){.descriptor = -1, .opened = t->opened, .driver = t->driver, .orphan = true};
        return;
    }
    cst_transaction_drop_driver(t);
    free(t);
}
