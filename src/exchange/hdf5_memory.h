/* What a program can do for HDF5, which does not survive an allocation that fails (src/cli/hdf5_reserve.c). The library calls these
 * around all its work with HDF5, if the program defines them; weak, so that it need not. */
#ifndef CST_EXCHANGE_HDF5_MEMORY_H
#define CST_EXCHANGE_HDF5_MEMORY_H

#include <stdbool.h>

__attribute__((weak)) void cst_h5_enter(void);
__attribute__((weak)) void cst_h5_leave(void);

/* Whether an allocation inside HDF5 has failed so far, and was served from a reserve. */
__attribute__((weak)) bool cst_h5_was_starved(void);

#endif
