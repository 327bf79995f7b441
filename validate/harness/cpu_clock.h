/* Processor time, for benchmarks on a machine that has other work too. */
#ifndef CST_VALIDATE_HARNESS_CPU_CLOCK_H
#define CST_VALIDATE_HARNESS_CPU_CLOCK_H

double cst_cpu_seconds(void); /* used by this process so far, all its threads together */

#endif
