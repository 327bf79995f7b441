/* The tension and the energy of a stretched edge of a nodal rod. Symbols:
 *     `l`: natural length of the edge.
 *     `lambda`: relative length, length/l.
 *     `EA`: stretching stiffness.
 *     `N`: tension.
 *     `E`: energy.
 *     `p`: 1/2.
 *
 * A linear spring with the relative length lambda has the tension N and the energy E:
 *     `N = EA*(lambda-1)`.
 *     `E = EA*l*(lambda-1)^2/2`.
 *
 * A finite energy can compress a linear spring to zero length, and the edge can then reverse its direction. If the relative
 * length lambda of an edge is below p = 1/2, terms are added that make the energy grow without bound as the length of the edge
 * goes to zero:
 *     `N += EA*p*(1-p^2/lambda^2)/2`.
 *     `E += EA*l*p*(p-lambda)^2/(2*lambda)`.
 *
 * With linear springs alone, edges of soft CORDE rods (wave speed 4 m/s) reversed their direction when the rods were struck at
 * more than the wave speed (seeds 683 and 1871 of the benchmark `capstan-bench random`). */
#ifndef CST_ROD_NODAL_STRETCH_H
#define CST_ROD_NODAL_STRETCH_H

#include "rod/nodal_rod.h"

/* CST_NODAL_PRESSED: ratio of length to natural length of an edge, below which terms are added to its tension and energy. */
#define CST_NODAL_PRESSED 0.5

/* Returns the energy (J) that is added to the energy of a linear spring if the edge is shorter than half of its natural
 * length. */
static inline double cst_nodal_pressed_energy(const cst_nodal_rod *rod, int edge, double length)
{
    const double p = CST_NODAL_PRESSED, l = rod->rest[edge], lambda = length / l;
    return lambda < p ? 0.5 * rod->stretching * l * p * (p - lambda) * (p - lambda) / lambda : 0.0;
}

/* Returns the tension (N) of an edge. `slope`: receives the derivative (N/m) of the tension with respect to the length of the
 * edge. */
static inline double cst_nodal_tension(const cst_nodal_rod *rod, int edge, double length, double *slope)
{
    const double LEAST = 1e-3; /* smallest relative length in the formula */
    const double p = CST_NODAL_PRESSED, l = rod->rest[edge], along = rod->stretching / l;
    *slope = along;
    if (!(length < p * l))
        return along * (length - l);
    const double lambda = length > LEAST * l ? length / l : LEAST, share = p / lambda;
    *slope += along * share * share * share;
    return along * (length - l) + 0.5 * rod->stretching * p * (1.0 - share * share);
}

#endif
