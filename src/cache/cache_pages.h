/* Internal data of a transaction (cache/cache_transaction.h): the file, and the pages in memory that differ from the file. */
#ifndef CST_CACHE_CACHE_PAGES_H
#define CST_CACHE_CACHE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/cache_transaction.h"
#include "cache/page_sums.h"

/* A page in memory that differs from the file, or that the file does not contain yet. */
typedef struct cst_page_slot {
    uint64_t number; /* offset / PAGE */
    uint8_t *bytes;  /* NULL: the slot is free */
} cst_page_slot;

struct cst_transaction {
    char *path, *journal;
    int descriptor;
    bool writable;
    int opened;   /* number of times that HDF5 has opened the file of the transaction and not closed it */
    hid_t driver; /* file driver registered with HDF5 (cst_transaction_access); 0: none */
    /* true if the transaction is closed but HDF5 still has its file open; reads then fail, and writes are ignored */
    bool orphan;
    /* true if a page that HDF5 writes could not be taken into memory: data are lost, and all commits fail from then on */
    bool starved;
    bool damaged;        /* true if a page did not match its checksum when it was read */
    uint64_t damaged_at; /* offset in bytes of the damaged page that was read first */
    bool recovered;      /* true if pages of a journal have been loaded into memory */
    bool summed;         /* true if `sums` holds the checksums of the committed file */
    cst_page_sums sums;
    uint64_t committed; /* number of committed bytes of the HDF5 file */
    /* size in bytes of the committed part of the file (data and checksums); a commit overwrites pages of this part only after it
     * has written the new pages to a journal */
    uint64_t physical;
    uint64_t size;       /* size in bytes of the file, including the pages in memory */
    cst_page_slot *slot; /* hash table of the pages in memory, with open addressing; its size `room` is a power of two */
    size_t room, used;
};

/* Returns the page if it is in memory, or NULL. */
const uint8_t *cst_pages_find(const cst_transaction *t, uint64_t number);

/* Returns a page in memory that the caller may change. `fresh`: true if the caller will overwrite all bytes of the page, so that
 * it need not be read from the file. Returns no page (NULL) if memory ran out, or if the page cannot be read or is damaged. */
uint8_t *cst_pages_take(cst_transaction *t, uint64_t number, bool fresh);

void cst_pages_forget(cst_transaction *t);

/* Reads a committed page; returns false if the page cannot be read or does not match its checksum. */
bool cst_pages_read(cst_transaction *t, uint64_t number, uint8_t *to);

/* Reads `count` bytes of a file from `offset` on; bytes beyond the end of the file are zeros. */
bool cst_pages_read_file(int descriptor, uint8_t *to, size_t count, uint64_t offset);

#endif
