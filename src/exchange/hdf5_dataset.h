/* Reads datasets of an HDF5 file from an untrusted source. Every error message names the dataset, except the message that memory
 * ran out. No reference to data outside the file is followed. Memory is allocated only after the extent of a dataset has been
 * compared with the size of the file. */
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

/* HDF5 prints its error stack by default. cst_h5_silence turns the printing off, and cst_h5_restore restores the previous
 * setting. They also call the hooks cst_h5_enter and cst_h5_leave (hdf5_memory.h). */
typedef struct cst_h5_quiet {
    H5E_auto2_t print;
    void *user;
} cst_h5_quiet;

cst_h5_quiet cst_h5_silence(void);
void cst_h5_restore(cst_h5_quiet quiet);

/* Returns true if HDF5 has run out of memory at least once (exchange/hdf5_memory.h). After HDF5 has run out of memory, its data
 * are still consistent, but the program should start no new work with HDF5. */
bool cst_h5_starved(void);

/* Closes a dataset, dataspace, datatype, attribute, group or property list; negative ids are ignored. */
void cst_h5_close(hid_t id);

/* Tests if an object with the absolute path `path` exists. Returns 1 if the object exists, and 0 if not. Returns -1 with a fault
 * if the path is too long, contains a soft or external link, passes through an object that is not a group, or is damaged. */
int cst_h5_exists(const cst_h5_file *file, const char *path);

/* Reads one integer from a scalar or one-entry integer dataset. */
bool cst_h5_read_integer(const cst_h5_file *file, const char *path, int64_t *out);

/* Sets `count` to the number of entries of a one-dimensional dataset, without reading its entries. On a fault, returns false and
 * sets `count` to 0. */
bool cst_h5_extent(const cst_h5_file *file, const char *path, int64_t *count);

/* The functions cst_h5_read_doubles and cst_h5_read_integers read a whole dataset of floating-point numbers or of integers, which
 * must have `count` entries. If the dataset cannot be read, cst_h5_read_doubles and cst_h5_read_integers return NULL and record a
 * fault. */
double *cst_h5_read_doubles(const cst_h5_file *file, const char *path, int64_t count, cst_arena *arena);
int64_t *cst_h5_read_integers(const cst_h5_file *file, const char *path, int64_t count, cst_arena *arena);

/* Reads a fixed-length string, truncated to the size of the output, with control characters replaced by blanks and without blanks
 * at its end. If the string is missing, cannot be read or is longer than 4096 bytes, the output is an empty string. */
void cst_h5_read_title(const cst_h5_file *file, const char *path, char *out, size_t size);

#endif
