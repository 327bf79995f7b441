/* The second half of `capstan-bench slide`: a rod dropped on a disk, whose energies must add up. */
#ifndef CST_VALIDATE_PHYSICS_DROP_H
#define CST_VALIDATE_PHYSICS_DROP_H

#include "harness/validation.h"

/* Prints its table, writes its files and adds its findings. false if something went wrong, which has been said. */
bool cst_bench_drop(cst_validation *about);

#endif
