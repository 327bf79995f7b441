/* The HDF5 types of a cache's fields: in memory, and in the file (always little-endian). */
#ifndef CST_CACHE_CACHE_TYPES_H
#define CST_CACHE_CACHE_TYPES_H

#include <hdf5.h>

#include "cache/cache_format.h"

hid_t cst_field_in_memory(cst_field_type type);
hid_t cst_field_in_file(const cst_cache_column *column, cst_cache_detail detail);

/* Reads the attribute `detail` of an open file. Files of formats 1 to 5 do not have the attribute `detail` and are full
 * caches. */
cst_cache_detail cst_cache_detail_read(hid_t file);

#endif
