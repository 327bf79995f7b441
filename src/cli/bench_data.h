/* Files of bench/ that the command needs while it runs. */
#ifndef CST_CLI_BENCH_DATA_H
#define CST_CLI_BENCH_DATA_H

#include <stdbool.h>
#include <stddef.h>

/* Looked for in $CAPSTAN_BENCH_DATA, beside the build (BUILD/../bench, BUILD/../../bench) and where it is installed
 * (PREFIX/share/capstan). false if it is nowhere. */
bool cst_bench_data_find(const char *name, char *path, size_t size);

#endif
