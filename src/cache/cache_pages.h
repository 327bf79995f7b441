/* The pages of a transaction: those in memory that differ from the file, and the file under them. Shared by the parts of
 * cache/cache_transaction.h only. */
#ifndef CST_CACHE_CACHE_PAGES_H
#define CST_CACHE_CACHE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/cache_transaction.h"
#include "cache/page_sums.h"

/* A page in memory that differs from the file, or is not in it yet. */
typedef struct cst_page_slot {
    uint64_t number; /* offset / PAGE */
    uint8_t *bytes;  /* NULL: the slot is free */
} cst_page_slot;

struct cst_transaction {
    char *path, *journal;
    int descriptor;
    bool writable;
    int opened;          /* files of HDF5 that use it */
    bool orphan;         /* closed, but HDF5 could not let go of it: it reads and writes nothing any more */
    bool starved;        /* a page found no memory: what HDF5 wrote is lost, and no commit succeeds from then on */
    bool damaged;        /* a page was read that does not match its sum */
    uint64_t damaged_at; /* where the first such page is */
    bool recovered;      /* pages of a journal are in memory */
    bool summed;         /* the sums below are those of the committed file */
    cst_page_sums sums;
    uint64_t committed;  /* bytes of the HDF5 file that a reader may rely on */
    uint64_t physical;   /* bytes of the file on the disk that must not change outside a journal: with the pages of the sums */
    uint64_t size;       /* with what is in memory */
    cst_page_slot *slot; /* open addressing; room is a power of two */
    size_t room, used;
};

/* The page in memory, NULL if it is not there. */
const uint8_t *cst_pages_find(const cst_transaction *t, uint64_t number);

/* The page to change. fresh: all of it will be, its bytes need not be fetched. NULL: no memory, or the page is damaged. */
uint8_t *cst_pages_take(cst_transaction *t, uint64_t number, bool fresh);

void cst_pages_forget(cst_transaction *t);

/* A committed page. False: it cannot be read, or it is not as it was written. */
bool cst_pages_read(cst_transaction *t, uint64_t number, uint8_t *to);

/* Bytes of a file as they are; zeros beyond its end. */
bool cst_pages_read_file(int descriptor, uint8_t *to, size_t count, uint64_t offset);

#endif
