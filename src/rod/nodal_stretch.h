/* The stretch of an edge of a nodal rod: tension N and energy by its length, lambda = |e| / l.
 *
 *     N = EA (lambda - 1),      E = 1/2 EA l (lambda - 1)^2
 *
 * A spring like this takes a finite energy to be pressed to nothing, and on the other side the edge points back. Matter does not: below half of its length
 *
 *     N += 1/2 EA p (1 - p^2 / lambda^2),      E += 1/2 EA l p (p - lambda)^2 / lambda,      p = 1/2
 *
 * which resist without bound, and are continuous with N at p. (Soft CORDE rods that were struck faster than their stretch carries a blow, sqrt(EA / rho A) = 4 m/s: edges
 * went through a length of zero and turned round, and the energy that ties frames to edges jumped. capstan-bench random, seeds 683 and 1871.) */
#ifndef CST_ROD_NODAL_STRETCH_H
#define CST_ROD_NODAL_STRETCH_H

#include "rod/nodal_rod.h"

/* Of its natural length: an edge that is shorter is pressed. */
#define CST_NODAL_PRESSED 0.5

/* What being pressed adds to the energy, J. */
static inline double cst_nodal_pressed_energy(const cst_nodal_rod *rod, int edge, double length)
{
    const double p = CST_NODAL_PRESSED, l = rod->rest[edge], lambda = length / l;
    return lambda < p ? 0.5 * rod->stretching * l * p * (p - lambda) * (p - lambda) / lambda : 0.0;
}

/* N, and *slope its derivative by the length. */
static inline double cst_nodal_tension(const cst_nodal_rod *rod, int edge, double length, double *slope)
{
    const double LEAST = 1e-3; /* of its length: no edge is taken to be shorter */
    const double p = CST_NODAL_PRESSED, l = rod->rest[edge], along = rod->stretching / l;
    *slope = along;
    if (!(length < p * l))
        return along * (length - l);
    const double lambda = length > LEAST * l ? length / l : LEAST, share = p / lambda;
    *slope += along * share * share * share;
    return along * (length - l) + 0.5 * rod->stretching * p * (1.0 - share * share);
}

#endif
