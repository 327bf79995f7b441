/* Files of validate/ that capstan-bench needs while it runs. */
#ifndef CST_VALIDATE_HARNESS_BENCH_DATA_H
#define CST_VALIDATE_HARNESS_BENCH_DATA_H

#include <stdbool.h>
#include <stddef.h>

/* Looked for in $CAPSTAN_BENCH_DATA, beside the build (BUILD/../validate, BUILD/../../validate) and where it is installed
 * (PREFIX/share/capstan/validate). false if it is nowhere. */
bool cst_bench_data_find(const char *name, char *path, size_t size);

#endif
