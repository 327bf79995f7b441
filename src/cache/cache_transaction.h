/* A file that HDF5 writes to and that is nevertheless whole at every moment.
 *
 * HDF5 changes a file in place, in an order of its own: a process that dies in between leaves a file that cannot be opened, and a
 * write that fails (a full disk) leaves HDF5 unable to close it. So HDF5 is given a driver whose writes stay in memory, as pages,
 * until cst_transaction_commit puts all of them on the disk at once:
 *
 *   1. pages beyond the end of the committed file are written to it: nothing refers to them yet;
 *   2. pages that replace committed ones are written to PATH.journal, which is put in place by renaming;
 *   3. the same pages are written to the file, and the journal is removed.
 *
 * Each stage is synced before the next. Dying in 1 or 2 leaves the file as it was, dying in 3 leaves the journal, from which the
 * next opening does stage 3 again (reading only: in memory). A failed commit leaves the file as it was too.
 *
 * Behind the HDF5 file stand the checksums of its pages (cache/page_sums.h), which are part of every transaction. A page that is read
 * and does not match its sum is a failed read to HDF5; cst_transaction_damage says where it is. */
#ifndef CST_CACHE_CACHE_TRANSACTION_H
#define CST_CACHE_CACHE_TRANSACTION_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cst_transaction cst_transaction;

typedef enum cst_transaction_mode {
    CST_TRANSACTION_READ = 0,
    CST_TRANSACTION_CREATE, /* empty, whatever was there */
    CST_TRANSACTION_CONTINUE
} cst_transaction_mode;

/* NULL with a message "PATH: why". To continue, every page must match its checksum. */
cst_transaction *cst_transaction_open(const char *path, cst_transaction_mode mode, char *message, size_t message_size);

/* After H5Fclose, also after one that failed. What has not been committed is forgotten. */
void cst_transaction_close(cst_transaction *transaction);

/* Makes a file access property list use it; to be given to H5Fcreate or H5Fopen with any name. */
bool cst_transaction_access(cst_transaction *transaction, hid_t access);

/* After H5Fflush or H5Fclose. False with a message "PATH: why": the file is as it was after the last commit, and what was to be
 * committed is kept, so that it may be tried again. */
bool cst_transaction_commit(cst_transaction *transaction, char *message, size_t message_size);

/* Whether there are checksums: files of formats 1 to 3 have none. */
bool cst_transaction_summed(const cst_transaction *transaction);

/* Reads all pages. False with a message "PATH: is damaged: ..." if one does not match its checksum, or if there are none. */
bool cst_transaction_verify(cst_transaction *transaction, char *message, size_t message_size);

/* Whether a page did not match its checksum so far, and at which byte of the file the first such page begins. */
bool cst_transaction_damage(const cst_transaction *transaction, uint64_t *at);

/* Not committed yet. */
size_t cst_transaction_bytes(const cst_transaction *transaction);

#endif
