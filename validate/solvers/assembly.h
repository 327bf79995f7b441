/* Time to assemble W against contacts, block-sparse against plain (Daviet et al. 2011, figure 6). */
#ifndef CST_VALIDATE_SOLVERS_ASSEMBLY_H
#define CST_VALIDATE_SOLVERS_ASSEMBLY_H

#include <stdbool.h>

#include "chart/chart.h"

/* Hair-like strands, sizes doubled until the plain way takes longer than `limit` seconds or `most` contacts are reached. Prints
 * the table; the chart is for the caller to write and free (NULL without memory). false if W came out differently. */
bool cst_bench_assembly(double limit, int most, cst_chart **chart);

#endif
