/* Twist of a fiber: the rate at which its cross-section rotates about the centreline, computed from its stored vertices and
 * directors. */
#ifndef CST_CACHE_TWIST_H
#define CST_CACHE_TWIST_H

#include "cache/cache_format.h"

/* Computes the twist in rad/m at each vertex of a curve; the twist is zero if the curve has no directors. */
void cst_twist_rates(const cst_vertex_row *vertex, int vertices, double *rate);

#endif
