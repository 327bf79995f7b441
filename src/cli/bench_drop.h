/* The second half of `capstan bench slide`: a rod dropped on a disk, whose energies must add up. */
#ifndef CST_CLI_BENCH_DROP_H
#define CST_CLI_BENCH_DROP_H

#include "cli/validation.h"

/* Prints its table, writes its files and adds its findings. false if something went wrong, which has been said. */
bool cst_bench_drop(cst_validation *about);

#endif
