/* The HDF5 file driver of a transaction: it writes only to pages in memory, never to the file, and reads unchanged pages from the
 * file. */
#include <stdlib.h>
#include <string.h>

#include "cache/cache_pages.h"

typedef struct driver_file {
    H5FD_t base; /* HDF5's own part must be first */
    cst_transaction *t;
    haddr_t end; /* end of the part of the file that HDF5 has allocated */
} driver_file;

/* The data that the driver stores in an HDF5 file access property list. */
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
    file->t->opened++;
    return &file->base;
}

static herr_t driver_close(H5FD_t *base)
{
    ((driver_file *)base)->t->opened--;
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
    cst_transaction *t = ((driver_file *)base)->t;
    uint8_t *to = buffer, whole[CST_PAGE];
    if (t->orphan)
        return -1;
    while (count > 0) {
        uint64_t number = at / CST_PAGE;
        size_t inside = (size_t)(at % CST_PAGE), piece = CST_PAGE - inside < count ? CST_PAGE - inside : count;
        const uint8_t *bytes = cst_pages_find(t, number);
        if (bytes)
            memcpy(to, bytes + inside, piece);
        else if (at >= t->committed)
            memset(to, 0, piece);
        else if (!cst_pages_read(t, number, piece == CST_PAGE ? to : whole))
            return -1;
        else if (piece < CST_PAGE)
            memcpy(to, whole + inside, piece);
        to += piece;
        at += piece;
        count -= piece;
    }
    return 0;
}

/* The driver's write function returns success even if a page cannot be taken into memory (memory ran out, or the page is
 * damaged), because after a failed write HDF5 can neither close the file nor exit without a crash. The field `starved` of the
 * transaction records that data are lost; all later commits then fail. */
static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t count, const void *buffer)
{
    (void)type;
    (void)transfer;
    cst_transaction *t = ((driver_file *)base)->t;
    const uint8_t *from = buffer;
    if (t->orphan)
        return 0;
    if (!t->writable)
        return -1;
    while (count > 0) {
        size_t inside = (size_t)(at % CST_PAGE), piece = CST_PAGE - inside < count ? CST_PAGE - inside : count;
        uint8_t *bytes = t->starved ? NULL : cst_pages_take(t, at / CST_PAGE, piece == CST_PAGE);
        if (bytes)
            memcpy(bytes + inside, from, piece);
        else
            t->starved = true;
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
    cst_transaction_drop_driver(transaction);
    hid_t driver = H5FDregister(&driver_class);
    if (driver < 0)
        return false;
    transaction->driver = driver;
    return H5Pset_driver(access, driver, &given) >= 0;
}

void cst_transaction_drop_driver(cst_transaction *transaction)
{
    if (transaction->driver > 0)
        H5FDunregister(transaction->driver);
    transaction->driver = 0;
}
