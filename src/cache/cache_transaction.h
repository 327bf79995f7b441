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
 * next opening does stage 3 again (reading only: in memory). A failed commit leaves the file as it was too. */
#ifndef CST_CACHE_CACHE_TRANSACTION_H
#define CST_CACHE_CACHE_TRANSACTION_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cst_transaction cst_transaction;

typedef enum cst_transaction_mode {
    CST_TRANSACTION_READ = 0,
    CST_TRANSACTION_CREATE, /* empty, whatever was there */
    CST_TRANSACTION_CONTINUE
} cst_transaction_mode;

/* NULL with a message "PATH: why". */
cst_transaction *cst_transaction_open(const char *path, cst_transaction_mode mode, char *message, size_t message_size);

/* After H5Fclose. What has not been committed is forgotten. */
void cst_transaction_close(cst_transaction *transaction);

/* Makes a file access property list use it; to be given to H5Fcreate or H5Fopen with any name. */
bool cst_transaction_access(cst_transaction *transaction, hid_t access);

/* After H5Fflush or H5Fclose. False with a message "PATH: why": the file is as it was after the last commit, and what was to be
 * committed is kept, so that it may be tried again. */
bool cst_transaction_commit(cst_transaction *transaction, char *message, size_t message_size);

/* Not committed yet. */
size_t cst_transaction_bytes(const cst_transaction *transaction);

#endif
