/* A file that HDF5 writes to and that is nevertheless consistent at every moment.
 *
 * HDF5 changes a file in place, in an order that its caller cannot control. A process that dies while HDF5 changes a file leaves
 * a file that cannot be opened, and a failed write (a full disk) leaves HDF5 unable to close the file. HDF5 writes through a file
 * driver (cache_driver.c) that keeps all written pages in memory until cst_transaction_commit writes these pages to the disk in
 * three stages.
 *
 *   Stage 1: pages beyond the end of the committed file are appended; the committed data do not refer to these pages.
 *   Stage 2: pages that replace committed pages are written to a temporary file, which is renamed to PATH.journal.
 *   Stage 3: the pages in the journal are written to the file, and the journal is removed.
 *
 * Each of the three stages of a commit is synced to the disk before the next stage begins. If the process dies while a commit
 * appends pages (stage 1) or writes the journal (stage 2), the file is as after the last commit. If the process dies while it
 * writes the pages of the journal to the file (stage 3), the journal still exists. The next program that opens the file finds the
 * journal and writes its pages to the file again (stage 3); a program that only reads the file takes these pages from the
 * journal. If a commit fails before its journal is complete (stage 1 or 2), the file stays as after the last commit. If a commit
 * fails after its journal is complete (stage 3), the next program that opens the file completes the commit.
 *
 * The checksums of the pages are stored behind the HDF5 data (cache/page_sums.h) and are part of every transaction. If a page
 * does not match its checksum, the read call of HDF5 fails; cst_transaction_damage tells where the page is. */
#ifndef CST_CACHE_CACHE_TRANSACTION_H
#define CST_CACHE_CACHE_TRANSACTION_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cst_transaction cst_transaction;

typedef enum cst_transaction_mode {
    CST_TRANSACTION_READ = 0,
    CST_TRANSACTION_CREATE, /* empty; an existing file is overwritten */
    CST_TRANSACTION_CONTINUE
} cst_transaction_mode;

/* Opens the file of a transaction; on failure, returns NULL and writes a message. A file can be opened for appending only if
 * every page matches its checksum. */
cst_transaction *cst_transaction_open(const char *path, cst_transaction_mode mode, char *message, size_t message_size);

/* Call cst_transaction_close after H5Fclose, even if H5Fclose failed. The function cst_transaction_close discards all changes
 * since the last commit. */
void cst_transaction_close(cst_transaction *transaction);

/* Enters the transaction's file driver in `access`, an HDF5 file access property list, so that HDF5 reads and writes the file
 * through the transaction. Pass `access` to H5Fcreate or H5Fopen, which then ignore the file name given to them. */
bool cst_transaction_access(cst_transaction *transaction, hid_t access);

/* Releases the transaction's reference to its HDF5 file driver. Called by cst_transaction_close, after H5Fclose. In HDF5 1.10,
 * H5Fclose releases its own reference to the driver before it calls the driver's function `close`. The transaction keeps a
 * reference to the driver until H5Fclose returns, so that the driver still exists when its function `close` is called. */
void cst_transaction_drop_driver(cst_transaction *transaction);

/* Call cst_transaction_commit after H5Fflush or H5Fclose. If the commit fails, returns false with a message "PATH: why", and
 * keeps the uncommitted pages in memory, so that the commit can be retried. */
bool cst_transaction_commit(cst_transaction *transaction, char *message, size_t message_size);

/* Returns true if the file has undamaged checksums; files of formats 1 to 3 have none. */
bool cst_transaction_summed(const cst_transaction *transaction);

/* Reads all pages. Returns false with a message "PATH: is damaged: ..." if a page does not match its checksum, or if there are no
 * undamaged checksums. Also returns false with a message if the file cannot be read. */
bool cst_transaction_verify(cst_transaction *transaction, char *message, size_t message_size);

/* Returns true if any page read so far did not match its checksum. `at`: receives the offset in bytes, in the file, of the
 * damaged page that was read first. */
bool cst_transaction_damage(const cst_transaction *transaction, uint64_t *at);

/* Returns the number of bytes of the pages in memory, which are not committed yet. */
size_t cst_transaction_bytes(const cst_transaction *transaction);

#endif
