/* The types of a cache's fields, to HDF5: in memory, and in the file (always little-endian). */
#ifndef CST_CACHE_CACHE_TYPES_H
#define CST_CACHE_CACHE_TYPES_H

#include <hdf5.h>

#include "cache/cache_format.h"

hid_t cst_field_in_memory(cst_field_type type);
hid_t cst_field_in_file(cst_field_type type);

#endif
