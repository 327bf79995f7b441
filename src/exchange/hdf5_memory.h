/* Hooks with which a program can protect HDF5 from failed allocations, which HDF5 does not survive (src/cli/hdf5_reserve.c). If
 * the program defines the hooks, Capstan calls cst_h5_enter before each use of HDF5, and cst_h5_leave after it. The hook
 * functions are weak symbols, so a program need not define them. */
#ifndef CST_EXCHANGE_HDF5_MEMORY_H
#define CST_EXCHANGE_HDF5_MEMORY_H

#include <stdbool.h>

__attribute__((weak)) void cst_h5_enter(void);
__attribute__((weak)) void cst_h5_leave(void);

/* Returns true if an allocation inside HDF5 has failed and HDF5 got memory from a reserve instead. */
__attribute__((weak)) bool cst_h5_was_starved(void);

#endif
