/* HDF5 types of the fields of a cache (the file with the results of a run), in memory and in the file. Numbers in the file are
 * always little-endian. */
#ifndef CST_CACHE_CACHE_TYPES_H
#define CST_CACHE_CACHE_TYPES_H

#include <hdf5.h>

#include "cache/cache_format.h"

hid_t cst_field_in_memory(cst_field_type type);
hid_t cst_field_in_file(const cst_cache_column *column, cst_cache_detail detail);

/* Returns how much data an open cache file stores per frame (its attribute `detail`). Cache files of formats 1 to 5 have no
 * attribute `detail`; they store the full data of each frame (CST_DETAIL_FULL). */
cst_cache_detail cst_cache_detail_read(hid_t file);

#endif
