/* How much a fiber is twisted: the rate at which its section turns about its centreline, from what is drawn of it. */
#ifndef CST_CACHE_TWIST_H
#define CST_CACHE_TWIST_H

#include "cache/cache_format.h"

/* rad/m at each vertex of a curve; zeros if it has no directors. */
void cst_twist_rates(const cst_vertex_row *vertex, int vertices, double *rate);

#endif
