/* The stretch of an edge of a nodal rod: tension N and energy as functions of its relative length lambda = |e| / l. The linear
 * terms are
 *
 *     N = EA (lambda - 1),      E = 1/2 EA l (lambda - 1)^2.
 *
 * A finite energy can compress a linear spring to zero length and beyond, where the edge points backwards. To prevent this
 * reversal of an edge, terms are added below half of the natural length (lambda < p = 1/2), namely
 *
 *     N += 1/2 EA p (1 - p^2 / lambda^2),      E += 1/2 EA l p (p - lambda)^2 / lambda.
 *
 * The added terms are unbounded at lambda = 0, and the tension N is continuous at lambda = p. Without the added terms, soft
 * CORDE rods failed that were struck faster than their wave speed sqrt(EA / rho A) = 4 m/s. The edges of these rods passed
 * through zero length and reversed their direction, and the energy of the angle between frames and edges jumped (capstan-bench
 * random, seeds 683 and 1871). */
#ifndef CST_ROD_NODAL_STRETCH_H
#define CST_ROD_NODAL_STRETCH_H

#include "rod/nodal_rod.h"

/* Relative length below which an edge counts as strongly compressed. */
#define CST_NODAL_PRESSED 0.5

/* Returns the additional energy of a strongly compressed edge, J. */
static inline double cst_nodal_pressed_energy(const cst_nodal_rod *rod, int edge, double length)
{
    const double p = CST_NODAL_PRESSED, l = rod->rest[edge], lambda = length / l;
    return lambda < p ? 0.5 * rod->stretching * l * p * (p - lambda) * (p - lambda) / lambda : 0.0;
}

/* Returns the tension N of an edge; *slope is the derivative of N with respect to the length of the edge. */
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
