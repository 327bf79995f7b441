/* Datasets of an HDF5 file that somebody else wrote, read with suspicion: every fault names the dataset, nothing is allocated
 * before the extent has been held against what the file can contain, and nothing outside the file is followed. */
#ifndef CST_EXCHANGE_HDF5_DATASET_H
#define CST_EXCHANGE_HDF5_DATASET_H

#include "base/arena.h"
#include "files/fault.h"

#include <hdf5.h>

typedef struct cst_h5_file {
    hid_t id;
    uint64_t bytes; /* size of the file */
    cst_fault *fault;
} cst_h5_file;

/* HDF5 prints its error stack unless told not to. Silence it, and give it back as it was. */
typedef struct cst_h5_quiet {
    H5E_auto2_t print;
    void *user;
} cst_h5_quiet;

cst_h5_quiet cst_h5_silence(void);
void cst_h5_restore(cst_h5_quiet quiet);

/* Whether HDF5 lacked memory in what it did between the two, now or before (exchange/hdf5_memory.h): what it holds of a file is in
 * order, but nothing more should be begun. */
bool cst_h5_starved(void);

/* Closes a dataset, dataspace, datatype, attribute, group or property list; an id that never came to be (negative) is left alone. */
void cst_h5_close(hid_t id);

/* Is there anything of that name (an absolute path)? 1 yes, 0 no, -1 fault: the path leads out of the file or is damaged. */
int cst_h5_exists(const cst_h5_file *file, const char *path);

/* One whole number, from a scalar or one-entry integer dataset. */
bool cst_h5_read_integer(const cst_h5_file *file, const char *path, int64_t *out);

/* Entries of a one-dimensional dataset, without reading it. */
bool cst_h5_extent(const cst_h5_file *file, const char *path, int64_t *count);

/* Whole datasets, which must have `count` entries (what cst_h5_extent said). NULL and a fault otherwise. */
double *cst_h5_read_doubles(const cst_h5_file *file, const char *path, int64_t count, cst_arena *arena);
int64_t *cst_h5_read_integers(const cst_h5_file *file, const char *path, int64_t count, cst_arena *arena);

/* A fixed-length string, cut to fit, control characters made blanks; empty if it is absent or of another kind. */
void cst_h5_read_title(const cst_h5_file *file, const char *path, char *out, size_t size);

#endif
